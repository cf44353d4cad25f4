"""Expressions as formulas that the parser reads back to the same expression.

``text`` writes for the eye and leaves out brackets of sums and products; here each is kept that
decides in which order is computed.  Squares and halves are written as people write them.
"""

from __future__ import annotations

import math
from typing import Final

from poinsot.expr.node import ONE, Expr
from poinsot.expr.ops import Op
from poinsot.expr.serialization import operands_first
from poinsot.expr.text import show_number

_COMPARISON, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(6)
"""How strongly texts bind: comparisons least."""

_INFIX: Final = {
    # operation: text, own strength, strength asked of the left and of the right operand
    Op.ADD: (" + ", _SUM, _SUM, _PRODUCT),
    Op.SUB: (" - ", _SUM, _SUM, _PRODUCT),
    Op.MUL: ("*", _PRODUCT, _PRODUCT, _POWER),
    Op.DIV: ("/", _PRODUCT, _PRODUCT, _POWER),
    Op.POW: ("**", _POWER, _ATOM, _POWER),
    Op.LESS: (" < ", _COMPARISON, _SUM, _SUM),
    Op.LESS_EQUAL: (" <= ", _COMPARISON, _SUM, _SUM),
    Op.EQUAL: (" == ", _COMPARISON, _SUM, _SUM),
}
_Text = tuple[str, int]


def formula_text(expr: Expr) -> str:
    """Return the formula that ``parse`` reads to this expression.

    >>> from poinsot.expr import symbol
    >>> m, l = symbol("m"), symbol("l")
    >>> formula_text(-l / 2), formula_text(m * l**2 / 12)
    ('-l/2', 'm*l**2/12')
    """
    texts: dict[int, _Text] = {}
    for node in operands_first([expr]):
        texts[node.serial] = _written(node, [texts[a.serial] for a in node.args])
    return texts[expr.serial][0]


def _written(node: Expr, operands: list[_Text]) -> _Text:
    if node.op is Op.CONSTANT:
        number = show_number(float(node.value))
        return number, _SIGN if number.startswith("-") else _ATOM
    if node.op is Op.SYMBOL:
        return str(node.value), _ATOM
    if node.op is Op.NEG:
        return "-" + _inside(operands[0], _PRODUCT), _SUM
    if node.op is Op.MUL and node.args[0] is node.args[1]:
        return _inside(operands[0], _ATOM) + "**2", _POWER
    if node.op is Op.MUL and _is_binary_fraction(node.args[0]):
        divisor = show_number(1.0 / float(node.args[0].value))
        return f"{_inside(operands[1], _PRODUCT)}/{divisor}", _PRODUCT
    if node.op not in _INFIX:
        return f"{node.op.name.lower()}({', '.join(text for text, _ in operands)})", _ATOM
    sign, strength, left, right = _INFIX[node.op]
    first, second = operands
    return _inside(first, left) + sign + _inside(second, right), strength


def _inside(text: _Text, strength: int) -> str:
    return text[0] if text[1] >= strength else f"({text[0]})"


def _is_binary_fraction(factor: Expr) -> bool:
    """Say whether a factor is 1/2, 1/4, ...: division by 2, 4, ... folds to it."""
    if factor.op is not Op.CONSTANT or factor is ONE:
        return False
    value = float(factor.value)
    return 1e-3 < value < 1.0 and math.frexp(value)[0] == 0.5
