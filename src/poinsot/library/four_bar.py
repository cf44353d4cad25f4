"""The planar four-bar linkage, modelled in space: the smallest closed loop."""

from collections.abc import Sequence
from math import acos

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.rod import rod
from poinsot.model import Loop, Pose, Revolute
from poinsot.spatial import Array

__all__ = ["four_bar", "four_bar_configuration"]

LENGTHS = (0.3, 0.8, 0.6)
GROUND = 0.7


def four_bar(
    *,
    lengths: Sequence[float] = LENGTHS,
    ground: float = GROUND,
    masses: Sequence[float] = (1.0, 2.0, 1.5),
    g: float = 9.81,
) -> System:
    """Return crank, coupler and rocker in series from (0, 0), the rocker pinned at (ground, 0).

    q = [angle of the crank from x, of the coupler from the crank, of the rocker from the coupler]
    [rad], all about z; gravity acts along -y.  Each link is a thin rod along its x, from its inner
    pin.  The pin that closes the loop is the loop "pin", a revolute joint in space: of its five
    rows two are independent, and the forces along z and moments across it are not determined.

    Args:
        lengths: Of crank, coupler and rocker [m].
        ground: Distance of the fixed pins [m].
        masses: Of crank, coupler and rocker [kg].
        g: Acceleration of free fall [m/s²].

    >>> linkage = four_bar()
    >>> linkage.mobility(four_bar_configuration(0.8)).degrees
    1
    """
    crank, coupler, rocker = lengths
    bodies = [
        rod("crank", length=crank, mass=masses[0]),
        rod("coupler", "crank", Pose((crank, 0.0, 0.0)), length=coupler, mass=masses[1]),
        rod("rocker", "coupler", Pose((coupler, 0.0, 0.0)), length=rocker, mass=masses[2]),
    ]
    pin = Loop(
        "pin",
        ("world", Pose((ground, 0.0, 0.0))),
        ("rocker", Pose((rocker, 0.0, 0.0))),
        Revolute("z"),
    )
    return System("four-bar linkage", bodies, gravity=(0.0, -g, 0.0), loops=[pin])


def four_bar_configuration(
    crank: float,
    *,
    lengths: Sequence[float] = LENGTHS,
    ground: float = GROUND,
    branch: int = 1,
) -> Array:
    """Return the q in which the loop is closed, shape (3,).

    With B the end of the crank, the angle of the coupler is that of the line from B to the fixed
    pin of the rocker, plus or minus the angle of the triangle at B (cosine theorem).

    Args:
        crank: Angle of the crank from x [rad].
        lengths: Of crank, coupler and rocker [m].
        ground: Distance of the fixed pins [m].
        branch: 1, coupler to the left of the line from B to the fixed pin, or -1, to the right.

    Raises:
        ModelError: If the linkage cannot be assembled at this angle.

    >>> four_bar_configuration(0.8).round(4)
    array([ 0.8   , -0.3651, -2.4073])
    """
    if branch not in (1, -1):
        raise ModelError(f"four-bar: branch must be 1 or -1, got {branch!r}")
    end = lengths[0] * np.array([np.cos(crank), np.sin(crank)])
    across = np.array([ground, 0.0]) - end
    distance = float(np.hypot(*across))
    where = f"four-bar at crank angle {crank:g}"
    at_end = _corner(lengths[1], distance, lengths[2], where)
    at_pin = _corner(lengths[1], lengths[2], distance, where)
    coupler = float(np.arctan2(across[1], across[0])) + branch * at_end
    return np.array([crank, coupler - crank, -branch * (np.pi - at_pin)])


def _corner(a: float, b: float, c: float, where: str) -> float:
    """Return the angle between the sides a and b of a triangle, opposite to c [rad]."""
    cosine = (a * a + b * b - c * c) / (2.0 * a * b) if a * b > 0.0 else np.inf
    if not abs(cosine) <= 1.0:
        raise ModelError(
            f"{where}: lengths {a:g}, {b:g} and {c:g} m make no triangle, so it cannot be "
            "assembled; choose another angle or other lengths"
        )
    return acos(cosine)
