"""The motion of the base as a function of time, traced and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from poinsot.errors import ModelError, PoinsotError, ShapeError
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Expr, Program, as_expr, build, fresh_symbols, optimise, substitute
from poinsot.model import Mechanism
from poinsot.model.environment import BASE
from poinsot.model.signal import Signal
from poinsot.simulation.signals import signal_inputs
from poinsot.spatial import Array

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
