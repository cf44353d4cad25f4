"""What a quantity of a mechanism is: its inputs, its algorithms, and how it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:  # the command line needs names only
    from poinsot.expr import Rolled
    from poinsot.expr.column_program import ColumnProgram
    from poinsot.model import Mechanism

Function: TypeAlias = Callable[..., Any]
"""(mechanism, options of the request..., one array per input, environment if loaded) -> array."""
Cost: TypeAlias = "Callable[[Mechanism], float]"
"""About how many operations something takes."""
BODY_AXES: Final = ("body", "world")
"""Axes in which there are quantities of one body."""
REACTION_AXES: Final = ("body", "joint", "world")
"""Axes in which there are wrenches in joints."""


@dataclass(frozen=True)
class Algorithm:
    """An algorithm that computes a quantity.

    Attributes:
        compute: Its function, over any scalar.
        cost: Only used where a quantity has several algorithms.
    """

    compute: Function
    cost: Cost = lambda _: 0.0


@dataclass(frozen=True)
class Export:
    """A quantity as other languages show it.

    Attributes:
        symbol: Name of its result.
        about: What it computes.
        entries: What the entries of the result belong to, a key of ``inputs.UNITS``; or nothing.
    """

    symbol: str
    about: str
    entries: str = ""


@dataclass(frozen=True)
class Quantity:
    """A quantity of a mechanism.

    Attributes:
        name: Its name; methods of ``System`` that return it have the same.
        inputs: Names of its inputs (``inputs.INPUTS``), in order.
        algorithms: How to compute it for a tree.  Those that may be the cheapest are traced, and
            the program with the fewest operations is taken.
        closed: How to compute it with loops and constraints, on the dynamics of a tree given as
            ``tree=``; None: the algorithms hold for them too.
        rolled: Its form for large trees; None: it has none.
        rolled_closed: Its form for large systems with loops and constraints.
        columns: Its form for one state of few bodies, side by side; it may give None.
        options: Fields of a request that its functions take first, e.g. ("body", "axes").
        loaded: Whether external loads, force elements among them, are part of it.
        solves: Whether the mass matrix is inverted, so that it must not be singular.
        length: About how many operations it takes, where few bodies may take many; or 0.
        longest: Operations above which it is rolled where there are loops and constraints: those
            that compile in about 1.4 s; fewer where pivots are chosen at run time, by selections.
        export: How other languages show it; None: they do not.
        is_method: Whether a method of ``System`` returns it as it is.
    """

    name: str
    inputs: tuple[str, ...]
    algorithms: tuple[Algorithm, ...] = ()
    closed: Function | None = None
    rolled: Callable[..., Rolled] | None = None
    rolled_closed: Callable[..., Rolled] | None = None
    columns: Callable[[Mechanism], ColumnProgram | None] | None = None
    options: tuple[str, ...] = ()
    loaded: bool = False
    solves: bool = False
    length: Cost = lambda _: 0.0
    longest: int = 25_000
    export: Export | None = None
    is_method: bool = True

    @property
    def of_body(self) -> bool:
        """Whether it belongs to one body."""
        return "body" in self.options

    @property
    def axes(self) -> tuple[str, ...]:
        """The axes among which there is a choice; none where there is none."""
        if "axes" not in self.options:
            return ()
        return BODY_AXES if self.of_body else REACTION_AXES

    @property
    def is_own(self) -> bool:
        """Whether its functions belong to this package, whose source is part of cache keys."""
        functions = [algorithm.compute for algorithm in self.algorithms]
        functions += [] if self.closed is None else [self.closed]
        return all(_home(function).startswith("poinsot.") for function in functions)

    def is_closed(self, mechanism: Mechanism) -> bool:
        """Say whether it is built on the dynamics of the spanning tree of a mechanism."""
        return self.closed is not None and bool(mechanism.closures or not self.algorithms)


def _home(function: Function) -> str:
    """Return the module of a function, or of the one a partial wraps."""
    while isinstance(function, partial):
        function = function.func
    return str(function.__module__)
