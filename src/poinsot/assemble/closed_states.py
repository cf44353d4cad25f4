"""Random states of closed systems that satisfy the constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.assemble.loop_closing import closed
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import AssemblyError
from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.trace import is_small
from poinsot.expr.rank import is_nearly_singular, null_space
from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, RANK
from poinsot.model import Mechanism
from poinsot.spatial import Array

GUESSES: Final = 30
"""Random guesses to assemble from, per requested state."""
FAR: Final = 0.3
"""How far from a given configuration the guesses are [rad and m]."""
LEAVING: Final = 5
"""Number of attempts to leave a nearly singular configuration."""
ALLOWED: Final = 1e-10
"""Residual of the velocities that is accepted, relative to them."""


def closed_states(
    mechanism: Mechanism, n_states: int, rng: np.random.Generator, q: Array | None
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield configurations that close, velocities that the constraints allow, joint forces.

    Fewer than requested where the system cannot be assembled from the guesses.  Singular states are
    avoided where that is easy: forces are unbounded there, and so is rounding error.

    Args:
        mechanism: What to assemble, without free parameters.
        n_states: How many states.
        rng: Source of the guesses.
        q: Configuration near which to guess, shape (nq,); anywhere by default.
    """
    backend, last, n_found = _backend(mechanism), None, 0
    rows, slow = NumericRows(mechanism, backend), backend == "floats"
    for k in range(GUESSES * n_states):
        if n_found == n_states:
            return
        if slow and last is not None:  # assembly from a random guess takes many evaluations
            guess = _moved(rows, last, rng)
        elif q is not None:  # the given one itself comes first
            guess = mechanism.integrate(q, (FAR if k else 0.0) * rng.normal(size=mechanism.nv))
        else:
            guess = mechanism.random(rng)
        last = _assembled(rows, guess, rng, 1 if slow else LEAVING)
        if last is None:
            continue
        J, v = rows.jacobian(last, 0.0), rng.normal(size=mechanism.nv)
        v = v - np.linalg.lstsq(J, rows.rate(last, v, 0.0), rcond=RANK)[0]
        if _largest(rows.rate(last, v, 0.0)) <= ALLOWED * (1.0 + _largest(v)):
            n_found += 1
            yield last, v, rng.normal(size=mechanism.nv)


def _backend(mechanism: Mechanism) -> str:
    """Return what computes the rows; straight code of large systems would compile slowly."""
    if is_small(mechanism, "projected_state"):
        return "auto"
    rows = ("constraint_residual", "constraint_jacobian", "constraint_rate")
    return "rolled" if all(rolled_form(mechanism, name) for name in rows) else "floats"


def _assembled(
    rows: NumericRows, guess: Array, rng: np.random.Generator, tries: int
) -> Array | None:
    """Return a configuration that closes, regular if one is found in so many tries.

    None if assembly from the guess fails.
    """
    free = np.arange(rows.mechanism.nv)
    for _ in range(tries):
        try:
            q = closed(rows, guess, free)
        except AssemblyError:
            return None
        if not is_nearly_singular(rows.jacobian(q, 0.0)):
            break
        guess = _moved(rows, q, rng)
    return q


def _moved(rows: NumericRows, q: Array, rng: np.random.Generator) -> Array:
    """Return q after a finite random motion that the constraints nearly allow."""
    Z = null_space(rows.jacobian(q, 0.0), NEARLY_SINGULAR)
    return rows.mechanism.integrate(q, Z @ rng.normal(size=Z.shape[1]))


def _largest(x: Array) -> float:
    return float(np.max(np.abs(x), initial=0.0))
