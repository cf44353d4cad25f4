"""Any expression of the state, given as a function or as a formula, compiled.

    expression(mechanism, "cos(elbow) * v.elbow"),    expression(mechanism, lambda t, q, v: q @ v)

Formulas name coordinates as ``elbow`` or ``q.elbow``, velocities as ``v.elbow``, accelerations as
``a.elbow`` and joint forces as ``tau.elbow``; the time is ``t``, and parameters have their names.
Quantities are called as in ``named_quantities.py``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import FormulaError, ModelError, PoinsotError, ProgramError, ShapeError
from poinsot.evaluate.inlining import program_values, straight_form
from poinsot.evaluate.named_quantities import (
    formula_word,
    is_quantity,
    loop_coordinate,
    loop_coordinates,
    quantity_names,
    quantity_value,
)
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import (
    Op,
    Program,
    Rolled,
    Scalar,
    as_expr,
    fresh_symbols,
    symbol,
    traced,
)
from poinsot.expr.formula import parse, variables
from poinsot.expr.serialization import depends_on, operands_first
from poinsot.expr.staged_program import QuantityStage, program_of, recorded_stages, stage_roots
from poinsot.kernels.llvm.llvm_kernel import LlvmKernel
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.model import Mechanism, suggestion
from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.model.states.law import FUNCTIONS
from poinsot.spatial import Array

__all__ = [
    "STATE",
    "Expression",
    "compiled_program",
    "expression",
    "expression_values",
    "laid_out",
    "laid_out_in_stages",
    "law_value",
    "trace_function",
]

Function: TypeAlias = Callable[[Any, Array, Array], ArrayLike]
"""(t, q, v) -> numbers of any shape, written over generic scalars."""

Expression: TypeAlias = str | Function
"""A formula or a function."""

STATE: Final = ("t", "q", "v", "a", "tau")
"""What an expression may depend on besides free parameters."""

_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def expression(
    mechanism: Mechanism, given: Expression, where: str, further: Mapping[str, int] | None = None
) -> AbstractMachineKernel:
    """Return an expression as a kernel; its inputs are those of ``STATE`` that it depends on.

    Args:
        mechanism: The bodies; free parameters are the last input, if there are some.
        given: A formula, or a function of t, q and v.
        where: Opens the message of an error.
        further: Sizes of further inputs, which are keywords of the function, by name.

    Raises:
        FormulaError: If a formula cannot be read; it points at the character.
        PoinsotError: If a function cannot be traced.
    """
    more = {name: fresh_symbols(name, size) for name, size in (further or {}).items()}
    if more and callable(given):
        given = partial(given, **{name: traced(symbols) for name, symbols in more.items()})
    sizes = {"t": 1, "q": mechanism.nq, **dict.fromkeys(("v", "a", "tau"), mechanism.nv)}
    given_to = {name: fresh_symbols(name, size) for name, size in sizes.items()}
    with recorded_stages() as stages:
        values = expression_values(mechanism, given, given_to, where)
    roots = stage_roots(values, stages)
    used = {
        name: symbols
        for name, symbols in given_to.items()
        if name == "q" or depends_on(roots, symbols)
    }
    inputs = used | more | parameter_symbols(mechanism)
    return compiled_program(laid_out_in_stages(mechanism, inputs, {where: values}, where, stages))


def expression_values(
    mechanism: Mechanism, given: Expression, symbols: Mapping[str, Array], where: str
) -> Array:
    """Return a formula or a function of t, q and v in terms of symbols.

    Args:
        mechanism: The bodies.
        given: The formula or function.
        symbols: Those of all in ``STATE``.
        where: Opens the message of an error.
    """
    if isinstance(given, str):
        return np.asarray(_parsed(mechanism, given, symbols, where), dtype=object)
    if callable(given):
        return trace_function(where, given, symbols)
    raise ModelError(
        f"{where}: an expression must be a formula or a function of t, q and v, got "
        f"{type(given).__name__}"
    )


def law_value(mechanism: Mechanism, state: Any, key: str, symbols: Mapping[str, Array]) -> Scalar:  # noqa: ANN401
    """Return the rate or the update of a state.

    Args:
        mechanism: The bodies and states.
        state: A ``State`` or ``SampledState``.
        key: "rate" or "update".
        symbols: Expressions of t, q, v and tau, by name.

    Raises:
        FormulaError: If a formula has an unknown name; it names the nearest known one.
        ModelError: If it depends on accelerations.
    """
    law, where = state.laws[key], f"{mechanism.name!r}: {state.label}: {key}"
    if isinstance(law, FUNCTIONS):
        given = (*(symbols[name] for name in ("t", "q", "v")), np.array(law.terms, dtype=object))
        value: Scalar = program_values(
            law.program, given, partial(straight_form, law.program, where)
        ).item()
        return value
    if not isinstance(law, str):
        return float(law)
    accelerations = fresh_symbols("a", mechanism.nv)
    value = expression_values(mechanism, law, {**symbols, "a": accelerations}, where).item()
    if depends_on([as_expr(value)], accelerations):
        raise ModelError(
            f"{where}: {law!r} depends on accelerations, which in turn depend on the states; "
            "write it with positions, velocities and forces, or as a function that returns "
            "system.forward_dynamics(q, v, tau) of a system without this state"
        )
    return value


def trace_function(
    where: str, function: Function, symbols: Mapping[str, Array], remedy: str = ""
) -> Array:
    """Return the result of a function of t, q and v called with symbols.

    Args:
        where: What it is, for the message of an error.
        function: The function.
        symbols: Those of t, q and v.
        remedy: What else a function that cannot be traced may do; ends the message.

    Returns:
        Expressions, in the shape that the function returns.
    """
    t, q, v = (symbols[name] for name in ("t", "q", "v"))
    try:
        result = np.asarray(function(t[0], traced(q), traced(v)), dtype=object)
        values = [as_expr(value) for value in result.ravel()]
    except (ModelError, ShapeError) as error:  # of a method that the function calls
        raise type(error)(f"{where}: {error}") from error
    except (TypeError, AttributeError, ValueError, LookupError) as error:
        raise PoinsotError(
            f"{where} could not be traced: {error}. The function is called once with symbols "
            "for t, q and v and then compiled: use np.sin, np.cos, np.sqrt, ... in place of math, "
            "and poinsot.select(condition, a, b), np.where, np.minimum or np.maximum in place of "
            f"if, min, max{remedy}"
        ) from error
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(result.shape)


def laid_out(
    mechanism: Mechanism, inputs: Mapping[str, Array], outputs: Mapping[str, Any], where: str
) -> Program:
    """Return the straight program of a user's expressions; see ``laid_out_in_stages``."""
    program = laid_out_in_stages(mechanism, inputs, outputs, where, ())
    assert isinstance(program, Program)
    return program


def laid_out_in_stages(
    mechanism: Mechanism, inputs: Mapping[str, Array], outputs: Mapping[str, Any], where: str,
    stages: Sequence[QuantityStage],
) -> Program | Rolled:  # fmt: skip
    """Return the program of a user's expressions.

    Args:
        mechanism: What they are about.
        inputs: Symbols that they may contain, by input.
        outputs: The expressions.
        where: Opens the message of an error.
        stages: Rolled quantities that were recorded when they were traced.

    Returns:
        A rolled program where the expressions depend on stages.

    Raises:
        ModelError: If they contain a symbol that is none of the inputs, e.g. a state of another
            system.
    """
    try:
        return program_of(inputs, outputs, stages)
    except ProgramError:
        roots = [root for array in outputs.values() for root in stage_roots(array, stages)]
        arrays = (*inputs.values(), *(stage.results for stage in stages))
        known = {leaf.serial for array in arrays for leaf in np.ravel(array)}
        leaves = (node for node in operands_first(roots) if node.op is Op.SYMBOL)
        name = next(str(leaf.value) for leaf in leaves if leaf.serial not in known)
        have = mechanism.parameter_inputs
        hint = suggestion(name, have) if have else "it has none at all"
        raise ModelError(
            f"{where} contains {name!r}, which is neither a free parameter nor a state of "
            f"{mechanism.name!r}; {hint}"
        ) from None


@lru_cache(maxsize=64)
def compiled_program(program: Program | Rolled) -> AbstractMachineKernel:
    """Return the kernel of a program; what traces to the same program is compiled once."""
    return LlvmKernel(program) if isinstance(program, Program) else RolledKernel(program)


def _parsed(mechanism: Mechanism, text: str, symbols: Mapping[str, Array], where: str) -> Scalar:
    names, several = _names(mechanism, symbols)
    rates = {f"rate.{state.name}": state for state in mechanism.states if "rate" in state.laws}
    try:
        for name in sorted(variables(text)):
            word = _unquoted(name)
            if word in several:
                raise FormulaError(f"{name!r} may be one of several coordinates; give a function")
            state = rates.get(name)
            if state is not None:
                names[name] = law_value(mechanism, state, "rate", symbols)
            elif is_quantity(name):
                if word in names:
                    raise FormulaError(
                        f"{name!r} is a quantity and also a coordinate or parameter; write "
                        f"q.{name} for a coordinate, and give a parameter another name"
                    )
                names[name] = quantity_value(mechanism, name, symbols)
            elif word in names:
                names[name] = names[word]
            elif {word, f"q.{word}"} & loop_coordinates(mechanism).keys():
                names[name] = loop_coordinate(mechanism, word, symbols)
        return parse(text, names, partial(quantity_names, mechanism))
    except FormulaError as error:
        raise FormulaError(f"{where}: {error}{_quotes_missing(mechanism, text)}") from None


def _quotes_missing(mechanism: Mechanism, text: str) -> str:
    """Return what to do where a formula has a name with blanks in it, without quotes."""
    elements = [force.name for force in mechanism.forces if force.name is not None]
    for name in (*mechanism.body_names, *mechanism.all_joints, *elements):
        if formula_word(name) != name and re.search(rf"(?<![\"'\w]){re.escape(name)}\b", text):
            return f'\nNames with blanks stand in quotes: "{name}", or as {formula_word(name)}'
    return ""


def _names(
    mechanism: Mechanism, symbols: Mapping[str, Array]
) -> tuple[dict[str, Scalar], frozenset[str]]:
    """Return the values of names in formulas, and the ambiguous names.

    Characters that formulas do not allow, such as spaces and slashes, are written ``_``.  Where a
    parameter has the name of a coordinate, the latter is reached as ``q.name``.
    """
    velocities = velocity_entries(mechanism)
    entries = {"q": coordinate_entries(mechanism), **dict.fromkeys(("v", "a", "tau"), velocities)}
    pairs = [
        (f"{key}.{formula_word(entry.name)}", value)
        for key, listed in entries.items()
        for entry, value in zip(listed, symbols[key].tolist(), strict=True)
    ]
    counts = Counter(name for name, _ in pairs)
    bare = {name.removeprefix("q."): value for name, value in pairs if name.startswith("q.")}
    reserved = {"t": symbols["t"][0]} | {name: symbol(name) for name in mechanism.parameter_inputs}
    several = {name for name, count in counts.items() if count > 1}
    several |= {name.removeprefix("q.") for name in several} - set(reserved)
    return bare | dict(pairs) | reserved, frozenset(several)


def _unquoted(name: str) -> str:
    """Return a name with its quoted parts as ``formula_word`` has them."""
    return _QUOTED.sub(lambda quoted: formula_word(quoted[1] or quoted[2] or ""), name)
