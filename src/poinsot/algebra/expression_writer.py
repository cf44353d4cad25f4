"""Expressions in writing, in one of two styles: Unicode text and LaTeX."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from poinsot.algebra.alphabet import Letter
from poinsot.algebra.letter_styles import latex_name, unicode_name
from poinsot.algebra.sum_of_terms import Term, exact, terms_of
from poinsot.expr import Expr, Op
from poinsot.expr.text import show_number

SPLIT_FROM, LONG_SUM = 3, 60
"""A single term may be broken in its sum from so many terms and letters on."""

DIGITS: Final = 12
"""Digits of numbers that are no short fractions."""

_RAISED: Final = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_RELATIONS: Final = {Op.LESS: "<", Op.LESS_EQUAL: "≤", Op.EQUAL: "="}
_LATEX_HAS: Final = frozenset({"sin", "cos", "tan", "arcsin", "arccos", "exp", "ln", "min", "max"})
_TURNS: Final = frozenset({Op.SIN, Op.COS, Op.TAN})
_NAMES: Final = {Op.ASIN: "arcsin", Op.ACOS: "arccos", Op.LOG: "ln", Op.SIGN: "sgn"}


@dataclass(frozen=True)
class Style:
    """The notation of a formula's elements.

    Attributes:
        letter: Which of a letter's forms.
        number: How a number is written that is no short fraction.
        other: How a name without a letter is written.
        times: Between factors.
        power: (base, exponent) -> text.
        quotient: (above, below, whether below is one factor) -> text.
        stacked: Whether a line keeps what is above and below apart.
        brackets: Text -> text in brackets.
        open_brackets: A pair of brackets between which a line may end.
        function: (name, power or nothing, arguments) -> text.
        root: Radicand -> text.
        choice: (condition, value, other value) -> text.
        relation: (left, sign, right) -> text.
    """

    letter: Callable[[Letter], str]
    number: Callable[[float], str]
    other: Callable[[str], str]
    times: str
    power: Callable[[str, int], str]
    quotient: Callable[[str, str, bool], str]
    stacked: bool
    brackets: Callable[[str], str]
    open_brackets: tuple[str, str]
    function: Callable[[str, str, list[str]], str]
    root: Callable[[str], str]
    choice: Callable[[str, str, str], str]
    relation: Callable[[str, str, str], str]


def _number(value: float) -> str:
    """Return a number with as many digits as rounding leaves."""
    return show_number(float(f"{value:.{DIGITS}g}"))


def _latex_number(value: float) -> str:
    mantissa, _, exponent = _number(value).partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _unicode_function(name: str, power: str, arguments: list[str]) -> str:
    if name == "abs":
        return f"|{arguments[0]}|"
    return f"{name}{power.translate(_RAISED)}({', '.join(arguments)})"


def _latex_function(name: str, power: str, arguments: list[str]) -> str:
    if name == "abs":
        return rf"\left|{arguments[0]}\right|"
    head = f"\\{name}" if name in _LATEX_HAS else r"\operatorname{" + name + "}"
    raised = f"^{{{power}}}" if power else ""
    return rf"{head}{raised}\left({', '.join(arguments)}\right)"


UNICODE: Final = Style(
    letter=lambda letter: letter.unicode,
    number=_number,
    other=unicode_name,
    times="·",
    power=lambda base, n: base + str(n).translate(_RAISED),
    quotient=lambda above, below, single: f"{above}/{below}" if single else f"{above}/({below})",
    stacked=False,
    brackets=lambda text: f"({text})",
    open_brackets=("(", ")"),
    function=_unicode_function,
    root=lambda text: f"√({text})",
    choice=lambda condition, a, b: f"({a} if {condition} else {b})",
    relation=lambda a, sign, b: f"{a} {sign} {b}",
)

LATEX: Final = Style(
    letter=lambda letter: letter.latex,
    number=_latex_number,
    other=latex_name,
    times=r"\,",
    power=lambda base, n: f"{base}^{{{n}}}",
    quotient=lambda above, below, single: rf"\frac{{{above}}}{{{below}}}",
    stacked=True,
    brackets=lambda text: rf"\left({text}\right)",
    open_brackets=(r"\bigl(", r"\bigr)"),
    function=_latex_function,
    root=lambda text: rf"\sqrt{{{text}}}",
    choice=lambda condition, a, b: (
        rf"\begin{{cases}} {a} & \text{{if }} {condition} \\ {b} & \text{{else}} \end{{cases}}"
    ),
    relation=lambda a, sign, b: f"{a} {sign.replace('≤', chr(92) + 'le')} {b}",
)


class ExpressionWriter:
    """Writes expressions.

    Args:
        style: ``UNICODE`` or ``LATEX``.
        letters: How symbols are written, by name; others as their names say.
    """

    def __init__(self, style: Style, letters: Mapping[str, Letter]) -> None:
        self._style, self._letters = style, letters
        self._order = {name: k for k, name in enumerate(letters)}

    def name(self, name: str) -> str:
        """Return a symbol in writing."""
        letter = self._letters.get(name)
        return self._style.other(name) if letter is None else self._style.letter(letter)

    def __call__(self, expr: Expr) -> str:
        """Return an expression in writing."""
        return "".join(self.terms(expr))

    def terms(self, expr: Expr) -> list[str]:
        """Return the terms of an expression in writing, each but the first with its sign."""
        texts: list[str] = []
        terms = sorted(terms_of(expr), key=self._term_rank)
        first = next((k for k, term in enumerate(terms) if term.coefficient > 0), 0)
        terms.insert(0, terms.pop(first))  # avoid a leading sign
        if len(terms) == 1 and (split := self._split(terms[0])):
            return split
        for term in terms:
            negative = term.coefficient < 0
            text = self._term(term)
            if texts:
                texts.append(f" {'-' if negative else '+'} {text}")
            else:
                texts.append(f"-{text}" if negative else text)
        return texts

    def _term_rank(self, term: Term) -> tuple[Any, ...]:
        """Return the sort key of a term: those without functions and rates first."""
        ranks = sorted(self._rank(factor) for factor, _ in term.powers)
        return max((rank for rank, _ in ranks), default=-1), ranks

    def _rank(self, factor: Expr) -> tuple[int, int]:
        """Return the sort key of a factor: parameters, sums, coordinates, functions, rates."""
        if factor.op is not Op.SYMBOL:
            return 1 if factor.op in (Op.ADD, Op.SUB) else 3, len(self._order)
        name = str(factor.value)
        letter = self._letters.get(name)
        return letter.rank if letter else 0, self._order.get(name, 0)

    def _split(self, term: Term) -> list[str] | None:
        """Return a long term dominated by one sum as several texts, None of any other."""
        sums = [x for x, n in term.powers if n == 1 and x.op in (Op.ADD, Op.SUB)]
        if not sums:
            return None
        longest = max(sums, key=lambda x: len(terms_of(x)))
        inner = self.terms(longest)
        if len(inner) < SPLIT_FROM or sum(map(len, inner)) < LONG_SUM:
            return None
        rest = Term(term.size, tuple(power for power in term.powers if power[0] is not longest))
        alone = rest.coefficient == 1 and not rest.powers
        sign = "-" if term.coefficient < 0 else ""
        opened, closed = self._style.open_brackets
        before = sign + ("" if alone else self._term(rest) + self._style.times) + opened
        return [before + inner[0], *inner[1:-1], inner[-1] + closed]

    def _term(self, term: Term) -> str:
        """Return a term without its sign."""
        factors = sorted(term.powers, key=lambda item: self._rank(item[0]))
        above = [(x, n) for x, n in factors if n > 0]
        below = [(x, -n) for x, n in factors if n < 0]
        number, pi = _with_pi(term.size)
        tops, bottoms = [], []
        if isinstance(number, Fraction) and _is_decimal(number):
            tops.append(self._style.number(float(number)))
        elif isinstance(number, Fraction):
            tops += [str(number.numerator)] if number.numerator != 1 or not (above or pi) else []
            bottoms += [str(number.denominator)] if number.denominator != 1 else []
        elif number != 1.0 or not above:
            tops.append(self._style.number(number))
        tops += [self.name("pi")] if pi else []
        nothing_below = not below and not bottoms
        alone = len(above) + len(tops) == 1 and (nothing_below or self._style.stacked)
        tops += [self._factor(x, n, alone=alone) for x, n in above]
        bare = len(below) + len(bottoms) == 1
        bottoms += [self._factor(x, n, alone=bare and self._style.stacked) for x, n in below]
        times = self._style.times
        if not bottoms:
            return times.join(tops)
        return self._style.quotient(times.join(tops), times.join(bottoms), bare)

    def _factor(self, expr: Expr, power: int, *, alone: bool) -> str:
        if expr.op in _TURNS and power > 1:
            return self._style.function(expr.op.name.lower(), str(power), [self(expr.args[0])])
        text = self._atom(expr)
        is_sum = expr.op in (Op.ADD, Op.SUB)
        if (is_sum and not (alone and power == 1)) or (power != 1 and _is_call(expr)):
            text = self._style.brackets(text)
        return text if power == 1 else self._style.power(text, power)

    def _atom(self, expr: Expr) -> str:
        """Return an expression that is not a product; sums without brackets."""
        if expr.op is Op.SYMBOL:
            return self.name(str(expr.value))
        if expr.op in (Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.NEG, Op.CONSTANT):
            return self(expr)
        operands = [self(a) for a in expr.args]
        if expr.op is Op.SQRT:
            return self._style.root(*operands)
        if expr.op is Op.SELECT:
            asked = expr.args[0]
            condition = self._relation(asked) if asked.op in _RELATIONS else operands[0]
            return self._style.choice(condition, *operands[1:])
        if expr.op in _RELATIONS:
            return self._style.brackets(self._relation(expr))
        return self._style.function(_NAMES.get(expr.op, expr.op.name.lower()), "", operands)

    def _relation(self, expr: Expr) -> str:
        return self._style.relation(self(expr.args[0]), _RELATIONS[expr.op], self(expr.args[1]))


def _with_pi(number: Fraction | float) -> tuple[Fraction | float, bool]:
    """Return a number without its factor pi, and whether it has one."""
    if isinstance(number, Fraction):
        return number, False
    fraction = exact(number / math.pi)
    is_part = isinstance(fraction, Fraction) and float(fraction) * math.pi == number
    return (fraction, True) if is_part else (number, False)


def _is_decimal(number: Fraction) -> bool:
    """Say whether a number is written with a decimal point, as 9.81 and 0.175 but not 1/2 and 1/12.

    Formulas of mechanics divide by 2, 3, 4, 12; who has a 5 in the denominator gave a decimal.
    """
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return rest == 1 and number.denominator % 5 == 0


def _is_call(expr: Expr) -> bool:
    return expr.op not in (Op.SYMBOL, Op.SQRT, Op.ABS, Op.ADD, Op.SUB)
