"""The law of motion that a given profile makes: where the follower rests on it, angle by angle.

The profile is r(φ) in the axes of the cam.  A knife or a roller touches where the pitch curve
c = p + ρ ν, ν the outward normal, crosses the way of F: of all crossings the one that lifts most,
which is the true contact also where the roller bridges a hollow.  A face rests on the point that is
farthest along its normal.  Each contact is refined by Newton's method on the profile itself.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.planar.cam_law import SAMPLES, TURN, CamLaw
from poinsot.model.planar.cam_shape import FollowerPath
from poinsot.spatial import Array

POINTS: Final = 1440
"""Points of the profile among which contacts are sought first."""
STEPS: Final = 12
EXACT: Final = 1e-13


def law_of_profile(
    profile: CamLaw, path: FollowerPath, start: float, sense: float, where: str
) -> CamLaw:
    """Return the lift over the angle of the cam, counted from ``start`` in units of the coordinate.

    Args:
        profile: r over φ [m].
        path: Geometry of the follower.
        start: Coordinate of lift zero.
        sense: Sign of the coordinate's change that lifts the follower.
        where: Opens messages.
    """
    angles = np.linspace(0.0, TURN, SAMPLES, endpoint=False)
    seek = _coordinates_on_face if path.face is not None else _coordinates_on_curve
    y = seek(profile, path, angles, sense)
    if not np.all(np.isfinite(y)):
        bad = np.degrees(angles[~np.isfinite(y)][0])
        raise ModelError(
            f"{where}: the follower does not meet the profile at the cam's angle {bad:.4g}°; move "
            "its guide or pivot, or make the cam larger"
        )
    lifts = sense * (y - start)
    if path.turns:
        lifts = (lifts + np.pi) % TURN - np.pi
    return CamLaw.from_table(angles, lifts, where)


def _curve(profile: CamLaw, phi: Array, roller: float) -> tuple[Array, Array, Array]:
    """Return the pitch curve, its derivative, and the outward normal of the profile."""
    r, r1, r2 = profile(phi)
    u = np.stack([np.cos(phi), np.sin(phi)], axis=-1)
    n = np.stack([-u[..., 1], u[..., 0]], axis=-1)
    p = r[..., None] * u
    p1 = r1[..., None] * u + r[..., None] * n
    p2 = (r2 - r)[..., None] * u + 2.0 * r1[..., None] * n
    speed = np.linalg.norm(p1, axis=-1, keepdims=True)
    T = p1 / speed
    T1 = (p2 - np.sum(p2 * T, axis=-1, keepdims=True) * T) / speed
    normal, turn = (np.stack([x[..., 1], -x[..., 0]], axis=-1) for x in (T, T1))
    return p + roller * normal, p1 + roller * turn, normal


def _world(angles: Array, vectors: Array) -> Array:
    c, s = np.cos(angles)[..., None], np.sin(angles)[..., None]
    x, y = vectors[..., :1], vectors[..., 1:]
    return np.concatenate([c * x - s * y, s * x + c * y], axis=-1)


def _gap(path: FollowerPath, place: Array, rate: Array) -> tuple[Array, Array]:
    """Return how far a point of the pitch curve is from the way of F, and the derivative."""
    w = place - path.pivot
    if path.turns:
        length = float(path.arm @ path.arm)
        return np.sum(w * w, axis=-1) - length, 2.0 * np.sum(w * rate, axis=-1)
    n = np.array([-path.arm[1], path.arm[0]])
    return w @ n, rate @ n


def _coordinate(path: FollowerPath, place: Array) -> Array:
    w = place - path.pivot
    if path.turns:
        angle = np.arctan2(w[..., 1], w[..., 0]) - np.arctan2(path.arm[1], path.arm[0])
        return np.asarray((angle + np.pi) % TURN - np.pi)
    return np.asarray(w @ path.arm)


def _coordinates_on_curve(
    profile: CamLaw, path: FollowerPath, angles: Array, sense: float
) -> Array:
    phi = np.linspace(0.0, TURN, POINTS, endpoint=False)
    curve, tangent, _ = _curve(profile, phi, path.roller)
    places = path.cam + _world(angles[:, None], curve)
    gap, _ = _gap(path, places, _world(angles[:, None], tangent))
    after = np.roll(gap, -1, axis=1)
    number, left = np.nonzero((gap == 0.0) | (gap * after < 0.0))
    here, there = gap[number, left], after[number, left]
    roots = phi[left] + here / np.where(here == there, 1.0, here - there) * (TURN / POINTS)
    turns = angles[number]
    for _ in range(STEPS):
        centres, rate, _ = _curve(profile, roots, path.roller)
        gap_at, slope = _gap(path, path.cam + _world(turns, centres), _world(turns, rate))
        step = gap_at / np.where(slope == 0.0, np.inf, slope)
        roots = roots - np.clip(step, -TURN / POINTS, TURN / POINTS)
        if np.max(np.abs(step), initial=0.0) < EXACT:
            break
    nearest = float(_coordinate(path, path.cam))
    contacts = path.cam + _world(turns, _curve(profile, roots, path.roller)[0])
    ahead = sense * (_coordinate(path, contacts) - nearest)
    if path.turns:
        ahead = (ahead + np.pi) % TURN - np.pi
    highest = np.full(len(angles), -np.inf)
    np.maximum.at(highest, number, ahead)
    # Crossings behind the centre of the cam are no contacts.
    return np.where(highest >= 0.0, nearest + sense * highest, np.nan)


def _coordinates_on_face(profile: CamLaw, path: FollowerPath, angles: Array, sense: float) -> Array:
    phi = np.linspace(0.0, TURN, POINTS, endpoint=False)
    points = _curve(profile, phi, 0.0)[0]
    y = np.zeros(len(angles))
    for _ in range(STEPS if path.turns else 1):
        e = path.normal(y)
        inside = _world(-angles, e)
        foot = phi[np.argmax(points @ inside.T, axis=0)]
        for _ in range(STEPS):  # p' · e = 0
            rest, tangent, _ = _curve(profile, foot, 0.0)
            h = 1e-6
            ahead = _curve(profile, foot + h, 0.0)[1]
            behind = _curve(profile, foot - h, 0.0)[1]
            slope = np.sum((ahead - behind) * inside, axis=-1) / (2.0 * h)
            step = np.sum(tangent * inside, axis=-1) / np.where(slope == 0.0, -1.0, slope)
            foot = foot - np.clip(step, -TURN / POINTS, TURN / POINTS)
        height = np.sum(_curve(profile, foot, 0.0)[0] * inside, axis=-1)
        F, F1, _ = path.place(y)
        gap = height - np.sum(e * (F - path.cam), axis=-1)
        t = np.stack([-e[..., 1], e[..., 0]], axis=-1)
        reached = _world(angles, rest)  # along the face the foot moves as the face turns
        slope = np.sum(e * F1, axis=-1) + path.turns * np.sum(t * (F - path.cam - reached), axis=-1)
        y = y + gap / slope
        if np.max(np.abs(gap)) < EXACT:
            break
    return y
