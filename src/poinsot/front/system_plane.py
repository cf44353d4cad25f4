"""Where the bodies of a system are in its plane, and its joints there, at one configuration."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import plane_normal, rotated
from poinsot.front.system import System
from poinsot.model import (
    WORLD,
    AbstractJoint,
    Body,
    Loop,
    Planar,
    Prismatic,
    Revolute,
)
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink
from poinsot.model.planar.welds import WeldedGroups
from poinsot.spatial import Array, Transform

PARALLEL: Final = 1e-9
"""Sine or cosine of an angle that counts as zero."""


class SystemPlane:
    """Where bodies are in the plane at one configuration.

    Attributes:
        axes: Two unit vectors of the plane in the world, shape (2, 3).
        normal: The third one, about which angles count.
    """

    def __init__(self, system: System, q: Array, driven: Collection[str] = ()) -> None:
        self.system = system
        self.origins: dict[str, Array] = {}
        self.held: dict[str, float] = {}
        self._q = q
        self.loop_shifts: dict[str, float] = {}
        self.poses = {WORLD: np.eye(4)}
        self.poses |= {
            body: np.asarray(system.pose(body, q, backend="floats")) for body in system.body_names
        }
        self.normal = self._normal()
        across = np.eye(3)[int(np.argmin(np.abs(self.normal)))]
        first = np.cross(across, self.normal) if abs(self.normal[2]) < 1 else np.eye(3)[0]
        first = first / np.linalg.norm(first)
        self.axes = np.array([first, np.cross(self.normal, first)])
        self.joint_of = dict(zip(system.body_names, system.joint_names, strict=True))
        self.groups = WeldedGroups(system.bodies, system.loops)
        self.angles = {WORLD: 0.0}
        self.shifts: dict[str, float] = {}
        self._turn_links(q, driven)

    def _turn_links(self, q: Array, driven: Collection[str]) -> None:
        """Set the angle of each link, so that coordinates of joints are angles between links.

        A link that several joints carry has the angle that one of them gives; the coordinates of
        the others are shifted against the angles of links.  Driven ones come first.
        """
        link_of, turns = self.groups.link_of, dict[str, _Turn]()
        for body in self.system.bodies:
            name, sign, turn = self.joint_of[body.name], 0.0, 0.0
            if isinstance(body.joint, Revolute | Planar):
                sign = float(np.sign(self.normal @ self._axis(body)))
                turn = sign * float(q[self.system.q_slice(name)][-1])
            if isinstance(body.joint, Planar):
                name = f"{name}.{body.joint.v_parts[2]}"
            turns[name] = _Turn(link_of[body.parent], link_of[body.name], sign, turn)
        tree = _spanning(sorted(turns, key=lambda name: name not in driven), turns)
        angles, waiting = {WORLD: 0.0}, tree
        while waiting:
            left = []
            for name in waiting:
                first, second, _, turn = turns[name]
                if first in angles:
                    angles[second] = angles[first] + turn
                elif second in angles:
                    angles[first] = angles[second] - turn
                else:
                    left.append(name)
            waiting = left
        self.angles |= {body: angles[link] for body, link in link_of.items()}
        for name, (first, second, sign, turn) in turns.items():
            shift = sign * (angles[second] - angles[first] - turn)
            if abs(shift) > PARALLEL and first != second:
                self.shifts[name] = shift

    def _normal(self) -> Array:
        """Return the axis of the first hinge, else of the first planar joint, else of the slides.

        Hinges that close loops come after those of the tree.
        """
        kinds = Revolute, Planar, Prismatic
        axes: dict[type, list[Array]] = {kind: [] for kind in kinds}
        for body in self.system.bodies:
            if isinstance(body.joint, kinds):
                axes[type(body.joint)].append(self._axis(body))
        for loop in self.system.loops:
            if isinstance(loop.joint, Revolute):
                axis = np.array(loop.joint.axis, float)
                axes[Revolute].append(self.frame(loop.first)[:3, :3] @ axis)
        return plane_normal([*axes[Revolute], *axes[Planar]], axes[Prismatic])

    def link(self, name: str) -> PlanarLink:
        """Return a body with all that is welded to it as a link, drawn where it is."""
        group = self.groups.members[name]
        masses = np.array([float(body.mass) for body in group])
        coms = np.array([self._place(body.name, body.com) for body in group])
        total = float(masses.sum())
        com = masses @ coms / total if total > 0.0 else self._place(name, np.zeros(3))
        inertia = 0.0
        for body, mass, own in zip(group, masses.tolist(), coms, strict=True):
            n = self.poses[body.name][:3, :3].T @ self.normal
            inertia += float(n @ body.inertia_matrix() @ n) + mass * float(
                (own - com) @ (own - com)
            )
        pose = (*self._place(name, np.zeros(3)).tolist(), self.angles[name])
        return PlanarLink(total, inertia, tuple(self.in_link(name, com).tolist()), pose)

    def tree_joint(self, body: Body) -> list[PlanarJoint]:
        """Return the joint that carries a body, with its coordinate; none within a link."""
        name = self.joint_of[body.name]
        if self._is_inside(body.parent, body.name):
            self._hold(name, self._q[self.system.q_slice(name)])
            return []
        place = self._place(body.name, np.zeros(3))
        axis = self._checked_axis(name, body.joint, self._axis(body))
        if isinstance(body.joint, Revolute):
            ends = (body.parent, body.name)
            if self.normal @ self._axis(body) < 0.0:
                ends = (body.name, body.parent)
            pin = _passive(self._pin(name, ends, (place, place)), body.joint)
            return [replace(pin, rest=pin.rest + self.shifts.get(name, 0.0))]
        slide = self._slide(name, (body.parent, body.name), (self._start(body), place), axis)
        return [_passive(slide, body.joint)]

    def planar_joint(self, body: Body) -> list[PlanarJoint]:
        """Return two slides and a pin, one for each coordinate, with carriers between them."""
        name, joint = self.joint_of[body.name], body.joint
        assert isinstance(joint, Planar), "others have one coordinate"
        normal = self._checked_normal(name, joint, self._axis(body))
        X = self.poses[body.parent][:3, :3] @ body.pose.transform().R
        x, y = (X @ np.array(axis, float) for axis in (joint.axis, joint.axis2))
        start, place = self._start(body), self._place(body.name, np.zeros(3))
        middle = start + self.axes @ x * float((place - start) @ (self.axes @ x))
        carriers = list(self.carriers(name))
        self.angles |= dict.fromkeys(carriers, self.angles[body.parent])
        self.origins |= dict(zip(carriers, (middle, place), strict=True))
        names = [f"{name}.{word}" for word in joint.v_parts]
        ends = (carriers[1], body.name) if normal > 0.0 else (body.name, carriers[1])
        pin = _passive(self._pin(names[2], ends, (place, place)), joint, 2)
        return [
            _passive(self._slide(names[0], (body.parent, carriers[0]), (start, middle), x), joint),
            _passive(
                self._slide(names[1], (carriers[0], carriers[1]), (middle, place), y), joint, 1
            ),
            replace(pin, rest=pin.rest + self.shifts.get(names[2], 0.0)),
        ]

    def carriers(self, name: str) -> dict[str, PlanarLink]:
        """Return the links without mass between the slides of a planar joint."""
        links = {}
        for word in ("x", "y"):
            link = f"{name}:{word}"
            pose = (*self.origins.get(link, np.zeros(2)).tolist(), self.angles.get(link, 0.0))
            links[link] = PlanarLink(pose=pose)
        return links

    def closing_joint(self, loop: Loop) -> list[PlanarJoint] | None:
        """Return a joint that closes a loop; none within a link; None: it is no pin nor slide."""
        links = loop.first[0], loop.second[0]
        frames = [self.frame(end) for end in (loop.first, loop.second)]
        if self._is_inside(*links):
            self._hold(loop.name, _coordinates(loop, frames))
            return []
        if not isinstance(loop.joint, Revolute | Prismatic):
            return None
        across = frames[0][:3, :3] @ np.array(loop.joint.axis, float)
        along = abs(float(self.normal @ across))
        if not abs(along - isinstance(loop.joint, Revolute)) < PARALLEL:
            return None
        places = tuple(self.axes @ frame[:3, 3] for frame in frames)
        if isinstance(loop.joint, Revolute):
            ends, points = links, (places[0], places[1])
            if self.normal @ across < 0.0:
                ends, points = links[::-1], points[::-1]
            pin = _passive(self._pin(loop.name, ends, points), loop.joint)
            turned = self.angles[ends[1]] - self.angles[ends[0]]
            shift = self.loop_shifts[loop.name] = turned - float(_coordinates(loop, frames)[0])
            return [replace(pin, rest=pin.rest + shift)]
        slide = self._slide(loop.name, links, (places[0], places[1]), across)
        return [_passive(slide, loop.joint)]

    def _hold(self, name: str, q: Array) -> None:
        """Keep the coordinate of a hinge or slide within a link; welds have none."""
        if len(q):
            self.held[name] = float(q[0])

    def _is_inside(self, first: str, second: str) -> bool:
        return self.groups.link_of[first] == self.groups.link_of[second]

    def _start(self, body: Body) -> Array:
        """Return where the origin of a body is when its coordinate is zero."""
        X_WP = self.poses[body.parent]
        start: Array = X_WP[:3, :3] @ np.asarray(body.pose.xyz, float) + X_WP[:3, 3]
        return np.asarray(self.axes @ start)

    def _pin(self, name: str, links: tuple[str, str], places: tuple[Array, Array]) -> PlanarJoint:
        pa, pb = (self.in_link(link, p) for link, p in zip(links, places, strict=True))
        a, b = self.linked(links)
        return PlanarJoint(name, "R", a, b, pa, pb)

    def _slide(
        self, name: str, links: tuple[str, str], places: tuple[Array, Array], axis: Array
    ) -> PlanarJoint:
        pa, pb = (self.in_link(link, p) for link, p in zip(links, places, strict=True))
        x, y = self.axes @ axis
        angle_a, angle_b = (self.angles[link] for link in links)
        ua, beta = float(np.arctan2(y, x)) - angle_a, angle_b - angle_a
        a, b = self.linked(links)
        return PlanarJoint(name, "P", a, b, pa, pb, ua, beta)

    @property
    def world(self) -> Array:
        """Two unit vectors of the plane and its normal in the world, shape (3, 3)."""
        return np.vstack([self.axes, self.normal])

    def linked(self, bodies: Sequence[str]) -> list[str]:
        """Return the links of two bodies; carriers of planar joints are links themselves."""
        return [named_link(self.groups.link_of.get(body, body)) for body in bodies]

    def _checked_axis(self, name: str, joint: AbstractJoint, axis: Array) -> Array:
        along = abs(float(self.normal @ axis))
        turns = isinstance(joint, Revolute) and abs(along - 1.0) < PARALLEL
        slides = isinstance(joint, Prismatic) and along < PARALLEL
        if not turns and not slides:
            raise ModelError(
                f"joint {name!r} of {self.system.name!r} ({joint.kind}, axis {axis.round(4)}) does"
                f" not move in the plane across {self.normal.round(4)}: planar mechanisms have"
                " hinges along this normal, slides across it and welds"
            )
        return axis

    def _checked_normal(self, name: str, joint: Planar, axis: Array) -> float:
        along = float(self.normal @ axis)
        if abs(abs(along) - 1.0) > PARALLEL:
            raise ModelError(
                f"joint {name!r} of {self.system.name!r} ({joint.kind}, across {axis.round(4)})"
                f" does not move in the plane across {self.normal.round(4)}"
            )
        return along

    def _axis(self, body: Body) -> Array:
        axis = np.array(getattr(body.joint, "axis", (0, 0, 1)), float)
        if isinstance(body.joint, Planar):
            axis = np.cross(axis, np.array(body.joint.axis2, float))
        return np.asarray(self.poses[body.name][:3, :3] @ axis)

    def _place(self, body: str, point: Any) -> Array:  # noqa: ANN401 (three numbers)
        X = self.poses[body]
        return np.asarray(self.axes @ (X[:3, :3] @ np.asarray(point, float) + X[:3, 3]))

    def origin(self, body: str) -> Array:
        """Return where the origin of the link of a body is."""
        link = self.groups.link_of.get(body, body)
        if link in self.origins:
            return self.origins[link]
        return np.zeros(2) if link == WORLD else self._place(link, np.zeros(3))

    def in_link(self, body: str, place: Array) -> Array:
        """Return a place in the frame of the link of a body."""
        return rotated(-self.angles[body], place - self.origin(body))

    def frame(self, end: tuple[str, Any]) -> Array:
        """Return a frame on a body in the world, shape (4, 4)."""
        X = np.eye(4)
        transform = end[1].transform()
        X[:3, :3], X[:3, 3] = transform.R, transform.p
        return np.asarray(self.poses[end[0]] @ X)


class _Turn(NamedTuple):
    """A joint between two links: the sense in which it turns them, and by how much it has."""

    first: str
    second: str
    sign: float
    turn: float


def _spanning(names: Sequence[str], turns: Mapping[str, _Turn]) -> list[str]:
    """Return joints that connect all links without loops, the first ones if they can."""
    roots: dict[str, str] = {}

    def root(link: str) -> str:
        while link in roots:
            link = roots[link]
        return link

    kept = []
    for name in names:
        first, second = root(turns[name].first), root(turns[name].second)
        if first != second:
            roots[first] = second
            kept.append(name)
    return kept


def _passive(joint: PlanarJoint, given: AbstractJoint, i: int = 0) -> PlanarJoint:
    """Return a joint with what coordinate i of a system's has: spring, damper and armature."""
    matrices = given.stiffness_matrix(), given.damping_matrix(), given.armature_matrix()
    k, c, armature = (float(matrix[i, i]) for matrix in matrices)
    return replace(joint, k=k, c=c, rest=float(given.rest_position()[i]), armature=armature)


def _coordinates(loop: Loop, frames: Sequence[Array]) -> Array:
    """Return the coordinates of a loop's joint, as the System has them, from both frames."""
    apart = np.linalg.solve(frames[0], frames[1])
    return loop.joint.coordinates(Transform(apart[:3, :3], apart[:3, 3]))


def named_link(link: str) -> str:
    """Return the name of a link as linkages have it."""
    return FRAME if link == WORLD else link
