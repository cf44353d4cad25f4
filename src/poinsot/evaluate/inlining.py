"""Quantities of expressions: the program of a quantity, run again in the graph of whoever asks.

So a control law, an event or a formula may use any quantity of any system: what it asks for is
compiled together with it.  A quantity that is computed by loops stays so where the function may
have stages before it (``expr/staged_program.py``); elsewhere it is traced without loops.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial

from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, PoinsotError
from poinsot.evaluate.call_arrays import expression_rows
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import LONGEST_STRAIGHT, NODES_PER_OPERATION, trace
from poinsot.expr import Program, Rolled, TooManyNodesError, nodes_at_most, traced
from poinsot.expr.replay import replay
from poinsot.expr.rolled_tree import has_tree
from poinsot.expr.staged_program import stage_limit, stage_results
from poinsot.expr.straightened import straightened
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
    straight = partial(_straight, mechanism, request)
    results = [program_values(program, state, straight) for state in zip(*rows, strict=True)]
    return traced(results).reshape((*batch, *port.shape))[()]


def program_values(
    program: Program | Rolled, state: Sequence[Array], straight: Callable[[int], Program]
) -> Array:
    """Return the entries of the only output of a program, as expressions of those of its inputs.

    Routines cannot be written to files: what needs them is a stage only if it is too long without.

    Args:
        program: The program.
        state: Numbers and expressions for each of its inputs.
        straight: Gives it without loops, in so many operations at most, or raises an error.

    Raises:
        PoinsotError: If it has loops, is too long without, and nobody records stages.
    """
    longest = LONGEST_STRAIGHT
    if isinstance(program, Rolled) and has_tree(program):
        limit = stage_limit()
        if limit == 0:
            results = stage_results(program, state)
            assert results is not None
            return results
        longest = longest if limit is None else min(limit, longest)
    try:
        written = program if isinstance(program, Program) else straight(longest)
    except PoinsotError:
        results = stage_results(program, state) if isinstance(program, Rolled) else None
        if results is None:
            raise
        return results
    values: Array = replay(written, *state)[0].ravel()
    return values


@lru_cache(maxsize=16)
def _straight(mechanism: Mechanism, request: Request, longest: int) -> Program:
    with _written_out(f"{request.quantity} of {mechanism.name!r}", longest):
        return trace(mechanism, request)


@lru_cache(maxsize=16)
def straight_form(program: Rolled, name: str, longest: int) -> Program:
    """Return a rolled program without loops, which has a name for the message of an error."""
    with _written_out(name, longest):
        return straightened(program)


@contextmanager
def _written_out(name: str, longest: int) -> Iterator[None]:
    try:
        with nodes_at_most(int(NODES_PER_OPERATION * longest)):
            yield
    except TooManyNodesError:
        raise TooManyNodesError(
            f"{name} is too large to be written out, {longest} operations at most. Only what runs "
            "in simulate and run.evaluate keeps its loops, and not with symplectic integrators"
        ) from None


def refuse_out(name: str, out: Array | None) -> None:
    """Reject an array for a result that is expressions."""
    if out is not None:
        raise ArrayTypeError(
            f"{name}: out holds numbers, but the arguments are expressions of a function that is "
            "traced; leave out out="
        )
