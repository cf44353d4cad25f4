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

NEWTON: Final = 25
SMALL: Final = 1e-7
"""Change of a state by which Newton's method differentiates."""
LONGEST: Final = 0.1
"""Change of a state in one step of Newton's method."""
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

    >>> spiral = periodic(lambda x: np.array([0.5 * x[0] + 1.0, 1.3 - 0.3 * x[1]]), [0.0, 0.0])
    >>> spiral.state.round(9).tolist(), abs(spiral.multipliers).round(9).tolist()
    ([2.0, 1.0], [0.5, 0.3])
    >>> spiral.is_stable
    True
    """

    state: Array
    step: ReturnMap

    @cached_property
    def derivative(self) -> Array:
        """Of the state on the next section by that on this one, shape (n, n)."""
        columns = []
        for unit in STEP * np.eye(self.state.size):
            column = sum(
                weight * (self.step(self.state + j * unit) - self.step(self.state - j * unit))
                for j, weight in DIFFERENCES.items()
            )
            columns.append(np.asarray(column) / STEP)
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


def periodic(step: ReturnMap, guess: ArrayLike, *, tolerance: float = 1e-11) -> PeriodicMotion:
    """Return the state near a guess that a return map leads back to, by Newton's method.

        f(x) = x,      x ← x + (1 - f'(x))⁻¹ (f(x) - x)

    The map may simulate, collide, and swap the roles of legs: gaits, bouncing, rattling.  Where a
    period is one smooth run, ``ps.shoot`` finds it by exact derivatives.

    Args:
        step: The return map, from the state on a section, shape (n,), to that on the next one; it
            may raise a ``ModelError`` where there is none.
        guess: Where to begin, shape (n,).
        tolerance: Change of the state by the map that counts as none.

    Raises:
        ModelError: If the map ends, or if Newton's method does not converge, within 25 steps.
    """
    state = checked_real("periodic: guess", guess).astype(np.float64)
    if state.ndim != 1:
        raise ModelError(f"periodic: guess must have shape (n,), got {state.shape}")
    if not callable(step):
        raise ModelError(f"periodic: step must be a function of a state, got {step!r}")
    miss = np.zeros(0)
    for _ in range(NEWTON):
        after = _next(step, state)
        miss = after - state
        if np.abs(miss).max(initial=0.0) <= tolerance:
            return PeriodicMotion(after, step)
        columns = [(_next(step, state + SMALL * e) - after) / SMALL for e in np.eye(state.size)]
        matrix = np.eye(state.size) - np.stack(columns, axis=1)
        change = np.linalg.lstsq(matrix, miss, rcond=RANK)[0]
        state = state + change * min(1.0, LONGEST / max(float(np.abs(change).max()), LONGEST))
    raise ModelError(
        f"periodic: after {NEWTON} steps of Newton's method the map still moves the state by "
        f"{np.abs(miss).max():.3g}; give a guess nearer to the motion, or a larger tolerance"
    )


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
