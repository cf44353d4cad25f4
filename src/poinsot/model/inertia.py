"""The rotational inertia of a body: its written forms, and whether a body could have it."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.checks import scalar_array, symmetric
from poinsot.model.fields import AbstractKind
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array, Scalar

__all__ = ["Inertia6", "InertiaNumbers", "inertia_matrix", "inertia_numbers", "inertia_problem"]

Inertia6 = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]
"""(ixx, iyy, izz, ixy, ixz, iyz) [kg·m²]; the last three are the entries of the tensor."""

_TRIANGLE_TOLERANCE = 1e-3
"""Fraction of the largest moment by which I3 <= I1 + I2 may fail: files print few digits."""

_NEGATIVE_TOLERANCE = 1e-9
"""Fraction of the largest moment below which a negative principal moment is rounding error."""


_SMALLEST = 1e-16
"""Square of a radius of gyration [m²] below which it is rounding error."""


class InertiaNumbers(AbstractKind):
    """3 numbers (the diagonal), 6 (ixx, iyy, izz, ixy, ixz, iyz) or a symmetric 3x3 matrix."""

    file_form: ClassVar[str] = "numbers"

    def stored(self, given: Any, where: str, owner: Any) -> Inertia6:  # noqa: ANN401
        """Return the six numbers."""
        return inertia_numbers(given, where)


def inertia_numbers(inertia: ArrayLike, where: str) -> Inertia6:
    """Return (ixx, iyy, izz, ixy, ixz, iyz) of 3 numbers, these 6, or a symmetric 3x3 matrix.

    Args:
        inertia: The inertia [kg·m²], shape (3,), (6,) or (3, 3).
        where: Opens the message of an error, e.g. ``"body 'arm': inertia"``.
    """
    array = scalar_array(inertia, where)
    if array.shape == (3,):
        array = np.concatenate([array, np.zeros(3)])
    elif array.shape == (3, 3):
        I = symmetric(array, where)
        array = np.array([I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]])
    elif array.shape != (6,):
        raise ModelError(
            f"{where} must be 3 numbers (diagonal), 6 (ixx, iyy, izz, ixy, ixz, iyz) "
            f"or a 3x3 matrix, got {inertia!r}"
        )
    ixx, iyy, izz, ixy, ixz, iyz = array.tolist()
    return (ixx, iyy, izz, ixy, ixz, iyz)


def inertia_matrix(inertia: Inertia6) -> Array:
    """Return the symmetric matrix of the six numbers, shape (3, 3) [kg·m²]."""
    ixx, iyy, izz, ixy, ixz, iyz = inertia
    return np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])


def inertia_problem(inertia: Inertia6, mass: float) -> str | None:
    """Return why no body could have this inertia about its centre of mass, or None.

    The principal moments I1 <= I2 <= I3 are integrals of squares, e.g. I1 = ∫ (y² + z²) dm, so
    none is negative and I3 <= I1 + I2.  What is negligible relative to the mass is rounding error;
    formulas are not checked.

    Args:
        inertia: The inertia about the centre of mass [kg·m²].
        mass: The mass [kg].
    """
    if is_symbolic(inertia, mass):
        return None
    if any(inertia[3:]):
        low, middle, high = np.linalg.eigvalsh(inertia_matrix(inertia)).tolist()
    else:
        low, middle, high = sorted(inertia[:3])
    size = max(abs(low), abs(high))
    if size <= _SMALLEST * mass:
        return None
    moments = f"principal moments {low:.6g}, {middle:.6g}, {high:.6g} kg m^2"
    if low < -_NEGATIVE_TOLERANCE * size:
        return f"{moments}: one is negative"
    if high > low + middle + _TRIANGLE_TOLERANCE * size:
        return f"{moments}: the largest exceeds the sum of the others"
    return None
