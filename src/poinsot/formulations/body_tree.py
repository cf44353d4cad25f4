"""Bodies as the nodes of sweeps, in two forms: on values, and rolled (``rolled_bodies.py``).

What sweeps read of a body: ``q``, ``v``, ``a`` (entries of its joint; None where not given), its
``mount``, ``inertia``, ``mass_centre`` (mass and centre), ``armature`` and ``spring`` (stiffness
and rest position; None without one).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poinsot.expr.packing import AbstractLayout, RecordLayout, Value, layout_of
from poinsot.formulations.joint_numbers import joint_layout
from poinsot.formulations.sweep import WHOLE, AbstractSweep, StraightSweep
from poinsot.model import AbstractJoint, Body, Mechanism, nonzero
from poinsot.spatial import Array, Transform


@dataclass(frozen=True, eq=False)
class Mount:
    """How a body is carried: the pose X_PJ of its joint in the parent, and the joint."""

    X_PJ: Transform
    joint: AbstractJoint

    @property
    def layout(self) -> AbstractLayout:
        """The layout of mounts of this kind."""
        layouts = (layout_of(self.X_PJ), joint_layout(self.joint))
        return RecordLayout(Mount, ("X_PJ", "joint"), layouts)


def _armature(body: Body) -> Array | None:
    return body.joint.armature_matrix() if nonzero(body.joint.armature) else None


def _spring(body: Body) -> tuple[Array, Array] | None:
    joint = body.joint
    if not nonzero(joint.stiffness):
        return None
    return joint.stiffness_matrix(), joint.rest_position()


DESCRIBED: Final[Mapping[str, Callable[[Body], Any]]] = {
    "mount": lambda body: Mount(body.pose.transform(), body.joint),
    "inertia": lambda body: body.spatial_inertia(),
    "mass_centre": lambda body: (body.mass, np.array(body.com)),
    "armature": _armature,
    "spring": _spring,
}
"""What sweeps may read of a body's description."""


class AbstractBodies(AbstractSweep):
    """The bodies of a mechanism."""

    mechanism: Mechanism

    def joint_state(self, name: str, joint: str) -> Value:
        """Return the entries of q or v that belong to the joint of a name."""
        slice_of = self.mechanism.q_slice if name == "q" else self.mechanism.v_slice
        return self.input(name, slice_of(joint))

    def along_path(self, name: str, path: Sequence[int]) -> Array:
        """Return columns of the joints on a path, (6, nv) for all velocities, zero elsewhere."""
        columns = [((slice(None), self.mechanism.v_slices[i]), self.values(name)[i]) for i in path]
        return self.gathered((6, self.mechanism.nv), columns)

    def by_coordinate(self, name: str) -> Array:
        """Return values of all joints in the order of q, shape (nq,)."""
        slices = self.mechanism.q_slices
        values = [(slices[i], value) for i, value in self.values(name).items()]
        return self.gathered((self.mechanism.nq,), values)

    def _described(self, name: str) -> dict[int, Value]:
        bodies = self.mechanism.bodies
        if name in DESCRIBED:
            return {i: self.constant(DESCRIBED[name](body)) for i, body in enumerate(bodies)}
        if name in ("q", "v", "a"):
            if not self.is_given(name):
                return dict.fromkeys(range(len(bodies)), self.constant(None))
            slices = self.mechanism.q_slices if name == "q" else self.mechanism.v_slices
            return {i: self.input(name, entries) for i, entries in enumerate(slices)}
        return {WHOLE: self.input(name)} if self.is_given(name) else {}


class StraightBodies(AbstractBodies, StraightSweep):
    """Bodies with the values of one state.

    Args:
        mechanism: The bodies.
        inputs: Some of q, v, a, point and t.
    """

    def __init__(self, mechanism: Mechanism, **inputs: Value) -> None:
        super().__init__(mechanism.parents, mechanism.order, inputs)
        self.mechanism = mechanism
