"""The sled of Chaplygin: a body on the ice, on two smooth feet and one blade."""

import numpy as np

from poinsot.front.system import System
from poinsot.model import Body, Box, KnifeEdge, Planar
from poinsot.spatial import Array

__all__ = ["chaplygin_sleigh", "chaplygin_sleigh_state"]


def chaplygin_sleigh(*, mass: float = 2.0, offset: float = 0.4, inertia: float = 0.1) -> System:
    """Return a sled whose blade does not slide sideways.

    q = [x, y of the blade [m], heading [rad]].  The speed u along the blade and the turning rate ω
    obey u' = a ω², (I + m a²) ω' = -m a u ω: whatever it does first, it ends going straight on,
    blade behind [Bloch2003, section 1.7].

    Args:
        mass: m [kg].
        offset: a, distance of the mass centre in front of the blade [m].
        inertia: I, about the mass centre [kg m²].

    >>> sleigh = chaplygin_sleigh()
    >>> q, v = chaplygin_sleigh_state(sleigh)
    >>> sleigh.mobility(q).degrees, sleigh.mobility(q).configurations
    (2, 3)
    """
    sled = Body("sled", joint=Planar(), mass=mass, com=(offset, 0, 0), inertia=[inertia] * 3,
                shapes=[Box((2 * offset, offset, offset / 10))])  # fmt: skip
    return System("Chaplygin sleigh", [sled], constraints=[KnifeEdge("blade", "sled")])


def chaplygin_sleigh_state(
    system: System, speed: float = 1.0, turn: float = 0.5
) -> tuple[Array, Array]:
    """Return q and v of a sled at the origin, heading along x.

    Args:
        system: The sled.
        speed: Along the blade [m/s].
        turn: Rate of the heading [rad/s].
    """
    return np.zeros(system.nq), np.array([speed, 0.0, turn])
