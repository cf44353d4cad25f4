"""Gaps without a slope where they close, such as the square of a distance.

A gap g(x) of positions and coordinates is followed down its gradient, x ← x - g ∇g / |∇g|².
Where g goes through zero with a slope this converges fast; where it is the p-th power of such a
function every step is (1 - 1/p) times the last one, and the slope vanishes with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.smooth_function import rates
from poinsot.spatial import Array

__all__ = ["check_slope"]

STARTS: Final = 3
"""Places from which the gap is followed; it is flat if it is so from all that lead to zero."""
STEPS: Final = 60
NEAR: Final = 1e-3
"""Last step that tells of convergence, relative to the place."""
FAR: Final = 1e3
"""Place that tells of none, relative to the first one."""
FLAT: Final = 1e-6
"""Slope at zero relative to that at the start that is none."""


def check_slope(
    name: str, gap: AbstractRelation, parameters: Mapping[str, float], t: float = 0.0
) -> None:
    """Raise :class:`ModelError` if the gap of a contact has no slope where it is zero.

    Args:
        name: Of the contact.
        gap: Its constraint.
        parameters: Values of the parameters of the mechanism.
        t: Time [s].
    """
    symbols = [str(term.value) if isinstance(term, Expr) else "" for term in gap.terms]
    if any(symbol and symbol not in parameters for symbol in symbols):
        return
    terms = tuple(
        parameters[symbol] if symbol else term
        for symbol, term in zip(symbols, gap.terms, strict=True)
    )
    size = gap.program.inputs[0].size
    starts = np.random.default_rng(1).uniform(-1.0, 1.0, (STARTS, size))
    with np.errstate(all="ignore"):
        seen = [_is_flat(gap, x, terms, t) for x in starts]
    told = [flat for flat in seen if flat is not None]
    if told and all(told):
        raise ModelError(
            f"contact {name!r}: its gap has no slope where it is zero, so that no impulse acts "
            "along it; give a function that goes through zero with a slope, such as z in place of "
            "z**2 or z**3"
        )


def _is_flat(gap: AbstractRelation, x: Array, terms: tuple[float, ...], t: float) -> bool | None:
    """Return whether the zero to which a gap leads has no slope; None: it leads to none."""
    steepest, limit, still = 0.0, FAR * (1.0 + float(np.abs(x).max(initial=0.0))), 0.0 * x
    for _ in range(STEPS):
        try:
            told = rates(gap.program, x, still, t, terms)
            g, slope = float(told.g[0]), np.asarray(told.G[0], float)
        except (ArithmeticError, ValueError):  # no number there
            return None
        size = float(np.sqrt(slope @ slope))
        if not (np.isfinite(g) and np.isfinite(size)):
            return None
        steepest = max(steepest, size)
        if size == 0.0:
            return None if g or not steepest else True
        step = -g / size * (slope / size)
        x = x + step
        moved = float(np.abs(step).max())
        if np.abs(x).max() > limit:
            return None
        if moved <= np.finfo(float).eps * (1.0 + float(np.abs(x).max())):
            break
    if moved > NEAR * (1.0 + float(np.abs(x).max())):
        return None
    return size <= FLAT * steepest
