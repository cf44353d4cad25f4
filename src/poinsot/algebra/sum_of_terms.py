"""An expression as a person writes it: a sum of terms, each a coefficient and powers of factors.

Signs, numbers and quotients that the graph keeps apart come together: ``0.5 * ((m * l) * l)`` is
m l² / 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from poinsot.expr import Expr, Op, as_expr
from poinsot.expr.to_sympy import LARGEST_DENOMINATOR

_SUMS: Final = frozenset({Op.ADD, Op.SUB})
_PRODUCTS: Final = frozenset({Op.MUL, Op.DIV, Op.NEG, Op.CONSTANT, Op.POW})


@dataclass(eq=False)
class Term:
    """A product: coefficient times factors to integer powers, negative ones in the denominator.

    Attributes:
        coefficient: A fraction where a short one is the same float.
        powers: The factors and their powers, in the order in which they were multiplied.
    """

    coefficient: Fraction | float = Fraction(1)
    powers: tuple[tuple[Expr, int], ...] = ()

    @property
    def size(self) -> Fraction | float:
        """The coefficient without its sign."""
        return -self.coefficient if self.coefficient < 0 else self.coefficient

    def scale(self, number: Fraction | float, power: int = 1) -> None:
        """Multiply the coefficient by a power of a number."""
        if isinstance(number, Fraction) and isinstance(self.coefficient, Fraction):
            self.coefficient *= number**power
        else:
            self.coefficient = float(self.coefficient) * float(number) ** power

    def expression(self) -> Expr:
        """Return the term as an expression."""
        result = as_expr(1.0)
        for factor, power in self.powers:
            result = result * factor**power if power > 0 else result / factor**-power
        if isinstance(self.coefficient, Fraction):
            return result * float(self.coefficient.numerator) / float(self.coefficient.denominator)
        return result * self.coefficient


def exact(value: float) -> Fraction | float:
    """Return a number as a short fraction if that is the same float."""
    if value != value or value in (float("inf"), float("-inf")):
        return value
    fraction = Fraction(value).limit_denominator(LARGEST_DENOMINATOR)
    return fraction if float(fraction) == value else value


def terms_of(expr: Expr) -> list[Term]:
    """Return the terms of a sum, like terms collected; one term if it is no sum.

    >>> from poinsot.expr import symbol
    >>> length = symbol("length")
    >>> [(t.coefficient, t.powers) for t in terms_of(length * length / 2 - length)]
    [(Fraction(1, 2), ((length, 2),)), (Fraction(-1, 1), ((length, 1),))]
    """
    terms: dict[frozenset[tuple[int, int]], Term] = {}
    stack: list[tuple[Expr, int]] = [(expr, 1)]
    while stack:
        node, sign = stack.pop()
        if node.op is Op.NEG and node.args[0].op in _SUMS:
            stack.append((node.args[0], -sign))
        elif node.op in _SUMS:
            a, b = node.args
            stack.append((b, -sign if node.op is Op.SUB else sign))
            stack.append((a, sign))
        else:
            term = _product(node)
            term.coefficient *= sign
            factors = frozenset((factor.serial, power) for factor, power in term.powers)
            same = terms.setdefault(factors, Term(Fraction(0), term.powers))
            same.coefficient += term.coefficient
    return [term for term in terms.values() if term.coefficient != 0] or [Term(Fraction(0))]


def _product(expr: Expr) -> Term:
    term = Term()
    powers: dict[int, tuple[Expr, int]] = {}
    stack = [(expr, 1)]
    while stack:
        node, power = stack.pop()
        if node.op in _SUMS and len(terms := terms_of(node)) == 1:
            term.scale(terms[0].coefficient, power)
            stack += [(factor, power * n) for factor, n in reversed(terms[0].powers)]
        elif node.op not in _PRODUCTS or (node.op is Op.POW and not _whole(node.args[1])):
            powers[node.serial] = node, powers.get(node.serial, (node, 0))[1] + power
        elif node.op is Op.CONSTANT:
            term.scale(exact(float(node.value)), power)
        elif node.op is Op.NEG:
            term.scale(Fraction(-1), power)
            stack.append((node.args[0], power))
        elif node.op is Op.POW:
            stack.append((node.args[0], power * int(float(node.args[1].value))))
        else:
            a, b = node.args
            stack.append((b, -power if node.op is Op.DIV else power))
            stack.append((a, power))
    term.powers = tuple((factor, power) for factor, power in powers.values() if power)
    return term


def _whole(exponent: Expr) -> bool:
    return exponent.op is Op.CONSTANT and float(exponent.value).is_integer()


def tidied(expr: Expr) -> Expr:
    """Return an expression with like terms and factors collected, otherwise unchanged.

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> tidied(x + y + x - y)
    2 * x
    """
    total = as_expr(0.0)
    for term in terms_of(expr):
        total = total + term.expression()
    return total
