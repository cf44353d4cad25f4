"""A program run again on other scalars: numbers give numbers, expressions give expressions."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.node import Expr, Scalar, apply, as_expr
from poinsot.expr.ops import MEANING, Op
from poinsot.expr.program import Program, build
from poinsot.expr.serialization import operands_first

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


def with_values(values: NDArray[Any], symbols: NDArray[Any], by: NDArray[Any]) -> NDArray[Any]:
    """Return expressions with others in place of some symbols, what they share still shared.

    Args:
        values: Expressions and numbers, any shape.
        symbols: Distinct symbols, shape (n,).
        by: What takes their place, numbers or expressions, shape (n,).

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> with_values(np.array([x * y, 2.0]), np.array([x]), np.array([y + 1]))
    array([y * (1 + y), 2.0], dtype=object)
    """
    roots = [as_expr(x) for x in values.ravel()]
    leaves = [node for node in operands_first(roots) if node.op is Op.SYMBOL]
    new = {symbol.serial: value for symbol, value in zip(symbols, by, strict=True)}
    inputs = np.empty(len(leaves), dtype=object)
    inputs[:] = leaves
    given = np.empty(len(leaves), dtype=object)
    given[:] = [new.get(leaf.serial, leaf) for leaf in leaves]
    (result,) = replay(build({"x": inputs}, {"y": values}), given)
    return np.asarray(result)


def _applied(op: Op, operands: list[Scalar]) -> Scalar:
    if any(isinstance(x, Expr) for x in operands):
        if op in _FOLDING:
            value: Scalar = _FOLDING[op](*operands)
            return value
        return apply(op, *map(as_expr, operands))
    return float(MEANING[op](*operands))
