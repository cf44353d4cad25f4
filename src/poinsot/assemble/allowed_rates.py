"""Velocities and accelerations that constraints allow."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.contradictory_rows import contradictory_rows, remedy
from poinsot.assemble.loop_closing import CLOSED
from poinsot.assemble.numeric_rows import NumericRows, shortest
from poinsot.errors import AssemblyError
from poinsot.spatial import Array

RATES: Final = {"velocity": "the velocities", "acceleration": "the accelerations"}


def allowed_velocity(rows: NumericRows, q: Array, v: Array, free: Array, t: float = 0.0) -> Array:
    """Return the v nearest to the one given that the constraints allow, shape (..., nv).

    Args:
        rows: The constraints.
        q: Configuration, shape (..., nq).
        v: Velocities; those that are not free stay, shape (..., nv).
        free: Numbers of the velocities that may change.
        t: Time [s].

    Raises:
        AssemblyError: If the velocities that stay contradict the constraints, or these each other;
            of a batch such states are NaN.
    """
    J = rows.jacobian(q, t)
    allowed = v + _change(J, rows.rate(q, v, t), free)
    return _checked(rows, J, allowed, rows.rate(q, allowed, t), v, "velocity")


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
    return _checked(rows, J, allowed, rate(allowed), given, "acceleration")


def _change(J: Array, residual: Array, free: Array) -> Array:
    """Return the shortest change of the free rates that removes a residual, shape (..., nv)."""
    change = np.zeros((*J.shape[:-2], J.shape[-1]))
    change[..., free] = shortest(J[..., free], -residual)
    return change


def _checked(
    rows: NumericRows, J: Array, allowed: Array, residual: Array, given: Array, kind: str
) -> Array:
    """Return rates that leave no residual; NaN for those of a batch that do."""
    sizes = np.abs(residual).max(axis=-1, initial=0.0)
    wrong = ~(sizes <= 100 * CLOSED * np.abs(given).max(axis=-1, initial=1.0))
    if allowed.ndim == 1 and not wrong:
        return allowed
    if allowed.ndim == 1:
        names = rows.mechanism.row_names
        wrong_rows = contradictory_rows(names, J, residual)
        if wrong_rows:
            raise AssemblyError(f"{rows.mechanism.name!r}: {remedy(wrong_rows, kind)}")
        name = names[int(np.argmax(np.abs(residual)))]
        raise AssemblyError(
            f"{rows.mechanism.name!r}: {RATES[kind]} that are kept contradict {name!r}, by "
            f"{sizes:.3g}; keep fewer of them"
        )
    return np.where(wrong[..., None], np.nan, allowed)
