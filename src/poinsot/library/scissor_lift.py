"""The scissor lift: crossed bars in stages, driven at one foot."""

from math import asin, cos, pi

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.drawable_system import shown_at
from poinsot.front.system import System
from poinsot.library.planar import link, pin
from poinsot.model import WORLD, Body, Loop, Pose, Prismatic, Revolute
from poinsot.spatial import Array

__all__ = ["scissor_lift", "scissor_lift_configuration"]

LENGTH = 1.0


def scissor_lift(
    stages: int = 3,
    *,
    length: float = LENGTH,
    density: float = 4.0,
    platform: float = 20.0,
    foot: float = 1.0,
    g: float = 9.81,
) -> System:
    """Return a lift of crossed bars in the x-y plane, under gravity along -y.

    Stage i has the bars "up i", from the left below to the right above, and "down i", pinned to
    each other in the middle.  The left foot is pinned at (0, 0), the right one slides along x: the
    body "foot".  The platform is pinned to the last bar on the left; the "roller" below it bears
    the right one.  With the bars at the angle θ,

        height = stages length sin θ,       foot at x = length cos θ,

    and the foot holds the lift with the force -stages (stages m + M) g cot θ along x, where
    m = length density is the mass of a bar and M that of platform and roller.

    q = [foot [m], up 1, down 1, up 2, down 2, ..., platform [rad], roller [m]], angles from the
    parents: stages stand on the stages below, "up" on "down" and "down" on "up".

    Args:
        stages: Number of stages, at least 1.
        length: Length of the bars [m].
        density: Mass per length of the bars [kg/m].
        platform: Mass of the platform, a bar as long as the others [kg].
        foot: Mass of the foot, and of the roller [kg].
        g: Acceleration of free fall [m/s²].

    >>> lift = scissor_lift(2)
    >>> lift.mobility(scissor_lift_configuration(0.9, 2)).degrees
    1
    """
    if stages < 1:
        raise ModelError(f"scissor_lift: stages must be at least 1, got {stages}")
    tip, half = complex(length), complex(length / 2.0)
    slide = Prismatic("x")
    bodies, loops = [Body("foot", WORLD, slide, mass=foot)], []
    below = (WORLD, "foot")
    for i in range(1, stages + 1):
        start = 0j if i == 1 else tip
        bodies.append(link(f"up {i}", below[0], start, tip, density=density))
        bodies.append(link(f"down {i}", below[1], start, tip, density=density))
        loops.append(pin(f"middle {i}", (f"up {i}", half), (f"down {i}", half)))
        below = (f"down {i}", f"up {i}")
    bodies.append(link("platform", below[0], tip, tip, density=platform / length))
    bodies.append(Body("roller", "platform", slide, mass=foot))
    end = ("roller", Pose()), (below[1], Pose((length, 0.0, 0.0)))
    loops.append(Loop("top", *end, Revolute("z")))
    name = f"scissor lift of {stages} stages"
    system = System(name, bodies, gravity=(0.0, -g, 0.0), loops=loops)
    raised = 0.6 * stages * length
    return shown_at(system, lambda: scissor_lift_configuration(raised, stages, length=length))


def scissor_lift_configuration(height: float, stages: int = 3, *, length: float = LENGTH) -> Array:
    """Return the q in which the platform is at a height, shape (2 stages + 3,).

    Args:
        height: Of the platform above the feet [m], positive and below stages length.
        stages: Number of stages.
        length: Length of the bars [m].

    Raises:
        ModelError: If the lift does not reach so high.

    >>> q = scissor_lift_configuration(1.5)
    >>> bool(abs(scissor_lift().constraint_residual(q)).max() < 1e-14)
    True
    """
    rise = height / (stages * length)
    if not 0.0 < rise < 1.0:
        raise ModelError(
            f"scissor lift: a height of {height:g} m is out of reach; it must be between 0 and "
            f"{stages * length:g} m"
        )
    angle = asin(rise)
    foot = length * cos(angle)
    bars = [angle, pi - angle] + [2.0 * angle - pi, pi - 2.0 * angle] * (stages - 1)
    return np.array([foot, *bars, angle - pi, foot])
