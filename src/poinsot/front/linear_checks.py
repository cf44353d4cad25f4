"""Checks of what ``ps.linearize`` is given: a state, names, and whether it is steady there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.front.linear_matrices import LinearizationPoint
from poinsot.simulation.running.start import NEAR
from poinsot.spatial import Array

__all__ = [
    "check_closed",
    "check_lasting",
    "check_steady",
    "checked_names",
    "checked_time",
    "checked_vector",
    "refuse_beside",
]

STEADY: Final = 1e-6
"""Accelerations up to this, relative to 1 + |v|² + g, count as none."""


def checked_vector(asked: str, name: str, given: ArrayLike | None, size: int) -> Array:
    """Return one vector of finite numbers; zeros where there is none."""
    if given is None:
        return np.zeros(size)
    array = np.array(checked_real(f"{asked}: {name}", given), np.float64)
    if array.shape != (size,):
        raise ShapeError(f"{asked}: {name} must have shape ({size},), got {array.shape}")
    if not np.isfinite(array).all():
        raise ModelError(f"{asked}: {name} must be finite, got {array.tolist()}")
    return array


def checked_time(asked: str, t: float) -> float:
    """Return a finite time."""
    array = checked_real(f"{asked}: t", t)
    if array.ndim or not np.isfinite(array):
        raise ModelError(f"{asked}: t must be one finite number, got {t!r}")
    return float(array)


def checked_names(asked: str, name: str, given: Sequence[str]) -> Sequence[str]:
    """Return a list of names, rejecting a single text, whose letters would be taken for names."""
    if isinstance(given, str):
        raise ModelError(f"{asked}: {name} must be a list of names, e.g. [{given!r}]")
    return given


def refuse_beside(about: object, given: Mapping[str, object]) -> None:
    """Reject what an equilibrium or a run has of its own.

    Args:
        about: An ``Equilibrium`` or a ``Run``.
        given: What was given beside it, by name; None where it was not.
    """
    name = type(about).__name__
    for key, value in given.items():
        if value is not None:
            raise ModelError(
                f"linearize: the {name} has {key} of its own; leave it out, or give its system: "
                "linearize(about.system, q, v, ...)"
            )


def check_closed(point: LinearizationPoint) -> None:
    """Reject a state that does not obey the constraints."""
    system, how = point.system, {"t": point.t} | point.how
    if not system.row_names:
        return
    missed = {
        "assemble(q) closes loops": system.constraint_residual(point.q, **how),
        "consistent_velocity(q, v) fits v": system.constraint_rate(point.q, point.v, **how),
    }
    for remedy, values in missed.items():
        worst = int(np.argmax(np.abs(values)))
        if not abs(values[worst]) <= NEAR:
            raise ModelError(
                f"linearize: this state does not obey the constraints: it misses "
                f"{system.row_names[worst]!r} by {values[worst]:.3g}; system.{remedy}"
            )


def check_steady(point: LinearizationPoint) -> None:
    """Reject a state in which something accelerates."""
    _refuse_change(point, point.acceleration(), _limit(point), "is", "")


def check_lasting(point: LinearizationPoint, by_q: Array, by_state: Array) -> None:
    """Reject a state in which nothing accelerates now, but will: a swing through the lowest point.

        da/dt = D_v a + ∂a/∂s ds/dt + ∂a/∂t = 0         along a steady motion

    Args:
        point: Where.
        by_q: Derivative of the acceleration by q, shape (nv, nv).
        by_state: By the further states, shape (nv, n).
    """
    system, state = point.system, (point.q, point.v, point.tau)
    rate = by_q @ point.v
    if by_state.size:
        given = {"t": point.t, **point.external, **point.how}
        rate = rate + by_state @ system.evaluate("state_rates", *state, **given)
    if system.mechanism.depends_on_time:
        rate = rate + point.derivative("forward_dynamics", *state, by="t")
    fastest = float(np.max(np.abs(point.v), initial=0.0))
    _refuse_change(
        point, rate, _limit(point) * (1.0 + fastest), "is 0, but changes by", " a second"
    )


def _limit(point: LinearizationPoint) -> float:
    """Return the acceleration up to which nothing accelerates."""
    system = point.system
    gravity = float(np.linalg.norm(np.array(system.gravity, float))) if not system.free else 9.81
    return STEADY * (1.0 + float(np.max(np.abs(point.v), initial=0.0)) ** 2 + gravity)


def _refuse_change(
    point: LinearizationPoint, change: Array, limit: float, verb: str, unit: str
) -> None:
    """Reject an acceleration, or a rate of it, that is not zero."""
    worst = int(np.argmax(np.abs(change)))
    if not abs(change[worst]) <= limit:
        name = point.system.velocity_names[worst]
        raise ModelError(
            f"linearize: nothing is steady here: the acceleration of {name!r} {verb} "
            f"{change[worst]:.3g}{unit}; give the joint forces tau= that hold it, a q from "
            "ps.equilibrium, or motion=True for deviations from the motion itself"
        )
