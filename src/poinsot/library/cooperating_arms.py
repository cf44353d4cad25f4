"""Two arms that carry one load."""

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.front.system import System
from poinsot.library.planar import pin
from poinsot.library.rod import rod
from poinsot.model import Body, Fixed, Pose
from poinsot.spatial import Array

__all__ = ["cooperating_arms", "cooperating_arms_configuration"]

APART, LENGTHS, WIDTH = 1.2, (0.6, 0.5), 0.4


def cooperating_arms(
    *, apart: float = APART, lengths: tuple[float, float] = LENGTHS, width: float = WIDTH,
    load: float = 5.0, g: float = 9.81,
) -> System:  # fmt: skip
    """Return two planar arms of two links and a hand each, in the x-y plane, with a load.

    The load is a rod between the hands: it is fixed to the hand of the first arm, "hand 1", and
    pinned to the forearm of the second by the loop "grip", at its other end.  q = [shoulder, elbow
    and wrist of arm 1, shoulder and elbow of arm 2 [rad]].  Three degrees of freedom, five
    actuators: the arms can strain the load without moving it.

    Args:
        apart: Distance of the shoulders along x [m].
        lengths: Of upper arms and forearms [m].
        width: Length of the load [m].
        load: Mass of the load [kg].
        g: Acceleration of free fall, along -y [m/s²].

    >>> arms = cooperating_arms()
    >>> arms.mobility(cooperating_arms_configuration(0.4, 0.6, 0.1)).degrees
    3
    """
    a, b = lengths
    bodies = []
    for k, x in ((1, 0.0), (2, apart)):
        bodies.append(rod(f"upper arm {k}", pose=Pose((x, 0, 0)), length=a, mass=3.0))
        bodies.append(rod(f"forearm {k}", f"upper arm {k}", Pose((a, 0, 0)), length=b, mass=2.0))
        if k == 1:
            bodies.append(rod("hand 1", "forearm 1", Pose((b, 0, 0)), length=0.1, mass=0.5))
            moment = load * width**2 / 12.0
            bodies.append(
                Body("load", "hand 1", Fixed(), mass=load, com=(width / 2, 0, 0),
                     inertia=(0.0, moment, moment))
            )  # fmt: skip
    grip = pin("grip", ("forearm 2", complex(b)), ("load", complex(width)))
    return System("cooperating arms", bodies, gravity=(0.0, -g, 0.0), loops=[grip])


def cooperating_arms_configuration(
    x: float, y: float, angle: float, *, apart: float = APART,
    lengths: tuple[float, float] = LENGTHS, width: float = WIDTH,
) -> Array:  # fmt: skip
    """Return the configuration with the load's first end at (x, y), elbows outwards.

    Args:
        x: Of the load's first end [m].
        y: Likewise.
        angle: Of the load from the x axis [rad].
        apart: As of ``cooperating_arms``, likewise the next.
        lengths: Of upper arms and forearms [m].
        width: Length of the load [m].

    Raises:
        AssemblyError: If an arm cannot reach its end of the load.
    """
    first = complex(x, y)
    second = first + width * np.exp(1j * angle) - apart
    shoulder, elbow = _two_links(first, lengths, -1.0)
    other, bent = _two_links(second, lengths, 1.0)
    return np.array([shoulder, elbow, angle - shoulder - elbow, other, bent])


def _two_links(goal: complex, lengths: tuple[float, float], side: float) -> tuple[float, float]:
    """Return the angles of two links whose end is at a point."""
    a, b = lengths
    cosine = (abs(goal) ** 2 - a * a - b * b) / (2.0 * a * b)
    if not -1.0 <= cosine <= 1.0:
        raise AssemblyError(
            f"cooperating arms: {abs(goal):.4g} m from the shoulder is out of reach; arms reach "
            f"from {abs(a - b):.4g} m to {a + b:.4g} m"
        )
    elbow = side * np.arccos(cosine)
    return float(np.angle(goal / (a + b * np.exp(1j * elbow)))), float(elbow)
