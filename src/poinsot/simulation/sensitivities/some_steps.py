"""Some steps of a run, side by side: what is the same for all integrators."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.sensitivities.projected import Pair, moves_ends, projected
from poinsot.simulation.stepping.control_writer import Row
from poinsot.spatial import Array


class AbstractSteps(ABC):
    """Some steps of a run, side by side.

    Args:
        equations: What was integrated.
        names: Free parameters to differentiate by.
        t: When each step begins [s], shape (N,).
        h: Its length [s], shape (N,).
        y: Its start [q, v, states], shape (N, n).
        updates: The derivatives of what sampled states do after it, shape (N, n, n + p).
    """

    def __init__(
        self, equations: MotionEquations, names: tuple[str, ...], *, t: Array, h: Array, y: Array,
        updates: Array | None = None,
    ) -> None:  # fmt: skip
        self._equations, self._names = equations, names
        self._t, self._h, self._y, self._updates = t, h, y, updates
        self._moves = moves_ends(equations)

    @abstractmethod
    def forward(self, start: Array, varied: Array, needed: Array) -> Pair:
        """Return the tangents before and after all steps, and those of stages of some steps.

        Args:
            start: Derivatives of the first start along m directions, shape (n, m).
            varied: Those of the parameters, shape (p, m).
            needed: Steps whose stages are asked for, for ``between``; whole numbers, increasing.

        Returns:
            Shapes (N + 1, n, m) and (number of these steps, stages, n, m).
        """

    @abstractmethod
    def backward(self, weights: Array) -> Pair | None:
        """Return the gradient of a weighted sum of the last end, by the first start and parameters.

        Args:
            weights: Of the entries of the end, shape (n,).

        Returns:
            Shapes (n,) and (p,); None where there is no program for it.
        """

    @property
    @abstractmethod
    def stage_values(self) -> Array:
        """The vectors of the stages, shape (stages, N, n)."""

    @property
    @abstractmethod
    def end(self) -> Pair:
        """The ends of the steps, and the derivatives of what moves them there, (N, n, n + p)."""

    @abstractmethod
    def polynomial(self, h: Array, ends: Pair, k: Array) -> Sequence[Array]:
        """Return the coefficients of the dense output, as ``dense_output.py`` nests them.

        Args:
            h: Lengths of steps [s], shape (N,).
            ends: Their starts and ends, or the tangents of these, shapes (N, n) or (N, n, m).
            k: Their stages, or the tangents of these.
        """

    @abstractmethod
    def increment(self, h: Array, k: Array) -> Array:
        """Return by how much steps advance a state, or its tangents, before anything moves it.

        Args:
            h: Lengths of steps [s], shape (N,).
            k: Their stages, or the tangents of these.
        """

    def between(
        self, every: Pair, varied: Array, needed: Array, which: Array, times: Array
    ) -> Array:
        """Return the tangents of the dense output, shape (number of times, n, m).

        Args:
            every: What ``forward`` has returned.
            varied: As of ``forward``.
            needed: As of ``forward``.
            which: Numbers of steps, all of them among those needed, shape (number of times,).
            times: Times in them [s].
        """
        vectors, kept = every
        tangents = np.moveaxis(kept[np.searchsorted(needed, which)], 1, 0)
        h = self._h[which]
        ratio = (times - self._t[which]) / h
        ends = vectors[which], vectors[which + 1]
        if self._updates is not None:  # what was before them
            end = ends[0] + self.increment(h, tangents)
            if self._moves:
                moved, n = self.end[1][which], end.shape[1]
                end = moved[:, :, :n] @ end + moved[:, :, n:] @ varied
            ends = ends[0], end
        by = _nested(ratio, ends[0], self.polynomial(h, ends, tangents))
        if not self._moves:
            return by
        states = self._y[which], self.end[0][which]
        x = _nested(ratio, states[0], self.polynomial(h, states, self.stage_values[:, which]))
        moved, n = projected(self._equations, self._names, times, x)[1][:, :, :-1], x.shape[1]
        return np.asarray(moved[:, :, :n] @ by + moved[:, :, n:] @ varied)

    def _time(self, node: float) -> Array:
        """Return the times of a stage [s]; where signals jump at the end, just before that."""
        t = self._t + node * self._h
        breaks, before = self._equations.breaks
        if breaks.size and node == 1.0:
            number = np.searchsorted(breaks, t).clip(max=breaks.size - 1)
            t = np.where(breaks[number] == t, before[number], t)
        return t

    def _ended(self, x: Array) -> Pair:
        """Return the ends that steps would have, moved, and the derivatives of that."""
        x, moved = projected(self._equations, self._names, self._t + self._h, x)
        return x, moved[:, :, :-1]


def combined(row: Row, k: Array) -> Array:
    """Return a combination of stages, or of their tangents; 0 of none."""
    if not row:
        return np.zeros(1)
    stages = k[: max(row) + 1]
    coefficients = np.zeros(len(stages))
    coefficients[list(row)] = list(row.values())
    return np.asarray((coefficients @ stages.reshape(len(stages), -1)).reshape(stages.shape[1:]))


def along_axis(numbers: Array, like: Array) -> Array:
    """Return numbers of steps, shape (N,), such that they multiply arrays like this one."""
    return numbers.reshape(-1, *(1,) * (like.ndim - 1))


def _nested(ratio: Array, start: Array, coefficients: Sequence[Array]) -> Array:
    """Return start + s (c0 + (1 - s) (c1 + s (c2 + ...))) [HNW, section II.6]."""
    s, total = along_axis(ratio, start), coefficients[-1]
    for number in range(len(coefficients) - 2, -1, -1):
        total = coefficients[number] + (s if number % 2 else 1.0 - s) * total
    return np.asarray(start + s * total)
