"""Velocities of the bodies and their partial derivatives, by recursion along the paths.

Everything is in the axes of the body itself.  Body i carries body j (the topology vector says which
[Huang1997, sec. 1.1]), and with the rotation G_j from the axes of i to those of j, Ω_j the relative
angular velocity, r_j from the mass centre of i to the joint in the axes of i, Ż_j the relative
velocity there in the axes of j, and d_jj from the joint to the mass centre of j,

    ω_j = G_j ω_i + Ω_j,      v_j = G_j (v_i + ω_i × r_j) + Ż_j + ω_j × d_jj

[Huang1997, sec. 1.3, sec. 1.4].

Terms linear in ω_i and v_i are ``carried``, and so is every derivative by variables of other joints
than j.  G_j and r_j depend on the coordinates of joint j only: the derivative of the carried terms
by these is ``turned``.  Each derivative is computed once, from that of the parent: the intermediate
variables of [Huang1997, sec. 2.1].

    ∂ω/∂q̇, ∂v/∂q̇      ∂ω/∂q, ∂v/∂q      ∂²ω/∂q̇∂q, ∂²v/∂q̇∂q

Differs from [Huang1997]: v_j as printed lacks ω_i × Z_j, which r_j includes; the base may move in
any given way, so that ω and v depend on time too; joints need not be Euler angles and slides.

∂/∂q_s is the derivative while the joint moves with v_s = 1 alone.  Where v = q̇ it is the partial
derivative; where an orientation is a quaternion, that along a quasi-coordinate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, cross_columns

BASE = -1


@dataclass(frozen=True, eq=False)
class Pair:
    """ω and v of a body as columns, or columns of one of their derivatives, shapes (3, k)."""

    w: Array
    v: Array


@dataclass(frozen=True, eq=False)
class PathStep:
    """The joint between a body and its parent, the carrier.

    Attributes:
        G: Takes vectors from the axes of the carrier to those of the body, shape (3, 3).
        r: From the mass centre of the carrier to the body's origin [m], in the carrier's axes.
        com: From there to the mass centre of the body, d_jj [m], in its axes.
        S: Motion subspace of the joint, shape (6, its number of speeds).
        dS: Its derivatives by the joint's own coordinates, one for each.
    """

    G: Array
    r: Array
    com: Array
    S: Array
    dS: list[Array]

    def carried(self, inner: Pair) -> Pair:
        """Return the part of ω and v that is due to those of the carrier."""
        w = self.G @ inner.w
        return Pair(
            w, self.G @ (inner.v - cross_columns(self.r, inner.w)) - cross_columns(self.com, w)
        )

    def turned(self, s: int, outer: Pair) -> Pair:
        """Return the derivative of the carried terms by the joint's coordinate ``s``.

            ∂G/∂q_s = -k_s × G,      G ∂r/∂q_s = z_s

        with k_s and z_s the turning and the sliding axis of S.

        Args:
            s: Number of the coordinate in the joint.
            outer: The carried terms.
        """
        z, k = self.S[:3, s], self.S[3:, s]
        w = -cross_columns(k, outer.w)
        at_joint = outer.v + cross_columns(self.com, outer.w)
        return Pair(
            w, -cross_columns(k, at_joint) - cross_columns(z, outer.w) - cross_columns(self.com, w)
        )

    def relative(self, S: Array) -> Pair:
        """Return Ω and Ż + Ω × d_jj by the joint's speeds, for S or a derivative of it."""
        return Pair(S[3:], S[:3] - cross_columns(self.com, S[3:]))


@dataclass(frozen=True, eq=False)
class Derivatives:
    """ω and v of one body and their partial derivatives.

    Attributes:
        speeds: Indices of the speeds that move the body, from the root outwards; n of them.
        motion: ω and v, shapes (3, 1).
        by_time: ∂/∂t, due to the base, shapes (3, 1).
        by_speeds: ∂/∂q̇, shapes (3, n).
        by_coordinates: ∂/∂q, shapes (3, n).
        mixed: ∂²/∂q̇∂q_s for each coordinate s of the path, of shape (3, speeds up to and with
            those of its joint); the others are zero, since relative velocities do not depend on the
            coordinates of inner joints.
    """

    speeds: list[int]
    motion: Pair
    by_time: Pair
    by_speeds: Pair
    by_coordinates: Pair
    mixed: list[Pair]


def steps(mechanism: Mechanism, q: Array) -> list[PathStep]:
    """Return the step from its parent to each body, in listed order."""
    path_steps = []
    for i, body in enumerate(mechanism.bodies):
        q_i, carrier = q[mechanism.q_slices[i]], mechanism.parents[i]
        X_PB = body.pose.transform() @ body.joint.transform(q_i)
        com = np.zeros(3) if carrier == BASE else np.array(mechanism.bodies[carrier].com)
        units = np.eye(body.joint.nv)
        dS = [body.joint.motion_subspace_rate(q_i, unit) for unit in units]
        S = body.joint.motion_subspace(q_i)
        path_steps.append(PathStep(X_PB.R.T, X_PB.p - com, np.array(body.com), S, dS))
    return path_steps


def rotations(mechanism: Mechanism, path_steps: list[PathStep]) -> list[Array]:
    """Return for each body A_j = G_j A_i, which takes vectors from the axes of the base to its own.

    [Huang1997, sec. 1.2], for any joint in place of Euler angles.

    Args:
        mechanism: The bodies.
        path_steps: Their steps.
    """
    A = [np.eye(3)] * (mechanism.n_bodies + 1)  # the last is the base
    for j in mechanism.order:
        A[j] = path_steps[j].G @ A[mechanism.parents[j]]
    return A[:-1]


def partial_velocities(
    mechanism: Mechanism, path_steps: list[PathStep]
) -> list[tuple[list[int], Pair]]:
    """Return for each body its speeds and ∂ω/∂q̇, ∂v/∂q̇, shapes (3, n).

    Args:
        mechanism: The bodies.
        path_steps: Their steps.
    """
    none: list[int] = []
    partials = [(none, Pair(np.zeros((3, 0)), np.zeros((3, 0))))] * (mechanism.n_bodies + 1)
    for j in mechanism.order:
        speeds, inner = partials[mechanism.parents[j]]
        v_slice = mechanism.v_slices[j]
        columns = _beside(path_steps[j].carried(inner), path_steps[j].relative(path_steps[j].S))
        partials[j] = ([*speeds, *range(v_slice.start, v_slice.stop)], columns)
    return partials[:-1]


def derivatives(
    mechanism: Mechanism, path_steps: list[PathStep], v: Array, environment: Environment
) -> list[Derivatives]:
    """Return ω and v of every body and all their derivatives, in listed order.

    Args:
        mechanism: The bodies.
        path_steps: Their steps.
        v: Speeds q̇ [m/s or rad/s], shape (nv,).
        environment: The motion of the base.
    """
    by_speeds = partial_velocities(mechanism, path_steps)
    results = [_base(environment)] * (mechanism.n_bodies + 1)
    for j in mechanism.order:
        step, inner = path_steps[j], results[mechanism.parents[j]]
        speed = v[mechanism.v_slices[j]][:, None]
        speeds, columns = by_speeds[j]
        carried, relative = step.carried(inner.motion), step.relative(step.S)
        below = Pair(*(x[:, : len(inner.speeds)] for x in (columns.w, columns.v)))
        by_joint: list[Pair] = []
        mixed: list[Pair] = []
        for s, dS in enumerate(step.dS):
            turned, changed = step.turned(s, carried), step.relative(dS)
            by_joint.append(Pair(turned.w + changed.w @ speed, turned.v + changed.v @ speed))
            mixed.append(_beside(step.turned(s, below), changed))
        results[j] = Derivatives(
            speeds,
            motion=Pair(carried.w + relative.w @ speed, carried.v + relative.v @ speed),
            by_time=step.carried(inner.by_time),
            by_speeds=columns,
            by_coordinates=_beside(step.carried(inner.by_coordinates), *by_joint),
            mixed=[*map(step.carried, inner.mixed), *mixed],
        )
    return results[:-1]


def _base(environment: Environment) -> Derivatives:
    """Return the derivatives of the base, whose motion is given."""
    V, A = np.asarray(environment.velocity)[:, None], np.asarray(environment.acceleration)[:, None]
    none = Pair(np.zeros((3, 0)), np.zeros((3, 0)))
    return Derivatives([], Pair(V[3:], V[:3]), Pair(A[3:], A[:3]), none, none, [])


def _beside(*pairs: Pair) -> Pair:
    return Pair(np.hstack([x.w for x in pairs]), np.hstack([x.v for x in pairs]))
