"""Coordinates of drivers as messages and summaries show them."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.model.planar.linkage import DRIVER_KINDS, PlanarLinkage

DIGITS: Final = 10
"""Decimals of degrees and metres: less is rounding, and shown as 0."""


def shown_coordinate(linkage: PlanarLinkage, index: int, x: float) -> str:
    """Return the coordinate of a driver by its number, "A = 30°" or "D = 0.1 m"."""
    driver = linkage.drivers[index]
    is_angle = DRIVER_KINDS[linkage.by_name[driver].kind] == "angle"
    value = round(float(np.degrees(x)) if is_angle else x, DIGITS) + 0.0  # no -0
    return f"{driver} = {value:.6g}{'°' if is_angle else ' m'}"


def shown_coordinates(linkage: PlanarLinkage, q: Sequence[float]) -> str:
    """Return the coordinates of all drivers, "A = 30°, D = 0.1 m"."""
    return ", ".join(shown_coordinate(linkage, k, x) for k, x in enumerate(q))
