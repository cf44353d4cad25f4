"""What is given to a planar linkage of a system: states at numbers, samples over time.

Methods hold states at numbers and look samples up; in runs both are symbols, of what is integrated
and of what the compiled loop looks up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.signal import Signal


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


def samples_of(linkage: PlanarLinkage) -> dict[str, Signal]:
    """Return the samples over time that force elements and rates read, by name."""
    rates = linkage.state_rates
    elements = (*linkage.elements, *(() if rates is None else (rates.element,)))
    given = (number for element in elements for number in element.given)
    return {own.name: own.source for own in given if isinstance(own.source, Signal)}


def with_given_numbers(
    linkage: PlanarLinkage, changed: Callable[[GivenNumber], GivenNumber]
) -> PlanarLinkage:
    """Return a linkage with other numbers, or symbols, in place of each that is given."""

    def renewed(element: PlanarElement) -> PlanarElement:
        return replace(element, given=tuple(map(changed, element.given)))

    rates = linkage.state_rates
    if rates is not None:
        states = tuple(map(changed, rates.states))
        rates = replace(rates, states=states, element=renewed(rates.element))
    elements = tuple(map(renewed, linkage.elements))
    return replace(linkage, elements=elements, state_rates=rates)
