"""Quantities along a run: energies, momenta, forces, residuals and any expression."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.expression import Expression
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.front.constraints import Multipliers
from poinsot.front.run_powers import POWERS
from poinsot.front.run_states import Recorded
from poinsot.front.section_results import SectionLoads
from poinsot.model.bar import Bar
from poinsot.model.section import Section
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked


class RunQuantities(Recorded):
    """The methods of ``Run`` that compute something at each stored state.

    Free parameters, actuation and the motion of the base are those of the run.
    """

    def tau(self) -> Array:
        """Return the actuator forces of the run [N or N m], shape (n, nv)."""
        return self._along.tau().copy()

    def drive_forces(self) -> dict[str, Array]:
        """Return the forces of ``drives`` [N or N m] by joint, shape (n, nv of the joint)."""
        return self._along.drives()

    def acceleration(self) -> Array:
        """Return dv/dt [m/s² or rad/s²], shape (n, nv)."""
        return self._along.acceleration().copy()

    def multipliers(self) -> Multipliers:
        """Return the multipliers of loops and constraints; see ``System.multipliers``."""
        return Multipliers(self.system.row_names, *self._along.multipliers())

    def _wrenches(self, axes: str) -> dict[str, Array]:
        return named_wrenches(self.system.mechanism, self._along.reactions(axes))

    def section_loads(self, sections: Bar | Sequence[Section], *, cuts: int = 51) -> SectionLoads:
        """Return force and moment in sections of a link along the run, shape (n, k, 6).

        Args:
            sections: A bar, which is cut evenly from its start to its end, or sections.
            cuts: Number of sections of a bar.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), q=[0.3], v=[0.0], duration=1.0)
        >>> massless = ps.Section("bob", (0, 0, -0.5))
        >>> run.section_loads([massless]).normal.shape == (len(run), 1)
        True
        """
        from poinsot.front.sections import cut_sections, section_request

        listed, s = cut_sections(sections, cuts)
        request, numbers = section_request(self.system.mechanism, listed)
        loads = self._along.section_loads(request, numbers)
        return SectionLoads(*loads, listed[0].body, s, self.t)

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
                of a drive, or any other expression of the state (``evaluate``); or "drives": of
                all joint forces together, "dampers": of the damping of joints, negative,
                "constraints": of those that move with time (``PrescribedMotion``).

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
        if isinstance(expression, str) and expression in POWERS:
            q, v = self.at(times.ravel())
            along = self.along(times.ravel(), q, v)
            powers = POWERS[expression](self.system.mechanism, along, v).reshape(times.shape)
        else:
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
