"""What the demonstration compares."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np

from poinsot.front.run import Run
from poinsot.front.system import System
from poinsot.spatial import Array

AGREEMENT = 1e-11
"""Relative difference up to which two algorithms agree."""
DRIFT = 1e-8
"""Largest change of energy that is accepted, relative to the largest kinetic energy."""


def compared(system: System, run: Run) -> list[tuple[str, float, float]]:
    """Return the comparisons: name, largest relative difference and tolerance."""
    q, v = run.q, run.v
    a = system.forward_dynamics(q, v)
    energy = run.energy()
    M = system.mass_matrix(q)
    checks = [
        (
            "energy over the run",
            float(np.ptp(energy) / np.max(run.kinetic_energy())),
            DRIFT,
        ),
        (
            "machine code and interpreter",
            _difference(a, system.forward_dynamics(q, v, backend="interpreter")),
            AGREEMENT,
        ),
        (
            "forward and inverse dynamics",
            _difference(system.inverse_dynamics(q, v, a) - system.bias(q, v), -system.bias(q, v)),
            AGREEMENT,
        ),
        (
            "vᵀ M v / 2 and the sum over the bodies",
            _difference(0.5 * np.einsum("ti,tij,tj->t", v, M, v), run.kinetic_energy()),
            AGREEMENT,
        ),
    ]
    if find_spec("pinocchio") is not None:
        checks.append(
            ("poinsot and Pinocchio", _difference(a, _pinocchio(system, q, v)), AGREEMENT)
        )
    return checks


def _difference(x: Array, y: Array) -> float:
    return float(np.max(np.abs(x - y)) / np.max(np.abs(y)))


def _pinocchio(system: System, q: Array, v: Array) -> Array:
    """Return the accelerations of the same pendulum described to Pinocchio."""
    import pinocchio as pin

    model = pin.Model()
    model.gravity = pin.Motion(np.array(system.gravity), np.zeros(3))
    parent = 0
    for body in system.bodies:
        placement = pin.SE3(np.eye(3), np.array(body.pose.xyz))
        parent = model.addJoint(parent, pin.JointModelRY(), placement, body.name)
        inertia = pin.Inertia(body.mass, np.array(body.com), body.inertia_matrix())
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
    data = model.createData()
    still = np.zeros(system.nv)
    return np.array([pin.aba(model, data, *state, still) for state in zip(q, v, strict=True)])
