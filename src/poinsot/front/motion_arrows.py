"""Arrows of a motion: reactions of joints, applied forces, impulses of impacts."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.formulations.body_tree import StraightBodies
from poinsot.formulations.constrained.reactions import named_wrenches
from poinsot.formulations.forces import wrenches_of_elements
from poinsot.formulations.kinematics import add_motions, velocity_at
from poinsot.front.single_motion import AbstractSingleMotion
from poinsot.model import WORLD, Mechanism
from poinsot.simulation.running.quantities_along_run import QuantitiesAlongRun
from poinsot.spatial import Array
from poinsot.viewer.page import Arrow, Impulse

__all__ = ["MOST_VELOCITIES", "applied_forces", "impulses", "reactions"]

MOST_VELOCITIES: Final = 60
"""Of systems whose forces are shown as arrows."""

MOST_EVENTS: Final = 500
"""Events whose impulses are shown."""

ROUNDING: Final = 1e-12
"""Forces below this part of the weight, or of the largest force, are rounding."""

JUMP: Final = 1e-9
"""Change of a velocity at an event, relative to the largest, below which there is no impulse."""


def reactions(run: AbstractSingleMotion, t: Array, q: Array, v: Array) -> list[Arrow]:
    """Return the forces in joints and loops at states; none if they are not determined.

    Args:
        run: The motion.
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities, shape (n, nv).
    """
    mechanism = run.system.mechanism
    if mechanism.nv > MOST_VELOCITIES:
        return []
    try:
        along = None if run.stored_only else run.along(t, q, v)
        if isinstance(along, QuantitiesAlongRun):
            wrenches = named_wrenches(mechanism, along.reactions("world"))
        else:
            stored = run.reactions(axes="world")
            wrenches = {name: _interpolated(t, run.t, stored[name]) for name in stored}
    except PoinsotError:
        return []
    points: dict[str, tuple[int, tuple[float, ...]]] = {
        name: (i, (0.0, 0.0, 0.0)) for i, name in enumerate(run.system.joint_names)
    }
    for loop in mechanism.loops:
        body, pose = loop.second
        points[loop.name] = _number(mechanism, body), tuple(map(float, pose.xyz))
    forces = [(name, wrenches[name][:, :3]) for name in points if name in wrenches]
    weight = sum(float(body.mass) for body in mechanism.bodies) * max(map(abs, mechanism.gravity))
    least = ROUNDING * max([weight, *(_largest(force) for _, force in forces)])
    return [
        Arrow("reactions", name, *points[name], force)
        for name, force in forces
        if _largest(force) > least
    ]


def applied_forces(run: AbstractSingleMotion, t: Array, q: Array, v: Array) -> list[Arrow]:
    """Return the forces of force elements at their ends, and of external wrenches, at states.

    Args:
        run: The motion.
        t: Times [s], shape (n,).
        q: Configurations, shape (n, nq).
        v: Velocities, shape (n, nv).
    """
    mechanism = run.system.mechanism
    if mechanism.nv > MOST_VELOCITIES:
        return []
    ends = [
        (force.name or force.kind, body, point)
        for force in mechanism.forces
        for body, point in force.ends
        if body != WORLD
    ]
    along, arrows = run.along(t, q, v), list[Arrow]()
    if ends:
        forces = along.expression(lambda t, q, v: _element_forces(mechanism, t, q, v))
        for k, (name, body, point) in enumerate(ends):
            xyz = tuple(map(float, point))
            arrows.append(Arrow("forces", name, _number(mechanism, body), xyz, forces[:, k]))
    if isinstance(along, QuantitiesAlongRun):
        for i, wrench in along.wrenches().items():
            name = mechanism.bodies[i].name
            force = np.einsum("nij,nj->ni", run.system.pose(name, q)[:, :3, :3], wrench[:, :3])
            arrows.append(Arrow("forces", f"wrench on {name}", i, (0.0, 0.0, 0.0), force))
    return [arrow for arrow in arrows if np.nan_to_num(arrow.values).any()]


def impulses(run: AbstractSingleMotion) -> list[Impulse]:
    """Return the impulses that bodies felt at events: m (v⁺ - v⁻) of their mass centres [N s]."""
    mechanism, felt = run.system.mechanism, list[Impulse]()
    events = [event for event in run.events if (event.v != event.v_before).any()]
    for event in events[:MOST_EVENTS]:
        before, after = (
            _momenta(mechanism, event.t, q, v)
            for q, v in ((event.q_before, event.v_before), (event.q, event.v))
        )
        change = after - before
        size = max(float(np.abs(x).max(initial=0.0)) for x in (before, after))
        felt += [
            Impulse(event.t, event.name, i, tuple(map(float, body.com)), tuple(change[i].tolist()))
            for i, body in enumerate(mechanism.bodies)
            if float(np.abs(change[i]).max()) > JUMP * size
        ]
    return felt


def _momenta(mechanism: Mechanism, t: float, q: Array, v: Array) -> Array:
    """Return the momentum of each body in world axes [N s], shape (bodies, 3)."""
    bodies = StraightBodies(mechanism, q=q, v=v, t=t)
    add_motions(bodies)
    motions = bodies.values("motion")
    velocities = [
        velocity_at("world", motions[i], np.array(body.com, dtype=float))[:3]
        for i, body in enumerate(mechanism.bodies)
    ]
    masses = np.array([float(body.mass) for body in mechanism.bodies])
    return np.asarray(masses[:, None] * np.array(velocities, dtype=float).reshape(-1, 3))


def _element_forces(mechanism: Mechanism, t: Any, q: Array, v: Array) -> Array:  # noqa: ANN401
    """Return the forces of elements on bodies in world axes [N], shape (ends, 3)."""
    bodies = StraightBodies(mechanism, q=q, v=v, t=t)
    wrenches = wrenches_of_elements(bodies)
    motions = bodies.values("motion")
    return np.array([motions[i].X_WB.R @ wrench[:3] for i, _, wrench in wrenches])


def _number(mechanism: Mechanism, body: str) -> int:
    return -1 if body == WORLD else mechanism.index(body)


def _largest(force: Array) -> float:
    return float(np.abs(np.nan_to_num(force)).max(initial=0.0))


def _interpolated(t: Array, stored: Array, values: Array) -> Array:
    return np.column_stack([np.interp(t, stored, column) for column in values.T])
