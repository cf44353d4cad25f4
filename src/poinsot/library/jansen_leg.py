"""Theo Jansen's leg: three loops that turn the circle of a crank into a step."""

from collections.abc import Mapping

import numpy as np

from poinsot.front.system import System
from poinsot.library.planar import direction, link, meeting, pin, turns
from poinsot.model import WORLD
from poinsot.spatial import Array

__all__ = ["jansen_leg", "jansen_leg_configuration", "jansen_leg_points"]

HOLY_NUMBERS = {
    "a": 0.380, "b": 0.415, "c": 0.393, "d": 0.401, "e": 0.558, "f": 0.394, "g": 0.367,
    "h": 0.657, "i": 0.490, "j": 0.500, "k": 0.619, "l": 0.078, "m": 0.150,
}  # fmt: skip
"""Jansen's lengths [m]."""


def jansen_leg(
    *, lengths: Mapping[str, float] = HOLY_NUMBERS, density: float = 1.0, g: float = 9.81
) -> System:
    """Return a leg of Jansen's walking animals, in the x-y plane.

    The crank turns about O = (0, 0), upper triangle and link about B = (-a, -l).  With the pins A
    on the crank, C and D on the upper triangle, E, F and the foot's tip G on the foot,

        OA = m,  AC = j,  AE = k,  BC = b,  BD = d,  CD = e,  BE = c,  DF = f,  EF = g,  EG = i,
        FG = h

    q = [crank, upper rod AC, upper triangle BCD, lower rod AE, link BE, foot EFG, tie DF] [rad],
    each from its parent, the x of a body along the letters.  Gravity acts along -y.

    Args:
        lengths: The letters a to m [m].
        density: Mass per length of the rods [kg/m].
        g: Acceleration of free fall [m/s²].

    >>> leg = jansen_leg()
    >>> leg.mobility(jansen_leg_configuration(0.3)).degrees
    1
    """
    corners = _triangles(lengths)
    at_crank, B = complex(lengths["m"]), complex(-lengths["a"], -lengths["l"])
    j, k, c, f = (complex(lengths[letter]) for letter in "jkcf")
    C, F = complex(lengths["b"]), complex(lengths["g"])
    bodies = [
        link("crank", WORLD, 0j, at_crank, density=density),
        link("upper rod", "crank", at_crank, j, density=density),
        link("upper triangle", WORLD, B, C, corners["D"], density=density),
        link("lower rod", "crank", at_crank, k, density=density),
        link("link", WORLD, B, c, density=density),
        link("foot", "link", c, F, corners["G"], density=density),
        link("tie", "upper triangle", corners["D"], f, density=density),
    ]
    loops = [
        pin("C", ("upper rod", j), ("upper triangle", C)),
        pin("E", ("lower rod", k), ("link", c)),
        pin("F", ("tie", f), ("foot", F)),
    ]
    return System("Jansen's leg", bodies, gravity=(0.0, -g, 0.0), loops=loops)


def jansen_leg_configuration(crank: float, *, lengths: Mapping[str, float] = HOLY_NUMBERS) -> Array:
    """Return the q in which the leg is closed, with the foot below, shape (7,).

    Args:
        crank: Angle of the crank from x [rad].
        lengths: The letters a to m [m].

    Raises:
        ModelError: If the leg cannot be assembled.

    >>> q = jansen_leg_configuration(0.3)
    >>> bool(abs(jansen_leg().constraint_residual(q)).max() < 1e-14)
    True
    """
    p = jansen_leg_points(crank, lengths=lengths)
    upper, triangle = direction(p["A"], p["C"]), direction(p["B"], p["C"])
    lower, rocker = direction(p["A"], p["E"]), direction(p["B"], p["E"])
    foot, tie = direction(p["E"], p["F"]), direction(p["D"], p["F"])
    return np.array(
        [crank, turns(upper, crank), triangle, turns(lower, crank), rocker, turns(foot, rocker),
         turns(tie, triangle)]
    )  # fmt: skip


def jansen_leg_points(
    crank: float, *, lengths: Mapping[str, float] = HOLY_NUMBERS
) -> dict[str, complex]:
    """Return the pins A to G as complex numbers x + i y [m], by intersecting circles.

    Args:
        crank: Angle of the crank from x [rad].
        lengths: The letters a to m [m].

    Raises:
        ModelError: If circles do not meet.

    >>> abs(jansen_leg_points(0.0)["A"])
    0.15
    """
    where, L = f"Jansen's leg at crank angle {crank:g}", lengths
    A, B = L["m"] * complex(np.exp(1j * crank)), complex(-L["a"], -L["l"])
    C = meeting(A, L["j"], B, L["b"], -1, where)
    D = meeting(B, L["d"], C, L["e"], 1, where)
    E = meeting(A, L["k"], B, L["c"], 1, where)
    F = meeting(D, L["f"], E, L["g"], -1, where)
    G = meeting(E, L["i"], F, L["h"], 1, where)
    return {"A": A, "B": B, "C": C, "D": D, "E": E, "F": F, "G": G}


def _triangles(L: Mapping[str, float]) -> dict[str, complex]:
    """Return D in the frame of the upper triangle and G in that of the foot."""
    where = "Jansen's leg"
    return {
        "D": meeting(0j, L["d"], complex(L["b"]), L["e"], 1, where),
        "G": meeting(0j, L["i"], complex(L["g"]), L["h"], 1, where),
    }
