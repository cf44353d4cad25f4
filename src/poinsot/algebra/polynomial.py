"""Sparse polynomials in numbered generators.

Coefficients are fractions, or floats where numbers are no short fractions; what two floats leave of
each other by rounding counts as nothing.

A monomial is a sorted tuple of (generator, power); powers may be negative.  Generators whose square
is known (a sine: 1 - cos²; a root: its radicand) occur to the first power at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final, TypeAlias

Monomial: TypeAlias = tuple[tuple[int, int], ...]
Coefficient: TypeAlias = Fraction | float
Polynomial: TypeAlias = dict[Monomial, Coefficient]

ONE: Final[Monomial] = ()

ROUNDING: Final = 1e-14
"""Relative remainder below which two floats cancel."""


class TooLargeError(Exception):
    """A polynomial has more terms than allowed."""


class Arithmetic:
    """Sums and products of polynomials.

    Args:
        most_terms: How many terms a polynomial may have.
    """

    def __init__(self, most_terms: int) -> None:
        self.most_terms = most_terms
        self.squares: dict[int, Polynomial] = {}

    def add(self, a: Polynomial, b: Polynomial, factor: int = 1) -> Polynomial:
        """Return a + factor b."""
        total = dict(a)
        for monomial, coefficient in b.items():
            accumulate(total, monomial, factor * coefficient)
        return self._checked(total)

    def multiply(self, a: Polynomial, b: Polynomial) -> Polynomial:
        """Return a b."""
        if len(a) > len(b):
            a, b = b, a
        total: Polynomial = {}
        for m1, c1 in a.items():
            for m2, c2 in b.items():
                monomial = merged(m1, m2)
                if self.squares and any(n > 1 and g in self.squares for g, n in monomial):
                    for reduced, factor in self._reduced(monomial).items():
                        accumulate(total, reduced, factor * c1 * c2)
                else:
                    accumulate(total, monomial, c1 * c2)
            self._checked(total)
        return total

    def power(self, a: Polynomial, n: int) -> Polynomial:
        """Return a to an integer power, negative ones for single terms only."""
        if n < 0:
            ((monomial, coefficient),) = a.items()
            a, n = {tuple((g, -k) for g, k in monomial): 1 / coefficient}, -n
        result: Polynomial = {ONE: Fraction(1)}
        for _ in range(n):
            result = self.multiply(result, a)
        return result

    def _reduced(self, monomial: Monomial) -> Polynomial:
        for position, (g, n) in enumerate(monomial):
            if n > 1 and g in self.squares:
                left = ((g, n % 2),) if n % 2 else ()
                rest: Polynomial = {
                    (*monomial[:position], *left, *monomial[position + 1 :]): Fraction(1)
                }
                return self.multiply(rest, self.power(self.squares[g], n // 2))
        return {monomial: Fraction(1)}

    def _checked(self, a: Polynomial) -> Polynomial:
        if len(a) > self.most_terms:
            raise TooLargeError
        return a


def accumulate(total: Polynomial, monomial: Monomial, coefficient: Coefficient) -> None:
    """Add a term to a polynomial in place."""
    before = total.get(monomial)
    if before is None:
        if coefficient:
            total[monomial] = coefficient
        return
    value = before + coefficient
    if isinstance(value, float) and abs(value) < ROUNDING * float(magnitude(coefficient)):
        value = 0.0
    if value:
        total[monomial] = value
    else:
        del total[monomial]


def magnitude(coefficient: Coefficient) -> Coefficient:
    """Return a coefficient without its sign."""
    return -coefficient if coefficient < 0 else coefficient


def merged(a: Monomial, b: Monomial) -> Monomial:
    """Return the product of two monomials.

    >>> merged(((0, 1), (2, 1)), ((0, 2), (1, 1)))
    ((0, 3), (1, 1), (2, 1))
    """
    if not a:
        return b
    if not b:
        return a
    powers = dict(a)
    for g, n in b:
        powers[g] = powers.get(g, 0) + n
    return tuple(sorted((g, n) for g, n in powers.items() if n))


def common(monomials: Mapping[Monomial, object]) -> Monomial:
    """Return the largest monomial that divides all of them.

    >>> common({((0, 1), (2, 1)): 0, ((0, 2), (1, 1)): 0})
    ((0, 1),)
    """
    shared: dict[int, int] | None = None
    for monomial in monomials:
        powers = dict(monomial)
        if shared is None:
            shared = powers
        else:
            both = shared.keys() | powers.keys()
            shared = {g: min(shared.get(g, 0), powers.get(g, 0)) for g in both}
    return tuple(sorted((g, n) for g, n in (shared or {}).items() if n))


def divided(monomial: Monomial, divisor: Monomial) -> Monomial:
    """Return a monomial divided by another."""
    return merged(monomial, tuple((g, -n) for g, n in divisor))
