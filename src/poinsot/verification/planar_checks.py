"""What ``verify`` checks of closed systems that move in a plane: their units say the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from typing import Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.front.planar_from_system import planar_linkage_of
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.front.system import System
from poinsot.model.planar.decomposition import decompose, planar_mobility
from poinsot.model.planar.graph import PlanarGraph
from poinsot.spatial import Array
from poinsot.verification.comparison import SMALLEST, Compare, largest

AGREEMENT: Final = 1e-9
"""Relative difference of accelerations, at states that are next to no dead point."""
LARGEST: Final = 40
"""Bodies of a system whose units are compared: of more it takes longer than all other checks."""
TRIED: Final = 60
"""Sets of drivers that are tried."""
CLEAR: Final = 1e-3
"""Nearness of units to dead points that is good enough."""


def planar_comparisons(
    system: System, configurations: Sequence[Array]
) -> Iterator[tuple[str, float, Compare]]:
    """Yield the check of a closed planar system without forces: name, tolerance and comparison.

    Not where units are singular with every driver, as of scissors, whose pins lie on each other.
    """
    if not system.row_names or len(system.bodies) > LARGEST:
        return
    choices = _choices_of_drivers(system)
    if choices and all(_clear_drivers(system, choices, q) for q in configurations):
        yield "forward dynamics: closed loops, units", AGREEMENT, _by_units(choices)


def _choices_of_drivers(system: System) -> list[tuple[str, ...]]:
    """Return sets of joints of the tree that can drive the system; none if it is not planar."""
    try:
        graph = planar_linkage_of(system, (), system.neutral()).graph
    except PoinsotError:
        return []
    tree = [joint for joint in system.joint_names if joint in {pair.name for pair in graph.pairs}]
    choices = []
    for chosen in islice(combinations(tree, planar_mobility(graph).degrees), TRIED):
        try:
            decompose(PlanarGraph(graph.bodies, graph.pairs, chosen, graph.frame))
        except PoinsotError:
            continue
        choices.append(chosen)
    return choices


def _clear_drivers(system: System, choices: Sequence[tuple[str, ...]], q: Array) -> tuple[str, ...]:
    """Return the first drivers whose units are far from dead points; empty without any."""
    for drivers in choices:
        try:
            mechanism = PlanarMechanism.from_system(system, drivers, q)
            nearness = mechanism.nearness(mechanism.drawn)
        except PoinsotError:
            continue
        if min(map(float, nearness.values())) > CLEAR:
            return drivers
    return ()


def _by_units(choices: Sequence[tuple[str, ...]]) -> Compare:
    def compare(system: System, q: Array, v: Array, tau: Array) -> float:
        drivers = _clear_drivers(system, choices, q)
        columns = [system.v_slice(joint).start for joint in drivers]
        driven = np.zeros_like(tau)
        driven[columns] = tau[columns]
        expected = system.forward_dynamics(q, v, driven)
        mechanism = PlanarMechanism.from_system(system, drivers, q)
        a = mechanism.forward_dynamics(mechanism.drawn, v[columns], tau[columns])
        return largest(a - expected[columns]) / max(largest(expected), SMALLEST)

    return compare
