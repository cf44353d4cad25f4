"""Theo Jansen's leg: where its pins are, and how the foot moves with the crank."""

import numpy as np

from poinsot.library import jansen_leg, jansen_leg_configuration
from tests.cases.contract import Unsupported

LETTERS = set("abcdefghijklm")
CRANK_SPEED = 1.0


def jansen(case):
    """Return the pins and dG/dθ at each crank angle that the case lists."""
    lengths = case["model"]["lengths"]
    if set(lengths) != LETTERS:
        raise Unsupported(f"leg with the lengths {', '.join(lengths)}: not supported yet")
    leg = jansen_leg(lengths=lengths)
    places = {
        "A": ("lower rod", 0.0),
        "B": ("link", 0.0),
        "C": ("upper triangle", lengths["b"]),
        "D": ("tie", 0.0),
        "E": ("foot", 0.0),
        "F": ("foot", lengths["g"]),
    }
    tip = _tip(lengths)
    found = {}
    for angle in case["reference"]:
        q = jansen_leg_configuration(float(angle), lengths=lengths)
        missed = np.abs(leg.constraint_residual(q)).max() / max(lengths.values())
        if missed > 1e-12:
            raise ValueError(f"the leg is not closed: {missed:.1e}")
        points = {name: _place(leg, body, q, (x, 0.0)) for name, (body, x) in places.items()}
        points["G"] = _place(leg, "foot", q, tip)
        v = leg.consistent_velocity(q, CRANK_SPEED * np.eye(leg.nv)[0], joints=["crank"])
        rate = leg.velocity("foot", q, v, (*tip, 0.0), axes="world")[:2] / CRANK_SPEED
        found[angle] = {"points": points, "dG_dtheta": rate}
    return found


def _place(system, body, q, point):
    return (system.pose(body, q) @ [*point, 0.0, 1.0])[:2]


def _tip(of):
    """Return G in the frame of the foot, E F along x, by the cosine theorem."""
    x = (of["i"] ** 2 + of["g"] ** 2 - of["h"] ** 2) / (2 * of["g"])
    return x, float(np.sqrt(of["i"] ** 2 - x**2))
