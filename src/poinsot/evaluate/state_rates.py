"""Rates of the further states, and their values after sampling, over any scalar."""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.evaluate.expression import law_value
from poinsot.expr import fresh_symbols
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

__all__ = ["check_laws", "state_rates"]


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
    symbols = {"t": np.array([environment.t], dtype=object), "q": q, "v": v, "tau": tau}
    rates: dict[str, Any] = dict.fromkeys(mechanism.state_values, 0.0)
    for state in mechanism.states:
        if "rate" in state.laws:
            rates[state.name] = law_value(mechanism, state, "rate", symbols)
    return np.array(list(rates.values()), dtype=object)


def check_laws(mechanism: Mechanism) -> None:
    """Reject rates and updates with unknown names, or that depend on accelerations."""
    sizes = {"t": 1, "q": mechanism.nq, "v": mechanism.nv, "tau": mechanism.nv}
    symbols = {name: fresh_symbols(name, size) for name, size in sizes.items()}
    for state in mechanism.states:
        for key in state.laws:
            law_value(mechanism, state, key, symbols)
