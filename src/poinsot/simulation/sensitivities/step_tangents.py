"""The derivatives of the end of steps by their start and by parameters.

A step of an explicit Runge-Kutta method (``integrators/explicit.py``) from y with given h,

    k[s] = f(t + c[s] h, y + h sum of a[s][j] k[j]),      x = P(y + h sum of b[j] k[j]),

is differentiated as it stands, P being the normalisation of quaternions and the Newton steps
towards the constraints: with D the derivative by y and the parameters p,

    D k[s] = f_y (D y + h sum of a[s][j] D k[j]) + f_p,
    D x = P_y (D y + h sum of b[j] D k[j]) + P_p

[HNW, section I.14].  Many steps go side by side: their starts are known from the run, so that
only the product of their matrices goes through time.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.sensitivities.rate_jacobian import (
    along_states,
    program_jacobian,
    rate_jacobian,
    rates,
)
from poinsot.simulation.stepping.control_writer import Row
from poinsot.simulation.stepping.integrators.explicit import Tableau
from poinsot.simulation.stepping.projection import PROJECTIONS
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.spatial import Array

Pair: TypeAlias = tuple[Array, Array]
"""States, shape (N, n), and their derivatives, shape (N, n, m)."""


class StepTangents:
    """Some steps of a run, side by side.

    Args:
        equations: What was integrated.
        tableau: Of the integrator.
        names: Free parameters to differentiate by.
        t: When each step begins [s], shape (N,).
        h: Its length [s], shape (N,).
        y: Its start [q, v, states], shape (N, n).
    """

    def __init__(
        self, equations: MotionEquations, tableau: Tableau, names: tuple[str, ...], *,
        t: Array, h: Array, y: Array,
    ) -> None:  # fmt: skip
        self._equations, self._tableau, self._names = equations, tableau, names
        self._t, self._h, self._y = t, h, y
        self._values: list[Array] = []
        self._stages: list[tuple[Array, Array]] = []
        for node, row in zip(tableau.nodes, tableau.stages, strict=True):
            self._evaluate(node, y + self._combined(row, self._values))
        self._slopes = self._differentiated(0)

    @cached_property
    def by_start(self) -> Array:
        """The derivative of the ends by the starts, shape (N, n, n)."""
        return self._through(0)

    @cached_property
    def by_all(self) -> Array:
        """That by the starts and, behind them, by the parameters, shape (N, n, n + p)."""
        return self._through(len(self._names))

    def weighted(self, weights: Array) -> Array:
        """Return the derivatives of weighted sums of the ends by the parameters, shape (N, p).

        The transposed recursion: none of its products has a column per parameter.

        Args:
            weights: Of the entries of the ends, shape (N, n).
        """
        n, tableau = self._y.shape[1], self._tableau
        moved = self._end[1]
        gradient: Array = np.einsum("ni,nip->np", weights, moved[:, :, n:])
        back = np.einsum("ni,nij->nj", weights, moved[:, :, :n]) * self._h[:, None]
        stages = [tableau.solution.get(s, 0.0) * back for s in range(len(self._slopes))]
        for s in reversed(range(len(stages))):
            gradient += np.einsum("ni,nip->np", stages[s], self._slopes[s][:, :, n:])
            pulled = np.einsum("ni,nij->nj", stages[s], self._slopes[s][:, :, :n])
            for j, coefficient in tableau.stages[s].items():
                stages[j] += (coefficient * self._h)[:, None] * pulled
        return gradient

    def between(self, which: Array, times: Array) -> Array:
        """Return the derivatives of the dense output, as ``by_all`` has those of the ends.

        Args:
            which: Numbers of steps, shape (m,).
            times: Times in them [s], shape (m,).
        """
        coefficients, tangents = self._dense
        s = ((times - self._t[which]) / self._h[which])[:, None]
        x = self._y[which] + s * _polynomial(coefficients, s, which)
        by = self._unit(len(self._names)) + s[:, None] * _polynomial(tangents, s[:, None], which)
        moved = projected(self._equations, self._names, times, x)[1][:, :, :-1]
        return _chained(moved, by, len(self._names))

    @cached_property
    def _end(self) -> Pair:
        """The ends of the steps, and the derivatives of what moves them there."""
        x = self._y + self._combined(self._tableau.solution, self._values)
        x, moved = projected(self._equations, self._names, self._t + self._h, x)
        return x, moved[:, :, :-1]

    def _through(self, count: int) -> Array:
        """Return the derivatives of the ends by the starts and the first parameters."""
        tangents = self._tangents(count)
        by = self._unit(count) + self._combined(self._tableau.solution, tangents)
        return _chained(self._end[1], by, count)

    def _tangents(self, count: int) -> list[Array]:
        """Return the derivatives of all stages by the starts and the first parameters."""
        tangents: list[Array] = []
        for row, slopes in zip(self._tableau.stages, self._slopes, strict=True):
            tangents.append(
                _chained(slopes, self._unit(count) + self._combined(row, tangents), count)
            )
        return tangents

    @cached_property
    def _dense(self) -> tuple[list[Array], list[Array]]:
        """The coefficients of the polynomials [HNW, section II.6], and their derivatives."""
        tableau, count, h = self._tableau, len(self._names), self._h
        x, by = self._end[0], self.by_all
        tangents = self._tangents(count)
        first = len(self._values)
        self._evaluate(1.0, x)
        for node, row in zip(tableau.more_nodes, tableau.more_stages, strict=True):
            self._evaluate(node, self._y + self._combined(row, self._values))
        end, *more = self._differentiated(first)
        tangents.append(_chained(end, by, count))
        for slopes, row in zip(more, tableau.more_stages, strict=True):
            start = self._unit(count) + self._combined(row, tangents)
            tangents.append(_chained(slopes, start, count))
        lists = []
        for k, difference in ((self._values, x - self._y), (tangents, by - self._unit(count))):
            scale = h.reshape(-1, *(1,) * (difference.ndim - 1))
            f1 = scale * k[0] - difference
            cubic = [difference, f1, difference - scale * k[first] - f1]
            lists.append([*cubic, *(self._combined(row, k) for row in tableau.dense)])
        return lists[0], lists[1]

    def _evaluate(self, node: float, x: Array) -> None:
        """Append the derivative at a stage."""
        t = self._t + node * self._h
        breaks, before = self._equations.breaks
        if breaks.size and node == 1.0:  # what signals are before they jump
            number = np.searchsorted(breaks, t).clip(max=breaks.size - 1)
            t = np.where(breaks[number] == t, before[number], t)
        self._values.append(rates(self._equations, t, x))
        self._stages.append((t, x))

    def _differentiated(self, first: int) -> list[Array]:
        """Return the Jacobians of the stages from one on, shapes (N, n, n + p), in one batch."""
        t, x = (np.concatenate(column) for column in zip(*self._stages[first:], strict=True))
        f = np.concatenate(self._values[first:])
        slopes = rate_jacobian(self._equations, self._names, t, x, f)
        return np.split(slopes, len(self._stages) - first)

    def _combined(self, row: Row, k: Sequence[Array]) -> Array:
        """Return h times a combination of stages, or of their derivatives."""
        if not row:
            return np.zeros(1)
        total = np.asarray(sum(coefficient * k[j] for j, coefficient in row.items()))
        return np.asarray(total * self._h.reshape(-1, *(1,) * (total.ndim - 1)))

    def _unit(self, count: int) -> Array:
        return np.eye(self._y.shape[1], self._y.shape[1] + count)


def projected(equations: MotionEquations, names: tuple[str, ...], t: Array, x: Array) -> Pair:
    """Return states with unit quaternions, on the constraints, and their derivatives.

    Args:
        equations: What was integrated.
        names: Free parameters to differentiate by.
        t: Times [s], shape (N,).
        x: States [q, v, states], shape (N, n).

    Returns:
        Shapes (N, n) and (N, n, n + number of names + 1), the last column by the time.
    """
    count, n = len(names) + 1, x.shape[1]
    x, by = _normalised(equations, x, np.broadcast_to(np.eye(n, n + count), (len(x), n, n + count)))
    use = equations.projection
    if use is None:
        return x, by
    program = use.kernel.program
    n_moved = equations.nq + equations.nv
    for _ in range(PROJECTIONS):
        slopes = np.broadcast_to(np.eye(n, n + count), by.shape).copy()
        slopes[:, :n_moved] = program_jacobian(equations, program, names, t, x)[:, :n_moved]
        by = _chained(slopes, by, count)
        x = np.concatenate([_moved(equations, t, x)[:, :n_moved], x[:, n_moved:]], axis=1)
        x, by = _normalised(equations, x, by)
    return x, by


def _moved(equations: MotionEquations, t: Array, x: Array) -> Array:
    """Return states after one Newton step towards the constraints, and their conditioning."""
    assert equations.projection is not None
    return along_states(equations, t, x).computed(equations.projection.kernel)


def _normalised(equations: MotionEquations, x: Array, by: Array) -> Pair:
    """Return states with unit quaternions, and their derivatives.

    u = z / |z|,      du = (1 - u uᵀ) dz / |z|
    """
    starts = quaternion_starts(equations.mechanism).tolist()
    if starts:
        x, by = x.copy(), by.copy()
    for start in starts:
        four = slice(start, start + 4)
        length = np.linalg.norm(x[:, four], axis=1)[:, None]
        unit = x[:, four] / length
        change = (
            by[:, four] - unit[:, :, None] * np.einsum("ni,nij->nj", unit, by[:, four])[:, None]
        )
        x[:, four], by[:, four] = unit, change / length[:, :, None]
    return x, by


def _chained(slopes: Array, by: Array, count: int) -> Array:
    """Return the derivatives of g(x, p), from those of g and of x by the start and parameters.

    Args:
        slopes: Those of g, shape (N, n, n + all parameters).
        by: Those of x, shape (N, n, n + count).
        count: Number of parameters, the first ones.
    """
    n = slopes.shape[1]
    result: Array = slopes[:, :, :n] @ by
    result[:, :, n:] += slopes[:, :, n : n + count]
    return result


def _polynomial(coefficients: list[Array], s: Array, which: Array) -> Array:
    """Return the dense output, less its start, over s, as ``dense_output.py`` nests it."""
    total = coefficients[-1][which]
    for number in range(len(coefficients) - 2, -1, -1):
        total = coefficients[number][which] + (s if number % 2 else 1.0 - s) * total
    return total
