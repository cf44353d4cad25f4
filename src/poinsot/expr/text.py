"""Operations and expressions as text that a person can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from poinsot.expr.ops import Op

MANY_NODES: Final = 200
"""An expression with more nodes than this (counted with repetition) is shown as its size."""

SUM, _PRODUCT, _SIGN, _POWER, ATOM = range(5)
"""How strongly texts bind: sums least."""

_INFIX: Final[Mapping[Op, tuple[str, int, int, int]]] = {
    # operation: text, own strength, strength asked of the left and of the right operand
    Op.ADD: (" + ", SUM, SUM, SUM),
    Op.SUB: (" - ", SUM, SUM, _PRODUCT),
    Op.MUL: (" * ", _PRODUCT, _PRODUCT, _PRODUCT),
    Op.DIV: (" / ", _PRODUCT, _PRODUCT, _SIGN),
    Op.POW: (" ** ", _POWER, ATOM, _POWER),
    Op.LESS: (" < ", -1, SUM, SUM),
    Op.LESS_EQUAL: (" <= ", -1, SUM, SUM),
    Op.EQUAL: (" == ", -1, SUM, SUM),
}
Text = tuple[str, int]


def show_number(value: float) -> str:
    """Return the shortest text of a number: 2 rather than 2.0."""
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def render(op: Op, operands: list[Text]) -> Text:
    """Return the text of an operation and how strongly it binds."""

    def inside(k: int, strength: int) -> str:
        text, binding = operands[k]
        return text if binding >= strength else f"({text})"

    if op in _INFIX:
        sign, binding, left, right = _INFIX[op]
        return inside(0, left) + sign + inside(1, right), binding
    if op is Op.NEG:
        return "-" + inside(0, _PRODUCT), SUM
    return f"{op.name.lower()}({', '.join(text for text, _ in operands)})", ATOM


def show_expr(expr: Any) -> str:  # noqa: ANN401 (an Expr, whose file imports this one)
    """Return the expression written out, or its size where that would be too long.

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> show_expr((x - y) / 3 * y.sin())
    '(x - y) / 3 * sin(y)'
    """
    text: dict[int, Text] = {}
    size: dict[int, int] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        waiting = [a for a in node.args if a.serial not in text]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        here = node.serial
        size[here] = min(1 + sum(size[a.serial] for a in node.args), MANY_NODES + 1)
        if size[here] > MANY_NODES:
            text[here] = (f"<{node.op.name.lower()} of over {MANY_NODES} nodes>", ATOM)
        elif node.op is Op.CONSTANT:
            number = show_number(float(node.value))
            text[here] = (number, SUM if number.startswith("-") else ATOM)
        elif node.op is Op.SYMBOL:
            text[here] = (str(node.value), ATOM)
        else:
            text[here] = render(node.op, [text[a.serial] for a in node.args])
    return text[expr.serial][0]
