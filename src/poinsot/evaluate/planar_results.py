"""Results that are written into arrays of an earlier call, where machine code has not done so."""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.spatial import Array


def copied_by_name(
    quantity: str, results: dict[str, Array], out: dict[str, Array]
) -> dict[str, Array]:
    """Return ``out``, which then holds the results."""
    if not isinstance(out, dict) or out.keys() != results.keys():
        shown = list(out) if isinstance(out, dict) else type(out).__name__
        raise ModelError(
            f"{quantity}: out must be the result of an earlier call, with {list(results)}, got"
            f" {shown}"
        )
    for name, result in results.items():
        copied(f"{quantity}: {name!r}", result, out[name])
    return out


def copied(what: str, result: Array, out: Array) -> Array:
    """Return ``out``, which then holds the result."""
    if result.dtype != np.float64:
        raise ModelError(f"{what}: results that are no floats cannot be written into out")
    if not isinstance(out, np.ndarray) or out.dtype != np.float64 or out.shape != result.shape:
        shown = (out.dtype, out.shape) if isinstance(out, np.ndarray) else type(out).__name__
        raise ShapeError(f"{what}: out must be a float64 array {result.shape}, got {shown}")
    out[...] = result
    return out
