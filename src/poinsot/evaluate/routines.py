"""Quantities as routines with named and described arrays, for export to other languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.evaluate.algorithms import has_own_algorithm, rolled_form
from poinsot.evaluate.derivative import SOLVED, trace_derivative
from poinsot.evaluate.derivative_text import derivative_of_text
from poinsot.evaluate.expression import Function, expression
from poinsot.evaluate.formulation import formulation_of
from poinsot.evaluate.inputs import INPUTS, PARAMETERS, Input, entries_of
from poinsot.evaluate.kernel import refuse_singular
from poinsot.evaluate.quantity import BODY_AXES, Export, Quantity
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import RECURSIVE, Request
from poinsot.evaluate.trace import NODES_PER_OPERATION, is_small, trace, trace_rolled
from poinsot.expr import Port, Program, TooManyNodesError, nodes_at_most
from poinsot.kernels.export import Routine, identifier
from poinsot.kernels.export.routine import MOST_STEPS, too_long
from poinsot.model import LoadInputs, Mechanism, suggestion
from poinsot.spatial import Array

WITH_ZEROS: Final = 2.5
"""How many times longer than the straight program a rolled one may be, whose operations on zeros
count (humanoid, derivatives of accelerations: 2.1): what is longer is refused without a trace."""

N_STATES: Final = 3
"""States that a test of a routine tries."""


def routine_of(
    mechanism: Mechanism,
    quantity: str,
    method: str = RECURSIVE,
    wrenches: Sequence[str] = (),
    *,
    base: bool = False,
) -> Routine:
    """Return a quantity of a mechanism as a routine.

    Args:
        mechanism: The mechanism; constants need not be folded in.
        quantity: One that is exported; for a quantity of one body with its name and, if they are
            not the body's, the axes: "jacobian:tool", "jacobian:tool:world"; derivatives of it as
            ``derivative_text`` has them: "inverse_dynamics by q", "pose:tool by q q".
        method: Which formulation.
        wrenches: Names of bodies on which wrenches act, which become an input of dynamics.
        base: Whether the motion of the base is an input of dynamics.

    Raises:
        PoinsotError: If there is no such quantity or method, or its program is too long.
        ModelError: If there is no such body, or something moves without mass.
    """
    if isinstance(wrenches, str):
        raise PoinsotError(f"export: wrenches must be a list of bodies, e.g. [{wrenches!r}]")
    acting = tuple(sorted(mechanism.index(loaded_body) for loaded_body in wrenches))
    loads = LoadInputs(base, acting)
    asked = derivative_of_text(mechanism, quantity, loads)
    mechanism = mechanism.bound
    named, export, body, axes = _parsed(mechanism, asked.quantity)
    name = named.name
    formulation_of(method, "export")
    if name == "forward_dynamics":
        refuse_singular(mechanism)
    if loads != LoadInputs() and not named.loaded:
        raise PoinsotError(
            f"export: {name!r} depends on no wrenches and no motion of the base; leave them out"
        )
    number = mechanism.index(body) if body else None
    request = Request(name, method, loads, body=number, axes=axes or None)
    if name == "inverse_dynamics" and mechanism.closures:
        request = Request("driven_dynamics", method, loads, joints=tuple(range(mechanism.nv)))
    request, export = request.with_derivative(asked.derivative), asked.shown(export)
    program = _program(mechanism, request)
    program = replace(program, outputs=(Port(export.symbol, program.outputs[0].shape),))
    further = asked.notes()
    notes: dict[str, tuple[str, Sequence[str]]] = {
        port.name: (about.about, entries_of(mechanism, about.entries, acting))
        for port in program.inputs
        for about in [INPUTS.get(port.name) or Input(further[port.name])]
    }
    notes[export.symbol] = ("", entries_of(mechanism, export.entries, acting))
    words = [name, *([body] if body else []), *([axes] if axes not in ("", "body") else [])]
    words += asked.words
    about = f"{' of '.join([name, body] if body else [name])}: {export.about}"
    if named.axes:
        about += f", in {axes} axes, linear part first"
    if mechanism.closures and asked.derivative is not None and request.quantity in SOLVED:
        about += "; grows next to a change of rank of the constraints, ask constraint_margin"
    return Routine(
        identifier("_".join(words)), program, about, notes, _states(mechanism, program),
        {PARAMETERS: mechanism.parameter_inputs},
    )  # fmt: skip


def law_routine(mechanism: Mechanism, law: Function) -> Routine:
    """Return a law tau(t, q, v) as a routine of the inputs that it depends on.

    Args:
        mechanism: The mechanism that it acts on.
        law: The function, which is traced; its routine has its name.  Sizes of keywords that are
            inputs too are its ``call_inputs``, if it has some.

    Raises:
        PoinsotError: If it cannot be traced, or is too long.
    """
    program = expression(mechanism, law, "tau", getattr(law, "call_inputs", None)).program
    name = getattr(law, "__name__", "control_law").strip("<>")
    if not isinstance(program, Program):
        raise PoinsotError(too_long(name, program.n_operations))
    kinds = {key: INPUTS[key].entries for key in (port.name for port in program.inputs)}
    notes = {
        key: (INPUTS[key].about, entries_of(mechanism, kind, ())) for key, kind in kinds.items()
    }
    notes["tau"] = ("", entries_of(mechanism, "force", ()))
    return Routine(
        identifier(name), program, f"{name}: joint forces of a control law", notes,
        _states(mechanism, program), {PARAMETERS: mechanism.parameter_inputs},
    )  # fmt: skip


def _parsed(mechanism: Mechanism, quantity: str) -> tuple[Quantity, Export, str, str]:
    """Return a quantity, its export, its body and axes."""
    if not isinstance(quantity, str):
        raise PoinsotError(
            f"export: quantities are named by text, e.g. 'forward_dynamics', got {quantity!r}"
        )
    name, _, rest = quantity.partition(":")
    shown = {
        key: (entry, entry.export) for key, entry in QUANTITIES.items() if entry.export is not None
    }
    if name not in shown:
        raise PoinsotError(f"export: there is no quantity {name!r}; {suggestion(name, shown)}")
    if (name.startswith("constraint") or name == "multipliers") and not mechanism.closures:
        raise ModelError(
            f"export: {name}: mechanism {mechanism.name!r} has no loops or constraints"
        )
    if name == "state_rates" and not mechanism.states:
        raise ModelError(f"export: {name}: mechanism {mechanism.name!r} has no further states")
    if name == "state_updates" and not mechanism.sampled_states:
        raise ModelError(f"export: {name}: mechanism {mechanism.name!r} has no sampled states")
    named, export = shown[name]
    if not named.of_body:
        if not rest:
            return named, export, "", "body" if named.axes else ""
        if rest in named.axes:
            return named, export, "", rest
        choices = f", or choose among {', '.join(named.axes)}" if named.axes else ""
        raise PoinsotError(
            f"export: {name!r} belongs to no body; leave out {':' + rest!r}{choices}"
        )
    if not rest:
        raise PoinsotError(
            f"export: {name!r} belongs to a body; write which, e.g. "
            f"'{name}:{mechanism.body_names[-1]}'"
        )
    body, axes = rest, "body"
    for frame in BODY_AXES:
        if rest.endswith(f":{frame}"):
            body, axes = rest.removesuffix(f":{frame}"), frame
    mechanism.index(body)
    return named, export, body, axes


def _program(mechanism: Mechanism, request: Request) -> Program:
    """Return the straight program of a quantity, unless it is too long for any language."""
    name, method = request.quantity, request.method
    if request.derivative is not None:
        return _derivative(mechanism, request)
    if method != RECURSIVE:
        if name in formulation_of(method, name).on_floats:
            raise PoinsotError(
                f"export: method {method!r} computes {name} on numbers only; choose another one"
            )
        if not has_own_algorithm(mechanism, request):
            raise PoinsotError(
                f"export: method {method!r} has no {name} of its own; leave it out for this one"
            )
    elif not is_small(mechanism, name) and rolled_form(mechanism, name) is not None:
        n_operations = trace_rolled(mechanism, request).n_operations
        if n_operations > WITH_ZEROS * MOST_STEPS:
            raise PoinsotError(too_long(name, n_operations))
    try:
        with nodes_at_most(int(NODES_PER_OPERATION * MOST_STEPS)):
            return trace(mechanism, request)
    except TooManyNodesError:
        raise PoinsotError(too_long(name, MOST_STEPS)) from None


def _derivative(mechanism: Mechanism, request: Request) -> Program:
    """Return the program of a derivative."""
    try:
        with nodes_at_most(int(NODES_PER_OPERATION * MOST_STEPS)):
            return trace_derivative(mechanism, request)
    except TooManyNodesError:
        raise PoinsotError(too_long(request.quantity, MOST_STEPS)) from None


def _states(mechanism: Mechanism, program: Program) -> tuple[Array, ...]:
    """Return a few random inputs of a program."""
    rng = np.random.default_rng(1)
    nominal = dict(mechanism.parameters) | mechanism.state_values

    def column(port: Port) -> Array:
        if port.name == "q":
            return mechanism.random(rng)
        if port.name == PARAMETERS:
            given = (nominal.get(name) for name in mechanism.parameter_inputs)
            return np.array([rng.uniform(0.5, 1.5) if x is None else x for x in given])
        return rng.uniform(-1.0, 1.0, port.size)

    return tuple(
        np.array([column(port) for _ in range(N_STATES)]).reshape(N_STATES, port.size)
        for port in program.inputs
    )
