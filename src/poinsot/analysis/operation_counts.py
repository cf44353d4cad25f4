"""How many operations a quantity takes, before and after everything that shortens it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from poinsot.evaluate.algorithms import rolled_form
from poinsot.evaluate.quantity import Algorithm
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.evaluate.routines import routine_of
from poinsot.evaluate.trace import trace_algorithm, trace_rolled
from poinsot.expr import Program
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.formulations.recursive.links import links_of
from poinsot.model import Mechanism


@dataclass(frozen=True)
class OperationCounts:
    """Operations of one quantity; sums, products, roots, sines and so on count one each.

    Attributes:
        quantity: The quantity.
        written_out: With every result as one formula, without intermediate values.
        general: With intermediate values, for any numbers in the description: lengths, masses and
            inertias are variables, as in a loop over the bodies.  None where there is no such form.
        folded: With the numbers folded in, in frames that make the arithmetic short.
        final: And with what joints cannot feel of the inertias handed inwards: what is computed.
        by_kind: The last by operation, e.g. ``{"mul": 16, "add": 12}``.
    """

    quantity: str
    written_out: int
    general: int | None
    folded: int
    final: int
    by_kind: Mapping[str, int] = field(compare=False)

    def __str__(self) -> str:
        rows = [
            ("written out", self.written_out),
            ("any numbers", self.general),
            ("numbers folded", self.folded),
            ("inertias regrouped", self.final if self.final != self.folded else None),
        ]
        kinds = ", ".join(f"{n} {kind}" for kind, n in self.by_kind.items())
        lines = [f"{name:>20}  {count:,}" for name, count in rows if count is not None]
        return "\n".join([f"operations of {self.quantity}", *lines, f"{'':>20}  {kinds}"])


def count_operations(mechanism: Mechanism, quantity: str, method: str) -> OperationCounts:
    """Return the operations of a quantity, named as in ``export``.

    Args:
        mechanism: The mechanism; constants need not be folded in.
        quantity: Which quantity.
        method: Which formulation.
    """
    program = routine_of(mechanism, quantity, method).program
    mechanism = mechanism.bound
    plain = quantity in QUANTITIES and method == RECURSIVE  # no quantity of one body
    general = None
    if plain and rolled_form(mechanism, quantity) is not None:
        general = trace_rolled(mechanism, Request(quantity)).n_operations
    folded = program.n_operations
    if plain and quantity == "inverse_dynamics" and not mechanism.closures:
        algorithm = Algorithm(partial(inverse_dynamics, links=links_of))
        folded = trace_algorithm(mechanism, Request(quantity), algorithm).n_operations
    kinds = {op.name.lower(): n for op, n in sorted(program.counts.items())}
    return OperationCounts(
        quantity, written_out(program), general, folded, program.n_operations, kinds
    )


def written_out(program: Program) -> int:
    """Return the operations of all results, each written as one formula.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 1)
    >>> s = x[0].sin() + 1
    >>> written_out(build({"x": x}, {"y": s * s}))
    5
    """
    counts = [0] * program.first_step
    for _, args in program.steps:
        counts.append(1 + sum(counts[a] for a in args))
    return sum(counts[r] for r in program.results)
