"""Watt's six-bar: two four-bars in series, the rocker of one driving the other."""

from collections.abc import Sequence

from poinsot.front.system import System
from poinsot.library.six_bar import closed_six_bar, six_bar
from poinsot.spatial import Array

__all__ = ["watt", "watt_configuration"]

LENGTHS = (0.10, 0.30, 0.25, 0.40, 0.22)
POINT = (0.15, -0.12)
GROUND = (0.30, 0.0)
PIVOT = (0.75, 0.05)


def watt(
    *,
    lengths: Sequence[float] = LENGTHS,
    point: Sequence[float] = POINT,
    ground: Sequence[float] = GROUND,
    pivot: Sequence[float] = PIVOT,
    density: float = 1.0,
    g: float = 9.81,
) -> System:
    """Return Watt's six-bar (type II): the rocker and the ground have three pins each.

    A four-bar from (0, 0); a link from a third pin of its rocker to an output lever.  q = [crank,
    coupler from the crank, rocker, link from the rocker, output] [rad], about z; gravity acts along
    -y.  The loops are "coupler pin" and "output pin".

    Args:
        lengths: Of crank, coupler, rocker, link and output [m].
        point: Third pin of the rocker in its frame, x from the fixed to the coupler's pin [m].
        ground: Fixed pin of the rocker [m].
        pivot: Fixed pin of the output [m].
        density: Mass per length of the rods [kg/m].
        g: Acceleration of free fall [m/s²].

    >>> watt().mobility(watt_configuration(0.5)).degrees
    1
    """
    return six_bar(
        "Watt's six-bar", "rocker", lengths=lengths, point=complex(*point),
        ground=complex(*ground), pivot=complex(*pivot), density=density, g=g,
    )  # fmt: skip


def watt_configuration(
    crank: float,
    *,
    lengths: Sequence[float] = LENGTHS,
    point: Sequence[float] = POINT,
    ground: Sequence[float] = GROUND,
    pivot: Sequence[float] = PIVOT,
    branches: Sequence[int] = (1, 1),
) -> Array:
    """Return the q in which both loops are closed, shape (5,).

    Args:
        crank: Angle of the crank from x [rad].
        lengths: Of crank, coupler, rocker, link and output [m].
        point: Third pin of the rocker in its frame [m].
        ground: Fixed pin of the rocker [m].
        pivot: Fixed pin of the output [m].
        branches: Of coupler and link: 1, pin to the left of the way to the fixed one, or -1.

    Raises:
        ModelError: If it cannot be assembled at this angle.

    >>> bool(abs(watt().constraint_residual(watt_configuration(0.5))).max() < 1e-14)
    True
    """
    return closed_six_bar(
        "Watt's six-bar", "rocker", crank, lengths=lengths, point=complex(*point),
        ground=complex(*ground), pivot=complex(*pivot), branches=branches,
    )  # fmt: skip
