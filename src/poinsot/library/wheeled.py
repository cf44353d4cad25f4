"""What wheeled models are made of: bodies that place an upright frame, wheels, rolling states."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from poinsot.front.system import System
from poinsot.model import Body, Cylinder, Pose, Revolute, RollingDisc, Translation
from poinsot.spatial import Array

__all__ = ["placed", "rolling_straight", "wheel"]


def placed(*, leans: bool) -> list[Body]:
    """Return bodies without mass that move a frame: place x, y, z, heading about z, lean about x.

    Args:
        leans: Whether it leans.
    """
    bodies = [Body("place", joint=Translation()), Body("heading", "place", Revolute("z"))]
    return [*bodies, Body("lean", "heading", Revolute("x"))] if leans else bodies


def wheel(
    name: str, parent: str, center: ArrayLike, *, mass: float, radius: float,
    inertia: tuple[float, float],
) -> Body:  # fmt: skip
    """Return a wheel that turns about y.

    Args:
        name: Name of the body.
        parent: Name of the body that carries it.
        center: Its centre on the parent [m], shape (3,).
        mass: Mass [kg].
        radius: Radius [m].
        inertia: About its axis, and about a diameter [kg m²].
    """
    tyre = Cylinder(radius, radius / 5.0, pose=Pose(axis="x", angle=np.pi / 2.0))
    moments = (inertia[1], inertia[0], inertia[1])
    return Body(
        name, parent, Revolute("y"), Pose(center), mass=mass, inertia=moments, shapes=[tyre]
    )


def rolling_straight(
    system: System, speed: float, velocities: Mapping[str, float] = {},
) -> tuple[Array, Array]:  # fmt: skip
    """Return q and v of a vehicle that runs along x, its joints at zero and its wheels rolling.

    Args:
        system: A vehicle that ``placed`` bodies carry, on rolling discs.
        speed: Forward speed [m/s].
        velocities: Further velocities by joint [rad/s].
    """
    q, v = np.zeros(system.nq), np.zeros(system.nv)
    discs = [x for x in system.constraints if isinstance(x, RollingDisc)]
    q[2] = -float(
        system.constraint_residual(q)[system.row_names.index(f"{discs[0].name}: contact")]
    )
    v[0] = speed
    for disc in discs:
        v[system.v_slice(disc.center[0])] = speed / float(disc.radius)
    for joint, value in velocities.items():
        v[system.v_slice(joint)] = value
    return q, system.consistent_velocity(q, v, joints=list(velocities)) if velocities else v
