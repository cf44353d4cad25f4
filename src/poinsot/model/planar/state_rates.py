"""How the states of a system change that it has besides q and v."""

from __future__ import annotations

from dataclasses import dataclass

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
    """

    kinds: tuple[AbstractState, ...]
    states: tuple[GivenNumber, ...]
    element: PlanarElement

    @property
    def names(self) -> list[str]:
        """Names of the states."""
        return [state.name for state in self.states]
