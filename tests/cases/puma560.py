"""Robot arms from standard Denavit-Hartenberg tables with geared drives."""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported
from tests.cases.numbers import number


def puma560(case):
    """Return gravity load, inertia matrix and torques at the posture of the model."""
    model, reference = case["model"], case["reference"]
    robot = arm(model)
    q = posture(model, robot.nv)
    M = robot.mass_matrix(q)
    found = {"gravity_load": robot.gravity_force(q), "M": M}
    for key in reference:
        if times := re.fullmatch(r"M_times_(\d+)", key):
            found[key] = M @ [float(digit) for digit in times[1]]
            found["itorque"] = found[key]
        elif torque := re.fullmatch(r"(?:published_)?rne_qd(\d)_qdd(\d)", key):
            rate, acceleration = (np.full(robot.nv, float(digit)) for digit in torque.groups())
            if rate.any() and any(np.any(link.get("Tc", 0.0)) for link in model["links"]):
                raise Unsupported(f"{key}: Coulomb friction is not supported yet")
            found[key] = robot.inverse_dynamics(q, rate, acceleration)
    for key in reference:
        name = key.removeprefix("published_")
        if key not in found and name in found:
            found[key] = found[name]
    return found


def posture(model, n):
    """Return the n joint angles of the model's entry ``qn``, ``qz``, ``q``, ...: the only one."""
    names = [
        name
        for name, value in model.items()
        if name.startswith("q") and isinstance(value, list) and len(value) == n
    ]
    if len(names) != 1:
        raise Unsupported(f"postures {', '.join(names) or 'none'}: one is supported")
    return np.array([number(text) for text in model[names[0]]])


def arm(model):
    """Return the arm; drives add their inertia and viscous friction, times gear squared."""
    links = model["links"]
    rows = [
        {
            **{name: number(link[name]) for name in ("d", "a", "alpha")},
            "theta": number(link.get("theta", link.get("offset", 0.0))),
            "joint": link.get("joint", "revolute"),
        }
        for link in links
    ]
    gears = [link.get("G", 1.0) ** 2 for link in links]
    return ps.from_dh(
        "arm",
        rows,
        gravity=model["g"],
        masses=[link["m"] for link in links],
        coms=[link["r"] for link in links],
        inertias=[link["I"] for link in links],
        armature=[G * link.get("Jm", 0.0) for G, link in zip(gears, links, strict=True)],
        damping=[G * link.get("B", 0.0) for G, link in zip(gears, links, strict=True)],
    )
