"""What all results of motions have in common: ``Run``, ``Runs``, ``Study`` and ``Studies``.

States of a system at increasing times, and what follows from them.  One motion has arrays of shape
(n, ...), many of them (..., n, ...).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.evaluate.expression import Expression
from poinsot.front.reaction_frames import Point, shown_wrenches
from poinsot.model.coordinate_names import acceleration_unit, force_unit
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.front.system import System

__all__ = ["AbstractMotion"]


class AbstractMotion(ABC):
    """States at times, and everything that follows from them.

    Free parameters are those of the motion.  Poses, velocities, energies and momenta are relative
    to the base where it moves, as the states are.

    Attributes:
        called: What messages call it.
    """

    called: ClassVar[str] = "run"

    @property
    @abstractmethod
    def system(self) -> System:
        """What moved."""

    @property
    @abstractmethod
    def t(self) -> Array:
        """Times of the stored states [s], shape (n,)."""

    @property
    @abstractmethod
    def q(self) -> Array:
        """Configurations at these times, shape (..., n, nq)."""

    @property
    @abstractmethod
    def v(self) -> Array:
        """Velocities at these times, shape (..., n, nv)."""

    @property
    def states(self) -> dict[str, Array]:
        """Further states at these times, by name, shapes (..., n)."""
        return {}

    @property
    @abstractmethod
    def parameters(self) -> Mapping[str, Any]:
        """Values of the free parameters by name, shapes (...); of those that are samples not."""

    @abstractmethod
    def acceleration(self) -> Array:
        """Return dv/dt [m/s² or rad/s²], shape (..., n, nv)."""

    @abstractmethod
    def tau(self) -> Array:
        """Return the joint forces of the drive [N or N m], shape (..., n, nv)."""

    @abstractmethod
    def evaluate(self, expression: Expression) -> Array:
        """Return any expression of the state, shape (..., n, ...).

        Args:
            expression: A formula, or a function of t, q and v (docs/formulas.md).
        """

    def at(self, t: ArrayLike) -> tuple[Array, Array]:
        """Return q and v at any times of the motion, shapes (..., *t, nq) and (..., *t, nv).

        They are as accurate as the stored states; quaternions are of unit length.  At the time of
        an event that changes the state it is the one after it.  Of many motions those that have
        ended before are NaN.

        Args:
            t: Times [s], any shape, from the first of the stored ones to the last.
        """
        times = checked_real("at: t", t).astype(np.float64)
        first, last = self.t[0], self.t[-1]
        rounding = 1e-14 * max(abs(first), abs(last))
        outside = ~((times >= first - rounding) & (times <= last + rounding))
        if outside.any():
            raise ModelError(
                f"at: the {self.called} goes from t = {first:g} s to {last:g} s, got "
                f"{times[outside][0]:g}"
            )
        q, v = self._between(np.clip(times, first, last).ravel())
        lead = q.shape[:-2]
        return (
            q.reshape(*lead, *times.shape, self.system.nq),
            v.reshape(*lead, *times.shape, self.system.nv),
        )

    @abstractmethod
    def _between(self, times: Array) -> tuple[Array, Array]:
        """Return q and v at times of the motion, shapes (..., *times, nq) and (..., *times, nv)."""

    @abstractmethod
    def _given(self) -> Mapping[str, Any] | None:
        """Return the free parameters as methods of the system take them at these states."""

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Names of the entries of "q", of "v", which "a" and "tau" share, and of "states"."""
        names = {"q": self.system.coordinate_names, "v": self.system.velocity_names}
        further = tuple(self.states)
        return names | ({"states": further} if further else {})

    @property
    def units(self) -> dict[str, tuple[str, ...]]:
        """Units of the entries of "q", "v", "a", "tau" (joint forces) and "states", if any."""
        v = self.system.velocity_units
        listed = self.system.states.values()
        further = tuple(state.unit for state in listed for _ in state.inputs)
        return ({"states": further} if further else {}) | {
            "q": self.system.coordinate_units,
            "v": v,
            "a": tuple(map(acceleration_unit, v)),
            "tau": tuple(map(force_unit, v)),
        }

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy [J], shape (..., n)."""
        return np.asarray(self.system.kinetic_energy(self.q, self.v, parameters=self._given()))

    def potential_energy(self) -> Array:
        """Return the potential energy [J], springs included, shape (..., n)."""
        return np.asarray(self.system.potential_energy(self.q, parameters=self._given()))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (..., n)."""
        return self.kinetic_energy() + self.potential_energy()

    def momentum(self) -> Array:
        """Return linear and angular momentum [N s, N m s], about the world origin, (..., n, 6)."""
        return self.system.momentum(self.q, self.v, parameters=self._given())

    def centre_of_mass(self) -> Array:
        """Return the mass centre of all bodies in the world [m], shape (..., n, 3)."""
        return self.system.centre_of_mass(self.q, parameters=self._given())

    def pose(self, body: str) -> Array:
        """Return the pose of a body, body to world, shape (..., n, 4, 4)."""
        return self.system.pose(body, self.q, parameters=self._given())

    def velocity(
        self, body: str, point: ArrayLike = (0.0, 0.0, 0.0), *, axes: str = "body"
    ) -> Array:
        """Return the velocity [v; ω] of a body [m/s, rad/s], shape (..., n, 6).

        Args:
            body: Name of the body.
            point: Point of the body whose velocity v is [m], body coordinates, shape (3,).
            axes: "body" or "world".
        """
        given = self._given()
        return self.system.velocity(body, self.q, self.v, point, axes=axes, parameters=given)

    def body_acceleration(
        self, body: str, point: ArrayLike = (0.0, 0.0, 0.0), *, axes: str = "body"
    ) -> Array:
        """Return the derivative of the components of a body's velocity, shape (..., n, 6).

        Args:
            body: Name of the body.
            point: Point of the body [m], body coordinates, shape (3,).
            axes: "body" or "world".
        """
        return self.system.acceleration(
            body, self.q, self.v, self.acceleration(), point, axes=axes, parameters=self._given()
        )

    def reactions(
        self, *, axes: str = "body", point: Point = "second", on: str = "second"
    ) -> dict[str, Array]:
        """Return the total wrench [f; n] [N, N m] in every joint, loop and constraint, (..., n, 6).

        Args:
            axes: "body", "joint", "world" or the name of a body; see ``System.reactions``.
            point: About which moments are.
            on: Which of the two bodies feels it.
        """
        given = self._given()
        return shown_wrenches(self.system, self._wrenches, self.q, axes, point, on, given)

    @abstractmethod
    def _wrenches(self, axes: str) -> dict[str, Array]:
        """Return the wrenches of the first on the second frame, at its origin, by name.

        Args:
            axes: "body", "joint" or "world".
        """

    def forces(self) -> dict[str, Array]:
        """Return the forces of the force elements that have names [N or N m], shapes (..., n).

        Those between points are positive where they pull; those in joints count along the velocity
        (``formulations/element_state.py``).
        """
        named = (force.name for force in self.system.forces if force.name is not None)
        return {name: self.evaluate(f'force."{name}"') for name in named}
