"""Configurations as R^k and unit quaternions, and increments d between them.

Coordinates add.  A quaternion q is rotated by the Cayley map q ∘ c (1, d / 2),
c = 1 / |(1, d / 2)|, a rotation by 2 atan(|d| / 2) about d, in body axes.  Rates u of a
configuration are those of its coordinates, also of the position of a free joint, and the angular
velocity of a quaternion in body axes.  All functions are over any scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from poinsot.expr import jacobian, sqrt
from poinsot.model import Mechanism, nonzero
from poinsot.simulation.stepping.motion_graph import joined
from poinsot.spatial import Array, Scalar, cross, skew
from poinsot.spatial.quaternion import (
    quaternion_conjugate,
    quaternion_product,
    quaternion_rate,
    quaternion_to_matrix,
)


def moved(mechanism: Mechanism, q: Array, d: Array) -> Array:
    """Return the configuration that the increment leads to, shape (nq,)."""
    return _each(mechanism, q, d, _turn)


def middle(mechanism: Mechanism, q: Array, d: Array) -> Array:
    """Return the midpoint configuration, shape (nq,), symmetric in both ends."""
    return _each(mechanism, q, 0.5 * d, lambda half: _half_turn(2.0 * half))


def rates(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return u of the velocities v, or forces on u of forces on v, shape (nv,).

    They differ where a free joint has its velocity, or the force on it, in the axes of its body.
    """
    u = np.array(v, dtype=object)
    for quaternion, v_slice in _free(mechanism):
        u[v_slice] = quaternion_to_matrix(q[quaternion]) @ u[v_slice]
    return u


def velocities(mechanism: Mechanism, q: Array, u: Array) -> Array:
    """Return v of the rates u, or forces on v of forces on u, shape (nv,)."""
    v = np.array(u, dtype=object)
    for quaternion, v_slice in _free(mechanism):
        v[v_slice] = quaternion_to_matrix(q[quaternion]).T @ v[v_slice]
    return v


def end_momenta(
    mechanism: Mechanism, q: Array, d: Array, slopes: tuple[Array, Array], impulse: Array
) -> tuple[Array, Array]:
    """Return -D1 and D2 of a function of both ends and of the work of an impulse at the midpoint.

    With q1 = q ∘ c (1, d / 2), shifts a of q and b of q1 in the body change d by
    (1 + d̂ / 2 + d dᵀ / 4) b - (1 - d̂ / 2 + d dᵀ / 4) a.

    Args:
        mechanism: The bodies.
        q: Configuration at the start, shape (nq,).
        d: Increment, shape (nv,).
        slopes: Derivatives of the function by q and d, shapes (nq,) and (nv,).
        impulse: Impulse conjugate to the shift of the midpoint, on the rates, shape (nv,).
    """
    by_q, by_d = slopes
    p0, p1 = np.empty(mechanism.nv, dtype=object), np.empty(mechanism.nv, dtype=object)
    for q_slice, v_slice in _plain(mechanism):
        work = 0.5 * impulse[v_slice]
        p0[v_slice] = by_d[v_slice] - by_q[q_slice] - work
        p1[v_slice] = by_d[v_slice] + work
    for q_slice, v_slice in _quaternions(mechanism):
        turn, turned = d[v_slice], q[q_slice]
        s = _half_turn(turn)
        shift = 2.0 * np.array(
            [quaternion_product(quaternion_conjugate(s), column)[1:] for column in _slope(turn)]
        )  # of the midpoint, in body axes, for each entry of d
        along = by_d[v_slice] + shift @ impulse[v_slice]
        turning = np.array([by_q[q_slice] @ quaternion_rate(turned, axis) for axis in np.eye(3)])
        turning = turning + quaternion_to_matrix(s) @ impulse[v_slice]
        even = along + 0.25 * turn * (turn @ along)
        odd = 0.5 * (skew(turn) @ along)
        p0[v_slice] = even + odd - turning
        p1[v_slice] = even - odd
    return p0, p1


def gyroscopic_armature_force(mechanism: Mechanism, v: Array) -> Array:
    """Return the gyroscopic forces of armature that rotates with a body, shape (nv,).

    The kinetic energy of a drive has them, [w × p; w × n + v × p] with [p; n] = armature [v; w],
    where the equations of motion take armature as a mass matrix and nothing else.
    """
    force = np.zeros(mechanism.nv, dtype=object)
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        if body.joint.nq != body.joint.nv and nonzero(body.joint.armature):
            p, w = body.joint.armature_matrix() @ v[v_slice], v[v_slice][-3:]
            force[v_slice][-3:] = cross(w, p[-3:])
            if body.joint.nv > 3:
                force[v_slice] = joined(
                    cross(w, p[:3]), cross(w, p[3:]) + cross(v[v_slice][:3], p[:3])
                )
    return force


def _turn(d: Array) -> Array:
    c = 1.0 / sqrt(_half_square(d))
    return joined([c], d * (0.5 * c))


def _half_turn(d: Array) -> Array:
    """Return (1, 0, 0, 0) + turn, of unit length."""
    c = 1.0 / sqrt(_half_square(d))
    return joined([1.0 + c], d * (0.5 * c)) * (1.0 / sqrt(2.0 + 2.0 * c))


def _half_square(d: Array) -> Scalar:
    square: Scalar = 1.0 + 0.25 * np.dot(d, d)
    return square


def _slope(d: Array) -> Array:
    """Return the derivative of the half turn by each entry of d, shape (3, 4)."""
    return jacobian(_half_turn(d), d).T


def _each(mechanism: Mechanism, q: Array, d: Array, turn: Callable[[Array], Array]) -> Array:
    there = np.empty(mechanism.nq, dtype=object)
    for q_slice, v_slice in _plain(mechanism):
        there[q_slice] = q[q_slice] + d[v_slice]
    for q_slice, v_slice in _quaternions(mechanism):
        there[q_slice] = quaternion_product(q[q_slice], turn(d[v_slice]))
    return there


def _quaternions(mechanism: Mechanism) -> Iterator[tuple[slice, slice]]:
    """Yield where quaternions are in q and their angular velocities in v."""
    for body, of_q, of_v in zip(
        mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True
    ):
        if body.joint.nq == body.joint.nv + 1:
            yield slice(of_q.stop - 4, of_q.stop), slice(of_v.stop - 3, of_v.stop)


def _plain(mechanism: Mechanism) -> Iterator[tuple[slice, slice]]:
    """Yield where plain coordinates are in q and their rates in u."""
    for body, of_q, of_v in zip(
        mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True
    ):
        turning = 4 if body.joint.nq == body.joint.nv + 1 else 0
        count = body.joint.nq - turning
        yield slice(of_q.start, of_q.start + count), slice(of_v.start, of_v.start + count)


def _free(mechanism: Mechanism) -> Iterator[tuple[slice, slice]]:
    """Yield for free joints where the quaternion is in q and the linear velocity in v."""
    for (plain, v_slice), body in zip(_plain(mechanism), mechanism.bodies, strict=True):
        if body.joint.nq == body.joint.nv + 1 and body.joint.nv > 3:
            yield slice(plain.stop, plain.stop + 4), v_slice
