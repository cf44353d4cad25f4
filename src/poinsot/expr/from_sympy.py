"""SymPy's expressions as ours: formulas of descriptions may be written in SymPy.

Symbols become those of the same name, whatever SymPy assumes of them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, reduce
from typing import Any, Final

from poinsot.errors import FormulaError
from poinsot.expr import functions
from poinsot.expr.node import Expr, Scalar, apply, as_expr, symbol
from poinsot.expr.ops import Op
from poinsot.expr.same_formula import same

_HALF: Final = 0.5


def is_sympy(value: object) -> bool:
    """Say whether something is SymPy's; where SymPy was not imported, nothing is."""
    sympy = sys.modules.get("sympy")
    return sympy is not None and isinstance(value, sympy.Basic | sympy.MatrixBase)


def from_sympy(formula: Any) -> Expr:  # noqa: ANN401 (SymPy)
    """Return a formula of SymPy as an expression.

    Raises:
        FormulaError: It has something in it that is no scalar formula.

    >>> import sympy
    >>> m, q = sympy.symbols("m q")
    >>> from_sympy(m * sympy.sin(q) ** 2 / 3)
    m * sin(q) * sin(q) / 3
    """
    made: dict[Any, Scalar] = {}
    try:
        return as_expr(_converted(formula, made))
    except RecursionError:
        raise FormulaError("the formula of SymPy is nested too deeply; simplify it first") from None


def _converted(formula: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    if formula not in made:
        made[formula] = _made(formula, made)
    return made[formula]


def _made(formula: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    import sympy

    def all_of(exprs: Sequence[Any]) -> list[Scalar]:
        return [_converted(expr, made) for expr in exprs]

    if formula.is_Symbol:
        return symbol(formula.name)
    if formula.is_number and not formula.args:
        return _number(formula)
    if isinstance(formula, sympy.Mul):
        return _product(formula, made)
    if isinstance(formula, sympy.Add):
        return reduce(lambda a, b: a + b, all_of(sorted(formula.args, key=_sum_order)))
    if isinstance(formula, sympy.Pow):
        return _power(formula, made)
    if isinstance(formula, sympy.Piecewise):
        return _piecewise(formula, made)
    for kind, function in _functions().items():
        if isinstance(formula, kind):
            return function(*map(as_expr, all_of(formula.args)))
    raise FormulaError(_refusal(formula))


def _sum_order(term: Any) -> tuple[Any, ...]:  # noqa: ANN401
    """Return where a term stands: negative ones last, so that no sum begins with a sign."""
    return term.could_extract_minus_sign(), term.sort_key()


def _number(number: Any) -> float:  # noqa: ANN401
    if number.is_real is False or number.is_finite is False:
        raise FormulaError(f"{number} of SymPy is not a finite real number; write real formulas")
    if number.is_Rational:
        return int(number.p) / int(number.q)
    return float(number)


def _product(formula: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    """Return a product as one quotient: m g / 3 and not (1/3) m g, which rounds twice."""
    coefficient, factors = formula.as_coeff_mul()
    above: list[Any] = []
    below: list[Any] = []
    for factor in factors:
        base, exponent = factor.as_base_exp()
        if exponent.is_Rational and exponent < 0:
            below.append(base**-exponent)
        else:
            above.append(factor)
    numerator, denominator = (
        (int(coefficient.p), int(coefficient.q))
        if coefficient.is_Rational
        else (_number(coefficient), 1)
    )
    top: Scalar = float(numerator)
    for factor in above:
        top = top * _converted(factor, made)
    bottom: Scalar = float(denominator)
    for factor in below:
        bottom = bottom * _converted(factor, made)
    return top / bottom


def _power(formula: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    base, exponent = formula.args
    a, b = _converted(base, made), _converted(exponent, made)
    if same(b, _HALF):
        return functions.sqrt(a)
    if same(b, -_HALF):
        return 1.0 / functions.sqrt(a)
    if same(a, math.e) and isinstance(b, Expr):
        return b.exp()
    return as_expr(a) ** as_expr(b)


def _piecewise(formula: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    """Return the first piece whose condition holds; NaN, as in SymPy, where none does."""
    result: Scalar = math.nan
    for piece, condition in reversed(formula.args):
        value = _converted(piece, made)
        result = functions.select(_condition(condition, made), value, result)
    return result


def _condition(condition: Any, made: dict[Any, Scalar]) -> Scalar:  # noqa: ANN401
    """Return 1 where a condition holds, else 0."""
    import sympy

    if condition in (sympy.true, sympy.false):
        return float(bool(condition))
    if isinstance(condition, sympy.And):
        return reduce(
            lambda a, b: functions.select(a, b, 0.0),
            [_condition(operand, made) for operand in condition.args],
        )
    if isinstance(condition, sympy.Or):
        return reduce(
            lambda a, b: functions.select(a, 1.0, b),
            [_condition(operand, made) for operand in condition.args],
        )
    if isinstance(condition, sympy.ITE):
        asked, then, otherwise = (_condition(operand, made) for operand in condition.args)
        return functions.select(asked, then, otherwise)
    if isinstance(condition, sympy.Not):
        return functions.select(_condition(condition.args[0], made), 0.0, 1.0)
    for kind, relation in _relations().items():
        if isinstance(condition, kind):
            a, b = (as_expr(_converted(side, made)) for side in condition.args)
            return relation(a, b)
    raise FormulaError(_refusal(condition))


@cache
def _relations() -> Mapping[Any, Callable[[Expr, Expr], Scalar]]:
    import sympy

    return {
        sympy.StrictLessThan: lambda a, b: a < b,
        sympy.LessThan: lambda a, b: a <= b,
        sympy.StrictGreaterThan: lambda a, b: a > b,
        sympy.GreaterThan: lambda a, b: a >= b,
        sympy.Equality: functions.equal,
        sympy.Unequality: lambda a, b: functions.select(functions.equal(a, b), 0.0, 1.0),
    }


@cache
def _functions() -> Mapping[Any, Callable[..., Scalar]]:
    import sympy

    return {
        sympy.sin: Expr.sin,
        sympy.cos: Expr.cos,
        sympy.tan: Expr.tan,
        sympy.asin: Expr.arcsin,
        sympy.acos: Expr.arccos,
        sympy.atan: Expr.arctan,
        sympy.atan2: Expr.arctan2,
        sympy.sinh: Expr.sinh,
        sympy.cosh: Expr.cosh,
        sympy.tanh: Expr.tanh,
        sympy.exp: Expr.exp,
        sympy.log: Expr.log,
        sympy.Abs: abs,
        sympy.sign: lambda x: apply(Op.SIGN, x),
        sympy.floor: lambda x: apply(Op.FLOOR, x),
        sympy.ceiling: lambda x: -apply(Op.FLOOR, -x),
        sympy.Mod: functions.mod,
        sympy.Min: lambda *x: reduce(functions.minimum, x),
        sympy.Max: lambda *x: reduce(functions.maximum, x),
        sympy.cot: lambda x: x.cos() / x.sin(),
        sympy.sec: lambda x: 1.0 / x.cos(),
        sympy.csc: lambda x: 1.0 / x.sin(),
    }


def _refusal(formula: Any) -> str:  # noqa: ANN401
    import sympy

    if isinstance(formula, sympy.core.function.AppliedUndef | sympy.Derivative):
        return (
            f"{formula} of SymPy is a function of other symbols, which a formula cannot have; "
            "write a plain symbol, e.g. sympy.Symbol('m')"
        )
    return (
        f"{type(formula).__name__} of SymPy, in {formula}, has no counterpart; write it with "
        "sums, products, powers and elementary functions"
    )
