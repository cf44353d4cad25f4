"""Bodies as the nodes of rolled sweeps: kinematics and energies of large systems."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.packing import ArrayLayout, layout_of
from poinsot.expr.rolled import STATE
from poinsot.formulations.body_tree import AbstractBodies, Mount
from poinsot.formulations.joint_numbers import blank_joint, joint_with
from poinsot.formulations.kinematics import BodyMotion, add_motions
from poinsot.formulations.rolled_sweep import Read, RolledSweep, Slot
from poinsot.formulations.sweep import BASE, WHOLE
from poinsot.model import AbstractJoint, Mechanism
from poinsot.model.environment import TIME
from poinsot.spatial import Array, Inertia, Transform


def rolled_quantity(
    sweep: Callable[..., Array], name: str, inputs: str, mechanism: Mechanism,
    *options: Any,  # noqa: ANN401
) -> Rolled:  # fmt: skip
    """Return a quantity of bodies as a rolled program.

    Args:
        sweep: (bodies, options...) -> its result.
        name: Its name.
        inputs: Names of its inputs, separated by blanks.
        mechanism: The bodies.
        options: The body and the axes, for instance.
    """
    sizes = {"q": mechanism.nq, "point": 3}
    builder = RolledBuilder({key: sizes.get(key, mechanism.nv) for key in inputs.split()}, {})
    builder.show(name, sweep(RolledBodies(mechanism, builder, inputs.split()), *options))
    return builder.finish()


class RolledBodies(AbstractBodies, RolledSweep):
    """The bodies of a mechanism, and the builder for their items.

    Args:
        mechanism: The bodies.
        builder: Collects the items.
        inputs: The inputs of the program that the bodies depend on; all by default.
    """

    def __init__(
        self, mechanism: Mechanism, builder: RolledBuilder, inputs: Collection[str] | None = None
    ) -> None:
        super().__init__(mechanism.parents, builder, mechanism.order)
        self.mechanism = mechanism
        sizes = builder.input_sizes
        self._inputs = {name: sizes[name] for name in sizes if inputs is None or name in inputs}

    def is_given(self, name: str) -> bool:
        """Say whether it is one of the inputs."""
        return name in self._inputs

    def input(self, name: str, entries: slice | None = None) -> Slot:
        """Return the slot of an input; the time is a scalar."""
        if name == TIME:
            return self.slot(name, 0, ArrayLayout(()))
        entries = slice(0, self._inputs[name]) if entries is None else entries
        return Slot(name, entries.start, self.vector(entries.stop - entries.start))

    def field(self, record: Slot, k: int) -> Slot:
        """Return the slot of an entry."""
        return record.field(str(k))

    def shown(self, value: Slot) -> Array:
        """Return the indices of the entries of a value, in its shape."""
        return value.entries.reshape(value.layout.shape)  # type: ignore[attr-defined]

    def along_path(self, name: str, path: Sequence[int]) -> Array:
        """Return the indices of the columns of a path."""
        self.start("zero", 0.0, WHOLE)
        indices = np.full((6, self.mechanism.nv), self.values("zero")[WHOLE].start)
        for i in path:
            indices[:, self.mechanism.v_slices[i]] = self.shown(self.values(name)[i])
        return indices

    def by_coordinate(self, name: str) -> Array:
        """Return the indices of values in the order of q."""
        entries = [slot.entries for slot in self.values(name).values()]
        return np.concatenate([np.zeros(0, int), *entries])

    def reads(self, i: int, *names: str) -> dict[str, Read]:
        """Return the reads of a body's coordinates, velocities, ..."""
        return {name: self.values(name)[i].read for name in names}

    def item(
        self, step: str, i: int, trace: Callable[..., Mapping[str, Any]],
        reads: Mapping[str, Read], writes: Mapping[str, int],
    ) -> None:  # fmt: skip
        """Append a step for body i; ``trace`` gets its kind (a joint) and its parameters first."""
        body = self.values("body_parts").get(i) or self._parts(i)
        kind = blank_joint(self.mechanism.bodies[i].joint)
        self.builder.item(
            (step, kind, *(getattr(trace, "args", ()))), partial(trace, kind=kind),
            {"numbers": body.read, **reads}, writes,
        )  # fmt: skip

    def motions(
        self, bodies: Iterable[int], inputs: tuple[str, ...], *, base: int | None = None
    ) -> dict[int, Read]:
        """Append the motion of bodies, parents first; return the reads of their motions.

        Args:
            bodies: Indices as listed.
            inputs: Inputs of the motions: q; q and v; or q, v and a.
            base: Index of the motion of the base; at rest by default.
        """
        moving = RolledBodies(self.mechanism, self.builder, inputs)
        if base is not None:
            motion = BodyMotion(Transform.identity(), *[np.zeros(6)] * (len(inputs) - 1))
            moving.values("motion")[BASE] = moving.slot(STATE, base, layout_of(motion))
        add_motions(moving, bodies)
        return {i: slot.read for i, slot in moving.values("motion").items()}

    def _parts(self, i: int) -> Slot:
        body = self.mechanism.bodies[i]
        parts = (Mount(body.pose.transform(), body.joint), body.spatial_inertia())
        slot = self.values("body_parts")[i] = self.constant(parts)
        return slot


def body_parts(kind: AbstractJoint, numbers: Array) -> tuple[Transform, AbstractJoint, Inertia]:
    """Return pose, joint and inertia of a body from its parameters, or symbols."""
    joint = joint_with(kind, numbers[12:-10])
    inertia = layout_of(Inertia(1.0, np.zeros(3), np.eye(3))).unpacked(numbers[-10:])
    return Transform(numbers[:9].reshape(3, 3), numbers[9:12]), joint, inertia


def unpack(numbers: Array) -> BodyMotion:
    """Return the motion from rotation (9), origin (3), velocity (6), acceleration (6)."""
    X, zero = Transform(numbers[:9].reshape(3, 3), numbers[9:12]), np.zeros(6)
    return BodyMotion(X, *(numbers[k : k + 6] if k < len(numbers) else zero for k in (12, 18)))
