"""Force and moment in a cross-section of a link, from the motion of the part beyond it.

A section is a frame S fixed in the link, whose x axis points to the part beyond it.  The wrench of
the part before the section on the part beyond it, at the origin of S in its axes, is

    S = Θ A + V × Θ V - Θ g - (loads on the part beyond) + sum of the wrenches on children beyond,

Θ the inertia of the part beyond [Zaremba1990, sec. 4].  Loads, children and loops count on the
side where they act.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from poinsot.expr import select
from poinsot.formulations.body_tree import StraightBodies
from poinsot.formulations.constrained.constraint_rows import (
    add_wrench,
    closure_wrenches,
    forces_in_cut_joints,
)
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.forces import wrenches_of_elements
from poinsot.formulations.newton_euler.bodies import accelerations, free_bodies
from poinsot.formulations.newton_euler.projected import reactions
from poinsot.model import AbstractClosure, Environment, FramePair, Mechanism
from poinsot.model.section import WRENCHES, Sides
from poinsot.spatial import Array, Scalar, Transform, cross, matrix

ON_THE_SECTION: Final = 1e-9
"""Distance [m] up to which what is attached before a section counts as attached at it: beyond."""


class Attachment(NamedTuple):
    """A load on the link by something attached to it.

    Attributes:
        name: Name of the child, force element, loop or constraint.
        point: Where it acts, in body coordinates [m], shape (3,).
        wrench: [f; n] on the link, at its origin in its axes, shape (6,).
    """

    name: str
    point: Array
    wrench: Array


def section_load(
    mechanism: Mechanism, body: int, sides: Sides | None, q: Array, v: Array, a: Array,
    lam: Array, section: Array, environment: Environment,
) -> Array:  # fmt: skip
    """Return [f; n] of the part before the section on the part beyond it, shape (6,).

    At the origin of the section, in its axes [N, N m].

    Args:
        mechanism: The bodies, loops and constraints.
        body: Number of the link that is cut.
        sides: What acts beyond the section (True) or before it (False) wherever its point is, by
            name.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        lam: Multipliers, shape (m,).
        section: The 22 numbers of ``Section.numbers``: rotation by rows and origin [m] of the
            section in the link; mass [kg], mass centre [m] and inertia about it (ixx, iyy, izz,
            ixy, ixz, iyz) [kg m²] of the part beyond, in section axes.
        environment: Gravity, motion of the base, wrenches (those of springs and drives in loops
            too).
    """
    X_BS = Transform(section[:9].reshape(3, 3), section[9:12])
    load = _inertial(mechanism, body, X_BS, section[12:], (q, v, a, environment))
    known = dict(sides or ())
    view = MechanismView(mechanism, q, v, environment.t)
    applied = [
        *_elements(mechanism, body, q, v, environment.t),
        *_driven(mechanism, body, view, environment),
    ]
    outside = environment.wrenches.get(body, np.zeros(6))
    for attachment in applied:
        outside = outside - attachment.wrench
    beyond = outside if known.get(WRENCHES, True) else np.zeros(6)
    total = dict(environment.wrenches)
    for number, wrench in closure_wrenches(mechanism, view, lam).items():
        total[number] = total[number] + wrench if number in total else wrench
    joints = reactions(mechanism, q, v, a, replace(environment, wrenches=total))
    for name, point, wrench in (
        *applied,
        *_constrained(mechanism, body, view, lam),
        *_children(mechanism, body, q, joints),
    ):
        beyond = beyond + _side(known.get(name), X_BS, point) * wrench
    return load - X_BS.force_to_child(beyond)


def length(mechanism: Mechanism) -> float:
    """Return a bound of the operations, by which more than 250 bodies run on floats."""
    return 400.0 * mechanism.n_bodies


def _inertial(
    mechanism: Mechanism, body: int, X_BS: Transform, inertia: Array,
    state: tuple[Array, Array, Array, Environment],
) -> Array:  # fmt: skip
    """Return the wrench that gives the part beyond its motion and holds its weight, shape (6,)."""
    q, v, a, environment = state
    bodies = free_bodies(mechanism, q, v, environment)
    dV, free = accelerations(mechanism, bodies, a)[body], bodies[body]
    mass, com, (xx, yy, zz, xy, xz, yz) = inertia[0], inertia[1:4], inertia[4:]
    I = matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
    rate_v = dV[:3] + cross(free.V[3:], free.V[:3]) - free.R.T @ environment.gravity
    arm = X_BS.apply_point(com) - np.array(mechanism.bodies[body].com)
    rate_v = rate_v + cross(dV[3:], arm) + cross(free.V[3:], cross(free.V[3:], arm))
    w, rate_w = X_BS.R.T @ free.V[3:], X_BS.R.T @ dV[3:]
    f = mass * (X_BS.R.T @ rate_v)
    return np.concatenate([f, I @ rate_w + cross(w, I @ w) + cross(com, f)])


def _side(known: bool | None, X_BS: Transform, point: Array) -> Scalar:
    """Return 1 for what acts beyond the section, else 0."""
    if known is not None:
        return float(known)
    distance = X_BS.R[:, 0] @ (point - X_BS.p)
    return select(distance >= -ON_THE_SECTION, 1.0, 0.0)


def _children(
    mechanism: Mechanism, body: int, q: Array, joints: dict[int, Array]
) -> Iterator[Attachment]:
    """Yield what children exert on the link, at their origins."""
    for i in mechanism.order:
        if mechanism.parents[i] == body:
            child = mechanism.bodies[i]
            X = child.pose.transform() @ child.joint.transform(q[mechanism.q_slices[i]])
            yield Attachment(child.name, X.p, -X.force_to_parent(joints[i]))


def _elements(
    mechanism: Mechanism, body: int, q: Array, v: Array, t: Scalar
) -> Iterator[Attachment]:
    """Yield what force elements between points exert on the link."""
    if not mechanism.forces:
        return
    names = [
        "" if force.name is None else force.name
        for force in mechanism.forces
        for end, _ in force.ends
        if end in mechanism.body_names
    ]
    listed = wrenches_of_elements(StraightBodies(mechanism, q=q, v=v, t=t))
    for name, (number, place, wrench) in zip(names, listed, strict=True):
        if number == body:
            point = np.array(place)
            moment = wrench[3:] + cross(point, wrench[:3])
            yield Attachment(name, point, np.concatenate([wrench[:3], moment]))


def _driven(
    mechanism: Mechanism, body: int, view: MechanismView, environment: Environment
) -> Iterator[Attachment]:
    """Yield what springs, dampers and drives of loops exert on the link."""
    for k, constraint in enumerate(mechanism.closures):
        if isinstance(constraint, AbstractClosure) and (
            constraint.is_passive or k in environment.drives
        ):
            wrench = constraint.applied(view.frame(constraint.pair), environment.drives.get(k))
            yield from _at_pair(mechanism, body, view, constraint.name, constraint.pair, wrench)


def _constrained(
    mechanism: Mechanism, body: int, view: MechanismView, lam: Array
) -> Iterator[Attachment]:
    """Yield what loops and constraints exert on the link."""
    along = forces_in_cut_joints(mechanism, view, lam)
    for k, (constraint, row_slice) in enumerate(
        zip(mechanism.closures, mechanism.row_slices, strict=True)
    ):
        loads = constraint.loads(view, lam[row_slice])
        for pair, wrench in zip(constraint.pairs, loads, strict=False):
            yield from _at_pair(mechanism, body, view, constraint.name, pair, wrench)
        if k in along:
            loop = mechanism.loops[k]
            wrench = loop.drive(view.frame(loop.pair), along[k])
            yield from _at_pair(mechanism, body, view, loop.name, loop.pair, wrench)


def _at_pair(
    mechanism: Mechanism, body: int, view: MechanismView, name: str, pair: FramePair, wrench: Array
) -> Iterator[Attachment]:
    """Yield a wrench on the second of two frames, or its opposite on the first, at the second."""
    loads: dict[int, Array] = {}
    add_wrench(mechanism, view, pair, wrench, loads)
    if body in loads:
        (_, E), (second, F) = pair
        is_second = second == mechanism.bodies[body].name
        point = F.transform().p if is_second else (E.transform() @ view.frame(pair).X).p
        yield Attachment(name, point, loads[body])
