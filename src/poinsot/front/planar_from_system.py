"""A ``System`` that moves in a plane as a planar linkage.

The plane is across the first axis about which something turns.  Joints of the tree keep their
coordinates: a link's frame is at its body's origin and turns with the sum of the angles before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import rotated
from poinsot.front.system import System
from poinsot.model import WORLD, AbstractJoint, Body, Loop, Planar, Prismatic, Revolute
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.planar.coupling_pair import coupling_pair
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array

PARALLEL: Final = 1e-9
"""Sine or cosine of an angle that counts as zero."""


def planar_linkage_of(system: System, drivers: Sequence[str], q: Array) -> PlanarLinkage:
    """Return the linkage; see ``PlanarMechanism.from_system``."""
    for joint in (*(body.joint for body in system.bodies), *(loop.joint for loop in system.loops)):
        resists = nonzero(joint.damping) or nonzero(joint.stiffness)
        if nonzero(joint.armature) or (resists and not isinstance(joint, Revolute | Prismatic)):
            raise ModelError(
                f"{system.name!r} has armature in a {joint.kind} joint, or damping or stiffness in"
                " one of several coordinates, which planar mechanisms have not; give drivers'"
                " forces and loads instead"
            )
    for loop in system.loops:
        if nonzero(loop.joint.stiffness):
            raise ModelError(
                f"loop {loop.name!r} of {system.name!r} has stiffness, whose rest planar mechanisms"
                " do not know; put it on a joint of the tree, or use a Spring"
            )
    couplings = [c for c in system.constraints if isinstance(c, AbstractCoupling)]
    others = len(system.constraints) - len(couplings)
    if system.forces or system.free or system.states or others:
        raise ModelError(
            f"{system.name!r} has force elements, constraints, states or free parameters, which"
            " planar mechanisms have not; give loads to their methods instead"
        )
    plane = _Plane(system, q)
    links = {body.name: plane.link(body) for body in system.bodies}
    joints = [
        plane.tree_joint(body) for body in system.bodies if not isinstance(body.joint, Planar)
    ]
    joints += [plane.closing_joint(loop) for loop in system.loops]
    pairs = tuple(coupling_pair(c, {joint.name: joint for joint in joints}) for c in couplings)
    gravity = tuple((plane.axes @ np.asarray(system.gravity, float)).tolist())
    return PlanarLinkage(links, tuple(joints), tuple(drivers), gravity, pairs=pairs)


class _Plane:
    """Where bodies are in the plane at one configuration.

    Attributes:
        axes: Two unit vectors of the plane in the world, shape (2, 3).
        normal: The third one, about which angles count.
    """

    def __init__(self, system: System, q: Array) -> None:
        self._system = system
        self._poses = {WORLD: np.eye(4)}
        self._poses |= {
            body: np.asarray(system.pose(body, q, backend="floats")) for body in system.body_names
        }
        turning = [body for body in system.bodies if isinstance(body.joint, Revolute)]
        self.normal = self._axis(turning[0]) if turning else np.array([0.0, 0.0, 1.0])
        across = np.eye(3)[int(np.argmin(np.abs(self.normal)))]
        first = np.cross(across, self.normal) if abs(self.normal[2]) < 1 else np.eye(3)[0]
        first = first / np.linalg.norm(first)
        self.axes = np.array([first, np.cross(self.normal, first)])
        self._angles = {WORLD: 0.0}
        self._joints = dict(zip(system.body_names, system.joint_names, strict=True))
        for index in system.mechanism.order:
            body = system.bodies[index]
            turn = 0.0
            if isinstance(body.joint, Revolute | Planar):
                sign = np.sign(self.normal @ self._axis(body))
                turn = sign * float(q[system.q_slice(self._joints[body.name])][-1])
            self._angles[body.name] = self._angles[body.parent] + turn

    def link(self, body: Body) -> PlanarLink:
        """Return a body as a link, drawn where it is."""
        rotation = self._poses[body.name][:3, :3]
        com = self._in_link(body.name, self._place(body.name, body.com))
        n = rotation.T @ self.normal
        inertia = float(n @ body.inertia_matrix() @ n)
        pose = (*self._place(body.name, np.zeros(3)).tolist(), self._angles[body.name])
        return PlanarLink(float(body.mass), inertia, tuple(com.tolist()), pose)

    def tree_joint(self, body: Body) -> PlanarJoint:
        """Return the joint that carries a body; it keeps its coordinate."""
        name = self._joints[body.name]
        place = self._place(body.name, np.zeros(3))
        axis = self._checked_axis(name, body.joint, self._axis(body))
        if isinstance(body.joint, Revolute):
            ends = (body.parent, body.name)
            if self.normal @ self._axis(body) < 0.0:
                ends = (body.name, body.parent)
            return _passive(self._pin(name, ends, (place, place)), body.joint)
        # The guide starts where the coordinate is zero.
        X_WP = self._poses[body.parent]
        start = self.axes @ (X_WP[:3, :3] @ np.asarray(body.pose.xyz, float) + X_WP[:3, 3])
        slide = self._slide(name, (body.parent, body.name), (start, place), axis)
        return _passive(slide, body.joint)

    def closing_joint(self, loop: Loop) -> PlanarJoint:
        """Return a joint that closes a loop."""
        frames = [self._frame(end) for end in (loop.first, loop.second)]
        axis = np.array(getattr(loop.joint, "axis", (0, 0, 1)), float)
        across = self._checked_axis(loop.name, loop.joint, frames[0][:3, :3] @ axis)
        places = tuple(self.axes @ frame[:3, 3] for frame in frames)
        links = loop.first[0], loop.second[0]
        if isinstance(loop.joint, Revolute):
            return _passive(self._pin(loop.name, links, (places[0], places[1])), loop.joint)
        slide = self._slide(loop.name, links, (places[0], places[1]), across)
        return _passive(slide, loop.joint)

    def _pin(self, name: str, links: tuple[str, str], places: tuple[Array, Array]) -> PlanarJoint:
        pa, pb = (self._in_link(link, p) for link, p in zip(links, places, strict=True))
        return PlanarJoint(name, "R", _named(links[0]), _named(links[1]), pa, pb)

    def _slide(
        self, name: str, links: tuple[str, str], places: tuple[Array, Array], axis: Array
    ) -> PlanarJoint:
        pa, pb = (self._in_link(link, p) for link, p in zip(links, places, strict=True))
        x, y = self.axes @ axis
        angle_a, angle_b = (self._angles[link] for link in links)
        ua, beta = float(np.arctan2(y, x)) - angle_a, angle_b - angle_a
        return PlanarJoint(name, "P", _named(links[0]), _named(links[1]), pa, pb, ua, beta)

    def _checked_axis(self, name: str, joint: AbstractJoint, axis: Array) -> Array:
        along = abs(float(self.normal @ axis))
        turns = isinstance(joint, Revolute) and abs(along - 1.0) < PARALLEL
        slides = isinstance(joint, Prismatic) and along < PARALLEL
        if not turns and not slides:
            raise ModelError(
                f"joint {name!r} of {self._system.name!r} ({joint.kind}, axis {axis.round(4)}) does"
                f" not move in the plane across {self.normal.round(4)}: planar mechanisms have"
                " hinges along this normal and slides across it"
            )
        return axis

    def _axis(self, body: Body) -> Array:
        axis = np.array(getattr(body.joint, "axis", (0, 0, 1)), float)
        if isinstance(body.joint, Planar):
            axis = np.cross(axis, np.array(body.joint.axis2, float))
        return np.asarray(self._poses[body.name][:3, :3] @ axis)

    def _place(self, body: str, point: Any) -> Array:  # noqa: ANN401 (three numbers)
        X = self._poses[body]
        return np.asarray(self.axes @ (X[:3, :3] @ np.asarray(point, float) + X[:3, 3]))

    def _in_link(self, body: str, place: Array) -> Array:
        origin = self._place(body, np.zeros(3)) if body != WORLD else np.zeros(2)
        return rotated(-self._angles[body], place - origin)

    def _frame(self, end: tuple[str, Any]) -> Array:
        X = np.eye(4)
        transform = end[1].transform()
        X[:3, :3], X[:3, 3] = transform.R, transform.p
        return np.asarray(self._poses[end[0]] @ X)


def _passive(joint: PlanarJoint, given: AbstractJoint) -> PlanarJoint:
    """Return a joint with the damping, stiffness and rest of a system's."""
    k, c, rest = (
        float(np.asarray(x, float).ravel()[0]) for x in (given.stiffness, given.damping, given.rest)
    )
    return replace(joint, k=k, c=c, rest=rest)


def _named(link: str) -> str:
    return FRAME if link == WORLD else link
