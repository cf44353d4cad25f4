"""Toothed wheels and racks, made from the ratios and axes of joints that are coupled.

Two wheels on parallel axes a distance d apart, with ω2 = i ω1, touch at their pitch circles, where
both are equally fast: r1 = |i| r2, and d = r1 + r2 (i < 0: outside) or d = |r1 - r2| (i > 0: one is
a ring).  A rack touches its pinion of pitch radius r where a_pinion × n = ± a_rack, the sign that
of r.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.model import Body, Gear, Mechanism, RackPinion
from poinsot.plots.run_like import SystemLike
from poinsot.spatial import Array
from poinsot.viewer.scene import Solid

__all__ = ["along", "placed", "toothed_solids"]

FEWEST: Final = 14
"""Teeth of the smaller wheel, at least; so many more are tried until the larger has a whole number
of them."""
MORE: Final = 17
RING: Final = 4.0
"""Largest pitch radius of a ring, in distances of axes: above, it is a belt between two wheels."""
WIDTH: Final = 2.4
"""Of wheels and racks, in radii of links."""
PARALLEL: Final = 1e-6
"""Sine of the angle between axes that count as parallel."""


def toothed_solids(system: SystemLike, q: Array, radius: float) -> dict[int, tuple[Solid, ...]]:
    """Return the wheels and racks of bodies without shapes that are coupled, by their numbers.

    Args:
        system: The system, with numbers.
        q: The configurations that will be shown, shape (n, nq): racks are as long as they travel.
        radius: Of links [m].
    """
    mechanism, solids = system.mechanism, dict[int, tuple[Solid, ...]]()
    for coupling in mechanism.constraints:
        if not isinstance(coupling, Gear | RackPinion):
            continue
        pair = _pair(system, *coupling.joints)
        if pair is None:
            continue
        made = (
            _wheels(mechanism, pair, coupling, WIDTH * radius)
            if isinstance(coupling, Gear)
            else _rack(system, pair, coupling, q, WIDTH * radius, solids.get(pair[0], ()))
        )
        for number, solid in made:
            solids[number] = (*solids.get(number, ()), solid)
    return solids


def placed(point: Array) -> Array:
    """Return the pose at a point, its axes those of the body, shape (4, 4)."""
    pose = np.eye(4)
    pose[:3, 3] = point
    return pose


def along(point: Array, direction: Array, towards: Array | None = None) -> Array:
    """Return a pose at a point whose z axis points along a direction, shape (4, 4).

    Args:
        point: The point [m], shape (3,).
        direction: Of the z axis, shape (3,).
        towards: To which its x axis is nearest, shape (3,); any by default.
    """
    pose = placed(point)
    z = np.array(direction, dtype=float)
    z = z / np.linalg.norm(z)
    aside = np.eye(3)[int(np.argmin(np.abs(z)))]
    x = np.cross(aside, z) if towards is None else towards - (towards @ z) * z
    x = x / np.linalg.norm(x)
    pose[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    return pose


def _pair(system: SystemLike, first: str, second: str) -> tuple[int, int] | None:
    """Return the numbers of two bodies without shapes on one parent, whose joints have an axis."""
    names, mechanism = list(system.joint_names), system.mechanism
    if first not in names or second not in names:
        return None  # one closes a loop
    numbers = names.index(first), names.index(second)
    bodies = [system.bodies[number] for number in numbers]
    is_plain = all(not body.shapes and getattr(body.joint, "axis", None) for body in bodies)
    is_shared = mechanism.parents[numbers[0]] == mechanism.parents[numbers[1]]
    return numbers if is_plain and is_shared and all(b.joint.nv == 1 for b in bodies) else None


def _wheels(
    mechanism: Mechanism, pair: tuple[int, int], gear: Gear, width: float
) -> Iterator[tuple[int, Solid]]:
    """Yield the two wheels of a gear pair; nothing where axes are not parallel, or are one."""
    bodies = [mechanism.bodies[number] for number in pair]
    (p1, a1), (p2, a2) = (_line(body) for body in bodies)
    between = (p2 - p1) - ((p2 - p1) @ a1) * a1
    distance, sense = float(np.linalg.norm(between)), float(np.sign(a1 @ a2))
    ratio = float(gear.ratio) * sense
    size, is_ring = abs(ratio), ratio > 0.0
    is_skew = float(np.linalg.norm(np.cross(a1, a2))) > PARALLEL
    slides = any(body.joint.q_units != ("rad",) for body in bodies)
    if slides or is_skew or distance == 0.0 or ratio == 0.0:
        return
    r2 = distance / (1.0 + size) if ratio < 0.0 else distance / max(abs(1.0 - size), 1e-9)
    if is_ring and max(size, 1.0) * r2 > RING * distance:  # a belt
        is_ring, r2 = False, 0.42 * distance / max(size, 1.0)
    r1 = size * r2
    teeth = _teeth(r1, r2)
    outer = None if not is_ring else (0 if r1 > r2 else 1)
    contact = between / distance  # from the first axis to the point of contact ...
    if outer is not None and r2 > r1:
        contact = -contact  # ... which is beyond the first of them in a ring about the second
    gap = math.pi / teeth[1] if outer is None else 0.0  # a tooth of a ring is where a gap would be
    towards = contact, (-contact if outer is None else contact)
    angles = 0.0, gap - float(gear.offset) * sense
    for k in (0, 1):
        kind = "ring" if k == outer else "gear"
        shift = math.pi / teeth[k] if kind == "ring" else 0.0
        frame = bodies[k].pose.transform()
        x = _turned(towards[k], a1, angles[k] + shift)
        pose = along(np.zeros(3), frame.R.T @ a1, frame.R.T @ x)
        yield pair[k], Solid(kind, ((r1, r2)[k], width, teeth[k]), pose)


def _rack(
    system: SystemLike, pair: tuple[int, int], coupling: RackPinion, q: Array, width: float,
    wheels: tuple[Solid, ...],
) -> Iterator[tuple[int, Solid]]:  # fmt: skip
    """Yield pinion and rack; nothing where the axis of one is not across the other's.

    A wheel that the pinion has already and that is as large is the pinion.
    """
    pinion, rack = (system.bodies[number] for number in pair)
    (p1, a1), (p2, a2) = _line(pinion), _line(rack)
    kinds = pinion.joint.q_units, rack.joint.q_units
    if kinds != (("rad",), ("m",)) or abs(float(a1 @ a2)) > PARALLEL:
        return
    r, offset = float(coupling.radius), float(coupling.offset)
    normal = math.copysign(1.0, r) * np.cross(a2, a1)
    frames = pinion.pose.transform(), rack.pose.transform()
    pose = along(np.zeros(3), frames[0].R.T @ a1, frames[0].R.T @ normal)
    wheel = Solid("gear", (abs(r), width, FEWEST), pose)
    same = [own for own in wheels if math.isclose(own.size[0], abs(r), rel_tol=1e-6)]
    if same:
        wheel = same[0]
    else:
        yield pair[0], wheel
    pitch = 2.0 * math.pi / wheel.size[2]
    tooth = frames[0].R @ wheel.pose[:3, 0]
    ahead = math.atan2(float(np.cross(normal, tooth) @ a1), float(normal @ tooth))
    ahead = ahead - pitch * round(ahead / pitch)  # from the contact to the nearest tooth [rad]
    place = q[:, system.q_slice(coupling.rack)][:, 0]
    length = 2.0 * float(np.nanmax(np.abs(place - offset))) + 4.0 * abs(r)
    contact = p1 + abs(r) * normal - p2 + (r * ahead - offset) * a2
    pose = placed(frames[1].R.T @ contact)
    z = np.cross(a2, -normal)  # x along the rack, y to the pinion
    pose[:3, :3] = frames[1].R.T @ np.column_stack([a2, -normal, z])
    yield pair[1], Solid("rack", (length, width, pitch * abs(r)), pose)


def _line(body: Body) -> tuple[Array, Array]:
    """Return a point and the direction of the axis of a body's joint in its parent."""
    frame = body.pose.transform()
    axis: Array = np.array(getattr(body.joint, "axis", None), dtype=float)
    return frame.p, frame.R @ axis


def _turned(x: Array, axis: Array, angle: float) -> Array:
    """Return a vector across an axis turned about it."""
    turned: Array = math.cos(angle) * x + math.sin(angle) * np.cross(axis, x)
    return turned


def _teeth(r1: float, r2: float) -> tuple[int, int]:
    """Return numbers of teeth whose ratio is nearest to that of the radii."""
    low, high = min(r1, r2), max(r1, r2)
    counts = range(FEWEST, FEWEST + MORE)
    fewer = min(counts, key=lambda n: (round(abs(n * high / low - round(n * high / low)), 6), n))
    more = round(fewer * high / low)
    return (fewer, more) if r1 <= r2 else (more, fewer)
