"""Contract of a coupling: the coordinate of a joint as a linear function of another's."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.smooth_function import traced
from poinsot.model.fields import declared
from poinsot.spatial import Scalar

__all__ = ["AbstractCoupling"]


@declared
class AbstractCoupling(AbstractRelation):
    """Linear coupling: q_second = factor q_first + offset."""

    @property
    @abstractmethod
    def law(self) -> tuple[Scalar, Scalar]:
        """Factor and offset."""

    @property
    def locked(self) -> tuple[str]:
        """The coupling."""
        return ("coupling",)

    def _check_together(self, given: Mapping[str, Any]) -> None:
        first, second = self.joints
        factor, offset = self.law
        if first == second:
            raise ModelError(f"{self.label}: joint {first!r} cannot be coupled to itself")
        self._store_function(traced(lambda x, t: x[1] - factor * x[0] - offset, 2, self.label))
