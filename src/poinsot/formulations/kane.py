"""Kane's equations [Kane1985], with the partial velocities of trees as arrays [Huston1990].

The generalised speeds are v.  The angular velocity of a body and the velocity of its mass centre
are linear in them,

    w = Σ_r w_r v_r + w_t,      v_G = Σ_r v_r* v_r + v_t,

with partial angular velocities w_r, partial velocities v_r*, and a rest w_t, v_t that is due to the
base.  Each equation of motion balances active against inertia forces, F_r + F_r* = 0:

    F_r  =  Σ (v_r* · f + w_r · n),                     f, n on the body, n about its mass centre
    F_r* = -Σ (v_r* · m a_G + w_r · (I α + w × I w)),

summed over the bodies; a_G and α follow from the time derivatives of the partial velocities.

All vectors are in the axes of the base.  Where it turns, read these as axes at rest which coincide
with those of the base at this instant: velocities and their derivatives are those in inertial
space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.passive_forces import passive_force
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array, cross, cross_columns


@dataclass(frozen=True, eq=False)
class Partials:
    """The partial velocities of one body, and how they change.

    Column 0 of the arrays is the rest that is due to the base, as if of a speed that is always 1;
    the others belong to ``speeds``, so that no zeros are kept.

    Attributes:
        speeds: Numbers of the speeds that move the body, from the root outwards: those of its joint
            and of its lower bodies.
        R: Axes of the body, shape (3, 3).
        w: Partial angular velocities, shape (3, 1 + number of speeds).
        v: Partial velocities of the body's origin, the same shape.
        dw: Their rates, the same shape.
        dv: Rates of v, the same shape.
    """

    speeds: list[int]
    R: Array
    w: Array
    v: Array
    dw: Array
    dv: Array

    def at_point(self, r: Array, omega: Array) -> tuple[Array, Array]:
        """Return the partial velocities of a point fixed in the body, and their rates.

            v_r(P) = v_r(O) + w_r × r,      dr/dt = ω × r

        Args:
            r: From the origin to the point [m], shape (3,).
            omega: Angular velocity of the body [rad/s], shape (3,).
        """
        v = self.v - cross_columns(r, self.w)
        dv = self.dv - cross_columns(r, self.dw) - cross_columns(cross(omega, r), self.w)
        return v, dv

    def angular_velocity(self, v: Array) -> Array:
        """Return the angular velocity of the body under the speeds ``v`` [rad/s], shape (3,)."""
        return _summed(self.w, v[self.speeds])


def mass_matrix(mechanism: Mechanism, q: Array) -> Array:
    """Return the coefficients of the accelerations in -F_r*, shape (nv, nv), armature included.

    M_rs = Σ (m v_r* · v_s* + w_r · I w_s)
    """
    still = np.zeros(mechanism.nv)
    M = np.zeros((mechanism.nv, mechanism.nv), np.result_type(float, q))
    bodies = partial_velocities(mechanism, q, still, _at_rest())
    for body, partials in zip(mechanism.bodies, bodies, strict=True):
        v, _ = partials.at_point(partials.R @ np.array(body.com), np.zeros(3))
        v, w = (
            v[:, 1:],
            partials.R.T @ partials.w[:, 1:],
        )  # w in the body's axes, where I is constant
        rows = np.ix_(partials.speeds, partials.speeds)
        M[rows] += body.mass * (v.T @ v) + w.T @ (body.inertia_matrix() @ w)
    for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True):
        M[v_slice, v_slice] += body.joint.armature_matrix()
    return np.tril(M) + np.tril(M, -1).T  # symmetric to the last digit


def bias(mechanism: Mechanism, q: Array, v: Array, environment: Environment) -> Array:
    """Return -(F_r + F_r*) at zero accelerations, with the joints' passive forces, shape (nv,)."""
    return _balance(mechanism, q, v, np.zeros(mechanism.nv), environment)


def inverse_dynamics(
    mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment
) -> Array:
    """Return the joint forces under which F_r + F_r* = 0 at the accelerations ``a``, shape (nv,).

    Args:
        mechanism: The bodies.
        q: Configuration [m or rad], shape (nq,).
        v: Generalised speeds [m/s or rad/s], shape (nv,).
        a: Their rates, shape (nv,).
        environment: Gravity, motion of the base and wrenches.
    """
    drives = [
        body.joint.armature_matrix() @ a[v_slice]
        for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True)
    ]
    tau: Array = _balance(mechanism, q, v, a, environment) + np.concatenate(drives)
    return tau


def forward_dynamics(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return the accelerations under the joint forces ``tau``: a = M⁻¹ (tau - bias), shape (nv,).

    M is factored from the leaves inwards, which keeps the zeros that branches leave in it.

    Raises:
        ModelError: M is singular.
    """
    numbers = range(mechanism.nv)
    inwards = [k for i in reversed(mechanism.order) for k in numbers[mechanism.v_slices[i]]]
    M = mass_matrix(mechanism, q)[np.ix_(inwards, inwards)]
    force = (tau - bias(mechanism, q, v, environment))[inwards]
    try:
        factors = ldl(M)
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"mechanism {mechanism.name!r}: the mass matrix is singular ({error}), so "
            "accelerations are not determined; give bodies without mass some, or their joints an "
            "armature"
        ) from error
    solution = ldl_solve(*factors, force)
    a = np.empty_like(solution)
    a[inwards] = solution
    return a


def partial_velocities(
    mechanism: Mechanism, q: Array, v: Array, environment: Environment
) -> list[Partials]:
    """Return the partial velocities of every body, in listed order.

    Outwards along the lower bodies.  With d from the parent's origin to the body's,

        v_r = v_r' + w_r' × d,      w_r = w_r',

    where ' is the parent's; the joint adds its own axes R S, whose rate is ω × R S + R dS/dt.
    """
    partials: list[Partials] = [_base(environment)] * (
        mechanism.n_bodies + 1
    )  # the last is the base
    for i in mechanism.order:
        body, v_slice, q_i = mechanism.bodies[i], mechanism.v_slices[i], q[mechanism.q_slices[i]]
        parent = partials[mechanism.parents[i]]
        X_PB = body.pose.transform() @ body.joint.transform(q_i)
        R, d = parent.R @ X_PB.R, parent.R @ X_PB.p
        S, dS = body.joint.motion_subspace(q_i), body.joint.motion_subspace_rate(q_i, v[v_slice])
        slides, turns = R @ S[:3], R @ S[3:]

        omega_parent = parent.angular_velocity(v)
        omega = omega_parent + turns @ v[v_slice]
        d_rate = cross(omega_parent, d) + slides @ v[v_slice]
        carried = parent.v - cross_columns(d, parent.w)
        carried_rate = parent.dv - cross_columns(d, parent.dw) - cross_columns(d_rate, parent.w)
        partials[i] = Partials(
            [*parent.speeds, *range(v_slice.start, v_slice.stop)],
            R,
            w=np.hstack([parent.w, turns]),
            v=np.hstack([carried, slides]),
            dw=np.hstack([parent.dw, cross_columns(omega, turns) + R @ dS[3:]]),
            dv=np.hstack([carried_rate, cross_columns(omega, slides) + R @ dS[:3]]),
        )
    return partials[:-1]


def _balance(mechanism: Mechanism, q: Array, v: Array, a: Array, environment: Environment) -> Array:
    """Return -(F_r + F_r*), the joints' passive forces among the active ones, no armature."""
    forces = np.zeros(mechanism.nv, object)
    bodies = partial_velocities(mechanism, q, v, environment)
    for i, (body, partials) in enumerate(zip(mechanism.bodies, bodies, strict=True)):
        com, I, R, speeds = np.array(body.com), body.inertia_matrix(), partials.R, partials.speeds
        omega = partials.angular_velocity(v)
        v_G, dv_G = partials.at_point(R @ com, omega)
        a_G = _summed(dv_G, v[speeds]) + v_G[:, 1:] @ a[speeds]
        alpha = R.T @ (
            _summed(partials.dw, v[speeds]) + partials.w[:, 1:] @ a[speeds]
        )  # in the body's axes
        omega = R.T @ omega
        f = body.mass * (a_G - environment.gravity)
        n = I @ alpha + cross(omega, I @ omega)
        if i in environment.wrenches:
            wrench = np.asarray(environment.wrenches[i])
            f = f - R @ wrench[:3]
            n = n - (wrench[3:] - cross(com, wrench[:3]))
        forces[speeds] += v_G[:, 1:].T @ f + partials.w[:, 1:].T @ (R @ n)
    return np.array(forces.tolist()) + passive_force(mechanism, q, v, environment)


def _base(environment: Environment) -> Partials:
    """Return the partials of the base: all of its motion is given.

    Its acceleration is that of its origin, d/dt of the components and ω × v for the turning axes.
    """
    V, A = np.asarray(environment.velocity), np.asarray(environment.acceleration)
    dv = A[:3] + cross(V[3:], V[:3])
    w, v = V[3:, None], V[:3, None]
    return Partials([], np.eye(3), w=w, v=v, dw=A[3:, None], dv=dv[:, None])


def _at_rest() -> Environment:
    return Environment(np.zeros(3))


def _summed(partials: Array, speeds: Array) -> Array:
    """Return Σ_r p_r v_r + p_t, shape (3,)."""
    total: Array = partials[:, 0] + partials[:, 1:] @ speeds
    return total
