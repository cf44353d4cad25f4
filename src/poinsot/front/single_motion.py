"""What ``Run`` and ``Study`` have in common: states between the stored ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, Self

from poinsot.evaluate.expression import Expression
from poinsot.front.tabulated_motion import TabulatedMotion
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.simulation.laws.event import Occurrence

__all__ = ["AbstractSingleMotion", "Along"]


class Along(Protocol):
    """Quantities at given states."""

    def tau(self) -> Array:
        """Return the joint forces of the drive [N or N m], shape (n, nv)."""

    def acceleration(self) -> Array:
        """Return dv/dt, shape (n, nv)."""

    def expression(self, given: Expression) -> Array:
        """Return an expression of the state, shape (n, ...)."""


class AbstractSingleMotion(TabulatedMotion):
    """One motion of a system."""

    @property
    @abstractmethod
    def events(self) -> Sequence[Occurrence]:
        """Events in order: ``.name``, ``.t``, ``.q_before``, ``.v_before``, ``.q``, ``.v``."""

    @property
    @abstractmethod
    def stored_only(self) -> bool:
        """Whether figures show the stored states only."""

    @abstractmethod
    def along(self, t: Array, q: Array, v: Array) -> Along:
        """Return the evaluator of quantities at states of the motion."""

    @abstractmethod
    def constraint_residual(self) -> Array:
        """Return by how much loops and constraints are open [m or rad], shape (n, rows)."""

    @abstractmethod
    def constraint_rate(self) -> Array:
        """Return how fast loops and constraints open [m/s or rad/s], shape (n, rows)."""

    @abstractmethod
    def numeric(self) -> Self:
        """Return the same motion of the system with numbers in place of parameters."""
