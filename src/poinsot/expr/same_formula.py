"""Whether formulas are identical, where ``==`` would compare their values."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.expr.node import Expr
from poinsot.expr.ops import Op

_FORMULA: Final = object()


def comparable(value: Any) -> Any:  # noqa: ANN401 (numbers, formulas, others, many of them)
    """Return something that is hashable, and equal for equal numbers and for the same formula.

    Args:
        value: A number, a formula, anything else, or tuples, lists and arrays of them.
    """
    if isinstance(value, Expr):
        return float(value) if value.op is Op.CONSTANT else (_FORMULA, value.serial)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, tuple | list):
        return tuple([comparable(entry) for entry in value])
    return value


def same(a: Any, b: Any) -> bool:  # noqa: ANN401
    """Say whether two values are equal numbers or the same formula; tuples and arrays by entries.

    >>> from poinsot.expr import symbol
    >>> m = symbol("m")
    >>> same((m, 1.0), (m, 1)), same(m, 0.0)
    (True, False)
    """
    return bool(comparable(a) == comparable(b))
