"""What is given to a planar linkage of a system: states at numbers, samples over time.

Methods hold states at numbers and look samples up; in runs both are symbols, of what is integrated
and of what the compiled loop looks up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.given_numbers import with_given_numbers
from poinsot.model.planar.linkage import PlanarLinkage


def held_numbers(
    known: Mapping[str, Any], values: Mapping[str, Any], where: str
) -> dict[str, GivenNumber]:
    """Return states and the numbers at which they are held, by name.

    Args:
        known: Numbers of all states.
        values: Others, of some of them.
        where: Opens the message of an error.
    """
    for name, value in values.items():
        if name not in known:
            raise ModelError(f"{where}: there is no state {name!r}; known are {list(known)}")
        if np.ndim(value) or not np.isfinite(value):
            raise ModelError(f"{where}: state {name!r} must be one finite number, got {value!r}")
    return {name: GivenNumber(name, float(x)) for name, x in {**known, **values}.items()}


def held_values(linkage: PlanarLinkage) -> dict[str, float]:
    """Return the states of a linkage and their numbers."""
    states = () if linkage.state_rates is None else linkage.state_rates.states
    return {x.name: x.source for x in states if isinstance(x.source, float)}


def with_held(linkage: PlanarLinkage, values: Mapping[str, Any]) -> PlanarLinkage:
    """Return a linkage with states at other numbers."""
    numbers = held_numbers(held_values(linkage), values, "with_states")
    return with_given_numbers(linkage, lambda own: numbers.get(own.name, own))
