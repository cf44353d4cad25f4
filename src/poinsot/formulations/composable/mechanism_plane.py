"""A mechanism whose joints move in one plane as a planar linkage, all joints of its tree driven.

In the neutral configuration all links have the angle zero, so that the frame of a link is at its
body's origin with the axes of the plane.  A planar joint becomes two slides and a pin with massless
links between them; what is welded is a slide with a driver that rests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, TypeGuard

import numpy as np

from poinsot.errors import ModelError
from poinsot.formulations.composable.plane import plane_normal
from poinsot.model import (
    WORLD,
    AbstractJoint,
    Body,
    Cylindrical,
    Fixed,
    Loop,
    Mechanism,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Spherical,
)
from poinsot.model.constraints.base import AbstractConstraint
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.planar.coupling_pair import coupling_pair
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.higher_pair import PlanarPair
from poinsot.model.planar.joint import CoupledRotors, coupled_rotors
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from poinsot.model.planar.relation_pair import (
    RelationCoordinate,
    RelationPair,
    relation_pairs,
    relation_point,
)
from poinsot.spatial import Array, Transform

PARALLEL: Final = 1e-9
"""Sine or cosine of an angle that counts as zero."""


@dataclass(frozen=True, eq=False)
class MechanismPlane:
    """A mechanism in its plane.

    Attributes:
        axes: Two unit vectors of the plane in the world, shape (2, 3).
        normal: The third one, about which angles count, shape (3,).
        links: Bodies as links, the massless ones of planar joints among them.
        tree: Joints of the tree; coordinates of these names are those of the mechanism.
        loops: Joints that close loops.
        coordinates: Names of joints of the tree, one for each velocity.
        pairs: Gears, racks and other equations of positions.
        others: Loops and constraints that are neither: their rows hold what the units leave free.
        locked: Names of joints that are welded.
        projections: For each body the axes of its link in its own, shape (3, 3): two of the plane,
            then the normal.
        coupled_rotors: What armature of two coordinates of a joint has in common.
    """

    axes: Array
    normal: Array
    links: dict[str, PlanarLink]
    tree: tuple[PlanarJoint, ...]
    loops: tuple[PlanarJoint, ...]
    pairs: tuple[PlanarPair, ...]
    coordinates: tuple[str, ...]
    locked: tuple[str, ...]
    projections: dict[str, Array]
    coupled_rotors: tuple[CoupledRotors, ...] = ()
    others: tuple[AbstractConstraint, ...] = ()

    def linkage(self, drivers: tuple[str, ...], *, closed: bool) -> PlanarLinkage:
        """Return the linkage without gravity; what is welded is driven besides ``drivers``."""
        joints = (*self.tree, *(self.loops if closed else ()))
        present = {joint.name for joint in joints}
        locks = tuple(name for name in self.locked if name in present)
        pairs = self.pairs if closed else ()
        return PlanarLinkage(
            self.links, joints, (*drivers, *locks), pairs=pairs, coupled_rotors=self.coupled_rotors
        )


@lru_cache(maxsize=64)
def mechanism_plane(mechanism: Mechanism) -> MechanismPlane:
    """Return a mechanism in its plane.

    Raises:
        ModelError: A joint of the tree does not move in the plane of the others.
    """
    return _PlaneReader(mechanism).plane()


class _PlaneReader:
    def __init__(self, mechanism: Mechanism) -> None:
        self._mechanism = mechanism
        self._poses = {WORLD: Transform.identity()}
        neutral = mechanism.neutral()
        for i in mechanism.order:
            body = mechanism.bodies[i]
            X = self._poses[body.parent] @ body.pose.transform()
            self._poses[body.name] = X @ body.joint.transform(neutral[mechanism.q_slices[i]])
        self._rotations = {
            name: _numbers(X.R, f"the frame of body {name!r}") for name, X in self._poses.items()
        }
        self.normal = self._normal()
        across = np.eye(3)[int(np.argmin(np.abs(self.normal)))]
        first = np.cross(across, self.normal) if abs(self.normal[2]) < 1 else np.eye(3)[0]
        first = first / np.linalg.norm(first)
        self.axes = np.array([first, np.cross(self.normal, first)])
        world = np.vstack([self.axes, self.normal])
        self._projections = {name: world @ R for name, R in self._rotations.items()}
        self._links: dict[str, PlanarLink] = {}
        self._coordinates: list[str] = []
        self._locked: list[str] = []
        self._coupled_rotors: list[CoupledRotors] = []

    def plane(self) -> MechanismPlane:
        mechanism = self._mechanism
        tree: list[PlanarJoint] = []
        for body, name in zip(mechanism.bodies, mechanism.joint_names, strict=True):
            self._links[body.name] = self._link(body)
            joints = self._tree_joints(body, name)
            if not isinstance(body.joint, Fixed):
                joints = self._with_armature(joints, body.joint.armature_matrix())
            tree += joints
        loops: list[PlanarJoint] = []
        others: list[AbstractConstraint] = []
        for loop in mechanism.loops:
            closing = self._closing_joint(loop)
            loops += closing or []
            others += [loop] if closing is None else []
        by_name = {joint.name: joint for joint in (*tree, *loops)}
        pairs: list[PlanarPair] = []
        for constraint in mechanism.constraints:
            if not self._is_pair(constraint, by_name):
                others.append(constraint)
            elif isinstance(constraint, AbstractCoupling):
                pairs.append(coupling_pair(constraint, by_name))
            else:
                pairs += self._relation(constraint, by_name)
        return MechanismPlane(
            self.axes, self.normal, self._links, tuple(tree), tuple(loops), tuple(pairs),
            tuple(self._coordinates), tuple(self._locked), self._projections,
            tuple(self._coupled_rotors), tuple(others),
        )  # fmt: skip

    def _is_pair(
        self, constraint: AbstractConstraint, joints: Mapping[str, PlanarJoint]
    ) -> TypeGuard[AbstractRelation]:
        """Whether a constraint is an equation of positions between links and such joints alone."""
        if not isinstance(constraint, AbstractRelation) or constraint.depends_on_time:
            return False
        return all(name in joints for name in constraint.joints)

    def _normal(self) -> Array:
        """Return the axis of the first hinge, else the normal of the slides."""
        hinges, slides = list[Array](), list[Array]()
        for body in self._mechanism.bodies:
            R, joint = self._rotations[body.name], body.joint
            if isinstance(joint, Revolute):
                hinges.append(R @ np.array(joint.axis, float))
            if isinstance(joint, Planar):
                hinges.append(R @ np.cross(joint.axis, joint.axis2).astype(float))
            if isinstance(joint, Prismatic):
                slides.append(R @ np.array(joint.axis, float))
        return plane_normal(hinges, slides)

    def _link(self, body: Body) -> PlanarLink:
        P = self._projections[body.name]
        inertia = P[2] @ body.inertia_matrix() @ P[2]
        return PlanarLink(body.mass, inertia, P[:2] @ np.array(body.com))

    def _tree_joints(self, body: Body, name: str) -> list[PlanarJoint]:
        """Return the joints that carry a body, one for each coordinate."""
        joint, parent = body.joint, _named(body.parent)
        place = self._projections[body.parent][:2] @ np.array(body.pose.xyz)
        R = self._rotations[body.name]
        if isinstance(joint, Fixed):
            self._locked.append(name)
            return [PlanarJoint(name, "P", parent, body.name, place)]
        if isinstance(joint, Revolute):
            along = self._along(name, joint, R @ np.array(joint.axis, float), turns=True)
            self._coordinates.append(name)
            ends = (parent, body.name) if along > 0 else (body.name, parent)
            origins = (place, np.zeros(2)) if along > 0 else (np.zeros(2), place)
            return [PlanarJoint(name, "R", *ends, *origins)]
        if isinstance(joint, Prismatic):
            self._coordinates.append(name)
            return [self._slide(name, joint, R @ np.array(joint.axis, float), parent, body.name,
                                place)]  # fmt: skip
        if isinstance(joint, Planar):
            first, second = (R @ np.array(axis, float) for axis in (joint.axis, joint.axis2))
            along = self._along(name, joint, np.cross(first, second), turns=True)
            mids = f"{name}:x", f"{name}:y"
            self._links |= {mid: PlanarLink() for mid in mids}
            names = [f"{name}.{word}" for word in joint.v_parts]
            self._coordinates += names
            ends = (mids[1], body.name) if along > 0 else (body.name, mids[1])
            return [
                self._slide(names[0], joint, first, parent, mids[0], place),
                self._slide(names[1], joint, second, mids[0], mids[1], np.zeros(2)),
                PlanarJoint(names[2], "R", *ends),
            ]
        raise ModelError(self._refusal(name, joint))

    def _with_armature(self, joints: Sequence[PlanarJoint], B: Array) -> list[PlanarJoint]:
        """Return the joints of a tree's joint with the armature of its coordinates."""
        own = np.diagonal(B).tolist()
        self._coupled_rotors += coupled_rotors([joint.name for joint in joints], B)
        return [replace(joint, armature=x) for joint, x in zip(joints, own, strict=True)]

    def _closing_joint(self, loop: Loop) -> list[PlanarJoint] | None:
        """Return joints that close a loop in the plane, none for a planar one; None: rows do."""
        joint, ends, places, frames = loop.joint, [], [], []
        for name, pose in (loop.first, loop.second):
            X = pose.transform()
            frames.append(self._rotations[name] @ _numbers(X.R, f"the frame of {loop.name!r}"))
            ends.append(_named(name))
            places.append(self._projections[name][:2] @ np.array(X.p))
        if isinstance(joint, Spherical):
            return [PlanarJoint(loop.name, "R", ends[0], ends[1], *places)]
        if isinstance(joint, Fixed):
            self._locked.append(loop.name)
            return [PlanarJoint(loop.name, "P", ends[0], ends[1], *places)]
        if isinstance(joint, Revolute | Cylindrical):
            along = float(self.normal @ frames[0] @ np.array(joint.axis, float))
            if not _is_parallel(along):
                return None
            if along < 0.0:
                ends, places = ends[::-1], places[::-1]
            return [PlanarJoint(loop.name, "R", ends[0], ends[1], *places)]
        if isinstance(joint, Planar):
            normal = frames[0] @ np.cross(joint.axis, joint.axis2).astype(float)
            return [] if _is_parallel(float(self.normal @ normal)) else None
        if isinstance(joint, Prismatic):
            axis = frames[0] @ np.array(joint.axis, float)
            if abs(self.normal @ axis) > PARALLEL:
                return None
            slide = self._slide(loop.name, joint, axis, ends[0], ends[1], places[0], places[1])
            return [slide]
        return None

    def _relation(
        self, relation: AbstractRelation, joints: Mapping[str, PlanarJoint]
    ) -> list[RelationPair]:
        """Return an equation of points and coordinates as pairs."""
        points = []
        for ends in relation.pairs:
            frames = [self._frame(body, pose) for body, pose in ends]
            poses = [np.append(self.axes @ _numbers(self._poses[body].p, f"body {body!r}"), 0.0)
                     for body, _ in ends]  # fmt: skip
            names = [_named(body) for body, _ in ends]
            points.append(relation_point(names, poses, frames, np.vstack([self.axes, self.normal])))

        def coordinate(key: str | int) -> RelationCoordinate:
            return RelationCoordinate(
                joints[key if isinstance(key, str) else self._coordinates[key]]
            )

        return relation_pairs(relation, points, coordinate, "method 'composable'")

    def _frame(self, body: str, pose: Pose) -> Array:
        """Return a frame on a body in the world, shape (4, 4)."""
        X, frame = self._poses[body] @ pose.transform(), np.eye(4)
        frame[:3, :3] = _numbers(X.R, f"a frame on {body!r}")
        frame[:3, 3] = _numbers(X.p, f"a point of {body!r}")
        return frame

    def _slide(
        self, name: str, joint: AbstractJoint, axis: Array, a: str, b: str, pa: Array,
        pb: Array | None = None,
    ) -> PlanarJoint:  # fmt: skip
        self._along(name, joint, axis, turns=False)
        x, y = self.axes @ axis
        origin = np.zeros(2) if pb is None else pb
        return PlanarJoint(name, "P", a, b, pa, origin, float(np.arctan2(y, x)))

    def _along(self, name: str, joint: AbstractJoint, axis: Array, *, turns: bool) -> float:
        """Return the part of an axis along the normal, checked."""
        along = float(self.normal @ axis)
        if not (_is_parallel(along) if turns else abs(along) <= PARALLEL):
            raise ModelError(self._refusal(name, joint))
        return along

    def _refusal(self, name: str, joint: AbstractJoint) -> str:
        return (
            f"method 'composable': joint {name!r} ({joint.kind}) of {self._mechanism.name!r} does "
            f"not move in the plane across {(self.normal.round(4) + 0.0).tolist()}; planar units "
            "know hinges along this normal, slides across it and welds; choose another method"
        )


def _is_parallel(along: float) -> bool:
    """Whether an axis has this part along the normal: hinges turn in the plane."""
    return abs(abs(along) - 1.0) <= PARALLEL


def _numbers(values: Any, what: str) -> Array:  # noqa: ANN401 (floats or expressions)
    try:
        return np.asarray(values, float)
    except TypeError:
        raise ModelError(
            f"method 'composable': {what} turns with a free parameter, so that its plane is not "
            "known; give the parameter a number, or choose another method"
        ) from None


def _named(body: str) -> str:
    return FRAME if body == WORLD else body
