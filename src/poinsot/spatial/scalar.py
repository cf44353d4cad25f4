"""Sine and cosine of a number or of a symbol."""

from typing import Any, TypeAlias

import numpy as np

Scalar: TypeAlias = Any
"""A float, a complex number, or a symbolic scalar with arithmetic and ``.sin()``, ``.cos()``."""


def sine(x: Scalar) -> Scalar:
    """Return sin(x), x in rad; a symbol answers with its own method.

    >>> float(sine(0.0))
    0.0
    """
    # np.sin also calls the method, but through an object array: slow.
    return x.sin() if hasattr(x, "sin") else np.sin(x)


def cosine(x: Scalar) -> Scalar:
    """Return cos(x), x in rad; a symbol answers with its own method.

    >>> float(cosine(0.0))
    1.0
    """
    return x.cos() if hasattr(x, "cos") else np.cos(x)
