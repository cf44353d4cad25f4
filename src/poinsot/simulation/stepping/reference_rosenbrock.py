"""Rosenbrock steps in plain Python: the definition of the compiled ones (``rosenbrock.py``).

The stages, their linear equations and the polynomial, each formula one line; steps are controlled
and events found as in ``reference_stepper.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poinsot.simulation.stepping.integrators.rosenbrock import Rosenbrock
from poinsot.simulation.stepping.reference_lu import ReferenceLu
from poinsot.simulation.stepping.reference_stepper import ReferenceStepper
from poinsot.simulation.stepping.reference_vectors import combination
from poinsot.spatial import Array


@dataclass(kw_only=True)
class ReferenceRosenbrock(ReferenceStepper):
    """One run of a Rosenbrock method, step by step.

    Attributes:
        slopes: (t, y, dy/dt) -> [dg/dy - (dE/dy) dy/dt, dg/dt] of E dy/dt = g, shape (n, n + 1),
            and M, shape (nv, nv); E is M in the rows of the velocities, else 1.
    """

    slopes: Callable[[float, Array, Array], tuple[Array, Array]]

    def _stages(self, h: float) -> tuple[list[Array], Array]:
        """Return the derivatives of the stages, then the u, and the end of the step.

        (E / (h gamma) - S) u_i = E (f(t + c_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j)
                                  + d_i h s,                        x = y + sum of b_j u_j
        """
        method: Rosenbrock = self.integrator
        t, y = self.t, self.y
        slopes, mass = self.slopes(t, y, self._k0)
        matrix, scale = -slopes[:, :-1], (1.0 / method.gamma) / h
        moving = self.velocities
        first_order = np.setdiff1d(np.arange(y.size), np.arange(y.size)[moving])
        matrix[first_order, first_order] += scale
        matrix[moving, moving] += scale * mass
        factors = ReferenceLu(matrix, self.lanes)
        k, u = list[Array](), list[Array]()
        for s, (node, row) in enumerate(zip(method.nodes, method.stages, strict=True)):
            stage = self._normalised(y + combination(row, u)) if s else y
            k.append(self.rate(t + h * node, stage) if s else self._k0)
            mixed = method.mixed[s]
            forward = k[s] + (1.0 / h) * combination(mixed, u) if mixed else k[s]
            right = h * method.times[s] * slopes[:, -1]
            right[first_order] += forward[first_order]
            for r, masses in enumerate(mass, start=moving.start):
                for m, x in zip(masses, forward[moving], strict=True):
                    right[r] += m * x
            u.append(factors.solve(right))
        return [*k, *u], y + combination(method.solution, u)

    def _error(self, k: list[Array], x: Array, h: float) -> float:
        """Return the norm of the last u."""
        if not np.isfinite(x).all():
            return np.nan
        return self._norm(k[-1] / self._scale(np.maximum(np.abs(self.y), np.abs(x))))

    def _coefficients(self, k: list[Array], x: Array, h: float) -> list[Array]:
        """Return those of the polynomial of the method."""
        u = k[len(self.integrator.stages) : self.integrator.end]
        r0, r1, r2 = (combination(row, u) for row in self.integrator.dense)
        return [x - self.y, r0, r1 + r2, 0.0 - r2]
