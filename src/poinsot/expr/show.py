"""Expressions and programs as text that a person can read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from poinsot.expr.node import Expr
from poinsot.expr.ops import Op
from poinsot.expr.program import Program

LONG_LINE: Final = 80
"""A value whose text is longer than this gets a name of its own."""

MANY_NODES: Final = 200
"""An expression with more nodes than this (counted with repetition) is shown as its size."""

_SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(5)
_INFIX: Final[Mapping[Op, tuple[str, int, int, int]]] = {
    # operation: text, own strength, strength asked of the left and of the right operand
    Op.ADD: (" + ", _SUM, _SUM, _SUM),
    Op.SUB: (" - ", _SUM, _SUM, _PRODUCT),
    Op.MUL: (" * ", _PRODUCT, _PRODUCT, _PRODUCT),
    Op.DIV: (" / ", _PRODUCT, _PRODUCT, _SIGN),
    Op.POW: (" ** ", _POWER, _ATOM, _POWER),
    Op.LESS: (" < ", -1, _SUM, _SUM),
    Op.LESS_EQUAL: (" <= ", -1, _SUM, _SUM),
    Op.EQUAL: (" == ", -1, _SUM, _SUM),
}
Text = tuple[str, int]


def show_number(value: float) -> str:
    """Return the shortest text of a number: 2 rather than 2.0."""
    return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def render(op: Op, operands: list[Text]) -> Text:
    """Return the text of an operation and how strongly it binds."""

    def inside(k: int, strength: int) -> str:
        text, own = operands[k]
        return text if own >= strength else f"({text})"

    if op in _INFIX:
        sign, own, left, right = _INFIX[op]
        return inside(0, left) + sign + inside(1, right), own
    if op is Op.NEG:
        return "-" + inside(0, _PRODUCT), _SUM
    return f"{op.name.lower()}({', '.join(text for text, _ in operands)})", _ATOM


def show_expr(expr: Expr) -> str:
    """Return the expression written out, or its size where that would be too long.

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> show_expr((x - y) / 3 * y.sin())
    '(x - y) / 3 * sin(y)'
    """
    text: dict[Expr, Text] = {}
    size: dict[Expr, int] = {}
    stack = [expr]
    while stack:
        node = stack[-1]
        waiting = [a for a in node.args if a not in text]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        size[node] = min(1 + sum(size[a] for a in node.args), MANY_NODES + 1)
        if size[node] > MANY_NODES:
            text[node] = (f"<{node.op.name.lower()} of over {MANY_NODES} nodes>", _ATOM)
        elif node.op is Op.CONSTANT:
            number = show_number(float(node.value))
            text[node] = (number, _SUM if number.startswith("-") else _ATOM)
        elif node.op is Op.SYMBOL:
            text[node] = (str(node.value), _ATOM)
        else:
            text[node] = render(node.op, [text[a] for a in node.args])
    return text[expr][0]


def show(program: Program) -> str:
    """Return the program as lines ``t3 = t1 * sin(q[0])``, values used once written in place.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 2)
    >>> s = x[0].sin()
    >>> print(show(build({"x": x}, {"y": [s * x[1], s + 1]})))
    program (x[2]) -> (y[2])
      t0 = sin(x[0])
      y[0] = x[1] * t0
      y[1] = 1 + t0
    """
    uses = [0] * (program.first_step + len(program.steps))
    for _, args in program.steps:
        for a in args:
            uses[a] += 1
    text: list[Text] = [
        (f"{port.name}[{k}]", _ATOM) for port in program.inputs for k in range(port.size)
    ]
    text += [(show_number(c), _SUM if c < 0 else _ATOM) for c in program.constants]
    head = " -> ".join(
        "(" + ", ".join(f"{port.name}[{port.size}]" for port in ports) + ")"
        for ports in (program.inputs, program.outputs)
    )
    lines = [f"program {head}"]
    named = 0
    for k, (op, args) in enumerate(program.steps):
        body = render(op, [text[a] for a in args])
        if uses[program.first_step + k] > 1 or len(body[0]) > LONG_LINE:
            lines.append(f"  t{named} = {body[0]}")
            body = (f"t{named}", _ATOM)
            named += 1
        text.append(body)
    entries = [f"{port.name}[{k}]" for port in program.outputs for k in range(port.size)]
    lines += [
        f"  {entry} = {text[r][0]}" for entry, r in zip(entries, program.results, strict=True)
    ]
    return "\n".join(lines)
