"""Sweeps along a tree, described once: run on values, or recorded as items of a rolled program.

A sweep visits the nodes of a tree (links or bodies), parents first (outward) or last (inward), and
applies steps.  A step is a plain function; ``reads`` and ``writes`` name its arguments and results:

    q               of the node itself
    parent.motion   of its parent; -1 is the base
    all.energy      of the whole tree

A step that writes what it reads updates it.  A name that begins with an underscore is forgotten
when the sweep ends.  On values (``StraightSweep``) steps are applied as they are, constants fold,
and formulas come out shortest.  In a rolled program (``RolledSweep``) the steps of one sweep are
traced once for all nodes of a kind, and each node is an item.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import RolledBuilder
from poinsot.expr.packing import AbstractLayout, ArrayLayout, NoLayout, layout_of
from poinsot.expr.program import fresh_symbols
from poinsot.expr.rolled import CONSTANTS, STATE
from poinsot.spatial import Array

BASE: Final = -1
"""The number of the base, the parent of roots."""
WHOLE: Final = -2
"""The number under which values of the whole tree are kept."""

Name: TypeAlias = tuple[str, str]
"""Whose value ("", "parent" or "all") and its name."""


@dataclass(frozen=True)
class Step:
    """A function applied to every node, and the names of its arguments and results."""

    compute: Callable[..., Any]
    reads: tuple[Name, ...]
    writes: tuple[Name, ...]

    @property
    def label(self) -> str:
        """The function with its settings, as text."""
        function, settings = self.compute, ""
        if isinstance(self.compute, partial):
            function = self.compute.func
            settings = f"{self.compute.args}{self.compute.keywords}"
        return f"{function.__module__}.{function.__qualname__}{settings}"

    @property
    def is_for_parent(self) -> bool:
        """Whether it only updates what belongs to the parent."""
        return self.writes[0][0] == "parent"

    def applied(self, values: Sequence[Any]) -> Iterable[tuple[Name, Any]]:
        """Return the results by name."""
        result = self.compute(*values)
        return zip(self.writes, result if len(self.writes) > 1 else (result,), strict=True)


def step(compute: Callable[..., Any], reads: str, writes: str) -> Step:
    """Return a step; names are separated by blanks, in the order of arguments and results."""
    return Step(compute, *(tuple(map(_name, names.split())) for names in (reads, writes)))


def _name(text: str) -> Name:
    owner, _, name = text.rpartition(".")
    return owner, name


class AbstractSweep(ABC):
    """The nodes of a tree and what is known of them.

    Attributes:
        parents: The parent of each node; parents stand before children.
        cells: By name, then by node, values or slots.
    """

    def __init__(self, parents: Sequence[int]) -> None:
        self.parents = parents
        self.cells: defaultdict[str, dict[int, Any]] = defaultdict(dict)

    def outward(self, *passes: Sequence[Step], nodes: Iterable[int] | None = None) -> None:
        """Apply steps to nodes, all by default, parents first.

        Args:
            passes: On values one pass after the other; rolled, all together.
            nodes: Which, in order.
        """
        self._run(range(len(self.parents)) if nodes is None else nodes, passes)

    def inward(self, *passes: Sequence[Step], each: Sequence[Step] = ()) -> None:
        """Apply steps to all nodes, children first, then those of ``each`` in any order."""
        backward = range(len(self.parents) - 1, -1, -1)
        self._run(backward, passes, each)

    @abstractmethod
    def each(self, *steps: Step) -> None:
        """Apply steps that need no other node; rolled, in the sweep that first reads a result."""

    @abstractmethod
    def _run(
        self, nodes: Iterable[int], passes: Sequence[Sequence[Step]], each: Sequence[Step] = ()
    ) -> None:
        """Apply the steps."""

    def _node(self, owner: str, k: int) -> int:
        return k if not owner else self.parents[k] if owner == "parent" else WHOLE


class StraightSweep(AbstractSweep):
    """Steps on values; what a root would pass on to the base is not computed."""

    def each(self, *steps: Step) -> None:
        """Apply steps, one after the other."""
        self._run((), (), steps)

    def _run(
        self, nodes: Iterable[int], passes: Sequence[Sequence[Step]], each: Sequence[Step] = ()
    ) -> None:
        order = list(nodes)
        for steps in passes:
            for k in order:
                for step in steps:
                    self._apply(step, k)
        for step in each:
            for k in range(len(self.parents)):
                self._apply(step, k)

    def _apply(self, step: Step, k: int) -> None:
        if step.is_for_parent and self.parents[k] == BASE:
            return
        values = [self.cells[name][self._node(owner, k)] for owner, name in step.reads]
        for (owner, name), value in step.applied(values):
            self.cells[name][self._node(owner, k)] = value


class Slot(NamedTuple):
    """Where a value lies: a memory of the rolled program, an index in it, and its layout."""

    memory: str
    start: int
    layout: AbstractLayout

    @property
    def read(self) -> tuple[str, int, int]:
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


class RolledSweep(AbstractSweep):
    """Steps as items: one code per kind of node, which the layouts of what it reads tell apart.

    Updates are in place.  Roots update a slot of the base that nobody reads, so that their code is
    that of all others.

    Attributes:
        owner: The name of the parameters of a node; all its codes read them.
    """

    owner: Name = ("", "link")

    def __init__(self, parents: Sequence[int], builder: RolledBuilder) -> None:
        super().__init__(parents)
        self.builder = builder
        self._layouts: dict[AbstractLayout, AbstractLayout] = {}
        self._traced: dict[tuple[Any, ...], _TracedSteps] = {}
        self._vectors: dict[tuple[int, bool], AbstractLayout] = {}
        self._waiting: list[Step] = []

    def each(self, *steps: Step) -> None:
        """Keep steps for the sweep that reads their results."""
        self._waiting += steps

    def constant(self, values: Any, layout: AbstractLayout | None = None) -> Slot:  # noqa: ANN401
        """Store a value among the constants."""
        layout = self._same(layout_of(values) if layout is None else layout)
        return Slot(CONSTANTS, self.builder.constants(layout.packed(values)), layout)

    def slot(self, memory: str, start: int, layout: AbstractLayout) -> Slot:
        """Return a slot in a memory; equal layouts become the same object."""
        return Slot(memory, start, self._same(layout))

    def new(self, layout: AbstractLayout) -> Slot:
        """Return a new slot in the state."""
        return self.slot(STATE, self.builder.state(layout.size), layout)

    def vector(self, size: int, *, known: bool = False) -> AbstractLayout:
        """Return the layout of a vector, or of zeros that are known."""
        key = size, known
        if key not in self._vectors:
            layout = NoLayout((size,)) if known else ArrayLayout((size,))
            self._vectors[key] = self._same(layout)
        return self._vectors[key]

    def _same(self, layout: AbstractLayout) -> AbstractLayout:
        return self._layouts.setdefault(layout, layout)

    def _run(
        self, nodes: Iterable[int], passes: Sequence[Sequence[Step]], each: Sequence[Step] = ()
    ) -> None:
        steps = [step for steps in passes for step in steps] + list(each)
        steps = self._awaited(_first_reads(steps)) + steps
        reads = [self.owner, *(name for name in _first_reads(steps) if name != self.owner)]
        label = " ".join(step.label for step in steps)
        cells = [(name, owner, self.cells[name]) for owner, name in reads]
        parents, append = self.parents, self.builder.append
        for k in nodes:
            slots: list[Slot] = []
            key: list[Any] = [label]
            for name, owner, known in cells:
                node = k if not owner else parents[k] if owner == "parent" else WHOLE
                if node == BASE and BASE not in known:
                    known[BASE] = self.new(self.cells[name][k].layout)
                slot = known[node]
                slots.append(slot)
                key += slot.memory, id(slot.layout)
            traced = self._traced.get(tuple(key))
            if traced is None:
                traced = self._trace(label, steps, reads, slots)
                self._traced[tuple(key)] = traced
            starts = [slots[port].start for port in traced.ports]
            for (owner, name), layout in traced.stored:
                known, node = self.cells[name], self._node(owner, k)
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
        self, label: str, steps: Sequence[Step], reads: Sequence[Name], slots: Sequence[Slot]
    ) -> _TracedSteps:
        """Trace steps as one code."""
        symbols: dict[str, Array] = {}
        values: dict[Name, Any] = {}
        for (owner, name), slot in zip(reads, slots, strict=True):
            port = f"{owner}_{name}" if owner else name
            symbols[port] = fresh_symbols(port, slot.layout.size)
            node = values.get(self.owner)
            values[owner, name] = slot.layout.unpacked(symbols[port], node)
        results: dict[Name, Any] = {}
        for step in steps:
            for key, value in step.applied([values[name] for name in step.reads]):
                results[key] = values[key] = value
        layouts = {
            name: self._layout(value, slots) for name, value in results.items() if name[1][0] != "_"
        }
        ports = tuple(k for k, slot in enumerate(slots) if slot.layout.size)
        names = list(symbols)
        code = self.builder.code(
            (label, tuple((slot.memory, slot.layout) for slot in slots)),
            {names[k]: (slots[k].memory, symbols[names[k]]) for k in ports},
            {
                "_".join(name): layout.packed(results[name])
                for name, layout in layouts.items()
                if layout.size
            },
        )
        return _TracedSteps(code, ports, tuple(layouts.items()))

    def _layout(self, value: Any, slots: Sequence[Slot]) -> AbstractLayout:  # noqa: ANN401
        return self._same(layout_of(value, sparse=True))


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
