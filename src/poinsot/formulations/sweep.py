"""Sweeps along a tree, described once: run on values, or recorded as items of a rolled program.

A sweep visits the nodes of a tree (links or bodies), parents first (outward) or last (inward), and
applies steps.  A step is a plain function; ``reads`` and ``writes`` name its arguments and results:

    q               of the node itself
    parent.motion   of its parent; -1 is the base
    all.energy      of the whole tree

A step that writes what it reads updates it.  A name that begins with an underscore is forgotten
when the sweep ends.  On values (``StraightSweep``) steps are applied as they are, constants fold,
and formulas come out shortest.  In a rolled program (``rolled_sweep.py``) the steps of one sweep
are traced once for all nodes of a kind, and each node is an item.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np

from poinsot.expr.packing import AbstractLayout, Value, layout_of
from poinsot.spatial import Array

BASE: Final = -1
"""The number of the base, the parent of roots."""
WHOLE: Final = -2
"""The number under which values of the whole tree are kept."""

Compute: TypeAlias = Callable[..., Any]
"""A function of values."""
LayoutOf: TypeAlias = Callable[[Any], AbstractLayout]
"""Gives the layout of a value."""

Name: TypeAlias = tuple[str, str]
"""Whose value ("", "parent" or "all") and its name."""


@dataclass(frozen=True)
class Step:
    """A function applied to every node, and the names of its arguments and results."""

    compute: Compute
    reads: tuple[Name, ...]
    writes: tuple[Name, ...]

    @property
    def is_for_parent(self) -> bool:
        """Whether it only updates what belongs to the parent."""
        return self.writes[0][0] == "parent"

    def applied(self, values: Sequence[Any]) -> Iterable[tuple[Name, Any]]:
        """Return the results by name."""
        result = self.compute(*values)
        return zip(self.writes, result if len(self.writes) > 1 else (result,), strict=True)


def label_of(compute: Compute) -> tuple[Hashable, str]:
    """Return what a function computes, values that it has captured apart; and its name as text."""
    function, settings = compute, ""
    if isinstance(compute, partial):
        function, settings = compute.func, f"{compute.args}{compute.keywords}"
    text = f"{function.__module__}.{function.__qualname__}{settings}"
    return (getattr(function, "__code__", function), settings), text


def step(compute: Compute, reads: str, writes: str) -> Step:
    """Return a step; names are separated by blanks, in the order of arguments and results."""
    return Step(compute, *(tuple(map(_name, names.split())) for names in (reads, writes)))


def _name(text: str) -> Name:
    owner, _, name = text.rpartition(".")
    return owner, name


class AbstractSweep(ABC):
    """The nodes of a tree and what is known of them: values, or slots that stand for them.

    Attributes:
        parents: The parent of each node.
        order: All nodes, parents before children.
    """

    def __init__(self, parents: Sequence[int], order: Sequence[int]) -> None:
        self.parents = parents
        self.order = order
        self._cells: dict[str, dict[int, Value]] = {}

    def values(self, name: str) -> dict[int, Value]:
        """Return what is known by a name, by node; of the description as soon as it is needed."""
        if name not in self._cells:
            self._cells[name] = self._described(name)
        return self._cells[name]

    @abstractmethod
    def _described(self, name: str) -> dict[int, Value]:
        """Return what is known of the nodes by their description and the inputs."""

    def outward(self, *passes: Sequence[Step], nodes: Iterable[int] | None = None) -> None:
        """Apply steps to nodes, all by default, parents first.

        Args:
            passes: On values one pass after the other; rolled, all together.
            nodes: Which, in order.
        """
        self._run(self.order if nodes is None else nodes, passes)

    def inward(
        self, *passes: Sequence[Step], nodes: Iterable[int] | None = None, each: Sequence[Step] = ()
    ) -> None:
        """Apply steps to nodes, children first, then those of ``each`` in any order."""
        self._run(self.order[::-1] if nodes is None else nodes, passes, each)

    @abstractmethod
    def each(self, *steps: Step) -> None:
        """Apply steps that need no other node; rolled, in the sweep that first reads a result."""

    @abstractmethod
    def _run(
        self, nodes: Iterable[int], passes: Sequence[Sequence[Step]], each: Sequence[Step] = ()
    ) -> None:
        """Apply the steps."""

    @abstractmethod
    def is_given(self, name: str) -> bool:
        """Say whether v, for instance, is an input."""

    @abstractmethod
    def input(self, name: str, entries: slice | None = None) -> Value:
        """Return an input, or entries of it."""

    @abstractmethod
    def constant(self, value: Value, layout: LayoutOf = layout_of) -> Value:
        """Return a value of the description as an argument of :meth:`apply`.

        Args:
            value: The value.
            layout: Gives its layout; only rolled programs need it.
        """

    @abstractmethod
    def start(self, name: str, value: Value, node: int = BASE) -> None:
        """Set a value that does not depend on the inputs."""

    @abstractmethod
    def apply(
        self,
        compute: Callable[..., Any],
        *arguments: Value,
        into: Value = None,
        label: Hashable = None,
    ) -> Value:
        """Return a function of values, for what is no node of the tree.

        Args:
            compute: The function.
            arguments: Its arguments.
            into: What the result replaces; of several results a tuple.
            label: What the function depends on besides its arguments: values that it has captured.
        """

    @abstractmethod
    def gathered(self, shape: tuple[int, ...], blocks: Iterable[tuple[Any, Value]]) -> Array:
        """Return an array of values, as the result of a quantity; zero where there is none.

        Args:
            shape: Its shape.
            blocks: Indices in it, and values.
        """

    def _node(self, owner: str, k: int) -> int:
        return k if not owner else self.parents[k] if owner == "parent" else WHOLE


class StraightSweep(AbstractSweep):
    """Steps on values; what a root would pass on to the base is not computed."""

    def __init__(
        self, parents: Sequence[int], order: Sequence[int], inputs: Mapping[str, Value]
    ) -> None:
        super().__init__(parents, order)
        self._inputs = inputs

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
        values = [self.values(name)[self._node(owner, k)] for owner, name in step.reads]
        for (owner, name), value in step.applied(values):
            self.values(name)[self._node(owner, k)] = value

    def is_given(self, name: str) -> bool:
        """Say whether there is a value."""
        return name in self._inputs

    def input(self, name: str, entries: slice | None = None) -> Value:
        """Return the values."""
        return self._inputs[name] if entries is None else self._inputs[name][entries]

    def constant(self, value: Value, layout: LayoutOf = layout_of) -> Value:
        """Return the value."""
        return value

    def start(self, name: str, value: Value, node: int = BASE) -> None:
        """Set the value."""
        self.values(name)[node] = value

    def apply(
        self,
        compute: Callable[..., Any],
        *arguments: Value,
        into: Value = None,
        label: Hashable = None,
    ) -> Value:
        """Return the function's value."""
        return compute(*arguments)

    def gathered(self, shape: tuple[int, ...], blocks: Iterable[tuple[Any, Value]]) -> Array:
        """Return the array."""
        array = np.zeros(shape, dtype=object)
        for index, value in blocks:
            array[index] = value
        return np.array(array.tolist()).reshape(shape)
