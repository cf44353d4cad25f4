"""Quantities as other languages show them: names, words and units of their arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from poinsot.evaluate.trace import PARAMETERS
from poinsot.model import Mechanism


@dataclass(frozen=True)
class Answer:
    """A quantity as other languages show it.

    Attributes:
        symbol: Name of its result.
        about: What it computes.
        entries: What the entries of the result belong to: "force", "velocity", "position", "row" or
            nothing.
    """

    symbol: str
    about: str
    entries: str = ""


ANSWERS: Final[Mapping[str, Answer]] = {
    "inverse_dynamics": Answer(
        "tau", "joint forces that produce the acceleration a, tau = M(q) a + bias(q, v)", "force"
    ),
    "forward_dynamics": Answer(
        "a", "acceleration under the joint forces tau, a = M(q)^-1 (tau - bias(q, v))", "rate"
    ),
    "mass_matrix": Answer("M", "mass matrix M(q), armature included"),
    "bias": Answer(
        "bias", "Coriolis, centrifugal, gravity and passive forces, M a + bias = tau", "force"
    ),
    "gravity_force": Answer("gravity_force", "the gravity part of the bias", "force"),
    "position_rate": Answer("qdot", "rate of the coordinates, qdot = N(q) v", "position rate"),
    "kinetic_energy": Answer("kinetic_energy", "kinetic energy [J]"),
    "potential_energy": Answer("potential_energy", "energy of gravity and springs [J]"),
    "centre_of_mass": Answer("centre", "mass centre of all bodies in the world [m]"),
    "momentum": Answer(
        "momentum", "linear [N s] and angular momentum [N m s] about the world's origin"
    ),
    "regressor": Answer(
        "Y",
        "Y with Y pi = M a + Coriolis, centrifugal and gravity forces, pi the inertial parameters",
    ),
    "energy_regressor": Answer("y", "y with y pi = kinetic energy and that of gravity [J]"),
    "pose": Answer("X", "pose of the body in the world, a homogeneous matrix"),
    "velocity": Answer("V", "velocity [v; w] [m/s, rad/s] of the body at a point of it"),
    "acceleration": Answer("A", "rate of the components of the body's velocity at a point of it"),
    "jacobian": Answer("J", "J with velocity = J v of the body at a point of it"),
    "jacobian_rate": Answer("Jdot", "rate of the body's Jacobian"),
    "constraint_residual": Answer("phi", "how far q is from the constraints, phi(q)", "row"),
    "constraint_rate": Answer("rate", "rate of the constraints, J v + dphi/dt", "row"),
    "constraint_bias": Answer("gamma", "gamma of J a + gamma = 0", "row"),
    "constraint_jacobian": Answer("J", "J of M a + bias = tau + J^T lam"),
    "multipliers": Answer(
        "lam", "lam of M a + bias = tau + J^T lam; then 1 for each that is determined, else 0"
    ),
}
"""What can be written in other languages."""

OF_BODIES: Final = frozenset({"pose", "velocity", "acceleration", "jacobian", "jacobian_rate"})
"""Those that belong to one body."""

WHOLE: Final = frozenset({"pose"})
"""Quantities of bodies that have no axes to choose."""

INPUTS: Final[Mapping[str, tuple[str, str]]] = {
    "q": ("configuration", "position"),
    "v": ("velocity", "velocity"),
    "a": ("acceleration dv/dt", "rate"),
    "tau": ("joint forces", "force"),
    "point": ("point in body coordinates [m]", ""),
    "t": ("time [s]", ""),
    "wrenches": ("wrenches [f; n] [N, N m] on bodies, at their origins in body axes", "wrench"),
    "base": (
        "motion of the base in its axes: gravity (3) [m/s^2], velocity [v; w] (6), its rate (6)",
        "",
    ),
    PARAMETERS: ("free parameters", "parameter"),
}
"""What each input is, and what its entries belong to."""


def entries_of(mechanism: Mechanism, kind: str, acting: Sequence[int]) -> list[str]:
    """Return a name with its unit for each entry of an array."""
    if kind == "row":
        return list(mechanism.row_names)
    if kind == "parameter":
        return list(mechanism.parameter_inputs)
    if kind == "wrench":
        return [mechanism.body_names[i] for i in acting]
    if kind not in _UNITS:
        return []
    names = []
    for joint, body in zip(mechanism.joint_names, mechanism.bodies, strict=True):
        of_q = kind.startswith("position")
        units = body.joint.q_units if of_q else body.joint.v_units
        for k, unit in enumerate(units):
            place = f"[{k}]" if len(units) > 1 else ""
            names.append(f"{joint}{place} [{_UNITS[kind].get(unit, unit)}]")
    return names


_UNITS: Final[Mapping[str, Mapping[str, str]]] = {
    "position": {},
    "position rate": {"m": "m/s", "rad": "rad/s", "1": "1/s"},
    "velocity": {},
    "rate": {"m/s": "m/s^2", "rad/s": "rad/s^2"},
    "force": {"m/s": "N", "rad/s": "N m"},
}
"""For each kind of array the units of its entries, by those of the joint."""
