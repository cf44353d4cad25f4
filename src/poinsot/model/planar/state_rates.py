"""How the states of a system change that it has besides q and v."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from poinsot.expr import Scalar
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.states.base import AbstractState


@dataclass(frozen=True)
class StateRates:
    """Rates of the states of a planar linkage, and updates of those that are sampled.

    Attributes:
        kinds: The states as the system has them.
        states: Names and the numbers at which they are held, of those that wait for a delay too.
        element: Whose program gives the rate or the update of each state; it acts on nothing.
        forces: Joints whose forces the program reads, behind all other numbers.
    """

    kinds: tuple[AbstractState, ...]
    states: tuple[GivenNumber, ...]
    element: PlanarElement
    forces: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Names of the states."""
        return [state.name for state in self.states]

    def at(self, forces: Mapping[str, Scalar]) -> PlanarElement:
        """Return the element under forces of drivers; those of other joints are zero."""
        numbers = [GivenNumber(f"tau.{name}", forces.get(name, 0.0)) for name in self.forces]
        return replace(self.element, given=(*self.element.given, *numbers))
