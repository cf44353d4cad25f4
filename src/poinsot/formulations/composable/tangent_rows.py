"""The equation of a direction along a curve on absolute coordinates: ∇g(p) · e / |∇g| = 0.

p and e are the point and the x axis of link b in the axes of the curve, which have the angle φ_c.
With ω = φ̇_b - φ̇_a, H the second derivatives of g, w = A_c H e, c = ∇g · J e, and D, ṗ as in
``curve_rows.py``,

    Ṫ = w · (Ḋ - φ̇_a J D) + c ω,
    T̈ = w · (D̈ - φ̈_a J D - 2 φ̇_a J Ḋ - φ̇_a² D) + c ω̇ + eᵀ Ḣ ṗ + 2 ω (H ṗ) · J e - ω² ∇g · e,

all of it divided by |∇g|, which changes nothing where T = Ṫ = 0.  A link without mass whose point
is on two curves and whose axis is along both of them is where the curves touch: the equations of
its axis carry no force, for its equilibrium is that of two normal forces.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poinsot.formulations.composable.curve_rows import curve_contact
from poinsot.formulations.composable.evaluated import evaluated
from poinsot.formulations.composable.plane import (
    angle_of,
    direction,
    dot,
    plain,
    rotated,
    scaled,
    square_root,
    stacked,
    turned,
    wedge,
)
from poinsot.model.planar.curve_pair import CurvePair, PlaneCurve, third_derivatives
from poinsot.spatial import Array

Poses = Mapping[str, Array]


def tangent_row(pair: CurvePair, poses: Poses) -> tuple[dict[str, Array], Array]:
    """Return the coefficients (..., 1, 3) by link, and the value (..., 1)."""
    contact = curve_contact(pair, poses)
    e = direction(poses[pair.b][..., 2] - contact.angle)
    gradient, inverse = contact.values.gradient, 1.0 / contact.steepness
    w = scaled(inverse, rotated(contact.angle, _times(contact.values.second, e)))
    c = inverse * dot(gradient, turned(e))
    of_a = stacked(-w[..., 0], -w[..., 1], -wedge(contact.D, w) - c)
    of_b = stacked(w[..., 0], w[..., 1], wedge(contact.lever, w) + c)
    blocks = {pair.a: of_a[..., None, :], pair.b: of_b[..., None, :]}
    return blocks, np.asarray(dot(gradient, e) * inverse)[..., None]


def tangent_bias(pair: CurvePair, poses: Poses, velocities: Poses) -> Array:
    """Return what the second derivative holds besides accelerations, (..., 1)."""
    contact = curve_contact(pair, poses)
    v_a, v_b = velocities[pair.a], velocities[pair.b]
    w_a, w_b = v_a[..., 2], v_b[..., 2]
    rate = v_b[..., :2] + scaled(w_b, turned(contact.lever)) - v_a[..., :2]
    drift = -scaled(w_b * w_b, contact.lever) - scaled(2.0 * w_a, turned(rate))
    drift = rotated(-contact.angle, drift - scaled(w_a * w_a, contact.D))
    p = rotated(-contact.angle, rate - scaled(w_a, turned(contact.D)))
    e = direction(poses[pair.b][..., 2] - contact.angle)
    turning = w_b - w_a
    values = contact.values
    total = dot(_times(values.second, e), drift) + _third(pair.curve, contact.point, p, e)
    total = total + 2.0 * turning * dot(_times(values.second, p), turned(e))
    total = total - turning * turning * dot(values.gradient, e)
    return np.asarray(total / contact.steepness)[..., None]


def _times(second: Array, vector: Array) -> Array:
    """Return H times a vector, (..., 2)."""
    xx, xy, yy = (second[..., k] for k in range(3))
    x, y = vector[..., 0], vector[..., 1]
    return stacked(xx * x + xy * y, xy * x + yy * y)


def _third(curve: PlaneCurve, point: Array, p: Array, e: Array) -> Array:
    """Return eᵀ Ḣ ṗ, third derivatives of g along ṗ twice and e, (...)."""
    if curve.radius is None:
        xxx, xxy, xyy, yyy = np.moveaxis(evaluated(third_derivatives(curve.formula), point), -1, 0)
        along = stacked(
            xxx * p[..., 0] + xxy * p[..., 1],
            xxy * p[..., 0] + xyy * p[..., 1],
            xyy * p[..., 0] + yyy * p[..., 1],
        )
        return dot(e, _times(along, p))
    # g = r - R(φ): H = h n nᵀ + k (u nᵀ + n uᵀ), h = (r - R″)/r², k = R′/r², n = J u.
    r = square_root(dot(point, point))
    _, R1, R2, R3 = curve.radius.derivatives(plain(angle_of(point)))
    u = scaled(1.0 / r, point)
    n = turned(u)
    stretch, turn = dot(p, u), dot(p, n) / r
    h, k = (r - R2) / (r * r), R1 / (r * r)
    h1 = (stretch - R3 * turn) / (r * r) - 2.0 * h * stretch / r
    k1 = R2 * turn / (r * r) - 2.0 * k * stretch / r
    pu, pn, eu, en = dot(p, u), dot(p, n), dot(e, u), dot(e, n)
    mixed = eu * pn + en * pu
    # u̇ = turn n and ṅ = -turn u.
    return np.asarray(
        h1 * en * pn - h * turn * mixed + k1 * mixed + 2.0 * k * turn * (en * pn - eu * pu)
    )
