"""The equation of a point on a curve on absolute coordinates: g(p) / |∇g| = 0.

p is the point in the axes of the curve, whose axes have the angle φ_c = φ_a + u_a.  With
D = r_b + l_b - r_a, l_b = A_b s_b, N = A_c ∇g and J the turn by +90°,

    ġ = N · (Ḋ - φ̇_a J D),
    g̈ = N · (D̈ - φ̈_a J D - 2 φ̇_a J Ḋ - φ̇_a² D) + ṗᵀ H ṗ,    ṗ = A_cᵀ (Ḋ - φ̇_a J D).

All of it is divided by |N|, which changes nothing where g = ġ = 0, so that the multiplier is the
force on link b along the unit normal [N].  The curvature of the curve is t · H t / |∇g|, t its
tangent; it is positive where the centre lies against ∇g.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from poinsot.formulations.composable.evaluated import evaluated
from poinsot.formulations.composable.joint_pose import composed
from poinsot.formulations.composable.plane import (
    angle_of,
    dot,
    plain,
    point_at,
    rotated,
    scaled,
    square_root,
    stacked,
    turned,
    wedge,
)
from poinsot.model.planar.curve_pair import CurvePair, PlaneCurve, formula_program
from poinsot.spatial import Array

Poses = Mapping[str, Array]


class CurveValues(NamedTuple):
    """g (...), its gradient (..., 2), and g_xx, g_xy, g_yy (..., 3) at points."""

    g: Array
    gradient: Array
    second: Array


def curve_values(curve: PlaneCurve, points: Array) -> CurveValues:
    """Return g and its derivatives at points in the axes of a curve, (..., 2), any scalar."""
    if curve.radius is not None:
        return _of_profile(curve, points)
    values = evaluated(formula_program(curve.formula), points)
    return CurveValues(values[..., 0], values[..., 1:3], values[..., 3:])


def _of_profile(curve: PlaneCurve, points: Array) -> CurveValues:
    """Return those of g = r - R(φ): with e = p/r, n = J e: ∇g = e - R'/r n."""
    assert curve.radius is not None
    r = square_root(dot(points, points))
    R, R1, R2 = curve.radius(plain(angle_of(points)))
    e = scaled(1.0 / r, points)
    n = turned(e)
    across, mixed = (r - R2) / (r * r), R1 / (r * r)
    second = [
        across * n[..., i] * n[..., j] + mixed * (e[..., i] * n[..., j] + n[..., i] * e[..., j])
        for i, j in ((0, 0), (0, 1), (1, 1))
    ]
    return CurveValues(np.asarray(r - R), e - scaled(R1 / r, n), stacked(*second))


class CurveContact(NamedTuple):
    """Where a point is relative to a curve.

    Attributes:
        values: g and its derivatives.
        normal: ∇g / |∇g| in the axes of the frame, (..., 2).
        steepness: |∇g|, (...).
        D: From the origin of a to the point, in the axes of the frame, (..., 2).
        lever: A_b s_b, (..., 2).
        angle: φ_c, (...).
        point: p, the point in the axes of the curve, (..., 2).
    """

    values: CurveValues
    normal: Array
    steepness: Array
    D: Array
    lever: Array
    angle: Array
    point: Array


def curve_contact(pair: CurvePair, poses: Poses) -> CurveContact:
    """Return where the point of a pair is."""
    axes = curve_axes(pair, poses[pair.a])
    place = point_at(poses[pair.b], pair.point)
    angle = axes[..., 2]
    point = rotated(-angle, place - axes[..., :2])
    values = curve_values(pair.curve, point)
    steepness = square_root(dot(values.gradient, values.gradient))
    normal = scaled(1.0 / steepness, rotated(angle, values.gradient))
    lever = rotated(poses[pair.b][..., 2], pair.point)
    return CurveContact(
        values, normal, steepness, place - poses[pair.a][..., :2], lever, angle, point
    )


def curve_axes(pair: CurvePair, pose: Array) -> Array:
    """Return the pose of the axes of a curve from that of its link."""
    return composed(pose, np.array([*pair.origin, pair.turn]))


def curve_row(pair: CurvePair, poses: Poses) -> tuple[dict[str, Array], Array]:
    """Return the coefficients (..., 1, 3) by link, and the value (..., 1)."""
    contact = curve_contact(pair, poses)
    n = contact.normal
    of_a = stacked(-n[..., 0], -n[..., 1], -wedge(contact.D, n))
    of_b = stacked(n[..., 0], n[..., 1], wedge(contact.lever, n))
    blocks = {pair.a: of_a[..., None, :], pair.b: of_b[..., None, :]}
    return blocks, np.asarray(contact.values.g / contact.steepness)[..., None]


def curve_bias(pair: CurvePair, poses: Poses, velocities: Poses) -> Array:
    """Return what the second derivative holds besides accelerations, (..., 1)."""
    contact = curve_contact(pair, poses)
    v_a, v_b = velocities[pair.a], velocities[pair.b]
    w_a, w_b = v_a[..., 2], v_b[..., 2]
    rate = v_b[..., :2] + scaled(w_b, turned(contact.lever)) - v_a[..., :2]
    drift = -scaled(w_b * w_b, contact.lever) - scaled(2.0 * w_a, turned(rate))
    drift = drift - scaled(w_a * w_a, contact.D)
    p = rotated(-contact.angle, rate - scaled(w_a, turned(contact.D)))
    xx, xy, yy = (contact.values.second[..., k] for k in range(3))
    bend = xx * p[..., 0] ** 2 + 2.0 * xy * p[..., 0] * p[..., 1] + yy * p[..., 1] ** 2
    return np.asarray(dot(contact.normal, drift) + bend / contact.steepness)[..., None]


def curvature(values: CurveValues) -> Array:
    """Return the curvature of the curve of g at points on it [1/m]."""
    x, y = values.gradient[..., 0], values.gradient[..., 1]
    xx, xy, yy = (values.second[..., k] for k in range(3))
    size = square_root(x * x + y * y)
    return np.asarray((y * y * xx - 2.0 * x * y * xy + x * x * yy) / (size * size * size))
