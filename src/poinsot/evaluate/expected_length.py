"""About how long a derivative will be: what is too long is not traced to find out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.request import Derivative
from poinsot.expr import Port, Program, fresh_symbols
from poinsot.expr.derivative_length import derivative_length, gradients_length
from poinsot.expr.node import ZERO, as_expr
from poinsot.formulations.position_rate import tangent_basis
from poinsot.model import Mechanism
from poinsot.model.environment import BASE

MISJUDGED = 1.6
"""How many times too high a length that is known before the trace may be."""


def is_too_long(mechanism: Mechanism, asked: Derivative, program: Program, longest: float) -> bool:
    """Say whether a derivative is certainly longer than so many operations, in either direction."""
    longest *= MISJUDGED
    if expected_length(mechanism, asked, program) > longest:
        return True
    dense = [name for name, along in zip(asked.by, asked.along, strict=True) if not along]
    if not dense:
        return False
    moves = _moves(mechanism, dense[-1], program.inputs)
    results = 1 if asked.weighted else program.outputs[0].size
    if max(moves, default=0).bit_length() <= results:  # forwards
        return False
    return gradients_length(program, moves, together=asked.weighted) > longest


def expected_length(mechanism: Mechanism, asked: Derivative, program: Program) -> int:
    """Return about how many operations a derivative takes by forward differentiation, or fewer.

    Of several derivatives by different arguments only those by one of them count, of dense ones the
    first; where differentiation goes backwards, which is short for all of them, it is 0.
    """
    dense = [name for name, along in zip(asked.by, asked.along, strict=True) if not along]
    if dense:
        moves = _moves(mechanism, dense[-1], program.inputs)
        results = 1 if asked.weighted else program.outputs[0].size
        if not any(moves) or max(moves).bit_length() > results:
            return 0
        return derivative_length(program, moves)
    name, order = max(Counter(asked.by).items(), key=itemgetter(1), default=("t", asked.rate))
    in_time = ("q", "v", "a", "t", BASE, *mechanism.state_values)
    moving = in_time if asked.rate else (name,)
    each = [_moves(mechanism, key, program.inputs) for key in moving]
    return derivative_length(
        program, [int(any(of_entry)) for of_entry in zip(*each, strict=True)], order
    )


def _moves(mechanism: Mechanism, name: str, inputs: Sequence[Port]) -> list[int]:
    """Return for each entry of all inputs along which directions of an argument it moves, as bits.

    The argument is an input, or one free parameter or state.
    """
    moves: list[int] = []
    for port in inputs:
        if port.name == name:
            moves += _directions_of(mechanism, port)
        elif port.name == PARAMETERS:
            moves += [int(key == name) for key in mechanism.parameter_inputs]
        else:
            moves += [0] * port.size
    return moves


def _directions_of(mechanism: Mechanism, port: Port) -> list[int]:
    """Return for each entry of an input the unit vectors along which it moves, as bits."""
    basis = tangent_basis(mechanism, fresh_symbols("q", port.size)) if port.name == "q" else None
    if basis is None:
        return [1 << k for k in range(port.size)]
    return [sum(1 << k for k, x in enumerate(row) if as_expr(x) is not ZERO) for row in basis]
