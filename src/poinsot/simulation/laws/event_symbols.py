"""What functions of events and resets may contain: symbols of parameters and further states."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Expr, fresh_symbols, symbol
from poinsot.expr.serialization import depends_on
from poinsot.model import Mechanism
from poinsot.simulation.laws.equations import STATES
from poinsot.spatial import Array


def event_symbols(mechanism: Mechanism) -> dict[str, Array]:
    """Return the inputs of free parameters and, apart from them, of states; if there are some.

    States move within a step, parameters do not; behind the latter is a place for each state.
    """
    inputs = parameter_symbols(mechanism)
    n_states = len(mechanism.state_values)
    if n_states:
        every = inputs[PARAMETERS]
        places = fresh_symbols("place", n_states)
        inputs = {
            PARAMETERS: np.concatenate([every[:-n_states], places]),
            STATES: every[-n_states:],
        }
    return inputs


def refuse_sampled_states(mechanism: Mechanism, roots: Sequence[Expr], where: str) -> None:
    """Reject sampled states, which jump and so do not cross zero."""
    for state in mechanism.states:
        if "update" in state.laws:
            for name in state.inputs:
                if depends_on(roots, [symbol(name)]):
                    raise ModelError(
                        f"{where}: {name!r} is sampled, and jumps over zero rather than crossing "
                        "it; write the event with what it is computed from"
                    )


def refuse_samples(mechanism: Mechanism, roots: Sequence[Expr], where: str) -> None:
    """Reject parameters that are samples over time: events are evaluated without lookups."""
    for name, _ in mechanism.signals:
        if depends_on(roots, [symbol(name)]):
            raise ModelError(
                f"{where}: parameter {name!r} is a signal, and events cannot depend on one; write "
                "it as a formula of t"
            )
