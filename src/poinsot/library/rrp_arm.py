"""Liu's RRP arm, the example of the screw-matrix method."""

from collections.abc import Sequence
from math import pi

import numpy as np

from poinsot.front.system import System
from poinsot.model import Body, Pose
from poinsot.model.dh_tables import low_pair_bodies
from poinsot.spatial import Inertia

__all__ = ["rrp_arm"]


def rrp_arm(
    *,
    b1: float = 0.9,
    b2: float = 0.25,
    b4: float = 0.35,
    rho: Sequence[float] = (0.3, 0.12, 0.28),
    m: Sequence[float] = (4.0, 2.5, 1.5),
    J: Sequence[Sequence[float]] = ((0.6, 0.6, 0.2), (0.15, 0.13, 0.1), (0.25, 0.26, 0.03)),
    g: float = 9.81,
    D: Sequence[float] = (0.2, 0.3, 0.4),
    K: Sequence[float] = (1.0, 2.0, 30.0),
) -> System:
    """Return the column, shoulder and sliding arm of [Liu1988, section 7, eq. (43)-(46)].

    q = [θ1, π/2 - θ2, z3]: the turn of the column about the vertical z [rad], the depression θ2 of
    the arm below the horizontal [rad], and how far it is out [m].  The springs act on θ1, θ2, z3.
    The massless body "tip" sits b4 beyond the origin of the arm.  The paper gives no numbers; those
    here are plausible.

    Args:
        b1: Height of the shoulder [m].
        b2: Offset of the arm along the shoulder's axis [m].
        b4: From the arm's origin to its tip [m].
        rho: Mass centres, at (0, 0, -rho) in each body [m].
        m: Masses [kg].
        J: Principal moments of each body about the origin of its frame [kg·m²].
        g: Acceleration of free fall [m/s²].
        D: Damping of the joints [N·m·s/rad, N·s/m].
        K: Stiffness of the joints [N·m/rad, N/m].

    >>> arm = rrp_arm()
    >>> arm.body_names, arm.nv
    (('column', 'shoulder', 'arm', 'tip'), 3)
    """
    coms = [(0.0, 0.0, -distance) for distance in rho]
    bodies = low_pair_bodies(
        [(0.0, b1, 0.0, 0), (0.0, b2, pi / 2, 0), (0.0, 0.0, pi / 2, 1)],
        names=("column", "shoulder", "arm"),
        masses=m,
        coms=coms,
        inertias=[_about_com(*body) for body in zip(m, coms, J, strict=True)],
        damping=D,
        stiffness=K,
        rest=(0.0, pi / 2, 0.0),
    )
    tip = Body("tip", "arm", pose=Pose((0.0, 0.0, b4)))
    return System("RRP arm", [*bodies, tip], gravity=(0.0, 0.0, -g))


def _about_com(
    mass: float, com: tuple[float, float, float], moments: Sequence[float]
) -> list[list[float]]:
    """Return the inertia about the mass centre of a body whose moments about its origin are given.

    Liu's J are the latter.
    """
    point = Inertia.from_com(mass, com, np.zeros((3, 3)))
    about_com: list[list[float]] = (np.diag(moments) - point.I).tolist()
    return about_com
