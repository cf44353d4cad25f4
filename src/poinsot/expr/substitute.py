"""Numbers or other expressions in place of symbols."""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.expr.apply_operation import applied
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.ops import Op
from poinsot.expr.serialization import operands_first


def substitute(expr: Expr, values: Mapping[str, Scalar]) -> Scalar:
    """Return an expression with values in place of some of its symbols, a float if of all.

    Operations run on floats where all their operands are, in the order of the expression.

    Args:
        expr: The expression.
        values: The value of each symbol, by name; other symbols stay.

    >>> from poinsot.expr import symbol
    >>> m, l = symbol("m"), symbol("l")
    >>> substitute(m * l / 3, {"m": 2.0}), substitute(m * l / 3, {"m": 2.0, "l": 6.0})
    (2 * l / 3, 4.0)
    """
    results: dict[int, Scalar] = {}
    for node in operands_first([expr]):
        if node.op is Op.CONSTANT:
            results[node.serial] = float(node.value)
        elif node.op is Op.SYMBOL:
            results[node.serial] = values.get(str(node.value), node)
        else:
            results[node.serial] = applied(node.op, [results[a.serial] for a in node.args])
    result = results[expr.serial]
    is_number = isinstance(result, Expr) and result.op is Op.CONSTANT
    return float(result) if is_number else result


def symbol_names(expr: Expr) -> list[str]:
    """Return the names of the symbols in an expression, in the order in which they occur.

    >>> from poinsot.expr import symbol
    >>> symbol_names(symbol("m") * symbol("g") + symbol("m"))
    ['m', 'g']
    """
    return [str(node.value) for node in operands_first([expr]) if node.op is Op.SYMBOL]
