"""All numbers of a planar linkage that are given from outside its equations.

Samples that are too many for a formula are numbers to machine code, as coordinates are: they are
looked up before it runs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from poinsot.model.planar.force_element import PlanarElement
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.signal import Signal
from poinsot.spatial import Array


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


def long_samples(linkage: PlanarLinkage) -> dict[str, GivenNumber]:
    """Return the numbers by name that are looked up before machine code runs."""
    given = (number for element in linkage.elements for number in element.given)
    return {number.name: number for number in given if number.is_long}


def samples_at(linkage: PlanarLinkage, t: Array) -> Array:
    """Return the values of ``long_samples`` at times (..., 1), shape (..., n)."""
    return np.concatenate([number.at(t) for number in long_samples(linkage).values()], axis=-1)


def with_samples(linkage: PlanarLinkage, values: Array) -> PlanarLinkage:
    """Return a linkage with values (..., n), or symbols, in place of ``long_samples``."""
    known = {name: values[..., k] for k, name in enumerate(long_samples(linkage))}

    def changed(number: GivenNumber) -> GivenNumber:
        return replace(number, source=known.get(number.name, number.source))

    return with_given_numbers(linkage, changed)
