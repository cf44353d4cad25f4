"""What operations mean over numbers with digits at will, and over complex ones, as analytic.

Complex steps, f(x + i h) = f(x) + i h f'(x), need functions that are analytic at real x: |x| is x
or -x, an angle goes on from that of the real parts, and what decides by size looks at real parts.
A quotient by zero is NaN.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from poinsot.expr.ops import Op


@cache
def complex_operations() -> Mapping[Op, Callable[..., Any]]:
    """Return the operations on complex numbers."""
    return _operations(cmath, math.atan2, complex)


@cache
def mpmath_operations() -> Mapping[Op, Callable[..., Any]]:
    """Return the operations on mpmath's real and complex numbers, in its digits of the moment."""
    import mpmath

    return _operations(mpmath, mpmath.atan2, mpmath.mpmathify)


def _operations(
    functions: Any,  # noqa: ANN401 (a module)
    angle: Callable[[Any, Any], Any],
    number: Callable[[Any], Any],
) -> Mapping[Op, Callable[..., Any]]:
    """Return the operations by sine, root and so on of a module, and the angle of real numbers."""

    def quotient(a: Any, b: Any) -> Any:  # noqa: ANN401
        return number(math.nan) if b == 0 else a / b

    def atan2(y: Any, x: Any) -> Any:  # noqa: ANN401
        start = angle(y.real, x.real)
        if not (y.imag or x.imag):
            return number(start)
        c, s = functions.cos(start), functions.sin(start)
        return start + functions.atan(quotient(y * c - x * s, x * c + y * s))

    def absolute(x: Any) -> Any:  # noqa: ANN401
        return -x if x.real < 0 else x

    def sign(x: Any) -> Any:  # noqa: ANN401
        return number((x.real > 0) - (x.real < 0))

    return {
        Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: quotient,
        Op.NEG: operator.neg, Op.POW: operator.pow,
        Op.SQRT: functions.sqrt, Op.SIN: functions.sin, Op.COS: functions.cos,
        Op.TAN: functions.tan, Op.ASIN: functions.asin, Op.ACOS: functions.acos,
        Op.EXP: functions.exp, Op.LOG: functions.log, Op.ATAN2: atan2,
        Op.ABS: absolute, Op.SIGN: sign,
        Op.MIN: lambda a, b: b if b.real < a.real else a,
        Op.MAX: lambda a, b: b if b.real > a.real else a,
        Op.LESS: lambda a, b: number(float(a.real < b.real)),
        Op.LESS_EQUAL: lambda a, b: number(float(a.real <= b.real)),
        Op.EQUAL: lambda a, b: number(float(a.real == b.real)),
        Op.SELECT: lambda condition, a, b: a if condition.real != 0 else b,
        Op.FLOOR: lambda x: number(math.floor(x.real)),
    }  # fmt: skip
