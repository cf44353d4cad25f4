"""The equation g(x) = 0 of points and coordinates of joints on absolute coordinates.

With D = r_b + l_b - r_a, l_b = A_b s_b, o = A_a s_a, G_p the gradient by a point's three
coordinates, and N = R(φ_a) Cᵀ G_p,

    ġ = Σ N · (Ḋ - φ̇_a J D) + Σ G_y ẏ,
    g̈ = Σ N · (D̈ - φ̈_a J D - 2 φ̇_a J Ḋ - φ̇_a² D) + Σ G_y ÿ + ẋᵀ H ẋ.

The part of o, which is at rest on a, drops out of all rates.  The multiplier times the gradient of
g is the force on the points of the second links and along the coordinates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.evaluated import evaluated
from poinsot.formulations.composable.joint_rows import driver_bias, driver_rows
from poinsot.formulations.composable.plane import (
    dot,
    plain,
    point_at,
    rotated,
    scaled,
    stacked,
    turned,
    wedge,
)
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.relation_pair import RelationPair, RelationPoint
from poinsot.spatial import Array

Poses = Mapping[str, Array]


class _Seen(NamedTuple):
    """A point from the link with the axes.

    Attributes:
        D: From the origin of a to the point, in the axes of the frame, (..., 2).
        lever: A_b s_b, (..., 2).
        x: Its three coordinates, (..., 3).
    """

    D: Array
    lever: Array
    x: Array


def relation_row(pair: RelationPair, poses: Poses) -> tuple[dict[str, Array], Array]:
    """Return the coefficients (..., 1, 3) by link, and the value (..., 1)."""
    seen = [_seen(point, poses) for point in pair.points]
    x = _stacked_coordinates(pair, poses, seen)
    values = evaluated(pair.program, _side_by_side(x, 0.0 * x))
    blocks: dict[str, Array] = {}

    def add(body: str, row: Array) -> None:
        blocks[body] = blocks[body] + row[..., None, :] if body in blocks else row[..., None, :]

    for point, place, n in zip(pair.points, seen, _normals(pair, poses, values), strict=True):
        add(point.a, stacked(-n[..., 0], -n[..., 1], -wedge(place.D, n)))
        add(point.b, stacked(n[..., 0], n[..., 1], wedge(place.lever, n)))
    for k, y in enumerate(pair.coordinates):
        rows = driver_rows(y.joint, poses[y.joint.a], poses[y.joint.b])
        slope = values[..., 1 + 3 * len(seen) + k]
        if y != TIME:  # what makes time pass is no force on the ground
            add(y.joint.a, scaled(slope, rows.of_a[..., 0, :]))
        add(y.joint.b, scaled(slope, rows.of_b[..., 0, :]))
    return blocks, values[..., :1]


def relation_bias(pair: RelationPair, poses: Poses, velocities: Poses) -> Array:
    """Return what the second derivative holds besides accelerations, (..., 1)."""
    seen = [_seen(point, poses) for point in pair.points]
    x = _stacked_coordinates(pair, poses, seen)
    rates: list[Array] = []
    drifts: list[Array] = []
    for point, place in zip(pair.points, seen, strict=True):
        v_a, v_b = velocities[point.a], velocities[point.b]
        w_a, w_b = v_a[..., 2], v_b[..., 2]
        rate = v_b[..., :2] + scaled(w_b, turned(place.lever)) - v_a[..., :2]
        drift = -scaled(w_b * w_b, place.lever) - scaled(2.0 * w_a, turned(rate))
        drifts.append(drift - scaled(w_a * w_a, place.D))
        moved = rotated(-poses[point.a][..., 2], rate - scaled(w_a, turned(place.D)))
        rates.append(_along_axes(point, moved))
    for y in pair.coordinates:
        rows = driver_rows(y.joint, poses[y.joint.a], poses[y.joint.b])
        own = (rows.of_a[..., 0, :], y.joint.a), (rows.of_b[..., 0, :], y.joint.b)
        rate = sum(np.sum(row * velocities[link], axis=-1) for row, link in own)
        rates.append(np.asarray(rate)[..., None])
    values = evaluated(pair.program, _side_by_side(x, _side_by_side(*rates)))
    total = values[..., -1]
    for n, drift in zip(_normals(pair, poses, values), drifts, strict=True):
        total = total + dot(n, drift)
    for k, y in enumerate(pair.coordinates):
        ends = (y.joint.a, y.joint.b)
        bias = driver_bias(
            y.joint, (poses[ends[0]], poses[ends[1]]), (velocities[ends[0]], velocities[ends[1]])
        )
        total = total + values[..., 1 + 3 * len(seen) + k] * bias[..., 0]
    return np.asarray(total)[..., None]


def _seen(point: RelationPoint, poses: Poses) -> _Seen:
    pose = poses[point.a]
    D = point_at(poses[point.b], point.point) - pose[..., :2]
    within = rotated(-pose[..., 2], D) - np.array(point.origin)
    x = _along_axes(point, within) + np.array(point.height)
    return _Seen(D, rotated(poses[point.b][..., 2], point.point), x)


def _along_axes(point: RelationPoint, vector: Array) -> Array:
    """Return C times vectors of the plane, (..., 3)."""
    return stacked(*(c * vector[..., 0] + s * vector[..., 1] for c, s in point.axes))


def _stacked_coordinates(pair: RelationPair, poses: Poses, seen: list[_Seen]) -> Array:
    """Return x."""
    parts = [place.x for place in seen]
    for y in pair.coordinates:
        rows = driver_rows(y.joint, poses[y.joint.a], poses[y.joint.b])
        parts.append(plain(rows.residual - y.shift))
    return _side_by_side(*parts)


def _side_by_side(*parts: Array) -> Array:
    """Return numbers on the last axis of arrays, one after the other."""
    return stacked(*(values[..., k] for values in parts for k in range(values.shape[-1])))


def _normals(pair: RelationPair, poses: Poses, values: Array) -> list[Array]:
    """Return N of the points, (..., 2) each."""
    normals = []
    for k, point in enumerate(pair.points):
        G = values[..., 1 + 3 * k : 4 + 3 * k]
        within = stacked(*(sum(G[..., i] * point.axes[i][j] for i in range(3)) for j in range(2)))
        normals.append(rotated(poses[point.a][..., 2], within))
    return normals
