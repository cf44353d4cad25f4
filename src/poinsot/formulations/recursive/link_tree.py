"""Links as the nodes of sweeps, in two forms: on values, and rolled.

What sweeps read of a link: ``link``, ``q``, ``v``, ``a``, ``tau`` (its own entries; zero where not
given), ``passive`` (``PassiveCoefficients`` or None) and ``exerted``, the forces of elements along
its joint (or None).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.links import Link, link_wrenches
from poinsot.formulations.sweep import BASE, AbstractSweep, StraightSweep, step
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

    links: Sequence[Link]

    @abstractmethod
    def from_environment(self, name: str, compute: Callable[[Environment], Any]) -> None:
        """Set a value of the base from gravity and the base's motion."""

    @abstractmethod
    def at_base(self, name: str, value: Any) -> None:  # noqa: ANN401
        """Set a value of the base; on values roots read None instead, and need not transform it."""

    @abstractmethod
    def subtract_loads(self, name: str) -> None:
        """Subtract external loads, those of elements and loops among them, from a force (6,)."""

    @abstractmethod
    def by_velocity(self, name: str) -> Array:
        """Return values along all joints in the order of v, shape (nv,)."""


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
        super().__init__([link.parent for link in links])
        self._mechanism, self.links = mechanism, links
        self._environment = environment or Environment.of(mechanism)
        self._loads = link_wrenches(mechanism, self._environment)
        joints, exerted = joints_by_velocity(mechanism), self._environment.joint_forces
        for k, link in enumerate(links):
            values: dict[str, Any] = {"link": link, "q": inputs["q"][link.q]}
            still = np.zeros(link.joint.nv)
            values |= {"v": still, "a": still}
            values |= {name: array[link.v] for name, array in inputs.items() if name != "q"}
            values["passive"] = PassiveCoefficients.from_joint(joints[link.v.start])
            values["exerted"] = None if exerted is None else exerted[link.v]
            for name, value in values.items():
                self.values(name)[k] = value

    def from_environment(self, name: str, compute: Callable[[Environment], Any]) -> None:
        """Set a value of the base."""
        self.values(name)[BASE] = compute(self._environment)

    def at_base(self, name: str, value: Any) -> None:  # noqa: ANN401
        """Set None."""
        self.values(name)[BASE] = None

    def subtract_loads(self, name: str) -> None:
        """Subtract the wrenches of the environment."""
        name, _, field = name.partition(".")
        cells = self.values(name)
        for k, load in self._loads.items():
            if field:
                cells[k] = replace(cells[k], **{field: getattr(cells[k], field) - load})
            else:
                cells[k] = cells[k] - load

    def by_velocity(self, name: str) -> Array:
        """Return values in the order of v."""
        result = np.zeros(self._mechanism.nv, dtype=object)
        for k, link in enumerate(self.links):
            result[link.v] = self.values(name)[k]
        return np.array(result.tolist())


def joints_by_velocity(mechanism: Mechanism) -> dict[int, AbstractJoint]:
    """Return the joints that move, by the first of their velocities."""
    return {
        v_slice.start: body.joint
        for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        if body.joint.nv
    }
