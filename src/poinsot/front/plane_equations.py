"""Constraints, force elements and rotors of a system in its plane, for a planar linkage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.planar_elements import DrawnEnd, coupling_element, planar_element
from poinsot.front.planar_rows import PlanarRows, closure_element, constraint_rows
from poinsot.front.planar_state_rates import planar_state_rates
from poinsot.front.system_plane import PARALLEL, SystemPlane, named_link
from poinsot.model import Body, Mechanism, Planar, Spring
from poinsot.model.constraints.base import AbstractConstraint, Frame
from poinsot.model.constraints.moving_constraint import AbstractClosure
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.forces.base import AbstractForce
from poinsot.model.planar.clock import CLOCK, TIME
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.joint import CoupledRotors, coupled_rotors
from poinsot.model.planar.linkage import PlanarJoint, PlanarSpring
from poinsot.model.planar.relation_pair import (
    RelationCoordinate,
    RelationPair,
    relation_pairs,
    relation_point,
)
from poinsot.model.planar.state_rates import StateRates
from poinsot.model.scalar_values import nonzero


class PlaneEquations:
    """What constrains and moves the bodies of a system besides joints, in their plane.

    Args:
        plane: Where the bodies are.
        joints: The joints of the linkage by name.
        given: Samples over time and states that force elements may read, by name.
    """

    def __init__(
        self, plane: SystemPlane, joints: Mapping[str, PlanarJoint],
        given: Mapping[str, GivenNumber],
    ) -> None:  # fmt: skip
        self._plane, self._joints, self._given = plane, joints, given

    def couplings(self, body: Body) -> tuple[list[PlanarElement], list[CoupledRotors]]:
        """Return what coordinates of a planar joint have in common: springs, dampers, rotors."""
        name, joint = self._plane.joint_of[body.name], body.joint
        names = [f"{name}.{word}" for word in joint.v_parts]
        if names[0] not in self._joints:
            return [], []
        matrices = joint.stiffness_matrix(), joint.damping_matrix()
        beside = ~np.eye(len(names), dtype=bool)
        elements = []
        if any(nonzero(matrix[beside]) for matrix in matrices):
            own = [
                RelationCoordinate(self._joints[x], self._plane.shifts.get(x, 0.0)) for x in names
            ]
            rest = np.asarray(joint.rest_position(), float)
            elements.append(coupling_element(name, own, matrices, rest))
        return elements, coupled_rotors(names, np.asarray(joint.armature_matrix(), float))

    def relation(self, relation: AbstractRelation) -> list[RelationPair]:
        """Return an equation of points and coordinates as pairs."""
        plane, points = self._plane, []
        for ends in relation.pairs:
            bodies = [body for body, _ in ends]
            poses = [np.append(plane.origin(body), plane.angles[body]) for body in bodies]
            frames = [plane.frame(end) for end in ends]
            points.append(relation_point(plane.linked(bodies), poses, frames, plane.world))
        names = self._coordinate_names()
        label = f"constraint {relation.name!r}"

        def coordinate(key: str | int) -> RelationCoordinate | float:
            return self._coordinate(key if isinstance(key, str) else names[key], label)

        return relation_pairs(relation, points, coordinate, repr(plane.system.name), TIME)

    def rows(self, constraint: AbstractConstraint, t: float) -> PlanarRows:
        """Return a constraint of any other kind as rows."""
        links = dict.fromkeys(self._plane.groups.link_of.values())
        drawn = {
            named_link(k): np.append(self._plane.origin(k), self._plane.angles[k]) for k in links
        }
        for carrier, origin in self._plane.origins.items():
            drawn[carrier] = np.append(origin, self._plane.angles[carrier])

        drawn |= {CLOCK: np.array([t, 0.0, 0.0]), FRAME: np.zeros(3)}
        return constraint_rows(constraint, *self._view(constraint), drawn=drawn)

    def passive(self, closure: AbstractClosure) -> PlanarElement:
        """Return the spring and damper of a loop, or of a point on a curve."""
        return closure_element(closure, *self._view(closure))

    def _view(self, constraint: AbstractConstraint) -> tuple[Any, ...]:
        """Return what a ``PlanarView`` of this plane is made of."""
        label = f"constraint {constraint.name!r}"

        def end(frame: Frame) -> DrawnEnd:
            X = self._plane.frame(frame)
            pose = np.append(self._plane.origin(frame[0]), self._plane.angles[frame[0]])
            return DrawnEnd(self._plane.linked([frame[0]])[0], pose, X[:3, 3], X[:3, :3])

        def coordinate(name: str) -> RelationCoordinate | float:
            return self._coordinate(name, label)

        return end, coordinate, self._coordinate_names(), self._plane.world

    def _coordinate_names(self) -> list[str]:
        """Return the names of all coordinates of the tree's joints."""
        names: list[str] = []
        for body, name in zip(
            self._plane.system.bodies, self._plane.system.joint_names, strict=True
        ):
            is_planar = isinstance(body.joint, Planar)
            parts = [f"{name}.{word}" for word in body.joint.v_parts] if is_planar else [name]
            names += parts if body.joint.nq else []
        return names

    def element(self, force: AbstractForce) -> PlanarElement:
        """Return any force element as one of the plane."""
        ends = []
        for body, point in force.ends:
            X = self._plane.poses[body]
            pose = np.append(self._plane.origin(body), self._plane.angles[body])
            place = X[:3, :3] @ np.asarray(point, float) + X[:3, 3]
            ends.append(DrawnEnd(self._plane.linked([body])[0], pose, place, X[:3, :3]))
        label = f"{force.kind} {force.name or ''!r}"

        def coordinate(name: str) -> RelationCoordinate | float:
            return self._coordinate(name, label)

        return planar_element(force, ends, coordinate, self._plane.world, self._given)

    def state_rates(self, mechanism: Mechanism) -> StateRates:
        """Return how the states of a mechanism change whose parameters are numbers.

        Args:
            mechanism: The system's, with its states and samples over time as symbols.
        """
        label = f"states of {mechanism.name!r}"
        coordinates = [self._coordinate(name, label) for name in self._coordinate_names()]
        return planar_state_rates(mechanism, coordinates, self._given)

    def spring(self, element: Spring) -> PlanarSpring | None:
        """Return a spring between two points of the same height as one of the plane."""
        (first, p), (second, r) = element.first, element.second
        poses = self._plane.poses
        ends = [X[:3, :3] @ np.asarray(point, float) + X[:3, 3]
                for X, point in ((poses[first], p), (poses[second], r))]  # fmt: skip
        height = float(self._plane.normal @ (ends[1] - ends[0]))
        if abs(height) > PARALLEL * (1.0 + float(np.linalg.norm(ends[1] - ends[0]))):
            return None
        points = [self._plane.in_link(body, self._plane.axes @ end)
                  for body, end in zip((first, second), ends, strict=True)]  # fmt: skip
        numbers = (float(x) for x in (element.stiffness, element.damping, element.length))
        a, b = self._plane.linked((first, second))
        return PlanarSpring(
            element.name or f"{first} to {second}", a, b, points[0], points[1], *numbers
        )

    def _coordinate(self, name: str, label: str) -> RelationCoordinate | float:
        """Return a joint's coordinate; a number where a link holds both ends."""
        if name in self._plane.loop_shifts:
            return RelationCoordinate(self._joints[name], self._plane.loop_shifts[name], wraps=True)
        if name in self._joints:
            return RelationCoordinate(self._joints[name], self._plane.shifts.get(name, 0.0))
        if name not in self._plane.held:
            raise ModelError(
                f"{label} of {self._plane.system.name!r}: joint {name!r} is no hinge or slide in"
                " the plane"
            )
        return self._plane.held[name]
