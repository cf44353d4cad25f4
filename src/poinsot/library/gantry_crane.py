"""A crane on rails: a bridge, a trolley, and a load on a rope that is hoisted."""

from poinsot.front.system import System
from poinsot.model import WORLD, Body, Pose, Prismatic, Universal

__all__ = ["gantry_crane"]


def gantry_crane(
    *, bridge: float = 4000.0, trolley: float = 800.0, load: float = 2000.0, height: float = 10.0,
    rope: float = 5.0, g: float = 9.81,
) -> System:  # fmt: skip
    """Return a crane: a bridge that runs along x, a trolley on it along y, a load on a rope.

    q = [bridge, trolley [m], swing about x, swing about y [rad], how far the rope is paid out
    beyond its length [m]].  The rope has no mass and always pulls.

    Args:
        bridge: Mass of the bridge [kg].
        trolley: Mass of the trolley [kg].
        load: Mass of the load [kg], a point.
        height: Of the trolley above the ground [m].
        rope: Length of the rope at q = 0 [m].
        g: Acceleration of free fall [m/s²].

    >>> gantry_crane().pose("load", [1.0, 2.0, 0.0, 0.0, 0.5])[:3, 3].round(12)
    array([1. , 2. , 4.5])
    """
    bodies = [
        Body("bridge", WORLD, Prismatic("x"), Pose((0, 0, height)), bridge),
        Body("trolley", "bridge", Prismatic("y"), mass=trolley),
        Body("rope", "trolley", Universal("x", "y")),
        Body("load", "rope", Prismatic((0, 0, -1)), Pose((0, 0, -rope)), load),
    ]
    return System("gantry crane", bodies, gravity=(0.0, 0.0, -g))
