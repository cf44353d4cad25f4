"""A02 of the IFToMM library: the ladder of four-bars, through positions where its freedom jumps."""

import re

import numpy as np

from poinsot.library import n_four_bar, n_four_bar_state
from tests.cases.contract import Unsupported
from tests.cases.motion import columns_of, filled, keep_energy, motion, tables_of

LINKS = re.compile(
    r"2 ?N ?\+ ?1 uniform slender rods: vertical rods A_i-B_i \(.*\) and horizontal rods "
    r"B_\{i-1\}-B_i"
)
START = re.compile(
    r"all vertical rods rotate (clockwise|counterclockwise), point B0 has velocity "
    r"\((\S+), *0(?:\.0*)?\)"
)


def ladder(case):
    """Return the motion of points B_i at the times of every row, and what is asked at the start."""
    model, reference = case["model"], case["reference"]
    system, q, v = _start(model)
    length = model["link_length"]
    tip = (length, 0.0, 0.0)
    a = system.forward_dynamics(q, v)
    found = {
        "mobility": system.mobility(q).degrees,
        "energy": system.kinetic_energy(q, v) + system.potential_energy(q),
        "acceleration_B0": system.acceleration("rod 0", q, v, a, tip, axes="world")[:2],
    }
    tables = tables_of(reference, found)
    if not tables:
        return found
    run = motion(system, q, v, np.concatenate(list(tables.values())))
    if "energy_drift_J" in case.get("tolerance", {}):
        keep_energy(run, case["tolerance"]["energy_drift_J"])
    columns = columns_of(reference["columns"], _columns(system, tip))
    return found | filled(run, columns, reference, tables)


def _start(model):
    """Return the ladder and its state at the start."""
    if LINKS.fullmatch(model["links"]) is None:
        raise Unsupported(f"links {model['links']!r}: not understood")
    start = START.fullmatch(model["initial"])
    if start is None:
        raise Unsupported(f"initial state {model['initial']!r}: not understood")
    across, down, *beside = np.atleast_1d(model["g"]) if np.ndim(model["g"]) else (0, -model["g"])
    if across or any(beside):
        raise Unsupported(f"gravity {model['g']}: only along -y")
    n, length, speed = model["N"], model["link_length"], float(start[2])
    if (speed >= 0) is not (start[1] == "clockwise"):
        raise ValueError(f"initial state {model['initial']!r}: B0 moves the other way")
    system = n_four_bar(n, length=length, mass=model["link_mass"], g=-down)
    q, v = n_four_bar_state(n, rate=-speed / length)
    missed = [np.abs(system.constraint_residual(q)), np.abs(system.constraint_rate(q, v))]
    if np.max(missed) > 1e-12:
        raise ValueError(f"the ladder is not closed at the start: {np.max(missed):.1e}")
    return system, q, v


def _columns(system, tip):
    """Return places and velocities of the points B_i, by patterns of names such as ``vx_B0``."""

    def place(axis, rod):
        return lambda q, v: (system.pose(f"rod {rod}", q) @ [*tip, 1.0])["xy".index(axis)]

    def velocity(axis, rod):
        body, k = f"rod {rod}", "xy".index(axis)
        return lambda q, v: system.velocity(body, q, v, tip, axes="world")[k]

    return {r"([xy])_B(\d+)": place, r"v([xy])_B(\d+)": velocity}
