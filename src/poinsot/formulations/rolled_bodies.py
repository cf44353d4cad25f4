"""Bodies of one kind for rolled sweeps: symbolic parameters, and steps along the tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.formulations.joint_numbers import blank_joint, joint_numbers, joint_with
from poinsot.formulations.kinematics import BodyMotion, carried
from poinsot.model import AbstractJoint, Body, Mechanism
from poinsot.spatial import Array, Inertia, Transform

Read: TypeAlias = tuple[str, int, int]
"""What an item reads: a memory, the index in it and the size."""

_UPPER = np.triu_indices(3)


class RolledBodies:
    """The bodies of a mechanism with their parameters, and the builder for their items."""

    def __init__(self, mechanism: Mechanism, builder: RolledBuilder) -> None:
        self.mechanism = mechanism
        self.builder = builder

    def reads(self, i: int, *names: str) -> dict[str, Read]:
        """Return the reads of a body's coordinates, velocities, ..."""
        slices = {"q": self.mechanism.q_slices[i]}
        chosen = [(name, slices.get(name, self.mechanism.v_slices[i])) for name in names]
        return {
            name: (name, entries.start, entries.stop - entries.start) for name, entries in chosen
        }

    def item(
        self,
        step: str,
        i: int,
        trace: Callable[..., Mapping[str, Any]],
        reads: Mapping[str, Read],
        writes: Mapping[str, int],
    ) -> None:
        """Append a step for body i; ``trace`` gets its kind (a joint) and its parameters first."""
        body = self.mechanism.bodies[i]
        numbers, kind = body_numbers(body), blank_joint(body.joint)
        index = self.builder.constants(numbers)
        self.builder.item(
            (step, kind, *(getattr(trace, "args", ()))),
            partial(trace, kind=kind),
            {"numbers": (CONSTANTS, index, len(numbers)), **reads},
            writes,
        )

    def motions(self, bodies: Iterable[int], inputs: tuple[str, ...]) -> dict[int, Read]:
        """Append the motion of bodies, parents first; return the reads of their motions.

        Args:
            bodies: Indices as listed.
            inputs: Inputs of the motions: q; q and v; or q, v and a.
        """
        size = 6 + 6 * len(inputs)
        read = {-1: (STATE, self.builder.state(size), size)}
        self.builder.item(("world", size), partial(_world, size), {}, {"motion": read[-1][1]})
        for i in bodies:
            index = self.builder.state(size)
            read[i] = (STATE, index, size)
            self.item(
                f"motion{inputs}", i, partial(_motion, size),
                {"parent": read[self.mechanism.parents[i]], **self.reads(i, *inputs)},
                {"motion": index},
            )  # fmt: skip
        return read


def body_numbers(body: Body) -> list[float]:
    """Return pose (12), the joint's parameters and spatial inertia (10) of a body."""
    X, inertia = body.pose.transform(), body.spatial_inertia()
    values = [*X.R.ravel().tolist(), *X.p.tolist(), *joint_numbers(body.joint)]
    return [*values, inertia.mass, *inertia.h.tolist(), *inertia.I[_UPPER].tolist()]


def body_parts(kind: AbstractJoint, numbers: Array) -> tuple[Transform, AbstractJoint, Inertia]:
    """Return pose, joint and inertia from those parameters, or symbols."""
    joint = joint_with(kind, numbers[12:-10])
    I = np.zeros((3, 3), dtype=object)
    I[_UPPER] = numbers[-6:]
    I.T[_UPPER] = numbers[-6:]
    inertia = Inertia(numbers[-10], numbers[-9:-6], I)
    return Transform(numbers[:9].reshape(3, 3), numbers[9:12]), joint, inertia


def unpack(numbers: Array) -> BodyMotion:
    """Return the motion from rotation (9), origin (3), velocity (6), acceleration (6).

    The last ones may be missing: they are zero.
    """
    X = Transform(numbers[:9].reshape(3, 3), numbers[9:12])
    zero = np.zeros(6)
    return BodyMotion(X, *(numbers[k : k + 6] if k < len(numbers) else zero for k in (12, 18)))


def _packed(motion: BodyMotion, size: int) -> Array:
    numbers = np.concatenate([motion.X_WB.R.ravel(), motion.X_WB.p, motion.V, motion.A])
    return numbers[:size]


def _motion(
    size: int, *, kind: AbstractJoint, numbers: Array, parent: Array, **given: Array
) -> dict[str, Array]:
    X_PJ, joint, _ = body_parts(kind, numbers)
    still = np.zeros(kind.nv)
    q, v, a = given["q"], given.get("v", still), given.get("a", still)
    return {"motion": _packed(carried(X_PJ, joint, unpack(parent), q, v, a), size)}


def _world(size: int) -> dict[str, Array]:
    at_rest = BodyMotion(Transform.identity(), np.zeros(6), np.zeros(6))
    return {"motion": _packed(at_rest, size)}
