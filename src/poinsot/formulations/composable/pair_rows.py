"""The equation of a gear, a rack or a cam on absolute coordinates: y_b - f(y_a) = 0.

Those of points on curves, of directions along them, and of systems' constraints are in
``curve_rows.py``, ``tangent_rows.py``, ``relation_rows.py`` and ``row_pair_rows.py``.

y_a and y_b are coordinates of joints, whose rows are those of drivers.  With these rows

    row  = row_b - f' row_a,      bias = bias_b - f' bias_a - f'' (dy_a/dt)²,

which touches the two links and what carries them.  The multiplier is the force or couple on link b
along y_b.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.curve_rows import curve_bias, curve_row
from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows
from poinsot.formulations.composable.plane import scaled
from poinsot.formulations.composable.relation_rows import relation_bias, relation_row
from poinsot.formulations.composable.row_pair_rows import row_pair_bias, row_pair_row
from poinsot.formulations.composable.tangent_rows import tangent_bias, tangent_row
from poinsot.model.planar.curve_pair import CurvePair
from poinsot.model.planar.higher_pair import HigherPair, PlanarPair
from poinsot.model.planar.relation_pair import RelationPair
from poinsot.model.planar.row_pair import RowPair
from poinsot.spatial import Array

Poses = Mapping[str, Array]


class PairRow(NamedTuple):
    """The equation of a pair: coefficients (..., 1, 3) by link, and its value (..., 1)."""

    blocks: dict[str, Array]
    residual: Array


def pair_coordinates(pair: HigherPair, poses: Poses) -> tuple[Array, Array]:
    """Return y_a and y_b, (...) each."""
    y_a, y_b = (
        driver_rows(joint, poses[joint.a], poses[joint.b]).residual[..., 0] for joint in pair.joints
    )
    return pair.sign_a * y_a, pair.sign_b * y_b


def pair_row(pair: PlanarPair, poses: Poses) -> PairRow:
    """Return the equation of a pair at given poses."""
    if isinstance(pair, CurvePair):
        return PairRow(*(tangent_row if pair.is_tangent else curve_row)(pair, poses))
    if isinstance(pair, RelationPair):
        return PairRow(*relation_row(pair, poses))
    if isinstance(pair, RowPair):
        return PairRow(*row_pair_row(pair, poses))
    y_a, y_b = pair_coordinates(pair, poses)
    value, slope, _ = pair.law(y_a)
    blocks: dict[str, Array] = {}
    first, second = pair.joints
    for joint, factor in ((second, pair.sign_b + 0.0 * slope), (first, -pair.sign_a * slope)):
        rows = driver_rows(joint, poses[joint.a], poses[joint.b])
        for body, row in ((joint.a, rows.of_a), (joint.b, rows.of_b)):
            term = scaled(factor, row[..., 0, :])[..., None, :]
            blocks[body] = blocks[body] + term if body in blocks else term
    return PairRow(blocks, np.asarray(y_b - value)[..., None])


def pair_bias(pair: PlanarPair, poses: Poses, velocities: Poses) -> Array:
    """Return what its second derivative holds besides accelerations, (..., 1)."""
    if isinstance(pair, CurvePair):
        return (tangent_bias if pair.is_tangent else curve_bias)(pair, poses, velocities)
    if isinstance(pair, RelationPair):
        return relation_bias(pair, poses, velocities)
    if isinstance(pair, RowPair):
        return row_pair_bias(pair, poses, velocities)
    first, second = pair.joints
    y_a, _ = pair_coordinates(pair, poses)
    _, slope, bend = pair.law(y_a)
    rows = driver_rows(first, poses[first.a], poses[first.b])
    rate = np.sum(rows.of_a[..., 0, :] * velocities[first.a], axis=-1)
    rate = rate + np.sum(rows.of_b[..., 0, :] * velocities[first.b], axis=-1)
    biases = [
        driver_bias(j, (poses[j.a], poses[j.b]), (velocities[j.a], velocities[j.b]))[..., 0]
        for j in (first, second)
    ]
    total = pair.sign_b * biases[1] - pair.sign_a * slope * biases[0] - bend * rate * rate
    return np.asarray(total)[..., None]
