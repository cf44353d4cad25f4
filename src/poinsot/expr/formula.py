"""Formulas written as text, read by a small parser of our own: no text can run code.

    parse("-k * (x - 0.5)**2 + select(t < 1, sin(pi * t), 0)", {"k": 3.0, "x": x, "t": t})

Numbers, names, ``+ - * / **``, comparisons (1 where true, else 0), parentheses and the functions of
the operation set; signs and powers bind as in Python.  A text becomes a list of steps for a stack,
once; the steps then run on floats or on expressions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError
from poinsot.expr import functions
from poinsot.expr.apply_operation import applied
from poinsot.expr.formula_tokens import END, NAME, NUMBER, Token, error_at, tokens
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.ops import ARITY, Op

__all__ = ["parse", "variables"]

DEEPEST = 100
"""Deepest nesting of parentheses, signs and powers."""

_LISTED = 16
"""How many known names a message lists when none of them is near."""

FUNCTIONS: Final[Mapping[str, Op]] = {
    op.name.lower(): op
    for op in (
        *(Op.SQRT, Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS, Op.ATAN2, Op.EXP, Op.LOG),
        *(Op.MIN, Op.MAX, Op.ABS, Op.SIGN, Op.SELECT, Op.FLOOR),
    )
}
POINTS: Final = -1
"""In place of a number of arguments: a place, and two or more points with place and value each."""
COMPOSED: Final[Mapping[str, tuple[Callable[..., Scalar], int]]] = {
    "atan": (functions.atan, 1),
    "sinh": (functions.sinh, 1),
    "cosh": (functions.cosh, 1),
    "tanh": (functions.tanh, 1),
    "ceil": (functions.ceil, 1),
    "mod": (functions.mod, 2),
    "clamp": (functions.clamp, 3),
    "smoothstep": (functions.smoothstep, 3),
    "interp": (functions.interp, POINTS),
}
"""Functions made of several operations, and how many arguments they take."""
CONSTANTS: Final[Mapping[str, float]] = {"pi": math.pi}

_BINARY: Final[Mapping[str, tuple[int, Op]]] = {
    **{"<": (1, Op.LESS), "<=": (1, Op.LESS_EQUAL), ">": (1, Op.LESS), ">=": (1, Op.LESS_EQUAL)},
    **{"==": (1, Op.EQUAL), "+": (2, Op.ADD), "-": (2, Op.SUB), "*": (3, Op.MUL), "/": (3, Op.DIV)},
    "**": (5, Op.POW),
}
_COMPARISON, _SIGN, _POWER = 1, 4, 5
_SWAPPED: Final = frozenset({">", ">="})

_Step: TypeAlias = float | Token | tuple[Callable[..., Scalar], int]
"""Put a number or the value of a name on the stack, or apply a function to so many operands."""


@cache
def _operation(op: Op) -> Callable[..., Scalar]:
    return lambda *operands: applied(op, operands)


@cache
def _swapped(op: Op) -> Callable[..., Scalar]:
    return lambda a, b: applied(op, (b, a))


def _on_floats_too(function: Callable[..., Scalar]) -> Callable[..., Scalar]:
    """Return a function that follows IEEE 754 without a word where numbers end."""

    def call(*operands: Scalar) -> Scalar:
        with np.errstate(all="ignore"):
            return function(*operands)

    return call


_CALLED: Final = {
    **{name: (_operation(op), ARITY[op]) for name, op in FUNCTIONS.items()},
    **{name: (_on_floats_too(function), count) for name, (function, count) in COMPOSED.items()},
}


def parse(
    text: str, names: Mapping[str, Scalar], further: Callable[[], Sequence[str]] = tuple
) -> Scalar:
    """Return the value of a formula: a float, or an expression where a name stands for one.

    Args:
        text: The formula.
        names: What each name stands for: a number or an expression.
        further: Gives names that could have been meant too, for the message of an error.

    Raises:
        FormulaError: If the text is no formula or has an unknown name; it points at the character.

    >>> parse("-x**2 + min(y, 3)", {"x": 2.0, "y": 5.0})
    -1.0
    """
    stack: list[Scalar] = []
    for step in _steps(_checked(text)):
        if isinstance(step, float):
            stack.append(step)
        elif isinstance(step, Token):
            stack.append(_value(text, step, names, further))
        else:
            function, count = step
            operands = stack[-count:]
            del stack[-count:]
            stack.append(function(*operands))
    (value,) = stack
    return value


def variables(text: str) -> frozenset[str]:
    """Return the names in a formula that stand for values, ``pi`` included.

    >>> sorted(variables("a*sin(t) + pi"))
    ['a', 'pi', 't']
    """
    return frozenset(step.text for step in _steps(_checked(text)) if isinstance(step, Token))


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise FormulaError(f"a formula must be text, got {text!r}")
    return text


def _value(
    text: str, name: Token, names: Mapping[str, Scalar], further: Callable[[], Sequence[str]]
) -> Scalar:
    values = {**names, **{key: CONSTANTS[key] for key in CONSTANTS if key not in names}}
    if name.text in values:
        value = values[name.text]
        return value if isinstance(value, Expr) else float(value)
    if name.text in _CALLED:
        raise error_at(text, name.offset, _is_function(name))
    near = _nearest(name.text, (*values, *further()))
    raise error_at(text, name.offset, f"unknown name {name.text!r}; {near}")


def _is_function(name: Token) -> str:
    return f"{name.text} is a function; write {name.text}(...)"


def _nearest(name: str, values: Collection[str]) -> str:
    near = get_close_matches(name, values, n=1)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"known are {', '.join(list(values)[:_LISTED])}" + ", ..." * (len(values) > _LISTED)


@lru_cache(maxsize=256)
def _steps(text: str) -> tuple[_Step, ...]:
    reader = _Reader(text)
    reader.expression(0)
    if reader.next.kind is not END:
        raise error_at(text, reader.next.offset, _unexpected(reader.next))
    return tuple(reader.steps)


def _unexpected(token: Token) -> str:
    if token.kind in (NAME, NUMBER) or token.text == "(":
        return f"there must be an operator before {token.text!r}; for a product write *"
    return f"unexpected {token.text!r}"


class _Reader:
    """Reads tokens by precedence and leaves steps for a stack."""

    def __init__(self, text: str) -> None:
        self.steps: list[_Step] = []
        self._text = text
        self._tokens = tokens(text)
        self._depth = 0
        self.next = next(self._tokens)

    def expression(self, least: int) -> None:
        """Read operands joined by operators that bind at least so tightly."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise error_at(
                self._text, self.next.offset, f"nested more than {DEEPEST} deep; simplify it"
            )
        self._operand()
        while self.next.text in _BINARY and _BINARY[self.next.text][0] >= least:
            symbol = self._taken()
            binds, op = _BINARY[symbol.text]
            self.expression(_SIGN if binds == _POWER else binds + 1)
            self.steps.append((_swapped(op) if symbol.text in _SWAPPED else _operation(op), 2))
            if binds == _COMPARISON and self.next.text in _BINARY:
                raise error_at(
                    self._text, self.next.offset, "comparisons do not chain; use parentheses"
                )
        self._depth -= 1

    def _operand(self) -> None:
        token = self._taken()
        if token.kind is NUMBER:
            self.steps.append(self._number(token))
        elif token.kind is NAME and self.next.text == "(":
            self._call(token)
        elif token.kind is NAME:
            if token.text in _CALLED and self.next.kind in (NAME, NUMBER):
                raise error_at(self._text, token.offset, _is_function(token))
            self.steps.append(token)
        elif token.text == "(":
            self.expression(0)
            self._expect(")", token)
        elif token.text in ("-", "+"):
            self.expression(_SIGN)
            if token.text == "-":
                self.steps.append((_operation(Op.NEG), 1))
        elif token.kind is END:
            what = "the formula is empty" if not self._text.strip() else "something is missing here"
            raise error_at(self._text, token.offset, what)
        else:
            what = f"there must be a number, a name or '(' in place of {token.text!r}"
            raise error_at(self._text, token.offset, what)

    def _call(self, name: Token) -> None:
        if name.text not in _CALLED:
            what = f"unknown function {name.text!r}; {_nearest(name.text, _CALLED)}"
            raise error_at(self._text, name.offset, what)
        bracket, (function, arity), count = self._taken(), _CALLED[name.text], 0
        while self.next.text != ")" or count:
            self.expression(0)
            count += 1
            if self.next.text != ",":
                break
            self._taken()
        self._expect(")", bracket)
        fits = (count >= 5 and count % 2 == 1) if arity == POINTS else count == arity
        if not fits:
            plural = "s" if arity > 1 else ""
            points = "x and two or more points, x1, y1, x2, y2, ...: an odd number from 5 on"
            takes = points if arity == POINTS else f"{arity} argument{plural}"
            what = f"{name.text} takes {takes}, got {count}"
            raise error_at(self._text, name.offset, what)
        self.steps.append((function, count))

    def _number(self, token: Token) -> float:
        value = float(token.text)
        if not math.isfinite(value):
            raise error_at(self._text, token.offset, f"{token.text} is too large for a number")
        return value

    def _expect(self, symbol: str, opened: Token) -> None:
        if self.next.text == symbol:
            self._taken()
        elif self.next.kind is END:
            raise error_at(self._text, opened.offset, f"this {opened.text!r} is never closed")
        else:
            raise error_at(self._text, self.next.offset, _unexpected(self.next))

    def _taken(self) -> Token:
        token = self.next
        if token.kind is not END:
            self.next = next(self._tokens)
        return token
