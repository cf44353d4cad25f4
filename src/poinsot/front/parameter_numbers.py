"""Numbers of the free parameters of a system, as users give them."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.parameters import ParameterValues
from poinsot.front.description import Description, Values
from poinsot.spatial import Array

__all__ = ["parameter_numbers", "parameter_values", "with_numbers"]

S = TypeVar("S", bound=Description)


def with_numbers(system: S, asked: str, parameters: Values = None) -> S:
    """Return a system with values folded in for all free parameters.

    Args:
        system: The system.
        asked: What is asked for; opens the message of an error.
        parameters: Values by name, of those whose own number is not to be taken.
    """
    if not system.free and not parameters:
        return system
    values = parameter_numbers(system, asked, parameters).tolist()
    bound = system.mechanism.at(dict(zip(system.free, values, strict=True)))
    return type(system).from_mechanism(bound)


def parameter_numbers(system: Description, asked: str, given: Values) -> Array:
    """Return one value for each free parameter, shape (number of them,).

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


def parameter_values(system: Description, asked: str, given: Values) -> Array:
    """Return values for each free parameter, shape (..., number of them).

    Args:
        system: The system.
        asked: What is asked for; opens the message of an error.
        given: Values by name, of those whose own number is not to be taken; shapes broadcast.
    """
    values = ParameterValues(system.description).numbers(asked, given)
    if values is None:
        return np.zeros(0)
    if not np.isfinite(values).all():
        raise ModelError(f"{asked}: parameters must be finite, got {given}")
    return values
