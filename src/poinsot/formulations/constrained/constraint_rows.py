"""All rows of a mechanism's constraints at one state, and the wrenches of their multipliers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poinsot.expr.least_squares import significant
from poinsot.formulations.constrained.cut_joint_forces import with_elements_at_cut_joints
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import WORLD, AbstractClosure, Environment, FramePair, Loop, Mechanism, Rows
from poinsot.spatial import Array, Scalar


def all_rows(mechanism: Mechanism, q: Array, v: Array, t: Scalar = 0.0) -> Rows:
    """Return the rows of the loops and constraints, one under the other.

        J a + gamma = 0,        J v + drift = 0,        phi = 0

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        t: Time [s].
    """
    return rows_of(mechanism, MechanismView(mechanism, q, v, t))


def rows_of(mechanism: Mechanism, view: MechanismView) -> Rows:
    """Return the rows of all constraints for a view of the mechanism, to be solved.

    Rows of J that are rounding error are zeros: as directions they would be arbitrary ones.
    """
    rows = unmasked_rows(mechanism, view)
    return replace(rows, J=significant(rows.J))


def unmasked_rows(mechanism: Mechanism, view: MechanismView) -> Rows:
    """Return the rows of all constraints for a view of the mechanism, to be differentiated.

    A row may vanish at a singular configuration; its derivatives do not.
    """
    blocks = [constraint.rows(view) for constraint in mechanism.closures]
    if not blocks:
        return Rows(np.zeros(0), np.zeros((0, mechanism.nv)), np.zeros(0), np.zeros(0))
    return Rows(
        np.concatenate([block.phi for block in blocks]),
        np.concatenate([block.J for block in blocks]),
        np.concatenate([block.drift for block in blocks]),
        np.concatenate([block.gamma for block in blocks]),
    )


def constraint_residual(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return phi, the residual of the positions, shape (m,)."""
    return all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t).phi


def constraint_rate(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return J v + drift, the residual of the velocities, shape (m,)."""
    rows = unmasked_rows(mechanism, MechanismView(mechanism, q, v, environment.t))
    rate: Array = rows.J @ v + rows.drift
    return rate


def constraint_bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return gamma, the second rate of phi while no joint accelerates, shape (m,)."""
    return all_rows(mechanism, q, v, environment.t).gamma


def constraint_jacobian(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return J, shape (m, nv)."""
    return all_rows(mechanism, q, np.zeros(mechanism.nv), environment.t).J


def unmasked_jacobian(mechanism: Mechanism, q: Array, environment: Environment) -> Array:
    """Return J to be differentiated, shape (m, nv); see ``unmasked_rows``."""
    view = MechanismView(mechanism, q, np.zeros(mechanism.nv), environment.t)
    return unmasked_rows(mechanism, view).J


def least_norm_cost(mechanism: Mechanism) -> float:
    """Return about how many operations multipliers of least norm take: those on entries of J."""
    entries, slices = 0, mechanism.v_slices
    for constraint in mechanism.closures:
        named = [mechanism.joint_and_entry(name)[0] for name in constraint.joints]
        cut = [mechanism.loops[mechanism.cut_joints[x]] for x in named if x in mechanism.cut_joints]
        moved: set[int] = {
            mechanism.joint_names.index(x) for x in named if x not in mechanism.cut_joints
        }
        for pair in (*constraint.pairs, *(loop.pair for loop in cut)):
            paths = [
                set(mechanism.path(mechanism.index(body)) if body != WORLD else ())
                for body, _ in pair
            ]
            moved |= paths[0] ^ paths[1]
        n_moved = sum(slices[i].stop - slices[i].start for i in moved)
        entries += len(constraint.locked) * n_moved
    return 3.0 * entries * (len(mechanism.row_names) + mechanism.nv)


def closure_wrenches(mechanism: Mechanism, view: MechanismView, lam: Array) -> dict[int, Array]:
    """Return the wrenches of all constraints on bodies, by number as listed, each (6,).

    At the body's origin in its axes.  Couplings of coordinates act along joints and exert no
    wrenches on bodies.
    """
    total: dict[int, Array] = {}
    for constraint, row_slice in zip(mechanism.closures, mechanism.row_slices, strict=True):
        for pair, wrench in zip(
            constraint.pairs, constraint.loads(view, lam[row_slice]), strict=False
        ):
            add_wrench(mechanism, view, pair, wrench, total)
    for k, force in forces_in_cut_joints(mechanism, view, lam).items():
        loop = mechanism.loops[k]
        wrench = loop.drive(view.frame(loop.pair), force)
        add_wrench(mechanism, view, loop.pair, wrench, total)
    return total


def forces_in_cut_joints(mechanism: Mechanism, view: MechanismView, lam: Array) -> dict[int, Array]:
    """Return the forces of constraints on the coordinates of cut joints, along their velocities.

    By the number of the loop, shape (nv of its joint,).
    """
    total: dict[int, Array] = {}
    for constraint, row_slice in zip(mechanism.closures, mechanism.row_slices, strict=True):
        if isinstance(constraint, Loop) or not constraint.joints:
            continue
        named = [mechanism.joint_and_entry(name) for name in constraint.joints]
        if not any(joint in mechanism.cut_joints for joint, _ in named):
            continue
        forces = constraint.joint_forces(view, lam[row_slice])
        for (joint, entry), force in zip(named, forces, strict=True):
            if joint in mechanism.cut_joints:
                k = mechanism.cut_joints[joint]
                along = np.eye(mechanism.loops[k].nv)[entry or 0] * force[0]
                total[k] = total[k] + along if k in total else along
    return total


def with_closures(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> Environment:
    """Return the environment plus the wrenches of springs, dampers and drives in loops and curves.

    And the forces of elements that name a joint that closes a loop.

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        environment: The external loads.
    """
    environment = with_elements_at_cut_joints(mechanism, q, v, environment)
    view, total = MechanismView(mechanism, q, v, environment.t), dict(environment.wrenches)
    for k, constraint in enumerate(mechanism.closures):
        if isinstance(constraint, AbstractClosure) and (
            constraint.is_passive or k in environment.drives
        ):
            wrench = constraint.applied(view.frame(constraint.pair), environment.drives.get(k))
            add_wrench(mechanism, view, constraint.pair, wrench, total)
    return replace(environment, wrenches=total)


def add_wrench(
    mechanism: Mechanism,
    view: MechanismView,
    pair: FramePair,
    wrench: Array,
    total: dict[int, Array],
) -> None:
    """Add a wrench on the second frame's body, and the opposite on the first's.

    Args:
        mechanism: The bodies.
        view: Their motion.
        pair: The two frames.
        wrench: [f; n] on the second, in its frame's axes at its origin, shape (6,).
        total: The sums by body, updated in place.
    """
    (first, E), (second, F) = pair
    at_first = view.frame(pair).X.force_to_parent(-wrench)
    for body, load in (
        (first, E.transform().force_to_parent(at_first)),
        (second, F.transform().force_to_parent(wrench)),
    ):
        if body != WORLD:
            i = mechanism.index(body)
            total[i] = total[i] + load if i in total else load
