"""What derivatives are by and along, and weights of their entries, as users give them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.spatial import Array

__all__ = ["arguments_of", "directions_of", "flat_weights", "spread"]


def arguments_of(by: str | Sequence[str]) -> tuple[str, ...]:
    """Return the names of what to differentiate by."""
    names = (by,) if isinstance(by, str) or not isinstance(by, Iterable) else tuple(by)
    if not all(isinstance(name, str) for name in names):
        raise ModelError(
            f"derivative: by names what to differentiate by, 'q' or ('q', 'v'), got {by!r}"
        )
    return names


def directions_of(
    by: tuple[str, ...], along: ArrayLike | Sequence[ArrayLike | None] | None
) -> tuple[ArrayLike | None, ...]:
    """Return a direction, or None, for each argument."""
    if along is None:
        return (None,) * len(by)
    if len(by) == 1 and not (
        isinstance(along, tuple | list)
        and len(along) == 1
        and (along[0] is None or np.ndim(along[0]) > 0)
    ):
        return (along,)  # type: ignore[return-value]
    if not isinstance(along, tuple | list) or len(along) != len(by):
        raise ShapeError(
            f"derivative: along must have a direction, or None, for each of {', '.join(by)}"
        )
    return tuple(along)


def spread(array: Array, ones: tuple[int, ...]) -> Array:
    """Return an array (..., size) with dimensions of length one before the last."""
    return array.reshape(*array.shape[:-1], *ones, array.shape[-1]) if array.ndim else array


def flat_weights(weights: ArrayLike, shape: tuple[int, ...]) -> Array:
    """Return weights, shape (..., those of the quantity), with its entries in one row."""
    array = np.asarray(weights)
    if array.shape[array.ndim - len(shape) :] != shape:
        wanted = ", ".join(("...", *map(str, shape)))
        raise ShapeError(f"derivative: weights must have shape ({wanted}), got {array.shape}")
    return array.reshape(*array.shape[: array.ndim - len(shape)], math.prod(shape))
