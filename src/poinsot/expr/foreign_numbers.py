"""Numbers that are neither floats nor expressions: they are not compared with expressions."""

from __future__ import annotations

import numpy as np


def refuse_other_number(x: object) -> None:
    """Reject to compare with what may be a number and is none of ours: a fraction, SymPy's, ..."""
    if isinstance(x, np.ndarray):
        return  # it compares its entries
    if isinstance(x, complex) or hasattr(type(x), "__float__"):
        raise TypeError(
            f"a symbolic expression cannot be compared with {x!r} of type {type(x).__name__}; "
            "write a float"
        )
