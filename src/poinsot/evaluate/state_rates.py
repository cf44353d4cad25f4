"""Rates of the further states, and their values after sampling, over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.evaluate.expression import law_value
from poinsot.expr import fresh_symbols
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

__all__ = ["check_laws", "state_rates", "state_updates"]


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


def check_laws(mechanism: Mechanism) -> None:
    """Reject rates and updates with unknown names, or that depend on accelerations."""
    sizes = {"t": 1, "q": mechanism.nq, "v": mechanism.nv, "tau": mechanism.nv}
    symbols = {name: fresh_symbols(name, size) for name, size in sizes.items()}
    for state in mechanism.states:
        for key in state.laws:
            law_value(mechanism, state, key, symbols)
