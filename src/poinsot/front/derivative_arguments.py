"""What derivatives are by and along, and weights of their entries, as users give them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.model import BaseMotion
from poinsot.spatial import Array

__all__ = ["arguments_of", "base_rates_of", "directions_of", "flat_weights", "spread"]


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


def base_rates_of(rates: Sequence[ArrayLike], base: BaseMotion | None, order: int) -> list[Array]:
    """Return the rates of the acceleration of a base, one for each order; no list without a base.

    Args:
        rates: Those that are given, shapes (..., 6).
        base: Its motion.
        order: Of the time derivative.
    """
    if base is None:
        if len(rates):
            raise ModelError("time_derivative: base_rates are of a motion of the base: give base=")
        return []
    if isinstance(rates, np.ndarray) and rates.ndim == 1:
        raise ShapeError("time_derivative: base_rates is a list of rates, [rate of acceleration]")
    if len(rates) > order:
        raise ModelError(
            f"time_derivative: order {order} takes not more than {order} base_rates, "
            f"got {len(rates)}"
        )
    arrays = [np.asarray(rate) for rate in rates]
    for k, array in enumerate(arrays):
        if array.shape[-1:] != (6,):
            raise ShapeError(
                f"time_derivative: base_rates[{k}] must have shape (..., 6), got {array.shape}"
            )
    return arrays + [np.zeros(6)] * (order - len(arrays))


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
