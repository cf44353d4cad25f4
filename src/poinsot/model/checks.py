"""Check the numbers of a description and make them hashable.

What may be a formula of parameters goes through ``scalar_array`` and its kin, what must be a number
through ``finite_array`` and its.

Every constructor of the model goes through these, so that all of them reject the same things
(text, complex numbers, NaN, infinities, wrong lengths) with the same messages. ``where`` opens each
message and names the thing that is described, e.g. ``"body 'arm': com"``.
"""

from math import isfinite
from operator import index

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Op
from poinsot.expr.from_sympy import from_sympy, is_sympy
from poinsot.expr.same_formula import same
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array, Scalar
from poinsot.spatial.masked import refuse_masked

__all__ = [
    "SYMMETRY_TOLERANCE",
    "Vec3",
    "checked_name",
    "finite_array",
    "finite_number",
    "finite_vector",
    "real_array",
    "scalar_array",
    "scalar_number",
    "scalar_vector",
    "symmetric",
    "vec3",
    "whole_number",
]

Vec3 = tuple[Scalar, Scalar, Scalar]
"""Three numbers, as the descriptions store them: floats, or formulas of parameters."""

SYMMETRY_TOLERANCE = 1e-9
"""Largest ``|A - Aᵀ| / max|A|`` taken for rounding, e.g. of a matrix printed with ten digits."""

FEW = 9
"""Entries up to which arrays are checked singly: NumPy takes as long for one as for many."""


def finite_array(value: ArrayLike, where: str) -> Array:
    """Return ``value`` as a new float64 array of any shape, rejecting all that is not finite."""
    array = real_array(value, where)
    few = array.size <= FEW
    if not (all(map(isfinite, array.ravel().tolist())) if few else np.isfinite(array).all()):
        raise ModelError(f"{where} must be finite, got {value!r}")
    return array


def real_array(value: ArrayLike, where: str) -> Array:
    """Return ``value`` as a new float64 array of any shape, infinities and NaN included."""
    refuse_masked(value, where)
    try:
        raw = np.asarray(value)
        if raw.dtype.kind not in "iufbO":
            raise TypeError(raw.dtype.name)
        return np.array(raw, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        name = value if isinstance(value, str) and value.isidentifier() else None
        hint = f"; for a parameter write {name} = poinsot.symbols({name!r})" if name else ""
        raise ModelError(f"{where} must be real numbers, got {value!r}{hint}") from error


def finite_number(value: ArrayLike, where: str) -> float:
    """Return ``value`` as a float, rejecting all that is not one finite number."""
    array = finite_array(value, where)
    if array.ndim != 0:
        raise ModelError(f"{where} must be one number, got {value!r}")
    return float(array)


def not_negative(value: ArrayLike, where: str) -> float:
    """Return ``value`` as a float, rejecting all that is not one finite number from 0 on."""
    number = finite_number(value, where)
    if number < 0.0:
        raise ModelError(f"{where} must not be negative, got {number:g}")
    return number


def whole_number(value: object, least: int, where: str) -> int:
    """Return ``value`` as an int, rejecting all but whole numbers from ``least`` on."""
    try:
        number = index(value)  # type: ignore[arg-type]
    except TypeError:
        number = least - 1
    if number < least:
        raise ModelError(f"{where} must be a whole number of {least} or more, got {value!r}")
    return number


def finite_vector(value: ArrayLike, length: int, where: str) -> Array:
    """Return ``value`` as an array of shape ``(length,)``."""
    array = finite_array(value, where)
    if array.shape != (length,):
        raise ModelError(f"{where} must have {length} numbers, got {value!r}")
    return array


def scalar_array(value: ArrayLike, where: str) -> Array:
    """Return ``value`` as a new float64 array, or of floats and formulas where it has some."""
    if not is_symbolic(value):
        return finite_array(value, where)
    raw = np.asarray(value, dtype=object)
    entries = [_scalar(entry, where) for entry in raw.ravel().tolist()]
    array = np.empty(len(entries), object if is_symbolic(entries) else np.float64)
    array[:] = entries
    return array.reshape(raw.shape)


def scalar_number(value: ArrayLike, where: str) -> Scalar:
    """Return ``value`` as a float or a formula, rejecting all that is not one of them."""
    if value.__class__ is float and isfinite(value):
        return value
    array = scalar_array(value, where)
    if array.ndim != 0:
        raise ModelError(f"{where} must be one number, got {value!r}")
    return array.tolist()


def scalar_vector(value: ArrayLike, length: int, where: str) -> Array:
    """Return ``value`` as an array of floats or formulas, shape ``(length,)``."""
    array = scalar_array(value, where)
    if array.shape != (length,):
        raise ModelError(f"{where} must have {length} numbers, got {value!r}")
    return array


def vec3(value: ArrayLike, where: str) -> Vec3:
    """Return ``value`` as three floats or formulas."""
    x, y, z = scalar_vector(value, 3, where).tolist()
    return (x, y, z)


def symmetric(matrix: Array, where: str) -> Array:
    """Return ``(A + Aᵀ) / 2``, rejecting a square matrix that is not symmetric but for rounding."""
    if len(matrix) == 1:
        return matrix
    if is_symbolic(matrix):
        if not same(matrix, matrix.T):
            raise ModelError(
                f"{where} must be symmetric, got {matrix.tolist()}; write the same formulas on "
                "both sides of the diagonal"
            )
        return matrix
    deviation = float(np.max(np.abs(matrix - matrix.T), initial=0.0))
    if deviation > SYMMETRY_TOLERANCE * float(np.max(np.abs(matrix), initial=0.0)):
        raise ModelError(
            f"{where} must be symmetric, got {matrix.tolist()}, "
            f"which differs from its transpose by {deviation:.3g}"
        )
    # Halves first: the sum of two large entries must not overflow.
    return matrix / 2 + matrix.T / 2


def _scalar(entry: object, where: str) -> Scalar:
    if is_sympy(entry):
        try:
            entry = from_sympy(entry)
        except FormulaError as error:
            raise ModelError(f"{where}: {error}") from error
    if isinstance(entry, Expr) and entry.op is not Op.CONSTANT:
        return entry
    return finite_number(float(entry) if isinstance(entry, Expr) else entry, where)  # type: ignore[arg-type]


def checked_name(name: object, where: str) -> str:
    """Return ``name``, rejecting all but a text that is not empty."""
    if not isinstance(name, str):
        raise ModelError(f"{where} must be text, got {name!r}")
    if not name.strip():
        raise ModelError(f"{where} must not be empty; give a name, e.g. 'arm'")
    return name
