"""Coulomb friction in pins and slides: forces that grow with the reactions they change.

    pin      couple  T = -r sin φ |R| s,  tan φ = μ: the force is tangent to the friction circle
    slide    force   F = -μ (|N_1| + |N_2|) s,  N_1 and N_2 at the ends of a block of length L,
             |N_1| + |N_2| = max(|N|, 2 |T| / L);  |N| alone where L is not given

s is the sign of the sliding velocity, or v/√(v² + slip²).  Reactions are affine in these forces f,
R = R_0 + B f, whose columns come from the same sweep; what is left, f + c s x(R_0 + B f) = 0, has
one unknown for each joint and is solved by Newton's method, exact pieces and all.  Where friction
grows faster than what it holds there is no solution: the joint locks itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import SingularUnitError
from poinsot.expr import Scalar, select, sqrt
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.composable.joint_rows import driver_rows
from poinsot.formulations.composable.pair_forces import with_contact_forces
from poinsot.formulations.composable.plane import dot, square_root
from poinsot.formulations.composable.sweep import (
    Motions,
    Sweep,
    mass_matrix_and_bias,
    reaction_on_b,
)
from poinsot.model.planar.linkage import PlanarJoint, PlanarLinkage
from poinsot.spatial import Array

STEPS: Final = 50
TRACED_STEPS: Final = 8
"""Newton steps of expressions, whose number is fixed."""
EXACT: Final = 1e-12
"""Residual, relative to the largest reaction, of a solution."""
LOOSE: Final = 1e-7
"""Residual of traced steps above which the result is NaN."""
SMALL: Final = 1e-300


def rubbing_joints(linkage: PlanarLinkage) -> list[PlanarJoint]:
    """Return the pins and slides with Coulomb friction."""
    return [joint for joint in linkage.joints if joint.mu]


def unit_efforts(linkage: PlanarLinkage, poses: Motions, columns: int) -> Motions:
    """Return loads on links, (..., 3, columns): the last columns are friction of one each."""
    joints = rubbing_joints(linkage)
    total: Motions = {}
    for k, joint in enumerate(joints):
        rows = driver_rows(joint, poses[joint.a], poses[joint.b])
        column = np.eye(columns)[columns - len(joints) + k]
        for body, row in ((joint.a, rows.of_a), (joint.b, rows.of_b)):
            load = row[..., 0, :, None] * column
            total[body] = total[body] + load if body in total else load
    return total


def with_friction(linkage: PlanarLinkage, swept: Sweep, tau: Array | None) -> tuple[Sweep, Array]:
    """Return a sweep of one column with friction, and the friction forces (..., n).

    Args:
        linkage: The linkage.
        swept: Columns [constant | ∂/∂f], or [constant | ∂/∂q̈ | ∂/∂f] where ``tau`` is given.
        tau: Forces of the drivers, (..., nq): then accelerations follow.
    """
    joints = rubbing_joints(linkage)
    n = len(joints)
    rates = np.stack(np.broadcast_arrays(*(_rate(j, swept) for j in joints)), axis=-1)
    slips = np.array([joint.slip for joint in joints])
    factors = np.array([_factor(joint) for joint in joints]) * _signs(rates, slips)
    if tau is not None:
        swept = _driven(swept, tau, len(linkage.drivers), n)
    f = _solution(linkage, joints, swept, factors)
    return _summed(swept, f), f


def _rate(joint: PlanarJoint, swept: Sweep) -> Array:
    rows = driver_rows(joint, swept.poses[joint.a], swept.poses[joint.b])
    v = swept.velocities
    return np.asarray(
        np.sum(rows.of_a[..., 0, :] * v[joint.a] + rows.of_b[..., 0, :] * v[joint.b], axis=-1)
    )


def _factor(joint: PlanarJoint) -> float:
    """Return r sin φ of a pin, μ of a slide."""
    return (
        joint.radius * joint.mu / float(np.hypot(1.0, joint.mu)) if joint.kind == "R" else joint.mu
    )


def _signs(rates: Array, slips: Array) -> Array:
    if rates.dtype == object:
        smooth = slips > 0.0
        sizes = square_root(rates * rates + np.where(smooth, slips, 1.0) ** 2)
        flat = zip(rates.ravel().tolist(), np.broadcast_to(smooth, rates.shape).ravel().tolist(),
                   np.ravel(sizes).tolist(), strict=True)  # fmt: skip
        signs = [x / size if wide else _sudden(x) for x, wide, size in flat]
        return np.array(signs, object).reshape(rates.shape)
    size = np.hypot(rates, slips)
    return np.where(size > 0.0, rates / np.where(size > 0.0, size, 1.0), 0.0)


def _sudden(x: Scalar) -> Scalar:
    return select(x > 0.0, 1.0, select(x < 0.0, -1.0, 0.0))


def _driven(swept: Sweep, tau: Array, nq: int, n: int) -> Sweep:
    """Return columns [constant | ∂/∂f] where q̈ follows from tau: M q̈ = tau - h - H f."""
    force = swept.drivers[..., 1 + nq :]
    M = mass_matrix_and_bias(swept)[0][..., :nq]
    right = np.concatenate([(tau - swept.drivers[..., 0])[..., None], -force], axis=-1)
    if M.dtype == object or right.dtype == object:
        L, d = ldl(M)
        rate = np.stack([ldl_solve(L, d, right[:, k]) for k in range(1 + n)], axis=-1)
    else:
        rate = np.linalg.solve(M, right)

    def columns(values: Array) -> Array:
        kept = np.concatenate([values[..., :1], values[..., 1 + nq :]], axis=-1)
        total: Array = kept + values[..., 1 : 1 + nq] @ rate
        return total

    return _mapped(swept, columns)


def _summed(swept: Sweep, f: Array) -> Sweep:
    ones = np.ones((*f.shape[:-1], 1))
    weights = np.concatenate([ones, f], axis=-1)[..., None]
    return _mapped(swept, lambda values: np.asarray(values @ weights))


def _mapped(swept: Sweep, change: Any) -> Sweep:  # noqa: ANN401 (array -> array)
    def every(values: Mapping[str, Array]) -> Motions:
        return {name: change(columns) for name, columns in values.items()}

    return replace(
        swept, accelerations=every(swept.accelerations), multipliers=every(swept.multipliers),
        drivers=change(swept.drivers), loads=every(swept.loads),
    )  # fmt: skip


def _solution(
    linkage: PlanarLinkage, joints: list[PlanarJoint], swept: Sweep, factors: Array
) -> Array:
    """Return f of f + c s x(R_0 + B f) = 0, shape (..., n)."""
    n, f = len(joints), 0.0 * factors
    is_traced = any(x.dtype == object for x in (*swept.multipliers.values(), factors))
    for _ in range(TRACED_STEPS if is_traced else STEPS):
        x, slopes = _bearing(linkage, joints, swept, f)
        residual = f + factors * x
        if not is_traced:
            size = EXACT * (SMALL + np.max(np.abs(factors * x), initial=0.0))
            if np.all(np.abs(residual) <= size):
                return np.asarray(f)
        J = np.eye(n) + factors[..., None] * slopes
        f = f - _solved(J, residual)
    x, _ = _bearing(linkage, joints, swept, f)
    if is_traced:
        return _checked(f, f + factors * x)
    misfit = np.abs(f + factors * x)
    worst = joints[int(np.argmax(np.max(np.atleast_2d(misfit.reshape(-1, n)), axis=0)))]
    raise SingularUnitError(
        f"joint {worst.name!r} locks itself: its friction (mu = {worst.mu:g}) grows faster than the"
        " force that is to move it; make mu smaller, or a slide's length larger"
    )


def _checked(f: Array, residual: Array) -> Array:
    """Return f, NaN where steps have not reached a solution."""
    size: Scalar = sum((abs(x) for x in f.ravel().tolist()), SMALL)
    misfit: Scalar = sum((abs(x) for x in residual.ravel().tolist()), 0.0)
    margin = LOOSE * size - misfit
    guard = select(margin >= 0.0, 0.0, sqrt(margin))  # of a negative number: NaN
    return np.array([x + guard for x in f.ravel().tolist()], object).reshape(f.shape)


def _bearing(
    linkage: PlanarLinkage, joints: list[PlanarJoint], swept: Sweep, f: Array
) -> tuple[Array, Array]:
    """Return x of each joint, (..., n), and ∂x/∂f, (..., n, n)."""
    n = len(joints)
    weights = np.concatenate([np.ones((*f.shape[:-1], 1)), f], axis=-1)[..., None]
    multipliers = {name: (values @ weights)[..., 0] for name, values in swept.multipliers.items()}
    R = _reactions(linkage, swept, multipliers, multipliers)
    columns = [
        _reactions(linkage, swept, {k: x[..., 1 + i] for k, x in swept.multipliers.items()},
                   multipliers)
        for i in range(n)
    ]  # fmt: skip
    sizes, slopes = [], []
    for joint in joints:
        size, gradient = _size(joint, R[joint.name])
        sizes.append(size)
        slopes.append(
            np.stack([np.sum(gradient * c[joint.name], axis=-1) for c in columns], axis=-1)
        )
    return (
        np.stack(np.broadcast_arrays(*sizes), axis=-1),
        np.stack(np.broadcast_arrays(*slopes), axis=-2),
    )


def _reactions(
    linkage: PlanarLinkage, swept: Sweep, multipliers: Motions, at_state: Motions
) -> Motions:
    """Return reactions linear in the multipliers, teeth pressed as they are at a state."""
    total = {j.name: reaction_on_b(j, multipliers[j.name]) for j in linkage.joints}
    if not linkage.pairs:
        return total
    return with_contact_forces(linkage, swept.poses, multipliers, total, at_state)


def _size(joint: PlanarJoint, R: Array) -> tuple[Array, Array]:
    """Return |R| of a pin, |N_1| + |N_2| of a slide, and the derivative by R."""
    if joint.kind == "R":
        size = square_root(dot(R, R) + SMALL)
        return np.asarray(size), np.asarray(R / np.asarray(size)[..., None])
    N = R[..., 0]
    zero = 0.0 * N
    if R.shape[-1] < 2 or not joint.length:
        return np.abs(N), np.stack([_sign(N), *([zero] * (R.shape[-1] - 1))], axis=-1)
    ends = np.stack([N / 2 + R[..., 1] / joint.length, N / 2 - R[..., 1] / joint.length], axis=-1)
    first, second = _sign(ends[..., 0]), _sign(ends[..., 1])
    size = first * ends[..., 0] + second * ends[..., 1]
    return np.asarray(size), np.stack(
        [(first + second) / 2, (first - second) / joint.length], axis=-1
    )


def _sign(values: Array) -> Array:
    if values.dtype == object:
        signs = [select(x < 0.0, -1.0, 1.0) for x in values.ravel().tolist()]
        return np.array(signs, object).reshape(values.shape)
    return np.where(values < 0.0, -1.0, 1.0)


def _solved(A: Array, b: Array) -> Array:
    """Return A⁻¹ b; of expressions by elimination without pivots, A being near the unit matrix."""
    if A.dtype != object and b.dtype != object:
        solution: Array = np.linalg.solve(A, b[..., None])[..., 0]
        return solution
    rows = [[*row, right] for row, right in zip(A.tolist(), b.tolist(), strict=True)]
    n = len(rows)
    for k in range(n):
        inverse = 1.0 / rows[k][k]
        rows[k] = [entry * inverse for entry in rows[k]]
        for i in range(n):
            if i != k:
                factor = rows[i][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return np.array([row[n] for row in rows], object)
