"""The normal form of expressions: polynomials in symbols, sines and cosines.

Two expressions that are equal by arithmetic and by trigonometry of sums of angles have the same
normal form.  The graph is gone through once, operands before users, so that what is shared is
multiplied out once; squares of sines are replaced at once, so that nothing grows that cancels.
What is no polynomial (a root, a quotient of sums, ...) is a generator of its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from poinsot.algebra.polynomial import (
    ONE,
    Arithmetic,
    Coefficient,
    Monomial,
    Polynomial,
    magnitude,
)
from poinsot.algebra.sum_of_terms import exact
from poinsot.expr import Expr, Op, as_expr, symbol
from poinsot.expr.apply_operation import applied
from poinsot.expr.serialization import operands_first

MOST_MULTIPLES: Final = 4
"""sin(n q) is written in sin(q) and cos(q) up to this n."""

MOST_ANGLES: Final = 6
"""Sums of more angles than this stay together."""

PI: Final = "pi"


@dataclass(frozen=True)
class Angle:
    """An angle of which sine and cosine are generators.

    Attributes:
        monomial: The angle but for the factor.
        factor: A positive number; 1 where multiples of the angle are taken apart.
        sine: Number of the generator of its sine.
        cosine: Number of that of its cosine.
    """

    monomial: Monomial
    factor: Coefficient
    sine: int
    cosine: int


@dataclass(frozen=True, eq=False)
class Atom:
    """An operation that is no polynomial, on operands in normal form."""

    op: Op
    operands: tuple[Polynomial, ...]


class NormalForm:
    """Brings expressions into normal form; polynomials of one object share their generators.

    Args:
        most_terms: How many terms a polynomial may have.

    Attributes:
        generators: What each generator stands for: a symbol, a number or an atom; None for sines
            and cosines.
        angles: The angles of which there are sines and cosines.
    """

    def __init__(self, most_terms: int) -> None:
        self.arithmetic = Arithmetic(most_terms)
        self.generators: list[Expr | Atom | None] = []
        self.angles: dict[tuple[Monomial, Coefficient], Angle] = {}
        self.of_generator: dict[int, Angle] = {}
        self._numbers: dict[object, int] = {}
        self._legs: dict[Monomial, tuple[Polynomial, Polynomial]] = {}

    def polynomials(self, roots: Sequence[Expr]) -> list[Polynomial]:
        """Return the normal forms of several expressions.

        Raises:
            TooLargeError: One of them, or of their subexpressions, has too many terms.
        """
        made: dict[int, Polynomial] = {}
        for node in operands_first(roots):
            made[node.serial] = self._made(node, [made[a.serial] for a in node.args])
        return [made[root.serial] for root in roots]

    def _made(self, node: Expr, operands: list[Polynomial]) -> Polynomial:
        do = self.arithmetic
        match node.op:
            case Op.CONSTANT:
                return self._number(float(node.value))
            case Op.SYMBOL:
                return self._generator(node.serial, node)
            case Op.ADD:
                return do.add(operands[0], operands[1])
            case Op.SUB:
                return do.add(operands[0], operands[1], -1)
            case Op.NEG:
                return do.add({}, operands[0], -1)
            case Op.MUL:
                return do.multiply(operands[0], operands[1])
            case Op.DIV:
                return do.multiply(operands[0], self._inverse(operands[1]))
            case Op.SIN | Op.COS:
                return self._turn(node.op, operands[0])
            case Op.SQRT:
                return self._root(operands[0])
            case Op.ATAN2:
                made = self._atom(Op.ATAN2, operands)
                if _value(made) is None:
                    ((monomial, _),) = made.items()
                    self._legs[monomial] = (operands[0], operands[1])
                return made
            case Op.SELECT if (condition := _value(operands[0])) is not None:
                return operands[1] if condition else operands[2]
            case _:
                return self._atom(node.op, operands)

    def _number(self, value: float) -> Polynomial:
        if value == 0.0:
            return {}
        if not math.isfinite(value):
            return self._generator(repr(value), as_expr(value))
        number = exact(value)
        if isinstance(number, Fraction):
            return {ONE: number}
        fraction = exact(value / math.pi)
        if isinstance(fraction, Fraction) and float(fraction) * math.pi == value:
            g = self._number_of(PI, symbol(PI))
            return {((g, 1),): fraction}
        return {ONE: value}

    def _number_of(self, key: object, stands_for: Expr | Atom | None) -> int:
        if key not in self._numbers:
            self._numbers[key] = len(self.generators)
            self.generators.append(stands_for)
        return self._numbers[key]

    def _generator(self, key: object, stands_for: Expr | Atom) -> Polynomial:
        return {((self._number_of(key, stands_for), 1),): Fraction(1)}

    def _atom(self, op: Op, operands: list[Polynomial]) -> Polynomial:
        """Return an operation as a generator, the same for equal operands."""
        values = [_value(operand) for operand in operands]
        numbers = [float(value) for value in values if value is not None]
        if len(numbers) == len(values):
            return self._number(float(applied(op, numbers)))
        key = (op, *(frozenset(operand.items()) for operand in operands))
        return self._generator(key, Atom(op, tuple(operands)))

    def _inverse(self, divisor: Polynomial) -> Polynomial:
        if len(divisor) == 1:
            return self.arithmetic.power(divisor, -1)
        return self._atom(Op.DIV, [{ONE: Fraction(1)}, divisor])

    def _root(self, square: Polynomial) -> Polynomial:
        """Return a square root as a generator with a rule for its square."""
        value = _value(square)
        if isinstance(value, Fraction) and value >= 0:
            above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
            if above**2 == value.numerator and below**2 == value.denominator:
                return {ONE: Fraction(above, below)} if above else {}
        made = self._atom(Op.SQRT, [square])
        if _value(made) is None:
            ((((g, _),), _),) = made.items()
            self.arithmetic.squares.setdefault(g, square)
        return made

    def _leg(self, op: Op, y: Polynomial, x: Polynomial) -> Polynomial:
        """Return the sine or cosine of the angle of the point (x, y): y / r or x / r."""
        do = self.arithmetic
        r = self._root(do.add(do.multiply(x, x), do.multiply(y, y)))
        return do.multiply(y if op is Op.SIN else x, self._inverse(r))

    def _turn(self, op: Op, angle: Polynomial) -> Polynomial:
        """Return a sine or cosine of a sum of angles, expanded by the addition theorems."""
        do = self.arithmetic
        if len(angle) == 1:
            ((monomial, times),) = angle.items()
            if monomial in self._legs and times == 1:
                return self._leg(op, *self._legs[monomial])
        if len(angle) > MOST_ANGLES:
            return self._atom(op, [angle])
        sine: Polynomial = {}
        cosine: Polynomial = {ONE: Fraction(1)}
        for monomial, factor in angle.items():
            s, c = self._sine_and_cosine(monomial, factor)
            sine, cosine = (
                do.add(do.multiply(sine, c), do.multiply(cosine, s)),
                do.add(do.multiply(cosine, c), do.multiply(sine, s), -1),
            )
        return sine if op is Op.SIN else cosine

    def _sine_and_cosine(
        self, monomial: Monomial, factor: Coefficient
    ) -> tuple[Polynomial, Polynomial]:
        do = self.arithmetic
        size, times = magnitude(factor), 1
        if isinstance(factor, Fraction) and monomial == self._pi() and factor.denominator <= 2:
            quarters = 2 * factor
            s, c = ((0, 1), (1, 0), (0, -1), (-1, 0))[quarters.numerator % 4]
            return _constant(s), _constant(c)
        if isinstance(size, Fraction) and size.denominator == 1 and size <= MOST_MULTIPLES:
            times = size.numerator
        angle = self._angle(monomial, size / times)
        s1: Polynomial = {((angle.sine, 1),): Fraction(1)}
        c1: Polynomial = {((angle.cosine, 1),): Fraction(1)}
        sine, cosine = s1, c1
        for _ in range(times - 1):
            sine, cosine = (
                do.add(do.multiply(sine, c1), do.multiply(cosine, s1)),
                do.add(do.multiply(cosine, c1), do.multiply(sine, s1), -1),
            )
        return (sine if factor > 0 else do.add({}, sine, -1)), cosine

    def _pi(self) -> Monomial | None:
        return ((self._numbers[PI], 1),) if PI in self._numbers else None

    def _angle(self, monomial: Monomial, factor: Coefficient) -> Angle:
        key = (monomial, factor)
        if key not in self.angles:
            sine = self._number_of(("sin", key), None)
            cosine = self._number_of(("cos", key), None)
            angle = Angle(monomial, factor, sine, cosine)
            self.angles[key] = self.of_generator[sine] = self.of_generator[cosine] = angle
            self.arithmetic.squares[sine] = {ONE: Fraction(1), ((cosine, 2),): Fraction(-1)}
        return self.angles[key]


def _value(polynomial: Polynomial) -> Coefficient | None:
    """Return the value of a constant polynomial, None of any other."""
    if not polynomial:
        return Fraction(0)
    return polynomial[ONE] if len(polynomial) == 1 and ONE in polynomial else None


def _constant(value: int) -> Polynomial:
    return {ONE: Fraction(value)} if value else {}
