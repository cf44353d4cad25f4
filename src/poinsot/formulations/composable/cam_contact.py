"""Where a cam touches its follower, along which normal, and how the profile is curved there.

Relative to the carrier, per angle θ of the cam, the point F of the follower moves against the cam
with v = F' dy/dθ - J (F - O), so that the normal is e = J v / |v| of knives and rollers; a face
keeps its own normal, and is touched where its points have no velocity along it.  The pitch curve in
the axes of the cam has the tangent v and the second derivative v° = dv/dθ - J v: its radius of
curvature is -|v|³ / (v × v°), positive where it is convex; the profile's is less by that of the
roller.  A face envelops a profile of radius h + d²h/dφ², h its distance from O and φ its angle in
the cam [Norton2012, ch. 8].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.plane import dot, scaled, square_root, turned, wedge
from poinsot.model.planar.cam_shape import FollowerPath
from poinsot.model.planar.joint import PlanarAngle
from poinsot.spatial import Array


class CamContact(NamedTuple):
    """One contact, in the axes of the carrier.

    Attributes:
        place: Where cam and follower touch, (..., 2).
        normal: e, from the cam to the follower, (..., 2).
        leverage: Part along e of the velocity of the follower's point per rate of y, (...).
        along: Velocity of the follower's point per rate of y, (..., 2).
        radius: Of curvature of the profile [m]; positive where it is convex, (...).
        pitch_radius: The same of the curve of F; that of the profile for faces.
    """

    place: Array
    normal: Array
    leverage: Array
    along: Array
    radius: Array
    pitch_radius: Array


def cam_contact(
    path: FollowerPath, y: PlanarAngle, first: PlanarAngle, second: PlanarAngle
) -> CamContact:
    """Return the contact at a coordinate of the follower.

    Args:
        path: Geometry of the follower.
        y: Its coordinate, (...).
        first: dy/dθ, (...).
        second: d²y/dθ², (...).
    """
    F, F1, F2 = path.place(y)
    d = F - path.cam
    if path.face is not None:
        return _of_face(path, (F, F1, F2), np.asarray(y), first, second)
    v = scaled(first, F1) - turned(d)
    speed = square_root(dot(v, v))
    e = scaled(1.0 / speed, turned(v))
    bend = scaled(first * first, F2) + scaled(second, F1) - scaled(2.0 * first, turned(F1)) - d
    pitch = _quotient(-(speed * speed * speed), wedge(v, bend))
    return CamContact(F - path.roller * e, e, dot(e, F1), F1, pitch - path.roller, pitch)


def _of_face(
    path: FollowerPath,
    places: tuple[Array, Array, Array],
    y: Array,
    first: PlanarAngle,
    second: PlanarAngle,
) -> CamContact:
    F, F1, F2 = places
    d, turns = F - path.cam, path.turns
    e = path.normal(y)
    t = turned(e)
    x = (dot(e, turned(d)) - first * dot(e, F1)) / (1.0 - turns * first)
    along = F1 - turns * scaled(x, e)
    h, rate = dot(e, d), turns * first * dot(t, d) + first * dot(e, F1)
    phi1, phi2 = turns * first - 1.0, turns * second
    bend = (
        turns * (second * dot(t, d) - turns * first * first * dot(e, d))
        + 2.0 * turns * first * first * dot(t, F1) + first * first * dot(e, F2)
        + second * dot(e, F1)
    )  # fmt: skip
    radius = h + (bend * phi1 - rate * phi2) / (phi1 * phi1 * phi1)
    return CamContact(F + scaled(x, t), e, dot(e, along), along, radius, radius)


def pressure_angle(contact: CamContact, sense: float) -> Array:
    """Return the angle from the follower's motion to the normal [rad], (...).

    Args:
        contact: The contact.
        sense: Sign of the coordinate's change that lifts the follower.
    """
    along = sense * contact.along
    return np.arctan2(wedge(along, contact.normal), dot(along, contact.normal))


def cam_profile(path: FollowerPath, y: Array, first: Array, angles: Array) -> Array:
    """Return the points of the profile in the axes of the cam, from its centre, (..., 2).

    Args:
        path: Geometry of the follower.
        y: Coordinates of the follower.
        first: dy/dθ.
        angles: θ [rad].
    """
    place = cam_contact(path, y, first, 0.0 * first).place - path.cam
    c, s = np.cos(angles), np.sin(angles)
    return np.stack(
        [c * place[..., 0] + s * place[..., 1], c * place[..., 1] - s * place[..., 0]], axis=-1
    )


def _quotient(numerator: PlanarAngle, denominator: PlanarAngle) -> Array:
    """Return a quotient, infinite where the curve is straight."""
    if np.asarray(denominator).dtype == object:
        return np.asarray(numerator / denominator)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(numerator / denominator)
