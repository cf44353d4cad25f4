"""Benchmarks of the IFToMM library: the ladder of four-bars at its start."""

import re

import numpy as np

import poinsot as ps
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
    n = model["N"]
    system = ladder(n, model["link_length"], model["link_mass"], model["g"])
    rate = -float(start[1]) / model["link_length"]
    q = np.repeat([np.pi / 2, -np.pi / 2], [n + 1, n])
    v = np.repeat([rate, -rate], [n + 1, n])
    missed = [np.abs(system.constraint_residual(q)), np.abs(system.constraint_rate(q, v))]
    if np.max(missed) > 1e-12:
        raise ValueError(f"the ladder is not closed at the start: {np.max(missed):.1e}")
    tip = (model["link_length"], 0.0, 0.0)
    place = (system.pose("vertical 0", q) @ [*tip, 1.0])[:2]
    velocity = system.velocity("vertical 0", q, v, tip, axes="world")[:2]
    a = system.forward_dynamics(q, v)
    found = {
        "mobility": system.mobility(q).degrees,
        "energy": system.kinetic_energy(q, v) + system.potential_energy(q),
        "acceleration_B0": system.acceleration("vertical 0", q, v, a, tip, axes="world")[:2],
    }
    state = [0.0, *place, *velocity]
    for key, rows in case["reference"].items():
        if isinstance(rows, list) and key not in found:
            times = np.atleast_2d(np.array(rows, float))[:, 0]
            found[key] = np.broadcast_to(state, np.shape(rows)) if not times.any() else LATER
    return found


def ladder(n, length, mass, g):
    """Return n + 1 rods from (i, 0) [length], then n rods between the ends of neighbours."""
    moment = mass * length**2 / 12
    rod = {"mass": mass, "com": (length / 2, 0, 0), "inertia": (0, moment, moment)}
    turn, end = ps.Revolute("z"), ps.Pose((length, 0, 0))
    uprights = [
        ps.Body(f"vertical {i}", "world", turn, ps.Pose((i * length, 0, 0)), **rod)
        for i in range(n + 1)
    ]
    levels = [ps.Body(f"level {i}", f"vertical {i - 1}", turn, end, **rod) for i in range(1, n + 1)]
    pins = [
        ps.Loop(f"B{i}", (f"level {i}", end), (f"vertical {i}", end), turn) for i in range(1, n + 1)
    ]
    return ps.System("ladder", [*uprights, *levels], gravity=[*g, 0.0][:3], loops=pins)
