"""What ``verify`` checks of loops and constraints, and states that obey them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.assemble.closing import RANK, AssemblyError, closed
from poinsot.assemble.rows import NumericRows
from poinsot.evaluate.trace import is_small
from poinsot.front.comparison import SMALLEST, Compare, largest
from poinsot.front.system import System
from poinsot.spatial import Array

GUESSES: Final = 30
"""Random configurations to assemble from, for each state that is asked for."""
FAR: Final = 0.3
"""How far from a given configuration the guesses are [rad and m]."""
AGREEMENT: Final = 1e-10
"""Relative size of what the equations of motion leave over."""
LEAVING: Final = 5
"""Times to go on from a configuration in which the freedom jumps."""
DIFFERENCE: Final = 1e-6
"""Relative error of derivatives by central differences with ``STEP``."""
STEP: Final = 1e-5
CLEAR: Final = 1e-4
"""Singular values of J between rounding and this part of the largest: the freedom jumps near by."""


def closed_states(
    system: System, n_states: int, rng: np.random.Generator, q: Array | None
) -> Iterator[tuple[Array, Array, Array]]:
    """Yield configurations that close, velocities that the constraints allow, joint forces.

    Fewer than asked for where the system cannot be assembled from the guesses.  Singular states are
    left where that is easy: forces grow without bound there, and rounding with them.

    Args:
        system: What to assemble.
        n_states: How many states.
        rng: Source of the guesses.
        q: Where to look, shape (nq,); anywhere by default.
    """
    rows = NumericRows(system.mechanism, "floats")
    large, last, found = not is_small(system.mechanism), None, 0
    for k in range(GUESSES * n_states):
        if found == n_states:
            return
        if large and last is not None:  # to close from anywhere takes long
            guess = _moved(rows, last, rng)
        elif q is not None:  # the given one itself comes first
            guess = system.integrate(q, (FAR if k else 0.0) * rng.normal(size=system.nv))
        else:
            guess = system.random(rng)
        last = _assembled(rows, guess, rng, 1 if large else LEAVING)
        if last is None:
            continue
        J, v = rows.jacobian(last, 0.0), rng.normal(size=system.nv)
        v = v - np.linalg.lstsq(J, rows.rate(last, v, 0.0), rcond=RANK)[0]
        if largest(rows.rate(last, v, 0.0)) <= AGREEMENT * (1.0 + largest(v)):
            found += 1
            yield last, v, rng.normal(size=system.nv)


def is_singular(J: Array) -> bool:
    """Say whether a Jacobian is that of a configuration near which the freedom jumps."""
    sizes = np.linalg.svd(J, compute_uv=False)
    return any(RANK * sizes[0] < size < CLEAR * sizes[0] for size in sizes)


def _assembled(
    rows: NumericRows, guess: Array, rng: np.random.Generator, tries: int
) -> Array | None:
    """Return a configuration that closes, not a singular one if so many tries find another.

    None if the guess leads to none.
    """
    free = np.arange(rows.mechanism.nv)
    for _ in range(tries):
        try:
            at = closed(rows, guess, free)
        except AssemblyError:
            return None
        if not is_singular(rows.jacobian(at, 0.0)):
            break
        guess = _moved(rows, at, rng)
    return at


def _moved(rows: NumericRows, q: Array, rng: np.random.Generator) -> Array:
    """Return q after a finite random motion that the constraints nearly allow."""
    _, sizes, right = np.linalg.svd(rows.jacobian(q, 0.0))
    rank = int(np.sum(sizes > CLEAR * sizes[0])) if sizes.size else 0
    Z = right[rank:].T
    return rows.mechanism.integrate(q, Z @ rng.normal(size=Z.shape[1]))


def closed_comparisons() -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks of constraints: what they are called, what is accepted, how to compare."""
    yield "multipliers balance the forces", AGREEMENT, _balance
    yield "accelerations obey the constraints", AGREEMENT, _obeyed
    yield "rate of the constraints by differences", DIFFERENCE, _rate
    yield "second rate of the constraints by differences", DIFFERENCE, _second_rate


def _balance(system: System, q: Array, v: Array, tau: Array) -> float:
    a, lam = system.forward_dynamics(q, v, tau), system.multipliers(q, v, tau).values
    pull = system.constraint_jacobian(q).T @ lam
    bias = system.bias(q, v)
    missing = system.mass_matrix(q) @ a + bias - tau - pull
    return largest(missing) / max(largest(tau) + largest(bias) + largest(pull), SMALLEST)


def _obeyed(system: System, q: Array, v: Array, tau: Array) -> float:
    a, J = system.forward_dynamics(q, v, tau), system.constraint_jacobian(q)
    gamma = system.constraint_bias(q, v)
    size = largest(np.abs(J) @ np.abs(a)) + largest(gamma)
    return largest(J @ a + gamma) / max(size, SMALLEST)


def _rate(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare in a direction that the constraints forbid, too."""
    u = v + tau
    h = STEP / max(1.0, largest(u))
    up, down = (
        system.constraint_residual(system.integrate(q, s * h * u), t=s * h) for s in (1, -1)
    )
    found, expected = (up - down) / (2 * h), system.constraint_rate(q, u)
    size = largest(expected) + largest(np.abs(system.constraint_jacobian(q)) @ np.abs(u))
    return largest(found - expected) / max(size, SMALLEST)


def _second_rate(system: System, q: Array, v: Array, tau: Array) -> float:
    h = STEP / max(1.0, largest(v))
    up, down = (system.constraint_rate(system.integrate(q, s * h * v), v, t=s * h) for s in (1, -1))
    found, expected = (up - down) / (2 * h), system.constraint_bias(q, v)
    fast = largest(np.abs(system.constraint_jacobian(q)) @ np.abs(v)) * max(1.0, largest(v))
    return largest(found - expected) / max(largest(expected) + fast, SMALLEST)
