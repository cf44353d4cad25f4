"""Resets of events: what velocities, configurations and further states become."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ArrayTypeError, ModelError, ShapeError
from poinsot.evaluate.expression import (
    expression_values,
    laid_out_in_stages,
    trace_function,
)
from poinsot.expr import Program, Rolled, as_expr, fresh_symbols, symbol
from poinsot.expr.serialization import depends_on
from poinsot.expr.staged_program import recorded_stages, stage_roots
from poinsot.model import Mechanism, suggestion
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.event import ResetLaw
from poinsot.simulation.laws.event_symbols import event_symbols, refuse_samples
from poinsot.simulation.laws.law_identity import once_per_law
from poinsot.spatial import Array

CALL_IT = ". A function that cannot be written so goes as poinsot.Callback(function)"


@once_per_law
def motion_reset(
    mechanism: Mechanism, given: tuple[str, ResetLaw, bool]
) -> Program | Rolled | Callback:
    """Return the reset of an event, by its name, its law and whether this gives q and v."""
    name, law, resets_q = given
    if isinstance(law, Callback):
        return law
    nq, nv = mechanism.nq, mechanism.nv
    symbols = {"t": fresh_symbols("t", 1), "q": fresh_symbols("q", nq), "v": fresh_symbols("v", nv)}
    where = f"event {name!r}: {'reset_state' if resets_q else 'reset'}"

    shapes: list[Array] = []

    def state(t: Any, q: Array, v: Array) -> Array:  # noqa: ANN401
        result = law(t, q, v)
        vectors = result if resets_q else (result,)
        shapes.extend(np.asarray(vector, object) for vector in vectors)
        return np.concatenate([np.ravel(vector) for vector in shapes])

    with recorded_stages() as stages:
        values = trace_function(where, state, symbols, CALL_IT)
    refuse_samples(mechanism, stage_roots(values, stages), where)
    if resets_q and len(shapes) != 2:
        raise ShapeError(f"{where} must return a pair (q, v), got {len(shapes)} parts")
    joined(name, nq, nv, *(shapes if resets_q else (symbols["q"], *shapes)))
    inputs = symbols | event_symbols(mechanism)
    return laid_out_in_stages(mechanism, inputs, {"after": values}, where, stages)


@once_per_law
def states_reset(mechanism: Mechanism, given: tuple[str, Mapping[str, Any]]) -> Program | Rolled:
    """Return what all further states are after an event, of its name and what some become."""
    name, resets = given
    where = f"event {name!r}: reset_states"
    known = mechanism.state_values
    if not isinstance(resets, Mapping):
        raise ModelError(f"{where} must be values by name, e.g. {{'integral': 0}}, got {resets!r}")
    sizes = {"t": 1, "q": mechanism.nq, **dict.fromkeys(("v", "a", "tau"), mechanism.nv)}
    symbols = {key: fresh_symbols(key, size) for key, size in sizes.items()}
    after: dict[str, Any] = {key: symbol(key) for key in known}
    with recorded_stages() as stages:
        for key, law in resets.items():
            if key not in known:
                hint = suggestion(str(key), known) if known else "it has none at all"
                raise ModelError(f"{where}: {mechanism.name!r} has no state {key!r}; {hint}")
            values = np.asarray(law, dtype=object)
            if isinstance(law, str) or callable(law):
                values = expression_values(mechanism, law, symbols, f"{where}[{key!r}]")
            if values.size != 1:
                raise ShapeError(f"{where}[{key!r}] must be one number, got shape {values.shape}")
            after[key] = values.item()
    results = np.array([as_expr(value) for value in after.values()], dtype=object)
    roots = stage_roots(results, stages)
    refuse_samples(mechanism, roots, where)
    if depends_on(roots, [*symbols["a"], *symbols["tau"]]):
        raise ModelError(f"{where}: accelerations and joint forces cannot be in it")
    moving = {key: symbols[key] for key in "tqv"} | event_symbols(mechanism)
    return laid_out_in_stages(mechanism, moving, {"after": results}, where, stages)


def paired(name: str, result: Any) -> tuple[Any, Any]:  # noqa: ANN401
    """Return q and v that a function gave, rejecting all but a pair."""
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise ShapeError(
            f"event {name!r}: reset_state must return a pair (q, v), got {result!r:.80}"
        )
    return result[0], result[1]


def joined(name: str, nq: int, nv: int, q: Array, v: Array) -> Array:
    """Return [q, v] that a reset gave, rejecting other shapes."""
    for key, vector, size in (("q", q, nq), ("v", v, nv)):
        if vector.shape != (size,) and not (vector.shape == () and size == 1):
            raise ShapeError(
                f"event {name!r}: its reset must give {key} of shape ({size},), got {vector.shape}"
            )
    return np.concatenate([q.reshape(nq), v.reshape(nv)])


def numbers(values: Any) -> Array:  # noqa: ANN401
    """Return what a callback gave as floats."""
    array = np.asarray(values)
    if array.dtype.kind not in "biuf":
        raise ArrayTypeError(f"it gave {array.dtype} in place of numbers: {values!r:.80}")
    return array.astype(np.float64)
