"""Quantities of expressions: the program of a quantity, run again in the graph of whoever asks.

So a control law, an event or a formula may use any quantity of any system: what it asks for is
compiled together with it.  A quantity that is computed by loops stays so where the function may
have stages before it (``staged_program.py``); elsewhere it is traced without loops.
"""

from __future__ import annotations

from functools import lru_cache

from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, PoinsotError
from poinsot.evaluate.call_arrays import expression_rows
from poinsot.evaluate.request import Request
from poinsot.evaluate.staged_program import stage_results
from poinsot.evaluate.trace import LONGEST_STRAIGHT, NODES_PER_OPERATION, trace
from poinsot.expr import Program, Rolled, TooManyNodesError, nodes_at_most, traced
from poinsot.expr.replay import replay
from poinsot.expr.rolled_tree import has_tree
from poinsot.kernels.kernel import AbstractKernel
from poinsot.model import Mechanism
from poinsot.spatial import Array


def inlined(
    mechanism: Mechanism, request: Request, kernel: AbstractKernel,
    arguments: tuple[ArrayLike, ...],
) -> Array:  # fmt: skip
    """Return a quantity as expressions, shape (..., those of the quantity).

    Args:
        mechanism: What it is a quantity of.
        request: The quantity.
        kernel: What computes it on numbers.
        arguments: One array (..., size) of numbers and expressions for each input; leading
            dimensions broadcast.

    Raises:
        PoinsotError: If it would be too long.
    """
    name, program = request.quantity, kernel.program
    (port,) = program.outputs
    rows, batch = expression_rows(name, program.inputs, arguments)
    results = [_values(mechanism, request, program, state) for state in zip(*rows, strict=True)]
    return traced(results).reshape((*batch, *port.shape))[()]


def _values(
    mechanism: Mechanism, request: Request, program: Program | Rolled, state: tuple[Array, ...]
) -> Array:
    """Return the entries of a quantity at one state.

    Routines cannot be written to files: what needs them is a stage only if it is too long without.
    """
    if isinstance(program, Rolled) and has_tree(program):
        results = stage_results(program, state)
        if results is not None:
            return results
    try:
        straight = program if isinstance(program, Program) else _straight(mechanism, request)
    except PoinsotError:
        results = stage_results(program, state) if isinstance(program, Rolled) else None
        if results is None:
            raise
        return results
    values: Array = replay(straight, *state)[0].ravel()
    return values


@lru_cache(maxsize=16)
def _straight(mechanism: Mechanism, request: Request) -> Program:
    try:
        with nodes_at_most(int(NODES_PER_OPERATION * LONGEST_STRAIGHT)):
            return trace(mechanism, request)
    except TooManyNodesError:
        name = request.quantity
        raise PoinsotError(
            f"{name}: {mechanism.name!r} is too large to write its {name} into a function that is "
            "traced; give that function as poinsot.Callback(function)"
        ) from None


def refuse_out(name: str, out: Array | None) -> None:
    """Reject an array for a result that is expressions."""
    if out is not None:
        raise ArrayTypeError(
            f"{name}: out holds numbers, but the arguments are expressions of a function that is "
            "traced; leave out out="
        )
