"""Further states of systems that are put together or taken apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols
from poinsot.expr.formula import CONSTANTS, variables
from poinsot.expr.replay import replay
from poinsot.expr.staged_program import QuantityStage
from poinsot.model.changed import changed
from poinsot.model.constraints.smooth_function import laid_out
from poinsot.model.followed_programmes import FollowedPart
from poinsot.model.states.base import AbstractState
from poinsot.model.states.law import FUNCTIONS, Function, StagedFunction, function_of

__all__ = ["carried_states", "check_names_kept", "states_of_part"]

Sizes = tuple[int, int]
"""Numbers of coordinates and of velocities."""


def carried_states(
    states: Iterable[AbstractState], before: Sizes, own: Sizes, whole: Sizes
) -> list[AbstractState]:
    """Return states whose functions take q and v of a whole.

    Args:
        states: Those of a part.
        before: Sizes of what comes before the part.
        own: Sizes of the part.
        whole: Sizes of the whole.
    """
    return [
        changed(
            state,
            **{
                key: _widened(law, before, own, whole)
                for key, law in state.laws.items()
                if isinstance(law, FUNCTIONS)
            },
        )
        for state in states
    ]


def _widened(law: Function, before: Sizes, own: Sizes, whole: Sizes) -> Function:
    inputs = {"t": fresh_symbols("t", 1)}
    inputs |= {key: fresh_symbols(key, size) for key, size in zip("qv", whole, strict=True)}
    parts = [
        inputs[key][first : first + size]
        for key, first, size in zip("qv", before, own, strict=True)
    ]
    given = (inputs["t"], *parts, np.array(law.terms, dtype=object))
    programmes = tuple(FollowedPart(each, before[0], own[0]) for each in law.programmes)
    if isinstance(law, StagedFunction):
        results = fresh_symbols("law", 1)
        wide = function_of(inputs, results, [QuantityStage(law.program, given, results)])
    else:
        (value,) = replay(law.program, *given)
        wide = laid_out(inputs, {"law": value})
    return replace(wide, programmes=programmes) if programmes else wide


def check_names_kept(
    states: Iterable[AbstractState], known: Iterable[str], prefix: str, where: str
) -> None:
    """Reject formulas of states with names that a prefix changes.

    Args:
        states: The states.
        known: Names of parameters and states, which have no prefix.
        prefix: Put in front of the names of bodies and joints, or taken away.
        where: Opens the message of an error.
    """
    allowed = {"t", *CONSTANTS, *known}
    for state in states:
        for key, law in state.laws.items():
            names = sorted(variables(law) - allowed) if prefix and isinstance(law, str) else []
            if names:
                raise ModelError(
                    f"{where}: {names[0]!r} in the {key} of {state.label} has another name with "
                    f"the prefix {prefix!r}; write the {key} as a function of (t, q, v)"
                )


def states_of_part(
    states: Sequence[AbstractState],
    used: Iterable[str],
    known: Iterable[str],
    prefix: str,
    where: str,
) -> list[AbstractState]:
    """Return the states that force elements of a part contain, and those that these contain.

    Args:
        states: Those of the whole.
        used: Names in formulas of the part's force elements.
        known: Names of parameters.
        prefix: What names of bodies and joints lose.
        where: Opens the message of an error.
    """
    wanted, kept = set(used), []
    rest = list(states)
    while more := [state for state in rest if wanted & state.inputs.keys()]:
        kept += more
        rest = [state for state in rest if state not in more]
        for state in more:
            for key, law in state.laws.items():
                if isinstance(law, FUNCTIONS):
                    raise ModelError(
                        f"{where}: the {key} of {state.label} is a function of all coordinates; "
                        "write it as a formula"
                    )
                wanted |= variables(law) if isinstance(law, str) else set()
    names = [name for state in states for name in state.inputs]
    check_names_kept(kept, (*known, *names), prefix, where)
    return [state for state in states if state in kept]
