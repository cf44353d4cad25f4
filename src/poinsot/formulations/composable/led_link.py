"""The pose of a link whose only joint is led in time: y = f(t), one assembly at every instant."""

from __future__ import annotations

import numpy as np

from poinsot.expr import Expr, fresh_symbols, jacobian
from poinsot.expr.replay import replay
from poinsot.formulations.composable.joint_pose import composed, driven_pose
from poinsot.formulations.composable.pair_rows import pair_row
from poinsot.formulations.composable.unit_positions import Poses
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.spatial import Array


def led_poses(unit: Unit, linkage: PlanarLinkage, known: Poses) -> Poses | None:
    """Return the pose of the link of a unit, one state; None where the unit is another one.

    It has one joint, and one equation of its coordinate y and the time that is linear in y.
    """
    names = [pair.name for pair in (*unit.outer, *unit.inner)]
    joints = [linkage.by_name[name] for name in names if name in linkage.by_name]
    pairs = [linkage.pair_by_name[name] for name in names if name in linkage.pair_by_name]
    if len(unit.bodies) != 1 or len(joints) != 1 or len(pairs) != 1:
        return None
    (body,), (joint,), (pair,) = map(str, unit.bodies), joints, pairs
    if not isinstance(pair, RelationPair) or pair.points:
        return None
    own = [k for k, y in enumerate(pair.coordinates) if y != TIME]
    if len(own) != 1 or pair.coordinates[own[0]].joint != joint:
        return None
    if pair.coordinates[own[0]].wraps or not _is_linear(pair, own[0]):
        return None

    def placed(y: Array) -> Array:
        return composed(known[joint.other(body)], driven_pose(joint, body, y))

    rest, further = (
        pair_row(pair, {**known, body: placed(np.array(y))}).residual[..., 0] for y in (0.0, 1.0)
    )
    return {body: placed(rest / (rest - further))}


def _is_linear(pair: RelationPair, k: int) -> bool:
    """Whether the slope of an equation in its k-th coordinate is a number."""
    z = fresh_symbols("z", 2 * len(pair.coordinates))
    slope = replay(pair.program, z)[0][1 + k]
    if not isinstance(slope, Expr):
        return True
    changes = jacobian(np.array([slope], object), z).ravel().tolist()
    return not any(isinstance(x, Expr) or x != 0.0 for x in changes)
