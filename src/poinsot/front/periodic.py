"""Motions that repeat from section to section, and how stable they are: ``ps.periodic``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array

__all__ = ["PeriodicMotion", "periodic"]

ReturnMap = Callable[[Array], Array]
"""From the state on one section to that on the next."""

NEWTON: Final = 50
HALVINGS: Final = 12
"""How often a step of Newton's method is halved before it is given up."""
SMALL: Final = 1e-7
"""Change of a state by which Newton's method differentiates, relative to its size."""
STEP: Final = 2e-4
DIFFERENCES: Final = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
"""Of order 6, so that STEP need not be small: the error is about that of the map by STEP."""


@final
@dataclass(frozen=True, eq=False)
class PeriodicMotion:
    """A state that a return map leads back to.

    Attributes:
        state: On the section, shape (n,).
        step: The return map.
        scale: Sizes below which the numbers of a state count as small, shape (n,) or one for all.

    >>> spiral = periodic(lambda x: np.array([0.5 * x[0] + 1.0, 1.3 - 0.3 * x[1]]), [0.0, 0.0])
    >>> spiral.state.round(9).tolist(), abs(spiral.multipliers).round(9).tolist()
    ([2.0, 1.0], [0.5, 0.3])
    >>> spiral.is_stable
    True
    """

    state: Array
    step: ReturnMap
    scale: float | Array = 1.0

    @cached_property
    def derivative(self) -> Array:
        """Of the state on the next section by that on this one, shape (n, n)."""
        columns = []
        for unit in np.diag(STEP * np.maximum(np.abs(self.state), self.scale)):
            column = sum(
                weight * (_next(self.step, self.state + k) - _next(self.step, self.state - k))
                for weight, k in ((weight, j * unit) for j, weight in DIFFERENCES.items())
            )
            columns.append(np.asarray(column) / unit.sum())
        return np.stack(columns, axis=1)

    @cached_property
    def multipliers(self) -> Array:
        """Eigenvalues of the derivative, the largest first: growth of disturbances per period."""
        values = np.linalg.eigvals(self.derivative)
        return np.asarray(values[np.argsort(-np.abs(values))])

    @property
    def is_stable(self) -> bool:
        """Whether all small disturbances die out."""
        return bool(np.abs(self.multipliers[0]) < 1.0)

    def __repr__(self) -> str:
        kind = "stable" if self.is_stable else "unstable"
        return f"PeriodicMotion({np.array2string(self.state, precision=6)}, {kind})"


def periodic(
    step: ReturnMap, guess: ArrayLike, *, tolerance: float = 1e-11, scale: ArrayLike = 1.0
) -> PeriodicMotion:
    """Return the state near a guess that a return map leads back to, by Newton's method.

        f(x) = x,      x ← x + λ (1 - f'(x))⁻¹ (f(x) - x)

    A step is at most as long as the state is large, and is halved until the map misses by less.
    The map may simulate, collide, and swap the roles of legs: gaits, bouncing, rattling.  Where a
    period is one smooth run, ``ps.shoot`` finds it by exact derivatives.

    Args:
        step: The return map, from the state on a section, shape (n,), to that on the next one; it
            may raise a ``ModelError`` where there is none.
        guess: Where to begin, shape (n,).
        tolerance: Change of the state by the map that counts as none, relative to the size of each
            of its numbers.
        scale: Sizes below which the numbers of a state count as small: their size is at least
            this.  One for all, or shape (n,).

    Raises:
        ModelError: If the map ends at the guess, or if Newton's method does not converge.

    >>> large = periodic(lambda x: 0.5 * x + 5e3, [0.0])
    >>> large.state.round(6).tolist(), large.multipliers.round(6).tolist()
    ([10000.0], [0.5])
    """
    state = checked_real("periodic: guess", guess).astype(np.float64)
    if state.ndim != 1 or not state.size:
        raise ModelError(
            f"periodic: guess must have shape (n,), at least one number, got {state.shape}"
        )
    if not np.isfinite(state).all():
        raise ModelError(f"periodic: guess must be finite, got {state.tolist()}")
    if not callable(step):
        raise ModelError(f"periodic: step must be a function of a state, got {step!r}")
    scales = _positive("scale", scale)
    if scales.shape not in ((), state.shape):
        raise ModelError(
            f"periodic: scale must be one number or {state.size}, as many as the guess, got shape "
            f"{scales.shape}"
        )
    if (limit := _positive("tolerance", tolerance)).shape:
        raise ModelError(f"periodic: tolerance must be one number, got shape {limit.shape}")
    least = np.broadcast_to(scales, state.shape)
    after = _next(step, state)
    for _ in range(NEWTON):
        size = np.maximum(np.abs(state), least)
        miss = (after - state) / size
        if np.abs(miss).max() <= limit:
            return PeriodicMotion(after, step, least)
        better = _closer(step, state, after, size)
        if better is None:
            break
        state, after = better
    raise ModelError(
        f"periodic: Newton's method does not converge: at {state.round(6).tolist()} the map still "
        f"moves the state by {np.abs(after - state).max():.3g}; give a guess nearer to the motion, "
        "or a larger tolerance"
    )


def _closer(step: ReturnMap, state: Array, after: Array, size: Array) -> tuple[Array, Array] | None:
    """Return a state that the map misses by less, and where it leads; None: there is none.

    Args:
        step: The return map.
        state: Where it is.
        after: Where the map leads from there.
        size: Of the numbers of the state; the equations are solved in these units.
    """
    miss = (after - state) / size
    units = np.diag(SMALL * size)
    columns = [(_next(step, state + unit) - after) / (SMALL * size) for unit in units]
    matrix = np.eye(state.size) - np.stack(columns, axis=1)
    change = np.linalg.lstsq(matrix, miss, rcond=RANK)[0]
    reach = max(1.0, float(np.abs(miss).max()))
    change *= min(1.0, reach / max(float(np.abs(change).max()), reach))
    for k in range(HALVINGS):
        trial = state + 0.5**k * change * size
        try:
            reached = _next(step, trial)
        except ModelError:
            continue
        if np.linalg.norm((reached - trial) / size) < np.linalg.norm(miss):
            return trial, reached
    return None


def _positive(name: str, given: ArrayLike) -> Array:
    """Return positive numbers."""
    numbers = checked_real(f"periodic: {name}", given).astype(np.float64)
    if not (np.isfinite(numbers) & (numbers > 0.0)).all():
        raise ModelError(f"periodic: {name} must be positive and finite, got {given!r:.80}")
    return numbers


def _next(step: ReturnMap, state: Array) -> Array:
    """Return the state on the next section."""
    try:
        after = np.asarray(step(state), float)
    except PoinsotError as error:
        raise ModelError(f"periodic: the map ends at {state.round(6).tolist()}: {error}") from error
    if after.shape != state.shape or not np.isfinite(after).all():
        raise ModelError(
            f"periodic: step must return {state.size} finite numbers, as many as the guess, got "
            f"{after!r:.200}"
        )
    return after
