"""Multipliers of loops and constraints of a mechanism in a plane, from those of its units.

The multipliers of units that are driven as the mechanism moves are forces in the plane, which hold
all links in equilibrium: Kᵀ λ = M a - f.  What loops carry across the plane does no work and is not
determined; it is zero, as in the solution of least norm.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr.rank_tolerances import RANK
from poinsot.formulations.composable.joint_rows import geometry
from poinsot.formulations.composable.mechanism_dynamics import ClosedUnits
from poinsot.formulations.composable.motion_rows import motion_rows
from poinsot.formulations.composable.sweep import reaction_on_b
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.formulations.kinematics import body_pose
from poinsot.model import WORLD, Environment, Loop, Mechanism
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.linkage import PlanarJoint
from poinsot.model.planar.relation_pair import relation_names
from poinsot.spatial import Array


def motion_multipliers(
    mechanism: Mechanism, q: Array, v: Array, a: Array, tau: Array, environment: Environment
) -> Array:
    """Return lam of M a + bias = tau + Jᵀ lam by units, shape (m,), at accelerations that close.

    Raises:
        SingularUnitError: Loops are singular at q.
        OverconstrainedError: Loops hold links more often than planar motion can follow.
    """
    units = ClosedUnits(mechanism, q)
    others, view = units.plane.others, MechanismView(mechanism, q, v, environment.t)
    lam = np.zeros(len(mechanism.row_names))
    if others:
        slices = dict(zip(mechanism.closures, mechanism.row_slices, strict=True))
        numbers = np.r_[tuple(slices[constraint] for constraint in others)]
        lam[numbers], forces = units.other_multipliers(v, a, tau, environment)
        tau = tau + forces
    result = units.swept(v, a, tau, environment)
    for constraint, rows in zip(mechanism.closures, mechanism.row_slices, strict=True):
        if constraint in others:
            continue
        if not isinstance(constraint, Loop):
            own = relation_names(constraint.name, constraint.locked)
            lam[rows] = [result.multipliers[name][0, 0] for name in own]
            continue
        joint = units.linkage.by_name.get(constraint.name)
        if joint is None:  # it moves freely in the plane
            continue
        force, couple = _on_b(units, joint, result.multipliers[joint.name][:, 0])
        if joint.name in units.linkage.drivers:
            k = units.linkage.drivers.index(joint.name)
            u = geometry(joint, units.poses[joint.a], units.poses[joint.b]).u
            force = force + result.drivers[k, 0] * u
        body, pose = constraint.second
        sign = 1.0 if joint.b == (FRAME if body == WORLD else body) else -1.0
        R = pose.transform().R
        if body != WORLD:
            R = body_pose(mechanism, mechanism.index(body), q).R @ R
        plane = units.plane
        wrench = sign * np.concatenate([R.T @ (force @ plane.axes), R.T @ (couple * plane.normal)])
        count = rows.stop - rows.start
        columns = [constraint.loads(view, unit)[0] for unit in np.eye(count)]
        lam[rows] = np.linalg.lstsq(np.stack(columns, axis=-1), wrench, rcond=None)[0]
    if not others:
        return lam
    J, _ = motion_rows(mechanism, mechanism.closures, (q, v, environment.t))
    least: Array = np.linalg.lstsq(J.T, J.T @ lam, rcond=RANK)[0]  # rows may depend on each other
    return least


def _on_b(units: ClosedUnits, joint: PlanarJoint, multipliers: Array) -> tuple[Array, float]:
    """Return force and couple on the second link of a joint, at its point there."""
    reaction = reaction_on_b(joint, multipliers)
    if joint.kind == "R":
        return reaction, 0.0
    n = geometry(joint, units.poses[joint.a], units.poses[joint.b]).n
    return reaction[0] * n, float(reaction[1]) if len(reaction) > 1 else 0.0
