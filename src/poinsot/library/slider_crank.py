"""The slider-crank: a turning crank, a rod, and a piston that slides."""

from math import asin, cos, pi, sin

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.library.rod import rod
from poinsot.model import WORLD, Body, Loop, Pose, Prismatic, Revolute
from poinsot.spatial import Array

__all__ = ["slider_crank", "slider_crank_configuration"]

CRANK, ROD = 0.15, 0.4


def slider_crank(
    *,
    crank: float = CRANK,
    rod_length: float = ROD,
    offset: float = 0.0,
    masses: tuple[float, float, float] = (1.0, 0.8, 1.5),
    g: float = 9.81,
) -> System:
    """Return crank and connecting rod, thin rods about z, and a slider along x, all in a plane.

    q = [angle of the crank from x [rad], angle of the rod from the crank [rad], place of the
    slider [m]]; gravity acts along -y.  The pin between the end of the rod and the slider is the
    loop "pin", a revolute joint in space, of whose five rows two are independent.

    Args:
        crank: Length of the crank [m].
        rod_length: Length of the connecting rod [m].
        offset: Height y of the line on which the slider moves [m].
        masses: Of crank, rod and slider [kg].
        g: Acceleration of free fall [m/s²].

    >>> slider_crank().mobility(slider_crank_configuration(0.5)).degrees
    1
    """
    bodies = [
        rod("crank", length=crank, mass=masses[0]),
        rod("rod", "crank", Pose((crank, 0.0, 0.0)), length=rod_length, mass=masses[1]),
        Body("slider", WORLD, Prismatic("x"), Pose((0.0, offset, 0.0)), mass=masses[2]),
    ]
    pin = Loop("pin", ("rod", Pose((rod_length, 0.0, 0.0))), ("slider", Pose()), Revolute("z"))
    return System("slider-crank", bodies, gravity=(0.0, -g, 0.0), loops=[pin])


def slider_crank_configuration(
    angle: float,
    *,
    crank: float = CRANK,
    rod_length: float = ROD,
    offset: float = 0.0,
    branch: int = 1,
) -> Array:
    """Return the q in which the loop is closed, shape (3,).

        x = r cos θ ± sqrt(l² - (h - r sin θ)²)

    for a crank r at the angle θ, a rod l and the height h of the slider.

    Args:
        angle: Angle of the crank from x [rad].
        crank: Length of the crank [m].
        rod_length: Length of the connecting rod [m].
        offset: Height y of the line on which the slider moves [m].
        branch: 1, slider beyond the crank's end in x, or -1, before it.

    Raises:
        ModelError: If the rod does not reach the slider's line at this angle.

    >>> slider_crank_configuration(0.0).round(3)
    array([0.  , 0.  , 0.55])
    """
    if branch not in (1, -1):
        raise ModelError(f"slider-crank: branch must be 1 or -1, got {branch!r}")
    rise = (offset - crank * sin(angle)) / rod_length
    if not abs(rise) <= 1.0:
        raise ModelError(
            f"slider-crank at crank angle {angle:g}: the rod of {rod_length:g} m does not reach "
            f"the slider's line at y = {offset:g} m; choose another angle or a longer rod"
        )
    inclination = asin(rise) if branch == 1 else pi - asin(rise)
    position = crank * cos(angle) + rod_length * cos(inclination)
    return np.array([angle, inclination - angle, position])
