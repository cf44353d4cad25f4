"""The tree of bodies of a mechanism: names, indices, and where each joint is in q and v."""

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate, pairwise

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.configurations import Configurations
from poinsot.model.joints import AbstractJoint
from poinsot.model.name_suggestion import suggestion
from poinsot.model.topology import children_of, depth_first_order, parent_indices, path_to
from poinsot.spatial import Array

__all__ = ["BodyTree", "stacked"]


class BodyTree:
    """Bodies numbered as they are listed, each carried by another one or the world.

    Attributes:
        name: Name of the mechanism.
        bodies: The bodies, as listed.
    """

    name: str
    bodies: tuple[Body, ...]

    @property
    def n_bodies(self) -> int:
        """Number of bodies; the world is not counted."""
        return len(self.bodies)

    @cached_property
    def nq(self) -> int:
        """Number of coordinates."""
        return sum(body.joint.nq for body in self.bodies)

    @cached_property
    def nv(self) -> int:
        """Number of velocities."""
        return sum(body.joint.nv for body in self.bodies)

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies, as listed."""
        return tuple(body.name for body in self.bodies)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints, by body: the joint's own, or else its body's."""
        return tuple(body.joint.name or body.name for body in self.bodies)

    @cached_property
    def joints(self) -> dict[str, AbstractJoint]:
        """The joints by name, as listed."""
        return {name: body.joint for name, body in zip(self.joint_names, self.bodies, strict=True)}

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """Listed index of each body's parent; -1 for the world."""
        return parent_indices(self.bodies, self._body_index, f"mechanism {self.name!r}")

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Listed indices of each body's children; one entry per body."""
        return children_of(self.parents)[:-1]

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Listed indices of the bodies that the world carries."""
        return children_of(self.parents)[-1]

    @cached_property
    def order(self) -> tuple[int, ...]:
        """Listed indices in depth-first order: parents before children, branch by branch."""
        return depth_first_order((*self.children, self.roots))

    @cached_property
    def joint_sizes(self) -> dict[str, int]:
        """Number of coordinates of each joint, by name."""
        return {name: joint.nq for name, joint in self.joints.items()}

    @cached_property
    def q_slices(self) -> tuple[slice, ...]:
        """Where each body's coordinates are in q, by listed index."""
        return stacked(body.joint.nq for body in self.bodies)

    @cached_property
    def v_slices(self) -> tuple[slice, ...]:
        """Where each body's velocities are in v, by listed index."""
        return stacked(body.joint.nv for body in self.bodies)

    @cached_property
    def velocity_tree(self) -> tuple[list[int], list[int]]:
        """The velocities with parents before children, and each one's parent in that order.

        Velocities of one joint follow each other; the parent of a joint's first is the last of the
        joint before it [RBDA, section 6.4].
        """
        order: list[int] = []
        parent: list[int] = []
        last = {-1: -1}
        for i in self.order:
            before = last[self.parents[i]]
            for k in range(self.v_slices[i].start, self.v_slices[i].stop):
                parent.append(before)
                before = len(order)
                order.append(k)
            last[i] = before
        return order, parent

    def index(self, body: str) -> int:
        """Return the listed index of the body of this name."""
        return self._find(body, self._body_index, "body")

    def q_slice(self, joint: str) -> slice:
        """Return where the coordinates of the joint of this name are in q."""
        return self.q_slices[self._find(joint, self._joint_index, "joint")]

    def v_slice(self, joint: str) -> slice:
        """Return where the velocities of the joint of this name are in v."""
        return self.v_slices[self._find(joint, self._joint_index, "joint")]

    def joint_of_coordinate(self, k: int) -> str:
        """Return the name of the joint to which the k-th coordinate belongs."""
        return self._joint_of(k, self.q_slices)

    def joint_of_velocity(self, k: int) -> str:
        """Return the name of the joint to which the k-th velocity belongs."""
        return self._joint_of(k, self.v_slices)

    def path(self, i: int) -> tuple[int, ...]:
        """Return the listed indices of the bodies from the root to body ``i``, both included."""
        return path_to(self.parents, i)

    def carriers(self, bodies: Iterable[str]) -> list[int]:
        """Return the listed indices of these bodies and all that carry them, parents first."""
        needed: set[int] = set()
        for name in bodies:
            i = self.index(name)
            while i >= 0 and i not in needed:
                needed.add(i)
                i = self.parents[i]
        return [i for i in self.order if i in needed]

    def neutral(self) -> Array:
        """Return the q at which every body frame is at its joint frame, shape (nq,)."""
        return np.concatenate([body.joint.neutral() for body in self.bodies])

    def random(self, rng: "np.random.Generator") -> Array:
        """Return a random q, shape (nq,): angles in (-pi, pi), offsets in (-1, 1) m."""
        return np.concatenate([body.joint.random(rng) for body in self.bodies])

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Return q after motion with constant v for one unit of time, shape (..., nq)."""
        return self._configurations.integrate(q, v)

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the shortest v with ``integrate(q0, v)`` = q1, shape (..., nv)."""
        return self._configurations.difference(q0, q1)

    def interpolate(self, q0: ArrayLike, q1: ArrayLike, s: ArrayLike) -> Array:
        """Return the interpolation from q0 (s = 0) to q1 (s = 1), shape (..., nq)."""
        return self._configurations.interpolate(q0, q1, s)

    def distance(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """Return the length of ``difference(q0, q1)``, metres and radians alike, shape (...)."""
        return self._configurations.distance(q0, q1)

    @cached_property
    def _configurations(self) -> Configurations:
        return Configurations([body.joint for body in self.bodies])

    @cached_property
    def _body_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.body_names)}

    @cached_property
    def _joint_index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.joint_names)}

    def _joint_of(self, k: int, slices: tuple[slice, ...]) -> str:
        ranges = zip(self.joint_names, slices, strict=True)
        return next(name for name, indices in ranges if indices.start <= k < indices.stop)

    def _find(self, name: str, index: dict[str, int], what: str) -> int:
        if not isinstance(name, str):
            raise ModelError(
                f"mechanism {self.name!r}: give the name of one {what} as text, got {name!r:.80}"
            )
        if name in index:
            return index[name]
        if name in self._joint_index:
            hint = f"it is the joint of body {self.body_names[self._joint_index[name]]!r}"
        elif name in self._body_index:
            hint = f"it is the body of joint {self.joint_names[self._body_index[name]]!r}"
        else:
            hint = suggestion(str(name), index)
        raise ModelError(f"mechanism {self.name!r} has no {what} {name!r}; {hint}")


def stacked(sizes: Iterable[int]) -> tuple[slice, ...]:
    """Return the slices of consecutive blocks of these sizes."""
    return tuple(slice(start, stop) for start, stop in pairwise(accumulate(sizes, initial=0)))
