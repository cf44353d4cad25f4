"""Theo Jansen's leg: where its pins are, and how the foot moves with the crank."""

import numpy as np

import poinsot as ps
from poinsot.formulations.composable.plane import point_at
from tests.cases.contract import Unsupported

LETTERS = set("abcdefghijklm")
CRANK_SPEED = 1.0
PINS = {"A": "A1", "B": "B1", "C": "C", "D": "D", "E": "E", "F": "F"}


def jansen(case):
    """Return the pins and dG/dθ at each crank angle that the case lists."""
    lengths = case["model"]["lengths"]
    if set(lengths) != LETTERS:
        raise Unsupported(f"leg with the lengths {', '.join(lengths)}: not supported yet")
    tip = _tip(lengths)
    leg = _leg(lengths, tip)
    found = {}
    for angle in case["reference"]:
        q, v = np.array([float(angle)]), np.array([CRANK_SPEED])
        poses, places = leg.positions(q), leg.joint_places(q)
        points = {name: places[joint] for name, joint in PINS.items()}
        points["G"] = point_at(poses["foot"], tip)
        x, y = points["G"] - poses["foot"][:2]
        vx, vy, w = leg.velocities(q, v)["foot"]
        found[angle] = {"points": points, "dG_dtheta": np.array([vx - w * y, vy + w * x])}
    return found


def _leg(of, tip):
    """Return the leg from its links and pins; the foot's x axis is along EF."""
    B = (-of["a"], -of["l"])
    D = _corner(of["b"], of["d"], of["e"])
    ends = [
        ("O", 0, (0, 0), "crank", (0, 0)),
        ("A1", "crank", (of["m"], 0), "upper rod", (0, 0)),
        ("C", "upper rod", (of["j"], 0), "upper triangle", (of["b"], 0)),
        ("B1", 0, B, "upper triangle", (0, 0)),
        ("A2", "crank", (of["m"], 0), "lower rod", (0, 0)),
        ("E", "lower rod", (of["k"], 0), "link", (of["c"], 0)),
        ("B2", 0, B, "link", (0, 0)),
        ("E2", "link", (of["c"], 0), "foot", (0, 0)),
        ("F", "foot", (of["g"], 0), "tie", (of["f"], 0)),
        ("D", "upper triangle", D, "tie", (0, 0)),
    ]
    joints = [{"id": name, "a": a, "pa": pa, "b": b, "pb": pb} for name, a, pa, b, pb in ends]
    bodies = {b: {} for *_, b, _ in ends}
    # Seen from the crank's pin to B: C to the right, E to the left; F to the left of E to D.
    return ps.planar(bodies, joints, ["O"], modes={"C": -1, "E": 1, "F": 1})


def _corner(base, first, second):
    """Return the third corner of a triangle above its base along x."""
    x = (base**2 + first**2 - second**2) / (2 * base)
    return x, float(np.sqrt(first**2 - x**2))


def _tip(of):
    """Return G in the frame of the foot, E F along x."""
    return _corner(of["g"], of["i"], of["h"])
