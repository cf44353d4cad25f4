"""Linearisation: ``ps.linearize`` and ``ps.root_locus``.

With Δq along ``integrate``, the equations of motion of a deviation from q(t) are

    M Δa + C Δv + K Δq = Δtau + Jᵀ Δλ,      J Δa + C1 Δv + C0 Δq = 0,      dΔq/dt = Δv + E Δq,
    C = ∂τ/∂v,   K = D(M a + bias) - D(Jᵀ λ),   C0 = D(J a + gamma),   C1 = ∂gamma/∂v

[Zaremba1990, (4.1), (4.2)].  E is zero but for joints with quaternions that turn.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.analysis.mobility import Mobility
from poinsot.errors import ModelError, ModelWarning, PoinsotError, ShapeError
from poinsot.evaluate.call_arrays import checked_real
from poinsot.front.equilibrium import Equilibrium
from poinsot.front.linear_checks import (
    check_closed,
    check_lasting,
    check_steady,
    checked_names,
    checked_time,
    checked_vector,
    refuse_beside,
)
from poinsot.front.linear_matrices import LinearizationPoint, linear_matrices
from poinsot.front.linear_model import LinearModel
from poinsot.front.linear_state_space import Driven, LinearStateSpace, sampled_states
from poinsot.front.run import Run
from poinsot.front.runs import Runs
from poinsot.front.system import System
from poinsot.model import AbstractClosure, BaseMotion, Loop, parameter_hint
from poinsot.spatial import Array

__all__ = ["linearize", "root_locus"]


def linearize(
    about: System | Equilibrium | Run, q: ArrayLike | None = None, v: ArrayLike | None = None, *,
    tau: ArrayLike | None = None, t: float | None = None, motion: bool = False,
    inputs: Sequence[str] | None = None, outputs: Sequence[str] | None = None,
    without: Sequence[str] = (), parameters: Mapping[str, float] | None = None,
    states: Mapping[str, float] | None = None, wrenches: Mapping[str, ArrayLike] | None = None,
    base: BaseMotion | None = None, drives: Mapping[str, ArrayLike] | None = None,
) -> LinearModel:  # fmt: skip
    """Return the linear model of small deviations from an equilibrium, a steady motion, or a run.

    Args:
        about: A system, with q and v; an ``Equilibrium``; or a run, with a time ``t``.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,); at rest by default.
        tau: Joint forces there [N or N m], shape (nv,); none by default, those of a run.
        t: Time [s]; 0 by default, that of an equilibrium.
        motion: Whether velocities may be changing there: deviations from a motion.
        inputs: Joints whose forces are inputs, those that close loops among them, or free
            parameters, or sampled states, which are held between their samples; all joints of the
            tree by default.
        outputs: Formulas (docs/formulas.md); the coordinates of all joints by default.
        without: Joints whose deviations are left out: cyclic coordinates, on which nothing
            depends.
        parameters: Values of free parameters by name.
        states: Values of further states by name.
        wrenches: External wrenches [f; n] by body, at its origin, constant in its axes, (6,).
        base: Motion of the world body, constant in its axes.
        drives: Forces of joints that close loops [N or N m], by name; constant.  Under a run joint
            forces, wrenches, base and drives are what its laws give there, held.

    Raises:
        ModelError: If something accelerates there: the message names the joint; where constraints
            do not hold, unless ``motion``; or an unknown name.

    >>> import poinsot as ps
    >>> swing = ps.library.pendulum()
    >>> model = ps.linearize(swing, [0.0])
    >>> round(float(model.frequencies[0]), 6) == round(float(np.sqrt(9.81)), 6)
    True
    """
    time = None if t is None else checked_time("linearize", t)
    external = {"wrenches": wrenches, "base": base, "drives": drives}
    if isinstance(about, Equilibrium):
        other = t if time not in (None, about.t) else None
        refuse_beside(about, {"q": q, "v": v, "t": other, "states": states})
        q, system, time = about.q, about.system, about.t
        tau = about.applied if tau is None else tau
    elif isinstance(about, Run):
        refuse_beside(about, {"q": q, "v": v, "tau": tau, "parameters": parameters,
                              "states": states, **external})  # fmt: skip
        system, motion, time = about.system, True, time or 0.0
        q, v = about.at(time)
        along = about.along(np.array([time]), q[None], v[None])
        tau, external = along.tau()[0], along.external()
        parameters = about.parameters or None
        further = {name: float(about.evaluate(name, [time])[0]) for name in system.states}
        states = further or None
    elif isinstance(about, System):
        system = about
    else:
        hint = "; take one of the runs by its number: runs[k]" if isinstance(about, Runs) else ""
        raise ModelError(
            f"linearize: give a System, an Equilibrium or a Run, got {type(about).__name__}{hint}"
        )
    if q is None:
        raise ModelError(f"linearize: give q, the configuration of {system.name!r} to linearise at")
    if not system.nv:
        raise ModelError(f"linearize: {system.name!r} cannot move, so that nothing deviates")
    where = checked_vector("linearize", "q", q, system.nq)
    rates = checked_vector("linearize", "v", v, system.nv)
    forces = checked_vector("linearize", "tau", tau, system.nv)
    loads = {key: load for key, load in external.items() if load is not None and load != {}}
    point = LinearizationPoint(system, where, rates, forces, time or 0.0, parameters, states, loads)
    if not motion:
        check_closed(point)
        check_steady(point)
    return _model(point, inputs, outputs, without, lasting=not motion)


def root_locus(
    system: System, parameter: str, values: ArrayLike, q: ArrayLike, v: ArrayLike | None = None,
    **how: Any,  # noqa: ANN401 (those of linearize)
) -> Array:  # fmt: skip
    """Return the poles over a free parameter [1/s], complex, shape (n, number of poles).

    Poles of neighbouring values stand in the same column.  ``ps.plot_locus`` draws them.

    Args:
        system: The system.
        parameter: Name of a free parameter.
        values: Its values, shape (n,).
        q: Configuration [m or rad], shape (nq,), or (n, nq) where it depends on the parameter.
        v: Velocity, likewise; at rest by default.
        how: Further keywords of ``linearize``.
    """
    if not isinstance(system, System):
        raise ModelError(f"root_locus: give a System, got {type(system).__name__}")
    if parameter not in system.free:
        hint = parameter_hint(parameter, system.description, system.free)
        raise ModelError(f"root_locus: there is no free parameter {parameter!r}; {hint}")
    numbers = checked_real("root_locus: values", values).astype(np.float64)
    if numbers.ndim != 1 or not numbers.size or not np.isfinite(numbers).all():
        raise ModelError(
            f"root_locus: values must be finite numbers in one row, shape (n,), got {values!r}"
        )
    configurations = _over(numbers, "q", q, system.nq)
    rates = _over(numbers, "v", np.zeros(system.nv) if v is None else v, system.nv)
    given = dict(how.pop("parameters", None) or {})
    rows: list[Array] = []
    for number, place, rate in zip(numbers.tolist(), configurations, rates, strict=True):
        try:
            model = linearize(system, place, rate, parameters=given | {parameter: number}, **how)
        except PoinsotError as error:
            error.add_note(f"root_locus: at {parameter} = {number:g}")
            raise
        rows.append(model.poles if not rows else _matched(rows[-1], model.poles))
    return np.array(rows)


def _over(numbers: Array, name: str, given: ArrayLike, size: int) -> Array:
    """Return q or v for every value of a parameter, shape (n, size)."""
    array = checked_real(f"root_locus: {name}", given)
    if array.shape not in ((size,), (len(numbers), size)):
        raise ShapeError(
            f"root_locus: {name} must have shape ({size},) or ({len(numbers)}, {size}), "
            f"got {array.shape}"
        )
    return np.broadcast_to(array, (len(numbers), size))


def _matched(before: Array, poles: Array) -> Array:
    """Return poles in the order of their nearest neighbours before."""
    from scipy.optimize import linear_sum_assignment

    _, order = linear_sum_assignment(np.abs(before[:, None] - poles[None]))
    matched: Array = poles[order]
    return matched


def _model(
    point: LinearizationPoint, inputs: Sequence[str] | None, outputs: Sequence[str] | None,
    without: Sequence[str], *, lasting: bool,
) -> LinearModel:  # fmt: skip
    """Return the linear model, state space included; of a motion that must last if it says so."""
    system, a = point.system, point.acceleration()
    matrices = linear_matrices(point, a)
    space = LinearStateSpace(point, a, matrices, _columns(system, inputs))
    if lasting:
        check_lasting(point, matrices.by["a", "q"], space.by_state)
    kept = space.kept(checked_names("linearize", "without", without))
    if outputs is not None:
        checked_names("linearize", "outputs", outputs)
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
        dict(point.parameters or {}),
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


def _forces_along(closure: AbstractClosure) -> dict[str, Driven]:
    """Return the forces along the velocities of a joint or curve that closes a loop, by name."""
    name, size = closure.name, closure.nv
    parts = closure.joint.v_parts if isinstance(closure, Loop) else ()
    words = parts or tuple(map(str, range(size)))
    names = [name] if size == 1 else [f"{name}.{word}" for word in words]
    return {told: Driven(name, k, size) for k, told in enumerate(names)}


def _columns(system: System, inputs: Sequence[str] | None) -> dict[str, int | Driven | None]:
    """Return the inputs by name: a velocity, in the tree or of a loop, or None for a parameter."""
    velocities = {name: k for k, name in enumerate(system.velocity_names)}
    if inputs is None:
        return dict(velocities)
    columns: dict[str, int | Driven | None] = {}
    cut = [x for x in system.mechanism.closures if isinstance(x, AbstractClosure) and x.nv]
    moving = {x.name: _forces_along(x) for x in cut}
    free = [name for name in system.free if name not in system.signals] + sampled_states(system)
    for name in checked_names("linearize", "inputs", inputs):
        if name in velocities:
            columns[name] = velocities[name]
        elif name in system.joint_names:
            span = system.v_slice(name)
            columns |= {system.velocity_names[k]: k for k in range(span.start, span.stop)}
        elif name in moving:
            columns |= moving[name]
        elif name in free:
            columns[name] = None
        else:
            known = dict.fromkeys((*velocities, *system.joint_names, *moving, *free))
            hint = parameter_hint(name, system.description, known)
            raise ModelError(f"linearize: there is no input {name!r}; {hint}")
    return columns
