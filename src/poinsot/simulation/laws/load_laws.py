"""Laws of external loads, traced: joint forces, also in loops, motion of the base, wrenches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ArrayTypeError, ModelError, PoinsotError, ShapeError
from poinsot.evaluate.expression import (
    Expression,
    expression_values,
    laid_out_in_stages,
    trace_function,
)
from poinsot.evaluate.loads import driven_loop
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Expr, Program, Rolled, as_expr, fresh_symbols, substitute
from poinsot.expr.serialization import depends_on
from poinsot.expr.staged_program import QuantityStage, recorded_stages, stage_roots
from poinsot.model import Mechanism
from poinsot.model.environment import BASE, DRIVES, WRENCHES
from poinsot.model.followed_programmes import FollowedProgramme, recorded_programmes
from poinsot.model.signal import Signal, recorded_signals
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.law_identity import once_per_law
from poinsot.simulation.laws.signals import signal_inputs
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked


@dataclass(frozen=True, eq=False)
class TracedLaw:
    """A law of the user as a program.

    Attributes:
        program: Of t, of q and v but for the motion of the base, of signals and parameters.
        signals: Signals that it reads, by the names of their inputs.
        loaded: Numbers of the bodies of wrenches, in the order of its output.
        loops: Numbers and velocities of the loops that are driven, in the order of its output.
        programmes: Laws in it that follow a programme.
    """

    program: Program | Rolled
    signals: Mapping[str, Signal]
    loaded: tuple[int, ...] = ()
    loops: tuple[tuple[int, int], ...] = ()
    programmes: tuple[FollowedProgramme, ...] = ()


Law: TypeAlias = Callable[[Any, Array, Array], ArrayLike]
"""(t, q, v) -> joint forces, written over generic scalars; free parameters may be in it."""

NOT_CALLED: Final = (
    "write a function of t, q and v with np.sin, np.where and their kin, which is compiled"
)
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


@once_per_law
def traced_forces(mechanism: Mechanism, law: Law) -> TracedLaw:
    """Return joint forces as a function of t, q and v, traced."""
    given = _state_symbols(mechanism)
    with (
        recorded_signals() as signals,
        recorded_stages() as stages,
        recorded_programmes() as programmes,
    ):
        result = trace_function("simulate: tau", law, given, CALL_IT)
    if result.shape != (mechanism.nv,) and not (result.shape == () and mechanism.nv == 1):
        raise ShapeError(
            f"simulate: tau(t, q, v) must return {mechanism.nv} joint forces, shape "
            f"({mechanism.nv},), got {result.shape}"
        )
    forces = result.ravel()
    bad = [k for k, force in enumerate(forces) if _is_not_finite(force)]
    if bad:
        raise ModelError(f"simulate: tau(t, q, v)[{bad[0]}] is {forces[bad[0]]} for every t, q, v")
    return _traced(mechanism, given, {"tau": forces}, signals, stages, programmes=tuple(programmes))


def _is_not_finite(force: Expr) -> bool:
    return not force.args and not isinstance(force.value, str) and not np.isfinite(force.value)


BaseLaw: TypeAlias = Callable[[Any], tuple[Any, Any, Any]]
"""t -> rotation (3, 3) base to inertial, velocity (6,) and acceleration (6,) in base axes."""


@once_per_law
def traced_base(mechanism: Mechanism, law: BaseLaw) -> TracedLaw:
    """Return a motion of the base as a function of t, traced."""
    t = fresh_symbols("t", 1)
    try:
        with recorded_signals() as signals, recorded_stages() as stages:
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
    return _traced(mechanism, {"t": t}, {BASE: numbers}, signals, stages)


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


@once_per_law
def traced_wrenches(mechanism: Mechanism, wrenches: Wrenches) -> TracedLaw:
    """Return external wrenches by body as one function of t, q and v, traced."""
    if not isinstance(wrenches, Mapping):
        raise ModelError(
            "simulate: wrenches must say what acts on which body, e.g. {'hand': [0, 0, 5, 0, 0, "
            f"0]}}, got {wrenches!r}"
        )
    bodies = sorted((mechanism.index(body), body) for body in wrenches)
    given = _state_symbols(mechanism)
    with recorded_signals() as signals, recorded_stages() as stages:
        vectors = [
            _vector(f"simulate: wrench on {body!r}", wrenches[body], given, 6, "be [f; n],")
            for _, body in bodies
        ]
    loaded = tuple(number for number, _ in bodies)
    return _traced(
        mechanism, given, {WRENCHES: np.concatenate(vectors)}, signals, stages, loaded=loaded
    )


LoopLaws: TypeAlias = Mapping[str, ArrayLike | Expression | Signal]
"""By loop or curve: numbers, a formula, a function of t, q and v, or a signal."""


@once_per_law
def traced_drives(mechanism: Mechanism, drives: LoopLaws) -> TracedLaw:
    """Return forces along joints that close loops, and along curves, as one function, traced."""
    if not isinstance(drives, Mapping):
        raise ModelError(
            "simulate: drives must name joints that close loops, e.g. {'pin': 2.0}, got "
            f"{drives!r}"
        )
    entries = sorted((*driven_loop(mechanism, "simulate", name), name) for name in drives)
    given = _state_symbols(mechanism)
    with recorded_signals() as signals, recorded_stages() as stages:
        vectors = [
            _drive(mechanism, f"simulate: drive of {name!r}", drives[name], given, nv)
            for _, nv, name in entries
        ]
    loops = tuple((number, nv) for number, nv, _ in entries)
    return _traced(
        mechanism, given, {DRIVES: np.concatenate(vectors)}, signals, stages, loops=loops
    )


def _drive(
    mechanism: Mechanism, where: str, law: ArrayLike | Expression | Signal,
    given: Mapping[str, Array], nv: int,
) -> Array:  # fmt: skip
    if isinstance(law, Callback):
        raise ModelError(f"{where} cannot be a Callback, which only tau can; {NOT_CALLED}")
    if not isinstance(law, str):
        return _vector(where, law, given, nv)
    unknown = {name: fresh_symbols(name, mechanism.nv) for name in ("a", "tau")}
    values = expression_values(mechanism, law, {**given, **unknown}, where)
    for name, symbols in unknown.items():
        if depends_on([as_expr(values.item())], symbols):
            raise ModelError(f"{where}: {law!r} contains {name!r}; it may contain t, q and v only")
    return _vector(where, lambda t, q, v: values, given, nv)


def _vector(
    where: str,
    law: Any,  # noqa: ANN401
    given: Mapping[str, Array],
    size: int,
    what: str = "have",
) -> Array:
    """Return a vector that is given by numbers, a function or a signal, in terms of symbols.

    Args:
        where: Opens the message of an error.
        law: Numbers, a function of t, q and v, or a signal.
        given: Symbols of t, q and v.
        size: How many numbers it has; of one, the number itself will do.
        what: What the vector must be, for the message of an error.
    """
    if isinstance(law, Signal):
        values = np.asarray(law(given["t"][0]), dtype=object)
    elif callable(law):
        values = trace_function(where, law, given)
    else:
        refuse_masked(law, where)
        values = np.asarray(law, np.float64)
        if not np.isfinite(values).all():
            raise ModelError(f"{where} must be finite, got {law!r}")
    if values.shape == () and size == 1:
        values = values.reshape(1)
    if values.shape != (size,):
        raise ShapeError(f"{where} must {what} shape ({size},), got {values.shape}")
    return values


def _state_symbols(mechanism: Mechanism) -> dict[str, Array]:
    sizes = {"t": 1, "q": mechanism.nq, "v": mechanism.nv}
    return {name: fresh_symbols(name, size) for name, size in sizes.items()}


def _traced(
    mechanism: Mechanism,
    given: Mapping[str, Array],
    values: dict[str, Array],
    signals: Mapping[str, Signal],
    stages: Sequence[QuantityStage],
    **which: Any,  # noqa: ANN401 (bodies, loops or programmes)
) -> TracedLaw:
    ((name, array),) = values.items()
    read = signal_inputs(stage_roots(array, stages), signals)
    inputs = {**given, **read, **parameter_symbols(mechanism)}
    program = laid_out_in_stages(mechanism, inputs, values, f"simulate: {name}", stages)
    return TracedLaw(program, signals, **which)
