"""Expressions as SymPy's, for whoever wants to do algebra with them.

Numbers become exact where a short fraction, or one of pi, is the same float: 0.1 is 1/10, so that
SymPy can cancel what cancels.  Symbols keep their names and get no assumptions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, Final

from poinsot.expr.node import as_expr
from poinsot.expr.ops import Op
from poinsot.expr.serialization import operands_first

LARGEST_DENOMINATOR: Final = 10_000
"""Fractions with smaller denominators stand for the floats that they round to."""


def to_sympy(expr: object, symbols: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401 (SymPy)
    """Return an expression or a number as SymPy's.

    Args:
        expr: The expression; everything below it is written out.
        symbols: What stands for the symbols of these names; SymPy's of the same name otherwise.

    >>> from poinsot.expr import symbol
    >>> to_sympy(symbol("m") * symbol("q").sin() / 3 + 0.1)
    m*sin(q)/3 + 1/10
    """
    return all_to_sympy([expr], symbols)[0]


def all_to_sympy(exprs: Iterable[object], symbols: Mapping[str, Any] | None = None) -> list[Any]:
    """Return several expressions as SymPy's; what they share is converted once.

    Args:
        exprs: Expressions and numbers.
        symbols: What stands for the symbols of these names; SymPy's of the same name otherwise.
    """
    roots = [as_expr(expr) for expr in exprs]
    given = symbols or {}
    made: dict[int, Any] = {}
    for node in operands_first(roots):
        if node.op is Op.CONSTANT:
            made[node.serial] = sympy_number(float(node.value))
        elif node.op is Op.SYMBOL:
            name = str(node.value)
            made[node.serial] = given[name] if name in given else sympy_symbol(name)
        else:
            made[node.serial] = sympy_operation(node.op, [made[a.serial] for a in node.args])
    return [made[root.serial] for root in roots]


def sympy_symbol(name: str) -> Any:  # noqa: ANN401
    """Return SymPy's symbol of this name, without assumptions."""
    import sympy

    return sympy.Symbol(name)


def sympy_number(value: float) -> Any:  # noqa: ANN401
    """Return a float as SymPy's number, exact where a short fraction is the same float.

    >>> [sympy_number(x) for x in (2.0, 0.1, 1 / 3, 0.75 * math.pi)]
    [2, 1/10, 1/3, 3*pi/4]
    """
    import sympy

    if math.isnan(value):
        return sympy.nan
    if math.isinf(value):
        return sympy.oo if value > 0 else -sympy.oo
    if value.is_integer() and abs(value) < 1e15:
        return sympy.Integer(int(value))
    for unit, name in ((1.0, sympy.S.One), (math.pi, sympy.pi)):
        fraction = Fraction(value / unit).limit_denominator(LARGEST_DENOMINATOR)
        if float(fraction) * unit == value:
            return sympy.Rational(fraction.numerator, fraction.denominator) * name
    exact = Fraction(value)  # halves of halves
    if exact.denominator < 1 << 40:
        return sympy.Rational(exact.numerator, exact.denominator)
    return sympy.Float(value, 17)


def sympy_operation(op: Op, operands: list[Any]) -> Any:  # noqa: ANN401
    """Return one operation on SymPy's operands.

    >>> import sympy
    >>> sympy_operation(Op.SIN, [sympy.Symbol("x")])
    sin(x)
    """
    return _operations()[op](*operands)


@cache
def _operations() -> Mapping[Op, Callable[..., Any]]:
    import sympy

    def truth(relation: Any) -> Any:  # noqa: ANN401
        return sympy.Piecewise((1, relation), (0, True))

    def select(condition: Any, a: Any, b: Any) -> Any:  # noqa: ANN401
        if isinstance(condition, sympy.Piecewise):
            _, relation = next(iter(condition.args))
            if condition == truth(relation):
                return sympy.Piecewise((a, relation), (b, True))
        return sympy.Piecewise((a, sympy.Ne(condition, 0)), (b, True))

    return {
        Op.ADD: lambda a, b: a + b,
        Op.SUB: lambda a, b: a - b,
        Op.MUL: lambda a, b: a * b,
        Op.DIV: lambda a, b: a / b,
        Op.NEG: lambda a: -a,
        Op.SQRT: sympy.sqrt,
        Op.SIN: sympy.sin,
        Op.COS: sympy.cos,
        Op.TAN: sympy.tan,
        Op.ASIN: sympy.asin,
        Op.ACOS: sympy.acos,
        Op.ATAN2: sympy.atan2,
        Op.EXP: sympy.exp,
        Op.LOG: sympy.log,
        Op.POW: sympy.Pow,
        Op.MIN: sympy.Min,
        Op.MAX: sympy.Max,
        Op.ABS: sympy.Abs,
        Op.SIGN: sympy.sign,
        Op.FLOOR: sympy.floor,
        Op.LESS: lambda a, b: truth(sympy.Lt(a, b)),
        Op.LESS_EQUAL: lambda a, b: truth(sympy.Le(a, b)),
        Op.EQUAL: lambda a, b: truth(sympy.Eq(a, b)),
        Op.SELECT: select,
    }
