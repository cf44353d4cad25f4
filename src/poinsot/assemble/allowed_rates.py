"""Velocities and accelerations that constraints allow."""

from __future__ import annotations

import numpy as np

from poinsot.assemble.loop_closing import CLOSED, AssemblyError
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.expr.rank_tolerances import RANK
from poinsot.spatial import Array


def allowed_velocity(rows: NumericRows, q: Array, v: Array, free: Array, t: float = 0.0) -> Array:
    """Return the v nearest to the one given that the constraints allow, shape (nv,).

    Args:
        rows: The constraints.
        q: Configuration, shape (nq,).
        v: Velocities; those that are not free stay, shape (nv,).
        free: Numbers of the velocities that may change.
        t: Time [s].

    Raises:
        AssemblyError: If the velocities that stay contradict the constraints.
    """
    residual = rows.rate(q, v, t)
    change = _change(rows, q, residual, free, t)
    allowed = v + change
    remaining = np.abs(rows.rate(q, allowed, t))
    _check(rows, remaining, float(np.max(np.abs(v), initial=1.0)), "velocities")
    return allowed


def allowed_acceleration(
    rows: NumericRows, q: Array, v: Array, a: Array, free: Array, t: float = 0.0
) -> Array:
    """Return the a nearest to the one given that the constraints allow, shape (nv,).

    Args:
        rows: The constraints.
        q: Configuration, shape (nq,).
        v: Velocities that obey the constraints, shape (nv,).
        a: Accelerations; those that are not free stay, shape (nv,).
        free: Numbers of the accelerations that may change.
        t: Time [s].

    Raises:
        AssemblyError: If the accelerations that stay contradict the constraints.
    """
    J, gamma = rows.jacobian(q, t), rows.bias(q, v, t)
    allowed: Array = a + _change(rows, q, J @ a + gamma, free, t)
    size = float(np.max(np.abs(np.concatenate([a, gamma])), initial=1.0))
    _check(rows, np.abs(J @ allowed + gamma), size, "accelerations")
    return allowed


def _change(rows: NumericRows, q: Array, residual: Array, free: Array, t: float) -> Array:
    J = rows.jacobian(q, t)[:, free]
    change = np.zeros(rows.mechanism.nv)
    change[free] = np.linalg.lstsq(J, -residual, rcond=RANK)[0]
    return change


def _check(rows: NumericRows, residual: Array, size: float, what: str) -> None:
    if residual.size and not residual.max() <= 100 * CLOSED * size:
        name = rows.mechanism.row_names[int(np.argmax(residual))]
        raise AssemblyError(
            f"{rows.mechanism.name!r}: the {what} that are kept contradict {name!r}, by "
            f"{residual.max():.3g}; keep fewer of them"
        )
