"""Robot arms from standard Denavit-Hartenberg tables with geared drives."""

import re

import numpy as np

import poinsot as ps
from tests.cases.contract import Unsupported
from tests.cases.numbers import number


def puma560(case):
    """Return gravity load, inertia matrix and torques at the nominal posture ``qn``."""
    model, reference = case["model"], case["reference"]
    robot = arm(model)
    q = np.array([number(text) for text in model["qn"]])
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
