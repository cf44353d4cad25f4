"""Bodies of one kind for rolled sweeps: numbers as symbols, and steps along the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.formulations.joint_numbers import blank_joint, joint_numbers, joint_with
from poinsot.formulations.kinematics import BodyMotion, carried
from poinsot.model import AbstractJoint, Body, Mechanism
from poinsot.spatial import Array, Inertia, Transform

MOTION = 24
"""Numbers of a body's motion: rotation (9), place (3), velocity (6), acceleration (6)."""

_UPPER = np.triu_indices(3)


class RolledBodies:
    """The bodies of a mechanism with their numbers, and a builder for items about them."""

    def __init__(
        self, mechanism: Mechanism, inputs: Iterable[str], output: tuple[str, tuple[int, ...]]
    ) -> None:
        sizes = {"q": mechanism.nq, "point": 3}
        self.mechanism = mechanism
        self.builder = RolledBuilder(
            {name: sizes.get(name, mechanism.nv) for name in inputs}, dict([output])
        )
        self.unit = self.builder.state(2)
        self.builder.item("unit", _unit, {}, {"unit": self.unit})

    def reads(self, i: int, *names: str) -> dict[str, tuple[str, int, int]]:
        """Return the reads of a body's own coordinates, velocities, ..."""
        parts = {"q": self.mechanism.q_slices[i]}
        chosen = [(name, parts.get(name, self.mechanism.v_slices[i])) for name in names]
        return {name: (name, part.start, part.stop - part.start) for name, part in chosen}

    def item(
        self,
        step: str,
        i: int,
        trace: Callable[..., Mapping[str, Any]],
        reads: Mapping[str, tuple[str, int, int]],
        writes: Mapping[str, int],
    ) -> None:
        """Append a step about body i; ``trace`` gets its kind (a joint) and its numbers first."""
        body = self.mechanism.bodies[i]
        numbers, kind = body_numbers(body), blank_joint(body.joint)
        place = self.builder.constants(numbers)
        self.builder.item(
            (step, kind, *(getattr(trace, "args", ()))),
            partial(trace, kind=kind),
            {"numbers": (CONSTANTS, place, len(numbers)), **reads},
            writes,
        )

    def motions(self, bodies: Iterable[int], inputs: tuple[str, ...]) -> dict[int, int]:
        """Append the motion of bodies, parents first; return the places of their motions."""
        place = {-1: self.builder.state(MOTION)}
        self.builder.item("world", _world, {}, {"motion": place[-1]})
        for i in bodies:
            place[i] = self.builder.state(MOTION)
            parent = (STATE, place[self.mechanism.parents[i]], MOTION)
            self.item(
                f"motion{inputs}", i, partial(_motion, inputs),
                {"parent": parent, **self.reads(i, *inputs)}, {"motion": place[i]},
            )  # fmt: skip
        return place


def body_numbers(body: Body) -> list[float]:
    """Return pose (12), the joint's own numbers and spatial inertia (10) of a body."""
    X, inertia = body.pose.transform(), body.spatial_inertia()
    values = [*X.R.ravel().tolist(), *X.p.tolist(), *joint_numbers(body.joint)]
    return [*values, inertia.mass, *inertia.h.tolist(), *inertia.I[_UPPER].tolist()]


def body_parts(kind: AbstractJoint, numbers: Array) -> tuple[Transform, AbstractJoint, Inertia]:
    """Return pose, joint and inertia from those numbers, or symbols."""
    joint = joint_with(kind, numbers[12:-10])
    I = np.zeros((3, 3), dtype=object)
    I[_UPPER] = numbers[-6:]
    I.T[_UPPER] = numbers[-6:]
    inertia = Inertia(numbers[-10], numbers[-9:-6], I)
    return Transform(numbers[:9].reshape(3, 3), numbers[9:12]), joint, inertia


def pack(motion: BodyMotion) -> Array:
    """Return a motion as one array."""
    return np.concatenate([motion.X_WB.R.ravel(), motion.X_WB.p, motion.V, motion.A])


def unpack(numbers: Array) -> BodyMotion:
    """Return the motion of such an array."""
    X = Transform(numbers[:9].reshape(3, 3), numbers[9:12])
    return BodyMotion(X, numbers[12:18], numbers[18:])


def _motion(
    inputs: tuple[str, ...], *, kind: AbstractJoint, numbers: Array, parent: Array,
    **given: Array,
) -> dict[str, Array]:  # fmt: skip
    X_PJ, joint, _ = body_parts(kind, numbers)
    still = np.zeros(kind.nv)
    q, v, a = given["q"], given.get("v", still), given.get("a", still)
    return {"motion": pack(carried(X_PJ, joint, unpack(parent), q, v, a))}


def _unit() -> dict[str, Array]:
    return {"unit": np.array([0.0, 1.0])}


def _world() -> dict[str, Array]:
    return {"motion": pack(BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6)))}
