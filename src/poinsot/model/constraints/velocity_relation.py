"""Base of constraints on velocities: rolling, skates and other non-holonomic constraints."""

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from poinsot.expr import Program
from poinsot.model.constraints.base import AbstractConstraint, Rows, View
from poinsot.model.constraints.smooth_function import (
    TracedFunction,
    VelocityRates,
    velocity_rates,
)
from poinsot.model.fields import declared, derived
from poinsot.spatial import Array, Scalar

__all__ = ["AbstractVelocityRelation", "VelocityMotion"]


@dataclass(frozen=True, eq=False)
class VelocityMotion:
    """How the variables of a constraint on velocities move.

    Attributes:
        x: The coordinates in its equations, shape (k,).
        rate: dx/dt, shape (k,).
        u: The velocities in its equations, shape (n,).
        bias: du/dt while no joint accelerates, shape (n,).
        J: u = J v, shape (n, nv).
    """

    x: Array
    rate: Array
    u: Array
    bias: Array
    J: Array


@declared
class AbstractVelocityRelation(AbstractConstraint):
    """phi(x, t, p) = 0 and r(x, u, t, p) = 0, r linear in the velocities u.

    The first rows of r are the rates of phi; those after them are non-holonomic, or are meant to
    hold for velocities only.  It holds both as a ``program`` of x, t, u and the parameters p of the
    mechanism, and these as ``terms``: symbols, or numbers where they are bound.
    """

    program: Program = derived()
    terms: tuple[Scalar, ...] = derived()

    def _store_function(self, function: TracedFunction) -> None:
        self._store(program=function.program, terms=function.terms)

    @abstractmethod
    def _motion(self, view: View) -> VelocityMotion:
        """Return how its variables move."""

    @property
    def velocity_rows(self) -> int:
        """The rows without a residual of positions."""
        phi, r = self.program.outputs
        return r.size - phi.size

    @property
    def depends_on_time(self) -> bool:
        """Whether its equations depend on time."""
        time = self.program.inputs[0].size
        return time in self.program.results or any(time in args for _, args in self.program.steps)

    def rows(self, view: View) -> Rows:
        """Return phi, then zeros; B J, drift and B du/dt + dr/dt."""
        motion, relation = self._relation(view)
        return Rows(
            np.concatenate([relation.phi, np.zeros(self.velocity_rows)]),
            relation.B @ motion.J,
            relation.drift,
            relation.B @ motion.bias + relation.second,
        )

    def _relation(self, view: View) -> tuple[VelocityMotion, VelocityRates]:
        motion, function = self._motion(view), TracedFunction(self.program, self.terms)
        return motion, velocity_rates(function, motion.x, motion.rate, motion.u, view.t)
