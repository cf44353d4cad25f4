"""Links with their kinds and parameters, and the builder of the rolled recursions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.packing import AbstractLayout, ArrayLayout, RecordLayout, Value
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.forces import (
    add_joint_forces,
    joint_elements,
    wrenches_of_elements,
)
from poinsot.formulations.recursive.link_kinds import LinkKind, PlacementLayout
from poinsot.formulations.recursive.link_tree import PLACE, AbstractTree
from poinsot.formulations.recursive.links import Link, Placement, hinge_turn, link_frame
from poinsot.formulations.rolled_bodies import RolledBodies
from poinsot.formulations.rolled_closures import append_closure_wrenches
from poinsot.formulations.rolled_sweep import RolledSweep, Slot
from poinsot.formulations.sweep import BASE as WORLD
from poinsot.model import Environment, LoadInputs, Mechanism, Revolute
from poinsot.model.environment import BASE, TIME, WRENCHES
from poinsot.spatial import Array, Transform

GRAVITY = "gravity"
"""Name of the input that holds gravity in base axes, if it is an input."""

TOGETHER: Final = 8
"""Hinges whose sines are computed by one call."""
_GRAVITY = RecordLayout(Environment, ("gravity",), (ArrayLayout((3,)),))
"""The layout of an environment where only gravity acts."""
_MOVING = RecordLayout(
    Environment,
    ("gravity", "velocity", "acceleration"),
    (ArrayLayout((3,)), ArrayLayout((6,)), ArrayLayout((6,))),
)
"""The layout of one whose base moves, 15 numbers."""


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
    owner_kind = LinkKind

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
        super().__init__([link.parent for link in links], range(len(links)), builder)
        self.mechanism, self.links = mechanism, links
        self.nv = mechanism.nv
        self._load_inputs = load_inputs
        self._environment = self.constant(Environment.of(mechanism), lambda _: _GRAVITY)
        if load_inputs is not None and load_inputs.base:
            self._environment = self.slot(BASE, 0, _MOVING)
        elif GRAVITY in inputs:
            self._environment = self.slot(GRAVITY, 0, _GRAVITY)
        self._moved_by = {link.v.start: k for k, link in enumerate(links)}
        self.kinds: list[LinkKind] = [slot.layout for slot in self.values("link").values()]
        self.values("exerted").update(dict.fromkeys(range(len(links)), self.constant(None)))

    def place(self) -> None:
        """Add the ``placement`` of each link, of eight hinges at a time: one call for their sines.

        The last eight may be some that have been placed before: one code serves any number.
        """
        hinges = [k for k, kind in enumerate(self.kinds) if isinstance(kind.joint, Revolute)]
        if len(hinges) < TOGETHER or not self.is_given("q"):
            super().place()
            return
        number, pair = self._same(ArrayLayout(())), self.vector(2)
        turns = {k: self.new(pair) for k in hinges}
        for first in range(0, len(hinges), TOGETHER):
            group = hinges[min(first, len(hinges) - TOGETHER) :][:TOGETHER]
            slots = list[Slot]()
            for k in group:
                link, q = self.link_slots(k, "q")
                offset = link.start + self.kinds[k].offset_index
                slots += [Slot(link.memory, offset, number), q]
            self.apply(_hinge_turns, *slots, into=tuple(turns[k] for k in group))
        for k, slot in turns.items():
            self.values("placement")[k] = self.slot(
                STATE, slot.start, PlacementLayout(self.kinds[k])
            )
        self.outward([PLACE], nodes=[k for k in self.order if k not in turns])

    def from_environment(self, name: str, compute: Callable[[Environment], Value]) -> None:
        """Append a value of the base."""
        self.values(name)[WORLD] = self.apply(compute, self._environment)

    def at_base(self, name: str, value: Value) -> None:
        """Append a constant value of the base."""
        self.start(name, value)

    @property
    def is_loaded(self) -> bool:
        """Whether wrenches are inputs, or the mechanism has elements or loops that exert some."""
        given = self._load_inputs
        return given is not None and bool(
            given.wrenches or self.mechanism.forces or self.mechanism.closures
        )

    def subtract_loads(self, name: str) -> None:
        """Append the loads, and the forces of elements along joints."""
        name, _, field = name.partition(".")
        forces = {k: slot.field(field) if field else slot for k, slot in self.values(name).items()}
        if self._load_inputs is None:
            return
        for k, body in enumerate(self._load_inputs.wrenches):
            wrench = Slot(WRENCHES, 6 * k, self.vector(6))
            self._subtract(wrench, body, Transform.identity(), forces)
        for body, point, wrench in wrenches_of_elements(self._moving_bodies()):
            self._subtract(wrench, body, Transform(np.eye(3), np.array(point)), forces)
        for body, wrench in append_closure_wrenches(self._moving_bodies(), self._load_inputs):
            self._subtract(wrench, body, Transform.identity(), forces)
        if joint_elements(self.mechanism):
            self._add_joint_forces()

    def put_by_velocity(self, name: str, start: int) -> None:
        """Have a sweep put its values along joints in the order of v, from an index on."""
        for k, link in enumerate(self.links):
            layout = self.vector(link.v.stop - link.v.start)
            self.values(name)[k] = Slot(STATE, start + link.v.start, layout)

    def shown(self, name: str, entries: Array) -> Rolled:
        """Return the program whose output has these entries of the state."""
        self.builder.show(name, entries)
        return self.builder.finish()

    def _layout(self, value: Value, slots: Sequence[Slot]) -> AbstractLayout:
        if isinstance(value, Placement):
            kind = next(slot.layout for slot in slots if isinstance(slot.layout, LinkKind))
            return self._same(PlacementLayout(kind))
        return super()._layout(value, slots)

    def _add_joint_forces(self) -> None:
        start = self.builder.state(self.nv)
        entries = [self.slot(STATE, start + k, ArrayLayout(())) for k in range(self.nv)]
        self.builder.item(
            "no force", lambda: {"total": np.zeros(1)}, {}, {"total": start + np.arange(self.nv)}
        )
        add_joint_forces(self._moving_bodies(), entries)
        self.put_by_velocity("exerted", start)

    def _moving_bodies(self) -> RolledBodies:
        return RolledBodies(self.mechanism, self.builder, ("q", "v", TIME))

    def _subtract(
        self, wrench: Slot, body: int, X_BE: Transform, forces: Mapping[int, Slot]
    ) -> None:
        """Subtract a wrench on a body, given in a frame of the body, from the force of its link."""
        link, X_CB = link_frame(self.mechanism, body)
        if link >= 0:
            force = forces[link]
            self.apply(_less, force, self.constant(X_CB @ X_BE), wrench, into=force)

    def link_of(self, joint: str) -> int:
        """Return the link that the joint of this name moves."""
        return self._moved_by[self.mechanism.v_slice(joint).start]

    def link_slots(self, k: int, *names: str) -> list[Slot]:
        """Return a link and what is known of it by names."""
        return [self.values(name)[k] for name in ("link", *names)]


def _hinge_turns(*offsets_and_q: Any) -> tuple[Array, ...]:  # noqa: ANN401 (scalars and arrays)
    pairs = zip(offsets_and_q[::2], offsets_and_q[1::2], strict=True)
    turns = [hinge_turn(offset, q[0]) for offset, q in pairs]
    return tuple(np.array([turn.c, turn.s]) for turn in turns)


def _less(force: Array, X_CE: Transform, wrench: Array) -> Array:
    return force - X_CE.force_to_parent(wrench)
