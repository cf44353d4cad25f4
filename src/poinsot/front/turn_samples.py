"""Where a turn of a driver can begin, and samples that keep clear of its branch points."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.front.planar_branches import DriverPath, TurnPoint
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.planar.shown_coordinate import shown_coordinate
from poinsot.spatial import Array

CLEAR: Final = 1e-3
"""Samples nearer to a branch point are moved so far away: nothing is determined at it."""

TRIED: Final = 36
"""Positions at which a turn is tried to begin where it cannot begin as it is asked to."""


def check_start(mechanism: PlanarQuantities, path: DriverPath, samples: Array) -> None:
    """Check that the mechanism can be assembled where the turn begins.

    Raises:
        AssemblyError: It cannot; the message tells where it can.
    """
    try:
        mechanism.positions(path.q(samples[:1]), **path.when(samples[:1]))
    except AssemblyError as error:
        for x in samples[:: max(1, len(samples) // TRIED)].tolist():
            try:
                here = np.array([x])
                mechanism.positions(path.q(here), **path.when(here))
            except AssemblyError:
                continue
            shown = shown_coordinate(mechanism.linkage, path.number, x)
            when = f", t={float(path.t(here)[0]):.6g}" if path.is_timed else ""
            raise AssemblyError(f"turn: {error}; at {shown} it can: start={x:.6g}{when}") from None
        if mechanism.linkage.drawn is None:
            raise
        drawn = float(mechanism.drawn[path.number])
        raise AssemblyError(
            f"turn: {error}; it is drawn at start={drawn:.6g}, q=mechanism.drawn"
        ) from None


def beside(x: Array, meetings: list[TurnPoint]) -> Array:
    """Return samples moved away from branch points and limits."""
    for point in meetings:
        near = np.abs(x - point.coordinate) < CLEAR
        x = np.where(near, point.coordinate - np.sign(x[-1] - x[0]) * CLEAR, x)
    return x
