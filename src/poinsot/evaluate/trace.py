"""From a formulation to a program: run it on symbols, lay out what it leaves, take the shortest."""

from __future__ import annotations

from typing import Any

from poinsot.evaluate.quantity import QUANTITIES, Way, input_size
from poinsot.expr import Program, build, fresh_symbols, optimise
from poinsot.model import Mechanism


def trace(mechanism: Mechanism, name: str, options: tuple[Any, ...] = ()) -> Program:
    """Return the program of a quantity, in its cheapest form.

    Args:
        mechanism: The bodies.
        name: A key of ``QUANTITIES``.
        options: What a quantity of one body needs besides: its number and the axes.
    """
    return min(
        (trace_way(mechanism, name, way, options) for way in QUANTITIES[name].ways),
        key=lambda program: program.n_operations,
    )


def trace_way(mechanism: Mechanism, name: str, way: Way, options: tuple[Any, ...] = ()) -> Program:
    """Return the program of a quantity computed in one given way."""
    inputs = {
        key: fresh_symbols(key, input_size(mechanism, key)) for key in QUANTITIES[name].inputs
    }
    result = way(mechanism, *options, *inputs.values())
    return optimise(build(inputs, {name: result}))
