"""Bodies as the nodes of sweeps, in two forms: on values, and rolled (``rolled_bodies.py``).

What sweeps read of a body: ``q``, ``v``, ``a`` (entries of its joint; None where not given), its
``mount``, ``inertia``, ``mass_centre`` (mass and centre), ``armature`` and ``spring`` (stiffness
and rest position; None without one).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from poinsot.expr.packing import AbstractLayout, RecordLayout, layout_of
from poinsot.formulations.joint_numbers import JointLayout
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
        layouts = (layout_of(self.X_PJ), JointLayout.from_joint(self.joint))
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

STATES: Final = ("q", "v", "a")
"""What sweeps may read of the state."""


class AbstractBodies(AbstractSweep):
    """The bodies of a mechanism."""

    mechanism: Mechanism

    @abstractmethod
    def is_given(self, name: str) -> bool:
        """Say whether v, for instance, is an input."""

    @abstractmethod
    def input(self, name: str, entries: slice | None = None) -> Any:  # noqa: ANN401
        """Return an input, or entries of it."""

    def joint_state(self, name: str, joint: str) -> Any:  # noqa: ANN401
        """Return the entries of q or v that belong to the joint of a name."""
        slice_of = self.mechanism.q_slice if name == "q" else self.mechanism.v_slice
        return self.input(name, slice_of(joint))

    @abstractmethod
    def field(self, record: Any, k: int) -> Any:  # noqa: ANN401
        """Return an entry of a tuple."""

    @abstractmethod
    def shown(self, value: Any) -> Array:  # noqa: ANN401
        """Return a value as the result of a quantity."""

    @abstractmethod
    def along_path(self, name: str, path: Sequence[int]) -> Array:
        """Return columns of the joints on a path, (6, nv) for all velocities, zero elsewhere."""

    @abstractmethod
    def by_coordinate(self, name: str) -> Array:
        """Return values of all joints in the order of q, shape (nq,)."""

    def _described(self, name: str) -> dict[int, Any]:
        bodies = self.mechanism.bodies
        if name in DESCRIBED:
            return {i: self.constant(DESCRIBED[name](body)) for i, body in enumerate(bodies)}
        if name in STATES and not self.is_given(name):
            return dict.fromkeys(range(len(bodies)), self.constant(None))
        if name in STATES:
            slices = self.mechanism.q_slices if name == "q" else self.mechanism.v_slices
            return {i: self.input(name, entries) for i, entries in enumerate(slices)}
        return {WHOLE: self.input(name)} if self.is_given(name) else {}


class StraightBodies(AbstractBodies, StraightSweep):
    """Bodies with the values of one state.

    Args:
        mechanism: The bodies.
        inputs: Some of q, v, a, point and t.
    """

    def __init__(self, mechanism: Mechanism, **inputs: Any) -> None:  # noqa: ANN401
        super().__init__(mechanism.parents, mechanism.order)
        self.mechanism = mechanism
        self._inputs = inputs

    def is_given(self, name: str) -> bool:
        """Say whether there is a value."""
        return name in self._inputs

    def input(self, name: str, entries: slice | None = None) -> Any:  # noqa: ANN401
        """Return the values."""
        return self._inputs[name] if entries is None else self._inputs[name][entries]

    def field(self, record: Any, k: int) -> Any:  # noqa: ANN401
        """Return the entry."""
        return record[k]

    def shown(self, value: Any) -> Array:  # noqa: ANN401
        """Return the value."""
        result: Array = value
        return result

    def along_path(self, name: str, path: Sequence[int]) -> Array:
        """Return the columns of a path."""
        J = np.zeros((6, self.mechanism.nv), dtype=object)
        for i in path:
            J[:, self.mechanism.v_slices[i]] = self.values(name)[i]
        return np.array(J.tolist()).reshape(J.shape)

    def by_coordinate(self, name: str) -> Array:
        """Return values in the order of q."""
        return np.concatenate([np.zeros(0), *self.values(name).values()])
