"""What ``verify`` checks of planar mechanisms: units against differences and the closed system."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import AssemblyError, SingularUnitError
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.element_forces import element_forces
from poinsot.formulations.composable.joint_rows import driver_rows, joint_rows
from poinsot.formulations.composable.nearby_positions import linkage_size
from poinsot.formulations.composable.pair_rows import pair_row
from poinsot.formulations.composable.plane import direction, point_at, scaled, turned
from poinsot.front.planar_evaluation import Places
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.model.planar.clock import CLOCK
from poinsot.model.planar.joint import PlanarJoint
from poinsot.spatial import Array
from poinsot.verification.comparison import SMALLEST, Check, Report, largest

AGREEMENT: Final = 1e-9
DIFFERENCES: Final = 1e-5
"""Of velocities by differences of positions."""
STEP: Final = 1e-6
CLEAR: Final = 1e-2
"""Nearness of units to dead points that states need."""
SAMPLES: Final = 10
"""Positions of a turn for each state that is asked for, of which the first fitting one is taken."""
NEARER: Final = 8
"""How often the reach is halved where no position of the turn fits."""
LATEST: Final = 1.0
"""After the drawing, at which mechanisms that change with time are looked at [s]."""
ANYWHERE: Final = 400
"""Random coordinates that are tried where neither drawing nor zeros can be assembled."""
LIGHT: Final = 1e-10
"""Least eigenvalue of the scaled mass matrix below which some driver moves no mass."""
ENOUGH: Final = 0.5
"""Share of the states that may be missing."""

Worst = dict[str, float]
BoolArray = NDArray[np.bool_]


def verify_planar(mechanism: PlanarMechanism, n_states: int, seed: int) -> Report:
    """Return the checks of a planar mechanism at states all over a turn of its drivers."""
    rng = np.random.default_rng(seed)
    worst: Worst = {}
    states, n_near = _states(mechanism, n_states, rng)
    is_heavy = all(_moves_mass(mechanism, q, t) for q, t in states)
    mechanism = mechanism if is_heavy else _with_masses(mechanism)
    for q, t in states:
        for name, difference in _differences(mechanism, q, t, rng).items():
            worst[name] = max(worst.get(name, 0.0), difference)
    limits = {"velocities: units, differences of positions": DIFFERENCES}
    checks = tuple(Check(name, x, limits.get(name, AGREEMENT)) for name, x in worst.items())
    missing = 1.0 - len(states) / n_states
    if missing > ENOUGH:
        name = f"states that could be assembled: {len(states)} of {n_states}, share missing"
        checks = (*checks, Check(name, missing, ENOUGH))
    note = f"positions all over a turn, {len(states)} of them away from dead points"
    if not is_heavy:
        note += "; links without mass, some of which drivers move alone, got 1 kg and 1 kg m²"
    if n_near:
        note += f", {n_near} of these near the drawing, as it does not reach all the way round"
    return Report("planar mechanism", len(states), checks, note)


def _states(
    mechanism: PlanarMechanism, n_states: int, rng: np.random.Generator
) -> tuple[list[tuple[Array, float]], int]:
    """Return coordinates and times at which it can be assembled; how many of them are nearer.

    All over a turn; where that is not possible, nearer and nearer to the drawing, or else to the
    first state that was found.
    """
    linkage = mechanism.linkage
    is_angle = np.array([linkage.by_name[name].kind == "R" for name in linkage.drivers])
    is_drawn = linkage.drawn is not None
    middle = mechanism.drawn if is_drawn else np.zeros(len(is_angle))
    states: list[tuple[Array, float]] = []
    times = linkage.drawn_at + linkage.is_timed * rng.uniform(0.0, LATEST, n_states)
    failed = []
    for k in range(n_states):
        for i in range(SAMPLES):
            turn = 2.0 * np.pi * (k + (i + rng.uniform()) / SAMPLES) / n_states
            reach = np.where(is_angle, turn, 0.1 * rng.normal()) / (1 + (len(is_angle) > 1) * 9)
            q = middle + reach * (0.9 ** np.arange(len(is_angle)))
            if _is_clear(mechanism, q, times[k]):
                states.append((q, times[k]))
                break
        else:
            failed.append(k)
    n_far = len(states)
    centre = middle if is_drawn or not states else states[0][0]
    if not is_drawn and not states:
        centre = _anywhere(mechanism, is_angle, rng)
    for k in failed:
        for i in range(NEARER):
            reach = np.where(is_angle, np.pi, 0.1) * 0.5 ** (i + 1)
            q = centre + reach * rng.uniform(-1.0, 1.0, len(is_angle))
            if _is_clear(mechanism, q, times[k]):
                states.append((q, times[k]))
                break
    return states, len(states) - n_far


def _anywhere(mechanism: PlanarMechanism, is_angle: BoolArray, rng: np.random.Generator) -> Array:
    """Return coordinates at which it can be assembled, from among random ones; the last if none."""
    reach = np.where(is_angle, np.pi, 2.0 * linkage_size(mechanism.linkage))
    for _ in range(ANYWHERE):
        q = reach * rng.uniform(-1.0, 1.0, len(is_angle))
        if _is_clear(mechanism, q, 0.0):
            break
    return q


def _moves_mass(mechanism: PlanarMechanism, q: Array, t: float) -> bool:
    """Whether each driver moves some mass: forces determine accelerations."""
    M = mechanism.mass_matrix(q, t=t)
    size = np.sqrt(np.maximum(np.diagonal(M), SMALLEST))
    return bool(np.linalg.eigvalsh(M / np.outer(size, size))[0] > LIGHT)


def _with_masses(mechanism: PlanarMechanism) -> PlanarMechanism:
    """Return the mechanism with masses on all links that have none, such as ports of units."""
    linkage = mechanism.linkage
    links = {
        name: link if link.mass or link.inertia else replace(link, mass=1.0, inertia=1.0)
        for name, link in linkage.links.items()
    }
    return PlanarMechanism(replace(linkage, links=links), mechanism.modes)


def _is_clear(mechanism: PlanarMechanism, q: Array, t: float) -> bool:
    """Whether the mechanism can be assembled away from dead points."""
    try:
        nearness = mechanism.nearness(q, t=t).values()
    except (AssemblyError, SingularUnitError):
        return False
    return min(map(float, nearness), default=1.0) > CLEAR


def _differences(mechanism: PlanarMechanism, q: Array, t: float, rng: np.random.Generator) -> Worst:
    linkage, nq = mechanism.linkage, len(q)
    v, a = rng.normal(size=nq), rng.normal(size=nq)
    if linkage.velocity_rows:  # accelerations that they allow
        a = mechanism.forward_dynamics(q, v, a, t=t)
    loads = {link: rng.normal(size=3) for link in linkage.links}
    poses, rates = mechanism.positions(q, t=t), mechanism.velocities(q, v, t=t)
    still = mechanism.velocities(q, 0.0 * v, t=t)  # what time alone moves
    motions = mechanism.accelerations(q, v, a, t=t)
    worst = {"joints are closed": _gap(mechanism, poses, t)}
    ends = [mechanism.positions(q + h * v, t=t + h) for h in (STEP, -STEP)]
    moved = {link: ends[0][link] - ends[1][link] for link in linkage.links}
    turns = {link: (x[2] + np.pi) % (2.0 * np.pi) - np.pi for link, x in moved.items()}
    steps = np.array([[*moved[link][:2], turns[link]] for link in linkage.links]) / (2.0 * STEP)
    expected = np.array([rates[link] for link in linkage.links])
    worst["velocities: units, differences of positions"] = _apart(steps, expected)
    M = mechanism.mass_matrix(q, t=t)
    worst["M is symmetric"] = _apart(M, M.T)
    energy, momentum, spin = 0.0, np.zeros(2), 0.0
    for name, link in linkage.links.items():
        lever = point_at(poses[name], link.com) - poses[name][:2]
        rate = rates[name] - still[name]
        velocity = rate[:2] + rate[2] * turned(lever)
        energy += 0.5 * (link.mass * velocity @ velocity + link.inertia * rate[2] ** 2)
        acceleration = motions[name][:2] + motions[name][2] * turned(lever)
        acceleration = acceleration - scaled(rates[name][2] ** 2, lever)
        weight = link.mass * np.asarray(linkage.gravity) + loads[name][:2]
        force = weight - link.mass * acceleration
        momentum = momentum + force
        x, y = point_at(poses[name], link.com)
        spin += x * force[1] - y * force[0] + loads[name][2] - link.inertia * motions[name][2]
    for joint in linkage.joints:
        energy += 0.5 * joint.armature * _rate_of(joint, poses, rates, still) ** 2
    for rotors in linkage.coupled_rotors:
        first, second = (
            _rate_of(linkage.by_name[joint], poses, rates, still)
            for joint in (rotors.first, rotors.second)
        )
        energy += float(rotors.inertia) * first * second
    worst["vᵀ M v / 2 is the kinetic energy"] = _apart(0.5 * v @ M @ v, energy)
    for name, acting in _acting(mechanism, poses, rates, t).items():
        x, y = poses[name][:2]
        momentum = momentum + acting[:2]
        spin += float(acting[2] + x * acting[1] - y * acting[0])
    shaking = mechanism.shaking_force(q, v, a, t=t, loads=loads)
    worst["shaking force is the rate of momentum"] = _apart(shaking[:2], momentum)
    reach = max(largest(pose[:2]) for pose in poses.values())
    size = max(abs(spin), reach * largest(momentum), SMALLEST)
    worst["shaking moment is the rate of angular momentum"] = abs(shaking[2] - spin) / size
    tau = mechanism.inverse_dynamics(q, v, a, t=t, loads=loads)
    again = mechanism.forward_dynamics(q, v, tau, t=t, loads=loads)
    worst["forward of inverse dynamics"] = _apart(again, a)
    if not linkage.of_systems and not any(getattr(x, "partner", "") for x in linkage.pairs):
        worst |= _from_system(mechanism, q, v, tau)
    return worst


def _rate_of(joint: PlanarJoint, poses: Places, rates: Places, still: Places) -> float:
    """Return the rate of a joint's coordinate by the drivers' rates."""
    rows = driver_rows(joint, poses[joint.a], poses[joint.b])
    a, b = (rates[body] - still[body] for body in (joint.a, joint.b))
    return float((rows.of_a @ a + rows.of_b @ b)[0])


def _acting(mechanism: PlanarMechanism, poses: Places, rates: Places, t: float) -> Places:
    """Return forces of elements on all links and the ground: what acts from outside is left."""
    clock = clock_motion(mechanism.linkage, np.array([t]))
    moved = rates | {name: rate for name, (rate, _) in clock.rates.items()}
    forces = element_forces(mechanism.linkage, poses | clock.poses, moved)
    return {name: force for name, force in forces.items() if name != CLOCK}


def _gap(mechanism: PlanarMechanism, poses: dict[str, Array], t: float) -> float:
    gaps, poses = [], poses | clock_motion(mechanism.linkage, np.array([t])).poses
    for joint in mechanism.linkage.joints:
        residual = joint_rows(joint, poses[joint.a], poses[joint.b]).residual
        gaps.append(largest(residual[: 2 if joint.kind == "R" else 1]))
    for pair in mechanism.linkage.pairs:
        gap = float(pair_row(pair, poses).residual[0])
        gaps.append(abs(gap if pair.is_length else (gap + np.pi) % (2.0 * np.pi) - np.pi))
    return max(gaps)


def _from_system(mechanism: PlanarMechanism, q: Array, v: Array, tau: Array) -> Worst:
    """Return how far accelerations and reactions are from the closed system's, without friction."""
    linkage = mechanism.linkage
    block = mechanism.description
    if any(joint.mu for joint in linkage.joints):
        joints = [{k: x for k, x in joint.items() if k not in ("mu", "radius", "length", "slip")}
                  if joint.get("type", "R") in ("R", "P") else joint
                  for joint in block["joints"]]  # fmt: skip
        mechanism = PlanarMechanism.from_description(block | {"joints": joints})
    system = mechanism.system()
    q_all, v_all = mechanism.system_state(q, v)
    columns = [system.v_slice(name).start for name in linkage.drivers]
    driven = np.zeros(system.nv)
    driven[columns] = tau
    expected = system.forward_dynamics(q_all, v_all, driven, backend="floats")[columns]
    a = mechanism.forward_dynamics(q, v, tau)
    wrenches = system.reactions(q_all, v_all, tau=driven, axes="world", backend="floats")
    poses, reactions = mechanism.positions(q), mechanism.reactions(q, v, a)
    rows: list[tuple[Array, Array]] = []
    for joint in linkage.joints:
        wrench = wrenches[joint.name]
        if joint.kind == "P":
            x, y = direction(poses[joint.a][2] + joint.ua)
            wrench = np.array([x * wrench[1] - y * wrench[0], wrench[5]])
        ours_here = reactions[joint.name]  # [N] alone of slides that close a loop of slides
        rows.append((ours_here, wrench[: len(ours_here)]))
    ours, theirs = (np.concatenate(side) for side in zip(*rows, strict=True))
    worst = {"forward dynamics: units, closed system": _apart(a, expected)}
    if not linkage.pairs:  # relations of coordinates in the system: their forces are in no pin
        worst["reactions: units, closed system"] = _apart(ours, theirs)
    return worst


def _apart(result: Array | float, expected: Array | float) -> float:
    """Return the largest difference, relative to the largest entry."""
    size = max(largest(np.atleast_1d(expected)), SMALLEST)
    return largest(np.atleast_1d(result) - np.atleast_1d(expected)) / size
