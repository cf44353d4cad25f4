"""Quantities along a run: energies, momenta, forces, residuals and any expression."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.evaluate.expression import Expression
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.front.constraints import Multipliers
from poinsot.front.run_states import Recorded
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked


class RunQuantities(Recorded):
    """The methods of ``Run`` that compute something at each stored state.

    Free parameters, actuation and the motion of the base are those of the run.  Poses, velocities,
    energies and momenta are relative to the base where it moves, as the states are.
    """

    def kinetic_energy(self) -> Array:
        """Return the kinetic energy [J], shape (n,)."""
        return np.asarray(self.system.kinetic_energy(self.q, self.v, parameters=self._given()))

    def potential_energy(self) -> Array:
        """Return the potential energy [J], springs included, shape (n,)."""
        return np.asarray(self.system.potential_energy(self.q, parameters=self._given()))

    def energy(self) -> Array:
        """Return kinetic and potential energy together [J], shape (n,)."""
        return self.kinetic_energy() + self.potential_energy()

    def momentum(self) -> Array:
        """Return linear and angular momentum [N s, N m s], about the world origin, shape (n, 6)."""
        return self.system.momentum(self.q, self.v, parameters=self._given())

    def centre_of_mass(self) -> Array:
        """Return the mass centre of all bodies in the world [m], shape (n, 3)."""
        return self.system.centre_of_mass(self.q, parameters=self._given())

    def pose(self, body: str) -> Array:
        """Return the pose of a body, body to world, shape (n, 4, 4)."""
        return self.system.pose(body, self.q, parameters=self._given())

    def velocity(
        self, body: str, point: ArrayLike = (0.0, 0.0, 0.0), *, axes: str = "body"
    ) -> Array:
        """Return the velocity [v; ω] of a body [m/s, rad/s], shape (n, 6).

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
        """Return the derivative of the components of a body's velocity, shape (n, 6).

        Args:
            body: Name of the body.
            point: Point of the body [m], body coordinates, shape (3,).
            axes: "body" or "world".
        """
        return self.system.acceleration(
            body, self.q, self.v, self.acceleration(), point, axes=axes, parameters=self._given()
        )

    def tau(self) -> Array:
        """Return the actuator forces of the run [N or N m], shape (n, nv)."""
        return self._along.tau().copy()

    def acceleration(self) -> Array:
        """Return dv/dt [m/s² or rad/s²], shape (n, nv)."""
        return self._along.acceleration().copy()

    def multipliers(self) -> Multipliers:
        """Return the multipliers of loops and constraints; see ``System.multipliers``."""
        return Multipliers(self.system.row_names, *self._along.multipliers())

    def reactions(self, *, axes: str = "body") -> dict[str, Array]:
        """Return the total wrench [f; n] [N, N m] in every joint, loop and constraint, (n, 6).

        Args:
            axes: "body", "joint" or "world"; see ``System.reactions``.
        """
        if axes not in ("body", "joint", "world"):
            raise ModelError(f"reactions: axes must be 'body', 'joint' or 'world', got {axes!r}")
        return named_wrenches(self.system.mechanism, self._along.reactions(axes))

    def constraint_residual(self) -> Array:
        """Return by how much loops and constraints are open [m or rad], shape (n, rows)."""
        return self._along.residual()

    def constraint_rate(self) -> Array:
        """Return how fast loops and constraints open [m/s or rad/s], shape (n, rows)."""
        return self._along.rate()

    def evaluate(self, expression: Expression, t: ArrayLike | None = None) -> Array:
        """Return any expression of the state along the run, shape (n, ...).

        Args:
            expression: A function ``f(t, q, v)`` over generic scalars, called once with symbols and
                compiled (see ``simulate`` on laws), or a formula.  Formulas know the time ``t``,
                coordinates by name (``elbow`` or ``q.elbow``, ``base.x``), velocities
                (``v.elbow``), accelerations (``a.elbow``), joint forces of the drive
                (``tau.elbow``), free parameters, and the functions of ``FormulaForce``.  Letters
                of names that are no letters, digits or ``.`` are written ``_``.
            t: Times [s], shape (m,), in place of the stored ones.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), q=[0.3], v=[0.0], duration=1.0)
        >>> run.names["q"]
        ('bob',)
        >>> height = run.evaluate("-cos(bob)")
        >>> power = run.evaluate("v.bob * a.bob", t=[0.0, 0.5])
        >>> both = run.evaluate(lambda t, q, v: [np.sin(q[0]), t * v[0]])
        >>> height.shape == run.t.shape, power.shape, both.shape == (len(run), 2)
        (True, (2,), True)
        """
        if t is None:
            return self._along.expression(expression)
        refuse_masked(t, "t")
        times = np.atleast_1d(np.asarray(t, np.float64))
        q, v = self.at(times)
        flat = (times.ravel(), q.reshape(-1, self.system.nq), v.reshape(-1, self.system.nv))
        values = self.along(*flat).expression(expression)
        return values.reshape(*times.shape, *values.shape[1:])

    def work(self, expression: Expression) -> Array:
        """Return the integral of a power over the run up to each stored time [J], shape (n,).

        By Gauss's rule with five points between stored times.

        Args:
            expression: The power [W]: ``"power.strut"`` of a force element, ``"tau.elbow*v.elbow"``
                of a drive, or any other expression of the state (``evaluate``).

        >>> import poinsot as ps
        >>> damped = lambda t, q, v: -0.1 * v
        >>> run = ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0, tau=damped)
        >>> gain = run.kinetic_energy() + run.potential_energy()
        >>> bool(abs(run.work("tau.bob * v.bob") - (gain - gain[0])).max() < 1e-9)
        True
        """
        places, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * np.diff(self.t)
        times = (self.t[:-1] + half)[:, None] + half[:, None] * places
        powers = self.evaluate(expression, times.ravel()).reshape(times.shape)
        return np.concatenate([[0.0], np.cumsum(half * (powers @ weights))])

    @cached_property
    def _along(self) -> QuantitiesAlongRun:
        return self.along(self.t, self.q, self.v)

    def along(self, t: Array, q: Array, v: Array) -> QuantitiesAlongRun:
        """Return the evaluator of quantities at any states under the actuation of the run.

        Args:
            t: Times [s], shape (n,).
            q: Configurations, shape (n, nq).
            v: Velocities, shape (n, nv).
        """
        trajectory = self._trajectory
        if self.system.states:  # those of the run, which stand behind v
            v = trajectory.v if t is self.t else trajectory.at(t)[1]
        return QuantitiesAlongRun(trajectory.equations, t, q, v, trajectory.forces(t, q, v))
