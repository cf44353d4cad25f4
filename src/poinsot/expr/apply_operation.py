"""One operation on floats or expressions, shared by formulas, substitution and pickles."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from poinsot.expr import functions
from poinsot.expr.node import Expr, Scalar
from poinsot.expr.ops import MEANING, Op

_ON_EXPRESSIONS: Final[Mapping[Op, Callable[..., Any]]] = {
    **{Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv},
    **{Op.POW: operator.pow, Op.NEG: operator.neg, Op.ABS: abs},
    **{Op.LESS: operator.lt, Op.LESS_EQUAL: operator.le, Op.EQUAL: functions.equal},
    **{Op.SQRT: Expr.sqrt, Op.SIN: Expr.sin, Op.COS: Expr.cos, Op.TAN: Expr.tan},
    **{Op.ASIN: Expr.arcsin, Op.ACOS: Expr.arccos, Op.ATAN2: functions.atan2},
    **{Op.EXP: Expr.exp, Op.LOG: Expr.log, Op.SIGN: functions.sign, Op.FLOOR: functions.floor},
    **{Op.MIN: functions.minimum, Op.MAX: functions.maximum, Op.SELECT: functions.select},
}


def applied(op: Op, operands: Sequence[Scalar]) -> Scalar:
    """Return an operation on its operands: a float of floats, else an expression that folds.

    >>> applied(Op.MUL, (2.0, 3.0))
    6.0
    """
    if any(isinstance(x, Expr) for x in operands):
        result: Scalar = _ON_EXPRESSIONS[op](*operands)
        return result
    with np.errstate(all="ignore"):
        return float(MEANING[op](*operands))
