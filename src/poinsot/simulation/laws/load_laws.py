"""Laws of external loads, traced: joint forces, motion of the base, wrenches on bodies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError, PoinsotError, ShapeError
from poinsot.evaluate.expression import trace_function
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Expr, Program, as_expr, build, fresh_symbols, optimise, substitute
from poinsot.model import Mechanism
from poinsot.model.environment import BASE, WRENCHES
from poinsot.model.signal import Signal
from poinsot.simulation.laws.signals import signal_inputs
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

Law: TypeAlias = Callable[[Any, Array, Array], ArrayLike]
"""(t, q, v) -> joint forces, written over generic scalars; free parameters may be in it."""

CALL_IT: Final = (
    ". A function that cannot be written so runs as tau=poinsot.Callback(function), which is slow"
)


def constant_forces(mechanism: Mechanism, tau: ArrayLike) -> Array:
    """Return constant joint forces [N or N m], shape (..., nv)."""
    refuse_masked(tau, "simulate: tau")
    try:
        array = np.asarray(tau, np.float64)
    except (TypeError, ValueError) as error:
        raise ArrayTypeError(
            f"simulate: tau must be None, {mechanism.nv} numbers or a function tau(t, q, v), got "
            f"{type(tau).__name__}; for samples over time give a Signal"
        ) from error
    if array.ndim == 0:
        array = np.full(mechanism.nv, float(array))
    if array.shape[-1] != mechanism.nv:
        raise ShapeError(
            f"simulate: constant tau must have shape ({mechanism.nv},), or (..., {mechanism.nv}) "
            f"for many runs, got {array.shape}; for forces that change, give a Signal or a "
            "function tau(t, q, v)"
        )
    if not np.isfinite(array).all():
        raise ModelError(f"simulate: tau must be finite, got {array}")
    return array


def sampled_forces(mechanism: Mechanism, tau: Signal) -> Signal:
    """Return samples of joint forces over time, one for each velocity."""
    if tau.size != mechanism.nv:
        raise ShapeError(
            f"simulate: a signal for tau must have values of shape (n, {mechanism.nv}), one for "
            f"each velocity, got {tau.values.shape}"
        )
    return tau


def traced_forces(mechanism: Mechanism, law: Law, signals: Mapping[str, Signal]) -> Program:
    """Trace a law once with symbols and return its program."""
    t = fresh_symbols("t", 1)
    q, v = fresh_symbols("q", mechanism.nq), fresh_symbols("v", mechanism.nv)
    result = trace_function("simulate: tau", law, {"t": t, "q": q, "v": v}, CALL_IT)
    if result.shape != (mechanism.nv,) and not (result.shape == () and mechanism.nv == 1):
        raise ShapeError(
            f"simulate: tau(t, q, v) must return {mechanism.nv} joint forces, shape "
            f"({mechanism.nv},), got {result.shape}"
        )
    forces = result.ravel()
    bad = [k for k, force in enumerate(forces) if _is_not_finite(force)]
    if bad:
        raise ModelError(f"simulate: tau(t, q, v)[{bad[0]}] is {forces[bad[0]]} for every t, q, v")
    asked = signal_inputs(forces, signals)
    given = {"t": t, "q": q, "v": v} | asked | parameter_symbols(mechanism)
    return optimise(build(given, {"tau": forces}))


def _is_not_finite(force: Expr) -> bool:
    return not force.args and not isinstance(force.value, str) and not np.isfinite(force.value)


BaseLaw: TypeAlias = Callable[[Any], tuple[Any, Any, Any]]
"""t -> rotation (3, 3) base to inertial, velocity (6,) and acceleration (6,) in base axes."""


def traced_base(mechanism: Mechanism, law: BaseLaw, signals: Mapping[str, Signal]) -> Program:
    """Trace a law once with a symbol for the time and return its program."""
    t = fresh_symbols("t", 1)
    try:
        R, velocity, acceleration = (np.asarray(value, dtype=object) for value in law(t[0]))
    except (TypeError, ValueError, AttributeError) as error:
        raise PoinsotError(
            f"simulate: base could not be traced: {error}. The function base(t) is called once "
            "with a symbol for t and returns (rotation, velocity, acceleration)"
        ) from error
    for name, value, shape in (
        ("rotation", R, (3, 3)),
        ("velocity", velocity, (6,)),
        ("acceleration", acceleration, (6,)),
    ):
        if value.shape != shape:
            raise ShapeError(
                f"simulate: the {name} that base(t) returns must have shape {shape}, "
                f"got {value.shape}"
            )
    _check_rotation(R, t[0])
    gravity = R.T @ np.array(mechanism.gravity)
    numbers = np.concatenate([gravity, velocity, acceleration])
    asked = signal_inputs(numbers, signals)
    return optimise(build({"t": t} | asked | parameter_symbols(mechanism), {BASE: numbers}))


def _check_rotation(R: Array, t: Expr) -> None:
    """Reject a matrix that is not a rotation, sampled at a few times if it depends on t alone."""
    for time in (0.0, 0.1, 1.0):
        entries = [substitute(as_expr(entry), {str(t.value): time}) for entry in R.ravel()]
        if any(isinstance(entry, Expr) for entry in entries):
            return
        matrix = np.array(entries, dtype=float).reshape(3, 3)
        off, turn = np.abs(matrix.T @ matrix - np.eye(3)).max(), np.linalg.det(matrix)
        if not off < 1e-6 or turn < 0.0:
            raise ModelError(
                f"simulate: the rotation that base(t) returns is none at t = {time:g} s: R^T R "
                f"differs from 1 by {off:.3g}, the determinant is {turn:.3g}; its columns must be "
                "the axes of the base in inertial axes"
            )


WrenchLaw: TypeAlias = Callable[[Any, Array, Array], ArrayLike]
"""(t, q, v) -> wrench [f; n], written over generic scalars."""

Wrenches: TypeAlias = Mapping[str, ArrayLike | WrenchLaw | Signal]
"""By body: six numbers, a function of t, q and v, or a signal of six."""


def traced_wrenches(
    mechanism: Mechanism, wrenches: Wrenches, signals: Mapping[str, Signal]
) -> tuple[Program, tuple[int, ...]]:
    """Trace all laws once with symbols and return their program.

    Args:
        mechanism: The bodies.
        wrenches: External wrenches by body.
        signals: Signals that laws have read so far; filled while they are traced.

    Returns:
        The program of t, q and v, and the numbers of the bodies in the order of its output.
    """
    if not isinstance(wrenches, Mapping):
        raise ModelError(
            "simulate: wrenches must say what acts on which body, e.g. {'hand': [0, 0, 5, 0, 0, "
            f"0]}}, got {wrenches!r}"
        )
    bodies = sorted((mechanism.index(body), body) for body in wrenches)
    given = {"t": fresh_symbols("t", 1), "q": fresh_symbols("q", mechanism.nq)}
    given["v"] = fresh_symbols("v", mechanism.nv)
    vectors = [
        _wrench(f"simulate: wrench on {body!r}", wrenches[body], given) for _, body in bodies
    ]
    values = np.concatenate(vectors)
    inputs = given | signal_inputs(values, signals) | parameter_symbols(mechanism)
    program = optimise(build(inputs, {WRENCHES: values}))
    return program, tuple(i for i, _ in bodies)


def _wrench(where: str, law: ArrayLike | WrenchLaw | Signal, given: Mapping[str, Array]) -> Array:
    if isinstance(law, Signal):
        values = np.asarray(law(given["t"][0]), dtype=object)
    elif callable(law):
        values = trace_function(where, law, given)
    else:
        refuse_masked(law, where)
        values = np.asarray(law, np.float64)
        if not np.isfinite(values).all():
            raise ModelError(f"{where} must be finite, got {law!r}")
    if values.shape != (6,):
        raise ShapeError(f"{where} must be [f; n], shape (6,), got {values.shape}")
    return values
