"""The coin: a thin disc that rolls on a plane."""

from poinsot.front.system import System
from poinsot.library.wheeled import placed, rolling_straight, wheel
from poinsot.model import RollingDisc
from poinsot.spatial import Array

__all__ = ["rolling_disc", "rolling_disc_state"]


def rolling_disc(
    *, mass: float = 1.0, radius: float = 0.3, axial: float = 0.045, diametral: float = 0.0225,
    edge: float = 0.0, g: float = 9.81,
) -> System:  # fmt: skip
    """Return a disc that rolls without slip, uniform and thin by default.

    q = [x, y, z of its centre [m], heading, lean, spin [rad]].  With Ω the rate of the heading, φ
    the lean and n the whole angular velocity about the axis, it moves steadily in circles where

        A Ω² sin φ cos φ - (C + m r²) n Ω cos φ - m g r sin φ = 0,

    and runs straight in a stable way where n² > A m g r / (C (C + m r²)).

    Args:
        mass: m [kg].
        radius: r [m].
        axial: C, moment of inertia about the axis [kg m²].
        diametral: A, that about a diameter [kg m²].
        edge: Radius of the rounding of the edge [m].
        g: Acceleration of free fall [m/s²].

    >>> coin = rolling_disc()
    >>> q, v = rolling_disc_state(coin, speed=2.0)
    >>> coin.mobility(q).degrees, coin.mobility(q).configurations
    (3, 5)
    """
    disc = wheel("spin", "lean", (0, 0, 0), mass=mass, radius=radius, inertia=(axial, diametral))
    edges = [RollingDisc("edge", "spin", radius=radius, edge=edge)]
    bodies = [*placed(leans=True), disc]
    return System("rolling disc", bodies, gravity=(0.0, 0.0, -g), constraints=edges)


def rolling_disc_state(
    system: System, speed: float = 2.0, lean_rate: float = 0.0
) -> tuple[Array, Array]:
    """Return q and v of a disc that runs upright along x.

    Args:
        system: The disc.
        speed: Forward speed [m/s].
        lean_rate: Angular velocity about x [rad/s].
    """
    return rolling_straight(system, speed, {"lean": lean_rate})
