"""Rosenbrock steps in plain Python: the definition of the compiled ones (``rosenbrock.py``).

The stages, their linear equations and the polynomial, each formula one line; steps are controlled
and events found as in ``reference_stepper.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from poinsot.simulation.stepping.integrators.rosenbrock import Rosenbrock
from poinsot.simulation.stepping.reference_events import TakenStep
from poinsot.simulation.stepping.reference_stepper import ReferenceStepper, combination
from poinsot.spatial import Array


@dataclass(kw_only=True)
class ReferenceRosenbrock(ReferenceStepper):
    """One run of a Rosenbrock method, step by step.

    Attributes:
        slopes: (t, y, dy/dt) -> [dg/dy - (dE/dy) dy/dt, dg/dt] of E dy/dt = g, shape (n, n + 1),
            and M, shape (nv, nv); E is M in the rows of the velocities, else 1.
        nq: Number of coordinates.
    """

    slopes: Callable[[float, Array, Array], tuple[Array, Array]]
    nq: int

    def _stages(self, h: float) -> tuple[list[Array], Array]:
        """Return the derivatives of the stages, then the u, and the end of the step.

        (E / (h gamma) - S) u_i = E (f(t + c_i h, y + sum_j a_ij u_j) + sum_j (c_ij / h) u_j)
                                  + d_i h s,                        x = y + sum of b_j u_j
        """
        method: Rosenbrock = self.integrator
        t, y = self.t, self.y
        slopes, mass = self.slopes(t, y, self._k0)
        matrix, scale = -slopes[:, :-1], (1.0 / method.gamma) / h
        moving = slice(self.nq, self.nq + len(mass))
        first_order = np.setdiff1d(np.arange(y.size), np.arange(y.size)[moving])
        matrix[first_order, first_order] += scale
        matrix[moving, moving] += scale * mass
        lower, upper, order = _factored(matrix)
        k, u = list[Array](), list[Array]()
        for s, (node, row) in enumerate(zip(method.nodes, method.stages, strict=True)):
            stage = self._normalised(y + combination(row, u)) if s else y
            k.append(self.rate(t + h * node, stage) if s else self._k0)
            mixed = method.mixed[s]
            forward = k[s] + (1.0 / h) * combination(mixed, u) if mixed else k[s]
            right = h * method.times[s] * slopes[:, -1]
            right[first_order] += forward[first_order]
            for r, masses in enumerate(mass, start=self.nq):
                for m, x in zip(masses, forward[moving], strict=True):
                    right[r] += m * x
            u.append(self._solved(lower, upper, right[order]))
        return [*k, *u], y + combination(method.solution, u)

    def _error(self, k: list[Array], x: Array, h: float) -> float:
        """Return the norm of the last u."""
        if not np.isfinite(x).all():
            return np.nan
        return self._norm(k[-1] / self._scale(np.maximum(np.abs(self.y), np.abs(x))))

    def _complete(self, k: list[Array], x: Array, h: float, t_new: float) -> TakenStep:
        """Return a step with its end on the constraints and its polynomial."""
        x, u = self.projected(t_new, x), k[len(self.integrator.stages) :]
        k.append(self.rate(t_new, x))
        r0, r1, r2 = (combination(row, u) for row in self.integrator.dense)
        f = [x - self.y, r0, r1 + r2, 0.0 - r2]
        slack = self._scale if self._moves else np.zeros_like
        return TakenStep(self.t, h, t_new, self.y, x, f, self.projected, slack)

    def _solved(self, lower: Array, upper: Array, b: Array) -> Array:
        """Return the x of L U x = b."""
        z, x = np.zeros(b.size), np.zeros(b.size)
        for i in range(b.size):
            z[i] = b[i] - self._total(lower[i] * z)
        for i in reversed(range(b.size)):
            x[i] = (z[i] - self._total(upper[i] * x)) / upper[i, i]
        return x


def _factored(matrix: Array) -> tuple[Array, Array, list[int]]:
    """Return L without its diagonal, U, and the rows in the order of their pivots."""
    upper, lower, order = matrix.copy(), np.zeros(matrix.shape), list(range(len(matrix)))
    for k in range(len(upper)):
        best = k + int(np.argmax(np.abs(upper[k:, k])))
        for rows in (upper, lower):
            rows[[k, best]] = rows[[best, k]]
        order[k], order[best] = order[best], order[k]
        for i in range(k + 1, len(upper)):
            lower[i, k] = upper[i, k] / upper[k, k]
            upper[i] = upper[i] - lower[i, k] * upper[k]
    return lower, upper, order
