"""Control of programmed motions: ``ps.control``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.front.control_law import AT_CALL, ControlLaw, Redundancy
from poinsot.front.dexterity import MOTIONS
from poinsot.front.programme_reach import check_consistent, check_reach
from poinsot.front.system import System
from poinsot.model import AbstractConstraint, Holonomic, Signal, suggestion
from poinsot.model.checks import finite_array, finite_number, finite_vector, real_array
from poinsot.spatial import Array

__all__ = ["Programme", "control", "pose_programme"]

Programme: TypeAlias = AbstractConstraint | Sequence[AbstractConstraint] | Callable[[Any], Any]
"""Constraints f(q, t) = 0 that the motion is to obey, or t -> the wanted configuration."""


def control(
    system: System, programme: Programme, *, position_gain: ArrayLike | None = None,
    rate_gain: ArrayLike | None = None, poles: Sequence[complex] | ArrayLike | None = None,
    frequency: ArrayLike | None = None, damping_ratio: ArrayLike = 1.0,
    weights: tuple[ArrayLike, ArrayLike, ArrayLike] | None = None, redundancy: Redundancy = None,
    weighted: bool = False, reactions: Mapping[str, ArrayLike] | None = None, start: float = 0.0,
) -> ControlLaw:  # fmt: skip
    """Return joint forces tau(t, q, v) under which a system follows a programme f(q, t) = 0.

        tau = b + M a,      a = u - Γ⁺ (γ + Γ1 df/dt + Γ0 f + Γ u)

    [Zaremba1990, (3.1)], with Γ = df/dq, Γ⁺ its Moore-Penrose inverse, γ the velocity terms of the
    second derivative of f, and u the accelerations of the motion that f leaves free.  While the m
    rows of Γ are independent, so m ≤ nv, the error decays exactly by

        d²f/dt² + Γ1 df/dt + Γ0 f = 0      [Zaremba1990, (3.5)]

    whatever u.  For m > nv accelerations are the least-squares solution, and the error decays so
    only about a programme at rest.

    A run that comes to a singular Γ says so: in ``run.status.message`` and by a warning, with time,
    configuration, rank, rows and joints concerned.

    Args:
        system: A tree; the law's model.  What is simulated may have other numbers.
        programme: Constraints (``FormulaConstraint``, ``Holonomic``, ``PrescribedMotion``, ... ,
            ``pose_programme``), or a function t -> wanted configuration, shape (nq,).
        position_gain: Γ0 [1/s²]: a number, one per row, or a matrix, shape (m, m).
        rate_gain: Γ1 [1/s], likewise.
        poles: In place of the gains: two poles [1/s] for all rows, or two per row, shape (m, 2),
            both real or a conjugate pair.
        frequency: In place of the gains: natural frequencies of the errors [rad/s], a number or one
            per row: Γ0 = ω², Γ1 = 2 ζ ω.
        damping_ratio: ζ of these.
        weights: In place of the gains: (q, r, s), numbers, one per row or matrices: gains that make
            the integral of fᵀ q f + (df/dt)ᵀ r (df/dt) + wᵀ s w, w = d²f/dt², least (LQR).
        redundancy: u: a vector, shape (nv,), or a function (t, q, v) -> u; zero by default, which
            does not damp the motion that f leaves free.  "call": an argument of the law at each
            call, ``law(t, q, v, redundancy=u)``, and an input of exports.
        weighted: Whether Γ⁺ is the inverse in the metric of M: then tau - M u - b is the force that
            an ideal constraint would exert; for the position of a hand this is operational-space
            control [Khatib1987].
        reactions: Forces that the motion is to press with against constraints of the programme
            that are surfaces of the plant, by name: their multipliers there, one per row (hybrid
            control of force and position).
        start: Time at which the motion starts [s]; then the programme must be within reach.

    Raises:
        ModelError: If a gain has the wrong shape, errors would not decay, the system has loops,
            constraints contradict each other, or no configuration obeys them at the start.

    >>> import poinsot as ps
    >>> arm = ps.library.double_pendulum()
    >>> law = ps.control(arm, lambda t: [0.3 * np.sin(t), 0.1], poles=(-4, -5))
    >>> run = ps.simulate(arm, [0.1, 0.0], [0.0, 0.0], 3.0, tau=law)
    >>> bool(np.abs(law.at(run.t[-1], run.q[-1], run.v[-1]).f).max() < 1e-4)
    True
    """
    rows = programme_rows(programme)
    followed = followed_system(system, rows)
    m = len(followed.row_names)
    Gamma0, Gamma1 = _gains(m, position_gain, rate_gain, poles, frequency, damping_ratio, weights)
    pressed = _pressed(followed, rows, reactions or {})
    if isinstance(programme, AbstractConstraint) or not callable(programme):
        start = finite_number(start, "control: start")
        check_consistent(followed, start)
        if m <= system.nv:
            check_reach(followed, start)
    return ControlLaw(
        system, followed, Gamma0, Gamma1, checked_redundancy(system, redundancy), weighted, pressed
    )


def followed_system(system: System, rows: Sequence[AbstractConstraint]) -> System:
    """Return the bodies of a law's model with the rows of its programme as constraints."""
    if not isinstance(system, System):
        raise ModelError(f"control: the law's model must be a System, got {system!r}")
    mechanism = system.mechanism
    if mechanism.closures:
        raise ModelError(
            f"control: {system.name!r} has loops or constraints; a law's model must be a tree: "
            "add the rows of its loops to the programme"
        )
    if mechanism.parameter_inputs:
        raise ModelError(
            f"control: {system.name!r} has free parameters or further states; give its law "
            "numbers: with_parameters(...)"
        )
    try:
        return System(
            f"{system.name} on its programme", mechanism.bodies, gravity=mechanism.gravity,
            constraints=rows, parameters=system.parameters,
        )  # fmt: skip
    except ModelError as error:
        raise ModelError(f"control: {error}") from error


def checked_redundancy(system: System, redundancy: Redundancy) -> Redundancy:
    """Return the accelerations of the motion that a programme leaves free, checked."""
    if isinstance(redundancy, str):
        if redundancy != AT_CALL:
            raise ModelError(
                f'control: redundancy must be {system.nv} numbers, a function (t, q, v) or "call", '
                f"got {redundancy!r}"
            )
    elif redundancy is not None and not callable(redundancy):
        redundancy = finite_array(redundancy, "control: redundancy")
        if redundancy.shape != (system.nv,):
            raise ModelError(
                f"control: redundancy must be a function (t, q, v) or {system.nv} numbers, got "
                f"shape {redundancy.shape}"
            )
    return redundancy


def pose_programme(
    system: System, body: str, desired: Callable[[Any], Any], *,
    point: ArrayLike = (0.0, 0.0, 0.0), motion: str = "pose", name: str | None = None,
) -> Holonomic:  # fmt: skip
    """Return the programme that a body has a pose that changes with time, six rows, or part of it.

        f = [p - p_d; ε],      ε = vector part of the quaternion of R_dᵀ R, scalar part positive

    It is singular only where the attitude is wrong by half a turn.

    Args:
        system: The system.
        body: Name of the body, a tool for instance.
        desired: t -> position p_d [m], shape (3,), and rotation R_d, shape (3, 3), in the world; of
            a motion "position" or "attitude" only the one or the other.
        point: The point that is led, in body coordinates [m].
        motion: What is led: "pose", "position" or "attitude".
        name: Name of the constraint; ``motion`` by default.
    """
    system.mechanism.index(body)
    if motion not in MOTIONS:
        hint = suggestion(motion, MOTIONS)
        raise ModelError(f"pose_programme: there is no motion {motion!r}; {hint}")
    if not callable(desired):
        raise ModelError(
            "pose_programme: desired must be a function t -> (position, rotation), got "
            f"{desired!r}; for a pose X at rest lambda t: (X[:3, 3], X[:3, :3])"
        )
    place = np.append(finite_vector(point, 3, "pose_programme: point"), 1.0)

    def error(q: Array, t: Any) -> Array:  # noqa: ANN401 (any scalar)
        X, given = system.pose(body, q), desired(t)
        if motion == "pose" and (not isinstance(given, tuple | list) or len(given) != 2):
            raise ValueError(
                "the wanted pose must be (position, rotation), e.g. (X[:3, 3], X[:3, :3])"
            )
        position, rotation = given if motion == "pose" else (given, given)
        rows: list[Any] = []
        if motion != "attitude":
            rows += list((X @ place)[:3] - _shaped(position, (3,), "position"))
        if motion != "position":
            R = _shaped(rotation, (3, 3), "rotation").T @ X[:3, :3]
            twice = np.sqrt(1.0 + R[0, 0] + R[1, 1] + R[2, 2])  # 2 η
            turn = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
            rows += [x / (2.0 * twice) for x in turn]
        return np.array(rows)

    return Holonomic(motion if name is None else name, error)


def _shaped(given: Any, shape: tuple[int, ...], what: str) -> Array:  # noqa: ANN401 (any scalars)
    array = np.asarray(given)
    if array.shape != shape:
        raise ValueError(f"the wanted {what} must have the shape {shape}, got {array.shape}")
    return array


def programme_rows(programme: Programme) -> list[AbstractConstraint]:
    """Return the constraints of a programme."""
    if isinstance(programme, Signal):
        raise ModelError(
            "control: a Signal has no two derivatives, which a programme needs; give a motion, "
            "ps.through_points(times, points), or a function of t"
        )
    if callable(programme) and not isinstance(programme, AbstractConstraint):
        wanted = programme

        def error(q: Array, t: Any) -> Array:  # noqa: ANN401 (any scalar)
            goal = np.asarray(wanted(t))
            if goal.shape not in ((), q.shape):
                raise ValueError(
                    f"the wanted configuration has the shape {goal.shape}, q {q.shape}"
                )
            difference: Array = q - goal
            return difference

        return [Holonomic("joints", error)]
    if isinstance(programme, AbstractConstraint):
        programme = [programme]
    listed = list(programme) if isinstance(programme, Iterable) else []
    if not listed or not all(isinstance(x, AbstractConstraint) for x in listed):
        raise ModelError(
            "control: the programme must be constraints, or a function of t that returns the "
            f"wanted configuration, e.g. lambda t: q, got {type(programme).__name__} "
            f"{str(programme)[:60]!r}"
        )
    for constraint in listed:
        if constraint.velocity_rows:
            raise ModelError(
                f"control: {constraint.label} constrains velocities; a programme is f(q, t) = 0"
            )
    return listed


def _pressed(
    followed: System, rows: Sequence[AbstractConstraint], reactions: Mapping[str, ArrayLike]
) -> Array | None:
    """Return the wanted multipliers of all rows, shape (m,); None without any."""
    if not reactions:
        return None
    if not isinstance(reactions, Mapping):
        raise ModelError(
            f'control: reactions must name constraints, e.g. {{"wall": 20.0}}, got {reactions!r}'
        )
    result = np.zeros(len(followed.row_names))
    slices = dict(zip([x.name for x in rows], followed.mechanism.row_slices, strict=True))
    for name, given in reactions.items():
        if name not in slices:
            raise ModelError(
                f"control: reactions: the programme has no constraint {name!r}; "
                f"{suggestion(name, slices)}"
            )
        block = slices[name]
        values = finite_array(given, f"control: reactions of {name!r}")
        if values.shape not in ((), (block.stop - block.start,)):
            raise ModelError(
                f"control: reactions of {name!r} must be {block.stop - block.start} numbers, got "
                f"{given!r}"
            )
        result[block] = values
    return result


def _gains(
    m: int, position: ArrayLike | None, rate: ArrayLike | None, poles: ArrayLike | None,
    frequency: ArrayLike | None, damping_ratio: ArrayLike,
    weights: tuple[ArrayLike, ArrayLike, ArrayLike] | None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return Γ0 and Γ1, shape (m, m), of gains, poles, frequencies or weights."""
    both = position is not None and rate is not None
    chosen = [both, *(x is not None for x in (poles, frequency, weights))]
    if sum(chosen) != 1 or (position is None) != (rate is None):
        raise ModelError(
            "control: give position_gain and rate_gain, or poles, or frequency, or weights"
        )
    if frequency is not None:
        omega = finite_array(frequency, "control: frequency")
        ratio = finite_array(damping_ratio, "control: damping_ratio")
        position, rate = omega**2, 2.0 * ratio * omega
    if weights is not None:
        position, rate = _least_cost(m, weights)
    if poles is not None:
        try:
            pairs = np.asarray(poles, np.complex128)
        except (TypeError, ValueError):
            raise ModelError(f"control: poles must be numbers, got {poles!r}") from None
        if pairs.shape not in ((2,), (m, 2)):
            raise ModelError(
                f"control: poles must be two numbers or two for each of {m} rows, got shape "
                f"{pairs.shape}"
            )
        sums, products = -pairs.sum(axis=-1), pairs.prod(axis=-1)
        if np.abs(np.append(sums.imag, products.imag)).max() > 1e-9 * np.abs(pairs).max() ** 2:
            raise ModelError(f"control: poles must be real or conjugate pairs, got {poles!r}")
        position, rate = products.real, sums.real
    Gamma0, Gamma1 = (
        _matrix(m, gain, name) for gain, name in ((position, "position_gain"), (rate, "rate_gain"))
    )
    companion = np.block([[np.zeros((m, m)), np.eye(m)], [-Gamma0, -Gamma1]])
    slowest = float(np.linalg.eigvals(companion).real.max())
    if slowest >= 0.0:
        raise ModelError(
            "control: errors would not decay: a pole of these gains has the real part "
            f"{slowest:g}/s; choose gains for which d²f/dt² + Γ1 df/dt + Γ0 f = 0 is stable, e.g. "
            "poles=(-5, -6)"
        )
    return Gamma0, Gamma1


def _least_cost(m: int, weights: tuple[ArrayLike, ArrayLike, ArrayLike]) -> tuple[Array, Array]:
    """Return the gains of least cost of d²f/dt² = w."""
    from scipy.linalg import block_diag, solve_continuous_are

    if not isinstance(weights, Sequence) or len(weights) != 3:
        raise ModelError(
            "control: weights must be three: of f, of its rate and of the input, e.g. (100, 1, 1), "
            f"got {weights!r}"
        )
    names = "weight of f", "weight of its rate", "weight of the input"
    q, r, s = (_matrix(m, x, name) for x, name in zip(weights, names, strict=True))
    A = np.block([[np.zeros((m, m)), np.eye(m)], [np.zeros((m, 2 * m))]])
    B = np.vstack([np.zeros((m, m)), np.eye(m)])
    try:
        P = solve_continuous_are(A, B, block_diag(q, r), s)
    except np.linalg.LinAlgError:
        raise ModelError(
            f"control: weights must be positive definite, got {weights!r}; e.g. (100, 1, 1)"
        ) from None
    gain = np.linalg.solve(s, B.T @ P)
    return gain[:, :m], gain[:, m:]


def _matrix(m: int, gain: ArrayLike | None, name: str) -> Array:
    """Return a gain as a matrix."""
    array = real_array(np.nan if gain is None else gain, f"control: {name}")
    if array.shape not in ((), (m,), (m, m)) or not np.isfinite(array).all():
        raise ModelError(
            f"control: {name} must be a number, {m} numbers or a {m} x {m} matrix, got {gain!r}"
        )
    return array if array.ndim == 2 else array * np.eye(m)
