"""The states of a run of a planar mechanism: q and q̇ of its drivers, and remembered poses.

Groups without closed form remember where they are: their poses g are further states,

    ġ = J(q) q̇ + κ (p(q, g) - g),    κ = Σ |q̇_i| / (1 rad, or the size of the mechanism),

J q̇ the velocities of their links, p their poses by Newton's method from g on, which everything is
computed with (``nearby_positions.py``).  What g has drifted away is forgotten within a radian.
Behind them are the states that a system has itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.formulations.composable.clock_motion import clock_motion
from poinsot.formulations.composable.counted_angles import read_poses
from poinsot.formulations.composable.element_forces import element_values
from poinsot.formulations.composable.nearby_positions import followed_links, linkage_size
from poinsot.formulations.composable.positions import has_closed_forms
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.parameters import symbols
from poinsot.model.planar.given_number import GivenNumber
from poinsot.model.planar.given_numbers import samples_of, with_given_numbers
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.states.base import AbstractState
from poinsot.model.states.sampled_state import SampledState
from poinsot.model.states.state import State
from poinsot.spatial import Array, Scalar

COORDINATE: Final = "q{}"
RATE: Final = "v{}"
POSE: Final = "g{}"
FURTHER: Final = "x{}"
SAMPLES: Final = "s{}"
FORGETTING: Final = 1.0
"""Besides, where something changes with time [1/s]."""


class PlanarSymbols(NamedTuple):
    """q, q̇ and the poses g by link as symbols; g is None where all positions are formulas."""

    q: Array
    v: Array
    g: dict[str, Array] | None


@lru_cache(maxsize=64)
def remembering(mechanism: PlanarQuantities) -> tuple[str, ...]:
    """Return the links whose poses are states."""
    linkage = mechanism.linkage
    return () if has_closed_forms(linkage) else followed_links(linkage)


def state_symbols(mechanism: PlanarQuantities) -> PlanarSymbols:
    """Return the states by their names."""
    count, links = len(mechanism.linkage.drivers), remembering(mechanism)
    sizes = ((COORDINATE, count), (RATE, count), (POSE, 3 * len(links)))
    q, v, g = (
        np.array([symbols(name.format(k)) for k in range(size)], object) for name, size in sizes
    )
    return PlanarSymbols(q, v, by_link(links, g) or None)


def start_states(
    q: Array, v: Array, poses: Mapping[str, Array], further: Iterable[float]
) -> list[float]:
    """Return the start: q and q̇ of each driver, poses that are remembered, states of a system."""
    numbers: list[float] = []
    for pair in zip(q.tolist(), v.tolist(), strict=True):
        numbers += pair
    for pose in poses.values():
        numbers += pose.tolist()
    return [*numbers, *further]


def running(mechanism: PlanarQuantities) -> PlanarQuantities:
    """Return a mechanism for runs, with symbols for what is given: states and samples."""
    linkage = mechanism.linkage
    names: dict[str, str] = {}
    for state, carried in carried_states(linkage, lambda k: 0.0):
        names |= dict(zip(state.inputs, carried.inputs, strict=True))
    names |= {name: SAMPLES.format(k) for k, name in enumerate(samples_of(linkage))}
    if not names:
        return mechanism
    symbolic = with_given_numbers(
        linkage, lambda number: GivenNumber(number.name, symbols(names[number.name]))
    )
    return type(mechanism)(symbolic, mechanism.modes)


def carried_states(
    linkage: PlanarLinkage, law: Callable[[int], Any]
) -> list[tuple[AbstractState, State | SampledState]]:
    """Return each state of a system and the one that a run has for it.

    Args:
        linkage: What moves.
        law: The rate, or the update where it is sampled, of the state of a number.
    """
    pairs: list[tuple[AbstractState, State | SampledState]] = []
    for k, state in enumerate(() if linkage.state_rates is None else linkage.state_rates.kinds):
        name = FURTHER.format(k)
        if isinstance(state, SampledState):
            sampled = SampledState(name, update=law(k), every=state.every, delay=state.delay)
            pairs.append((state, sampled))
        else:
            pairs.append((state, State(name, rate=law(k))))
    return pairs


def further_rates(
    mechanism: PlanarQuantities, state: PlanarSymbols, t: Scalar, tau: Array
) -> Array:
    """Return the rates of the states of a system, updates of those that are sampled, (n,).

    The forces of its joints are those of the drivers, tau.
    """
    linkage = mechanism.linkage
    if linkage.state_rates is None:
        return np.zeros(0)
    poses = mechanism.positions(state.q, t=t, near=state.g)
    rates = mechanism.velocities(state.q, state.v, t=t, near=state.g)
    clock = clock_motion(linkage, np.array([t]))
    poses |= clock.poses
    rates |= {name: motion[0] for name, motion in clock.rates.items()}
    element = linkage.state_rates.at(dict(zip(linkage.drivers, tau.tolist(), strict=True)))
    return element_values(element, read_poses(linkage, poses), rates)


def by_link(links: tuple[str, ...], g: Array) -> dict[str, Array]:
    """Return poses (..., 3) by link from all entries (..., n)."""
    return {link: g[..., 3 * k : 3 * k + 3] for k, link in enumerate(links)}


def pose_rates(mechanism: PlanarQuantities, state: PlanarSymbols, t: Scalar) -> Array:
    """Return ġ, shape (n,)."""
    linkage, near = mechanism.linkage, state.g
    if near is None:
        return np.zeros(0)
    poses = mechanism.positions(state.q, t=t, near=near)
    rates = mechanism.velocities(state.q, state.v, t=t, near=near)
    size = linkage_size(linkage)
    forgetting: Scalar = sum(
        abs(rate) / (1.0 if linkage.by_name[name].kind == "R" else size)
        for name, rate in zip(linkage.drivers, state.v, strict=True)
    )
    if linkage.is_timed:  # links may move while drivers rest
        forgetting = forgetting + FORGETTING
    return np.concatenate(
        [rates[link] + forgetting * (poses[link] - pose) for link, pose in near.items()]
    )
