"""Positions of class-II groups in closed form: RRR, RRP, RPR, PRP, RPP and their mirror forms.

A pin to a known link is a known point; a slide to one gives the angle of its link and a known line
on which the link's point of the slide lies, whichever of the two carries the guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.formulations.composable.pin_dyad import Bars
from poinsot.formulations.composable.plane import (
    angle_between,
    angle_of,
    direction,
    dot,
    point_at,
    pose_with,
    rotated,
    scaled,
    square_root,
    stacked,
    turned,
    wedge,
)
from poinsot.model.planar.frame_names import shown_ends
from poinsot.model.planar.linkage import PlanarAngle, PlanarJoint
from poinsot.spatial import Array

ROUNDING = 1e-13
"""Radicands above minus this much of the squared lengths are zero but for rounding errors."""

PARALLEL = 1e-12
"""Sine below which two directions are parallel."""

SAME_ANGLE = 1e-9
"""Largest difference [rad] of the angles that a loop of slides may give to a link."""

MODES = {"RRR": (1, -1), "RRP": (1, -1), "RPR": (1, -1), "PRP": (1,), "RPP": (1,)}
"""Assembly modes by the form of a dyad; mirror forms have the same."""


class OuterJoint(NamedTuple):
    """What a joint to a known link says about the link that hangs on it.

    Attributes:
        body: The link.
        point: The joint's point in its frame, shape (2,).
        place: Where the point is (pin), or a point of the line on which it is (slide).
        angle: Angle of the link [rad], None for pins.
        along: Direction of the line [rad], None for pins.
    """

    body: str
    point: Array
    place: Array
    angle: Any = None
    along: Any = None


def outer_joint(joint: PlanarJoint, body: str, known: Array) -> OuterJoint:
    """Return what a joint says, with the pose of the known link at its other end."""
    point, place = joint.point(body), point_at(known, joint.point(joint.other(body)))
    if joint.kind == "R":
        return OuterJoint(body, point, place)
    carried = body == joint.b
    angle = known[..., 2] + (joint.beta if carried else -joint.beta)
    guide = (known[..., 2] if carried else angle) + joint.ua
    return OuterJoint(body, point, place, angle, guide)


class Placed(dict[str, Array]):
    """Poses of links by name; of expressions also the bars of dyads of pins.

    Attributes:
        bars: By the inner joint of the dyad.
    """

    def __init__(self, poses: Mapping[str, Array]) -> None:
        super().__init__(poses)
        self.bars: dict[str, Bars] = {}


def dyad_poses(
    form: str, outer: tuple[OuterJoint, OuterJoint], inner: PlanarJoint, mode: int
) -> Placed:
    """Return the poses of both links.

    Args:
        form: Kinds of the pairs from the first outer to the second outer joint.
        outer: The outer joints.
        inner: The joint between the two links.
        mode: Assembly mode, 1 or -1.  RRR: 1 if the inner pin is to the left of the line from the
            first to the second outer pin.  RRP: 1 if it is the farther one along the guide.  RPR:
            sign of the distance of the outer pins along the guide.

    Raises:
        AssemblyError: The links do not reach each other, or guides are parallel.
    """
    if form not in MODES:
        return dyad_poses(form[::-1], (outer[1], outer[0]), inner, mode)
    if form == "RRR":
        return _rrr(outer[0], outer[1], inner, mode)
    solve = {"RRP": _rrp, "RPR": _rpr, "PRP": _prp, "RPP": _rpp}[form]
    first, last = solve(outer[0], outer[1], inner, mode)
    return Placed({outer[0].body: first, outer[1].body: last})


def wedge_pose(first: OuterJoint, last: OuterJoint, joint: PlanarJoint) -> Array:
    """Return the pose of one link on two slides whose guides do not turn against each other.

    Its angle is that of the first slide; its two points are on their lines.
    """
    turn = np.asarray(first.angle - last.angle)
    if turn.dtype != object and np.any(np.abs(np.sin(turn / 2.0)) > SAME_ANGLE):
        raise AssemblyError(
            f"link {first.body!r} cannot have the angle that {joint.name!r} gives it: it closes a"
            " loop of slides, which have given it another; change its beta"
        )
    u1, u2 = direction(first.along), direction(last.along)
    P = first.place + rotated(first.angle, last.point - first.point)
    s = wedge(u2, last.place - P) / _sine(wedge(u2, u1), joint)
    return pose_with(first.point, first.place + scaled(s, u1), first.angle)


def _rrr(first: OuterJoint, last: OuterJoint, inner: PlanarJoint, mode: int) -> Placed:
    """Circles about A and C, [Wang2007, (38)].

    B = A + Q1 (C - A) + M Q2 J (C - A), Q1 = (d² + l1² - l2²)/(2 d²), Q2 = √(l1²/d² - Q1²)

    The bars AB and CB keep their lengths: directions are quotients by l1 and l2.
    """
    # Differs from [Wang2007, (38)], whose print has Q2 for Q1 and M without Q2.
    AC = last.place - first.place
    to_B = [inner.point(end.body) - end.point for end in (first, last)]
    l1, l2 = (dot(s, s) for s in to_B)
    d = dot(AC, AC)
    size = 0.0 if np.asarray(l1).dtype == object else l1  # of links that drivers weld together
    if d.dtype != object and np.any(d <= PARALLEL**2 * size):
        raise AssemblyError(
            f"links {shown_ends(inner.a, inner.b)} can turn about their outer pins, which are in"
            f" one place, so that {inner.name!r} is not determined; change lengths or coordinates"
        )
    # With d Q1 and d Q2 the root does not wait for the quotient.
    w, dQ1 = scaled(1.0 / d, AC), 0.5 * (d + (l1 - l2))
    dQ2 = mode * _root(l1 * d - dQ1**2, d * (d + l1), inner)
    AB = scaled(dQ1, w) + scaled(dQ2, turned(w))
    CB = AB - AC
    poses = Placed(
        {
            end.body: pose_with(end.point, end.place, angle_of(bar, l) - angle_of(s, l))
            for end, bar, s, l in zip((first, last), (AB, CB), to_B, (l1, l2), strict=True)
        }
    )
    if AB.dtype == object and AB.ndim == 1:
        poses.bars[inner.name] = Bars(AB, CB, dQ2, l1 * l2)  # AB × CB = M d Q2
    return poses


def _rrp(first: OuterJoint, last: OuterJoint, inner: PlanarJoint, mode: int) -> tuple[Array, Array]:
    """Circle about A and the line on which B slides.

    w = P - A, s = -u · w ± √(l² - (n · w)²), B = P + s u
    """
    to_B = inner.point(first.body) - first.point
    P = last.place + rotated(last.angle, inner.point(last.body) - last.point)
    u = direction(last.along)
    w = P - first.place
    l, across = dot(to_B, to_B), wedge(u, w)
    s = -dot(u, w) + mode * _root(l - across**2, l + across**2, inner)
    B = P + scaled(s, u)
    angle = angle_of(B - first.place, l) - angle_of(to_B, l)
    return (
        pose_with(first.point, first.place, angle),
        pose_with(inner.point(last.body), B, last.angle),
    )


def _rpr(first: OuterJoint, last: OuterJoint, inner: PlanarJoint, mode: int) -> tuple[Array, Array]:
    """Slide between two pins, C = A + s u + e n with constant e: s = ±√(|AC|² - e²)."""
    AC = last.place - first.place
    # Angles of the links from the guide, whose carrier is inner.a.
    of_a, of_b = -inner.ua, inner.beta - inner.ua
    b1, b2 = (of_a, of_b) if inner.a == first.body else (of_b, of_a)
    levers = [rotated(b, inner.point(end.body) - end.point) for b, end in ((b1, first), (b2, last))]
    e = levers[0][..., 1] - levers[1][..., 1]
    d = dot(AC, AC)
    s = mode * _root(d - e**2, d + e**2, inner)
    theta = angle_between(AC, stacked(s, e), d)
    return (
        pose_with(first.point, first.place, theta + b1),
        pose_with(last.point, last.place, theta + b2),
    )


def _prp(first: OuterJoint, last: OuterJoint, inner: PlanarJoint, mode: int) -> tuple[Array, Array]:
    """Pin between two slides: where two lines meet."""
    ends = (first, last)
    P1, P2 = (end.place + rotated(end.angle, inner.point(end.body) - end.point) for end in ends)
    u1, u2 = (direction(end.along) for end in ends)
    s = wedge(P2 - P1, u2) / _sine(wedge(u1, u2), inner)
    B = P1 + scaled(s, u1)
    return (
        pose_with(inner.point(first.body), B, first.angle),
        pose_with(inner.point(last.body), B, last.angle),
    )


def _rpp(first: OuterJoint, last: OuterJoint, inner: PlanarJoint, mode: int) -> tuple[Array, Array]:
    """Two slides and a pin: both angles are known, the second link slides to where n · d = 0."""
    delta = inner.beta if inner.a == last.body else -inner.beta
    angle = last.angle + delta
    x1 = first.place + rotated(angle, inner.point(first.body) - first.point)
    return pose_with(first.point, first.place, angle), slid_pose(last, inner, x1, angle)


def slid_pose(last: OuterJoint, inner: PlanarJoint, x1: Array, angle: PlanarAngle) -> Array:
    """Return the pose of a link between two slides, one to a known link.

    Args:
        last: The slide to a known link.
        inner: The other slide.
        x1: Where the other slide's point of its other link is.
        angle: Of that other link [rad].
    """
    guide = (last.angle if inner.a == last.body else angle) + inner.ua
    P = last.place + rotated(last.angle, inner.point(last.body) - last.point)
    u1, u2 = direction(last.along), direction(guide)
    s = wedge(u2, x1 - P) / _sine(wedge(u2, u1), inner)
    return pose_with(last.point, last.place + scaled(s, u1), last.angle)


def _root(radicand: Array, scale: Array, inner: PlanarJoint) -> Array:
    """Return the square root, of a number at most rounding errors below zero."""
    if np.asarray(radicand).dtype != object:
        if np.any(radicand < -ROUNDING * scale):
            raise AssemblyError(
                f"links {shown_ends(inner.a, inner.b)} cannot be joined in {inner.name!r}: their"
                " outer joints are too far from each other, or too near; change lengths or"
                " coordinates"
            )
        radicand = np.maximum(radicand, 0.0)
    return square_root(radicand)


def _sine(sine: Array, inner: PlanarJoint) -> Array:
    if np.asarray(sine).dtype != object and np.any(np.abs(sine) < PARALLEL):
        raise AssemblyError(
            f"links {shown_ends(inner.a, inner.b)}: the guides of their slides are parallel, so"
            " that their places are not determined; change the direction of one guide"
        )
    return sine
