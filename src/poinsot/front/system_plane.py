"""Where the bodies of a system are in its plane, and its joints there, at one configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import rotated
from poinsot.front.planar_elements import DrawnEnd, planar_element
from poinsot.front.planar_rows import PlanarRows, constraint_rows
from poinsot.front.system import System
from poinsot.model import (
    WORLD,
    AbstractJoint,
    Body,
    Loop,
    Planar,
    Prismatic,
    Revolute,
    Spring,
)
from poinsot.model.constraints.base import AbstractConstraint, Frame
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.forces.base import AbstractForce
from poinsot.model.planar.clock import CLOCK, TIME
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarSpring
from poinsot.model.planar.relation_pair import (
    RelationCoordinate,
    RelationPair,
    relation_pairs,
    relation_point,
)
from poinsot.model.planar.welds import WeldedGroups
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array, Transform

PARALLEL: Final = 1e-9
"""Sine or cosine of an angle that counts as zero."""


class SystemPlane:
    """Where bodies are in the plane at one configuration.

    Attributes:
        axes: Two unit vectors of the plane in the world, shape (2, 3).
        normal: The third one, about which angles count.
    """

    def __init__(self, system: System, q: Array) -> None:
        self._system = system
        self._origins: dict[str, Array] = {}
        self._held: dict[str, float] = {}
        self._q = q
        self._loop_shifts: dict[str, float] = {}
        self._poses = {WORLD: np.eye(4)}
        self._poses |= {
            body: np.asarray(system.pose(body, q, backend="floats")) for body in system.body_names
        }
        self.normal = self._normal()
        across = np.eye(3)[int(np.argmin(np.abs(self.normal)))]
        first = np.cross(across, self.normal) if abs(self.normal[2]) < 1 else np.eye(3)[0]
        first = first / np.linalg.norm(first)
        self.axes = np.array([first, np.cross(self.normal, first)])
        self._joints = dict(zip(system.body_names, system.joint_names, strict=True))
        self.groups = WeldedGroups(system.bodies, system.loops)
        self._angles = {WORLD: 0.0}
        self._shifts: dict[str, float] = {}
        self._turn_links(q)

    def _turn_links(self, q: Array) -> None:
        """Set the angle of each body: that of its link, which the first joint to it gives.

        The coordinates of other joints to the same link are shifted against the angles of links.
        """
        link_of = self.groups.link_of
        turned = {WORLD: 0.0}
        for index in self._system.mechanism.order:
            body = self._system.bodies[index]
            sign = turn = 0.0
            if isinstance(body.joint, Revolute | Planar):
                sign = np.sign(self.normal @ self._axis(body))
                turn = sign * float(q[self._system.q_slice(self._joints[body.name])][-1])
            angle = turned.setdefault(link_of[body.name], self._angles[body.parent] + turn)
            shift = sign * (angle - self._angles[body.parent] - turn)
            if abs(shift) > PARALLEL and link_of[body.name] != link_of[body.parent]:
                self._shifts[self._joints[body.name]] = float(shift)
            self._angles[body.name] = angle

    def _normal(self) -> Array:
        """Return the axis of the first hinge, else of the first planar joint, else z."""
        for kind in (Revolute, Planar):
            for body in self._system.bodies:
                if isinstance(body.joint, kind):
                    return self._axis(body)
        return np.array([0.0, 0.0, 1.0])

    def link(self, name: str) -> PlanarLink:
        """Return a body with all that is welded to it as a link, drawn where it is."""
        group = self.groups.members[name]
        masses = np.array([float(body.mass) for body in group])
        coms = np.array([self._place(body.name, body.com) for body in group])
        total = float(masses.sum())
        com = masses @ coms / total if total > 0.0 else self._place(name, np.zeros(3))
        inertia = 0.0
        for body, mass, own in zip(group, masses.tolist(), coms, strict=True):
            n = self._poses[body.name][:3, :3].T @ self.normal
            inertia += float(n @ body.inertia_matrix() @ n) + mass * float(
                (own - com) @ (own - com)
            )
        pose = (*self._place(name, np.zeros(3)).tolist(), self._angles[name])
        return PlanarLink(total, inertia, tuple(self._in_link(name, com).tolist()), pose)

    def tree_joint(self, body: Body) -> list[PlanarJoint]:
        """Return the joint that carries a body, with its coordinate; none within a link."""
        name = self._joints[body.name]
        if self._is_inside(body.parent, body.name):
            self._hold(name, self._q[self._system.q_slice(name)])
            return []
        place = self._place(body.name, np.zeros(3))
        axis = self._checked_axis(name, body.joint, self._axis(body))
        if isinstance(body.joint, Revolute):
            ends = (body.parent, body.name)
            if self.normal @ self._axis(body) < 0.0:
                ends = (body.name, body.parent)
            pin = _passive(self._pin(name, ends, (place, place)), body.joint)
            return [replace(pin, rest=pin.rest + self._shifts.get(name, 0.0))]
        slide = self._slide(name, (body.parent, body.name), (self._start(body), place), axis)
        return [_passive(slide, body.joint)]

    def planar_joint(self, body: Body) -> list[PlanarJoint]:
        """Return two slides and a pin, one for each coordinate, with carriers between them."""
        name, joint = self._joints[body.name], body.joint
        assert isinstance(joint, Planar), "others have one coordinate"
        normal = self._checked_normal(name, joint, self._axis(body))
        X = self._poses[body.parent][:3, :3] @ body.pose.transform().R
        x, y = (X @ np.array(axis, float) for axis in (joint.axis, joint.axis2))
        start, place = self._start(body), self._place(body.name, np.zeros(3))
        middle = start + self.axes @ x * float((place - start) @ (self.axes @ x))
        carriers = list(self.carriers(name))
        self._angles |= dict.fromkeys(carriers, self._angles[body.parent])
        self._origins |= dict(zip(carriers, (middle, place), strict=True))
        names = [f"{name}.{word}" for word in joint.v_parts]
        ends = (carriers[1], body.name) if normal > 0.0 else (body.name, carriers[1])
        pin = _passive(self._pin(names[2], ends, (place, place)), joint, 2)
        return [
            _passive(self._slide(names[0], (body.parent, carriers[0]), (start, middle), x), joint),
            _passive(
                self._slide(names[1], (carriers[0], carriers[1]), (middle, place), y), joint, 1
            ),
            replace(pin, rest=pin.rest + self._shifts.get(name, 0.0)),
        ]

    def carriers(self, name: str) -> dict[str, PlanarLink]:
        """Return the links without mass between the slides of a planar joint."""
        links = {}
        for word in ("x", "y"):
            link = f"{name}:{word}"
            pose = (*self._origins.get(link, np.zeros(2)).tolist(), self._angles.get(link, 0.0))
            links[link] = PlanarLink(pose=pose)
        return links

    def closing_joint(self, loop: Loop) -> list[PlanarJoint]:
        """Return a joint that closes a loop; none within a link."""
        links = loop.first[0], loop.second[0]
        frames = [self._frame(end) for end in (loop.first, loop.second)]
        if self._is_inside(*links):
            self._hold(loop.name, _coordinates(loop, frames))
            return []
        axis = np.array(getattr(loop.joint, "axis", (0, 0, 1)), float)
        across = self._checked_axis(loop.name, loop.joint, frames[0][:3, :3] @ axis)
        places = tuple(self.axes @ frame[:3, 3] for frame in frames)
        if isinstance(loop.joint, Revolute):
            ends, points = links, (places[0], places[1])
            if self.normal @ across < 0.0:
                ends, points = links[::-1], points[::-1]
            pin = _passive(self._pin(loop.name, ends, points), loop.joint)
            turned = self._angles[ends[1]] - self._angles[ends[0]]
            shift = self._loop_shifts[loop.name] = turned - float(_coordinates(loop, frames)[0])
            return [replace(pin, rest=pin.rest + shift)]
        slide = self._slide(loop.name, links, (places[0], places[1]), across)
        return [_passive(slide, loop.joint)]

    def spring(self, element: Spring) -> PlanarSpring | None:
        """Return a spring between two points of the same height as one of the plane."""
        (first, p), (second, r) = element.first, element.second
        ends = [X[:3, :3] @ np.asarray(point, float) + X[:3, 3]
                for X, point in ((self._poses[first], p), (self._poses[second], r))]  # fmt: skip
        height = float(self.normal @ (ends[1] - ends[0]))
        if abs(height) > PARALLEL * (1.0 + float(np.linalg.norm(ends[1] - ends[0]))):
            return None
        points = [self._in_link(body, self.axes @ end)
                  for body, end in zip((first, second), ends, strict=True)]  # fmt: skip
        numbers = (float(x) for x in (element.stiffness, element.damping, element.length))
        a, b = self._linked((first, second))
        return PlanarSpring(
            element.name or f"{first} to {second}", a, b, points[0], points[1], *numbers
        )

    def relation(
        self, relation: AbstractRelation, joints: Mapping[str, PlanarJoint]
    ) -> list[RelationPair]:
        """Return an equation of points and coordinates as pairs."""
        system, points = self._system, []
        for ends in relation.pairs:
            bodies = [body for body, _ in ends]
            poses = [np.append(self._origin(body), self._angles[body]) for body in bodies]
            points.append(
                relation_point(self._linked(bodies), poses, [self._frame(end) for end in ends],
                               np.vstack([self.axes, self.normal]))
            )  # fmt: skip
        names = self._coordinate_names()
        label = f"constraint {relation.name!r}"

        def coordinate(key: str | int) -> RelationCoordinate | float:
            return self._coordinate(key if isinstance(key, str) else names[key], joints, label)

        return relation_pairs(relation, points, coordinate, repr(system.name), TIME)

    def rows(
        self, constraint: AbstractConstraint, joints: Mapping[str, PlanarJoint], t: float
    ) -> PlanarRows:
        """Return a constraint of any other kind as rows."""
        label = f"constraint {constraint.name!r}"
        links = dict.fromkeys(self.groups.link_of.values())
        drawn = {_named(k): np.append(self._origin(k), self._angles[k]) for k in links}
        for carrier, origin in self._origins.items():
            drawn[carrier] = np.append(origin, self._angles[carrier])

        def end(frame: Frame) -> DrawnEnd:
            X = self._frame(frame)
            pose = np.append(self._origin(frame[0]), self._angles[frame[0]])
            return DrawnEnd(self._linked([frame[0]])[0], pose, X[:3, 3], X[:3, :3])

        return constraint_rows(
            constraint, end, lambda name: self._coordinate(name, joints, label),
            self._coordinate_names(), np.vstack([self.axes, self.normal]),
            drawn | {CLOCK: np.array([t, 0.0, 0.0]), FRAME: np.zeros(3)},
        )  # fmt: skip

    def _coordinate_names(self) -> list[str]:
        """Return the names of all coordinates of the tree's joints."""
        names: list[str] = []
        for body, name in zip(self._system.bodies, self._system.joint_names, strict=True):
            is_planar = isinstance(body.joint, Planar)
            parts = [f"{name}.{word}" for word in body.joint.v_parts] if is_planar else [name]
            names += parts if body.joint.nq else []
        return names

    def element(self, force: AbstractForce, joints: Mapping[str, PlanarJoint]) -> PlanarElement:
        """Return any force element as one of the plane."""
        ends = []
        for body, point in force.ends:
            X = self._poses[body]
            pose = np.append(self._origin(body), self._angles[body])
            place = X[:3, :3] @ np.asarray(point, float) + X[:3, 3]
            ends.append(DrawnEnd(self._linked([body])[0], pose, place, X[:3, :3]))
        label = f"{force.kind} {force.name or ''!r}"

        def coordinate(name: str) -> RelationCoordinate | float:
            return self._coordinate(name, joints, label)

        return planar_element(force, ends, coordinate, np.vstack([self.axes, self.normal]))

    def _coordinate(
        self, name: str, joints: Mapping[str, PlanarJoint], label: str
    ) -> RelationCoordinate | float:
        """Return a joint's coordinate; a number where a link holds both ends."""
        if name in self._loop_shifts:
            return RelationCoordinate(joints[name], self._loop_shifts[name], wraps=True)
        if name in joints:
            return RelationCoordinate(joints[name], self._shifts.get(name, 0.0))
        if name not in self._held:
            raise ModelError(
                f"{label} of {self._system.name!r}: joint {name!r} is no hinge or slide in the"
                " plane"
            )
        return self._held[name]

    def check_drivers(self, drivers: Sequence[str]) -> None:
        """Reject driven joints whose coordinates are not angles between links."""
        for name in drivers:
            if name in self._shifts:
                raise ModelError(
                    f"joint {name!r} carries a body that a loop welds to another one, so that its"
                    " coordinate is no angle between links; drive another joint, or put the weld"
                    " into the tree"
                )

    def _hold(self, name: str, q: Array) -> None:
        """Keep the coordinate of a hinge or slide within a link; welds have none."""
        if len(q):
            self._held[name] = float(q[0])

    def _is_inside(self, first: str, second: str) -> bool:
        return self.groups.link_of[first] == self.groups.link_of[second]

    def _start(self, body: Body) -> Array:
        """Return where the origin of a body is when its coordinate is zero."""
        X_WP = self._poses[body.parent]
        start: Array = X_WP[:3, :3] @ np.asarray(body.pose.xyz, float) + X_WP[:3, 3]
        return np.asarray(self.axes @ start)

    def _pin(self, name: str, links: tuple[str, str], places: tuple[Array, Array]) -> PlanarJoint:
        pa, pb = (self._in_link(link, p) for link, p in zip(links, places, strict=True))
        a, b = self._linked(links)
        return PlanarJoint(name, "R", a, b, pa, pb)

    def _slide(
        self, name: str, links: tuple[str, str], places: tuple[Array, Array], axis: Array
    ) -> PlanarJoint:
        pa, pb = (self._in_link(link, p) for link, p in zip(links, places, strict=True))
        x, y = self.axes @ axis
        angle_a, angle_b = (self._angles[link] for link in links)
        ua, beta = float(np.arctan2(y, x)) - angle_a, angle_b - angle_a
        a, b = self._linked(links)
        return PlanarJoint(name, "P", a, b, pa, pb, ua, beta)

    def _linked(self, bodies: Sequence[str]) -> list[str]:
        """Return the links of two bodies; carriers of planar joints are links themselves."""
        return [_named(self.groups.link_of.get(body, body)) for body in bodies]

    def _checked_axis(self, name: str, joint: AbstractJoint, axis: Array) -> Array:
        along = abs(float(self.normal @ axis))
        turns = isinstance(joint, Revolute) and abs(along - 1.0) < PARALLEL
        slides = isinstance(joint, Prismatic) and along < PARALLEL
        if not turns and not slides:
            raise ModelError(
                f"joint {name!r} of {self._system.name!r} ({joint.kind}, axis {axis.round(4)}) does"
                f" not move in the plane across {self.normal.round(4)}: planar mechanisms have"
                " hinges along this normal, slides across it and welds"
            )
        return axis

    def _checked_normal(self, name: str, joint: Planar, axis: Array) -> float:
        along = float(self.normal @ axis)
        if abs(abs(along) - 1.0) > PARALLEL:
            raise ModelError(
                f"joint {name!r} of {self._system.name!r} ({joint.kind}, across {axis.round(4)})"
                f" does not move in the plane across {self.normal.round(4)}"
            )
        return along

    def _axis(self, body: Body) -> Array:
        axis = np.array(getattr(body.joint, "axis", (0, 0, 1)), float)
        if isinstance(body.joint, Planar):
            axis = np.cross(axis, np.array(body.joint.axis2, float))
        return np.asarray(self._poses[body.name][:3, :3] @ axis)

    def _place(self, body: str, point: Any) -> Array:  # noqa: ANN401 (three numbers)
        X = self._poses[body]
        return np.asarray(self.axes @ (X[:3, :3] @ np.asarray(point, float) + X[:3, 3]))

    def _origin(self, body: str) -> Array:
        """Return where the origin of the link of a body is."""
        link = self.groups.link_of.get(body, body)
        if link in self._origins:
            return self._origins[link]
        return np.zeros(2) if link == WORLD else self._place(link, np.zeros(3))

    def _in_link(self, body: str, place: Array) -> Array:
        """Return a place in the frame of the link of a body."""
        return rotated(-self._angles[body], place - self._origin(body))

    def _frame(self, end: tuple[str, Any]) -> Array:
        X = np.eye(4)
        transform = end[1].transform()
        X[:3, :3], X[:3, 3] = transform.R, transform.p
        return np.asarray(self._poses[end[0]] @ X)


def _passive(joint: PlanarJoint, given: AbstractJoint, i: int = 0) -> PlanarJoint:
    """Return a joint with what coordinate i of a system's has: spring, damper and armature."""
    matrices = given.stiffness_matrix(), given.damping_matrix(), given.armature_matrix()
    k, c, armature = (float(matrix[i, i]) for matrix in matrices)
    for matrix, word in zip(matrices, ("stiffness", "damping", "armature"), strict=True):
        if nonzero(matrix[~np.eye(len(matrix), dtype=bool)]):
            raise ModelError(
                f"{given.kind} joint {joint.name.rpartition('.')[0]!r}: its {word} couples its"
                " coordinates, which planar mechanisms have not; give one number for each"
            )
    return replace(joint, k=k, c=c, rest=float(given.rest_position()[i]), armature=armature)


def _coordinates(loop: Loop, frames: Sequence[Array]) -> Array:
    """Return the coordinates of a loop's joint, as the System has them, from both frames."""
    apart = np.linalg.solve(frames[0], frames[1])
    return loop.joint.coordinates(Transform(apart[:3, :3], apart[:3, 3]))


def _named(link: str) -> str:
    return FRAME if link == WORLD else link
