"""Motions from point to point and through points: polynomials, trapezoids, S-curves, splines."""

from __future__ import annotations

from collections.abc import Callable
from math import factorial
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.planned_motion import PlannedMotion
from poinsot.model import suggestion
from poinsot.model.checks import finite_array, finite_number, real_array
from poinsot.spatial import Array

__all__ = ["point_to_point", "through_points"]

POLYNOMIALS: Final = {"cubic": (0.0, 0.0, 3.0, -2.0), "quintic": (0.0, 0.0, 0.0, 10.0, -15.0, 6.0)}
"""Coefficients of s(u), u from 0 to 1, at rest at both ends; the quintic without acceleration."""
PEAKS: Final = {
    "cubic": (1.5, 6.0, 12.0), "quintic": (1.875, 10.0 / np.sqrt(3.0), 60.0),
}  # fmt: skip
"""Largest ds/du, d²s/du² and d³s/du³."""
KINDS: Final = ("cubic", "quintic", "trapezoid", "s_curve")


def point_to_point(
    start: ArrayLike, end: ArrayLike, duration: float | None = None, *, kind: str = "quintic",
    velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None,
    jerk: ArrayLike | None = None,
) -> PlannedMotion:  # fmt: skip
    """Return the motion along the straight line between two configurations, from rest to rest.

    All joints start and stop together.  Without a duration it is the shortest that the limits
    allow: "trapezoid" is that of least time for limits of velocity and acceleration, "s_curve" for
    these and one of jerk.

    Args:
        start: Configuration [m or rad], shape (nq,).
        end: Configuration [m or rad], shape (nq,).
        duration: Time [s]; of "trapezoid" and "s_curve" the shortest motion is slowed down to it.
        kind: "cubic", "quintic" (acceleration continuous), "trapezoid" (of velocities) or "s_curve"
            (acceleration continuous, jerk limited).
        velocity: Largest velocities [m/s or rad/s], a number or shape (nq,).
        acceleration: Largest accelerations, likewise.
        jerk: Largest jerks, likewise.

    >>> point_to_point([0.0], [1.0], kind="trapezoid", velocity=1.0, acceleration=2.0).duration
    1.5
    """
    first, last = (
        finite_array(x, f"point_to_point: {name}") for name, x in (("start", start), ("end", end))
    )
    if first.shape != last.shape or first.ndim != 1:
        raise ShapeError(
            f"point_to_point: start and end must have one shape (nq,), got {first.shape} and "
            f"{last.shape}"
        )
    if kind not in KINDS:
        raise ModelError(f"point_to_point: there is no kind {kind!r}; {suggestion(kind, KINDS)}")
    span = last - first
    if not np.any(span):
        raise ModelError("point_to_point: start and end are the same configuration")
    given = {"velocity": velocity, "acceleration": acceleration, "jerk": jerk}
    limits = [_along(span, name, value) for name, value in given.items()]
    if kind in POLYNOMIALS:
        needed = [peak / limit for peak, limit in zip(PEAKS[kind], limits, strict=True)]
        shortest = max(x ** (1.0 / order) for order, x in enumerate(needed, start=1))
        time = _chosen(duration, shortest)
        powers = time ** -np.arange(len(POLYNOMIALS[kind]), dtype=float)
        times, scalars = np.array([0.0, time]), (np.array(POLYNOMIALS[kind]) * powers)[None]
    else:
        wanted = given if kind == "s_curve" else {k: given[k] for k in ("velocity", "acceleration")}
        missing = [name for name, value in wanted.items() if value is None]
        if missing:
            raise ModelError(f"point_to_point: {kind} needs a limit of {', '.join(missing)}")
        times, scalars = _ramps(limits[0], limits[1], limits[2] if kind == "s_curve" else np.inf)
    pieces = scalars[:, :, None] * span
    pieces[:, 0] += first
    motion = PlannedMotion(times, pieces)
    if kind in POLYNOMIALS or duration is None:
        return motion
    return motion.slower(_chosen(duration, motion.duration) / motion.duration)


def through_points(times: ArrayLike, points: ArrayLike, *, kind: str = "cubic") -> PlannedMotion:
    """Return the motion through configurations at times, at rest at both ends.

    Args:
        times: Times [s], increasing, shape (n,).
        points: Configurations [m or rad], shape (n, nq).
        kind: "cubic", the spline with continuous acceleration; "quintic", with continuous jerk and
            snap and no acceleration at both ends; "linear".

    >>> through_points([0, 1, 2], [[0.0], [1.0], [0.5]]).position(1.0)
    array([1.])
    """
    t, q = (
        finite_array(x, f"through_points: {name}")
        for name, x in (("times", times), ("points", points))
    )
    if t.ndim != 1 or q.ndim != 2 or len(t) != len(q) or len(t) < 2:
        raise ShapeError(
            f"through_points: give times of shape (n,) and points of shape (n, nq), got {t.shape} "
            f"and {q.shape}"
        )
    if not (np.diff(t) > 0.0).all():
        raise ModelError("through_points: times must increase")
    makers: dict[str, Callable[[Array, Array], Array]] = {
        "linear": _linear, "cubic": _cubic, "quintic": _quintic,
    }  # fmt: skip
    if kind not in makers:
        raise ModelError(f"through_points: there is no kind {kind!r}; {suggestion(kind, makers)}")
    return PlannedMotion(t, makers[kind](t, q))


def _along(span: Array, name: str, value: ArrayLike | None) -> float:
    """Return the largest derivative of s, q = start + s span, that a limit of joints allows."""
    if value is None:
        return np.inf
    limit = real_array(value, f"point_to_point: {name}")
    if not (limit > 0.0).all() or limit.shape not in ((), span.shape):
        raise ModelError(
            f"point_to_point: {name} must be positive, a number or of shape {span.shape}, got "
            f"{value!r}"
        )
    moving = span != 0.0
    return float((np.broadcast_to(limit, span.shape)[moving] / np.abs(span[moving])).min())


def _chosen(duration: float | None, shortest: float) -> float:
    """Return the duration, if limits allow it; the shortest by default."""
    if duration is None:
        if shortest == 0.0:
            raise ModelError("point_to_point: give a duration, or limits of the joints")
        return shortest
    time = finite_number(duration, "point_to_point: duration")
    if time <= 0.0:
        raise ModelError(f"point_to_point: duration must be positive, got {duration!r} s")
    if not time >= shortest * (1.0 - 1e-12):
        raise ModelError(
            f"point_to_point: {duration!r} s is too short for the limits; at least {shortest:.6g} s"
        )
    return time


def _ramps(v: float, a: float, j: float) -> tuple[Array, Array]:
    """Return the motion s from 0 to 1 of least time with limits: times and coefficients (n, 4).

    Seven pieces of constant jerk [Biagiotti2008, section 3.4], fewer where limits are not reached.
    """
    if np.isinf(j):
        ramp = 0.0
    else:
        if v * j < a * a:  # the largest acceleration is not reached
            a = np.sqrt(v * j)
        ramp = a / j
    rise = v / a + ramp  # time to the largest velocity
    if v * rise > 1.0:  # it is not reached
        if ramp and 2.0 * j * ramp**3 >= 1.0:
            ramp = (0.5 / j) ** (1.0 / 3.0)
            a, rise = j * ramp, 2.0 * ramp
        else:
            half = 0.5 * (-ramp + np.sqrt(ramp**2 + 4.0 / a))  # v² / a + v ramp = 1, v = a half
            rise = half + ramp
        v = a * (rise - ramp)
    cruise = max(1.0 / v - rise, 0.0)
    flat = rise - 2.0 * ramp
    jerk = a / ramp if ramp else 0.0
    pieces = [(ramp, jerk, 0.0), (flat, 0.0, a), (ramp, -jerk, a), (cruise, 0.0, 0.0),
              (ramp, -jerk, 0.0), (flat, 0.0, -a), (ramp, jerk, -a)]  # fmt: skip
    times, rows, state = [0.0], [], (0.0, 0.0)
    for length, third, second in pieces:
        if length <= 1e-12 * rise:
            continue
        s, speed = state
        rows.append((s, speed, second / 2.0, third / 6.0))
        times.append(times[-1] + length)
        s += speed * length + second * length**2 / 2.0 + third * length**3 / 6.0
        state = s, speed + second * length + third * length**2 / 2.0
    return np.array(times), np.array(rows)


def _linear(t: Array, q: Array) -> Array:
    return np.stack([q[:-1], np.diff(q, axis=0) / np.diff(t)[:, None]], axis=1)


def _cubic(t: Array, q: Array) -> Array:
    from scipy.interpolate import CubicSpline

    return np.moveaxis(np.asarray(CubicSpline(t, q, bc_type="clamped").c)[::-1], 0, 1)


def _quintic(t: Array, q: Array) -> Array:
    from scipy.interpolate import make_interp_spline

    rest = [(1, np.zeros(q.shape[1])), (2, np.zeros(q.shape[1]))]
    ends: Any = rest, rest
    spline = make_interp_spline(t, q, k=5, bc_type=ends)
    taylor = [spline(t[:-1], nu=order) / factorial(order) for order in range(6)]
    return np.stack(taylor, axis=1)
