"""The links of the recursions, in frames that minimise the arithmetic.

Bodies that are fixed to each other are one link.  The frame of a link that turns or slides has its
z axis along the joint, its x axis along the common normal to the next joint, and its origin at the
foot of the common normal to the previous one.  The transform from a link's parent to it is then

    X = Rz(gamma) Rx(alpha) Rz(q + offset)      about (a, 0, d)

for a joint that turns, gamma being zero for the first child: the frames of Khalil and Kleinfinger
[KhalilDombre2002], with the origin slid to where most coordinates vanish.  Joint forces,
accelerations and the mass matrix do not depend on the choice.

Where a position depends on free parameters, frames stay at the joint as described; only their axes
are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

import numpy as np

from poinsot.expr import cos, sin
from poinsot.expr.same_formula import same
from poinsot.formulations.recursive.link_frames import align, euler_zxz
from poinsot.formulations.recursive.planar_rotation import AbstractTurn, FullTurn, PlanarTurn
from poinsot.model import (
    AbstractJoint,
    Environment,
    Mechanism,
    Prismatic,
    Revolute,
    is_symbolic,
)
from poinsot.spatial import Array, Inertia, Scalar, Transform

ROUNDING = 1e-14
"""Entries of placements this close to an integer are rounded to it; less for small bodies."""


@dataclass(frozen=True, eq=False)
class Link:
    """One or more bodies that move as one.

    Attributes:
        parent: Number of the link that carries it; -1 for the world.
        joint: How it moves; a revolute or prismatic joint is along z.
        turns: Constant rotations from the parent's axes to the joint's, in order.
        p: Position of the joint in the parent's frame [m], shape (3,).
        offset: Angle added to q of a revolute joint [rad].
        mass: Mass [kg].
        h: First moment [kg m], in the link's frame, shape (3,).
        sigma: Second moment, integral of r rᵀ dm [kg m²], shape (3, 3).
        q, v: Slices of its coordinates and velocities.
    """

    parent: int
    joint: AbstractJoint
    turns: tuple[AbstractTurn, ...]
    p: Array
    offset: Scalar
    mass: Scalar
    h: Array
    sigma: Array
    q: slice
    v: slice

    def placed(self, q: Array) -> Placement:
        """Return the placement of the link in its parent at its coordinates ``q``, shape (nq,)."""
        if isinstance(self.joint, Revolute):
            return Placement((*self.turns, hinge_turn(self.offset, q[0])), self.p)
        if isinstance(self.joint, Prismatic):
            shift = np.array([0.0, 0.0, 1.0]) * q[0]
            return Placement(self.turns, self.p + Placement(self.turns, self.p).to_parent(shift))
        X_JB = self.joint.transform(q)
        p = self.p + Placement(self.turns, self.p).to_parent(X_JB.p)
        return Placement((*self.turns, FullTurn(X_JB.R)), p)

    def inertia(self) -> Inertia:
        """Return the spatial inertia about the link's origin."""
        trace = self.sigma[0, 0] + self.sigma[1, 1] + self.sigma[2, 2]
        return Inertia(self.mass, self.h, trace * np.eye(3) - self.sigma)


def hinge_turn(offset: Scalar, q: Scalar) -> PlanarTurn:
    """Return the rotation of a hinge about its axis, z."""
    quarter = _quarter_turns(offset)
    if quarter is None:
        angle = q + offset
        return PlanarTurn(2, cos(angle), sin(angle))
    c, s = cos(q), sin(q)
    return PlanarTurn(2, *((c, s), (-s, c), (-c, -s), (s, -c))[quarter])


@dataclass(frozen=True, eq=False)
class Placement:
    """The pose of a link in its parent: successive rotations, and its origin ``p``."""

    turns: tuple[AbstractTurn, ...]
    p: Array

    def to_parent(self, u: Array) -> Array:
        """Return R u."""
        for turn in reversed(self.turns):
            u = turn.to_parent(u)
        return u

    def to_child(self, u: Array) -> Array:
        """Return Rᵀ u."""
        for turn in self.turns:
            u = turn.to_child(u)
        return u

    def congruence(self, A: Array) -> Array:
        """Return R A Rᵀ of a symmetric matrix."""
        for turn in reversed(self.turns):
            A = turn.congruence(A)
        return A

    def conjugate(self, A: Array) -> Array:
        """Return R A Rᵀ of any matrix."""
        for turn in reversed(self.turns):
            A = turn.conjugate(A)
        return A


@lru_cache(maxsize=64)
def links_of(mechanism: Mechanism) -> tuple[Link, ...]:
    """Return the links of a mechanism, parents before children."""
    rigid, frames, _ = _aligned_groups(mechanism)
    links = []
    for group, X_BC in zip(rigid, frames, strict=True):
        X_PC = group.X_PJ @ X_BC
        length = _size(group.X_PJ.p) + _size(X_BC.p)
        if group.parent >= 0:
            X_PC = frames[group.parent].inverse() @ X_PC
            length += _size(frames[group.parent].p)
        turns, offset = _constant_turns(X_PC.R, group.joint)
        moment = _size(group.inertia.h) + _size(group.inertia.mass * X_BC.p)
        inertia = group.inertia.to_parent(X_BC.inverse())
        links.append(
            Link(
                group.parent,
                _along_z(group.joint),
                turns,
                _rounded(X_PC.p, length),
                offset,
                inertia.mass,
                _rounded(inertia.h, moment),
                inertia.second_moment(),
                group.q,
                group.v,
            )
        )
    return tuple(links)


def link_wrenches(mechanism: Mechanism, environment: Environment) -> dict[int, Array]:
    """Return the external wrench on each loaded link, in its frame, shape (6,)."""
    loads: dict[int, Array] = {}
    for body, wrench in environment.wrenches.items():
        link, X_CB = link_frame(mechanism, body)
        if link >= 0:
            load = X_CB.force_to_parent(wrench)
            loads[link] = loads[link] + load if link in loads else load
    return loads


def link_frame(mechanism: Mechanism, body: int) -> tuple[int, Transform]:
    """Return the link that a body belongs to (-1 for the world), and its frame in the link's."""
    _, frames, member = _aligned_groups(mechanism)
    link, X_GB = member[body]
    return link, frames[link].inverse() @ X_GB if link >= 0 else X_GB


@lru_cache(maxsize=64)
def rolled_links(mechanism: Mechanism) -> tuple[Link, ...]:
    """Return the links of rolled joint forces: regrouped, unless there are free parameters.

    Regrouped parameters of a link are formulas of those of all links behind it.
    """
    return links_of(mechanism) if mechanism.free_parameters else regrouped_links(mechanism)


def regrouped_links(mechanism: Mechanism) -> tuple[Link, ...]:
    """Return links with as few inertial parameters as the joint forces need.

    Parameters without effect on the joint force are regrouped with the parent's: the mass on the
    axis of a revolute joint (m, hz and the second moment along z), the rotational inertia behind a
    prismatic one, the mass at the centre of a spherical one.  Those of roots are dropped.
    [KhalilDombre2002]

    The mass matrix, the bias and the joint forces stay the same; energies, reactions and the
    articulated inertias of single links do not.
    """
    links = list(links_of(mechanism))
    for k in range(len(links) - 1, -1, -1):
        link = links[k]
        mass, h, sigma = link.mass, np.zeros(3), np.zeros((3, 3))
        if isinstance(link.joint, Revolute):
            h, sigma = _ALONG_Z * link.h, np.outer(_ALONG_Z, _ALONG_Z) * link.sigma
        elif isinstance(link.joint, Prismatic):
            mass, sigma = 0.0, link.sigma
        elif link.joint.kind != "spherical":
            continue
        links[k] = replace(link, mass=link.mass - mass, h=link.h - h, sigma=link.sigma - sigma)
        if link.parent >= 0:
            base = links[link.parent]
            placement = Placement(link.turns, link.p)
            g = placement.to_parent(h)
            moment = np.outer(g, link.p) + np.outer(link.p, g) + mass * np.outer(link.p, link.p)
            links[link.parent] = replace(
                base,
                mass=base.mass + mass,
                h=base.h + g + mass * link.p,
                sigma=base.sigma + placement.congruence(sigma) + moment,
            )
    return tuple(links)


@dataclass
class _Group:
    """Bodies fixed to each other, in the frame of the first."""

    parent: int
    joint: AbstractJoint
    X_PJ: Transform
    inertia: Inertia
    q: slice
    v: slice


@lru_cache(maxsize=64)
def _aligned_groups(
    mechanism: Mechanism,
) -> tuple[list[_Group], list[Transform], dict[int, tuple[int, Transform]]]:
    """Return rigid groups, the new frame of each in its first body's, and where each body is."""
    groups, member = _rigid_groups(mechanism)
    frames = align(
        [group.parent for group in groups],
        [group.joint for group in groups],
        [group.X_PJ for group in groups],
    )
    return groups, frames, member


def _rigid_groups(
    mechanism: Mechanism,
) -> tuple[list[_Group], dict[int, tuple[int, Transform]]]:
    groups: list[_Group] = []
    member: dict[int, tuple[int, Transform]] = {-1: (-1, Transform.identity())}
    for i in mechanism.order:
        body = mechanism.bodies[i]
        parent, X_GP = member[mechanism.parents[i]]
        X_GJ = X_GP @ body.pose.transform()
        if body.joint.nv:
            member[i] = (len(groups), Transform.identity())
            groups.append(
                _Group(
                    parent,
                    body.joint,
                    X_GJ,
                    body.spatial_inertia(),
                    mechanism.q_slices[i],
                    mechanism.v_slices[i],
                )
            )
        else:
            member[i] = (parent, X_GJ)
            if parent >= 0:
                groups[parent].inertia += body.spatial_inertia().to_parent(X_GJ)
    return groups, member


def _constant_turns(R: Array, joint: AbstractJoint) -> tuple[tuple[AbstractTurn, ...], float]:
    """Return the rotations before the joint's own, and the angle to add to a revolute joint's."""
    if not isinstance(joint, Revolute | Prismatic) or is_symbolic(R):
        R = _rounded(R)
        return (() if same(R, np.eye(3)) else (FullTurn(R),)), 0.0
    gamma, alpha, delta = euler_zxz(R)
    angles = [(2, gamma), (0, alpha)]
    if isinstance(joint, Prismatic):
        angles.append((2, delta))
        delta = 0.0
    turns = tuple(
        PlanarTurn(axis, *_rounded(np.array([np.cos(angle), np.sin(angle)])).tolist())
        for axis, angle in angles
        if abs(angle) > ROUNDING
    )
    return turns, delta


def _quarter_turns(angle: Scalar) -> int | None:
    """Return how many quarter turns an angle is (0 to 3), if it is numeric and an integer."""
    if not isinstance(angle, float):
        return None
    quarters = angle / (np.pi / 2)
    return round(quarters) % 4 if abs(quarters - round(quarters)) <= ROUNDING else None


_ALONG_Z = np.array([0.0, 0.0, 1.0])

_Z_JOINTS: dict[type[AbstractJoint], AbstractJoint] = {
    Revolute: Revolute("z"),
    Prismatic: Prismatic("z"),
}


def _along_z(joint: AbstractJoint) -> AbstractJoint:
    return _Z_JOINTS.get(type(joint), joint)


def _rounded(array: Array, size: float = 1.0) -> Array:
    """Return the array with entries within rounding error of integers, for terms of a size."""
    if is_symbolic(array):
        rows = [x if is_symbolic(x) else float(_rounded(np.asarray(x), size)) for x in array.flat]
        return np.array(rows, dtype=object).reshape(array.shape)
    integers = np.round(array)
    return np.where(np.abs(array - integers) <= ROUNDING * min(size, 1.0), integers, array)


def _size(u: Array) -> float:
    """Return the length of a vector; 1 if it depends on free parameters."""
    return 1.0 if is_symbolic(u) else sqrt(float(u @ u))
