"""The closed set of scalar operations, and what each one means.

Everything that mechanics needs and no more.  ``MEANING`` is the definition of every operation: the
folding rules evaluate constants with it, the interpreter runs programs with it, and every other
back end is tested against it.

NaN: an operation that reads a NaN gives NaN, comparisons and ``SELECT`` on its condition included;
the branch that ``SELECT`` does not take is not read.  As in C, 1**x and x**0 are 1 even so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any, Final

import numpy as np


class Op(IntEnum):
    """An operation on float64 scalars; comparisons give 1.0 or 0.0."""

    CONSTANT = 0
    SYMBOL = 1
    ADD = 2
    SUB = 3
    MUL = 4
    DIV = 5
    NEG = 6
    SQRT = 7
    SIN = 8
    COS = 9
    TAN = 10
    ASIN = 11
    ACOS = 12
    ATAN2 = 13
    EXP = 14
    LOG = 15
    POW = 16
    MIN = 17
    MAX = 18
    ABS = 19
    SIGN = 20
    LESS = 21
    LESS_EQUAL = 22
    EQUAL = 23
    SELECT = 24
    FLOOR = 25


LEAVES: Final = frozenset({Op.CONSTANT, Op.SYMBOL})
COMMUTATIVE: Final = frozenset({Op.ADD, Op.MUL, Op.MIN, Op.MAX, Op.EQUAL})

ARITY: Final[Mapping[Op, int]] = {
    **dict.fromkeys((Op.CONSTANT, Op.SYMBOL), 0),
    **dict.fromkeys(
        (
            *(Op.NEG, Op.SQRT, Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS),
            *(Op.EXP, Op.LOG, Op.ABS, Op.SIGN, Op.FLOOR),
        ),
        1,
    ),
    **dict.fromkeys(
        (
            *(Op.ADD, Op.SUB, Op.MUL, Op.DIV, Op.ATAN2, Op.POW, Op.MIN, Op.MAX),
            *(Op.LESS, Op.LESS_EQUAL, Op.EQUAL),
        ),
        2,
    ),
    Op.SELECT: 3,
}


def _compare(relation: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Return the comparison as a number that is NaN where an operand is."""
    return lambda a, b: np.where(np.isnan(a) | np.isnan(b), np.nan, relation(a, b))


def _select(condition: Any, a: Any, b: Any) -> Any:  # noqa: ANN401 (arrays or scalars)
    return np.where(np.isnan(condition), np.nan, np.where(condition != 0, a, b))


MEANING: Final[Mapping[Op, Callable[..., Any]]] = {
    Op.ADD: np.add,
    Op.SUB: np.subtract,
    Op.MUL: np.multiply,
    Op.DIV: np.divide,
    Op.NEG: np.negative,
    Op.SQRT: np.sqrt,
    Op.SIN: np.sin,
    Op.COS: np.cos,
    Op.TAN: np.tan,
    Op.ASIN: np.arcsin,
    Op.ACOS: np.arccos,
    Op.ATAN2: np.arctan2,
    Op.EXP: np.exp,
    Op.LOG: np.log,
    Op.POW: np.power,
    Op.MIN: np.minimum,
    Op.MAX: np.maximum,
    Op.ABS: np.abs,
    Op.SIGN: np.sign,
    Op.LESS: _compare(np.less),
    Op.LESS_EQUAL: _compare(np.less_equal),
    Op.EQUAL: _compare(np.equal),
    Op.SELECT: _select,
    Op.FLOOR: np.floor,
}
