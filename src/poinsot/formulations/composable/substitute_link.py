"""The bar that moves like a higher pair for an instant: between the centres of curvature.

Where two profiles touch, each may be replaced by its circle of curvature without a change of first
and second derivatives of the motion; two circles in touch are a bar between their centres.  So
velocities, accelerations and forces of this position are exact, others are not [Norton2012,
ch. 8].  A point has itself for a centre; the centre on a curve g = 0 with the unit
normal n = ∇g/|∇g| and the curvature k = div n is p - n/k.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.cam_contact import cam_contact
from poinsot.formulations.composable.curve_rows import curvature, curve_contact
from poinsot.formulations.composable.joint_pose import inverse_pose
from poinsot.formulations.composable.pair_rows import pair_coordinates
from poinsot.formulations.composable.plane import point_at, scaled
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import CamFollower, HigherPair, PlanarPair
from poinsot.spatial import Array

STRAIGHT: Final = 1e9
"""Radius of curvature, relative to the distance of the contact from the axes of its curve or cam,
above which it is straight."""


class SubstituteLink(NamedTuple):
    """A bar without mass, with a pin at either end.

    Attributes:
        a: The link with the curve, or the cam.
        pa: Centre of curvature in its frame [m].
        b: The other link.
        pb: Its point, or the centre of its roller, in its frame [m].
        length: Of the bar [m].
    """

    a: str
    pa: Array
    b: str
    pb: Array
    length: float


def substitute_link(pair: PlanarPair, poses: Mapping[str, Array]) -> SubstituteLink:
    """Return the bar that a pair may be replaced by at one position.

    Args:
        pair: A point on a curve, or a cam with a knife edge or a roller.
        poses: Poses of all links, shape (3,).

    Raises:
        ModelError: The pair is of another kind, or its profile is straight there.
    """
    if isinstance(pair, CurvePair):
        contact = curve_contact(pair, poses)
        place = point_at(poses[pair.b], pair.point)
        n, bend = contact.normal, float(curvature(contact.values))
        size = float(np.hypot(*contact.D)) + float(np.hypot(*contact.lever))
    elif (
        isinstance(pair, HigherPair)
        and isinstance(pair.shape, CamFollower)
        and pair.shape.path.face is None
    ):
        y_a, y_b = pair_coordinates(pair, poses)
        _, first, second = pair.law(y_a)
        path, carrier = pair.shape.path, poses[pair.carrier]
        touch = cam_contact(path, y_b, first, second)
        F = path.place(y_b)[0]
        place = point_at(carrier, F)
        n = point_at(carrier, touch.normal) - carrier[:2]
        bend, size = 1.0 / float(touch.pitch_radius), float(np.hypot(*(F - path.cam)))
    else:
        kind = "flat face" if pair.kind == "cam" else pair.kind
        raise ModelError(
            f"substitute_link: {pair.name!r} is a {kind}; points on curves, and cams with a knife"
            " edge or a roller have such a bar"
        )
    if abs(bend) * size * STRAIGHT < 1.0:
        raise ModelError(
            f"substitute_link: the profile of {pair.name!r} is straight there, its centre of"
            " curvature infinitely far; a slide along it with a pin takes the place of the bar"
        )
    centre = place - scaled(1.0 / bend, n)
    ends = [
        point_at(inverse_pose(poses[link]), x)
        for link, x in ((pair.a, centre), (pair.b, place))
    ]  # fmt: skip
    return SubstituteLink(pair.a, ends[0], pair.b, ends[1], abs(1.0 / bend))
