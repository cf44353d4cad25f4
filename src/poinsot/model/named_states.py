"""Configurations and velocities by the names of joints and their coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.model.name_suggestion import suggestion
from poinsot.spatial import Array

__all__ = ["state_from_names"]


def state_from_names(
    start: Array, names: Sequence[str], joints: Mapping[str, slice], given: Mapping[str, ArrayLike]
) -> Array:
    """Return a vector with some of its entries replaced.

    Args:
        start: The vector, shape (n,).
        names: A name for each entry: ``"elbow"``, ``"base.x"``.
        joints: The slice of each joint.
        given: Numbers by name of an entry, and vectors by name of a joint with several.

    Raises:
        ModelError: If there is no such name.
        ShapeError: If a joint has another number of entries.
    """
    result = start.copy()
    for name, value in given.items():
        if name in names:
            place = slice(names.index(name), names.index(name) + 1)
        elif name in joints:
            place = joints[name]
        else:
            raise ModelError(f"there is no coordinate {name!r}; {suggestion(name, names)}")
        entries = np.asarray(value, np.float64).reshape(-1)
        if entries.size != place.stop - place.start:
            raise ShapeError(
                f"{name!r} has {place.stop - place.start} entries, "
                f"{', '.join(names[place])}; got {entries.size}"
            )
        result[place] = entries
    return result
