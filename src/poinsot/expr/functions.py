"""Functions over floats and expressions alike, for formulas that are written once.

``np.sin`` and its kin work on arrays of expressions too; these are for single scalars, where they
are faster, and for what NumPy cannot trace: choices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import overload

from poinsot.expr.node import Expr, Scalar, apply, as_expr
from poinsot.expr.ops import MEANING, Op


@overload
def _unary(op: Op, x: Expr) -> Expr: ...
@overload
def _unary(op: Op, x: float) -> float: ...
def _unary(op: Op, x: Scalar) -> Scalar:
    if isinstance(x, Expr):
        return apply(op, x)
    return float(MEANING[op](float(x)))


def _general(op: Op, *operands: Scalar) -> Scalar:
    if any(isinstance(x, Expr) for x in operands):
        return apply(op, *map(as_expr, operands))
    return float(MEANING[op](*map(float, operands)))


def sin(x: Scalar) -> Scalar:
    """Return the sine of ``x`` [rad]."""
    return x.sin() if isinstance(x, Expr) else _unary(Op.SIN, x)


def cos(x: Scalar) -> Scalar:
    """Return the cosine of ``x`` [rad]."""
    return x.cos() if isinstance(x, Expr) else _unary(Op.COS, x)


def sqrt(x: Scalar) -> Scalar:
    """Return the square root of ``x``."""
    return _unary(Op.SQRT, x)


def sign(x: Scalar) -> Scalar:
    """Return -1, 0 or 1."""
    return _unary(Op.SIGN, x)


def floor(x: Scalar) -> Scalar:
    """Return the largest whole number that is not above ``x``."""
    return _unary(Op.FLOOR, x)


def ceil(x: Scalar) -> Scalar:
    """Return the smallest whole number that is not below ``x``."""
    return -floor(-x)


def mod(x: Scalar, y: Scalar) -> Scalar:
    """Return the remainder of ``x`` by ``y``, x - y floor(x/y), which has the sign of ``y``.

    >>> mod(-1.0, 3.0)
    2.0
    """
    return x - y * floor(_general(Op.DIV, x, y))


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Return the angle [rad] of the point (x, y)."""
    return _general(Op.ATAN2, y, x)


def minimum(a: Scalar, b: Scalar) -> Scalar:
    """Return the smaller of the two."""
    return a if a is b else _general(Op.MIN, a, b)


def maximum(a: Scalar, b: Scalar) -> Scalar:
    """Return the larger of the two."""
    return a if a is b else _general(Op.MAX, a, b)


def equal(a: Scalar, b: Scalar) -> Scalar:
    """Return 1.0 where the two are equal, else 0.0."""
    return 1.0 if a is b and isinstance(a, Expr) else _general(Op.EQUAL, a, b)


def select(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """Return ``a`` where the condition is not 0, else ``b``; what ``if`` is to floats.

    >>> from poinsot.expr import symbol
    >>> x = symbol("x")
    >>> select(x < 0, -x, x)
    select(x < 0, -x, x)
    """
    if a is b:
        return a
    if isinstance(condition, Expr) and condition.op is not Op.CONSTANT:
        return apply(Op.SELECT, condition, as_expr(a), as_expr(b))
    truth = float(condition)
    if truth != truth:
        return truth
    return a if truth else b


def atan(x: Scalar) -> Scalar:
    """Return the arc tangent of ``x`` [rad], between -pi/2 and pi/2."""
    return atan2(x, 1.0)


def sinh(x: Scalar) -> Scalar:
    """Return the hyperbolic sine of ``x``."""
    return x.sinh() if isinstance(x, Expr) else _finite_or_infinite(math.sinh, x)


def cosh(x: Scalar) -> Scalar:
    """Return the hyperbolic cosine of ``x``."""
    return x.cosh() if isinstance(x, Expr) else _finite_or_infinite(math.cosh, x)


def tanh(x: Scalar) -> Scalar:
    """Return the hyperbolic tangent of ``x``."""
    return x.tanh() if isinstance(x, Expr) else math.tanh(x)


def clamp(x: Scalar, low: Scalar, high: Scalar) -> Scalar:
    """Return ``x``, or the bound that it is beyond.

    >>> clamp(3.0, -1.0, 1.0)
    1.0
    """
    return minimum(maximum(x, low), high)


def smoothstep(low: Scalar, high: Scalar, x: Scalar) -> Scalar:
    """Return 0 below ``low``, 1 above ``high`` and 3 s² - 2 s³ between, s = (x - low)/(high - low).

    Value and slope are continuous.

    >>> smoothstep(1.0, 3.0, 2.0)
    0.5
    """
    s = clamp(_general(Op.DIV, x - low, high - low), 0.0, 1.0)
    return s * s * (3.0 - 2.0 * s)


def interp(x: Scalar, *points: Scalar) -> Scalar:
    """Return the value at x of straight lines through points, constant beyond the first and last.

    Args:
        x: Where.
        points: Place and value of each point in turn, places increasing: x1, y1, x2, y2, ...

    >>> interp(1.5, 0.0, 0.0, 1.0, 10.0, 2.0, 30.0), interp(9.0, 0.0, 0.0, 1.0, 10.0)
    (20.0, 10.0)
    """
    places, values = points[0::2], points[1::2]
    result = values[0]
    for k in range(len(places) - 1):
        width = places[k + 1] - places[k]
        share = clamp(_general(Op.DIV, x - places[k], width), 0.0, 1.0)
        result = result + share * (values[k + 1] - values[k])
    return result


def _finite_or_infinite(function: Callable[[float], float], x: float) -> float:
    """Return a function that grows without bound, infinite where floats end."""
    try:
        return function(x)
    except OverflowError:
        return math.copysign(math.inf, function(math.copysign(1.0, x)))
