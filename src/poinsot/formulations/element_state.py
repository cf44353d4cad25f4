"""What one force element does at a state: its force, power, length and rate.

A two-point element between p1 and p2, with d = p2 - p1, L = |d|, u = d / L, has

    force = f1·u (pulls the ends together where positive),  length = L,  rate = u·(v2 - v1),

an element in a joint the force along its velocity, its coordinate and that velocity; a force on one
body has the magnitude of its force, and no length.  Power is what the element delivers to the
bodies: sum of f·v + n·w over its ends, or force times velocity in a joint.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.formulations.body_tree import StraightBodies
from poinsot.formulations.constrained.cut_joint_forces import joint_motions
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.forces import end_motions
from poinsot.model import AbstractForce, AbstractJointForce, Mechanism, PointMotion
from poinsot.model.forces.two_point_element import AbstractForceBetween
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True, eq=False)
class ElementState:
    """The state of a force element.

    Attributes:
        force: [N or N m].
        power: That it delivers to the bodies [W].
        length: [m or rad]; None where it has none.
        rate: Of the length [m/s or rad/s]; None where it has none.
    """

    force: Scalar
    power: Scalar
    length: Scalar | None = None
    rate: Scalar | None = None


def element_state(
    mechanism: Mechanism, element: AbstractForce, q: Array, v: Array, t: Scalar
) -> ElementState:
    """Return what an element of the mechanism does.

    Args:
        mechanism: The bodies.
        element: One of its force elements.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        t: Time [s].
    """
    if isinstance(element, AbstractJointForce):
        return _in_joint(mechanism, element, q, v, t)
    ends = end_motions(StraightBodies(mechanism, q=q, v=v, t=t), element)
    wrenches = element.wrenches(ends, t)
    power: Scalar = sum(_power(*pair) for pair in zip(ends, wrenches, strict=True))
    f = ends[0].R @ wrenches[0][:3]
    if not isinstance(element, AbstractForceBetween):
        return ElementState(np.sqrt(f @ f), power)
    d = ends[1].p - ends[0].p
    length = np.sqrt(d @ d)
    return ElementState((f @ d) / length, power, length, (d @ (ends[1].v - ends[0].v)) / length)


def _in_joint(
    mechanism: Mechanism, element: AbstractJointForce, q: Array, v: Array, t: Scalar
) -> ElementState:
    joints = joint_motions(MechanismView(mechanism, q, v), element)
    force, rate = element.force_along(joints, t), joints[0].v[element.index]
    has_coordinate = len(joints[0].q) == len(joints[0].v)
    length = joints[0].q[element.index] if has_coordinate else None
    return ElementState(force, force * rate, length, rate)


def _power(end: PointMotion, wrench: Array) -> Scalar:
    power: Scalar = wrench[:3] @ (end.R.T @ end.v) + wrench[3:] @ (end.R.T @ end.w)
    return power
