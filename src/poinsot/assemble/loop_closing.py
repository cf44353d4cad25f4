"""Assembly of loops from rough guesses by the Levenberg-Marquardt method.

Machine code moves guess after guess (``least_squares_solver.py``); it calls that of the rows.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.least_squares_solver import SearchLimits, minimised
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.spatial import Array

CLOSED: Final = 1e-10
"""Largest residual [m, rad] of a configuration that closes."""
EXACT: Final = 1e-14
"""Residual at which no step can do better."""
ROUNDS: Final = 300
"""Steps to try."""
REACH: Final = 1.0
"""Longest step [rad, m]: farther the rows say nothing."""
NEAR: Final = 1e-3
"""Residual from which on Gauss and Newton's step may be good."""
LIMITS: Final = SearchLimits(ROUNDS, exact=EXACT, good=CLOSED, near=NEAR, reach=REACH)


def closed(rows: NumericRows, q: Array, free: Array, t: float = 0.0) -> Array:
    """Return a configuration near q that satisfies every constraint, shape (nq,).

    Args:
        rows: The constraints.
        q: The guess, shape (nq,).
        free: Numbers of the velocities along which q may move.
        t: Time [s].

    Raises:
        AssemblyError: If none is found.
    """
    rows = rows.positions
    mechanism = rows.mechanism
    ends, sizes = settled(rows, q[None], free, t)
    end: Array = ends[0]
    size = float(sizes[0])
    if np.isnan(size):
        row = mechanism.row_names[int(np.argmax(~np.isfinite(rows.residual(q, t))))]
        raise AssemblyError(
            f"{mechanism.name!r}: {row!r} has no residual at the guess; is it beyond the end of a "
            "curve, or a formula without a value there?"
        )
    if not size <= CLOSED:
        held = mechanism.nv - len(free)
        remedy = "give a nearer guess" + (", or keep fewer joints" if held else "")
        raise AssemblyError(
            f"{mechanism.name!r} does not close from this guess: "
            f"{rows.violations(end, t)} remain; {remedy}"
        )
    return end


def settled(rows: NumericRows, guesses: Array, free: Array, t: float) -> tuple[Array, Array]:
    """Return the final iterates of guesses, shape (n, nq), and the largest residual of each, (n,).

    NaN for a guess that has no residuals.

    Args:
        rows: The constraints.
        guesses: Configurations, shape (n, nq).
        free: Numbers of the velocities along which they may move.
        t: Time [s].
    """
    rows = rows.positions
    mechanism = rows.mechanism
    q = np.array(guesses, order="C")
    sizes = minimised(rows.problem, q, rows.further_inputs(t), free, LIMITS)
    if mechanism.nq > mechanism.nv:
        mechanism.integrate(q[sizes > EXACT], np.zeros(mechanism.nv))  # rejects quaternions of 0
    return q, sizes
