"""A polynomial as a short expression.

Terms are grouped by rates and by what stands beside their sines and cosines; of the forms to write
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
"""Terms smaller than this fraction of the largest are rounding error, where there are floats."""

Groups: TypeAlias = list[tuple[Expr, Polynomial]]
"""Factors, each with its cofactor."""


class Presentation:
    """Writes polynomials of one normal form.

    Args:
        form: The normal form of the polynomials.
        rates: Symbols by which terms are grouped first: velocities, accelerations, forces.
    """

    def __init__(self, form: NormalForm, rates: Iterable[Expr]) -> None:
        self._form = form
        serials = {rate.serial for rate in rates}
        self._rates = {
            g for g, x in enumerate(form.generators) if isinstance(x, Expr) and x.serial in serials
        }
        self._made: dict[int, Expr] = {}

    def expression(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial as a short expression."""
        cleaned = _without_rounding(polynomial)
        forms = (self._by_rates, self._by_turns)
        return min((write(cleaned) for write in forms), key=length)

    def _by_rates(self, polynomial: Polynomial) -> Expr:
        groups: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in polynomial.items():
            rates = tuple((g, n) for g, n in monomial if g in self._rates)
            groups.setdefault(rates, {})[divided(monomial, rates)] = coefficient
        ordered = sorted(groups.items(), key=lambda item: (-_degree(item[0]), item[0]))
        return _sum([self._grouped(group) * self._product(rates) for rates, group in ordered])

    def _by_turns(self, polynomial: Polynomial) -> Expr:
        return self._grouped(polynomial)

    def _grouped(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial grouped by sines and cosines, in the shortest form."""
        forms = (self._in_cosines, self._in_sines, self._in_multiples)
        return min((self._written(_cleaned(form(polynomial))) for form in forms), key=length)

    def _written(self, groups: Groups) -> Expr:
        """Return the sum of factors times their cofactors."""
        shared = common({monomial: c for _, group in groups for monomial, c in group.items()})
        content = _content([c for _, group in groups for c in group.values()])
        forms = []
        for number in dict.fromkeys((content, Fraction(1))):
            terms = []
            for factor, group in groups:
                rest = {divided(monomial, shared): c / number for monomial, c in group.items()}
                terms.append(self._factored(rest) * factor)
            forms.append(_scaled(self._product(shared) * _sum(terms), number))
        return min(forms, key=length)

    def _factored(self, polynomial: Polynomial) -> Expr:
        """Return a polynomial with its common factors before the bracket."""
        shared = common(polynomial)
        forms = []
        for number in dict.fromkeys((_content(polynomial.values()), Fraction(1))):
            inside = [
                _scaled(self._product(divided(monomial, shared)), coefficient / number)
                for monomial, coefficient in polynomial.items()
            ]
            forms.append(_scaled(self._product(shared) * _sum(inside), number))
        return min(forms, key=length)

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
            expanded: Polynomial = {ONE: coefficient}
            for g, n in monomial:
                angle = self._form.of_generator.get(g)
                if angle is None or g != angle.cosine or n < 2:
                    expanded = {merged(m, ((g, n),)): c for m, c in expanded.items()}
                    continue
                square: Polynomial = {ONE: Fraction(1), ((angle.sine, 2),): Fraction(-1)}
                for _ in range(n // 2):
                    expanded = _plain_product(expanded, square)
                if n % 2:
                    expanded = {merged(m, ((g, 1),)): c for m, c in expanded.items()}
            swapped += expanded.items()
        return self._collected(swapped, self._product)

    def _collected(
        self, terms: Iterable[tuple[Monomial, Coefficient]], write: Callable[[Monomial], Expr]
    ) -> Groups:
        groups: dict[Monomial, Polynomial] = {}
        for monomial, coefficient in terms:
            turns = tuple((g, n) for g, n in monomial if g in self._form.of_generator)
            accumulate(groups.setdefault(turns, {}), divided(monomial, turns), coefficient)
        ordered = sorted(groups.items(), key=lambda item: (_degree(item[0]), item[0]))
        return [(write(turns), group) for turns, group in ordered if group]

    def _in_multiples(self, polynomial: Polynomial) -> Groups:
        """Return the form in sines and cosines of sums of angles."""
        angles = list(self._form.angles.values())
        index = {g: k for k, angle in enumerate(angles) for g in (angle.sine, angle.cosine)}
        groups: dict[tuple[Multiples, bool], Polynomial] = {}
        for monomial, coefficient in polynomial.items():
            turns = [(g, n) for g, n in monomial if g in index]
            if any(n < 0 for _, n in turns):
                return self._in_cosines(polynomial)
            rest = divided(monomial, tuple(turns))
            powers = [(index[g], g == angles[index[g]].sine, n) for g, n in turns]
            for key, factor in harmonics(powers).items():
                accumulate(groups.setdefault(key, {}), rest, factor * coefficient)
        ordered = sorted(groups.items(), key=lambda item: (len(item[0][0]), item[0]))
        return [(self._harmonic(*key), group) for key, group in ordered if group]

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
        generator = self._form.generators[g]
        if isinstance(generator, Expr):
            return generator
        if isinstance(generator, Atom):
            operands = [self.expression(operand) for operand in generator.operands]
            return as_expr(applied(generator.op, operands))
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
    """Return a polynomial without terms below rounding error, if it has floats."""
    if all(isinstance(c, Fraction) for c in polynomial.values()):
        return polynomial
    least = NOTHING * max(float(magnitude(c)) for c in polynomial.values())
    kept = {m: _rounded(c) for m, c in polynomial.items() if magnitude(c) > least}
    return {m: c for m, c in kept.items() if c}


def _cleaned(groups: Groups) -> Groups:
    """Return groups without the rounding residue of floats that cancel in this form."""
    sizes = [float(magnitude(c)) for _, group in groups for c in group.values()]
    least = NOTHING * max(sizes, default=0.0)
    kept = [
        (
            factor,
            {m: c for m, c in group.items() if isinstance(c, Fraction) or magnitude(c) > least},
        )
        for factor, group in groups
    ]
    return [(factor, group) for factor, group in kept if group]


def _rounded(coefficient: Coefficient) -> Coefficient:
    """Return a number, or the short fraction that it equals up to rounding."""
    if isinstance(coefficient, Fraction):
        return coefficient
    fraction = Fraction(coefficient).limit_denominator(LARGEST_DENOMINATOR)
    return (
        fraction
        if abs(float(fraction) - coefficient) < ROUNDING * abs(coefficient)
        else coefficient
    )


def _content(coefficients: Iterable[Coefficient]) -> Fraction:
    """Return the greatest common divisor of fractions; 1 if one of the numbers is a float."""
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
    """Return the number of written operations, shared ones counted each time."""
    count = 0
    stack = [expr]
    while stack:
        node = stack.pop()
        count += node.op not in LEAVES
        stack.extend(node.args)
    return count
