"""Small arrays of numbers or symbols: the one place that chooses their dtype.

Every function of :mod:`poinsot.spatial` runs unchanged on floats (dtype float64), on complex
numbers (for complex-step derivatives) and on symbolic scalars such as ``Expr`` (dtype object).
NumPy makes the right choice by itself except for integers, which are turned into floats here.
"""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ShapeError

Array: TypeAlias = NDArray[Any]
"""An array of float64, complex128 or (dtype object) symbolic scalars."""

_INTEGER_KINDS = "biu"


def vector(*components: Any) -> Array:  # noqa: ANN401 - a number or a symbol
    """Return the components as an array of shape (n,).

    >>> vector(1, 2, 3)
    array([1., 2., 3.])
    """
    return _promote(np.array(components))


def matrix(*rows: Sequence[Any]) -> Array:
    """Return the rows as an array of shape (m, n).

    >>> matrix((1, 0), (0, 1))
    array([[1., 0.],
           [0., 1.]])
    """
    return _promote(np.array(rows))


def components(values: ArrayLike) -> list[Any]:
    """Return the entries of a vector (nested lists for a matrix) as Python scalars or symbols.

    Arithmetic on Python scalars is several times faster than on NumPy scalars, and leaves no
    NumPy scalar inside a symbolic expression.

    >>> components(np.array([1.0, 2.0]))
    [1.0, 2.0]
    """
    entries: list[Any] = np.asarray(values).tolist()
    return entries


def halves(screw: ArrayLike) -> tuple[Array, Array]:
    """Return the linear and the angular part, shapes (3,), of a motion or force, shape (6,).

    >>> halves([1, 2, 3, 4, 5, 6])
    (array([1., 2., 3.]), array([4., 5., 6.]))
    """
    entries = _promote(np.asarray(screw))
    return entries[:3], entries[3:]


def frozen(name: str, values: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return a read-only copy of ``values``.

    Args:
        name: What the array is, for the error message.
        values: Numbers or symbols.
        shape: The shape they must have.

    Raises:
        ShapeError: If the shape differs.
    """
    array = _promote(np.array(values))
    if array.shape != shape:
        raise ShapeError(f"{name} must have shape {shape}, got {array.shape}")
    array.setflags(write=False)
    return array


def _promote(array: Array) -> Array:
    return array.astype(np.float64) if array.dtype.kind in _INTEGER_KINDS else array
