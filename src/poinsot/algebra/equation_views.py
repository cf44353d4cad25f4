"""Quantities of a system's equations in two views: compact and expanded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np

from poinsot.algebra.alphabet import Letter
from poinsot.algebra.computation_listing import ComputationListing, listing
from poinsot.algebra.expanded_form import as_sympy, expanded, expanded_solution
from poinsot.algebra.notation import Notation
from poinsot.algebra.shortest_form import length
from poinsot.algebra.traced_quantities import Shown
from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import Expr, as_expr
from poinsot.expr.serialization import operands_first
from poinsot.spatial import Array

READABLE: Final = 900
"""Operations up to which equations are shown multiplied out, unless another view is chosen."""

SMALL: Final = 600
"""Nodes of a graph above which it is not even tried."""

VIEWS: Final = ("auto", "compact", "expanded")

SOLVED: Final = ("forward_dynamics", "state_rate")
"""What is solved for: quotients, where it is multiplied out."""


class WrittenQuantities(Protocol):
    """Quantities by name, and how they are written."""

    @property
    def symbols(self) -> Notation:
        """The symbols that they are written with."""

    @property
    def whose(self) -> str:
        """What they are of."""

    @property
    def is_closed(self) -> bool:
        """Whether there are loops or constraints."""

    @property
    def is_plain(self) -> bool:
        """Whether v is the rate of q."""

    def shown(self, name: str) -> Shown:
        """Return how a quantity is shown."""

    def __getitem__(self, name: str) -> Array:
        """Return a quantity as expressions."""


class Views:
    """A quantity as expressions of named symbols.

    Attributes:
        name: Which one, e.g. ``"mass_matrix"``.
        entries: Its expressions, in its shape; what they share is not repeated.
    """

    def __init__(self, traced: WrittenQuantities, name: str) -> None:
        self.name = name
        self.entries: Array = np.asarray(traced[name])
        self._traced = traced

    @property
    def shown(self) -> Shown:
        """Its letter and meaning."""
        return self._traced.shown(self.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """Its shape; () for an energy."""
        return self.entries.shape

    @cached_property
    def compact(self) -> ComputationListing:
        """Named intermediate variables in the order of computation, and the entries by them."""
        return listing(self.entries.ravel().tolist(), self._traced.symbols.letters)

    @property
    def expanded(self) -> Any:  # noqa: ANN401 (SymPy)
        """Multiplied out and simplified, as SymPy's formula, column or matrix.

        Raises:
            PoinsotError: It would be too long to read.
        """
        return as_sympy(self.short)

    @cached_property
    def short(self) -> Array:
        """Multiplied out and simplified, as expressions.

        Raises:
            PoinsotError: It would be too long to read.
        """
        traced = self._traced
        symbols, what = traced.symbols, f"{self.shown.meaning} of {traced.whose!r}"
        if self.name not in SOLVED:
            return expanded(self.entries, symbols, what)
        if traced.is_closed:
            raise PoinsotError(
                f"{what} under constraints is no short formula; take .compact, or mass_matrix, "
                "bias and the constraint equations"
            )
        force = symbols.tau - traced["bias"]
        solution = expanded_solution(traced["mass_matrix"], force, symbols, what)
        if self.name == "forward_dynamics":
            return solution
        return np.concatenate([expanded(traced["position_rate"], symbols, what), solution])

    def letter(self, entry: tuple[int, ...]) -> str | None:
        """Return the name of the symbol that an entry is, counted from 1; None if it is none."""
        symbols = self._traced.symbols
        named = {"forward_dynamics": symbols.a, "inverse_dynamics": symbols.tau}
        return str(named[self.name][entry[0] - 1].value) if self.name in named else None

    def rows(self, entries: Sequence[Expr]) -> list[tuple[tuple[int, ...], Expr]]:
        """Return entries with their indices from 1, for symmetric matrices the upper triangle.

        Args:
            entries: All entries, row by row.
        """
        indices = list(np.ndindex(self.shape))
        symmetric = self.name == "mass_matrix"
        return [
            (tuple(k + 1 for k in index), as_expr(entry))
            for index, entry in zip(indices, entries, strict=True)
            if not symmetric or index[0] <= index[1]
        ]


@dataclass(frozen=True, eq=False)
class EquationBlock:
    """Quantities that are shown together.

    Attributes:
        assignments: Intermediate variables, in order; none where they are multiplied out.
        quantities: Each quantity with its entries and their indices from 1.
        letters: How symbols and variables are written, by name.
    """

    assignments: tuple[tuple[str, Expr], ...]
    quantities: tuple[tuple[Views, list[tuple[tuple[int, ...], Expr]]], ...]
    letters: Mapping[str, Letter]


def block(quantities: Sequence[Views], view: str, letters: Mapping[str, Letter]) -> EquationBlock:
    """Return quantities in one view.

    Args:
        quantities: What to show.
        view: ``"compact"``, ``"expanded"``, or ``"auto"``: expanded where that is short.
        letters: How symbols are written, by name.

    Raises:
        PoinsotError: There is no such view, or they are too long to be multiplied out.
    """
    if view not in VIEWS:
        raise ModelError(f"derive: view must be one of {', '.join(VIEWS)}, got {view!r}")
    roots = [as_expr(x) for quantity in quantities for x in quantity.entries.ravel().tolist()]
    small = sum(1 for _ in operands_first(roots)) <= SMALL
    if view == "expanded" or (view == "auto" and small):
        try:
            shorts = [quantity.short.ravel().tolist() for quantity in quantities]
        except PoinsotError:
            if view == "expanded":
                raise
        else:
            size = sum(length(as_expr(x)) for entries in shorts for x in entries)
            if view == "expanded" or size <= READABLE:
                pairs = zip(quantities, shorts, strict=True)
                return EquationBlock(
                    (), tuple((quantity, quantity.rows(x)) for quantity, x in pairs), letters
                )
    listed = listing(roots, letters)
    quantity_rows, start = [], 0
    for quantity in quantities:
        stop = start + quantity.entries.size
        quantity_rows.append((quantity, quantity.rows(listed.results[start:stop])))
        start = stop
    return EquationBlock(listed.assignments, tuple(quantity_rows), listed.letters)
