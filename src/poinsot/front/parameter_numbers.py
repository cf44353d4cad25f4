"""Numbers of the free parameters of a system, as users give them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.parameters import ParameterValues
from poinsot.front.description import Description, Values
from poinsot.spatial import Array

__all__ = ["at_values", "leading_shape", "parameter_numbers", "parameter_values", "with_numbers"]

S = TypeVar("S", bound=Description)


def with_numbers(system: S, asked: str, parameters: Values = None) -> S:
    """Return a system with values folded in for all free parameters, and for further states.

    Args:
        system: The system.
        asked: What is asked for; opens the message of an error.
        parameters: Values by name, of those whose own number is not to be taken.
    """
    inputs = system.mechanism.parameter_inputs
    if not inputs and not parameters:
        return system
    values = parameter_numbers(system, asked, parameters).tolist()
    bound = system.mechanism.at(dict(zip(inputs, values, strict=True)))
    return type(system).from_mechanism(bound)


def at_values(system: S, values: Array) -> S:
    """Return a system with other numbers for its free parameters, which stay free, and states.

    Args:
        system: The system.
        values: One for each of them, shape (number of them,).
    """
    named = dict(zip(system.free, values.tolist(), strict=False))  # states are behind them
    own = {name: value for name, value in named.items() if name not in system.signals}
    described = system.description
    if system.states:
        further = values[len(system.free) :].tolist()
        names = system.mechanism.state_values
        described = described.with_initial_states(dict(zip(names, further, strict=True)))
    elif not own:
        return system
    described = described.with_parameters(own).with_free(own)
    return type(system).from_mechanism(described)


def parameter_numbers(system: Description, asked: str, given: Values) -> Array:
    """Return one value for each free parameter, then each further state, shape (n,).

    Args:
        system: The system.
        asked: What is asked for; opens the message of an error.
        given: Values by name, of those whose own number is not to be taken.
    """
    values = parameter_values(system, asked, given)
    if values.ndim != 1:
        raise ShapeError(
            f"{asked}: parameters must be one number each, got shape {values.shape[:-1]} of "
            f"them: {given}"
        )
    return values


def parameter_values(
    system: Description, asked: str, given: Values, t: Array | float = 0.0, *, states: Values = None
) -> Array:
    """Return values for each free parameter, then each further state, shape (..., n).

    Args:
        system: The system.
        asked: What is asked for; opens the message of an error.
        given: Values by name, of those whose own number is not to be taken; shapes broadcast.
        t: Times [s] for parameters that are samples, shape (...).
        states: Values of states by name, in place of their initial ones.
    """
    if not system.mechanism.parameter_inputs and not given and not states:
        return np.zeros(0)
    numbers = ParameterValues(system.description)
    if states:
        given = numbers.with_states(asked, given, states)
    values = numbers.numbers(asked, given, t)
    if values is None:
        return np.zeros(0)
    if not np.isfinite(values).all():
        raise ModelError(f"{asked}: parameters must be finite, got {given}")
    return values


def leading_shape(asked: str, given: Mapping[str, Array]) -> tuple[int, ...]:
    """Return the shape to which the leading dimensions of arrays broadcast.

    Args:
        asked: What is asked for; opens the message of an error.
        given: The arrays by name, each of shape (..., size).
    """
    if all(array.ndim == 1 for array in given.values()):
        return ()
    try:
        return np.broadcast_shapes(*(array.shape[:-1] for array in given.values()))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape[:-1]}" for name, array in given.items())
        raise ShapeError(
            f"{asked}: leading dimensions do not broadcast to one another: {shapes}"
        ) from None
