"""The fastest motion along a path within limits: ``ps.time_optimal``.

With q = q(s), x = (ds/dt)² and u = d²s/dt²

    v = q' √x,      a = q' u + q'' x,      tau = m u + b x + d √x + g

so that limits are linear in (u, x) where d, the damping, is taken from the motion before.  Along a
grid of s, u is constant from point to point and x_(i+1) = x_i + 2 Δ u.  Backwards, the largest and
smallest x from which the end can be reached; forwards, the largest u that stays below
[Pham2018, algorithm 1].  Limits hold at both ends of each interval; they are tightened until they
hold ten times as densely.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.front.planned_motion import CHECKED, PlannedMotion
from poinsot.front.system import System
from poinsot.model.checks import real_array, whole_number
from poinsot.spatial import Array

__all__ = ["time_optimal"]

SMALL: Final = 1e-12
"""Coefficients below this fraction of the largest count as zero."""
ROUNDS: Final = 30
"""Of damping and of tightening at most."""
CORNER: Final = 1e-6
"""Jump of dq/ds, as a fraction of the largest, that is a corner."""
STANDS: Final = 1e-9
"""Fraction of the largest dq/ds below which a path stands still at its end."""
SETTLED: Final = 1e-3
"""Relative change of the speeds at which the damping is right."""
MARGIN: Final = 2e-6
"""By how much more limits are tightened than they are exceeded."""
SLACK: Final = 1e-9
"""By how much limits may be exceeded, relative to them: rounding."""


def time_optimal(
    system: System, path: PlannedMotion, *, effort: ArrayLike | None = None,
    velocity: ArrayLike | None = None, acceleration: ArrayLike | None = None,
    jerk: ArrayLike | None = None, effort_rate: ArrayLike | None = None, points: int = 200,
) -> PlannedMotion:  # fmt: skip
    """Return the fastest motion along a path from rest to rest.

    Args:
        system: A tree without quaternions.
        path: q(s), of any parameter s: ``through_points``, ``ToolPath.joints``, ...
        effort: Largest joint forces [N or N m], a number or shape (nv,); those of the joints'
            limits by default.
        velocity: Largest velocities, likewise.
        acceleration: Largest accelerations, a number or shape (nv,); none by default.
        jerk: Largest jerks, likewise.  With them the motion is not the fastest but near to it: the
            fastest one without them, smoothed over a time and slowed down until all limits hold.
        effort_rate: Largest rates of the joint forces [N/s or N m/s], likewise.
        points: Number of grid points along the path; knots of the path are among them.

    Returns:
        The motion, with a piece from point to point.  Limits hold at ten instants of each.

    Raises:
        ModelError: If the limits cannot be kept, e.g. because a joint cannot hold the weight.

    >>> import poinsot as ps
    >>> block = ps.System("block", [ps.Body("block", joint=ps.Prismatic("x"), mass=2.0)])
    >>> path = ps.through_points([0, 1], [[0.0], [1.0]], kind="linear")
    >>> round(ps.time_optimal(block, path, effort=8.0).duration, 6)
    1.0
    """
    if system.mechanism.closures or system.nq != system.nv:
        raise ModelError(
            f"time_optimal: {system.name!r} must be a tree without quaternions; give loops as rows "
            "of a programme (docs/control.md)"
        )
    if not isinstance(path, PlannedMotion):
        raise ModelError(
            "time_optimal: path must be q(s): tool_path.joints(system, body, q), or "
            f"ps.through_points(places, points), got {type(path).__name__}"
        )
    if path.coefficients.shape[-1] != system.nq:
        raise ShapeError(
            f"time_optimal: the path has {path.coefficients.shape[-1]} coordinates, "
            f"{system.name!r} has {system.nq}"
        )
    none = np.full(system.nv, np.inf)
    limits = _Limits(
        _limit(system, "effort", effort, system.limits.effort),
        _limit(system, "velocity", velocity, system.limits.velocity),
        _limit(system, "acceleration", acceleration, none),
        _limit(system, "jerk", jerk, none),
        _limit(system, "effort_rate", effort_rate, none),
    )
    if not any(np.isfinite(x).any() for x in (limits.effort, limits.velocity, limits.acceleration)):
        raise ModelError("time_optimal: give limits: effort=, velocity= or acceleration=")
    _check_corners(path)
    smooth = jerk is not None or effort_rate is not None
    along = _within(system, path, _grid(path, points), limits, smooth)
    if not smooth:
        return composed(path, along)
    from poinsot.front.smoothed_motion import smoothed_motion

    return smoothed_motion(path, along, lambda motion: limits.over(system, motion))


def _within(
    system: System, path: PlannedMotion, grid: Array, limits: _Limits, rests: bool
) -> PlannedMotion:
    """Return the fastest motion s(t) along a path that keeps limits between grid points too."""
    along, tightened = _fastest(system, path, grid, limits, rests), limits
    for _ in range(ROUNDS):
        excess = limits.excess(system, composed(path, along))
        if max(excess) <= 1.0 + SLACK:
            return along
        tightened = tightened.tighter(excess)
        along = _fastest(system, path, grid, tightened, rests)
    raise ModelError(
        f"time_optimal: {system.name!r}: limits are exceeded by a factor of {max(excess):.4g} "
        f"between grid points; give more than {len(grid)} points="
    )


@dataclass(frozen=True)
class _Limits:
    """Largest joint forces, velocities, accelerations, jerks and rates of forces, shapes (nv,)."""

    effort: Array
    velocity: Array
    acceleration: Array
    jerk: Array
    effort_rate: Array

    def excess(self, system: System, motion: PlannedMotion) -> tuple[float, float, float]:
        """Return by which factors forces, velocities squared and accelerations are too large."""
        t = motion.instants(CHECKED + 1)
        q, v, a = (motion.derivative(order, t) for order in range(3))
        tau = system.inverse_dynamics(q, v, a) if np.isfinite(self.effort).any() else 0.0 * q
        return (
            float((np.abs(tau) / self.effort).max()),
            float(((v / self.velocity) ** 2).max()),
            float((np.abs(a) / self.acceleration).max()),
        )

    def tighter(self, excess: tuple[float, float, float]) -> _Limits:
        """Return limits that are smaller by a little more than these factors, where above 1."""
        force, speed, rate = (max(x * (1.0 + MARGIN), 1.0) for x in excess)
        return replace(
            self, effort=self.effort / force, velocity=self.velocity / np.sqrt(speed),
            acceleration=self.acceleration / rate,
        )  # fmt: skip

    def over(self, system: System, motion: PlannedMotion) -> float:
        """Return the square of the factor by which a smooth motion is too fast."""
        t = motion.instants()
        rises = np.diff(motion.loads(system, t).tau, axis=0) / np.diff(t)[:, None]
        steady = np.diff(t) > 1e-6 * motion.duration  # not where pieces meet
        size = max(
            (np.abs(motion.jerk(t)) / self.jerk).max(),
            (np.abs(rises[steady]) / self.effort_rate).max(),
        )
        return max(*self.excess(system, motion), float(float(size) ** (2.0 / 3.0)))


@dataclass(frozen=True)
class _Rows:
    """Rows a u + b x + d √x <= c, shape (n, rows), largest x, shape (n,), and q', shape (n, nv)."""

    a: Array
    b: Array
    c: Array
    d: Array
    most: Array
    q_rate: Array


def _fastest(
    system: System, path: PlannedMotion, grid: Array, limits: _Limits, rests: bool
) -> PlannedMotion:
    """Return the fastest motion s(t) along a path with limits at grid points.

    ``rests``: ds/dt = 0 at both ends also where the path stands still there, q' = 0.
    """
    rows = _rows(system, path, grid, limits)
    rows = replace(rows, q_rate=np.ones_like(rows.q_rate)) if rests else rows
    x = _speeds(rows, grid, system)
    if not np.any(rows.d):
        return _along(grid, x)
    given = rows.c
    for _ in range(ROUNDS):
        rows = replace(rows, c=given - rows.d * np.sqrt(x)[:, None])
        before, x = x, _speeds(rows, grid, system)
        if np.abs(x - before).max() <= SETTLED * x.max():
            break
        x = 0.5 * (x + before)
    return _along(grid, x)


def _rows(system: System, path: PlannedMotion, grid: Array, limits: _Limits) -> _Rows:
    q, first, second = (path.derivative(order, grid) for order in range(3))
    last = grid.copy()
    last[-1] = np.nextafter(grid[-1], -np.inf)
    first[-1], second[-1] = path.derivative(1, last)[-1], path.derivative(2, last)[-1]
    first[np.abs(first).max(axis=1) < STANDS * np.abs(first).max()] = 0.0
    still = np.zeros_like(q)
    with np.errstate(divide="ignore"):
        most = np.nanmin(
            np.where(first == 0.0, np.inf, (limits.velocity / np.abs(first)) ** 2), axis=1
        )
    blocks = []
    if np.isfinite(limits.effort).any():
        g = system.inverse_dynamics(q, still, still)
        m = system.inverse_dynamics(q, still, first) - g
        there, back = (system.inverse_dynamics(q, sign * first, second) for sign in (1.0, -1.0))
        b, d = 0.5 * (there + back) - g, 0.5 * (there - back)
        m[~first.any(axis=1)] = 0.0
        _check_weight(system, grid, g, limits.effort)
        blocks.append((m, b, limits.effort - g, d, limits.effort))
        blocks.append((-m, -b, limits.effort + g, -d, limits.effort))
    if np.isfinite(limits.acceleration).any():
        bound = np.broadcast_to(limits.acceleration, q.shape)
        blocks += [(sign * first, sign * second, bound, still, bound) for sign in (1.0, -1.0)]
    if not blocks:
        raise ModelError("time_optimal: give limits of effort or acceleration beside velocities")
    a, b, c, d, bounds = (
        np.concatenate([np.broadcast_to(x, q.shape) for x in column], axis=1)
        for column in zip(*blocks, strict=True)
    )
    finite = np.isfinite(bounds).all(axis=0)
    a, b, c, d = a[:, finite], b[:, finite], c[:, finite], d[:, finite]
    d = np.where(np.abs(d) > SMALL * np.abs(c).max(), d, 0.0)
    return _Rows(a, b, c, d, most, first)


def _check_weight(system: System, grid: Array, g: Array, effort: Array) -> None:
    over = np.abs(g) >= effort
    if over.any():
        point, joint = np.argwhere(over)[0]
        raise ModelError(
            f"time_optimal: {system.velocity_names[joint]!r} cannot hold the weight at "
            f"s = {grid[point]:.4g}: {abs(g[point, joint]):.4g} are needed, its limit is "
            f"{effort[joint]:.4g} N or N m; give a larger effort=, or another path"
        )


def _speeds(rows: _Rows, grid: Array, system: System) -> Array:
    """Return x = (ds/dt)² at grid points, at rest at both ends, shape (n,)."""
    n, steps = len(grid), np.diff(grid)
    top, floor = np.zeros(n), np.zeros(n)
    stands = [not np.any(rows.q_rate[end]) for end in (0, -1)]  # there v = 0 at any x
    if stands[1]:
        top[-1] = _range_of_x(rows.a[-1], rows.b[-1], rows.c[-1], rows.most[-1])[1]
    for i in range(n - 2, -1, -1):
        a, b, c = _interval(rows, i, steps[i])
        twice = 2.0 * steps[i]
        a = np.concatenate([a, [twice, -twice]])
        b = np.concatenate([b, [1.0, -1.0]])
        c = np.concatenate([c, [top[i + 1], -floor[i + 1]]])
        low, high = _range_of_x(a, b, c, rows.most[i])
        if not low <= high:
            raise ModelError(
                f"time_optimal: {system.name!r} cannot keep the limits near s = {grid[i]:.4g} of "
                f"the path, whatever the speed; give larger limits or a smoother path"
            )
        top[i], floor[i] = high, low
    if floor[0] > 0.0:
        raise ModelError("time_optimal: the path cannot be started from rest within the limits")
    x = np.zeros(n)
    x[0] = top[0] if stands[0] else 0.0
    for i in range(n - 1):
        a, b, c = _interval(rows, i, steps[i])
        rest = c - b * x[i]
        pushing = a > SMALL * np.abs(a).max()
        most = (rest[pushing] / a[pushing]).min(initial=np.inf)
        most = min(most, (top[i + 1] - x[i]) / (2.0 * steps[i]))
        x[i + 1] = min(max(x[i] + 2.0 * steps[i] * most, floor[i + 1]), top[i + 1])
    if not (x[1:-1] > 0.0).all():
        k = int(np.argmin(x[1:-1])) + 1
        raise ModelError(
            f"time_optimal: the motion stands still at s = {grid[k]:.4g} of the path; is there a "
            "corner? Blend it, or give the path a smoother parameter"
        )
    return x


def _interval(rows: _Rows, i: int, step: float) -> tuple[Array, Array, Array]:
    """Return the rows at both ends of an interval in u and x at its start."""
    # at the end x + 2 Δ u stands for x
    a = np.concatenate([rows.a[i], rows.a[i + 1] + 2.0 * step * rows.b[i + 1]])
    return (
        a, np.concatenate([rows.b[i], rows.b[i + 1]]), np.concatenate([rows.c[i], rows.c[i + 1]])
    )  # fmt: skip


def _range_of_x(a: Array, b: Array, c: Array, most: float) -> tuple[float, float]:
    """Return smallest and largest x >= 0 for which some u obeys a u + b x <= c.

    u is eliminated: each row with a > 0 bounds it from above, each with a < 0 from below
    (Fourier and Motzkin), which leaves rows in x alone.
    """
    scale = SMALL * max(np.abs(a).max(), SMALL)
    above, below, flat = a > scale, a < -scale, np.abs(a) <= scale
    slope_above, place_above = b[above] / a[above], c[above] / a[above]
    slope_below, place_below = b[below] / a[below], c[below] / a[below]
    slopes = np.concatenate([(slope_above[:, None] - slope_below).ravel(), b[flat]])
    places = np.concatenate([(place_above[:, None] - place_below).ravel(), c[flat]])
    rising, falling = slopes > SMALL, slopes < -SMALL
    high = min((places[rising] / slopes[rising]).min(initial=np.inf), most)
    low = max((places[falling] / slopes[falling]).max(initial=0.0), 0.0)
    if (places[~rising & ~falling] < -SMALL * np.abs(places).max()).any():
        return np.inf, -np.inf
    if low > high and low <= high + SMALL * (1.0 + abs(high)):
        low = high = max(high, 0.0)
    return low, high


def _along(grid: Array, x: Array) -> PlannedMotion:
    """Return s(t), from grid point to grid point with a constant d²s/dt²."""
    speeds, steps = np.sqrt(x), np.diff(grid)
    lengths = 2.0 * steps / (speeds[1:] + speeds[:-1])
    rates = np.stack([grid[:-1], speeds[:-1], 0.25 * np.diff(x) / steps], axis=1)
    return PlannedMotion(np.concatenate([[0.0], np.cumsum(lengths)]), rates[:, :, None])


def composed(path: PlannedMotion, along: PlannedMotion) -> PlannedMotion:
    """Return q(s(t)) of a path and a motion along it, no piece of which goes over a knot."""
    base, rate, half = (along.coefficients[:, k] for k in range(3))
    pieces = np.searchsorted(path.times, base[:, 0], "right") - 1
    start = base[:, 0] - path.times[pieces]
    C, count = path.coefficients[pieces], path.coefficients.shape[1]
    # about the grid point: c_k = sum over j of C_j (j over k) start^(j - k)
    local = [
        sum(comb(j, k) * C[:, j] * (start ** (j - k))[:, None] for j in range(k, count))
        for k in range(count)
    ]
    result = np.zeros((len(base), 2 * count - 1, C.shape[-1]))
    power = np.zeros((len(base), 2 * count - 1))  # of rate t + half t²
    power[:, 0] = 1.0
    for coefficient in local:
        result += power[:, :, None] * np.asarray(coefficient)[:, None, :]
        shifted = np.zeros_like(power)
        shifted[:, 1:] += rate * power[:, :-1]
        shifted[:, 2:] += half * power[:, :-2]
        power = shifted
    return PlannedMotion(along.times, result)


def _check_corners(path: PlannedMotion) -> None:
    """Reject a path whose direction jumps: no finite acceleration follows it."""
    knots = path.times[1:-1]
    before = path.derivative(1, np.nextafter(knots, -np.inf))
    jumps = np.abs(path.derivative(1, knots) - before).max(axis=1, initial=0.0)
    steepest = np.abs(path.derivative(1, path.instants(3))).max()
    if (jumps > CORNER * steepest).any():
        place = float(knots[int(np.argmax(jumps))])
        raise ModelError(
            f"time_optimal: the path has a corner at s = {place:.4g}, which can only be passed at "
            "rest; blend it, take through_points(..., kind='cubic'), or plan each side by itself"
        )


def _grid(path: PlannedMotion, points: int) -> Array:
    """Return grid points along a path, its knots among them."""
    points = whole_number(points, 3, "time_optimal: points")
    spans = np.diff(path.times)
    counts = np.maximum(np.ceil(points * spans / spans.sum()).astype(int), 2)
    inner = [
        np.linspace(a, b, n, endpoint=False)
        for a, b, n in zip(path.times[:-1], path.times[1:], counts, strict=True)
    ]
    return np.concatenate([*inner, path.times[-1:]])


def _limit(system: System, name: str, given: ArrayLike | None, usual: Array) -> Array:
    limit = usual if given is None else real_array(given, f"time_optimal: {name}")
    if limit.shape not in ((), (system.nv,)) or not (limit > 0.0).all():
        raise ModelError(
            f"time_optimal: {name} must be positive, a number or of shape ({system.nv},), got "
            f"{given!r}"
        )
    return np.broadcast_to(limit, (system.nv,)).astype(np.float64)
