"""A leg that lands: a body on a mast, a thigh and a shin with springs in hip and knee."""

import numpy as np

from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.model import Body, PointOnSurface, Pose, Prismatic, Revolute
from poinsot.spatial import Array

__all__ = ["landing_leg", "landing_leg_contacts", "landing_leg_state"]

THIGH = SHIN = 0.25
"""Lengths [m]."""


def landing_leg(*, stiffness: float = 60.0, damping: float = 0.6) -> System:
    """Return a leg in the x-z plane whose body slides along z, the ground being z = 0.

    q are the height of the hip, the angle of the thigh to the vertical, and that of the knee; the
    springs hold the knee at 1 rad and the hip at -0.5 rad.

    Args:
        stiffness: Of the springs in hip and knee [N m/rad].
        damping: Of hip and knee [N m s/rad].
    """
    hip, knee = (
        Revolute("y", stiffness=stiffness, damping=damping, rest=rest) for rest in (-0.5, 1.0)
    )
    bodies = [
        Body("body", joint=Prismatic("z"), mass=3.0, inertia=(0.02, 0.02, 0.02)),
        Body(
            "thigh", "body", hip, mass=0.6, com=(0, 0, -THIGH / 2),
            inertia=(0.0032, 0.0032, 2e-4),
        ),
        Body(
            "shin", "thigh", knee, Pose((0, 0, -THIGH)), mass=0.3, com=(0, 0, -SHIN / 2),
            inertia=(0.0016, 0.0016, 1e-4),
        ),
    ]  # fmt: skip
    return System("landing leg", bodies)


def landing_leg_contacts(restitution: float = 0.3, *, friction: float = 0.6) -> list[Contact]:
    """Return the contact of the foot with the ground."""
    foot = PointOnSurface("foot", ("shin", (0, 0, -SHIN)), "z")
    return [
        Contact(foot, restitution, friction=friction, law="stronge" if friction else "unilateral")
    ]


def landing_leg_state(drop: float = 0.1) -> tuple[Array, Array]:
    """Return q and v at rest, the foot ``drop`` [m] above the ground."""
    height = THIGH * np.cos(0.5) + SHIN * np.cos(0.5) + drop
    return np.array([height, -0.5, 1.0]), np.zeros(3)
