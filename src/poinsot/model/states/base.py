"""The contract of a further state: what it adds to the state of a run, and by which laws."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from poinsot.errors import ModelError
from poinsot.model.fields import Declared, Name, declared, field
from poinsot.model.scalar_values import is_symbolic
from poinsot.model.states.law import Law
from poinsot.spatial import Scalar

__all__ = ["AbstractState"]


@declared
class AbstractState(Declared, ABC):
    """Interface of a state besides q and v; immutable, hashable, equal by value."""

    family: ClassVar[str] = "state"

    name: str = field(Name(), "Name of the state: letters, digits and _")

    @property
    @abstractmethod
    def initial(self) -> float:
        """Its value at the start of a run."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """Its unit, for tables and figures."""

    @property
    @abstractmethod
    def inputs(self) -> dict[str, float]:
        """Names and initial values of what it adds to the state of a run."""

    @property
    @abstractmethod
    def laws(self) -> dict[str, Law]:
        """What it is made of: fields that hold formulas."""

    def _require_law(self, key: str, example: str) -> None:
        """Reject a state without a rate or an update."""
        if self.laws[key] is None:
            raise ModelError(f"{self.label} has no {key}; give {key}=, e.g. {key}={example}")

    def _refuse_symbolic(self, *numbers: Scalar) -> None:
        """Reject numbers of a state that are formulas of parameters."""
        if is_symbolic(*numbers):
            raise ModelError(
                f"{self.label}: {numbers} must be numbers, no formulas of parameters; give other "
                "initial values to a run: ps.simulate(..., states={...})"
            )
