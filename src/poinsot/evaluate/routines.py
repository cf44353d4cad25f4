"""Quantities as routines, whose arrays have names and are described, for other languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.answers import ANSWERS, INPUTS, OF_BODIES, WHOLE, entries_of
from poinsot.evaluate.closed import CLOSED
from poinsot.evaluate.evaluator import refuse_singular
from poinsot.evaluate.methods import METHODS
from poinsot.evaluate.quantity import QUANTITIES
from poinsot.evaluate.rolled import rolled_form
from poinsot.evaluate.trace import PARAMETERS, is_small, trace, trace_method, trace_rolled
from poinsot.expr import Port, Program
from poinsot.kernels.export import Routine, identifier
from poinsot.kernels.export.routine import MOST_STEPS, too_long
from poinsot.model import Mechanism, Outside, suggestion
from poinsot.spatial import Array

N_STATES: Final = 3
"""States that a test of a routine tries."""


def routine_of(
    mechanism: Mechanism,
    quantity: str,
    method: str = "recursive",
    wrenches: Sequence[str] = (),
    *,
    base: bool = False,
) -> Routine:
    """Return a quantity of a mechanism as a routine.

    Args:
        mechanism: The mechanism.
        quantity: A key of ``ANSWERS``; for a quantity of one body with its name and, if they are
            not the body's, the axes: "jacobian:tool", "jacobian:tool:world".
        method: Which formulation.
        wrenches: Names of bodies on which wrenches act, which become an input of dynamics.
        base: Whether the motion of the base is an input of dynamics.

    Raises:
        PoinsotError: If there is no such quantity or method, or its program is too long.
        ModelError: If there is no such body, or something moves without mass.
    """
    if isinstance(wrenches, str):
        raise PoinsotError(f"export: wrenches must be a list of bodies, e.g. [{wrenches!r}]")
    name, body, axes = _parsed(mechanism, quantity)
    if method not in METHODS:
        known = ", ".join(repr(key) for key in METHODS)
        raise PoinsotError(f"export: unknown method {method!r}; choose one of {known}")
    acting = tuple(sorted(mechanism.index(one) for one in wrenches))
    if name == "forward_dynamics":
        refuse_singular(mechanism)
    outside = Outside(base, acting)
    if outside != Outside() and not QUANTITIES[name].loaded:
        raise PoinsotError(
            f"export: {name!r} depends on no wrenches and no motion of the base; leave them out"
        )
    traced, options = name, _options(mechanism, name, body, axes, outside)
    if name == "inverse_dynamics" and mechanism.closures:
        traced = "driven_dynamics"
    program = _program(mechanism, traced, options, method)
    answer = ANSWERS[name]
    program = replace(program, outputs=(Port(answer.symbol, program.outputs[0].shape),))
    notes = {
        port.name: (INPUTS[port.name][0], entries_of(mechanism, INPUTS[port.name][1], acting))
        for port in program.inputs
    }
    notes[answer.symbol] = ("", entries_of(mechanism, answer.entries, acting))
    parts = [name, *([body] if body else []), *([axes] if axes == "world" else [])]
    about = f"{' of '.join(parts[:2])}: {answer.about}"
    if name in OF_BODIES - WHOLE:
        about += f", in {axes} axes, linear part first"
    return Routine(
        identifier("_".join(parts)), program, about, notes, _states(mechanism, program),
        {PARAMETERS: mechanism.parameter_inputs},
    )  # fmt: skip


def _parsed(mechanism: Mechanism, quantity: str) -> tuple[str, str, str]:
    """Return the name of a quantity, its body and axes."""
    if not isinstance(quantity, str):
        raise PoinsotError(
            f"export: quantities are named by text, e.g. 'forward_dynamics', got {quantity!r}"
        )
    name, _, rest = quantity.partition(":")
    if name not in ANSWERS:
        raise PoinsotError(f"export: there is no quantity {name!r}; {suggestion(name, ANSWERS)}")
    if (name.startswith("constraint") or name == "multipliers") and not mechanism.closures:
        raise ModelError(
            f"export: {name}: mechanism {mechanism.name!r} has no loops or constraints"
        )
    if name not in OF_BODIES:
        if rest:
            raise PoinsotError(f"export: {name!r} belongs to no body; leave out {':' + rest!r}")
        return name, "", ""
    if not rest:
        raise PoinsotError(
            f"export: {name!r} belongs to a body; write which, e.g. "
            f"'{name}:{mechanism.body_names[-1]}'"
        )
    body, axes = rest, "body"
    for one in ("body", "world"):
        if rest.endswith(f":{one}"):
            body, axes = rest.removesuffix(f":{one}"), one
    mechanism.index(body)
    return name, body, axes


def _options(
    mechanism: Mechanism, name: str, body: str, axes: str, outside: Outside
) -> tuple[Any, ...]:
    if name in OF_BODIES:
        return (mechanism.index(body),) if name in WHOLE else (mechanism.index(body), axes)
    if name == "inverse_dynamics" and mechanism.closures:
        return outside, tuple(range(mechanism.nv))
    return (outside,) if outside != Outside() else ()


def _program(mechanism: Mechanism, name: str, options: tuple[Any, ...], method: str) -> Program:
    """Return the straight program of a quantity, unless it is too long for any language."""
    if method != "recursive":
        if name in METHODS[method].on_floats:
            raise PoinsotError(
                f"export: method {method!r} computes {name} on numbers only; choose another one"
            )
        if name not in METHODS[method].ways and not (mechanism.closures and name in CLOSED):
            raise PoinsotError(
                f"export: method {method!r} has no {name} of its own; leave it out for this one"
            )
        return trace_method(mechanism, name, method, options)
    if not is_small(mechanism) and rolled_form(mechanism, name) is not None:
        n_operations = trace_rolled(mechanism, name, options).n_operations
        if n_operations > MOST_STEPS:
            raise PoinsotError(too_long(name, n_operations))
    return trace(mechanism, name, options)


def _states(mechanism: Mechanism, program: Program) -> tuple[Array, ...]:
    """Return a few random inputs of a program."""
    rng = np.random.default_rng(1)
    known = dict(mechanism.parameters)

    def column(port: Port) -> Array:
        if port.name == "q":
            return mechanism.random(rng)
        if port.name == PARAMETERS:
            given = (known.get(name) for name in mechanism.parameter_inputs)
            return np.array([rng.uniform(0.5, 1.5) if x is None else x for x in given])
        return rng.uniform(-1.0, 1.0, port.size)

    return tuple(
        np.array([column(port) for _ in range(N_STATES)]).reshape(N_STATES, port.size)
        for port in program.inputs
    )
