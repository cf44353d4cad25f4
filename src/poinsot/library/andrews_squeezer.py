"""Andrews' squeezing mechanism: seven bodies, three loops, a stiff spring; a test of solvers."""

from collections.abc import Mapping, Sequence

import numpy as np

from poinsot.front.system import System
from poinsot.library.planar import direction, in_space, meeting, pin, turns
from poinsot.model import WORLD, Body, ConstantForce, Pose, Revolute, Spring
from poinsot.spatial import Array

__all__ = ["andrews_squeezer", "andrews_squeezer_configuration"]

LENGTHS = {
    "d": 0.028, "da": 0.0115, "e": 0.02, "ea": 0.01421, "rr": 0.007, "ra": 0.00092, "ss": 0.035,
    "sa": 0.01874, "sb": 0.01043, "sc": 0.018, "sd": 0.02, "ta": 0.02308, "tb": 0.00916,
    "u": 0.04, "ua": 0.01228, "ub": 0.00449, "zf": 0.02, "zt": 0.04, "fa": 0.01421,
}  # fmt: skip
"""Lengths by the names they have in the literature [m]."""

MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.0705, 0.00706, 0.05498)
MOMENTS = (2.194e-6, 4.41e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
A, B, C = (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)
START = -0.0617138900142764496


def andrews_squeezer(
    *,
    lengths: Mapping[str, float] = LENGTHS,
    masses: Sequence[float] = MASSES,
    moments: Sequence[float] = MOMENTS,
    A: Sequence[float] = A,
    B: Sequence[float] = B,
    C: Sequence[float] = C,
    stiffness: float = 4530.0,
    relaxed: float = 0.07785,
    torque: float = 0.033,
) -> System:
    """Return the squeezing mechanism with its published numbers, in the x-y plane [HNW2, VII.7].

    K1 turns about the origin, K3 about B, K5 and K7 about A; K2 is carried by K1, K4 by K5, K6 by
    K7, and the ends of K2, K3, K4 and K6 are pinned together in E: the loops "E3", "E4" and "E6"
    pin K3, K4 and K6 to K2.  A spring pulls K3 to C; no gravity.
    q = [β, θ, γ, φ, δ, Ω, ε] [rad] in the order K1 to K7.

    Args:
        lengths: By their names in the literature [m].
        masses: Of K1 to K7 [kg].
        moments: Moments of inertia of K1 to K7 about their mass centres [kg·m²].
        A: Fixed pin of K5 and K7 [m], shape (2,).
        B: Fixed pin of K3 [m], shape (2,).
        C: Fixed end of the spring [m], shape (2,).
        stiffness: Of the spring [N/m].
        relaxed: Length of the spring without force [m].
        torque: Of the motor on K1 [N m].

    >>> squeezer, q = andrews_squeezer(), andrews_squeezer_configuration()
    >>> squeezer.mobility(q).degrees
    1
    >>> squeezer.forward_dynamics(q, np.zeros(7)).round(1)[:2]
    array([ 14222.4, -10666.8])
    """
    bodies = [
        Body(
            f"K{i}", parent, Revolute("z"), Pose(in_space(origin)), mass=mass, com=in_space(com),
            inertia=(moment / 2.0, moment / 2.0, moment),
        )
        for i, ((parent, origin, com), mass, moment) in enumerate(
            zip(_links(lengths, complex(*A), complex(*B)), masses, moments, strict=True), start=1
        )
    ]  # fmt: skip
    L = lengths
    pull = Spring(
        (WORLD, (*C, 0.0)), ("K3", (L["sd"], -L["sc"], 0.0)), stiffness=stiffness, length=relaxed
    )
    motor = ConstantForce("K1", moment=(0.0, 0.0, torque))
    ends = {3: -1j * L["ss"], 4: -1j * L["e"], 6: complex(L["zf"])}
    loops = [pin(f"E{i}", ("K2", complex(-L["d"])), (f"K{i}", end)) for i, end in ends.items()]
    return System(
        "Andrews' squeezer", bodies, gravity=(0.0, 0.0, 0.0), forces=[pull, motor], loops=loops
    )


def andrews_squeezer_configuration(
    beta: float = START,
    *,
    lengths: Mapping[str, float] = LENGTHS,
    A: Sequence[float] = A,
    B: Sequence[float] = B,
) -> Array:
    """Return the q in which all loops are closed, shape (7,).

    Args:
        beta: Angle of K1 from x [rad]; that of the published start by default.
        lengths: By their names in the literature [m].
        A: Fixed pin of K5 and K7 [m], shape (2,).
        B: Fixed pin of K3 [m], shape (2,).

    Raises:
        ModelError: If it cannot be assembled at this angle.

    >>> andrews_squeezer_configuration()[2:4].round(4)
    array([0.4553, 0.2227])
    """
    where, L = f"Andrews' squeezer at beta = {beta:g}", lengths
    base, pivot = complex(*A), complex(*B)
    F = L["rr"] * complex(np.exp(1j * beta))
    E = meeting(F, L["d"], pivot, L["ss"], 1, where)
    G = meeting(base, L["zt"], E, L["e"], 1, where)
    H = meeting(base, L["u"], E, L["zf"], -1, where)
    quarter = np.pi / 2.0
    delta, epsilon = direction(base, G), direction(base, H) + quarter
    return np.array(
        [beta, turns(direction(E, F), beta), direction(pivot, E) + quarter,
         turns(direction(G, E) + quarter, delta), delta, turns(direction(H, E), epsilon), epsilon]
    )  # fmt: skip


def _links(L: Mapping[str, float], A: complex, B: complex) -> list[tuple[str, complex, complex]]:
    """Return parent, pin position on it and centre of mass of K1 to K7."""
    return [
        (WORLD, 0j, complex(L["ra"])),
        ("K1", complex(L["rr"]), complex(-L["da"])),
        (WORLD, B, complex(L["sb"], -L["sa"])),
        ("K5", complex(L["zt"]), -1j * (L["e"] - L["ea"])),
        (WORLD, A, complex(L["ta"], L["tb"])),
        ("K7", -1j * L["u"], complex(L["zf"] - L["fa"])),
        (WORLD, A, complex(L["ub"], -L["ua"])),
    ]
