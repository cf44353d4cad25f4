"""Passive parameters of a joint: damping, stiffness, rest, armature and friction, as fields."""

from typing import Any, ClassVar

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import scalar_array, symmetric
from poinsot.model.fields import AbstractKind
from poinsot.model.joints.coefficients import (
    Coefficients,
    coefficient_matrix,
    stored_coefficients,
)
from poinsot.model.scalar_values import is_symbolic, nonzero
from poinsot.spatial import Array, Scalar

__all__ = ["Armature", "Damping", "Friction", "Rest", "Stiffness"]

_ROUNDING = 1e-12
"""Negative eigenvalues of an armature up to this fraction of its largest entry are rounding
error."""


class Damping(AbstractKind):
    """A number, one per velocity, or a matrix; stored as nv numbers or an (nv, nv) matrix."""

    file_form: ClassVar[str] = "numbers"

    def stored(self, given: Any, where: str, owner: Any) -> Coefficients:  # noqa: ANN401
        """Return the numbers or the rows."""
        return stored_coefficients(coefficient_matrix(given, owner.nv, where))


class Stiffness(Damping):
    """The same, symmetric; rejected where q is not made of nv plain numbers."""

    words = "symmetric"

    def stored(self, given: Any, where: str, owner: Any) -> Coefficients:  # noqa: ANN401
        """Return the numbers or the rows."""
        K = symmetric(coefficient_matrix(given, owner.nv, where), where)
        if owner.nq != owner.nv and nonzero(K):
            raise ModelError(
                f"{owner.label}: a {owner.kind} joint cannot have stiffness, got {given!r}: its "
                "orientation is a quaternion, not an angle; leave it out"
            )
        return stored_coefficients(K)


class Armature(Damping):
    """The same, symmetric, without negative eigenvalue."""

    words = "symmetric, without negative eigenvalue"

    def stored(self, given: Any, where: str, owner: Any) -> Coefficients:  # noqa: ANN401
        """Return the numbers or the rows."""
        B = symmetric(coefficient_matrix(given, owner.nv, where), where)
        if _has_negative(B):
            raise ModelError(f"{where} must not be negative, got {given!r}")
        return stored_coefficients(B)


class Rest(AbstractKind):
    """A number or one per coordinate; nothing for a joint that cannot have a spring."""

    file_form: ClassVar[str] = "some"

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Scalar, ...]:  # noqa: ANN401
        """Return one per coordinate."""
        array = scalar_array(given, where)
        if owner.nq != owner.nv or owner.nv == 0:
            if nonzero(array):
                raise ModelError(f"{where} needs a spring, which a {owner.kind} joint cannot have")
            return ()
        if array.ndim == 0:
            array = np.repeat(array, owner.nq)
        if array.shape != (owner.nq,):
            raise ModelError(
                f"{where} must be a number or {owner.nq} numbers (one per coordinate), "
                f"got {given!r}"
            )
        return tuple(array.tolist())


class Friction(AbstractKind):
    """A number or one per velocity."""

    words = "not negative"
    file_form: ClassVar[str] = "some"

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Scalar, ...]:  # noqa: ANN401
        """Return one per velocity."""
        array = scalar_array(given, where)
        negative = not is_symbolic(array) and (array < 0).any()
        if array.ndim > 1 or (array.ndim == 1 and len(array) != owner.nv) or negative:
            raise ModelError(
                f"{where} must be a number or {owner.nv} numbers, not negative, got {given!r}"
            )
        return tuple(np.broadcast_to(array, (owner.nv,)).tolist())


def _has_negative(B: Array) -> bool:
    """Say whether a symmetric matrix has a negative eigenvalue; of formulas it is not known."""
    if is_symbolic(B) or not B.any():
        return False
    return bool(np.linalg.eigvalsh(B)[0] < -_ROUNDING * np.max(np.abs(B)))
