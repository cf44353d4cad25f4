"""Laws beside ``ps.control``: impedance, gravity compensation, limits, sampling, free motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.expr.functions import select
from poinsot.expr.linalg import cholesky, solve_lower, solve_lower_transposed
from poinsot.front.control import (
    Programme,
    checked_redundancy,
    followed_system,
    programme_rows,
)
from poinsot.front.control_law import Redundancy, free_accelerations
from poinsot.front.programme_rank import FollowedRows
from poinsot.front.programme_reach import check_independent
from poinsot.front.system import System
from poinsot.model import JointForce, SampledState, Signal
from poinsot.model.checks import finite_array, finite_number, finite_vector, real_array
from poinsot.model.followed_programmes import record_programme
from poinsot.spatial import Array

__all__ = [
    "away_from_limits",
    "away_from_obstacle",
    "centring",
    "impedance",
    "limited_law",
    "noisy_law",
    "pd_gravity",
    "sampled_law",
]

Law: TypeAlias = Callable[[Any, Any, Any], Any]
"""Joint forces tau(t, q, v), over numbers or expressions."""


def impedance(
    system: System, programme: Programme, *, stiffness: ArrayLike, damping: ArrayLike,
    redundancy: Redundancy = None,
) -> Law:  # fmt: skip
    """Return joint forces under which a programme f(q, t) = 0 is held by springs and dampers.

        tau = b + Γᵀ (-Λ γ - D df/dt - K f) + (1 - Γᵀ Λ Γ M⁻¹) M u,     Λ = (Γ M⁻¹ Γᵀ)⁻¹

    so that Λ d²f/dt² + D df/dt + K f = h, with the forces h that others exert along f [Hogan1985]:
    the inertia stays that of the system, and no force is measured.

    Args:
        system: A tree, the law's model.
        programme: As of ``control``; its rows must be independent.
        stiffness: K [N/m or N m/rad]: a number, one per row, or a matrix.
        damping: D [N s/m or N m s/rad], likewise.
        redundancy: u: accelerations of the motion that f leaves free; a vector or (t, q, v) -> u.

    >>> import poinsot as ps
    >>> arm = ps.library.double_pendulum()
    >>> law = impedance(arm, lambda t: [0.3, 0.1], stiffness=50.0, damping=10.0)
    >>> run = ps.simulate(arm, [0.0, 0.0], [0.0, 0.0], 8.0, tau=law)
    >>> run.q[-1].round(4)
    array([0.3, 0.1])
    """
    followed = followed_system(system, programme_rows(programme))
    check_independent(followed)
    rows, m = FollowedRows(followed), len(followed.row_names)
    K, D = (_gain(m, x, name) for x, name in ((stiffness, "stiffness"), (damping, "damping")))
    free = checked_redundancy(system, redundancy)
    if isinstance(free, str):
        raise ModelError("impedance: redundancy must be numbers or a function (t, q, v)")

    def law(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        record_programme(rows)
        f, rate = followed.constraint_residual(q, t=t), followed.constraint_rate(q, v, t=t)
        Gamma, gamma = followed.constraint_jacobian(q, t=t), followed.constraint_bias(q, v, t=t)
        Y = solve_lower(cholesky(system.mass_matrix(q)), Gamma.T)
        inner = cholesky(Y.T @ Y)
        target, still = -gamma, v * 0.0
        u = free_accelerations(system, free, t, q, v)
        if u is not None:
            target, still = target - Gamma @ u, u
        pushed = solve_lower_transposed(inner, solve_lower(inner, target))
        along = pushed - D @ rate - K @ f
        return system.inverse_dynamics(q, v, still, t=t) + Gamma.T @ along

    return law


def pd_gravity(
    system: System, wanted: ArrayLike | Callable[[Any], Any], *, position_gain: ArrayLike,
    rate_gain: ArrayLike,
) -> Law:  # fmt: skip
    """Return joint forces tau = g(q) - Kp (q - q_d) - Kd v, stable for any positive gains.

    Args:
        system: A tree without quaternions, the law's model.
        wanted: q_d [m or rad], shape (nq,), or t -> q_d.
        position_gain: Kp [N m/rad or N/m]: a number, one per joint, or a matrix.
        rate_gain: Kd [N m s/rad or N s/m], likewise.
    """
    if not callable(wanted):
        wanted = finite_vector(wanted, system.nq, "pd_gravity: wanted")
    K, D = (_gain(system.nv, x, name) for x, name in ((position_gain, "position_gain"),
                                                      (rate_gain, "rate_gain")))  # fmt: skip

    def law(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        goal = np.asarray(wanted(t) if callable(wanted) else wanted)
        if goal.shape != (system.nq,):
            raise ModelError(
                f"pd_gravity: wanted(t) must give {system.nq} numbers, got shape {goal.shape}"
            )
        return system.gravity_force(q) - K @ (q - goal) - D @ v

    return law


def limited_law(law: Law, effort: ArrayLike) -> Law:
    """Return a law whose joint forces are cut off at limits.

    Args:
        law: tau(t, q, v).
        effort: Largest joint forces [N or N m], a number or shape (nv,); ``system.limits.effort``.
    """
    if not callable(law):
        raise ModelError(f"limited_law: law must be a function tau(t, q, v), got {law!r}")
    most = real_array(effort, "limited_law: effort")
    if not (most > 0.0).all():
        raise ModelError(f"limited_law: effort must be positive, got {effort!r}")

    def cut(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        tau = np.asarray(law(t, q, v))
        if most.shape not in ((), tau.shape[-1:]):
            raise ModelError(
                f"limited_law: effort has {most.size} numbers, the law {tau.shape[-1]} joint forces"
            )
        limits = np.broadcast_to(most, tau.shape[-1:])
        if tau.dtype != object:
            return np.clip(tau, -limits, limits)
        pairs = zip(tau.tolist(), limits.tolist(), strict=True)
        cut_off = [
            select(x > limit, limit, select(x < -limit, -limit, x)) if limit < np.inf else x
            for x, limit in pairs
        ]
        return np.array(cut_off, dtype=object)

    return cut


def noisy_law(
    law: Law, system: System, duration: float, *, position: ArrayLike = 0.0, rate: ArrayLike = 0.0,
    every: float = 0.01, seed: int = 0,
) -> Law:  # fmt: skip
    """Return a law that is told wrong positions and velocities: white noise, held for a while.

    Args:
        law: tau(t, q, v).
        system: The plant, without quaternions.
        duration: For how long there is noise [s].
        position: Standard deviation of the coordinates [m or rad], a number or shape (nq,).
        rate: Of the velocities [m/s or rad/s], a number or shape (nv,).
        every: How long each error stays [s].
        seed: For the noise.
    """
    if not isinstance(system, System) or not callable(law):
        raise ModelError("noisy_law: give the law first, then the system")
    finite_vector((every, duration), 2, "noisy_law: every and duration")
    if system.nq != system.nv or not 0.0 < every < duration:
        raise ModelError("noisy_law: needs a system without quaternions, and every < duration")
    rng = np.random.default_rng(seed)
    times = np.arange(0.0, duration + 2.0 * every, every)
    scales = []
    for name, given in (("position", position), ("rate", rate)):
        scale = finite_array(given, f"noisy_law: {name}")
        if scale.shape not in ((), (system.nv,)) or (scale < 0.0).any():
            raise ModelError(
                f"noisy_law: {name} must be a deviation, not negative, or {system.nv} of them, got "
                f"{given!r}"
            )
        scales.append(np.broadcast_to(scale, system.nv))
    wrong_q, wrong_v = (
        Signal(times, rng.normal(size=(len(times), system.nv)) * scale, "hold") for scale in scales
    )

    def noisy(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (numbers or expressions)
        return law(t, q + np.asarray(wrong_q(t)), v + np.asarray(wrong_v(t)))

    return noisy


def sampled_law(system: System, law: Law, *, every: float, delay: float = 0.0) -> System:
    """Return the system with a digital controller: its law is sampled and held.

    Joint forces are states ``tau of joint``, computed at sampling times, see docs/states.md.

    Args:
        system: The plant, all of whose joints have one velocity.
        law: tau(t, q, v); ``limited_law`` cuts it off.
        every: Sampling time [s].
        delay: Time from sampling to effect [s].

    >>> import poinsot as ps
    >>> arm = ps.library.pendulum()
    >>> law = pd_gravity(arm, [0.5], position_gain=20, rate_gain=6)
    >>> digital = sampled_law(arm, law, every=0.01)
    >>> ps.simulate(digital, [0.0], [0.0], 5.0).q[-1].round(3)
    array([0.5])
    """
    if not isinstance(system, System):
        raise ModelError("sampled_law: give the system first, then its law")
    mechanism = system.mechanism
    forces = list(system.description.forces)
    states: list[Any] = list(system.description.states)
    for joint, body, v_slice in zip(
        mechanism.joint_names, mechanism.bodies, mechanism.v_slices, strict=True
    ):
        if not body.joint.nv:
            continue
        if body.joint.nv != 1:
            raise ModelError(
                f"sampled_law: joint {joint!r} has {body.joint.nv} velocities, not one"
            )
        name, k = f"tau_{len(states)}", v_slice.start

        def update(t: Any, q: Any, v: Any, k: int = k) -> Any:  # noqa: ANN401 (expressions)
            return np.asarray(law(t, q, v))[k]

        unit = "N" if body.joint.v_units[0] == "m/s" else "N m"
        states.append(SampledState(name, update, every, delay, unit=unit))
        forces.append(JointForce(joint, name))
    described = system.description
    return System(
        f"{system.name}, sampled", described.bodies, gravity=described.gravity, forces=forces,
        loops=described.loops, constraints=described.constraints, parameters=system.parameters,
        free=system.free, states=states,
    )  # fmt: skip


def centring(
    system: System, *, stiffness: float = 4.0, damping: float = 4.0, centre: ArrayLike | None = None
) -> Law:
    """Return the redundancy input u = -k (q - q_c) - d v, which draws joints to a posture.

    Args:
        system: A system without quaternions.
        stiffness: k [1/s²].
        damping: d [1/s].
        centre: q_c [m or rad], shape (nq,); the middle of the limits by default.
    """
    _check_numbers("centring", system, stiffness=stiffness, damping=damping)
    if centre is None:
        lower, upper = system.limits.lower, system.limits.upper
        finite = np.isfinite(lower) & np.isfinite(upper)
        middle = np.zeros(system.nq)
        middle[finite] = 0.5 * (lower[finite] + upper[finite])
    else:
        middle = finite_vector(centre, system.nq, "centring: centre")

    def law(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (expressions)
        return -stiffness * (q - middle) - damping * v

    return law


def away_from_limits(
    system: System, *, strength: float = 1.0, margin: float = 0.2, damping: float = 4.0
) -> Law:
    """Return the redundancy input that drives joints out of a margin at their limits.

        u = k (m - d)² / m² at the distance d < m from the lower limit, -k ... from the upper one

    less damping.

    Args:
        system: A system without quaternions.
        strength: k [rad/s² or m/s²], at the limit itself.
        margin: m [rad or m].
        damping: [1/s].
    """
    _check_numbers("away_from_limits", system, strength=strength, margin=margin, damping=damping)
    if not margin > 0.0:
        raise ModelError(f"away_from_limits: margin must be positive, got {margin!r}")
    lower = np.where(np.isfinite(system.limits.lower), system.limits.lower, -1e9)
    upper = np.where(np.isfinite(system.limits.upper), system.limits.upper, 1e9)

    def law(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (expressions)
        low = np.maximum(margin - (q - lower), 0.0) / margin
        high = np.maximum(margin - (upper - q), 0.0) / margin
        return strength * (low * low - high * high) - damping * v

    return law


def away_from_obstacle(
    system: System, body: str, point: ArrayLike, centre: ArrayLike, *, radius: float = 0.0,
    margin: float = 0.2, strength: float = 10.0, damping: float = 4.0,
) -> Law:  # fmt: skip
    """Return the redundancy input that pushes a point of a body away from a ball.

        u = Jᵀ n k (m - d)/m - damping v   at the distance d < m from the ball, n away from it

    with the Jacobian J of the point.  Inputs may be added: ``lambda t, q, v: a(t, q, v) + b(t, q,
    v)``.

    Args:
        system: The system.
        body: Name of the body, an elbow for instance.
        point: In body coordinates [m], shape (3,).
        centre: Of the ball in the world [m], shape (3,).
        radius: Of the ball [m].
        margin: m [m].
        strength: k [1/s² per metre of lever arm].
        damping: [1/s].
    """
    _check_numbers("away_from_obstacle", system, margin=margin, strength=strength, damping=damping)
    if not margin > 0.0:
        raise ModelError(f"away_from_obstacle: margin must be positive, got {margin!r}")
    system.mechanism.index(body)
    place = finite_vector(point, 3, "away_from_obstacle: point")
    middle = finite_vector(centre, 3, "away_from_obstacle: centre")
    if finite_number(radius, "away_from_obstacle: radius") < 0.0:
        raise ModelError(f"away_from_obstacle: radius must not be negative, got {radius!r}")

    def law(t: Any, q: Any, v: Any) -> Any:  # noqa: ANN401 (expressions)
        X = system.pose(body, q)
        gap = X[:3, :3] @ place + X[:3, 3] - middle
        distance = np.sqrt(gap @ gap)
        push = strength * np.maximum(margin - (distance - radius), 0.0) / margin
        J = system.jacobian(body, q, place, axes="world")[:3]
        return J.T @ gap * (push / distance) - damping * v

    return law


def _check_numbers(where: str, system: System, **given: float) -> None:
    """Reject what is no system, and what is not a finite number."""
    if not isinstance(system, System):
        raise ModelError(f"{where}: give the system first, got {system!r}")
    for name, value in given.items():
        finite_number(value, f"{where}: {name}")


def _gain(m: int, gain: ArrayLike, name: str) -> Array:
    array = finite_array(gain, name)
    if array.shape not in ((), (m,), (m, m)):
        raise ModelError(
            f"{name} must be a number, {m} numbers or a {m} x {m} matrix, got {gain!r}"
        )
    matrix = array if array.ndim == 2 else array * np.eye(m)
    if (np.linalg.eigvalsh(0.5 * (matrix + matrix.T)) < 0.0).any():
        raise ModelError(
            f"{name} must not be negative: it would drive the motion away, got {gain!r}"
        )
    return matrix
