"""Numbers of a description: floats, or formulas of parameters.

A formula is an expression (``Expr``) of symbols, or SymPy's, which becomes one where it is stored;
what needs numbers, a check for instance, asks first.  A formula that may be zero for some values of
its parameters does not count as zero.
"""

from typing import Any

import numpy as np

from poinsot.expr import Expr
from poinsot.expr.from_sympy import is_sympy

__all__ = ["is_symbolic", "nonzero"]


def is_symbolic(*values: Any) -> bool:  # noqa: ANN401 (numbers, tuples and arrays of them)
    """Say whether there is a formula among numbers, or in tuples and arrays of numbers.

    >>> from poinsot.expr import symbol
    >>> is_symbolic(1.0, (2.0, symbol("m"))), is_symbolic((1.0, 2.0))
    (True, False)
    """
    for value in values:
        kind = value.__class__
        if kind is float:
            continue
        if kind is Expr:
            return True
        if kind is tuple or kind is list:
            if is_symbolic(*value):
                return True
        elif kind is np.ndarray:
            if value.dtype == object and is_symbolic(*value.ravel().tolist()):
                return True
        elif is_sympy(value) and value.free_symbols:
            return True
    return False


def nonzero(*values: Any) -> bool:  # noqa: ANN401
    """Say whether a number is not zero, or is a formula; the same of tuples and arrays."""
    for value in values:
        if value.__class__ is float:
            if value != 0.0:
                return True
        elif isinstance(value, tuple | list):
            if nonzero(*value):
                return True
        elif isinstance(value, np.ndarray) and value.dtype == object:
            if nonzero(*value.ravel().tolist()):
                return True
        elif isinstance(value, Expr) or np.any(value):
            return True
    return False
