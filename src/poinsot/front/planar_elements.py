"""Force elements of a system as elements of a planar linkage.

Where the links are in the plane tells where the bodies are in space, so that the element itself
says what it does; forces across the plane are left to the bearings, which hold against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from poinsot.expr import as_expr, build, cos, fresh_symbols, optimise, sin, substitute
from poinsot.model.forces.base import AbstractForce, PointMotion
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.relation_pair import RelationCoordinate
from poinsot.model.signal import Signal
from poinsot.spatial import Array

PER_LINK = 6
"""Numbers of a link in z: pose and its rate."""


@dataclass(frozen=True, eq=False)
class DrawnEnd:
    """An end of an element in the drawing.

    Attributes:
        link: Name of its link.
        pose: Of the link, (x, y, φ).
        place: Of the end in the world [m], shape (3,).
        rotation: Of its body, shape (3, 3).
    """

    link: str
    pose: Array
    place: Array
    rotation: Array


def planar_element(
    force: AbstractForce,
    ends: Sequence[DrawnEnd],
    coordinate: Callable[[str], RelationCoordinate | float],
    plane: Array,
    given: Mapping[str, GivenNumber],
) -> PlanarElement:
    """Return an element in the plane.

    Args:
        force: The element.
        ends: Its ends in the drawing.
        coordinate: Coordinates of its joints by name; numbers where nothing moves them.
        plane: Two unit vectors of the plane and its normal in the world, shape (3, 3).
        given: Samples over time and states by name.
    """
    name = force.name or force.kind
    read = [given[own] for own in sorted(force.parameters) if own in given]
    is_timed = force.depends_on_time or has_samples(read)
    links = tuple(dict.fromkeys(end.link for end in ends))
    along_joints = [coordinate(joint) for joint in force.joints]
    counted = tuple(y for y in along_joints if isinstance(y, RelationCoordinate))
    counted += (TIME,) if is_timed else ()
    n_motions = PER_LINK * len(links) + 2 * len(counted)
    z, numbers = np.split(fresh_symbols("z", n_motions + len(read)), [n_motions])
    motions = [end_motion(end, z[PER_LINK * links.index(end.link) :], plane) for end in ends]
    t = z[-2] if force.depends_on_time else 0.0
    on_links = np.zeros((len(links), 3), object)
    for end, motion, wrench in zip(ends, motions, force.wrenches(motions, t), strict=True):
        k = links.index(end.link)
        F, couple = plane @ (motion.R @ wrench[:3]), plane[2] @ (motion.R @ wrench[3:])
        lever = plane[:2] @ motion.p - z[PER_LINK * k : PER_LINK * k + 2]
        on_links[k] += [F[0], F[1], couple + lever[0] * F[1] - lever[1] * F[0]]
    along = np.zeros(len(counted), object)
    energy: Any = force.energy(motions)
    if isinstance(force, AbstractJointForce):
        moved = iter(z[PER_LINK * len(links) :].reshape(-1, 2))
        joints = []
        for own in along_joints:
            y, rate = next(moved) if isinstance(own, RelationCoordinate) else (own, 0.0)
            y = own.shown(y) if isinstance(own, RelationCoordinate) else y
            joints.append(JointMotion(np.array([y]), np.array([rate])))
        energy = energy + force.stored([joint.q for joint in joints])
        if isinstance(along_joints[0], RelationCoordinate):
            along[0] = force.force_along(joints, t)
    values = with_given([*on_links.ravel(), *along, energy], read, numbers)
    program = optimise(build({"z": np.append(z, numbers)}, {"values": values}))
    return PlanarElement(name, links, counted, program, tuple(read))


def has_samples(given: Iterable[GivenNumber]) -> bool:
    """Say whether some of the numbers change with time."""
    return any(isinstance(number.source, Signal) for number in given)


def with_given(values: Iterable[Any], read: Sequence[GivenNumber], numbers: Array) -> Array:
    """Return expressions with inputs of a program in place of the names of given numbers."""
    inputs = {own.name: number for own, number in zip(read, numbers.tolist(), strict=True)}
    return np.array([substitute(as_expr(value), inputs) for value in values], object)


def coupling_element(
    name: str, coordinates: Sequence[RelationCoordinate], matrices: Sequence[Array], rest: Array
) -> PlanarElement:
    """Return what the springs and dampers of a joint's coordinates have in common.

    Args:
        name: Of the joint.
        coordinates: Its coordinates.
        matrices: Stiffness and damping; their diagonals are left to the joints.
        rest: Where it is relaxed.
    """
    K, C = (matrix * (1.0 - np.eye(len(matrix))) for matrix in matrices)
    z = fresh_symbols("z", 2 * len(coordinates))
    y, rates = z[::2] - rest, z[1::2]
    values = [*(-(K @ y) - C @ rates), 0.5 * (y @ (K @ y))]
    program = optimise(build({"z": z}, {"values": np.array(values, object)}))
    return PlanarElement(name, (), tuple(coordinates), program)


def end_motion(end: DrawnEnd, z: Array, plane: Array) -> PointMotion:
    """Return how an end moves when its link has the pose and rate that z begins with."""
    (x, y, angle), (vx, vy, w) = z[:3], z[3:6]
    axes, normal = plane[:2], plane[2]
    turn = angle - float(end.pose[2])
    c, s = cos(turn), sin(turn)
    offset = axes @ end.place - end.pose[:2]
    lever = np.array([c * offset[0] - s * offset[1], s * offset[0] + c * offset[1]])
    height = normal * float(normal @ end.place)
    across = np.outer(normal, normal)
    turned = np.outer(axes[1], axes[0]) - np.outer(axes[0], axes[1])
    R = (across + c * (np.eye(3) - across) + s * turned) @ end.rotation
    place = np.array([x, y]) + lever
    rate = np.array([vx - w * lever[1], vy + w * lever[0]])
    return PointMotion(place @ axes + height, rate @ axes, R, w * normal)
