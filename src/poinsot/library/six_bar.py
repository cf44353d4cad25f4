"""A four-bar with two more links: what Watt's and Stephenson's six-bars have in common."""

from collections.abc import Sequence

import numpy as np

from poinsot.front.system import System
from poinsot.library.planar import direction, link, meeting, pin, turns
from poinsot.model import WORLD
from poinsot.spatial import Array

__all__ = ["closed_six_bar", "six_bar"]


def six_bar(
    name: str,
    carrier: str,
    *,
    lengths: Sequence[float],
    point: complex,
    ground: complex,
    pivot: complex,
    density: float,
    g: float,
) -> System:
    """Return crank, coupler and rocker, and a link from a point of one of them to an output lever.

    Args:
        name: Name of the system.
        carrier: "rocker" or "coupler", the body with three pins.
        lengths: Of crank, coupler, rocker, link and output [m].
        point: The carrier's third pin in its frame [m].
        ground: Fixed pin of the rocker [m]; that of the crank is the origin.
        pivot: Fixed pin of the output [m].
        density: Mass per length of the rods [kg/m].
        g: Acceleration of free fall, along -y [m/s²].
    """
    crank, coupler, rocker, rod, output = (complex(length) for length in lengths)
    corners = {"coupler": [coupler], "rocker": [rocker]}
    corners[carrier].append(point)
    bodies = [
        link("crank", WORLD, 0j, crank, density=density),
        link("coupler", "crank", crank, *corners["coupler"], density=density),
        link("rocker", WORLD, ground, *corners["rocker"], density=density),
        link("link", carrier, point, rod, density=density),
        link("output", WORLD, pivot, output, density=density),
    ]
    loops = [
        pin("coupler pin", ("coupler", coupler), ("rocker", rocker)),
        pin("output pin", ("link", rod), ("output", output)),
    ]
    return System(name, bodies, gravity=(0.0, -g, 0.0), loops=loops)


def closed_six_bar(
    name: str,
    carrier: str,
    crank: float,
    *,
    lengths: Sequence[float],
    point: complex,
    ground: complex,
    pivot: complex,
    branches: Sequence[int],
) -> Array:
    """Return q = [crank, coupler, rocker, link, output] of a closed position [rad], shape (5,).

    Args:
        name: What the message of an error begins with.
        carrier: As of ``six_bar``.
        crank: Angle of the crank from x [rad].
        lengths: As of ``six_bar``.
        point: As of ``six_bar``.
        ground: As of ``six_bar``.
        pivot: As of ``six_bar``.
        branches: For the coupler's pin and for the output's: 1, to the left of the way to the fixed
            pin, or -1, to the right.

    Raises:
        ModelError: If it cannot be assembled.
    """
    where = f"{name} at crank angle {crank:g}"
    A = lengths[0] * complex(np.exp(1j * crank))
    B = meeting(A, lengths[1], ground, lengths[2], branches[0], where)
    angles = {"coupler": direction(A, B), "rocker": direction(ground, B)}
    origin = {"coupler": A, "rocker": ground}[carrier]
    C = origin + point * complex(np.exp(1j * angles[carrier]))
    D = meeting(C, lengths[3], pivot, lengths[4], branches[1], where)
    link_angle = turns(direction(C, D), angles[carrier])
    return np.array(
        [crank, turns(angles["coupler"], crank), angles["rocker"], link_angle, direction(pivot, D)]
    )
