"""Rates and updates of further states: formulas, functions that are traced, or numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError, ModelError, PoinsotError
from poinsot.expr import Expr, formula_text, fresh_symbols, traced
from poinsot.expr.formula import variables
from poinsot.model.changed import changed
from poinsot.model.checks import finite_number
from poinsot.model.constraints.smooth_function import TracedFunction, check_finite, laid_out
from poinsot.model.fields import AbstractKind, Declared
from poinsot.model.formula_names import with_numbers
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Scalar

__all__ = [
    "Law",
    "StateLaw",
    "check_algebraic_loops",
    "check_state_names",
    "reads_time",
    "refuse_symbolic",
    "require_law",
    "with_traced",
]

RATE: Final = "rate."
"""Opens names of rates in formulas."""

Law: TypeAlias = float | str | TracedFunction
"""A number, a formula, or a function of t, q and v as a program."""


class StateLaw(AbstractKind):
    """A number, a formula, or a function of t, q and v."""

    file_form: ClassVar[str] = "formula"

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return a number, a text, or the function, which is traced once the system is known."""
        if isinstance(given, Expr):
            return formula_text(given)
        if isinstance(given, str):
            try:
                variables(given)
            except FormulaError as error:
                raise FormulaError(f"{where}: {error}") from None
            return given
        if isinstance(given, TracedFunction) or callable(given):
            return given
        return finite_number(given, where)

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return a formula with numbers in place of some names."""
        return with_numbers(value, values) if isinstance(value, str) else value


def require_law(state: Declared, key: str, example: str) -> None:
    """Reject a state without a rate or an update."""
    if getattr(state, key) is None:
        raise ModelError(f"{state.label} has no {key}; give {key}=, e.g. {key}={example}")


def refuse_symbolic(state: Declared, *numbers: Scalar) -> None:
    """Reject numbers of a state that are formulas of parameters."""
    if is_symbolic(*numbers):
        raise ModelError(
            f"{state.label}: {numbers} must be numbers, no formulas of parameters; give other "
            "initial values to a run: ps.simulate(..., states={...})"
        )


def with_traced(states: Iterable[Any], nq: int, nv: int, where: str) -> tuple[Any, ...]:
    """Return states whose functions are programs of t (1,), q (nq,), v (nv,) and parameters.

    Args:
        states: The states.
        nq: Number of coordinates.
        nv: Number of velocities.
        where: Opens the message of an error.
    """
    if isinstance(states, Declared) or not isinstance(states, Iterable):
        raise ModelError(f"{where}: states must be a list of State, got {states!r}")
    listed = []
    for number, state in enumerate(states):
        if getattr(state, "family", None) != "state" or isinstance(state, type):
            raise ModelError(
                f"{where}: states[{number}] must be a State or a SampledState, got {state!r}"
            )
        functions = {key: law for key, law in state.laws.items() if _is_function(law)}
        programs = {
            key: _traced(law, nq, nv, f"{where}: {state.label}: {key}")
            for key, law in functions.items()
        }
        listed.append(changed(state, **programs) if programs else state)
    return tuple(listed)


def _is_function(law: object) -> bool:
    return callable(law) and not isinstance(law, TracedFunction)


def _traced(function: Callable[..., Any], nq: int, nv: int, where: str) -> TracedFunction:
    inputs = {key: fresh_symbols(key, size) for key, size in (("t", 1), ("q", nq), ("v", nv))}
    try:
        value = function(inputs["t"][0], traced(inputs["q"]), traced(inputs["v"]))
        numbers = np.asarray(value, dtype=object)
        if numbers.size != 1:
            raise ModelError(f"{where} must be one number, got shape {numbers.shape}")
        law = laid_out(inputs, {"law": numbers.reshape(1)})
    except PoinsotError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise ModelError(
            f"{where} cannot be traced: {error}; write it as a function of (t, q, v) with "
            "arithmetic and NumPy's functions, other states and parameters as ps.symbols(name)"
        ) from error
    check_finite(law.program, where)
    return law


def reads_time(law: Law) -> bool:
    """Say whether a rate or an update depends on the time itself."""
    if isinstance(law, TracedFunction):
        return 0 in law.program.results or any(0 in operands for _, operands in law.program.steps)
    return isinstance(law, str) and "t" in variables(law)


def check_algebraic_loops(states: Iterable[Any], where: str) -> None:
    """Reject rates that depend on themselves, by way of ``rate.name`` in formulas.

    Args:
        states: The states.
        where: Opens the message of an error.
    """
    texts = {state.name: law for state in states for law in state.laws.values()}
    reads = {
        name: {read.removeprefix(RATE) for read in variables(law) if read.startswith(RATE)}
        for name, law in texts.items()
        if isinstance(law, str)
    }
    for first in reads:
        paths: list[tuple[str, ...]] = [(first,)]
        while paths:
            path = paths.pop()
            for name in sorted(reads.get(path[-1], ())):
                if name == first:
                    loop = " -> ".join((*path, name))
                    raise ModelError(
                        f"{where}: the rate of state {name!r} depends on itself: {loop}; solve the "
                        "formulas for the rate, or let a state of its own lag behind it"
                    )
                if name not in path:
                    paths.append((*path, name))


def check_state_names(
    names: Iterable[str], taken: Mapping[str, Collection[str]], where: str
) -> None:
    """Reject names of states that something else has, or that occur twice.

    Args:
        names: The names, as listed.
        taken: Names by what has them, e.g. ``"joint"``.
        where: Opens the message of an error.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ModelError(f"{where}: two states are called {name!r}; rename one")
        seen.add(name)
        for what, others in taken.items():
            if name in others:
                raise ModelError(
                    f"{where}: state {name!r} has the name of a {what}; rename one of them"
                )
