"""The stick figure of a system: points and lines in the world for a stack of configurations.

A body is a line from its origin to the joints of each of its children and to where loops and
constraints hold it, or, if there are none, through its centre of mass and as far again: the far end
of a rod. A body that such lines do not show (a cart, a wheel, a satellite) is a box. A body with
shapes that are bars and discs is drawn as these (``outline``). Where springs and dampers hold on
beside all that, a line goes to the point.
"""

from dataclasses import dataclass, fields, replace

import numpy as np

from poinsot.model import Body, Mechanism
from poinsot.plots.all_poses import all_poses
from poinsot.plots.closures import closure_points, held_points, slide_directions
from poinsot.plots.inertia_boxes import CORNERS, box_axes
from poinsot.plots.outline import Line, outline
from poinsot.plots.run_like import SystemLike
from poinsot.plots.springs import spring_points, sprung_points
from poinsot.spatial import Array

__all__ = ["Skeleton", "skeleton"]

_SHORT = 1e-6
"""Lines shorter than this fraction of the typical length of the system are not drawn."""

_NEAR = 0.01
"""Points nearer to a line than this fraction of that length count as on it."""

_DEFAULT_BOX = 0.16
"""Side of the box of a body without inertia, relative to that length."""


@dataclass(frozen=True)
class Skeleton:
    """Points and lines [m] in world axes for n configurations.

    Attributes:
        origins: Origin of each body, shape (n, bodies, 3).
        anchors: Origin of each joint on the parent's side, shape (n, bodies, 3); it differs from
            the body's origin where the joint slides, but not where the body is free.
        coms: Centre of mass of each body, shape (n, bodies, 3).
        rods: Lines of bodies, from and to, shape (n, rods, 2, 3).
        rod_bodies: Index of the body of each rod, shape (rods,).
        boxes: Corners of boxes, in the order of ``boxes.CORNERS``, shape (n, boxes, 8, 3).
        box_bodies: Index of the body of each box, shape (boxes,).
        tips: Far ends of bodies without children, shape (n, tips, 3).
        tip_bodies: Index of the body of each tip, shape (tips,).
        massive: Whether each body has mass, shape (bodies,).
        pins: Where loops that turn close, shape (n, pins, 3).
        grounds: Where loops and constraints hold on to the world, shape (n, grounds, 3).
        ties: Rods without mass, from and to, shape (n, ties, 2, 3).
        springs: Springs and dampers, from and to, shape (n, springs, 2, 3).
        coiled: Whether each of them is a spring, shape (springs,).
        damped: Whether each of them is a damper, shape (springs,).
    """

    origins: Array
    anchors: Array
    coms: Array
    rods: Array
    rod_bodies: Array
    boxes: Array
    box_bodies: Array
    tips: Array
    tip_bodies: Array
    massive: Array
    pins: Array
    grounds: Array
    ties: Array
    springs: Array
    coiled: Array
    damped: Array

    def points(self) -> Array:
        """Return the ends of all lines and the corners of all boxes, shape (n, points, 3)."""
        n = len(self.origins)
        lines = (self.rods, self.boxes, self.grounds, self.ties, self.springs)
        ends = [line.reshape(n, line[0].size // 3, 3) for line in lines]
        return np.concatenate([self.origins, self.anchors, *ends], axis=1)

    def moved(self, offset: Array) -> "Skeleton":
        """Return the figure moved by an offset for each configuration, shape (n, 3) [m]."""
        points = (f.name for f in fields(self) if getattr(self, f.name).ndim > 1)
        shifted = {}
        for name in points:
            value = getattr(self, name)
            shifted[name] = value + offset.reshape(len(offset), *[1] * (value.ndim - 2), 3)
        return replace(self, **shifted)


def skeleton(system: SystemLike, q: Array) -> Skeleton:
    """Return the stick figure at the configurations q, shape (n, nq)."""
    mechanism = system.mechanism
    bodies, n, n_bodies = system.bodies, len(q), len(system.bodies)
    poses = all_poses(system, q)
    rotations, origins = poses[..., :3, :3], poses[..., :3, 3]
    com = np.array([body.com for body in bodies])
    anchors = np.empty((n, n_bodies, 3))
    for i, parent in enumerate(mechanism.parents):
        xyz = np.array(bodies[i].pose.xyz)
        if bodies[i].joint.nv == 6:
            anchors[:, i] = origins[:, i]
            continue
        anchors[:, i] = xyz if parent < 0 else origins[:, parent] + rotations[:, parent] @ xyz

    length = _length(bodies, origins)
    holds = held_points(mechanism)
    rods = [
        outline(bodies[i])
        or _lines(bodies, mechanism.children[i], holds.get(i, []), i, length * _SHORT)
        for i in range(n_bodies)
    ]
    boxed = [i for i in range(n_bodies) if _is_box(bodies[i], mechanism.children[i], rods[i])]
    box_bodies = np.array(boxed, dtype=int)
    guided = slide_directions(mechanism)
    half = {i: box_axes(bodies[i], length * _DEFAULT_BOX, guided.get(i)) for i in boxed}
    local = np.array([com[i] + CORNERS @ half[i].T for i in boxed])

    drawn = [(i, line) for i, lines in enumerate(rods) for line in lines]
    leaf_rods = [k for k, (i, _) in enumerate(drawn) if not mechanism.children[i]]
    drawn += _to_springs(mechanism, drawn, half, length * _NEAR)
    rod_bodies = np.array([i for i, _ in drawn], dtype=int)
    ends = np.array([line for _, line in drawn]).reshape(-1, 2, 3)
    rod_ends = np.einsum("nbij,bkj->nbki", rotations[:, rod_bodies], ends)
    rod_ends += origins[:, rod_bodies, None]
    corners = np.einsum("nbij,bkj->nbki", rotations[:, box_bodies], local.reshape(-1, 8, 3))

    coms = origins + np.einsum("nbij,bj->nbi", rotations, com)
    leaf_boxes = [i for i in boxed if not mechanism.children[i]]
    return Skeleton(
        origins=origins,
        anchors=anchors,
        coms=coms,
        rods=rod_ends,
        rod_bodies=rod_bodies,
        boxes=corners + origins[:, box_bodies, None],
        box_bodies=box_bodies,
        tips=np.concatenate([rod_ends[:, leaf_rods, 1], coms[:, leaf_boxes]], axis=1),
        tip_bodies=np.concatenate([rod_bodies[leaf_rods], np.array(leaf_boxes, dtype=int)]),
        massive=np.array([body.mass > 0.0 for body in bodies]),
        **closure_points(mechanism, origins, rotations),
        **spring_points(mechanism, origins, rotations),
    )


def _length(bodies: tuple[Body, ...], origins: Array) -> float:
    """Return a typical length of the system [m]: its longest body, or its travel."""
    joints = [body.pose.xyz for body in bodies if body.parent != "world"]
    ends = np.array([*joints, *(body.com for body in bodies)]) * 1.0
    ends[len(joints) :] *= 2.0
    longest = float(np.max(np.linalg.norm(ends, axis=1)))
    if longest > 0.0:
        return longest
    travel = float(np.max(np.ptp(origins, axis=(0, 1)), initial=0.0))
    return travel if travel > 0.0 else 1.0


def _lines(
    bodies: tuple[Body, ...], children: tuple[int, ...], held: list[Array], i: int, short: float
) -> list[Line]:
    """Return the lines of body ``i`` from its origin, in its own axes."""
    if children or held:
        ends = [np.array(bodies[child].pose.xyz) for child in children] + held
    else:
        com = np.array(bodies[i].com)
        ends = [com if _turns_freely(bodies[i]) else 2.0 * com]
    if bodies[i].joint.nv == 6 and not children and not held:
        return []
    return [(np.zeros(3), end) for end in ends if np.linalg.norm(end) > short]


def _to_springs(
    mechanism: Mechanism, drawn: list[tuple[int, Line]], half: dict[int, Array], near: float
) -> list[tuple[int, Line]]:
    """Return lines to attachment points of springs and dampers off the drawn lines, by body.

    Args:
        mechanism: The bodies and force elements.
        drawn: Lines, each with the index of its body.
        half: Half sides of the boxes by the index of their bodies, as ``box_axes`` gives them.
        near: How far from a line a point may be [m] to be taken as on it.
    """
    lines: list[tuple[int, Line]] = []
    for i, points in sprung_points(mechanism).items():
        start = np.array(mechanism.bodies[i].com) if i in half else np.zeros(3)
        for point in points:
            if i in half and not _is_outside(point - start, half[i]):
                continue
            seen = [line for k, line in (*drawn, *lines) if k == i] + [(start, start)]
            if all(_distance(point, line) > near for line in seen):
                lines.append((i, (start, point)))
    return lines


def _distance(point: Array, line: Line) -> float:
    """Return the distance of a point from a line segment [m]."""
    start, along = line[0], line[1] - line[0]
    s = float((point - start) @ along) / max(float(along @ along), 1e-300)
    return float(np.linalg.norm(point - start - np.clip(s, 0.0, 1.0) * along))


def _is_outside(point: Array, half: Array) -> bool:
    """Whether a point, from the middle of a box with these half sides as columns, is outside."""
    return bool(np.any(np.abs(np.linalg.solve(half, point)) > 1.001))


def _is_box(body: Body, children: tuple[int, ...], lines: list[Line]) -> bool:
    if outline(body):
        return False
    if not children and _turns_freely(body):
        return True
    slides = "m" in body.joint.q_units
    return not lines and body.joint.nv > 0 and (slides or not children)


def _turns_freely(body: Body) -> bool:
    """Whether the joint allows rotation about every axis, which a line would not show."""
    return body.joint.v_units.count("rad/s") >= 3
