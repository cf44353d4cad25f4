"""Quantities in inertial space of systems whose base moves.

A moving base is a body without mass on a free joint, which carries the system: with the base's
pose and velocity as coordinates and velocities of that joint every quantity of a tree follows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model import WORLD, AbstractClosure, BaseMotion, Body, Free, Mechanism
from poinsot.model.changed import changed
from poinsot.model.constraints.base import Frame
from poinsot.model.states.carried import carried_states
from poinsot.spatial import Array
from poinsot.spatial.quaternion import matrix_to_quaternion


class HasDescription(Protocol):
    """A system, as far as it matters here."""

    @property
    def description(self) -> Mechanism:
        """What it is."""

    @classmethod
    def from_mechanism(cls, description: Mechanism) -> Self:
        """Return the system of a description."""


S = TypeVar("S", bound=HasDescription)


@lru_cache(maxsize=32)
def carried(description: Mechanism) -> Mechanism:
    """Return a mechanism whose world is a body on a free joint."""
    taken, base = {*description.body_names, *description.all_joints}, "base"
    while base in taken:
        base += "'"

    def frame(attached: Frame) -> Frame:
        body, pose = attached
        return (base if body == WORLD else body), pose

    def same(joint: str) -> str:
        return joint

    bodies = [
        changed(body, parent=base) if body.parent == WORLD else body for body in description.bodies
    ]
    own, on_base = (description.nq, description.nv), Free()
    before = on_base.nq, on_base.nv
    whole = before[0] + own[0], before[1] + own[1]
    return description.rebuilt(
        states=carried_states(description.states, before, own, whole),
        bodies=[Body(base, joint=on_base), *bodies],
        forces=[force.moved(force.name, frame, same) for force in description.forces],
        loops=[loop.moved(loop.name, frame, same) for loop in description.loops],
        constraints=[
            constraint.moved(constraint.name, frame, same)
            for constraint in description.constraints
            if isinstance(constraint, AbstractClosure)  # others have no energy
        ],
    )


@lru_cache(maxsize=32)
def in_inertial_space(system: S) -> S:
    """Return the system on a base that moves freely; q and v of the base come first."""
    return type(system).from_mechanism(carried(system.description))


def check_base(asked: str, base: object) -> None:
    """Reject what is no motion of a base; ``asked`` opens the message."""
    if not isinstance(base, BaseMotion):
        raise ModelError(f"{asked}: base must be a BaseMotion, got {type(base).__name__}")


def with_base(asked: str, base: BaseMotion, q: ArrayLike, *rates: ArrayLike) -> list[Array]:
    """Return q, and v and a if they are given, behind those of the base.

    Args:
        asked: What is asked for; opens the message of an error.
        base: How the base moves.
        q: Configuration, shape (..., nq).
        rates: v, or v and a, shapes (..., nv).
    """
    check_base(asked, base)
    flat = base.R.reshape(-1, 3, 3)
    quats = np.array([matrix_to_quaternion(R) for R in flat]).reshape(*base.R.shape[:-2], 4)
    lead = np.broadcast_shapes(base.p.shape[:-1], quats.shape[:-1])
    pose = np.concatenate(
        [np.broadcast_to(x, (*lead, x.shape[-1])) for x in (base.p, quats)], axis=-1
    )
    first = (pose, base.velocity, base.acceleration)
    return [_joined(x, np.asarray(y, np.float64)) for x, y in zip(first, (q, *rates), strict=False)]


def _joined(first: Array, second: Array) -> Array:
    lead = np.broadcast_shapes(first.shape[:-1], second.shape[:-1])
    return np.concatenate(
        [np.broadcast_to(x, (*lead, x.shape[-1])) for x in (first, second)], axis=-1
    )
