"""Linearisation: ``ps.linearize`` and ``ps.root_locus``.

With Δq along ``integrate``, the equations of motion of a deviation from q(t) are

    M Δa + C Δv + K Δq = Δtau + Jᵀ Δλ,      J Δa + C1 Δv + C0 Δq = 0,      dΔq/dt = Δv + E Δq,
    C = ∂τ/∂v,   K = D(M a + bias) - D(Jᵀ λ),   C0 = D(J a + gamma),   C1 = ∂gamma/∂v

[Zaremba1990, (4.1), (4.2)].  E is zero but for joints with quaternions that turn.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.mobility import Mobility
from poinsot.errors import ModelError, ModelWarning
from poinsot.front.equilibrium import Equilibrium
from poinsot.front.linear_matrices import LinearizationPoint, linear_matrices
from poinsot.front.linear_model import LinearModel
from poinsot.front.linear_state_space import LinearStateSpace
from poinsot.front.run import Run
from poinsot.front.system import System
from poinsot.model import suggestion
from poinsot.simulation.running.start import NEAR
from poinsot.spatial import Array

__all__ = ["linearize", "root_locus"]

STEADY: Final = 1e-6
"""Accelerations up to this, relative to 1 + |v|² + g, count as none."""


def linearize(
    about: System | Equilibrium | Run, q: ArrayLike | None = None, v: ArrayLike | None = None, *,
    tau: ArrayLike | None = None, t: float = 0.0, motion: bool = False,
    inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None,
    without: Sequence[str] = (), parameters: Mapping[str, float] | None = None,
    states: Mapping[str, float] | None = None, wrenches: Mapping[str, ArrayLike] | None = None,
) -> LinearModel:  # fmt: skip
    """Return the linear model of small deviations from an equilibrium, a steady motion, or a run.

    Args:
        about: A system, with q and v; an ``Equilibrium``; or a run, with a time ``t``.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,); at rest by default.
        tau: Joint forces there [N or N m], shape (nv,); none by default, those of a run.
        t: Time [s].
        motion: Whether velocities may be changing there: deviations from a motion.
        inputs: Joints whose forces are inputs, or free parameters; all joints by default.
        outputs: Formulas (docs/formulas.md); the coordinates of all joints by default.
        without: Joints whose deviations are left out: cyclic coordinates, on which nothing
            depends.
        parameters: Values of free parameters by name.
        states: Values of further states by name.
        wrenches: External wrenches [f; n] by body, at its origin, constant in its axes, (6,).

    Raises:
        ModelError: If something accelerates there: the message names the joint; where constraints
            do not hold, unless ``motion``; or an unknown name.

    >>> import poinsot as ps
    >>> swing = ps.library.pendulum()
    >>> model = ps.linearize(swing, [0.0])
    >>> round(float(model.frequencies[0]), 6) == round(float(np.sqrt(9.81)), 6)
    True
    """
    if isinstance(about, Equilibrium):
        q, system, t = about.q, about.system, about.t
        tau = about.applied if tau is None else tau
    elif isinstance(about, Run):
        system, motion = about.system, True
        q, v = about.at(t)
        tau = about.along(np.array([t]), q[None], v[None]).tau()[0]
        parameters = about.parameters or None
        further = {name: float(about.evaluate(name, [t])[0]) for name in system.states}
        states = further or None
    elif isinstance(about, System):
        system = about
    else:
        raise ModelError(
            f"linearize: give a System, an Equilibrium or a Run, got {type(about).__name__}"
        )
    if q is None:
        raise ModelError(f"linearize: give q, the configuration of {system.name!r} to linearise at")
    rates, forces = _vector(v, system.nv), _vector(tau, system.nv)
    where = np.array(q, np.float64)
    loads = {body: np.array(load, np.float64) for body, load in (wrenches or {}).items()}
    point = LinearizationPoint(system, where, rates, forces, float(t), parameters, states, loads)
    if not motion:
        _check_closed(point)
        _check_steady(point)
    return _model(point, inputs, outputs, without)


def root_locus(
    system: System, parameter: str, values: ArrayLike, q: ArrayLike, v: ArrayLike | None = None,
    **how: Any,  # noqa: ANN401 (those of linearize)
) -> Array:  # fmt: skip
    """Return the poles over a free parameter [1/s], complex, shape (n, number of poles).

    Poles of neighbouring values stand in the same column.  ``poinsot.plots.linear.plot_locus``
    draws them.

    Args:
        system: The system.
        parameter: Name of a free parameter.
        values: Its values, shape (n,).
        q: Configuration [m or rad], shape (nq,), or (n, nq) where it depends on the parameter.
        v: Velocity, likewise; at rest by default.
        how: Further keywords of ``linearize``.
    """
    if parameter not in system.free:
        hint = suggestion(str(parameter), system.free) if system.free else "the system has none"
        if parameter in system.parameters:
            hint = f"make it an input: free=[{parameter!r}] of the system"
        raise ModelError(f"root_locus: there is no free parameter {parameter!r}; {hint}")
    numbers = np.atleast_1d(np.asarray(values, np.float64))
    configurations = np.broadcast_to(np.asarray(q, np.float64), (len(numbers), system.nq))
    rates = np.broadcast_to(_vector(v, system.nv) if v is None else np.asarray(v, np.float64),
                            (len(numbers), system.nv))  # fmt: skip
    given = dict(how.pop("parameters", None) or {})
    rows: list[Array] = []
    for number, place, rate in zip(numbers.tolist(), configurations, rates, strict=True):
        model = linearize(system, place, rate, parameters=given | {parameter: number}, **how)
        rows.append(model.poles if not rows else _matched(rows[-1], model.poles))
    return np.array(rows)


def _matched(before: Array, poles: Array) -> Array:
    """Return poles in the order of their nearest neighbours before."""
    from scipy.optimize import linear_sum_assignment

    _, order = linear_sum_assignment(np.abs(before[:, None] - poles[None]))
    matched: Array = poles[order]
    return matched


def _vector(given: ArrayLike | None, size: int) -> Array:
    return np.zeros(size) if given is None else np.array(given, np.float64)


def _check_closed(point: LinearizationPoint) -> None:
    """Reject a state that does not obey the constraints."""
    system, how = point.system, {"t": point.t} | point.how
    if not system.row_names:
        return
    missed = {
        "assemble(q) closes loops": system.constraint_residual(point.q, **how),
        "consistent_velocity(q, v) fits v": system.constraint_rate(point.q, point.v, **how),
    }
    for remedy, values in missed.items():
        worst = int(np.argmax(np.abs(values)))
        if not abs(values[worst]) <= NEAR:
            raise ModelError(
                f"linearize: this state does not obey the constraints: it misses "
                f"{system.row_names[worst]!r} by {values[worst]:.3g}; system.{remedy}"
            )


def _check_steady(point: LinearizationPoint) -> None:
    """Reject a state in which something accelerates."""
    a, system = point.acceleration(), point.system
    gravity = float(np.linalg.norm(np.array(system.gravity, float))) if not system.free else 9.81
    limit = STEADY * (1.0 + float(np.max(np.abs(point.v), initial=0.0)) ** 2 + gravity)
    worst = int(np.argmax(np.abs(a)))
    if not abs(a[worst]) <= limit:
        name = system.velocity_names[worst]
        raise ModelError(
            f"linearize: nothing is steady here: the acceleration of {name!r} is {a[worst]:.3g}; "
            "give the joint forces tau= that hold it, a q from ps.equilibrium, or motion=True for "
            "deviations from the motion itself"
        )


def _model(
    point: LinearizationPoint, inputs: Sequence[str] | None, outputs: Sequence[str] | None,
    without: Sequence[str],
) -> LinearModel:  # fmt: skip
    """Return the linear model, state space included."""
    system, a = point.system, point.acceleration()
    matrices = linear_matrices(point, a)
    space = LinearStateSpace(point, a, matrices, _columns(system, inputs))
    kept = space.kept(without)
    Cy, Dy = space.outputs(outputs)
    size = space.Y.shape[1]
    left = kept[:size, : size - (len(space.A) - kept.shape[1])]
    shown = tuple(outputs) if outputs is not None else system.velocity_names
    return LinearModel(
        system, point.q, point.v, a, point.tau, point.t, matrices.M, matrices.C, matrices.K,
        matrices.J, matrices.C0, matrices.C1, matrices.lam, matrices.parts,
        space.Y @ left, kept.T @ space.A @ kept, kept.T @ space.B, Cy @ kept, Dy,
        tuple(space.names(kept)),
        tuple(space.columns), shown, matrices.by, space.rate_by_q, _mobility(point),
    )  # fmt: skip


def _mobility(point: LinearizationPoint) -> Mobility:
    """Return the rank of the constraint rows; warns where it is about to change."""
    mobility = point.system.mobility(point.q, t=point.t, parameters=point.parameters)
    if mobility.is_nearly_singular:
        warnings.warn(
            f"linearize: {point.system.name!r} is near a singular configuration: constraint row "
            f"{mobility.weakest!r} is {mobility.margin:.1e} of the longest from depending on the "
            "others, and derivatives grow with its inverse; they hold for deviations much smaller "
            "than that",
            ModelWarning,
            stacklevel=4,
        )
    return mobility


def _columns(system: System, inputs: Sequence[str] | None) -> dict[str, int | None]:
    """Return the inputs by name: the number of a velocity, or None for a parameter."""
    velocities = {name: k for k, name in enumerate(system.velocity_names)}
    if inputs is None:
        return dict(velocities)
    columns: dict[str, int | None] = {}
    free = [name for name in system.free if name not in system.signals]
    for name in inputs:
        if name in velocities:
            columns[name] = velocities[name]
        elif name in system.joint_names:
            span = system.v_slice(name)
            columns |= {system.velocity_names[k]: k for k in range(span.start, span.stop)}
        elif name in free:
            columns[name] = None
        else:
            hint = suggestion(str(name), (*velocities, *system.joint_names, *free))
            raise ModelError(f"linearize: there is no input {name!r}; {hint}")
    return columns
