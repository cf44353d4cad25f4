"""A ``System`` that moves in a plane as a planar linkage.

The plane is across the first axis about which something turns.  Joints of the tree keep their
coordinates: a link's frame is at its body's origin and turns with the sum of the angles before it.
Bodies that are welded together are one link (``welds.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from poinsot.front.description import Values
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.planar_given import held_numbers
from poinsot.front.plane_equations import PlaneEquations
from poinsot.front.system import System
from poinsot.front.system_plane import SystemPlane
from poinsot.model import (
    Holonomic,
    Mechanism,
    Nonholonomic,
    Planar,
    PrescribedMotion,
    Spring,
)
from poinsot.model.constraints.base import AbstractConstraint
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.constraints.moving_constraint import AbstractClosure
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.planar.clock import CLOCK, TIME
from poinsot.model.planar.coupling_pair import coupling_pair
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.higher_pair import PlanarPair
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.model.planar.row_pair import RowPair
from poinsot.model.scalar_values import nonzero
from poinsot.spatial import Array


def planar_linkage_of(
    system: System, drivers: Sequence[str], q: Array, parameters: Values = None, t: float = 0.0,
    states: Values = None,
) -> PlanarLinkage:  # fmt: skip
    """Return the linkage; see ``PlanarMechanism.from_system``."""
    whole, system = system, with_numbers(system, "from_system", parameters)
    given = _given(whole, parameters or {}, states or {})
    described = _of_numbers(whole, parameters or {}) if given else system.mechanism
    read_names = set(system.joint_names) if described.states else set[str]()
    driven = _coordinates(system, drivers)
    plane = SystemPlane(system, q, driven)
    links = {name: plane.link(name) for name in plane.groups.members}
    joints: list[PlanarJoint] = []
    read = _read_joints(system) | read_names | {driver.rpartition(".")[0] for driver in driven}
    for body, name in zip(system.bodies, system.joint_names, strict=True):
        if not isinstance(body.joint, Planar):
            joints += plane.tree_joint(body)
        elif name in read or nonzero(body.joint.stiffness, body.joint.damping, body.joint.armature):
            joints += plane.planar_joint(body)
            links |= plane.carriers(name)
    others: list[AbstractConstraint] = []
    for loop in system.loops:
        closing = plane.closing_joint(loop)
        joints += closing or []
        others += [loop] if closing is None else []
    by_name = {joint.name: joint for joint in joints}
    equations = PlaneEquations(plane, by_name, given)
    pairs: list[PlanarPair] = []
    velocity_rows: list[RowPair] = []
    elements: list[PlanarElement] = []
    for constraint in (*others, *system.constraints):
        if isinstance(constraint, PrescribedMotion) and constraint.joint in driven:
            continue  # what a driver does is given to methods: turn, inverse dynamics, tau of runs
        if isinstance(constraint, AbstractCoupling):
            pairs.append(coupling_pair(constraint, by_name))
        elif isinstance(constraint, AbstractRelation):
            pairs += equations.relation(constraint)
        else:
            rows = equations.rows(constraint, t)
            pairs += rows.positions
            velocity_rows += rows.velocities
            if isinstance(constraint, AbstractClosure) and constraint.is_passive:
                elements.append(equations.passive(constraint))
    springs, rotors = [], []
    for body in system.bodies:
        if isinstance(body.joint, Planar):
            coupled, inertias = equations.couplings(body)
            elements += coupled
            rotors += inertias
    for force, own in zip(system.forces, described.forces, strict=True):
        spring = equations.spring(force) if isinstance(force, Spring) else None
        if spring is None:
            elements.append(equations.element(own if own.parameters & given.keys() else force))
        elif spring.a != spring.b:
            springs.append(spring)
    is_timed = any(CLOCK in pair.bodies for pair in (*pairs, *velocity_rows))
    rates = equations.state_rates(described) if described.states else None
    read_in_time = [*elements, *(() if rates is None else (rates.element,))]
    is_timed |= any(TIME in element.coordinates for element in read_in_time)
    gravity = tuple((plane.axes @ np.asarray(system.gravity, float)).tolist())
    return PlanarLinkage(
        links, tuple(joints), driven, gravity, pairs=tuple(pairs), springs=tuple(springs),
        elements=tuple(elements), velocity_rows=tuple(velocity_rows), coupled_rotors=tuple(rotors),
        ports=(CLOCK,) if is_timed else (), drawn_at=t, state_rates=rates,
    )  # fmt: skip


def _read_joints(system: System) -> set[str]:
    """Return the planar joints whose coordinates constraints or force elements name."""
    if any(isinstance(x, Holonomic | Nonholonomic) for x in system.constraints):
        return set(system.joint_names)
    every = [name for constraint in system.constraints for name in constraint.joints]
    every += [name for force in system.forces for name in force.joints]
    return {name.rpartition(".")[0] for name in every}


def _given(
    system: System, parameters: Mapping[str, Any], states: Mapping[str, Any]
) -> dict[str, GivenNumber]:
    """Return samples over time and states by name; samples that are given a number are one."""
    samples = {
        name: GivenNumber(name, signal)
        for name, signal in system.signals.items()
        if name not in parameters
    }
    return samples | held_numbers(system.mechanism.state_values, states, "from_system")


def _of_numbers(system: System, parameters: Mapping[str, Any]) -> Mechanism:
    """Return what is described with numbers for parameters; states and samples remain."""
    return system.description.with_parameters(parameters).rebuilt(free=()).bound


def _coordinates(system: System, drivers: Sequence[str]) -> tuple[str, ...]:
    """Return the drivers' names, those of planar joints as one for each coordinate."""
    joints = dict(zip(system.joint_names, (body.joint for body in system.bodies), strict=True))
    names: list[str] = []
    for driver in drivers:
        joint = joints.get(driver)
        parts = [f"{driver}.{x}" for x in joint.v_parts] if isinstance(joint, Planar) else [driver]
        names += parts
    return tuple(names)
