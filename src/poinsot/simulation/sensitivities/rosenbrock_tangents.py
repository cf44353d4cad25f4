"""The derivatives of steps of a Rosenbrock method by their start and by parameters.

A step solves W u_i = F(t + c_i h, y + sum of a_ij u_j) + sum of c_ij u_j / h + d_i h F_t with
W = 1 / (h gamma) - F_y (``integrators/rosenbrock.py``, without E), F the rates with unit
quaternions.  Along a variation D of y and parameters,

    W D u_i = F_y (D + sum of a_ij D u_j) + F_p + sum of c_ij D u_j / h + D (F_y u_i + d_i h F_t),

the last term, at the start of the step with u_i and h held, being a second derivative of F.  All
steps go side by side, with a column for each entry of y and each parameter; the product of their
matrices goes through time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from poinsot.kernels.kernel import AbstractKernel
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.sensitivities.program_jacobian import rates
from poinsot.simulation.sensitivities.projected import Pair, chained, normalised
from poinsot.simulation.sensitivities.rate_changes import evaluated_along
from poinsot.simulation.sensitivities.rate_products import curvature, unit_along
from poinsot.simulation.sensitivities.some_steps import AbstractSteps, combined
from poinsot.simulation.stepping.integrators.rosenbrock import Rosenbrock
from poinsot.spatial import Array


class RosenbrockTangents(AbstractSteps):
    """Some steps of a run, side by side; arguments as of ``AbstractSteps``.

    Args:
        method: The integrator.
    """

    def __init__(
        self, equations: MotionEquations, method: Rosenbrock, names: tuple[str, ...], *, t: Array,
        h: Array, y: Array, updates: Array | None = None,
    ) -> None:  # fmt: skip
        super().__init__(equations, names, t=t, h=h, y=y, updates=updates)
        self._method = method
        self._along, self._curvature = unit_along(equations, names), curvature(equations, names)
        n = y.shape[1]
        slopes = self._evaluated(self._along, t, y, np.eye(n + len(names) + 1)[None])
        self._by_time = slopes[:, :, -1]
        identity = np.eye(n) / (method.gamma * h)[:, None, None]
        self._inverse = np.linalg.inv(identity - slopes[:, :, :n])
        u = np.zeros((len(method.stages), *y.shape))
        for i, node in enumerate(method.nodes):
            x = normalised(equations, y + combined(method.stages[i], u))
            right = (
                rates(equations, self._time(node), x) + method.times[i] * h[:, None] * self._by_time
            )
            right = right + combined(method.mixed[i], u) / h[:, None]
            u[i] = np.einsum("nij,nj->ni", self._inverse, right)
        self._u = u

    @property
    def stage_values(self) -> Array:
        """The u."""
        return self._u

    @cached_property
    def end(self) -> Pair:
        """The ends of the steps, and the derivatives of what moves them there."""
        return self._ended(self._y + combined(self._method.solution, self._u))

    def increment(self, h: Array, k: Array) -> Array:
        """Return the sum of b_j u_j."""
        return combined(self._method.solution, k)

    def polynomial(self, h: Array, ends: Pair, k: Array) -> Sequence[Array]:
        """Return the coefficients of the dense output: z - y, r0, r1 + r2, -r2."""
        r0, r1, r2 = (combined(row, k) for row in self._method.dense)
        return [ends[1] - ends[0], r0, r1 + r2, -r2]

    def forward(self, start: Array, varied: Array, needed: Array) -> Pair:
        """Return the tangents before and after all steps, and those of the u of some steps."""
        n, matrices = len(start), self._through
        vectors = np.empty((len(matrices) + 1, *start.shape))
        vectors[0] = start
        for k, matrix in enumerate(matrices):
            vectors[k + 1] = matrix[:, :n] @ vectors[k] + matrix[:, n:] @ varied
        some = np.moveaxis(self._tangents[:, needed], 0, 1)
        kept = some[..., :n] @ vectors[needed][:, None] + some[..., n:] @ varied
        return vectors, kept

    def backward(self, weights: Array) -> Pair:
        """Return the gradient of a weighted sum of the last end."""
        n, gradient = weights.size, np.zeros(len(self._names))
        for matrix in self._through[::-1]:
            gradient, weights = gradient + weights @ matrix[:, n:], weights @ matrix[:, :n]
        return weights, gradient

    @cached_property
    def _through(self) -> Array:
        """The derivatives of the ends by the starts and parameters, shape (N, n, n + p)."""
        by = self._unit + combined(self._method.solution, self._tangents)
        for matrices in (self.end[1] if self._moves else None, self._updates):
            if matrices is not None:
                by = chained(matrices, by, len(self._names))
        return by

    @cached_property
    def _tangents(self) -> Array:
        """The derivatives of the u by the starts and parameters, shape (stages, N, n, n + p)."""
        method, h, t, y, unit = self._method, self._h, self._t, self._y, self._unit
        n, m = unit.shape
        tangents = np.zeros((len(method.stages), len(t), n, m))
        along = np.zeros((len(t), m, m + 1))
        along[:, :, :m] = np.eye(m)
        start = along[:1].copy()
        for i, node in enumerate(method.nodes):
            x = y + combined(method.stages[i], self._u)
            along[:, :, :n] = np.swapaxes(unit[None] + combined(method.stages[i], tangents), 1, 2)
            right = self._evaluated(self._along, self._time(node), x, along)
            right = right + combined(method.mixed[i], tangents) / h[:, None, None]
            held = np.append(self._u[i], (method.times[i] * h)[:, None], axis=1)[:, None]
            right = right + self._evaluated(self._curvature, t, y, start, held)
            tangents[i] = self._inverse @ right
        return tangents

    @property
    def _unit(self) -> Array:
        n = self._y.shape[1]
        return np.eye(n, n + len(self._names))

    def _evaluated(
        self, kernel: AbstractKernel, t: Array, x: Array, along: Array, held: Array | None = None
    ) -> Array:
        given = kernel, self._names, t, x, along, held
        return evaluated_along(self._equations, *given)
