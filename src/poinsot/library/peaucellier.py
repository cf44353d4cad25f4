"""Peaucellier and Lipkin's linkage: pins alone draw a straight line."""

import numpy as np

from poinsot.front.drawable_system import shown_at
from poinsot.front.system import System
from poinsot.library.planar import direction, link, meeting, pin, turns
from poinsot.model import WORLD
from poinsot.spatial import Array

__all__ = ["peaucellier", "peaucellier_configuration"]

CRANK, ARM, SIDE = 0.25, 0.50, 0.20


def peaucellier(
    *,
    crank: float = CRANK,
    arm: float = ARM,
    side: float = SIDE,
    density: float = 1.0,
    g: float = 9.81,
) -> System:
    """Return the inversor with its crank: the pin D moves on a straight line [Kempe1877].

    Two arms turn about O = (0, 0), with a rhombus A B C D between their ends A and C; the crank
    turns about (crank, 0) and leads B on a circle through O.  Since OB OD = arm² - side²,

        x of D = (arm² - side²) / (2 crank).

    q = [crank, arm A, arm C, rods A B, C B, A D, C D from their arms] [rad], about z; gravity
    acts along -y.  The loops "B1" and "B2" pin the rods to the crank, "D" pins the outer rods.

    Args:
        crank: Length of the crank, and its distance from O [m].
        arm: Length of the two arms [m].
        side: Side of the rhombus [m].
        density: Mass per length of the rods [kg/m].
        g: Acceleration of free fall [m/s²].

    >>> linkage, q = peaucellier(), peaucellier_configuration(0.4)
    >>> place = linkage.pose("rod AD", q) @ [SIDE, 0, 0, 1]
    >>> round(float(place[0]), 12), round((ARM**2 - SIDE**2) / (2 * CRANK), 12)
    (0.42, 0.42)
    """
    end, far = complex(arm), complex(side)
    bodies = [
        link("crank", WORLD, complex(crank), complex(crank), density=density),
        link("arm A", WORLD, 0j, end, density=density),
        link("arm C", WORLD, 0j, end, density=density),
        *(
            link(f"rod {rod}", f"arm {rod[0]}", end, far, density=density)
            for rod in ("AB", "CB", "AD", "CD")
        ),
    ]
    loops = [
        pin("B1", ("crank", complex(crank)), ("rod AB", far)),
        pin("B2", ("crank", complex(crank)), ("rod CB", far)),
        pin("D", ("rod AD", far), ("rod CD", far)),
    ]
    system = System("Peaucellier's linkage", bodies, gravity=(0.0, -g, 0.0), loops=loops)
    lengths = {"crank": crank, "arm": arm, "side": side}
    return shown_at(system, lambda: peaucellier_configuration(0.4, **lengths))


def peaucellier_configuration(
    angle: float, *, crank: float = CRANK, arm: float = ARM, side: float = SIDE
) -> Array:
    """Return the q in which all loops are closed, with D beyond the arms' ends, shape (7,).

    Args:
        angle: Angle of the crank from x [rad].
        crank: Length of the crank [m].
        arm: Length of the two arms [m].
        side: Side of the rhombus [m].

    Raises:
        ModelError: If arms and rhombus do not reach the crank's pin.

    >>> q = peaucellier_configuration(0.4)
    >>> bool(abs(peaucellier().constraint_residual(q)).max() < 1e-14)
    True
    """
    where = f"Peaucellier's linkage at crank angle {angle:g}"
    B = crank * complex(1.0 + np.exp(1j * angle))
    A, C = (meeting(0j, arm, B, side, branch, where) for branch in (1, -1))
    D = A + C - B
    arms = {"A": direction(0j, A), "C": direction(0j, C)}
    rods = [
        turns(direction(start, end), arms[name])
        for name, start, end in (("A", A, B), ("C", C, B), ("A", A, D), ("C", C, D))
    ]
    return np.array([angle, arms["A"], arms["C"], *rods])
