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

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import add

import numpy as np

from poinsot.formulations.passive_forces import PassiveCoefficients
from poinsot.formulations.recursive.composite import Composite
from poinsot.formulations.recursive.link_tree import PASSIVE, AbstractTree, StraightTree
from poinsot.formulations.recursive.links import Link, Placement, regrouped_links
from poinsot.formulations.sweep import step
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
    tree = StraightTree(mechanism, links(mechanism), environment, q=q, v=v, a=a)
    return newton_euler(tree, passive=True)


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment | None = None) -> Array:
    """Return the joint forces at dv/dt = 0 (left-hand side), shape (nv,).

    Coriolis, centrifugal, gravity and passive forces, and external loads.
    """
    tree = StraightTree(mechanism, regrouped_links(mechanism), environment, q=q, v=v)
    return newton_euler(tree, passive=True)


def gravity_force(mechanism: Mechanism, q: Array, gravity: Array | None = None) -> Array:
    """Return the gravity part of the bias: dV/dq for the potential energy V, shape (nv,).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        gravity: Acceleration of free fall [m/s²] in the axes of the base, shape (3,); that of the
            mechanism by default.
    """
    environment = None if gravity is None else Environment(gravity)
    tree = StraightTree(mechanism, regrouped_links(mechanism), environment, q=q)
    return newton_euler(tree, passive=False)


def newton_euler(tree: AbstractTree, *, passive: bool) -> Array:
    """Return the joint forces, shape (nv,); on values, or rolled."""
    tree.from_environment("motion", base_motion)
    tree.place()
    tree.outward([_MOTION], [_FORCE])
    tree.subtract_loads("force")
    tree.inward([_ALONG_JOINT, _TO_PARENT], each=_PASSIVE if passive else ())
    return tree.by_velocity("tau")


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
    return LinkMotion(w, al, spin(w, al), a)


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
    return LinkMotion(w, al, spin(w, al), carried + A_J[:3] + cross(w_parent + w, V_J[:3]))


def spin(w: Array, al: Array) -> Array:
    """Return K = skew(al) + w wᵀ - (w·w) 1, shape (3, 3)."""
    x, y, z = w
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return matrix(
        (-(yy + zz), xy - al[2], xz + al[1]),
        (xy + al[2], -(xx + zz), yz - al[0]),
        (xz - al[1], yz + al[0], -(xx + yy)),
    )


def link_force(link: Link | Composite, motion: LinkMotion) -> Array:
    """Return [f; n] about the origin that give a link its motion, in its axes, shape (6,)."""
    f = link.mass * motion.a + motion.K @ link.h
    return np.concatenate([f, turning_force(link.sigma, motion) + cross(link.h, motion.a)])


def turning_force(sigma: Array, motion: LinkMotion) -> Array:
    """Return vee(K sigma - (K sigma)ᵀ), the moment that turns a second moment, shape (3,)."""
    K, (xx, yy, zz) = motion.K, motion.w * motion.w
    return vector(
        K[2, 0] * sigma[0, 1] - K[1, 0] * sigma[0, 2]
        + K[2, 1] * sigma[1, 1] - K[1, 2] * sigma[2, 2] + (zz - yy) * sigma[1, 2],
        K[0, 1] * sigma[1, 2] - K[2, 1] * sigma[0, 1]
        + K[0, 2] * sigma[2, 2] - K[2, 0] * sigma[0, 0] + (xx - zz) * sigma[0, 2],
        K[1, 2] * sigma[0, 2] - K[0, 2] * sigma[1, 2]
        + K[1, 0] * sigma[0, 0] - K[0, 1] * sigma[1, 1] + (yy - xx) * sigma[0, 1],
    )  # fmt: skip


def _along_joint(link: Link, q: Array, force: Array) -> Array:
    """Return Sᵀ [f; n], shape (nv of the joint,)."""
    along: Array = link.joint.motion_subspace(q).T @ force
    return along


def _with_child(placement: Placement, force: Array, parent: Array) -> Array:
    """Return the force of the parent and its child, at the parent's origin, shape (6,)."""
    f = placement.to_parent(force[:3])
    total = parent[:3] + f
    moment = parent[3:] + placement.to_parent(force[3:]) + cross(placement.p, f)
    return np.concatenate([total, moment])


def _armature_force(link: Link, passive: PassiveCoefficients | None, a: Array) -> Array:
    """Return the force that accelerates the armature, shape (nv of the joint,)."""
    return np.zeros(link.joint.nv) if passive is None else passive.armature @ a


_MOTION = step(link_motion, "link placement parent.motion q v a", "motion")
_FORCE = step(link_force, "link motion", "force")
_ALONG_JOINT = step(_along_joint, "link q force", "tau")
_TO_PARENT = step(_with_child, "placement force parent.force", "parent.force")
_PASSIVE = (
    PASSIVE,
    step(add, "tau _passive", "tau"),
    step(_armature_force, "link passive a", "_armature"),
    step(add, "tau _armature", "tau"),
)
