"""Velocities and accelerations that constraints allow."""

from __future__ import annotations

import numpy as np

from poinsot.assemble.loop_closing import CLOSED
from poinsot.assemble.numeric_rows import NumericRows, shortest
from poinsot.errors import AssemblyError
from poinsot.spatial import Array


def allowed_velocity(rows: NumericRows, q: Array, v: Array, free: Array, t: float = 0.0) -> Array:
    """Return the v nearest to the one given that the constraints allow, shape (..., nv).

    Args:
        rows: The constraints.
        q: Configuration, shape (..., nq).
        v: Velocities; those that are not free stay, shape (..., nv).
        free: Numbers of the velocities that may change.
        t: Time [s].

    Raises:
        AssemblyError: If the velocities that stay contradict the constraints; of a batch such
            states are NaN.
    """
    allowed = v + _change(rows.jacobian(q, t), rows.rate(q, v, t), free)
    return _checked(rows, allowed, rows.rate(q, allowed, t), v, "velocities")


def allowed_acceleration(
    rows: NumericRows, q: Array, v: Array, a: Array, free: Array, t: float = 0.0
) -> Array:
    """Return the a nearest to the one given that the constraints allow, shape (..., nv).

    Args:
        rows: The constraints.
        q: Configuration, shape (..., nq).
        v: Velocities that obey the constraints, shape (..., nv).
        a: Accelerations; those that are not free stay, shape (..., nv).
        free: Numbers of the accelerations that may change.
        t: Time [s].

    Raises:
        AssemblyError: If the accelerations that stay contradict the constraints; of a batch such
            states are NaN.
    """
    J, gamma = rows.jacobian(q, t), rows.bias(q, v, t)

    def rate(a: Array) -> Array:
        return (J @ a[..., None])[..., 0] + gamma

    allowed = a + _change(J, rate(a), free)
    given = np.concatenate([a, gamma], axis=-1)
    return _checked(rows, allowed, rate(allowed), given, "accelerations")


def _change(J: Array, residual: Array, free: Array) -> Array:
    """Return the shortest change of the free rates that removes a residual, shape (..., nv)."""
    change = np.zeros((*J.shape[:-2], J.shape[-1]))
    change[..., free] = shortest(J[..., free], -residual)
    return change


def _checked(rows: NumericRows, allowed: Array, residual: Array, given: Array, what: str) -> Array:
    """Return rates that leave no residual; NaN for those of a batch that do."""
    sizes = np.abs(residual).max(axis=-1, initial=0.0)
    wrong = ~(sizes <= 100 * CLOSED * np.abs(given).max(axis=-1, initial=1.0))
    if allowed.ndim == 1 and not wrong:
        return allowed
    if allowed.ndim == 1:
        name = rows.mechanism.row_names[int(np.argmax(np.abs(residual)))]
        raise AssemblyError(
            f"{rows.mechanism.name!r}: the {what} that are kept contradict {name!r}, by "
            f"{sizes:.3g}; keep fewer of them"
        )
    return np.where(wrong[..., None], np.nan, allowed)
