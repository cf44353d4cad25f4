"""About how long a derivative will be: what is too long is not traced to find out."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from operator import itemgetter

from poinsot.evaluate.request import Derivative
from poinsot.expr import Port, Program, fresh_symbols
from poinsot.expr.derivative_length import derivative_length
from poinsot.expr.node import ZERO, as_expr
from poinsot.formulations.position_rate import tangent_basis
from poinsot.model import Mechanism


def expected_length(mechanism: Mechanism, asked: Derivative, program: Program) -> int:
    """Return about how many operations a derivative takes by forward differentiation, or fewer.

    Of several derivatives by different arguments only those by one of them count, of dense ones the
    first; where differentiation goes backwards, which is short for all of them, it is 0.
    """
    dense = [name for name, along in zip(asked.by, asked.along, strict=True) if not along]
    if dense:
        name, order = dense[-1], 1
        directions = {port.name: _directions_of(mechanism, port) for port in program.inputs}
        results = 1 if asked.weighted else program.outputs[0].size
        if name not in directions or max(directions[name]).bit_length() > results:
            return 0
        moving = {name}
    else:
        directions = {port.name: [1] * port.size for port in program.inputs}
        name, order = max(Counter(asked.by).items(), key=itemgetter(1), default=("t", asked.rate))
        moving = {"q", "v", "a", "t"} if asked.rate else {name}
    moves = (directions[x.name] if x.name in moving else [0] * x.size for x in program.inputs)
    return derivative_length(program, [*chain.from_iterable(moves)], order)


def _directions_of(mechanism: Mechanism, port: Port) -> list[int]:
    """Return for each entry of an input the unit vectors along which it moves, as bits."""
    basis = tangent_basis(mechanism, fresh_symbols("q", port.size)) if port.name == "q" else None
    if basis is None:
        return [1 << k for k in range(port.size)]
    return [sum(1 << k for k, x in enumerate(row) if as_expr(x) is not ZERO) for row in basis]
