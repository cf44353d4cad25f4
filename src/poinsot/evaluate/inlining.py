"""Quantities of expressions: the program of a quantity, run again in the graph of whoever asks.

So a control law, an event or a formula may use any quantity of any system: what it asks for is
compiled together with it.
"""

from __future__ import annotations

from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, PoinsotError
from poinsot.evaluate.call_arrays import expression_rows
from poinsot.expr import Program, traced
from poinsot.expr.replay import replay
from poinsot.kernels.kernel import AbstractKernel
from poinsot.spatial import Array


def inlined(
    name: str, system: str, kernel: AbstractKernel, arguments: tuple[ArrayLike, ...]
) -> Array:
    """Return a quantity as expressions, shape (..., those of the quantity).

    Args:
        name: The quantity.
        system: Name of the system, for the message of an error.
        kernel: What computes it on numbers.
        arguments: One array (..., size) of numbers and expressions for each input; leading
            dimensions broadcast.

    Raises:
        PoinsotError: If it is computed by loops, which have no expression.
    """
    program = kernel.program
    if not isinstance(program, Program):
        raise PoinsotError(
            f"{name}: {system!r} is too large to write its {name} into a function that is traced; "
            "give that function as poinsot.Callback(function)"
        )
    rows, batch = expression_rows(name, program.inputs, arguments)
    results = [replay(program, *state)[0].ravel() for state in zip(*rows, strict=True)]
    return traced(results).reshape((*batch, *program.outputs[0].shape))[()]


def refuse_out(name: str, out: Array | None) -> None:
    """Reject an array for a result that is expressions."""
    if out is not None:
        raise ArrayTypeError(
            f"{name}: out holds numbers, but the arguments are expressions of a function that is "
            "traced; leave out out="
        )
