"""The coordinates, velocities and accelerations of cut joints: loops and curves."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.constrained.cut_joint_forces import energy_at_cut_joints
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import AbstractClosure, Environment, Mechanism
from poinsot.spatial import Array, Scalar


def closure_position(mechanism: Mechanism, k: int, q: Array, environment: Environment) -> Array:
    """Return the coordinates of a loop or curve, by its index among the constraints."""
    view = MechanismView(mechanism, q, np.zeros(mechanism.nv), environment.t)
    loop = _closure(mechanism, k)
    return loop.position(view.frame(loop.pair))


def closure_velocity(
    mechanism: Mechanism, k: int, q: Array, v: Array, environment: Environment
) -> Array:
    """Return the velocities of a loop or curve."""
    view, loop = MechanismView(mechanism, q, v, environment.t), _closure(mechanism, k)
    return loop.velocity(view.frame(loop.pair))


def closure_acceleration(
    mechanism: Mechanism, k: int, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the accelerations of a loop or curve."""
    view, loop = MechanismView(mechanism, q, v, environment.t), _closure(mechanism, k)
    motion = view.frame(loop.pair)
    return loop.acceleration(motion, motion.A + motion.J @ a)


def closure_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy in springs of loops and curves, and elements at cut joints [J]."""
    view = MechanismView(mechanism, q, np.zeros(mechanism.nv))
    energy = energy_at_cut_joints(mechanism, q)
    for constraint in mechanism.closures:
        if isinstance(constraint, AbstractClosure) and constraint.is_passive:
            energy = energy + constraint.spring_energy(view.frame(constraint.pair))[()]
    return energy


def _closure(mechanism: Mechanism, k: int) -> AbstractClosure:
    constraint = mechanism.closures[k]
    if not isinstance(constraint, AbstractClosure):
        raise TypeError(f"{constraint.label} has no coordinates of its own")
    return constraint
