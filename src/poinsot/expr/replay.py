"""A program run again on other scalars: numbers give numbers, expressions give expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.node import Expr, Scalar, apply, as_expr
from poinsot.expr.ops import MEANING, Op
from poinsot.expr.program import Program

_FOLDING: Final[Mapping[Op, Callable[..., Any]]] = {
    **{Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv},
    Op.NEG: operator.neg,
}
"""Operations whose operators fold (0 x = 0, ...), as everywhere else in the graph."""


def replay(program: Program, *inputs: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the outputs of a program for inputs of any scalars.

    Args:
        program: What to compute.
        inputs: An array in the shape of each of its input ports.

    >>> from poinsot.expr import build, symbol, symbol_array
    >>> x = symbol_array("x", 2)
    >>> product = build({"x": x}, {"y": x[0] * x[1]})
    >>> replay(product, np.array([2.0, 3.0]))[0], replay(product, np.array([symbol("u"), 0.5]))[0]
    (array(6.), array(0.5 * u, dtype=object))
    """
    values: list[Scalar] = [x for array in inputs for x in np.asarray(array).ravel().tolist()]
    values += program.constants
    for op, arguments in program.steps:
        values.append(_applied(op, [values[a] for a in arguments]))
    results = [values[k] for k in program.results]
    outputs, start = [], 0
    for port in program.outputs:
        entries = results[start : start + port.size]
        outputs.append(np.array(entries).reshape(port.shape))
        start += port.size
    return tuple(outputs)


def _applied(op: Op, operands: list[Scalar]) -> Scalar:
    if any(isinstance(x, Expr) for x in operands):
        if op in _FOLDING:
            value: Scalar = _FOLDING[op](*operands)
            return value
        return apply(op, *map(as_expr, operands))
    return float(MEANING[op](*operands))
