"""Mass centre, momentum and energies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.packing import Value
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.formulations.body_tree import AbstractBodies, StraightBodies
from poinsot.formulations.constrained.loop_coordinates import closure_energy
from poinsot.formulations.forces import energy_of_elements
from poinsot.formulations.kinematics import BodyMotion, add_motions
from poinsot.formulations.sweep import WHOLE, step
from poinsot.model import Mechanism, nonzero
from poinsot.spatial import Array, Inertia, Scalar


def kinetic_energy(mechanism: Mechanism, q: Array, v: Array) -> Scalar:
    """Return the kinetic energy [J]: sum of V·(I V) / 2 over the bodies, and of the armatures."""
    return kinetic_energy_of(StraightBodies(mechanism, q=q, v=v))


def gravity_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the potential energy of gravity [J], -sum of m g·r from the world origin."""
    return gravity_energy_of(StraightBodies(mechanism, q=q))


def potential_energy(mechanism: Mechanism, q: Array) -> Scalar:
    """Return the energy of gravity, and of springs in joints, force elements and loops [J]."""
    bodies = StraightBodies(mechanism, q=q)
    return potential_energy_of(bodies, lambda _: closure_energy(mechanism, q))


def centre_of_mass(mechanism: Mechanism, q: Array) -> Array:
    """Return the mass centre of all bodies in the world [m], shape (3,)."""
    return centre_of_mass_of(StraightBodies(mechanism, q=q))


def momentum(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return linear and angular momentum about the world origin, in world axes, shape (6,).

    Both are conserved without gravity and external forces.  Armature is not included.
    """
    return momentum_of(StraightBodies(mechanism, q=q, v=v))


def total_mass(mechanism: Mechanism) -> Scalar:
    """Return the mass of all bodies [kg]; it must not be zero."""
    total = sum(body.mass for body in mechanism.bodies)
    if is_zero(total):
        raise ModelError(
            f"mechanism {mechanism.name!r} has no mass, so no mass centre; give a body a mass"
        )
    return total


# On values, or rolled


def kinetic_energy_of(bodies: AbstractBodies) -> Scalar:
    """Return the kinetic energy."""
    bodies.start("total", 0.0, WHOLE)
    kinetic = step(_kinetic, "inertia motion all.total", "all.total")
    add_motions(bodies, None, [kinetic], [step(_turning, "armature v all.total", "all.total")])
    return _scalar(bodies, bodies.values("total")[WHOLE])


def gravity_energy_of(bodies: AbstractBodies) -> Scalar:
    """Return the potential energy of gravity."""
    return _scalar(bodies, _gravity_energy(bodies))


def potential_energy_of(
    bodies: AbstractBodies, closures: Callable[[AbstractBodies], Value]
) -> Scalar:
    """Return the potential energy; ``closures`` gives that of loops and curves."""
    gravity = _gravity_energy(bodies)
    bodies.start("springs", 0.0, WHOLE)
    nodes = [i for i, body in enumerate(bodies.mechanism.bodies) if nonzero(body.joint.stiffness)]
    bodies.outward([step(_stretched, "spring q all.springs", "all.springs")], nodes=nodes)
    springs, elements = bodies.values("springs")[WHOLE], energy_of_elements(bodies)
    return _scalar(bodies, bodies.apply(_sum, gravity, springs, elements, closures(bodies)))


def centre_of_mass_of(bodies: AbstractBodies) -> Array:
    """Return the mass centre."""
    share = bodies.constant(1.0 / total_mass(bodies.mechanism))
    centre = bodies.apply(_scaled, share, _first_moment(bodies))
    return bodies.gathered((3,), [(..., centre)])


def momentum_of(bodies: AbstractBodies) -> Array:
    """Return linear and angular momentum."""
    bodies.start("total", np.zeros(6), WHOLE)
    add_motions(bodies, None, [step(_with_momentum, "inertia motion all.total", "all.total")])
    return bodies.gathered((6,), [(..., bodies.values("total")[WHOLE])])


def _scalar(bodies: AbstractBodies, value: Value) -> Scalar:
    return bodies.gathered((), [((), value)])[()]


def _gravity_energy(bodies: AbstractBodies) -> Value:
    gravity = bodies.constant(np.array(bodies.mechanism.gravity))
    return bodies.apply(_weighed, gravity, _first_moment(bodies))


def _first_moment(bodies: AbstractBodies) -> Value:
    """Return the sum of m r over the bodies' mass centres [kg m], shape (3,)."""
    bodies.start("moment", np.zeros(3), WHOLE)
    moment = step(_with_moment, "mass_centre motion all.moment", "all.moment")
    add_motions(bodies, None, [moment])
    return bodies.values("moment")[WHOLE]


def _kinetic(inertia: Inertia, motion: BodyMotion, total: Scalar) -> Scalar:
    return total + inertia.kinetic_energy(motion.V)


def _turning(armature: Array | None, v: Array, total: Scalar) -> Scalar:
    return total if armature is None else total + 0.5 * (v @ armature @ v)


def _stretched(spring: tuple[Array, Array], q: Array, total: Scalar) -> Scalar:
    stretch = q - spring[1]
    return total + 0.5 * (stretch @ spring[0] @ stretch)


def _with_moment(mass_centre: tuple[Scalar, Array], motion: BodyMotion, total: Array) -> Array:
    mass, centre = mass_centre
    result: Array = total + mass * motion.X_WB.apply_point(centre)
    return result


def _with_momentum(inertia: Inertia, motion: BodyMotion, total: Array) -> Array:
    result: Array = total + motion.X_WB.force_to_parent(inertia.apply(motion.V))
    return result


def _weighed(gravity: Array, moment: Array) -> Scalar:
    return -(gravity @ moment)


def _scaled(factor: Scalar, moment: Array) -> Array:
    result: Array = factor * moment
    return result


def _sum(gravity: Scalar, springs: Scalar, elements: Scalar, closures: Scalar) -> Scalar:
    return gravity + (springs + elements) + closures
