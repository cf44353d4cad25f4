"""How the states of a system change that it has besides q and v."""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber


@dataclass(frozen=True)
class StateRates:
    """Rates of the states of a planar linkage.

    Attributes:
        states: Their names and the numbers at which they are held.
        element: Whose program gives the rates, in this order; it acts on nothing.
    """

    states: tuple[GivenNumber, ...]
    element: PlanarElement

    @property
    def names(self) -> list[str]:
        """Names of the states."""
        return [state.name for state in self.states]
