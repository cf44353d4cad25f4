"""Andrews' squeezing mechanism: seven bodies, three loops, a stiff spring; a test of solvers."""

import numpy as np

from poinsot.front import System
from poinsot.library.planar import at, pin
from poinsot.model import WORLD, Body, ConstantForce, Pose, Revolute, Spring
from poinsot.spatial import Array

__all__ = ["andrews_squeezer", "andrews_squeezer_configuration"]

PARAMETERS = {
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035,
    "sa": 0.01874, "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308, "tb": 0.00916,
    "u": 0.04, "ua": 0.01228, "ub": 0.00449, "zf": 0.02, "zt": 0.04, "fa": 0.01421,
}  # fmt: skip
"""Lengths by the names they have in the literature [m]."""

MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
MOMENTS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = -0.06934 - 0.00227j, -0.03635 + 0.03273j, 0.014 + 0.072j
STIFFNESS, RELAXED, TORQUE = 4530.0, 0.07785, 0.033


def andrews_squeezer(*, torque: float = TORQUE) -> System:
    """Return the squeezing mechanism with its published numbers, in the x-y plane [HNW2, VII.7].

    K1 turns about the origin, K3 about B, K5 and K7 about A; K2 is carried by K1, K4 by K5, K6 by
    K7, and the ends of K2, K3, K4 and K6 are pinned together in E: the loops "E3", "E4" and "E6"
    pin K3, K4 and K6 to K2.  A spring pulls K3 to C; no gravity.
    q = [β, θ, γ, φ, δ, Ω, ε] [rad] in the order K1 to K7.

    Args:
        torque: Of the motor on K1 [N m].

    >>> squeezer, q = andrews_squeezer(), andrews_squeezer_configuration()
    >>> squeezer.mobility(q).degrees
    1
    >>> squeezer.forward_dynamics(q, np.zeros(7)).round(1)[:2]
    array([ 14222.4, -10666.8])
    """
    p = PARAMETERS
    end = {
        "K2": complex(-p["d"]), "K3": -1j * p["ss"], "K4": -1j * p["e"], "K6": complex(p["zf"]),
    }  # fmt: skip
    rows: list[tuple[str, complex, complex]] = [
        (WORLD, 0j, complex(p["ra"])),
        ("K1", complex(p["rr"]), complex(-p["da"])),
        (WORLD, B, complex(p["sb"], -p["sa"])),
        ("K5", complex(p["zt"]), -1j * (p["e"] - p["ea"])),
        (WORLD, A, complex(p["ta"], p["tb"])),
        ("K7", -1j * p["u"], complex(p["zf"] - p["fa"])),
        (WORLD, A, complex(p["ub"], -p["ua"])),
    ]
    bodies = [
        Body(
            f"K{i}", parent, Revolute("z"), Pose(at(place)), mass=MASSES[i - 1], com=at(com),
            inertia=(MOMENTS[i - 1] / 2, MOMENTS[i - 1] / 2, MOMENTS[i - 1]),
        )
        for i, (parent, place, com) in enumerate(rows, start=1)
    ]  # fmt: skip
    forces = [
        Spring(
            (WORLD, at(C)), ("K3", (p["sd"], -p["sc"], 0.0)), stiffness=STIFFNESS, length=RELAXED
        ),
        ConstantForce("K1", moment=(0.0, 0.0, torque)),
    ]
    loops = [pin(f"E{i}", ("K2", end["K2"]), (f"K{i}", end[f"K{i}"])) for i in (3, 4, 6)]
    return System("Andrews' squeezer", bodies, gravity=(0.0, 0.0, 0.0), forces=forces, loops=loops)


def andrews_squeezer_configuration() -> Array:
    """Return the published q at the start, closed to rounding, shape (7,).

    >>> andrews_squeezer_configuration()[:3].round(4)
    array([-0.0617,  0.    ,  0.4553])
    """
    return np.array(
        [-0.061713890014276450, 0.0, 0.455279819163070380, 0.222668390165885885,
         0.487364979543842550, -0.222668390165885885, 1.23054744454982119]
    )  # fmt: skip
