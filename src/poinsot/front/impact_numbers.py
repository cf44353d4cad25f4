"""States of impacts, which are real numbers."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.spatial import Array

__all__ = ["impact_numbers"]

REMEDY: Final = (
    "give real numbers here; of fractions, complex numbers and symbols the impact is "
    "ps.derive_impact(first, second, points).at(q, v, parameters)"
)


def impact_numbers(where: str, given: ArrayLike) -> Array:
    """Return a state as real numbers, of any shape.

    Args:
        where: Opens the message of an error.
        given: What a user gave.

    Raises:
        ArrayTypeError: If it holds others; the message says what takes them.
    """
    try:
        return checked_real(where, given)
    except ArrayTypeError as error:
        if np.asarray(given).dtype.kind not in "Oc":
            raise
        raise ArrayTypeError(f"{error}; {REMEDY}") from None
