"""The equations as linear functions of the inertial parameters of the bodies.

Each body has ten: m [kg], the first moments mc (3) [kg m] and the inertia about the body's origin
(ixx, iyy, izz, ixy, ixz, iyz) [kg m²], in body axes, with the signs of the tensor.  Wrench,
momentum and energy of a body are linear in them [KhalilDombre2002].
"""

from __future__ import annotations

import numpy as np

from poinsot.formulations.kinematics import BodyMotion, body_motions
from poinsot.model import Mechanism
from poinsot.spatial import Array, cross, cross_columns, matrix, skew, vector

N_INERTIAL = 10
"""Inertial parameters of a body."""

INERTIAL = ("m", "mcx", "mcy", "mcz", "ixx", "iyy", "izz", "ixy", "ixz", "iyz")
"""Their names, in order."""


def inertial_parameters(mechanism: Mechanism) -> Array:
    """Return pi, the parameters of all bodies in the order in which they are listed, (10 n,)."""
    rows = []
    for body in mechanism.bodies:
        inertia = body.spatial_inertia()
        I = inertia.I
        rows += [inertia.mass, *inertia.h, I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]]
    return np.array(rows)


def regressor(mechanism: Mechanism, q: Array, v: Array, a: Array) -> Array:
    """Return Y with Y pi = M a + Coriolis, centrifugal and gravity forces, shape (nv, 10 n).

    Armature, springs, dampers and force elements are not included.  The wrench on a body is in
    world axes; a joint transmits it at the joint's own origin:

        tau_j = (s_v + s_w × d)·f + s_w·n,      d from the joint's origin to the body's

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
    """
    motions = body_motions(mechanism, q, v, a)
    screws = [
        _in_world(motion, body.joint.motion_subspace(q[q_slice]))
        for motion, body, q_slice in zip(motions, mechanism.bodies, mechanism.q_slices, strict=True)
    ]
    gravity = np.array(mechanism.gravity)
    Y = np.zeros((mechanism.nv, N_INERTIAL * mechanism.n_bodies), dtype=object)
    for i, motion in enumerate(motions):
        f, n = _wrench(motion, gravity)
        columns = slice(N_INERTIAL * i, N_INERTIAL * (i + 1))
        for j in mechanism.path(i):
            d = motion.X_WB.p - motions[j].X_WB.p
            s_v, s_w = screws[j][:3], screws[j][3:]
            felt = s_v - cross_columns(d, s_w)
            Y[mechanism.v_slices[j], columns] = felt.T @ f + s_w.T @ n
    return np.array(Y.tolist()).reshape(Y.shape)


def regressor_cost(mechanism: Mechanism) -> float:
    """Return the approximate operation count of ``regressor``: one block per body and ancestor."""
    return 90.0 * sum(len(mechanism.path(i)) for i in range(mechanism.n_bodies))


def energy_regressor(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return y with y·pi = kinetic energy + potential energy of gravity [J], shape (10 n,).

    Armature and springs are not included.
    """
    gravity = np.array(mechanism.gravity)
    rows: list[Array] = []
    for motion in body_motions(mechanism, q, v, np.zeros(mechanism.nv)):
        u, w = motion.V[:3], motion.V[3:]
        x, y, z = w
        moving = vector(0.5 * (u @ u), *cross(u, w))
        falling = vector(gravity @ motion.X_WB.p, *(motion.X_WB.R.T @ gravity))
        spinning = vector(0.5 * x * x, 0.5 * y * y, 0.5 * z * z, x * y, x * z, y * z)
        rows.append(np.concatenate([moving - falling, spinning]))
    return np.concatenate(rows)


def _wrench(motion: BodyMotion, gravity: Array) -> tuple[Array, Array]:
    """Return force and moment about the origin that move a body, in world axes, (3, 10) each.

        f = m a + al × h + w × (w × h),      n = h × a + I al + w × I w

    with the acceleration a of the origin less that of free fall, and h = m c.
    """
    R, w, al = motion.X_WB.R, motion.V[3:], motion.A[3:]
    a = motion.A[:3] + cross(w, motion.V[:3]) - R.T @ gravity
    W = skew(w)
    forces = np.column_stack([a, skew(al) + W @ W, np.zeros((3, 6))])
    moments = np.column_stack([np.zeros(3), -skew(a), _inertia_times(al) + W @ _inertia_times(w)])
    return R @ forces, R @ moments


def _inertia_times(u: Array) -> Array:
    """Return L with L (ixx, iyy, izz, ixy, ixz, iyz) = I u, shape (3, 6)."""
    x, y, z = u
    return matrix((x, 0.0, 0.0, y, z, 0.0), (0.0, y, 0.0, x, 0.0, z), (0.0, 0.0, z, 0.0, x, y))


def _in_world(motion: BodyMotion, S: Array) -> Array:
    """Return screws of a joint in world axes, at the body's origin, shape (6, k)."""
    return np.concatenate([motion.X_WB.R @ S[:3], motion.X_WB.R @ S[3:]])
