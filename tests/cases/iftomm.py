"""Benchmarks of the IFToMM library: the ladder of four-bars at its start."""

import re

import numpy as np

from poinsot.library import n_four_bar, n_four_bar_state
from tests.cases.contract import Missing, Unsupported

LINKS = (
    "2N+1 uniform slender rods: vertical rods A_i-B_i (A_i=(i,0), B_i=(i,1), i=0..N) and "
    "horizontal rods B_{i-1}-B_i"
)
START = re.compile(r"all vertical rods rotate clockwise, point B0 has velocity \((\S+), *0\)")
LATER = Missing("after the start")


def iftomm(case):
    """Return the state of the ladder at t = 0 in every row; what comes later is not supported."""
    model = case["model"]
    if model.get("links") != LINKS:
        raise Unsupported("iftomm: only the ladder of four-bars, at its start")
    start = START.fullmatch(model["initial"])
    if start is None:
        raise Unsupported(f"initial state {model['initial']!r}: not understood")
    across, down = model["g"]
    if across != 0:
        raise Unsupported(f"gravity {model['g']}: only along -y")
    n, length = model["N"], model["link_length"]
    system = n_four_bar(n, length=length, mass=model["link_mass"], g=-down)
    q, v = n_four_bar_state(n, rate=-float(start[1]) / length)
    missed = [np.abs(system.constraint_residual(q)), np.abs(system.constraint_rate(q, v))]
    if np.max(missed) > 1e-12:
        raise ValueError(f"the ladder is not closed at the start: {np.max(missed):.1e}")
    tip = (length, 0.0, 0.0)
    place = (system.pose("rod 0", q) @ [*tip, 1.0])[:2]
    velocity = system.velocity("rod 0", q, v, tip, axes="world")[:2]
    a = system.forward_dynamics(q, v)
    found = {
        "mobility": system.mobility(q).degrees,
        "energy": system.kinetic_energy(q, v) + system.potential_energy(q),
        "acceleration_B0": system.acceleration("rod 0", q, v, a, tip, axes="world")[:2],
    }
    state = [0.0, *place, *velocity]
    for key, rows in case["reference"].items():
        if isinstance(rows, list) and key not in found:
            times = np.atleast_2d(np.array(rows, float))[:, 0]
            found[key] = np.broadcast_to(state, np.shape(rows)) if not times.any() else LATER
    return found
