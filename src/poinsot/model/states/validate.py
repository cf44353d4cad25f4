"""Checks of further states: their names, and laws that depend on each other; their functions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError, PoinsotError
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.formula import variables
from poinsot.expr.staged_program import recorded_stages
from poinsot.model.changed import changed
from poinsot.model.constraints.smooth_function import TracedFunction, check_finite
from poinsot.model.followed_programmes import recorded_programmes
from poinsot.model.states.base import AbstractState
from poinsot.model.states.law import FUNCTIONS, Function, function_of

__all__ = ["check_algebraic_loops", "check_state_names", "with_traced"]

RATE: Final = "rate."
"""Opens names of rates in formulas."""
WRITTEN_OUT = 10_000
"""Operations of a quantity up to which it is written out into a function that asks for it.

Files hold functions as formulas of so many terms.
"""


def with_traced(
    states: Iterable[AbstractState], nq: int, nv: int, where: str
) -> tuple[AbstractState, ...]:
    """Return states whose functions are programs of t (1,), q (nq,), v (nv,) and parameters.

    Args:
        states: The states.
        nq: Number of coordinates.
        nv: Number of velocities.
        where: Opens the message of an error.
    """
    if isinstance(states, AbstractState) or not isinstance(states, Iterable):
        raise ModelError(f"{where}: states must be a list of State, got {states!r}")
    listed = []
    for number, state in enumerate(states):
        if not isinstance(state, AbstractState):
            raise ModelError(
                f"{where}: states[{number}] must be a State or a SampledState, got {state!r}"
            )
        programs = {
            key: _traced(law, nq, nv, f"{where}: {state.label}: {key}")
            for key, law in state.laws.items()
            if callable(law) and not isinstance(law, FUNCTIONS)
        }
        listed.append(changed(state, **programs) if programs else state)
    return tuple(listed)


def _traced(function: Any, nq: int, nv: int, where: str) -> Function:  # noqa: ANN401
    inputs = {key: fresh_symbols(key, size) for key, size in (("t", 1), ("q", nq), ("v", nv))}
    try:
        with recorded_stages(WRITTEN_OUT) as stages, recorded_programmes() as programmes:
            value = function(inputs["t"][0], traced(inputs["q"]), traced(inputs["v"]))
        numbers = np.asarray(value, dtype=object)
        if numbers.size != 1:
            raise ModelError(f"{where} must be one number, got shape {numbers.shape}")
        law = function_of(inputs, numbers.reshape(1), stages)
    except PoinsotError:
        raise
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise ModelError(
            f"{where} cannot be traced: {error}; write it as a function of (t, q, v) with "
            "arithmetic and NumPy's functions, other states and parameters as ps.symbols(name)"
        ) from error
    if isinstance(law, TracedFunction):
        check_finite(law.program, where)
    return replace(law, programmes=tuple(programmes)) if programmes else law


def check_algebraic_loops(states: Iterable[AbstractState], where: str) -> None:
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
