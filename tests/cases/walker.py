"""Walkers that go down a slope without a drive: the gait that repeats, and how stable it is."""

import re

import numpy as np
from scipy.optimize import linear_sum_assignment

import poinsot as ps
from tests.cases.contract import Unsupported, Within
from tests.cases.numbers import number

LIGHT = 1e-9
"""Mass of a leg by that of the hip where a case asks for the limit 0."""
BEHIND = -0.05
"""The angle between the legs from which on a strike counts, where a case does not say."""
CHAIN = re.compile(r"((?:\w+=)+)([-\d.e]+)")
STRIKE = re.compile(r"[Hh]eel strike when q2 *= *2 *q1 *\(and q2 *< *(-[\d.]+)\)")


def walker(case):
    """Return the gait, what its impact does, and the eigenvalues of the map from step to step."""
    model, reference, limits = case["model"], case["reference"], case.get("tolerance", {})
    walks, slope = _walker(model)
    motion = walks.gait()
    gait, found = motion.state, motion.multipliers
    (q1, u1, q2, u2), step = gait, walks.step(gait)
    values = {
        "fixed_point_q1_u1_q2_u2": gait,
        "fixed_point_q": gait,
        "theta": q1,
        "thetadot": u1,
        "pre_impact_q1_u1_q2_u2": step.before,
        **dict.fromkeys(("step_time", "period"), step.time),
        **dict.fromkeys(("T_before", "T_minus"), step.kinetic[0]),
        **dict.fromkeys(("T_after", "T_plus"), step.kinetic[1]),
        **dict.fromkeys(("impulse_xy", "impulse"), step.impulse),
        # angles from the vertical, of the leg that stands and of the one that does not
        **{"theta_s": q1 - slope, "theta_ns": q1 - q2 - slope},
        **{"thetad_s": u1, "thetad_ns": u1 - u2},
    }
    if "fixed_point_abs" in limits:
        for name in ("theta", "thetadot"):
            values[name] = Within(values[name], atol=limits["fixed_point_abs"])
    for name in ("eigenvalues_re_im", "eig"):
        if name in reference:
            atol = limits.get("eig_abs", limits.get("abs", 0.0))
            values[name] = Within(_in_order_of(np.array(reference[name]), found), atol=atol)
    return {name: value for name, value in values.items() if name in reference}


def _walker(model):
    """Return the walker and the angle of the slope."""
    if "use" in model:
        if "limit m/M->0" not in model["use"]:
            raise Unsupported(f"use {model['use']!r}: not understood")
        size = {"M": 1.0, "m": LIGHT, "gam": _angle(model["gamma"])}
        for names, value in CHAIN.findall(model["use"]):
            size |= dict.fromkeys(names.strip("=").split("="), float(value))
        return made(size, BEHIND), size["gam"]
    strike = STRIKE.search(model["description"])
    if not strike:
        raise Unsupported("the description does not say when the heel strikes")
    size = {name: number(model[name]) for name in ("M", "m", "I", "l", "c", "r", "g")}
    size["gam"] = _angle(model["gam"])
    return made(size, float(strike[1])), size["gam"]


def made(size, behind):
    """Return a walker of the sizes of a case."""
    return ps.Walker(
        hip_mass=size["M"], leg_mass=size["m"], leg_inertia=size["I"], length=size["l"],
        com=size["c"], foot_radius=size["r"], gravity=size["g"], slope=size["gam"], behind=behind,
    )  # fmt: skip


def _angle(value):
    """Return an angle [rad], which may be written "3 deg"."""
    if isinstance(value, str) and value.endswith("deg"):
        return np.deg2rad(number(value.removesuffix("deg")))
    return number(value)


def _in_order_of(pairs, found):
    """Return eigenvalues as pairs (re, im), each where the one next to it is; none has a place."""
    own = np.stack([found.real, found.imag], axis=1)
    rows, columns = linear_sum_assignment(np.linalg.norm(pairs[:, None] - own, axis=2))
    return own[columns[np.argsort(rows)]]
