"""Rates of the further states, and their values after sampling, over any scalar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from poinsot.evaluate.expression import law_value
from poinsot.evaluate.request import NO_LOADS
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Rolled, fresh_symbols
from poinsot.expr.staged_program import recorded_stages, rolled_program_of
from poinsot.model import Environment, LoadInputs, Mechanism
from poinsot.model.states.law import StagedFunction
from poinsot.spatial import Array

__all__ = [
    "check_laws",
    "length",
    "rolled_state_rates",
    "rolled_state_updates",
    "state_rates",
    "state_updates",
]


def state_rates(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return the rates of all states of a mechanism, 0 of those that are sampled, shape (n,).

    Args:
        mechanism: The bodies and states.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        tau: Joint forces [N or N m], shape (nv,).
        environment: The time is taken of it.
    """
    rates: dict[str, Any] = dict.fromkeys(mechanism.state_values, 0.0)
    rates |= _values(mechanism, "rate", q, v, tau, environment)
    return np.array(list(rates.values()), dtype=object)


def state_updates(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> Array:
    """Return what the sampled states of a mechanism are set to where they are sampled, shape (n,).

    Args:
        mechanism: The bodies and states.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity [m/s or rad/s], shape (nv,).
        tau: Joint forces [N or N m], shape (nv,).
        environment: The time is taken of it.
    """
    updates = _values(mechanism, "update", q, v, tau, environment)
    return np.array(list(updates.values()), dtype=object)


def _values(
    mechanism: Mechanism, key: str, q: Array, v: Array, tau: Array, environment: Environment
) -> dict[str, Any]:
    """Return the rates or the updates of the states that have them, by name."""
    symbols = {"t": np.array([environment.t], dtype=object), "q": q, "v": v, "tau": tau}
    return {
        state.name: law_value(mechanism, state, key, symbols)
        for state in mechanism.states
        if key in state.laws
    }


def rolled_state_rates(mechanism: Mechanism, loads: LoadInputs = NO_LOADS) -> Rolled:
    """Return the rates as a rolled program; quantities that laws ask for keep their loops."""
    return _rolled("state_rates", state_rates, mechanism, loads)


def rolled_state_updates(mechanism: Mechanism, loads: LoadInputs = NO_LOADS) -> Rolled:
    """Return the updates as a rolled program; quantities that laws ask for keep their loops."""
    return _rolled("state_updates", state_updates, mechanism, loads)


def _rolled(
    name: str, compute: Callable[..., Array], mechanism: Mechanism, loads: LoadInputs
) -> Rolled:
    inputs = _state_symbols(mechanism)
    inputs |= {key: fresh_symbols(key, size) for key, size in loads.inputs(mechanism).items()}
    environment = loads.environment(mechanism, inputs)
    with recorded_stages() as stages:
        values = compute(mechanism, inputs["q"], inputs["v"], inputs["tau"], environment)
    return rolled_program_of(inputs | parameter_symbols(mechanism), {name: values}, stages)


def length(mechanism: Mechanism) -> float:
    """Return the operations of functions that ask for quantities of large systems."""
    laws = [law for state in mechanism.states for law in state.laws.values()]
    return float(sum(x.program.n_operations for x in laws if isinstance(x, StagedFunction)))


def check_laws(mechanism: Mechanism) -> None:
    """Reject rates and updates with unknown names, or that depend on accelerations."""
    symbols = {"t": fresh_symbols("t", 1), **_state_symbols(mechanism)}
    with recorded_stages():
        for state in mechanism.states:
            for key in state.laws:
                law_value(mechanism, state, key, symbols)


def _state_symbols(mechanism: Mechanism) -> dict[str, Array]:
    sizes = {"q": mechanism.nq, "v": mechanism.nv, "tau": mechanism.nv}
    return {name: fresh_symbols(name, size) for name, size in sizes.items()}
