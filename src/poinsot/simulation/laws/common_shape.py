"""The shape of many runs: what leading dimensions of numbers, states and starts broadcast to."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poinsot.errors import ShapeError


def common_shape(shapes: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the shape that leading dimensions broadcast to.

    Args:
        shapes: Leading dimensions by the name of what has them.
    """
    if not any(shapes.values()):
        return ()
    try:
        return np.broadcast_shapes(*shapes.values())
    except ValueError:
        given = ", ".join(f"{name} {shape}" for name, shape in shapes.items() if shape)
        raise ShapeError(
            f"simulate: leading dimensions do not broadcast to one another: {given}"
        ) from None
