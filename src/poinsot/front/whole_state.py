"""The inputs of a quantity that is asked for by its name."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poinsot.evaluate.registry import quantity_of

__all__ = ["whole_state"]


def whole_state(
    asked: str, quantity: str, state: tuple[ArrayLike, ...], point: ArrayLike | None
) -> tuple[ArrayLike, ...]:
    """Return the inputs of a quantity, the point among them if it has one.

    Raises:
        TypeError: There are more or fewer of them.
    """
    inputs = quantity_of(quantity).inputs
    if point is not None and "point" not in inputs:
        raise TypeError(
            f"{asked}: {quantity} has no point; it is a function of {', '.join(inputs)}"
        )
    whole = state
    if "point" in inputs and (point is not None or len(state) == len(inputs) - 1):
        whole = (*state, np.zeros(3) if point is None else point)
    if len(whole) != len(inputs):
        raise TypeError(
            f"{asked}: {quantity} is a function of {', '.join(inputs)}, got {len(whole)} arrays"
        )
    return whole
