"""Joint forces over time as users give them: constant, samples, or a function of t, q and v."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError, ShapeError
from poinsot.evaluate.expression import trace_function
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Expr, Program, build, fresh_symbols, optimise
from poinsot.model import Mechanism
from poinsot.model.signal import Signal
from poinsot.simulation.signals import signal_inputs
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
