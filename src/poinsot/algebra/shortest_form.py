"""A polynomial as a short expression.

Terms are grouped by rates and by what stands beside their sines and cosines; of the ways to write
these (cosines squared, sines squared, multiple angles) the shortest is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import reduce
from typing import Final, TypeAlias

from poinsot.algebra.harmonics import Multiples, harmonics
from poinsot.algebra.normal_form import Atom, NormalForm
from poinsot.algebra.polynomial import (
    ONE,
    ROUNDING,
    Coefficient,
    Monomial,
    Polynomial,
    accumulate,
    common,
    divided,
    magnitude,
    merged,
)
from poinsot.expr import Expr, Op, as_expr
from poinsot.expr.apply_operation import applied
from poinsot.expr.ops import LEAVES
from poinsot.expr.to_sympy import LARGEST_DENOMINATOR

NOTHING: Final = 1e-13
"""Terms smaller than this part of the largest are rounding, where there are floats."""

Groups: TypeAlias = list[tuple[Expr, Polynomial]]
"""Some factors, and what stands beside each."""


class Presentation:
    """Writes polynomials of one normal form.

    Args:
        form: Where they come from.
        rates: Symbols by which terms are grouped first: velocities, accelerations, forces.
    """

    def __init__(self, form: NormalForm, rates: Iterable[Expr]) -> None:
        self._form = form
        known = {rate.serial for rate in rates}
        self._rates = {
            g for g, x in enumerate(form.generators) if isinstance(x, Expr) and x.serial in known
        }
        self._made: dict[int, Expr] = {}

    def expression(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial as a short expression."""
        cleaned = _without_rounding(polynomial)
        ways = (self._by_rates, self._by_turns)
        return min((way(cleaned) for way in ways), key=length)

    def _by_rates(self, polynomial: Polynomial) -> Expr:
        groups: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in polynomial.items():
            rates = tuple((g, n) for g, n in monomial if g in self._rates)
            groups.setdefault(rates, {})[divided(monomial, rates)] = coefficient
        ordered = sorted(groups.items(), key=lambda item: (-_degree(item[0]), item[0]))
        return _sum([self._grouped(part) * self._product(rates) for rates, part in ordered])

    def _by_turns(self, polynomial: Polynomial) -> Expr:
        return self._grouped(polynomial)

    def _grouped(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial grouped by sines and cosines, in the shortest way."""
        forms = (self._in_cosines, self._in_sines, self._in_multiples)
        return min((self._written(_cleaned(form(polynomial))) for form in forms), key=length)

    def _written(self, groups: Groups) -> Expr:
        """Return the sum of factors times what stands beside them."""
        shared = common({monomial: c for _, part in groups for monomial, c in part.items()})
        content = _content([c for _, part in groups for c in part.values()])
        ways = []
        for number in dict.fromkeys((content, Fraction(1))):
            terms = []
            for factor, part in groups:
                rest = {divided(monomial, shared): c / number for monomial, c in part.items()}
                terms.append(self._factored(rest) * factor)
            ways.append(_scaled(self._product(shared) * _sum(terms), number))
        return min(ways, key=length)

    def _factored(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial with what all its terms share before the bracket."""
        shared = common(polynomial)
        ways = []
        for number in dict.fromkeys((_content(polynomial.values()), Fraction(1))):
            inside = [
                _scaled(self._product(divided(monomial, shared)), coefficient / number)
                for monomial, coefficient in polynomial.items()
            ]
            ways.append(_scaled(self._product(shared) * _sum(inside), number))
        return min(ways, key=length)

    def _in_cosines(self, polynomial: Polynomial) -> Groups:
        """Return the normal form itself."""
        return self._collected(
            ((monomial, coefficient) for monomial, coefficient in polynomial.items()),
            self._product,
        )

    def _in_sines(self, polynomial: Polynomial) -> Groups:
        """Return the form with cos² = 1 - sin²."""
        swapped: list[tuple[Monomial, Coefficient]] = []
        for monomial, coefficient in polynomial.items():
            parts: Polynomial = {ONE: coefficient}
            for g, n in monomial:
                angle = self._form.of_generator.get(g)
                if angle is None or g != angle.cosine or n < 2:
                    parts = {merged(m, ((g, n),)): c for m, c in parts.items()}
                    continue
                square: Polynomial = {ONE: Fraction(1), ((angle.sine, 2),): Fraction(-1)}
                for _ in range(n // 2):
                    parts = _plain_product(parts, square)
                if n % 2:
                    parts = {merged(m, ((g, 1),)): c for m, c in parts.items()}
            swapped += parts.items()
        return self._collected(swapped, self._product)

    def _collected(
        self, terms: Iterable[tuple[Monomial, Coefficient]], write: Callable[[Monomial], Expr]
    ) -> Groups:
        groups: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in terms:
            turns = tuple((g, n) for g, n in monomial if g in self._form.of_generator)
            accumulate(groups.setdefault(turns, {}), divided(monomial, turns), coefficient)
        ordered = sorted(groups.items(), key=lambda item: (_degree(item[0]), item[0]))
        return [(write(turns), part) for turns, part in ordered if part]

    def _in_multiples(self, polynomial: Polynomial) -> Groups:
        """Return the form in sines and cosines of sums of angles."""
        angles = list(self._form.angles.values())
        place = {g: k for k, angle in enumerate(angles) for g in (angle.sine, angle.cosine)}
        groups: dict[tuple[Multiples, bool], Polynomial] = {}
        for monomial, coefficient in polynomial.items():
            turns = [(g, n) for g, n in monomial if g in place]
            if any(n < 0 for _, n in turns):
                return self._in_cosines(polynomial)
            rest = divided(monomial, tuple(turns))
            powers = [(place[g], g == angles[place[g]].sine, n) for g, n in turns]
            for key, factor in harmonics(powers).items():
                accumulate(groups.setdefault(key, {}), rest, factor * coefficient)
        ordered = sorted(groups.items(), key=lambda item: (len(item[0][0]), item[0]))
        return [(self._harmonic(*key), part) for key, part in ordered if part]

    def _harmonic(self, multiples: Multiples, is_sine: bool) -> Expr:
        if not multiples:
            return as_expr(1.0)
        angles = list(self._form.angles.values())
        total = _sum(
            [_scaled(self._product(angles[k].monomial), n * angles[k].factor) for k, n in multiples]
        )
        return total.sin() if is_sine else total.cos()

    def _product(self, monomial: Monomial) -> Expr:
        """Return a monomial as an expression."""
        result = as_expr(1.0)
        for g, n in monomial:
            factor = self._stands_for(g)
            if factor.op is Op.SQRT and n % 2 == 0:
                factor, n = factor.args[0], n // 2  # noqa: PLW2901
            result = result * factor**n if n > 0 else result / factor**-n
        return result

    def _stands_for(self, g: int) -> Expr:
        if g not in self._made:
            self._made[g] = self._written_generator(g)
        return self._made[g]

    def _written_generator(self, g: int) -> Expr:
        found = self._form.generators[g]
        if isinstance(found, Expr):
            return found
        if isinstance(found, Atom):
            operands = [self.expression(operand) for operand in found.operands]
            return as_expr(applied(found.op, operands))
        angle = self._form.of_generator[g]
        value = _scaled(self._product(angle.monomial), angle.factor)
        return value.sin() if g == angle.sine else value.cos()


def _plain_product(a: Polynomial, b: Polynomial) -> Polynomial:
    """Return a product without replacing squares."""
    total: Polynomial = {}
    for m1, c1 in a.items():
        for m2, c2 in b.items():
            accumulate(total, merged(m1, m2), c1 * c2)
    return total


def _without_rounding(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial without terms that are nothing beside others, if it has floats."""
    if all(isinstance(c, Fraction) for c in polynomial.values()):
        return polynomial
    least = NOTHING * max(float(magnitude(c)) for c in polynomial.values())
    kept = {m: _rounded(c) for m, c in polynomial.items() if magnitude(c) > least}
    return {m: c for m, c in kept.items() if c}


def _cleaned(groups: Groups) -> Groups:
    """Return groups without what floats that cancel leave: another form adds some up anew."""
    sizes = [float(magnitude(c)) for _, part in groups for c in part.values()]
    least = NOTHING * max(sizes, default=0.0)
    kept = [
        (factor, {m: c for m, c in part.items() if isinstance(c, Fraction) or magnitude(c) > least})
        for factor, part in groups
    ]
    return [(factor, part) for factor, part in kept if part]


def _rounded(coefficient: Coefficient) -> Coefficient:
    """Return a number, or the short fraction that it is but for rounding."""
    if isinstance(coefficient, Fraction):
        return coefficient
    part = Fraction(coefficient).limit_denominator(LARGEST_DENOMINATOR)
    return part if abs(float(part) - coefficient) < ROUNDING * abs(coefficient) else coefficient


def _content(coefficients: Iterable[Coefficient]) -> Fraction:
    """Return what fractions share; 1 where one of the numbers is a float."""
    listed = list(coefficients)
    fractions = [c for c in listed if isinstance(c, Fraction)]
    if not listed or len(fractions) < len(listed):
        return Fraction(1)
    shared = reduce(_common_part, (abs(c) for c in fractions))
    return -shared if all(c < 0 for c in fractions) else shared


def _common_part(a: Fraction, b: Fraction) -> Fraction:
    while b:
        a, b = b, a % b
    return a


def _scaled(expr: Expr, factor: Coefficient) -> Expr:
    if isinstance(factor, float):
        return expr * factor
    return expr * float(factor.numerator) / float(factor.denominator)


def _sum(terms: list[Expr]) -> Expr:
    return reduce(lambda a, b: a + b, terms, as_expr(0.0))


def _degree(monomial: Monomial) -> int:
    return sum(abs(n) for _, n in monomial)


def length(expr: Expr) -> int:
    """Return how many operations are written, what is shared each time."""
    count = 0
    stack = [expr]
    while stack:
        node = stack.pop()
        count += node.op not in LEAVES
        stack.extend(node.args)
    return count
