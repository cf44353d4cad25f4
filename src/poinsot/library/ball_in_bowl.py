"""The ball that rolls in a hollow sphere."""

import numpy as np

from poinsot.front.system import System
from poinsot.model import Body, Free, RollingBall, Sphere
from poinsot.spatial import Array

__all__ = ["ball_in_bowl", "ball_in_bowl_state"]


def ball_in_bowl(
    *, mass: float = 0.5, radius: float = 0.05, bowl: float = 0.5, inertia: float | None = None
) -> System:
    """Return a ball that rolls without slip in a bowl about the origin.

    q = [x, y, z of its centre [m], quaternion].  Small oscillations have the frequency
    ω² = g / ((1 + I / (m r²)) (R - r)).

    Args:
        mass: m [kg].
        radius: r [m].
        bowl: R, radius of the bowl [m].
        inertia: I, about the centre [kg m²]; that of a solid ball by default.

    >>> system = ball_in_bowl()
    >>> q, v = ball_in_bowl_state(system, angle=0.3)
    >>> system.mobility(q).degrees, system.mobility(q).configurations
    (3, 5)
    """
    moment = 0.4 * mass * radius**2 if inertia is None else inertia
    ball = Body("ball", joint=Free(), mass=mass, inertia=[moment] * 3, shapes=[Sphere(radius)])
    surface = f"{(bowl - radius) ** 2!r} - x**2 - y**2 - z**2"
    contact = RollingBall("bowl", "ball", radius=radius, surface=surface)
    return System("ball in a bowl", [ball], constraints=[contact])


def ball_in_bowl_state(system: System, angle: float = 0.3) -> tuple[Array, Array]:
    """Return q and v of a ball at rest.

    Args:
        system: The ball in its bowl.
        angle: Of its centre from the lowest place [rad], towards x.
    """
    q = system.neutral()
    q[:3] = np.sin(angle), 0.0, -np.cos(angle)
    return system.assemble(q), np.zeros(system.nv)
