"""The coordinates of loops and curves: where their own joint is, and how it moves."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import AbstractClosure, Environment, Mechanism
from poinsot.spatial import Array, Scalar


def closure_position(mechanism: Mechanism, k: int, q: Array, environment: Environment) -> Array:
    """Return the coordinates of a loop or curve, by number among the closures."""
    view = MechanismView(mechanism, q, np.zeros(mechanism.nv), environment.t)
    one = _closure(mechanism, k)
    return one.position(view.frame(one.pair))


def closure_velocity(
    mechanism: Mechanism, k: int, q: Array, v: Array, environment: Environment
) -> Array:
    """Return the velocities of a loop or curve."""
    view, one = MechanismView(mechanism, q, v, environment.t), _closure(mechanism, k)
    return one.velocity(view.frame(one.pair))


def closure_acceleration(
    mechanism: Mechanism, k: int, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the accelerations of a loop or curve."""
    view, one = MechanismView(mechanism, q, v, environment.t), _closure(mechanism, k)
    motion = view.frame(one.pair)
    return one.acceleration(motion, motion.A + motion.J @ a)


def closure_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy in the springs of loops and curves [J]."""
    view = MechanismView(mechanism, q, np.zeros(mechanism.nv))
    energy: Scalar = 0.0
    for one in mechanism.closures:
        if isinstance(one, AbstractClosure) and one.is_passive:
            energy = energy + one.spring_energy(view.frame(one.pair))[()]
    return energy


def _closure(mechanism: Mechanism, k: int) -> AbstractClosure:
    one = mechanism.closures[k]
    if not isinstance(one, AbstractClosure):
        raise TypeError(f"{one.label} has no coordinates of its own")
    return one
