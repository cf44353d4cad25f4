"""How a language writes operations: tables, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from poinsot.expr import Op

SUM, PRODUCT, SIGN, ATOM = range(4)
"""Operator precedence: sums lowest."""

Text: TypeAlias = tuple[str, int]
"""A text and its precedence."""

Infix: TypeAlias = Mapping[Op, tuple[str, int, int, int]]
"""Operation: sign, precedence, precedence required of the left and of the right operand."""

ARITHMETIC: Final[Infix] = {
    # brackets stay wherever they decide the order of evaluation, and so the rounding
    Op.ADD: (" + ", SUM, SUM, PRODUCT),
    Op.SUB: (" - ", SUM, SUM, PRODUCT),
    Op.MUL: (" * ", PRODUCT, PRODUCT, SIGN),
    Op.DIV: (" / ", PRODUCT, PRODUCT, SIGN),
}


@dataclass(frozen=True)
class Dialect:
    """A language as far as straight-line code needs it.

    Attributes:
        number: A number as text.
        calls: The function of each operation that is not written with a sign.
        assign: How a value gets a name, e.g. ``const double {} = {};``.
        store: How a value is stored into an entry of a result.
        infix: Operations written with a sign between their operands.
    """

    number: Callable[[float], str]
    calls: Mapping[Op, str]
    assign: str
    store: str
    infix: Infix

    def constant(self, value: float) -> Text:
        """Return the text of a number."""
        text = self.number(value)
        return text, SUM if text.startswith("-") else ATOM

    def write(self, op: Op, operands: list[Text]) -> Text:
        """Return the text of an operation."""
        if op in self.infix:
            sign, precedence, left, right = self.infix[op]
            return _inside(operands[0], left) + sign + _inside(operands[1], right), precedence
        if op is Op.NEG:
            return "-" + _inside(operands[0], PRODUCT), SUM
        return f"{self.calls[op]}({', '.join(text for text, _ in operands)})", ATOM


def decimal(value: float) -> str:
    """Return the shortest text that reads back to the same float64, always with a point.

    >>> decimal(0.1), decimal(-3.0), decimal(1e22)
    ('0.1', '-3.0', '1e+22')
    """
    return repr(float(value))


def _inside(text: Text, strength: int) -> str:
    return text[0] if text[1] >= strength else f"({text[0]})"
