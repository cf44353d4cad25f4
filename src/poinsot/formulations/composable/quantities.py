"""What a planar linkage is asked for, each quantity by its name, over any scalar.

Floats, batches of them or expressions go in; the same functions are run by NumPy and traced for
machine code (``evaluate/planar_kernels.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.coulomb import (
    rubbing_joints,
    unit_efforts,
    with_friction,
)
from poinsot.formulations.composable.counted_angles import read_poses
from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows
from poinsot.formulations.composable.pair_forces import with_contact_forces
from poinsot.formulations.composable.plane import plain, point_at, rotated, scaled, turned
from poinsot.formulations.composable.positions import positions
from poinsot.formulations.composable.sweep import (
    Loads,
    Motions,
    Sweep,
    driver_accelerations,
    equations_of,
    mass_matrix_and_bias,
    reaction_on_b,
    sweep,
    velocities,
)
from poinsot.formulations.composable.transmission import transmission_squares, transmitting_joints
from poinsot.formulations.composable.unit_equations import UnitEquations
from poinsot.formulations.composable.velocity_rows import (
    driven_rates,
    least_multipliers,
    unit_multipliers,
)
from poinsot.formulations.composable.virtual_power import DriverEquations, driver_equations
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array


class PlanarState(NamedTuple):
    """What a quantity is computed from.

    Attributes:
        linkage: The linkage; its places and masses may be expressions or batches.
        modes: Assembly modes by inner joints.
        given: Coordinates "q", rates "v", accelerations "a" and forces "tau" of the drivers, each
            of shape (..., nq); the time "t", (..., 1), of linkages that change with it.
        loads: External loads by link, [Fx, Fy, M].
        poses: Poses of all links, and of the clock, where they are known already.
    """

    linkage: PlanarLinkage
    modes: Mapping[str, int]
    given: Mapping[str, Array]
    loads: Loads
    poses: Motions | None = None


class Computed(NamedTuple):
    """Results by name, and the equations of the units that they come from."""

    results: dict[str, Array]
    units: list[UnitEquations]


class PlanarQuantity(NamedTuple):
    """Which entries of ``given`` a quantity needs besides q, whether loads count, how it comes."""

    needs: tuple[str, ...]
    loaded: bool
    results: Callable[[PlanarState, Any], dict[str, Array]]


def computed(quantity: str, state: PlanarState) -> Computed:
    """Return a quantity of ``QUANTITIES``."""
    needs, _, results = QUANTITIES[quantity]
    linkage, given = state.linkage, state.given
    clock = clock_motion(linkage, given.get("t"))
    poses = state.poses or positions(linkage, given["q"], state.modes, clock.poses)
    units = equations_of(linkage, poses)
    if quantity == "positions":
        return Computed({name: plain(pose) for name, pose in poses.items()}, units)
    if quantity == "joint_places":
        return Computed({j.name: point_at(poses[j.b], j.pb) for j in linkage.joints}, units)
    if quantity == "transmission":
        return Computed(transmission_squares(linkage, poses, _driven(state, poses)), [])
    rates = given["v"] if "v" in needs else np.zeros(len(linkage.drivers))
    if quantity == "velocities":
        known = {name: motion[0] for name, motion in clock.rates.items()}
        return Computed(velocities(linkage, units, rates, known), units)
    driven = given["a"] if "a" in needs else None
    loads = state.loads
    if quantity in WITH_FRICTION and rubbing_joints(linkage):
        return Computed(_with_friction(quantity, state, units, rates, driven), units)
    if quantity == "friction":
        return Computed({}, units)  # no joint rubs
    if quantity in WITH_FRICTION and linkage.velocity_rows:
        return Computed(_with_velocity_rows(quantity, state, units, rates, driven), units)
    if quantity in OF_EXPRESSIONS and any(np.asarray(x).dtype == object for x in poses.values()):
        equations = driver_equations(
            linkage, units, poses, rates, accelerations=driven, loads=loads, known=clock.rates
        )
        return Computed({quantity: OF_EXPRESSIONS[quantity](equations, given)}, units)
    solved = sweep(
        linkage, units, poses, rates, accelerations=driven, loads=loads, known=clock.rates
    )
    return Computed(results(state, solved), units)


def _driven(state: PlanarState, poses: Motions) -> dict[str, Array]:
    """Return coordinates of drivers by name; where poses were given, from these."""
    drivers = state.linkage.drivers
    if "q" in state.given:
        return {name: state.given["q"][..., k] for k, name in enumerate(drivers)}
    joints = [state.linkage.by_name[name] for name in drivers]
    return {j.name: driver_rows(j, poses[j.a], poses[j.b]).residual[..., 0] for j in joints}


def _with_friction(
    quantity: str, state: PlanarState, units: list[UnitEquations], rates: Array,
    driven: Array | None,
) -> dict[str, Array]:  # fmt: skip
    """Return a quantity that friction changes, or friction itself."""
    linkage, poses = state.linkage, dict(units[0].poses)
    count = len(rubbing_joints(linkage))
    solved = sweep(
        linkage, units, poses, rates, accelerations=driven, loads=state.loads, further=count,
        known=clock_motion(linkage, state.given.get("t")).rates,
        outside=lambda v, a: unit_efforts(linkage, poses, a[linkage.frame].shape[-1]),
    )  # fmt: skip
    tau = state.given["tau"] if driven is None else None
    with_it, forces = with_friction(linkage, solved, tau)
    if quantity == "friction":
        return _named_friction(linkage, forces)
    if quantity == "forward_dynamics":
        return {"forward_dynamics": _driver_rates(linkage, with_it)}
    return QUANTITIES[quantity].results(state, with_it)


def _with_velocity_rows(
    quantity: str, state: PlanarState, units: list[UnitEquations], rates: Array,
    driven: Array | None,
) -> dict[str, Array]:  # fmt: skip
    """Return a quantity that forces of constraints on velocities change."""
    linkage, poses = state.linkage, dict(units[0].poses)
    seen = read_poses(linkage, poses)
    count, tau = len(linkage.velocity_rows), state.given.get("tau", np.zeros(1))
    solved = sweep(
        linkage, units, poses, rates, accelerations=driven, loads=state.loads, further=count,
        known=clock_motion(linkage, state.given.get("t")).rates,
        outside=lambda v, a: unit_multipliers(linkage, seen, a[linkage.frame].shape[-1]),
    )  # fmt: skip
    solved = replace(solved, poses=seen)
    if driven is None:
        return {"forward_dynamics": driven_rates(linkage, solved, tau)[0]}
    lam = least_multipliers(linkage, solved, tau)
    results = QUANTITIES[quantity].results(state, solved.at(lam))
    if quantity != "reactions":
        return results
    names = [row.name for row in linkage.velocity_rows]
    return results | {name: lam[..., k : k + 1] for k, name in enumerate(names)}


def _named_friction(linkage: PlanarLinkage, forces: Array) -> dict[str, Array]:
    return {joint.name: forces[..., k : k + 1] for k, joint in enumerate(rubbing_joints(linkage))}


def _driver_rates(linkage: PlanarLinkage, solved: Sweep) -> Array:
    """Return q̈ of the drivers from the accelerations of their links."""
    rates = []
    for joint in (linkage.by_name[name] for name in linkage.drivers):
        ends = joint.a, joint.b
        poses = tuple(solved.poses[body] for body in ends)
        rows = driver_rows(joint, *poses)
        a = [solved.accelerations[body][..., 0] for body in ends]
        rate = np.sum(rows.of_a[..., 0, :] * a[0] + rows.of_b[..., 0, :] * a[1], axis=-1)
        v = tuple(solved.velocities[body] for body in ends)
        bias = driver_bias(joint, (poses[0], poses[1]), (v[0], v[1]))[..., 0]
        rates.append(rate + bias)
    return np.stack(np.broadcast_arrays(*rates), axis=-1)


def inputs_of(linkage: PlanarLinkage, quantity: str) -> tuple[str, ...]:
    """Return the entries of ``given`` that a quantity of a linkage needs besides q."""
    needs = QUANTITIES[quantity].needs
    if linkage.velocity_rows and quantity in OF_DRIVER_FORCES:
        needs = (*needs, "tau")
    return (*needs, "t") if linkage.is_timed else needs


def result_shapes(linkage: PlanarLinkage, quantity: str) -> dict[str, tuple[int, ...]]:
    """Return the shapes of a quantity's results at one state by name."""
    nq = len(linkage.drivers)
    if quantity in ("positions", "velocities", "accelerations"):
        return dict.fromkeys((*linkage.links, linkage.frame), (3,))
    if quantity == "joint_places":
        return {joint.name: (2,) for joint in linkage.joints}
    if quantity == "joint_motions":
        return {joint.name: (3, 2) for joint in linkage.joints}
    if quantity == "reactions":
        shapes: dict[str, tuple[int, ...]] = {
            joint.name: (linkage.rows[joint.name],) for joint in linkage.joints
        }
        shown = [pair for pair in linkage.pairs if not getattr(pair, "is_helper", False)]
        return shapes | {pair.name: (1,) for pair in (*shown, *linkage.velocity_rows)}
    if quantity == "friction":
        return {joint.name: (1,) for joint in rubbing_joints(linkage)}
    if quantity == "transmission":
        return dict.fromkeys(transmitting_joints(linkage), (1,))
    sizes: dict[str, tuple[int, ...]] = {"mass_matrix": (nq, nq), "shaking_force": (3,)}
    return {quantity: sizes.get(quantity, (nq,))}


def _accelerations(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    return {name: motion[..., 0] for name, motion in solved.accelerations.items()}


def _joint_motions(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    motions = {}
    for joint in state.linkage.joints:
        pose, v = solved.poses[joint.b], solved.velocities[joint.b]
        a = solved.accelerations[joint.b][..., 0]
        s = rotated(pose[..., 2], joint.pb)
        place, w = pose[..., :2] + s, v[..., 2]
        velocity = v[..., :2] + scaled(w, turned(s))
        acceleration = a[..., :2] + scaled(a[..., 2], turned(s)) - scaled(w**2, s)
        motions[joint.name] = np.stack(np.broadcast_arrays(place, velocity, acceleration), axis=-2)
    return motions


def _mass_matrix(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    return {"mass_matrix": mass_matrix_and_bias(solved)[0]}


def _bias(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    return {"bias": mass_matrix_and_bias(solved)[1]}


def _inverse_dynamics(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    return {"inverse_dynamics": solved.drivers[..., 0]}


def _forward_dynamics(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    try:
        return {"forward_dynamics": driver_accelerations(solved, state.given["tau"])}
    except np.linalg.LinAlgError:
        raise without_inertia("forward_dynamics", state.linkage) from None


def without_inertia(where: str, linkage: PlanarLinkage) -> ModelError:
    """Return the error of drivers that move nothing that has a mass."""
    return ModelError(
        f"{where}: a driver of {', '.join(linkage.drivers)} moves no mass, so that its acceleration"
        ' is not determined; give the links that it moves a mass "m" or an inertia "J"'
    )


def _reactions(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    linkage, multipliers = state.linkage, solved.multipliers
    on_second = {j.name: reaction_on_b(j, multipliers[j.name])[..., 0] for j in linkage.joints}
    if not linkage.pairs:
        return on_second
    of_pairs = {pair.name: multipliers[pair.name][..., 0] for pair in linkage.pairs}
    return with_contact_forces(linkage, solved.poses, of_pairs, on_second)


def _shaking_force(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    return {"shaking_force": solved.loads[state.linkage.frame][..., 0]}


def _kinematic(state: PlanarState, solved: Sweep) -> dict[str, Array]:
    raise AssertionError("places and velocities need no sweep of forces")


QUANTITIES: Mapping[str, PlanarQuantity] = {
    "positions": PlanarQuantity((), loaded=False, results=_kinematic),
    "joint_places": PlanarQuantity((), loaded=False, results=_kinematic),
    "transmission": PlanarQuantity((), loaded=False, results=_kinematic),
    "velocities": PlanarQuantity(("v",), loaded=False, results=_kinematic),
    "accelerations": PlanarQuantity(("v", "a"), loaded=False, results=_accelerations),
    "joint_motions": PlanarQuantity(("v", "a"), loaded=False, results=_joint_motions),
    "mass_matrix": PlanarQuantity((), loaded=False, results=_mass_matrix),
    "bias": PlanarQuantity(("v",), loaded=True, results=_bias),
    "inverse_dynamics": PlanarQuantity(("v", "a"), loaded=True, results=_inverse_dynamics),
    "forward_dynamics": PlanarQuantity(("v", "tau"), loaded=True, results=_forward_dynamics),
    "reactions": PlanarQuantity(("v", "a"), loaded=True, results=_reactions),
    "friction": PlanarQuantity(("v", "a"), loaded=True, results=_kinematic),
    "shaking_force": PlanarQuantity(("v", "a"), loaded=True, results=_shaking_force),
}
"""Every quantity by its name."""

OF_EXPRESSIONS: Mapping[str, Callable[[DriverEquations, Mapping[str, Array]], Array]] = {
    "mass_matrix": lambda equations, given: equations.mass_matrix,
    "bias": lambda equations, given: equations.forces,
    "inverse_dynamics": lambda equations, given: equations.forces,
    "forward_dynamics": lambda equations, given: ldl_solve(
        *ldl(equations.mass_matrix), given["tau"] - equations.forces
    ),
}
"""Quantities that need no reactions, as expressions."""

BY_NAME = (
    "positions", "joint_places", "transmission", "velocities", "accelerations", "joint_motions",
    "reactions", "friction",
)  # fmt: skip
"""Quantities of links or joints: one result for each of them.  Others are of the drivers."""
WITH_FRICTION = ("inverse_dynamics", "forward_dynamics", "reactions", "shaking_force", "friction")
"""Those that Coulomb friction changes, and forces of constraints on velocities."""
OF_DRIVER_FORCES = ("reactions", "shaking_force")
"""Those that depend on how drivers and constraints on velocities share the forces of a motion."""
