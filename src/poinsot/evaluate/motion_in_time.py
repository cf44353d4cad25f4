"""What changes with time along a motion, and how fast: for total derivatives by time.

    dq/dt = N(q) v,    dv/dt = a,    da/dt = rate1, ...,    ds/dt = rates of the further states,
    dg/dt = -w × g,    d[v; w]/dt = A,    dA/dt = base_rate1, ...        of a base that moves

with gravity g, velocity [v; w] and acceleration A of the base in its own axes.  Wrenches on bodies,
drives and sampled states stay as they are.
"""

from __future__ import annotations

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.evaluate.registry import quantity_of
from poinsot.evaluate.request import Request, request_for
from poinsot.evaluate.trace import parameter_symbols, trace
from poinsot.expr import fresh_symbols, tangent
from poinsot.expr.node import ZERO
from poinsot.expr.replay import replay
from poinsot.formulations.position_rate import position_rate
from poinsot.model import Mechanism
from poinsot.model.environment import BASE, TIME
from poinsot.spatial import Array, cross

__all__ = ["base_rate_name", "motion_arguments", "motion_in_time", "rate_inputs", "rate_name"]


def rate_name(k: int) -> str:
    """Return the name of the input of the k-th rate behind those that a quantity depends on."""
    return f"rate{k}"


def base_rate_name(k: int) -> str:
    """Return the name of the input of the k-th rate of the acceleration of the base."""
    return f"base_rate{k}"


def motion_arguments(asked: str, quantity: str, inputs: tuple[str, ...]) -> int:
    """Return on how many of q, v and a a quantity depends, that is differentiated along a motion.

    Args:
        asked: Opens the message of an error.
        quantity: Its name.
        inputs: Names of its inputs.

    Raises:
        ModelError: If it depends on anything else.
    """
    if not inputs or inputs != ("q", "v", "a")[: len(inputs)]:
        raise ModelError(
            f"{asked}: {quantity} is a function of {', '.join(inputs)}; for a derivative along a "
            "motion it must be one of q, of q and v, or of q, v and a"
        )
    return len(inputs)


def rate_inputs(mechanism: Mechanism, request: Request) -> dict[str, Array]:
    """Return symbols for the rates that a time derivative depends on besides the quantity."""
    asked = request.derivative
    assert asked is not None
    orders = range(1, asked.rate + 1)
    rates = {rate_name(k): fresh_symbols(rate_name(k), mechanism.nv) for k in orders}
    if request.loads.base:
        rates |= {base_rate_name(k): fresh_symbols(base_rate_name(k), 6) for k in orders}
    return rates


def motion_in_time(
    mechanism: Mechanism, request: Request, inputs: dict[str, Array], further: dict[str, Array]
) -> tuple[Array, Array]:
    """Return what changes with time, and its rates, in two rows of the same length.

    Args:
        mechanism: The bodies.
        request: The quantity with its time derivative.
        inputs: Symbols of what the quantity depends on, parameters apart.
        further: Those of the rates (``rate_inputs``).
    """
    asked = request.derivative
    assert asked is not None
    orders = range(1, asked.rate + 1)
    motion = [inputs[name] for name in ("q", "v", "a") if name in inputs]
    motion += [further[rate_name(k)] for k in orders]
    moving = [*motion[:-1]]
    rates = [position_rate(mechanism, motion[0], motion[1]), *motion[2:]]
    if request.loads.base:
        gravity, velocity, acceleration = np.split(inputs[BASE], [3, 9])
        of_base = [velocity, acceleration, *(further[base_rate_name(k)] for k in orders)]
        moving += [gravity, *of_base[:-1]]
        rates += [-cross(velocity[3:], gravity), *of_base[1:]]
    if TIME in inputs:
        moving.append(inputs[TIME])
        rates.append(np.ones(1, dtype=object))
    if mechanism.states and quantity_of(request.quantity).loaded:
        symbols, changes = _states_in_time(mechanism, request, inputs, motion[1])
        moving.append(symbols)
        rates.append(changes)
    return np.concatenate(moving), np.concatenate(rates)


def _states_in_time(
    mechanism: Mechanism, request: Request, inputs: dict[str, Array], v: Array
) -> tuple[Array, Array]:
    """Return the further states and their rates.

    Raises:
        ModelError: If one depends on joint forces, which a motion does not give.
    """
    tau = fresh_symbols("tau", mechanism.nv)
    program = trace(mechanism, request_for("state_rates", loads=request.loads))
    known = inputs | {"v": v, "tau": tau} | parameter_symbols(mechanism)
    (rates,) = replay(program, *(known[port.name] for port in program.inputs))
    names = list(mechanism.state_values)
    for name, rate in zip(names, rates.tolist(), strict=True):
        by_force = tangent(np.array([rate], dtype=object), tau, np.ones(mechanism.nv, dtype=object))
        if by_force[0] is not ZERO:
            raise ModelError(
                f"time_derivative: the rate of state {name!r} depends on joint forces, which a "
                "motion does not give; differentiate by q, v, a and the state instead: "
                "derivative(..., by=..., along=...)"
            )
    places = [mechanism.parameter_inputs.index(name) for name in names]
    return known[PARAMETERS][places], rates
