"""Friction, stops and other passive forces of joints: elements of what joints carry, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from poinsot.errors import ModelError
from poinsot.model.forces import JointFriction, JointStop
from poinsot.model.joints import AbstractJoint
from poinsot.model.mechanism import Mechanism
from poinsot.model.model_warnings import already_warned
from poinsot.model.name_suggestion import suggestion
from poinsot.model.scalar_values import is_symbolic, nonzero
from poinsot.spatial import Scalar

__all__ = ["idle_friction", "with_friction", "with_stops", "without_passive"]


@lru_cache(maxsize=64)
def idle_friction(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the joints and loops whose friction is given but not active."""
    acting = {
        (force.joint, force.index) for force in mechanism.forces if isinstance(force, JointFriction)
    }
    idle = [name for name, k, _ in _frictions(mechanism) if (name, k) not in acting]
    loops = [loop.name for loop in mechanism.loops if nonzero(loop.joint.friction)]
    return tuple(dict.fromkeys([*idle, *loops]))


def with_friction(
    mechanism: Mechanism, ratio: Scalar, stribeck: Scalar, smoothing: Scalar
) -> Mechanism:
    """Return the mechanism with an element for the friction of each joint that has some.

    Args:
        mechanism: The bodies.
        ratio: Of the static to the kinetic level, which is what joints carry.
        stribeck: Velocity over which friction falls from one to the other.
        smoothing: Velocity that counts as rest.
    """
    if not is_symbolic(ratio) and ratio < 1.0:
        raise ModelError(f"with_friction: ratio is static over kinetic, at least 1, got {ratio!r}")
    acting = {
        (force.joint, force.index) for force in mechanism.forces if isinstance(force, JointFriction)
    }
    made = [
        JointFriction(name, level, ratio * level, stribeck=stribeck, smoothing=smoothing, index=k)
        for name, k, level in _frictions(mechanism)
        if (name, k) not in acting
    ]
    if not made:
        raise ModelError(
            f"with_friction: no joint of {mechanism.name!r} has friction that does not act already;"
            " give joints friction=..., or JointFriction elements"
        )
    return mechanism.rebuilt(forces=(*mechanism.forces, *made))


def without_passive(mechanism: Mechanism) -> Mechanism:
    """Return the mechanism without damping, springs and friction in joints of tree and loops."""

    def plain(joint: AbstractJoint) -> AbstractJoint:
        return replace(joint, damping=0.0, stiffness=0.0, friction=0.0) if joint.nv else joint

    with already_warned():
        return mechanism.rebuilt(
            bodies=[replace(body, joint=plain(body.joint)) for body in mechanism.bodies],
            loops=[replace(loop, joint=plain(loop.joint)) for loop in mechanism.loops],
            forces=[force for force in mechanism.forces if not isinstance(force, JointFriction)],
        )


def with_stops(
    mechanism: Mechanism, joints: Sequence[str] | None, make: Callable[..., JointStop]
) -> Mechanism:
    """Return the mechanism with stops at the ends of the ranges of its joints.

    Args:
        mechanism: The bodies.
        joints: Names of the joints; all that have limits by default.
        make: Makes a stop from a joint, its ends and its index.
    """
    names = tuple(mechanism.all_joints) if joints is None else tuple(joints)
    made = []
    for name in names:
        if name not in mechanism.all_joints:
            hint = suggestion(name, mechanism.all_joints)
            raise ModelError(f"with_stops: {mechanism.name!r} has no joint {name!r}; {hint}")
        ranges = list(_ranges(mechanism.all_joints[name]))
        if joints is not None and not ranges:
            raise ModelError(f"with_stops: joint {name!r} has no limits of position")
        made += [make(name, lower, upper, index=k) for k, lower, upper in ranges]
    if not made:
        raise ModelError(
            f"with_stops: no joint of {mechanism.name!r} has limits of position; give joints "
            "limits=Limits(position=(-1, 1)), or JointStop elements"
        )
    return mechanism.rebuilt(forces=(*mechanism.forces, *made))


def _frictions(mechanism: Mechanism) -> Iterator[tuple[str, int, Scalar]]:
    """Yield the joints that have friction, which velocity it is for, and its level."""
    for name, joint in mechanism.all_joints.items():
        for k, level in enumerate(joint.friction):
            if nonzero(level):
                yield name, k, level


def _ranges(joint: AbstractJoint) -> Iterator[tuple[int, Scalar, Scalar]]:
    """Yield the coordinates of a joint that are limited, with their ends."""
    limits = joint.limits
    if limits is None or not limits.lower or joint.nq != joint.nv:
        return
    ends = (limits.lower, limits.upper)
    bounds = [bound * joint.nq if len(bound) == 1 else bound for bound in ends]
    for k, (low, high) in enumerate(zip(*bounds, strict=True)):
        if is_symbolic(low, high) or low > -float("inf") or high < float("inf"):
            yield k, low, high
