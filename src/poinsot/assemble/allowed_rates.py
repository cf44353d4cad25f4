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
    missed = rows.rate(q, v, t)
    change = _change(rows, q, missed, free, t)
    found = v + change
    left = np.abs(rows.rate(q, found, t))
    _check(rows, left, float(np.max(np.abs(v), initial=1.0)), "velocities")
    return found


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
    found: Array = a + _change(rows, q, J @ a + gamma, free, t)
    size = float(np.max(np.abs(np.concatenate([a, gamma])), initial=1.0))
    _check(rows, np.abs(J @ found + gamma), size, "accelerations")
    return found


def _change(rows: NumericRows, q: Array, missed: Array, free: Array, t: float) -> Array:
    J = rows.jacobian(q, t)[:, free]
    change = np.zeros(rows.mechanism.nv)
    change[free] = np.linalg.lstsq(J, -missed, rcond=RANK)[0]
    return change


def _check(rows: NumericRows, left: Array, size: float, what: str) -> None:
    if left.size and not left.max() <= 100 * CLOSED * size:
        name = rows.mechanism.row_names[int(np.argmax(left))]
        raise AssemblyError(
            f"{rows.mechanism.name!r}: the {what} that are kept contradict {name!r}, by "
            f"{left.max():.3g}; keep fewer of them"
        )
