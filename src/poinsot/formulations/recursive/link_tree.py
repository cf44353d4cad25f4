"""Links as the nodes of sweeps, in two forms: on values, and rolled.

What sweeps read of a link: ``link``, ``q``, ``v``, ``a``, ``tau`` (its own entries; zero where not
given), ``passive`` (``PassiveCoefficients`` or None) and ``exerted``, the forces of elements along
its joint (or None).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from poinsot.expr.packing import AbstractLayout, NoLayout, Value
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.links import Link, Placement, link_wrenches
from poinsot.formulations.sweep import AbstractSweep, StraightSweep, step
from poinsot.model import AbstractJoint, Environment, Mechanism
from poinsot.spatial import Array

PLACE = step(Link.placed, "link q", "placement")
"""The placement of a link in its parent."""


def _passive_force(
    link: Link, passive: PassiveCoefficients | None, q: Array, v: Array, exerted: Array | None
) -> Array:
    """Return the forces of springs and dampers less those of elements, shape (nv of the joint,)."""
    force = np.zeros(link.joint.nv) if passive is None else passive.force(q, v)
    return force if exerted is None else force - exerted


PASSIVE = step(_passive_force, "link passive q v exerted", "_passive")
"""Passive forces of a joint, on the left-hand side."""


class AbstractTree(AbstractSweep):
    """The links of a mechanism."""

    mechanism: Mechanism
    links: Sequence[Link]

    @property
    def root(self) -> Placement | None:
        """Placement of the root link in the base, where its frame may be that of all; else None."""
        return None

    def place(self) -> None:
        """Add the ``placement`` of each link: a sweep of its own, whose sines wait for nothing."""
        self.outward([PLACE])

    @abstractmethod
    def from_environment(self, name: str, compute: Callable[[Environment], Value]) -> None:
        """Set a value of the base from gravity and the base's motion."""

    @abstractmethod
    def at_base(self, name: str, value: Value) -> None:
        """Set a value of the base; on values roots read None instead, and need not transform it."""

    @property
    @abstractmethod
    def is_loaded(self) -> bool:
        """Whether there are external loads besides gravity and the motion of the base."""

    @abstractmethod
    def subtract_loads(self, name: str) -> None:
        """Subtract external loads, those of elements and loops among them, from a force (6,)."""

    def by_velocity(self, name: str) -> Array:
        """Return values along all joints in the order of v, shape (nv,)."""
        values = [(link.v, self.values(name)[k]) for k, link in enumerate(self.links)]
        return self.gathered((self.mechanism.nv,), values)

    def _described(self, name: str) -> dict[int, Value]:
        links = enumerate(self.links)
        if name == "passive":
            joints = joints_by_velocity(self.mechanism)
            coefficients = PassiveCoefficients.from_joint
            return {k: self.constant(coefficients(joints[link.v.start])) for k, link in links}
        if name == "link":
            return {k: self.constant(link, LinkKind.from_link) for k, link in links}
        if name in ("q", "v", "a", "tau"):
            if self.is_given(name):
                return {k: self.input(name, link.q if name == "q" else link.v) for k, link in links}
            if name != "tau":
                return {k: self.constant(np.zeros(link.joint.nv), _known) for k, link in links}
        return {}


def _known(zeros: Array) -> AbstractLayout:
    return NoLayout(zeros.shape)


class StraightTree(AbstractTree, StraightSweep):
    """Links with the values of one state.

    Args:
        mechanism: The bodies.
        links: The links.
        environment: External loads; gravity alone by default.
        inputs: Some of q, v, a and tau.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        links: Sequence[Link],
        environment: Environment | None = None,
        **inputs: Array,
    ) -> None:
        super().__init__([link.parent for link in links], range(len(links)), inputs)
        self.mechanism, self.links = mechanism, links
        self._environment = environment or Environment.of(mechanism)
        self._loads = link_wrenches(mechanism, self._environment)
        exerted = self._environment.joint_forces
        for k, link in enumerate(links):
            self.start("exerted", None if exerted is None else exerted[link.v], k)

    @property
    def root(self) -> Placement | None:
        """Placement of the root link in the base; None if there are several."""
        roots = [link for link in self.links if link.parent < 0]
        return roots[0].placed(self.input("q", roots[0].q)) if len(roots) == 1 else None

    def from_environment(self, name: str, compute: Callable[[Environment], Value]) -> None:
        """Set a value of the base."""
        self.start(name, compute(self._environment))

    def at_base(self, name: str, value: Value) -> None:
        """Set None."""
        self.start(name, None)

    @property
    def is_loaded(self) -> bool:
        """Whether a wrench acts on a link."""
        return bool(self._loads)

    def subtract_loads(self, name: str) -> None:
        """Subtract the wrenches of the environment."""
        name, _, field = name.partition(".")
        forces = self.values(name)
        for k, load in self._loads.items():
            if field:
                forces[k] = replace(forces[k], **{field: getattr(forces[k], field) - load})
            else:
                forces[k] = forces[k] - load


def joints_by_velocity(mechanism: Mechanism) -> dict[int, AbstractJoint]:
    """Return the joints that move, by the first of their velocities."""
    return {
        v_slice.start: body.joint
        for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        if body.joint.nv
    }
