"""Links with their kinds and parameters, and the builder of the rolled recursions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.packing import AbstractLayout, ArrayLayout, NoLayout, layout_of
from poinsot.expr.rolled import CONSTANTS, STATE, Rolled
from poinsot.formulations.forces import (
    add_joint_forces,
    joint_elements,
    wrenches_of_elements,
)
from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.link_kinds import LinkKind, PlacementLayout
from poinsot.formulations.recursive.link_tree import AbstractTree, joints_by_velocity
from poinsot.formulations.recursive.links import Link, Placement, link_frame
from poinsot.formulations.rolled_bodies import RolledBodies
from poinsot.formulations.rolled_closures import append_closure_wrenches
from poinsot.formulations.rolled_sweep import RolledSweep, Slot, starts
from poinsot.formulations.sweep import BASE as WORLD
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.model.environment import BASE, N_BASE, TIME, WRENCHES
from poinsot.spatial import Array, Transform

GRAVITY = "gravity"
"""Name of the input that holds gravity in base axes, if it is an input."""


class RolledTree(AbstractTree, RolledSweep):
    """Links with their kinds and parameters, and a builder for their items.

    Args:
        mechanism: The bodies.
        links: The links.
        inputs: Which of q, v, a, tau and gravity are inputs.
        output: Name and shape of the result.
        load_inputs: Which external loads are inputs; None where gravity is the only load.
    """

    owner = ("", "link")

    def __init__(
        self,
        mechanism: Mechanism,
        links: tuple[Link, ...],
        inputs: tuple[str, ...],
        output: tuple[str, tuple[int, ...]],
        load_inputs: LoadInputs | None = None,
    ) -> None:
        sizes = {"q": mechanism.nq, GRAVITY: 3}
        more = {} if load_inputs is None else load_inputs.inputs(mechanism)
        builder = RolledBuilder(
            {name: sizes.get(name, mechanism.nv) for name in inputs} | more, dict([output])
        )
        super().__init__([link.parent for link in links], builder)
        self.mechanism = mechanism
        self.nv = mechanism.nv
        self._load_inputs = load_inputs
        self.links = links
        if load_inputs is not None and load_inputs.base:
            self._source = (BASE, 0, N_BASE)
        elif GRAVITY in inputs:
            self._source = (GRAVITY, 0, 3)
        else:
            self._source = (CONSTANTS, self.builder.constants(mechanism.gravity), 3)
        self._moved_by = {link.v.start: k for k, link in enumerate(links)}
        self._add_cells(inputs)

    def _add_cells(self, inputs: Sequence[str]) -> None:
        joints, values = joints_by_velocity(self.mechanism), self.values
        nothing = self.slot(STATE, 0, NoLayout())
        for k, link in enumerate(self.links):
            values("link")[k] = self.constant(link, LinkKind.from_link)
            coefficients = PassiveCoefficients.from_joint(joints[link.v.start])
            values("passive")[k] = nothing if coefficients is None else self.constant(coefficients)
            values("exerted")[k] = nothing
        for name in dict.fromkeys(("v", "a", *inputs)):
            for k, link in enumerate(self.links):
                entries = link.q if name == "q" else link.v
                layout = self.vector(entries.stop - entries.start, known=name not in inputs)
                values(name)[k] = Slot(name, entries.start, layout)
        self.kinds: list[LinkKind] = [values("link")[k].layout for k in range(len(self.links))]

    def from_environment(self, name: str, compute: Callable[[Environment], Any]) -> None:
        """Append a value of the base."""
        value = compute(Environment(np.zeros(3)))
        slot = self.new(layout_of(value))
        self.values(name)[WORLD] = slot
        self.builder.item(
            ("base", name, self._source[0]), partial(_world, compute, slot.layout),
            {"numbers": self._source}, {"world": slot.start},
        )  # fmt: skip

    def at_base(self, name: str, value: Any) -> None:  # noqa: ANN401
        """Append a constant value of the base."""
        self.start(name, value)

    def subtract_loads(self, name: str) -> None:
        """Append the loads, and the forces of elements along joints."""
        name, _, field = name.partition(".")
        forces = {k: slot.field(field) if field else slot for k, slot in self.values(name).items()}
        self.loads(starts(forces))
        self.forces_along_joints()

    def by_velocity(self, name: str) -> Array:
        """Return the indices of values in the order of v."""
        result = np.zeros(self.nv, int)
        for k, link in enumerate(self.links):
            result[link.v] = self.values(name)[k].entries
        return result

    def put_by_velocity(self, name: str, start: int) -> None:
        """Have a sweep put its values along joints in the order of v, from an index on."""
        for k, link in enumerate(self.links):
            layout = self.vector(link.v.stop - link.v.start)
            self.values(name)[k] = Slot(STATE, start + link.v.start, layout)

    def shown(self, name: str, entries: Array) -> Rolled:
        """Return the program whose output has these entries of the state."""
        self.builder.show(name, entries)
        return self.builder.finish()

    def _layout(self, value: Any, slots: Sequence[Slot], *, sparse: bool) -> AbstractLayout:  # noqa: ANN401
        if isinstance(value, Placement):
            kind = next(slot.layout for slot in slots if isinstance(slot.layout, LinkKind))
            return self._same(PlacementLayout(kind))
        return super()._layout(value, slots, sparse=sparse)

    def loads(self, forces: Mapping[int, int]) -> None:
        """Subtract external wrenches and those of elements and loops from the forces of links."""
        if self._load_inputs is None:
            return
        for k, body in enumerate(self._load_inputs.wrenches):
            self.load(body, Transform.identity(), (WRENCHES, 6 * k, 6), forces)
        for body, point, wrench in wrenches_of_elements(self._moving_bodies()):
            self.load(body, Transform(np.eye(3), np.array(point)), wrench.read, forces)
        for body, wrench in append_closure_wrenches(self._moving_bodies(), self._load_inputs):
            self.load(body, Transform.identity(), wrench.read, forces)

    def forces_along_joints(self) -> None:
        """Append the forces of elements along joints, for ``joint_forces_read``."""
        if self._load_inputs is None or not joint_elements(self.mechanism):
            return
        start = self.builder.state(self.nv)
        entries = [self.slot(STATE, start + k, ArrayLayout(())) for k in range(self.nv)]
        self.builder.item(
            "no force", lambda: {"total": np.zeros(1)}, {}, {"total": start + np.arange(self.nv)}
        )
        add_joint_forces(self._moving_bodies(), entries)
        self.put_by_velocity("exerted", start)

    def _moving_bodies(self) -> RolledBodies:
        return RolledBodies(self.mechanism, self.builder, ("q", "v", TIME))

    def load(
        self, body: int, X_BE: Transform, wrench: tuple[str, int, int], forces: Mapping[int, int]
    ) -> None:
        """Subtract a wrench on a body, given in a frame of the body, from the force of its link."""
        link, X_CB = link_frame(self.mechanism, body)
        if link < 0:
            return
        X_CE = X_CB @ X_BE
        numbers = [*X_CE.R.ravel().tolist(), *X_CE.p.tolist()]
        self.builder.item(
            ("load", wrench[0]),
            _load,
            {
                "numbers": (CONSTANTS, self.builder.constants(numbers), 12),
                "wrench": wrench,
                "force": (STATE, forces[link], 6),
            },
            {"force": forces[link]},
        )

    def link_of(self, joint: str) -> int:
        """Return the link that the joint of this name moves."""
        return self._moved_by[self.mechanism.v_slice(joint).start]

    def joint_reads(self, link: Link, *names: str) -> dict[str, tuple[str, int, int]]:
        """Return the reads of a joint's coordinates, velocities, ..."""
        return {
            name: (name, entries.start, entries.stop - entries.start)
            for name, entries in ((name, link.q if name == "q" else link.v) for name in names)
        }

    def item(
        self,
        step: str,
        k: int,
        trace: Callable[..., dict[str, Array]],
        reads: dict[str, tuple[str, int, int]],
        writes: dict[str, int],
    ) -> None:
        """Append a step for link k."""
        kind = self.kinds[k]
        self.builder.item(
            (step, kind), trace, {"numbers": self.values("link")[k].read, **reads}, writes
        )


def _world(
    compute: Callable[[Environment], Any], layout: AbstractLayout, *, numbers: Array
) -> dict[str, Any]:
    environment = Environment(numbers)
    if len(numbers) == N_BASE:
        environment = Environment(numbers[:3], numbers[3:9], numbers[9:])
    return {"world": layout.packed(compute(environment))}


def _load(*, numbers: Array, wrench: Array, force: Array) -> dict[str, Array]:
    X_CE = Transform(numbers[:9].reshape(3, 3), numbers[9:])
    return {"force": force - X_CE.force_to_parent(wrench)}
