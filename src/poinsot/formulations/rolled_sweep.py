"""Sweeps as items of a rolled program: slots of its memories in the place of values."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from itertools import zip_longest
from types import NoneType
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import Op, RolledBuilder, as_expr
from poinsot.expr.packing import AbstractLayout, ArrayLayout, Value, layout_of
from poinsot.expr.program import fresh_symbols
from poinsot.expr.rolled_code import CONSTANTS, STATE, Code, traced_code
from poinsot.expr.serialization import operands_first
from poinsot.formulations.sweep import (
    BASE,
    WHOLE,
    AbstractSweep,
    Compute,
    LayoutOf,
    Name,
    Step,
    label_of,
)
from poinsot.model.environment import TIME
from poinsot.spatial import Array


class Slot(NamedTuple):
    """Where a value lies: a memory of the rolled program, an index in it, and its layout."""

    memory: str
    start: int
    layout: AbstractLayout

    @property
    def entries(self) -> Array:
        """Indices of its entries."""
        return self.start + np.arange(self.layout.size)

    def field(self, name: str) -> Slot:
        """Return the slot of a field of a record."""
        start, layout = self.layout.field(name)  # type: ignore[attr-defined]
        return Slot(self.memory, self.start + start, layout)


class _TracedCode(NamedTuple):
    code: int
    ports: tuple[int, ...]  # which reads have entries
    stored: tuple[tuple[Name, AbstractLayout], ...]
    constants: tuple[int, ...] = ()  # where those that the code reads begin
    is_tuple: bool = False  # whether a function has several results


class RolledSweep(AbstractSweep):
    """Steps as items: one code per kind of node, which the layouts of what it reads tell apart.

    Updates are in place.  Roots update a slot of the base that nobody reads, so that their code is
    that of all others.

    Attributes:
        owner: The name of the parameters that layouts of a node refer to; all its codes read them.
        owner_kind: The type of their layouts.
    """

    owner: Name | None = None
    owner_kind: type = NoneType

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
        self._traced: dict[tuple[Any, ...], _TracedCode] = {}
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
        self, compute: Compute, *arguments: Slot, into: Value = None, label: Hashable = None
    ) -> Value:
        """Append an item; codes that differ in constants only become one."""
        into = (into,) if into is None or isinstance(into, Slot) else into
        kinds = [None if slot is None else id(slot.layout) for slot in into]
        memories = [(slot.memory, id(slot.layout)) for slot in arguments]
        key = (label_of(compute)[0], label, *memories, *kinds)
        traced = self._traced.get(key)
        if traced is None:
            traced = self._traced[key] = self._trace_call(compute, arguments, into)
        slots = [
            slot or Slot(STATE, self.builder.state(layout.size), layout)
            for slot, (_, layout) in zip_longest(into, traced.stored)
        ]
        starts = [*(arguments[port].start for port in traced.ports), *traced.constants]
        self.builder.append(traced.code, starts + [x.start for x in slots if x.layout.size])
        return tuple(slots) if traced.is_tuple else slots[0]

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
        computed, labels = zip(*(label_of(step.compute) for step in steps), strict=True)
        cells = [(name, owner, self.values(name)) for owner, name in reads]
        parents, append = self.parents, self.builder.append
        for k in nodes:
            slots: list[Slot] = []
            key: list[Any] = [computed]
            for name, owner, known in cells:
                node = k if not owner else parents[k] if owner == "parent" else WHOLE
                if node == BASE and BASE not in known:
                    known[BASE] = self.new(self.values(name)[k].layout)
                slot = known[node]
                slots.append(slot)
                key += slot.memory, id(slot.layout)
            traced = self._traced.get(tuple(key))
            if traced is None:
                traced = self._traced[tuple(key)] = self._trace(
                    steps, reads, slots, " ".join(labels)
                )
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
        self, steps: Sequence[Step], reads: Sequence[Name], slots: Sequence[Slot], label: str
    ) -> _TracedCode:
        """Trace steps as one code."""
        names = ["_".join(name) for name in reads]
        symbols, arguments = self._symbols(names, slots)
        values, results = dict(zip(reads, arguments, strict=True)), dict[Name, Any]()
        for step in steps:
            for name, value in step.applied([values[read] for read in step.reads]):
                results[name] = values[name] = value
        results = {name: value for name, value in results.items() if name[1][0] != "_"}
        layouts = {name: self._layout(value, slots) for name, value in results.items()}
        code = _coded(symbols, slots, results, layouts)
        kinds = tuple((slot.memory, slot.layout) for slot in slots)
        ports, stored = _with_entries(slots), tuple(layouts.items())
        return _TracedCode(self.builder.code((label, kinds), code), ports, stored)

    def _trace_call(
        self, compute: Compute, slots: Sequence[Slot], into: Sequence[Slot | None]
    ) -> _TracedCode:
        """Trace a function as a code that is shared with all that are alike."""
        symbols, arguments = self._symbols([f"x{k}" for k in range(len(slots))], slots)
        result = compute(*arguments)
        values = result if isinstance(result, tuple) else (result,)
        results: dict[Name, Any] = {("", str(k)): value for k, value in enumerate(values)}
        targets = [None if slot is None else slot.layout for slot in into]
        layouts = {
            name: target or self._same(layout_of(value))
            for (name, value), target in zip_longest(results.items(), targets)
        }
        constants: tuple[int, ...] = ()
        try:
            coded = _coded(symbols, slots, results, layouts)
        except ProgramError:  # parameters in formulas: constants that are formulas
            parameters = _foreign_symbols(symbols, results, layouts)
            constants = (self.builder.constants(parameters.tolist()),)
            coded = _coded(symbols, slots, results, layouts, parameters)
        code, start = self.builder.code_alike(coded)
        constants += () if start is None else (start,)
        ports, stored = _with_entries(slots), tuple(layouts.items())
        return _TracedCode(code, ports, stored, constants, isinstance(result, tuple))

    def _symbols(
        self, names: Sequence[str], slots: Sequence[Slot]
    ) -> tuple[dict[str, Array], list[Value]]:
        """Return symbols for the entries of slots, and the values they stand for."""
        symbols: dict[str, Array] = {}
        values, owner = [], None
        for name, slot in zip(names, slots, strict=True):
            symbols[name] = fresh_symbols(name, slot.layout.size)
            values.append(slot.layout.unpacked(symbols[name], owner))
            owner = values[-1] if isinstance(slot.layout, self.owner_kind) else owner
        return symbols, values

    def _layout(self, value: Value, slots: Sequence[Slot]) -> AbstractLayout:
        """Return the layout of a result of steps that read slots."""
        return self._same(layout_of(value, sparse=True))


def _with_entries(slots: Sequence[Slot]) -> tuple[int, ...]:
    return tuple(k for k, slot in enumerate(slots) if slot.layout.size)


def _coded(
    symbols: Mapping[str, Array], slots: Sequence[Slot], results: Mapping[Name, Value],
    layouts: Mapping[Name, AbstractLayout], parameters: Array | None = None,
) -> Code:  # fmt: skip
    pairs = zip(symbols.items(), slots, strict=True)
    more = {} if parameters is None else {"parameters": (CONSTANTS, parameters)}
    stored = {"_".join(name): layout for name, layout in layouts.items() if layout.size}
    packed = {"_".join(name): layouts[name].packed(value) for name, value in results.items()}
    return traced_code(
        {name: (slot.memory, entries) for (name, entries), slot in pairs if slot.layout.size}
        | more,
        {name: packed[name] for name in stored},
    )


def _foreign_symbols(
    symbols: Mapping[str, Array], results: Mapping[Name, Value],
    layouts: Mapping[Name, AbstractLayout],
) -> Array:  # fmt: skip
    """Return the symbols in results that stand for none of the entries read."""
    own = {entry.serial for entries in symbols.values() for entry in entries}
    packed = (layouts[name].packed(value) for name, value in results.items())
    roots = [as_expr(entry) for entries in packed for entry in entries]
    leaves = (node for node in operands_first(roots) if node.op is Op.SYMBOL)
    return np.array([leaf for leaf in leaves if leaf.serial not in own], dtype=object)


def _first_reads(steps: Sequence[Step]) -> list[Name]:
    """Return what steps read and none of them has written before."""
    reads: dict[Name, None] = {}
    written: set[Name] = set()
    for step in steps:
        reads.update((name, None) for name in step.reads if name not in written)
        written.update(step.writes)
    return list(reads)
