"""A01 of the IFToMM library: a point mass on a rod, for a long time."""

import re

import numpy as np
from scipy.optimize import brentq

import poinsot as ps
from tests.cases.contract import Within
from tests.cases.motion import filled, keep_energy, motion, tables_of

ROWS = "_t_x_y"
LIMIT = re.compile(r"(\w+?)_abs(?:_to_([\d.]+)s)?")
DRIFT = re.compile(r"energy_drift_J(?:_([\d.]+)s)?(?:_\w+)?")


def pendulum(case):
    """Return places at the times of every row, and the period."""
    model, reference, limits = case["model"], case["reference"], case.get("tolerance", {})
    system, q, v = _start(model)
    tables = tables_of(reference)
    run = motion(system, q, v, np.concatenate([*tables.values(), [10.0]]))
    for name, limit in limits.items():
        if drift := DRIFT.fullmatch(name):
            keep_energy(run, limit, float(drift[1] or np.inf))
    columns = [lambda q, v, k=k: system.centre_of_mass(q)[k] for k in (0, 1)]
    found = filled(run, columns, reference, tables)
    for key, times in tables.items():
        atol = _limits(key.removesuffix(ROWS), times, limits)
        if atol is not None:
            found[key] = Within(found[key], atol=atol[:, None])
    if "period" in reference:
        found["period"] = _period(run)
    return found


def _start(model):
    """Return the pendulum, its angle from -y and the rate of it."""
    pivot, place = np.array(model["pivot"], float), np.array(model["r0"], float)
    arm, velocity = place - pivot, np.array(model["v0"], float)
    if not np.isclose(np.hypot(*arm), model["length"], rtol=1e-12):
        raise ValueError(f"r0 {model['r0']} is not {model['length']} m from the pivot")
    gravity = np.atleast_1d(np.array(model["g"], float))
    down = (*gravity, 0.0) if gravity.size == 2 else (0.0, -gravity[0], 0.0)
    body = ps.Body(
        "bob", joint=ps.Revolute("z"), pose=ps.Pose((*pivot, 0.0)), mass=model["point_mass"],
        com=(0.0, -model["length"], 0.0),
    )  # fmt: skip
    system = ps.System("pendulum", [body], gravity=down)
    q = np.array([np.arctan2(arm[0], -arm[1])])
    v = np.array([arm[0] * velocity[1] - arm[1] * velocity[0]]) / model["length"] ** 2
    if not np.allclose(system.velocity("bob", q, v, body.com, axes="world")[:2], velocity):
        raise ValueError(f"v0 {model['v0']} is along the rod")
    return system, q, v


def _limits(name, times, limits):
    """Return the tolerance of each row; None where the case has none for this table.

    One that holds up to a time, ``exact_abs_to_10s``, is followed by the largest of all.
    """
    found = {match: value for key, value in limits.items() if (match := LIMIT.fullmatch(key))}
    own = next((match for match in found if match[1] == name), None)
    if own is None:
        return None
    return np.where(times <= float(own[2] or np.inf), found[own], max(found.values()))


def _period(run):
    """Return the time between two passages of the lowest place in the same direction."""
    turns = np.floor(run.q[:, 0] / (2 * np.pi))
    ways = [np.flatnonzero(np.diff(turns) * way > 0) for way in (1, -1)]
    steps = max(ways, key=len)[:2]
    passed = []
    for k in steps:
        level = 2 * np.pi * max(turns[k], turns[k + 1])
        ends = run.t[k], run.t[k + 1]
        passed.append(brentq(lambda t, x=level: run.at(t)[0][0] - x, *ends, xtol=1e-13))
    return passed[1] - passed[0]
