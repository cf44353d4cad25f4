"""Rates of a system's states as a program of its coordinates in the plane.

A state x has the rate f(t, q, q̇, x), or such an update where it is sampled.  Units know q of all
joints of the tree from the drivers', so that f is a program of coordinates of pins and slides, as
force elements are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.evaluate.state_rates import state_rates, state_updates
from poinsot.expr import as_expr, build, fresh_symbols, optimise, substitute
from poinsot.expr.serialization import depends_on
from poinsot.front.planar_elements import has_samples, with_given
from poinsot.model import Environment, Mechanism
from poinsot.model.planar.clock import TIME
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.relation_pair import RelationCoordinate
from poinsot.model.planar.state_rates import StateRates
from poinsot.model.states.law import reads_time
from poinsot.spatial import Array


def planar_state_rates(
    mechanism: Mechanism, coordinates: Sequence[RelationCoordinate | float],
    given: Mapping[str, GivenNumber],
) -> StateRates:  # fmt: skip
    """Return the rates or updates of all states.

    Args:
        mechanism: With parameters in numbers, states and samples over time as symbols.
        coordinates: Those of its joints, in the order of q; numbers where nothing moves them.
        given: Samples over time and states by name.
    """
    counted = tuple(y for y in coordinates if isinstance(y, RelationCoordinate))
    read = list(given.values())
    timed = (TIME,) if _is_timed(mechanism, read) else ()
    z = fresh_symbols("z", 2 * len(counted))
    moved = iter(z.reshape(-1, 2).tolist())
    motions = [next(moved) if isinstance(y, RelationCoordinate) else (y, 0.0) for y in coordinates]
    shown = [
        (y.shown(motion[0]) if isinstance(y, RelationCoordinate) else y, motion[1])
        for y, motion in zip(coordinates, motions, strict=True)
    ]
    q, v = np.array(shown, object).reshape(-1, 2).T
    clock, tau = fresh_symbols("t", 2 * len(timed)), fresh_symbols("tau", mechanism.nv)
    numbers = fresh_symbols("x", len(read))
    environment = replace(Environment.of(mechanism), t=clock[0] if timed else 0.0)
    laws = with_given(_laws(mechanism, q, v, tau, environment), read, numbers)
    acting = _acting(laws, tau, coordinates)
    forces = np.array([tau[k] for k in acting], object)
    zero = {str(x.value): 0.0 for k, x in enumerate(tau.tolist()) if k not in acting}
    laws = np.array([substitute(as_expr(law), zero) for law in laws], object)
    inputs = np.concatenate([z, clock, numbers, forces])
    program = optimise(build({"z": inputs}, {"values": laws}))
    states = tuple(given[name] for name in mechanism.state_values)
    element = PlanarElement("states", (), (*counted, *timed), program, tuple(read))
    return StateRates(mechanism.states, states, element, tuple(acting.values()))


def _laws(
    mechanism: Mechanism, q: Array, v: Array, tau: Array, environment: Environment
) -> list[Any]:
    """Return the rate or, where it is sampled, the update of each state."""
    rates = state_rates(mechanism, q, v, tau, environment)
    updates = iter(state_updates(mechanism, q, v, tau, environment).tolist())
    of_values = dict(zip(mechanism.state_values, rates.tolist(), strict=True))
    return [
        of_values[state.name] if "rate" in state.laws else next(updates)
        for state in mechanism.states
    ]


def _is_timed(mechanism: Mechanism, read: Sequence[GivenNumber]) -> bool:
    laws = [law for state in mechanism.states for law in state.laws.values()]
    return has_samples(read) or any(reads_time(law) for law in laws)


def _acting(
    laws: Array, tau: Array, coordinates: Sequence[RelationCoordinate | float]
) -> dict[int, str]:
    """Return the joints whose forces laws read by their places; none act where nothing moves."""
    return {
        k: y.joint.name
        for k, (force, y) in enumerate(zip(tau.tolist(), coordinates, strict=True))
        if isinstance(y, RelationCoordinate) and depends_on(list(map(as_expr, laws)), [force])
    }
