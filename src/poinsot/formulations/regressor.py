"""The equations as linear functions of the inertial parameters of the bodies.

Each body has ten: m [kg], the first moments mc (3) [kg m] and the inertia about the body's origin
(ixx, iyy, izz, ixy, ixz, iyz) [kg m²], in body axes, with the signs of the tensor.  Wrench,
momentum and energy of a body are linear in them [KhalilDombre2002].
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.formulations.body_tree import AbstractBodies, Mount, StraightBodies
from poinsot.formulations.kinematics import BodyMotion, add_motions
from poinsot.formulations.recursive.inertial_columns import (
    columns_in_link_axes,
    columns_in_one_frame,
    cost_in_link_axes,
    cost_in_one_frame,
    unit_changes,
)
from poinsot.formulations.sweep import WHOLE, step
from poinsot.model import Environment, Mechanism
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

    Armature, springs, dampers and force elements are not included.  Motion subspaces are carried
    from link to link (``recursive/inertial_columns.py``).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
    """
    return columns_in_link_axes(mechanism, q, v, a, **_all_columns(mechanism))


def regressor_in_one_frame(mechanism: Mechanism, q: Array, v: Array, a: Array) -> Array:
    """Return :func:`regressor`, with screws and wrenches in one frame."""
    return columns_in_one_frame(mechanism, q, v, a, **_all_columns(mechanism))


def regressor_in_world_axes(mechanism: Mechanism, q: Array, v: Array, a: Array) -> Array:
    """Return :func:`regressor`, with the wrench on a body in world axes.

    A joint transmits it at the joint's own origin:

        tau_j = (s_v + s_w × d)·f + s_w·n,      d from the joint's origin to the body's
    """
    bodies = StraightBodies(mechanism, q=q, v=v, a=a)
    add_wrenches(bodies)
    origins, screws, wrenches = map(bodies.values, ("origin", "screws", "wrench"))
    Y = np.zeros((mechanism.nv, N_INERTIAL * mechanism.n_bodies), dtype=object)
    for i in range(mechanism.n_bodies):
        columns = slice(N_INERTIAL * i, N_INERTIAL * (i + 1))
        for j in mechanism.path(i):
            block = felt_by_joint(screws[j], origins[i] - origins[j], wrenches[i])
            Y[mechanism.v_slices[j], columns] = block
    return np.array(Y.tolist()).reshape(Y.shape)


def carried_cost(mechanism: Mechanism) -> float:
    """Return about how many operations :func:`regressor` takes."""
    return cost_in_link_axes(mechanism, unit_changes(mechanism))


def one_frame_cost(mechanism: Mechanism) -> float:
    """Return about how many operations :func:`regressor_in_one_frame` takes."""
    return cost_in_one_frame(mechanism, unit_changes(mechanism))


def world_axes_cost(mechanism: Mechanism) -> float:
    """Return about how many operations :func:`regressor_in_world_axes` takes."""
    felt = sum(
        mechanism.bodies[j].joint.nv for i in range(mechanism.n_bodies) for j in mechanism.path(i)
    )
    return 350.0 * mechanism.n_bodies + 80.0 * felt


def energy_regressor(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """Return y with y·pi = kinetic energy + potential energy of gravity [J], shape (10 n,).

    Armature and springs are not included.
    """
    return energy_regressor_of(StraightBodies(mechanism, q=q, v=v))


# On values, or rolled


def energy_regressor_of(bodies: AbstractBodies) -> Array:
    """Return the regressor of the energy, shape (10 n,)."""
    _set_gravity(bodies)
    add_motions(bodies, None, [step(_energy, "motion all.gravity", "energy")])
    rows = np.arange(N_INERTIAL * bodies.mechanism.n_bodies).reshape(-1, N_INERTIAL)
    return bodies.gathered((rows.size,), [(rows[i], y) for i, y in bodies.values("energy").items()])


def add_wrenches(bodies: AbstractBodies) -> None:
    """Add the ``origin`` of bodies, ``screws`` of joints and the ``wrench`` per parameter."""
    _set_gravity(bodies)
    screws = step(_screws, "mount motion q", "screws")
    add_motions(
        bodies, None, [step(_origin, "motion", "origin")], [screws],
        [step(_wrench, "motion all.gravity", "wrench")],
    )  # fmt: skip


def felt_by_joint(screws: Array, d: Array, wrench: Array) -> Array:
    """Return the forces along a joint, shape (k, 10), of a wrench at the distance d from it.

    Args:
        screws: Of the joint in world axes, at its own origin, shape (6, k).
        d: From the joint's origin to that of the wrench [m], shape (3,).
        wrench: Forces and moments per parameter, shape (6, 10).
    """
    s_v, s_w = screws[:3], screws[3:]
    felt: Array = (s_v - cross_columns(d, s_w)).T @ wrench[:3] + s_w.T @ wrench[3:]
    return felt


def _all_columns(mechanism: Mechanism) -> dict[str, Any]:
    return {
        "environment": Environment.of(mechanism),
        "columns": unit_changes(mechanism),
        "count": N_INERTIAL * mechanism.n_bodies,
    }


def _set_gravity(bodies: AbstractBodies) -> None:
    bodies.values("gravity")[WHOLE] = bodies.constant(np.array(bodies.mechanism.gravity))


def _origin(motion: BodyMotion) -> Array:
    return motion.X_WB.p


def _screws(mount: Mount, motion: BodyMotion, q: Array) -> Array:
    """Return screws of a joint in world axes, at the body's origin, shape (6, k)."""
    S = mount.joint.motion_subspace(q)
    return np.concatenate([motion.X_WB.R @ S[:3], motion.X_WB.R @ S[3:]])


def _energy(motion: BodyMotion, gravity: Array) -> Array:
    """Return the ten entries of a body in the regressor of the energy."""
    u, w = motion.V[:3], motion.V[3:]
    x, y, z = w
    moving = vector(0.5 * (u @ u), *cross(u, w))
    falling = vector(gravity @ motion.X_WB.p, *(motion.X_WB.R.T @ gravity))
    spinning = vector(0.5 * x * x, 0.5 * y * y, 0.5 * z * z, x * y, x * z, y * z)
    return np.concatenate([moving - falling, spinning])


def _wrench(motion: BodyMotion, gravity: Array) -> Array:
    """Return force and moment about the origin that move a body, in world axes, (6, 10).

        f = m a + al × h + w × (w × h),      n = h × a + I al + w × I w

    with the acceleration a of the origin less that of free fall, and h = m c.
    """
    R, w, al = motion.X_WB.R, motion.V[3:], motion.A[3:]
    a = motion.A[:3] + cross(w, motion.V[:3]) - R.T @ gravity
    W = skew(w)
    forces = np.column_stack([a, skew(al) + W @ W, np.zeros((3, 6))])
    moments = np.column_stack([np.zeros(3), -skew(a), _inertia_times(al) + W @ _inertia_times(w)])
    return np.concatenate([R @ forces, R @ moments])


def _inertia_times(u: Array) -> Array:
    """Return L with L (ixx, iyy, izz, ixy, ixz, iyz) = I u, shape (3, 6)."""
    x, y, z = u
    return matrix((x, 0.0, 0.0, y, z, 0.0), (0.0, y, 0.0, x, 0.0, z), (0.0, 0.0, z, 0.0, x, y))
