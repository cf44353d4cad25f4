"""Contract of a coupling: the coordinate of a joint as a linear function of another's."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from poinsot.errors import ModelError
from poinsot.model.constraints.base import Rows, View
from poinsot.model.constraints.point_relation import TURN, AbstractRelation, less_turns
from poinsot.model.constraints.smooth_function import traced
from poinsot.model.fields import declared
from poinsot.spatial import Scalar

__all__ = ["AbstractCoupling"]


@declared
class AbstractCoupling(AbstractRelation):
    """Linear coupling: q_second = factor q_first + offset.

    The angle of a joint that closes a loop is known up to whole turns; with one such joint the
    coupling is one up to whole turns of it, and the motion, being continuous, stays with those it
    began with: it goes on over any number of turns.
    """

    @property
    @abstractmethod
    def law(self) -> tuple[Scalar, Scalar]:
        """Factor and offset."""

    @property
    def locked(self) -> tuple[str]:
        """The coupling."""
        return ("coupling",)

    def rows(self, view: View) -> Rows:
        """Return q_second - factor q_first - offset, less whole turns of an angle that is cut."""
        rows = super().rows(view)
        for joint, slope in zip(self.joints, (self.law[0], 1.0), strict=True):
            if any(view.joint(joint).turns):
                return less_turns(rows, TURN * slope)
        return rows

    def _check_together(self, given: Mapping[str, Any]) -> None:
        first, second = self.joints
        factor, offset = self.law
        if first == second:
            raise ModelError(f"{self.label}: joint {first!r} cannot be coupled to itself")
        self._store_function(traced(lambda x, t: x[1] - factor * x[0] - offset, 2, self.label))
