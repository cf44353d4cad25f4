"""Quantities of expressions: the program of a quantity, run again in the graph of whoever asks.

So a control law, an event or a formula may use any quantity of any system: what it asks for is
compiled together with it.
"""

from __future__ import annotations

from functools import lru_cache

from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, PoinsotError
from poinsot.evaluate.call_arrays import expression_rows
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import LONGEST_STRAIGHT, NODES_PER_OPERATION, trace
from poinsot.expr import Program, TooManyNodesError, nodes_at_most, traced
from poinsot.expr.replay import replay
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
        kernel: What computes it on numbers; where that is a loop, it is traced without one.
        arguments: One array (..., size) of numbers and expressions for each input; leading
            dimensions broadcast.

    Raises:
        PoinsotError: If it would be too long.
    """
    name, program = request.quantity, kernel.program
    if not isinstance(program, Program):
        program = _straight(mechanism, request)
    rows, batch = expression_rows(name, program.inputs, arguments)
    results = [replay(program, *state)[0].ravel() for state in zip(*rows, strict=True)]
    return traced(results).reshape((*batch, *program.outputs[0].shape))[()]


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
