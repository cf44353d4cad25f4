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
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeAlias

from poinsot.expr.packing import AbstractLayout, layout_of

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
        parents: The parent of each node.
        order: All nodes, parents before children.
        cells: By name, then by node, values or slots.
    """

    def __init__(self, parents: Sequence[int], order: Sequence[int] | None = None) -> None:
        self.parents = parents
        self.order = range(len(parents)) if order is None else order
        self.cells: dict[str, dict[int, Any]] = {}

    def values(self, name: str) -> dict[int, Any]:
        """Return the cells of a name; those of the description are added when they are needed."""
        if name not in self.cells:
            self.cells[name] = self._described(name)
        return self.cells[name]

    def _described(self, name: str) -> dict[int, Any]:
        """Return what is known of the nodes by their description."""
        return {}

    def outward(self, *passes: Sequence[Step], nodes: Iterable[int] | None = None) -> None:
        """Apply steps to nodes, all by default, parents first.

        Args:
            passes: On values one pass after the other; rolled, all together.
            nodes: Which, in order.
        """
        self._run(self.order if nodes is None else nodes, passes)

    def inward(
        self,
        *passes: Sequence[Step],
        nodes: Iterable[int] | None = None,
        each: Sequence[Step] = (),
    ) -> None:
        """Apply steps to nodes, children first, then those of ``each`` in any order."""
        self._run(self.order[::-1] if nodes is None else nodes, passes, each)

    @abstractmethod
    def start(self, name: str, value: Any, node: int = BASE) -> None:  # noqa: ANN401
        """Set a value that does not depend on the inputs."""

    @abstractmethod
    def constant(
        self,
        value: Any,  # noqa: ANN401
        layout: Callable[[Any], AbstractLayout] = layout_of,
    ) -> Any:  # noqa: ANN401
        """Return a value of the description as an argument of :meth:`apply`.

        Args:
            value: The value.
            layout: Gives its layout; only rolled programs need it.
        """

    @abstractmethod
    def apply(
        self,
        compute: Callable[..., Any],
        *arguments: Any,  # noqa: ANN401
        into: Any = None,  # noqa: ANN401
        label: Hashable = None,
    ) -> Any:  # noqa: ANN401
        """Return a function of cells and constants, for what is no node of the tree.

        Args:
            compute: The function.
            arguments: Its arguments.
            into: What the result replaces.
            label: What the function depends on besides its arguments.
        """

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

    def start(self, name: str, value: Any, node: int = BASE) -> None:  # noqa: ANN401
        """Set a value."""
        self.values(name)[node] = value

    def constant(
        self,
        value: Any,  # noqa: ANN401
        layout: Callable[[Any], AbstractLayout] = layout_of,
    ) -> Any:  # noqa: ANN401
        """Return the value."""
        return value

    def apply(
        self,
        compute: Callable[..., Any],
        *arguments: Any,  # noqa: ANN401
        into: Any = None,  # noqa: ANN401
        label: Hashable = None,
    ) -> Any:  # noqa: ANN401
        """Return the function's value."""
        return compute(*arguments)

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
