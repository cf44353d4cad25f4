"""What ``verify`` checks of loops and constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.front.system import System
from poinsot.spatial import Array
from poinsot.verification.comparison import DIFFERENCE, SMALLEST, STEP, Compare, largest, row_size

AGREEMENT: Final = 1e-10
"""Relative residual of the equations of motion."""


def closed_comparisons() -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks of constraints: name, tolerance and comparison."""
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
    size = row_size(J, a) + largest(gamma)
    return largest(J @ a + gamma) / max(size, SMALLEST)


def _rate(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare in a direction that the constraints forbid, too; rows of velocities are no rates."""
    keep, u = system.mechanism.position_rows, v + tau
    h = STEP / max(1.0, largest(u))
    up, down = (
        system.constraint_residual(system.integrate(q, s * h * u), t=s * h) for s in (1, -1)
    )
    difference, expected = (up - down) / (2 * h), system.constraint_rate(q, u)
    size = largest(expected) + largest(np.abs(system.constraint_jacobian(q)) @ np.abs(u))
    return largest((difference - expected)[keep]) / max(size, SMALLEST)


def _second_rate(system: System, q: Array, v: Array, tau: Array) -> float:
    h = STEP / max(1.0, largest(v))
    up, down = (system.constraint_rate(system.integrate(q, s * h * v), v, t=s * h) for s in (1, -1))
    difference, expected = (up - down) / (2 * h), system.constraint_bias(q, v)
    fast = largest(np.abs(system.constraint_jacobian(q)) @ np.abs(v)) * max(1.0, largest(v))
    return largest(difference - expected) / max(largest(expected) + fast, SMALLEST)
