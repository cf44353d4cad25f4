"""The rattleback: an ellipsoid that turns willingly in one sense only."""

import numpy as np

from poinsot.front.system import System
from poinsot.model import Body, Box, Free, RollingEllipsoid
from poinsot.spatial import Array

__all__ = ["rattleback", "rattleback_state"]


def rattleback(
    *, mass: float = 1.0, semi_axes: tuple[float, float, float] = (0.2, 0.03, 0.02),
    drop: float = 0.01, inertia: tuple[float, float, float] = (2e-4, 1.6e-3, 1.7e-3),
    product: float = -2e-5,
) -> System:  # fmt: skip
    """Return a stone [KaneLevinson1982] that rolls on a plane.

    q = [x, y, z of its mass centre [m], quaternion].  Its principal axes are turned against those
    of the ellipsoid: rocking and spinning exchange energy, and a spin in one sense dies and turns
    round.

    Args:
        mass: Mass [kg].
        semi_axes: Of the ellipsoid, along x, y, z of the stone [m].
        drop: Of the mass centre below the centre of the ellipsoid [m].
        inertia: Moments about the mass centre along x, y, z [kg m²].
        product: Entry xy of the inertia [kg m²].

    >>> stone = rattleback()
    >>> q, v = rattleback_state(stone)
    >>> stone.mobility(q).degrees, stone.mobility(q).configurations
    (3, 5)
    """
    moments = (*inertia, product, 0.0, 0.0)
    hull = Box((2 * semi_axes[0], 2 * semi_axes[1], semi_axes[2]))
    stone = Body("stone", joint=Free(), mass=mass, inertia=moments, shapes=[hull])
    contact = RollingEllipsoid("hull", ("stone", (0.0, 0.0, drop)), semi_axes=semi_axes)
    return System("rattleback", [stone], constraints=[contact])


def rattleback_state(system: System, spin: float = 5.0, rock: float = 0.5) -> tuple[Array, Array]:
    """Return q and v of a stone at rest on its lowest point, but for an angular velocity.

    Args:
        system: The stone.
        spin: Angular velocity about the vertical [rad/s].
        rock: Angular velocity about the short axis of the hull [rad/s].
    """
    q, v = system.neutral(), np.zeros(system.nv)
    q[2] = -float(system.constraint_residual(q)[0])
    v[4], v[5] = rock, spin
    height = q[2]
    v[0] = rock * height  # it rolls: v = w × (from the contact to the mass centre)
    return q, v
