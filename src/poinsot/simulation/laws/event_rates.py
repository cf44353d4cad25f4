"""Rates of the functions of events, and the stages that compute those of rolled programs."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.expr import Rolled, fresh_symbols, tangent
from poinsot.expr.rolled_code import Code
from poinsot.expr.rolled_tangent import DIRECTION, with_tangents
from poinsot.expr.staged_program import QuantityStage
from poinsot.spatial import Array

INSTANT: Final = 1e-7
"""Time over which differences are taken where a program has no tangents [s]."""


def function_rates(
    function: Array | Rolled, inputs: dict[str, Array], along: dict[str, Array]
) -> tuple[Array, list[QuantityStage]]:
    """Return the rates of a function, and the stage that computes them if it is rolled.

    Args:
        function: Expressions, or a rolled program, of some of the inputs.
        inputs: Symbols by input.
        along: Rates of those that change.
    """
    changing = [key for key in inputs if key in along]
    if not isinstance(function, Rolled):
        seeds = (np.concatenate([vectors[key] for key in changing]) for vectors in (inputs, along))
        return tangent(function, *seeds), []
    if not has_tangents(function):
        return _differences(function, inputs, {key: along[key] for key in changing})
    tangents = with_tangents(function, changing)
    known = inputs | {f"{DIRECTION}{key}": along[key] for key in changing}
    rates = fresh_symbols("rate", function.outputs[0].size)
    arguments = tuple(known[port.name] for port in tangents.inputs)
    return rates, [QuantityStage(tangents, arguments, rates)]


def _differences(
    function: Rolled, inputs: dict[str, Array], along: dict[str, Array]
) -> tuple[Array, list[QuantityStage]]:
    """Return rates as differences over ``INSTANT``: they only have to tell where to look closer."""
    later = inputs | {key: inputs[key] + INSTANT * rate for key, rate in along.items()}
    stages = []
    for known in (inputs, later):
        arguments = tuple(known[port.name] for port in function.inputs)
        results = fresh_symbols("value", function.outputs[0].size)
        stages.append(QuantityStage(function, arguments, results))
    before, after = (stage.results for stage in stages)
    return (after - before) / INSTANT, stages


def has_tangents(program: Rolled) -> bool:
    """Say whether a program has no routines: those decide the ranks of large closed systems."""
    return all(isinstance(code, Code) for code in program.codes)
