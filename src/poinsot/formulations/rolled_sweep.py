"""Sweeps as items of a rolled program: slots of its memories in the place of values."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.expr.packing import AbstractLayout, ArrayLayout, Value, layout_of
from poinsot.expr.program import fresh_symbols
from poinsot.expr.rolled import CONSTANTS, STATE, traced_code
from poinsot.formulations.sweep import BASE, WHOLE, AbstractSweep, Compute, LayoutOf, Name, Step
from poinsot.model.environment import TIME
from poinsot.spatial import Array

Read: TypeAlias = tuple[str, int, int]
"""What an item reads: a memory, the index in it and the size."""


class Slot(NamedTuple):
    """Where a value lies: a memory of the rolled program, an index in it, and its layout."""

    memory: str
    start: int
    layout: AbstractLayout

    @property
    def read(self) -> Read:
        """Memory, index and size, as items read it."""
        return self.memory, self.start, self.layout.size

    @property
    def entries(self) -> Array:
        """Indices of its entries."""
        return self.start + np.arange(self.layout.size)

    def field(self, name: str) -> Slot:
        """Return the slot of a field of a record."""
        start, layout = self.layout.field(name)  # type: ignore[attr-defined]
        return Slot(self.memory, self.start + start, layout)


class _TracedSteps(NamedTuple):
    code: int
    ports: tuple[int, ...]  # which reads have entries
    stored: tuple[tuple[Name, AbstractLayout], ...]
    constants: tuple[int, ...] = ()  # where those that the code reads begin


class RolledSweep(AbstractSweep):
    """Steps as items: one code per kind of node, which the layouts of what it reads tell apart.

    Updates are in place.  Roots update a slot of the base that nobody reads, so that their code is
    that of all others.

    Attributes:
        owner: The name of the parameters that layouts of a node refer to; all its codes read them.
    """

    owner: Name | None = None

    def __init__(
        self,
        parents: Sequence[int],
        order: Sequence[int],
        builder: RolledBuilder,
        inputs: Collection[str] | None = None,
    ) -> None:
        super().__init__(parents, order)
        self.builder = builder
        sizes = builder.input_sizes
        self._inputs = {name: sizes[name] for name in sizes if inputs is None or name in inputs}
        self._layouts: dict[AbstractLayout, AbstractLayout] = {}
        self._traced: dict[tuple[Any, ...], _TracedSteps] = {}
        self._vectors: dict[int, AbstractLayout] = {}
        self._waiting: list[Step] = []

    def each(self, *steps: Step) -> None:
        """Keep steps for the sweep that reads their results."""
        self._waiting += steps

    def is_given(self, name: str) -> bool:
        """Say whether it is one of the inputs."""
        return name in self._inputs

    def input(self, name: str, entries: slice | None = None) -> Slot:
        """Return the slot of an input; the time is a scalar."""
        if name == TIME:
            return self.slot(name, 0, ArrayLayout(()))
        entries = slice(0, self._inputs[name]) if entries is None else entries
        return Slot(name, entries.start, self.vector(entries.stop - entries.start))

    def constant(self, value: Value, layout: LayoutOf = layout_of) -> Slot:
        """Store a value among the constants."""
        same = self._same(layout(value))
        return Slot(CONSTANTS, self.builder.constants(same.packed(value)), same)

    def start(self, name: str, value: Value, node: int = BASE) -> None:
        """Append an item that stores a value."""
        slot = self.values(name)[node] = self.new(layout_of(value))
        entries = slot.layout.packed(value)
        code = traced_code({}, {name: entries})
        self.builder.append(self.builder.code(("start", name, *entries), code), [slot.start])

    def apply(
        self, compute: Compute, *arguments: Slot, into: Slot | None = None, label: Hashable = None
    ) -> Slot:
        """Append an item; codes that differ in constants only become one."""
        reads = tuple(("", f"x{k}") for k in range(len(arguments)))
        step = Step(compute, reads, (("", "result"),))
        key = (step.label, label, *((slot.memory, id(slot.layout)) for slot in arguments))
        traced = self._traced.get(key)
        if traced is None:
            traced = self._traced[key] = self._trace([step], reads, arguments, None)
        ((_, layout),) = traced.stored
        slot = into or Slot(STATE, self.builder.state(layout.size), layout)
        starts = [*(arguments[port].start for port in traced.ports), *traced.constants, slot.start]
        self.builder.append(traced.code, starts)
        return slot

    def field(self, record: Slot, k: int) -> Slot:
        """Return the slot of an entry."""
        return record.field(str(k))

    def gathered(self, shape: tuple[int, ...], blocks: Iterable[tuple[Any, Slot]]) -> Array:
        """Return the index in the state of each entry."""
        indices = np.full(shape, -1)
        for index, slot in blocks:
            indices[index] = slot.entries.reshape(slot.layout.shape)  # type: ignore[attr-defined]
        if (indices < 0).any():
            self.start("zero", 0.0, WHOLE)
            indices[indices < 0] = self.values("zero")[WHOLE].start
        return indices

    def slot(self, memory: str, start: int, layout: AbstractLayout) -> Slot:
        """Return a slot in a memory; equal layouts become the same object."""
        return Slot(memory, start, self._same(layout))

    def new(self, layout: AbstractLayout) -> Slot:
        """Return a new slot in the state."""
        return self.slot(STATE, self.builder.state(layout.size), layout)

    def vector(self, size: int) -> AbstractLayout:
        """Return the layout of a vector."""
        if size not in self._vectors:
            self._vectors[size] = self._same(ArrayLayout((size,)))
        return self._vectors[size]

    def _same(self, layout: AbstractLayout) -> AbstractLayout:
        return self._layouts.setdefault(layout, layout)

    def _run(
        self, nodes: Iterable[int], passes: Sequence[Sequence[Step]], each: Sequence[Step] = ()
    ) -> None:
        steps = [step for steps in passes for step in steps] + list(each)
        steps = self._awaited(_first_reads(steps)) + steps
        reads = _first_reads(steps)
        if self.owner is not None:
            reads = [self.owner, *(name for name in reads if name != self.owner)]
        label = " ".join(step.label for step in steps)
        cells = [(name, owner, self.values(name)) for owner, name in reads]
        parents, append = self.parents, self.builder.append
        for k in nodes:
            slots: list[Slot] = []
            key: list[Any] = [label]
            for name, owner, known in cells:
                node = k if not owner else parents[k] if owner == "parent" else WHOLE
                if node == BASE and BASE not in known:
                    known[BASE] = self.new(self.values(name)[k].layout)
                slot = known[node]
                slots.append(slot)
                key += slot.memory, id(slot.layout)
            traced = self._traced.get(tuple(key))
            if traced is None:
                traced = self._traced[tuple(key)] = self._trace(steps, reads, slots, label)
            starts = [slots[port].start for port in traced.ports]
            for (owner, name), layout in traced.stored:
                known, node = self.values(name), self._node(owner, k)
                if node not in known:
                    known[node] = Slot(STATE, self.builder.state(layout.size), layout)
                elif known[node].layout is not layout:
                    raise ProgramError(f"{name!r} of node {node} changes its layout to {layout}")
                if layout.size:
                    starts.append(known[node].start)
            append(traced.code, starts)

    def _awaited(self, reads: Sequence[Name]) -> list[Step]:
        """Return the steps that have waited for a sweep with these reads; they wait no longer."""
        wanted, awaited = set(reads), list[Step]()
        for step in reversed(self._waiting):
            if wanted.intersection(step.writes):
                wanted.update(step.reads)
                awaited.insert(0, step)
        self._waiting = [step for step in self._waiting if step not in awaited]
        return awaited

    def _trace(
        self, steps: Sequence[Step], reads: Sequence[Name], slots: Sequence[Slot], label: str | None
    ) -> _TracedSteps:
        """Trace steps as one code; without a label it is shared with all that are alike."""
        symbols: dict[str, Array] = {}
        values: dict[Name, Any] = {}
        for (owner, name), slot in zip(reads, slots, strict=True):
            port = f"{owner}_{name}" if owner else name
            symbols[port] = fresh_symbols(port, slot.layout.size)
            owner_value = None if self.owner is None else values.get(self.owner)
            values[owner, name] = slot.layout.unpacked(symbols[port], owner_value)
        results: dict[Name, Any] = {}
        for step in steps:
            for key, value in step.applied([values[name] for name in step.reads]):
                results[key] = values[key] = value
        layouts = {
            name: self._layout(value, slots, sparse=label is not None)
            for name, value in results.items()
            if name[1][0] != "_"
        }
        ports = tuple(k for k, slot in enumerate(slots) if slot.layout.size)
        names = list(symbols)
        code = traced_code(
            {names[k]: (slots[k].memory, symbols[names[k]]) for k in ports},
            {
                "_".join(name): layout.packed(results[name])
                for name, layout in layouts.items()
                if layout.size
            },
        )
        stored = tuple(layouts.items())
        if label is None:
            number, constants = self.builder.code_alike(code)
            return _TracedSteps(number, ports, stored, (constants,))
        kinds = tuple((slot.memory, slot.layout) for slot in slots)
        return _TracedSteps(self.builder.code((label, kinds), code), ports, stored)

    def _layout(self, value: Value, slots: Sequence[Slot], *, sparse: bool) -> AbstractLayout:
        """Return the layout of a result of steps that read slots."""
        return self._same(layout_of(value, sparse=sparse))


def _first_reads(steps: Sequence[Step]) -> list[Name]:
    """Return what steps read and none of them has written before."""
    reads: dict[Name, None] = {}
    written: set[Name] = set()
    for step in steps:
        reads.update((name, None) for name in step.reads if name not in written)
        written.update(step.writes)
    return list(reads)


def starts(slots: Mapping[int, Slot]) -> dict[int, int]:
    """Return the indices of slots by node."""
    return {k: slot.start for k, slot in slots.items()}
