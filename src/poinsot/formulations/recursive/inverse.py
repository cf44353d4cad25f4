"""Inverse dynamics by the recursive Newton-Euler equations, written for the fewest operations.

Outward, each link gets its angular velocity w, angular acceleration al and the acceleration a of
its origin, all in its own axes.  The acceleration of its point r is a + K r with

    K = skew(al) + w wᵀ - (w·w) 1,

so force and moment about the origin are linear in the mass, first and second moments:

    f = m a + K h,      n = h × a + vee(K sigma - (K sigma)ᵀ).

Gravity enters as an acceleration of the world.  Equivalent to [RBDA, Table 5.1] in body
coordinates.  Differs from it: no linear velocities are needed, which saves operations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.formulations.passive_forces import passive_force
from poinsot.formulations.recursive.links import (
    Link,
    Placement,
    link_wrenches,
    regrouped_links,
)
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, cross, matrix, vector


def inverse_dynamics(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    a: Array,
    environment: Environment | None = None,
    *,
    links: Callable[[Mechanism], Sequence[Link]] = regrouped_links,
) -> Array:
    """Return the joint forces that produce the acceleration ``a`` [N or N m], shape (nv,).

        tau = M(q) a + bias(q, v)

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        a: Acceleration dv/dt, shape (nv,).
        environment: External loads; gravity alone by default.
        links: Function that groups the bodies into links.
    """
    tau = _newton_euler(mechanism, q, v, a, environment, links)
    return tau + passive_force(mechanism, q, v, environment) + armature_force(mechanism, a)


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment | None = None) -> Array:
    """Return the joint forces at dv/dt = 0 (left-hand side), shape (nv,).

    Coriolis, centrifugal, gravity and passive forces, and external loads.
    """
    tau = _newton_euler(mechanism, q, v, np.zeros(mechanism.nv), environment)
    return tau + passive_force(mechanism, q, v, environment)


def gravity_force(mechanism: Mechanism, q: Array, gravity: Array | None = None) -> Array:
    """Return the gravity part of the bias: dV/dq for the potential energy V, shape (nv,).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        gravity: Acceleration of free fall [m/s²] in the axes of the base, shape (3,); that of the
            mechanism by default.
    """
    still = np.zeros(mechanism.nv)
    environment = None if gravity is None else Environment(gravity)
    return _newton_euler(mechanism, q, still, still, environment)


def _newton_euler(
    mechanism: Mechanism,
    q: Array,
    v: Array,
    a: Array,
    environment: Environment | None,
    links: Callable[[Mechanism], Sequence[Link]] = regrouped_links,
) -> Array:
    environment = environment or Environment.of(mechanism)
    loads = link_wrenches(mechanism, environment)
    return newton_euler(links(mechanism), base_motion(environment), loads, q, v, a)


def armature_force(mechanism: Mechanism, a: Array) -> Array:
    """Return the forces that accelerate the armatures, shape (nv,)."""
    return np.concatenate(
        [
            body.joint.armature_matrix() @ a[v]
            for body, v in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        ]
    )


@dataclass(frozen=True, eq=False)
class LinkMotion:
    """Angular velocity, its rate in K, and acceleration of the origin, in the link's axes."""

    w: Array
    al: Array
    K: Array
    a: Array


def base_motion(environment: Environment) -> LinkMotion:
    """Return the motion of the base, with gravity as an acceleration."""
    v, w = environment.velocity[:3], environment.velocity[3:]
    al = environment.acceleration[3:]
    a = environment.acceleration[:3] + cross(w, v) - environment.gravity
    return LinkMotion(w, al, _spin(w, al), a)


def newton_euler(
    links: Sequence[Link],
    base: LinkMotion,
    loads: Mapping[int, Array],
    q: Array,
    v: Array,
    a: Array,
) -> Array:
    """Return the joint forces of the links without passive forces and armature, shape (nv,).

    Args:
        links: The links.
        base: Motion of the base.
        loads: External wrenches on some of them, in their frames, shape (6,).
        q: Configuration, shape (nq,).
        v: Velocity, shape (nv,).
        a: Acceleration, shape (nv,).
    """
    placements = [link.placed(q[link.q]) for link in links]
    motions: list[LinkMotion] = []
    for link, placement in zip(links, placements, strict=True):  # outward
        parent = motions[link.parent] if link.parent >= 0 else base
        motions.append(link_motion(link, placement, parent, q[link.q], v[link.v], a[link.v]))
    forces = [link_force(link, motion) for link, motion in zip(links, motions, strict=True)]
    for k, load in loads.items():
        forces[k] = (forces[k][0] - load[:3], forces[k][1] - load[3:])
    tau = np.zeros(len(v), dtype=object)
    for k in range(len(links) - 1, -1, -1):  # inward
        link, placement, (f, n) = links[k], placements[k], forces[k]
        S = link.joint.motion_subspace(q[link.q])
        tau[link.v] = S.T @ np.concatenate([f, n])
        if link.parent >= 0:
            f_parent, n_parent = forces[link.parent]
            f = placement.to_parent(f)
            forces[link.parent] = (
                f_parent + f,
                n_parent + placement.to_parent(n) + cross(placement.p, f),
            )
    return np.array(tau.tolist())


def link_motion(
    link: Link, placement: Placement, parent: LinkMotion, q: Array, v: Array, a: Array
) -> LinkMotion:
    """Return the motion of a link from its parent's: one step of the outward sweep.

    With the joint's own velocity [vJ; wJ] and its component rate [aJ; alJ], in the link's axes:

        w  = w' + wJ,   al = al' + alJ + w' × wJ,   a = a' + aJ + (2 w' + wJ) × vJ,

    where ' is the parent's motion at the link's origin, turned into its axes.
    """
    S = link.joint.motion_subspace(q)
    V_J, A_J = S @ v, S @ a + link.joint.motion_subspace_rate(q, v) @ v
    w_parent = placement.to_child(parent.w)
    w = w_parent + V_J[3:]
    al = placement.to_child(parent.al) + A_J[3:] + cross(w_parent, V_J[3:])
    carried = placement.to_child(parent.a + parent.K @ placement.p)
    return LinkMotion(w, al, _spin(w, al), carried + A_J[:3] + cross(w_parent + w, V_J[:3]))


def _spin(w: Array, al: Array) -> Array:
    """Return K = skew(al) + w wᵀ - (w·w) 1, shape (3, 3)."""
    x, y, z = w
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return matrix(
        (-(yy + zz), xy - al[2], xz + al[1]),
        (xy + al[2], -(xx + zz), yz - al[0]),
        (xz - al[1], yz + al[0], -(xx + yy)),
    )


def link_force(link: Link, motion: LinkMotion) -> tuple[Array, Array]:
    """Return force and moment about the origin that give the link its motion, in its axes."""
    K, sigma, w = motion.K, link.sigma, motion.w
    f = link.mass * motion.a + K @ link.h
    xx, yy, zz = w * w
    n = vector(
        K[2, 0] * sigma[0, 1] - K[1, 0] * sigma[0, 2]
        + K[2, 1] * sigma[1, 1] - K[1, 2] * sigma[2, 2] + (zz - yy) * sigma[1, 2],
        K[0, 1] * sigma[1, 2] - K[2, 1] * sigma[0, 1]
        + K[0, 2] * sigma[2, 2] - K[2, 0] * sigma[0, 0] + (xx - zz) * sigma[0, 2],
        K[1, 2] * sigma[0, 2] - K[0, 2] * sigma[1, 2]
        + K[1, 0] * sigma[0, 0] - K[0, 1] * sigma[1, 1] + (yy - xx) * sigma[0, 1],
    )  # fmt: skip
    return f, n + cross(link.h, motion.a)
