"""Wrenches on bodies over time, traced and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.expression import trace_function
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Program, build, fresh_symbols, optimise
from poinsot.model import Mechanism
from poinsot.model.environment import WRENCHES
from poinsot.model.signal import Signal
from poinsot.simulation.signals import signal_inputs
from poinsot.spatial import Array
from poinsot.spatial.masked import refuse_masked

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
