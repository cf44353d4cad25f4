"""What ``verify`` checks of systems that move in a plane: their units say the same."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, islice
from typing import Final, NamedTuple, cast

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.evaluate.formulation import OF_SOME
from poinsot.front.planar_from_system import planar_linkage_of
from poinsot.front.planar_mechanism import PlanarMechanism
from poinsot.front.system import System
from poinsot.model import Planar
from poinsot.model.planar.decomposition import decompose, planar_mobility
from poinsot.model.planar.graph import PlanarGraph
from poinsot.spatial import Array
from poinsot.verification.comparison import SMALLEST, Compare, largest
from poinsot.verification.on_floats import OnFloats

AGREEMENT: Final = 1e-9
"""Relative difference of accelerations, at states that are next to no dead point."""
LARGEST: Final = 40
"""Bodies of a system whose units are compared: of more it takes longer than all other checks."""
TRIED: Final = 60
"""Sets of drivers that are tried."""
CLEAR: Final = 1e-3
"""Nearness of units to dead points that is good enough."""


class PlanarComparisons(NamedTuple):
    """What is compared by units, and what is not, with the reasons."""

    comparisons: tuple[tuple[str, float, Compare], ...]
    left_out: tuple[str, ...]


def planar_comparisons(
    system: System,
    states: Sequence[tuple[Array, Array, Array]],
    formulation: Callable[[str, str], Compare],
) -> PlanarComparisons:
    """Return the checks of a system that moves in a plane: by ``composable`` and ``from_system``.

    Where units are singular with every driver, as of scissors, whose pins lie on each other, or
    the system is not planar, they are left out with the reason.

    Args:
        system: The system.
        states: q, v and joint forces.
        formulation: Returns the comparison of a method with the recursive one, for a quantity.
    """
    if len(system.bodies) > LARGEST:
        reason = f"units: they are compared of {LARGEST} bodies at most, for the time it takes"
        return PlanarComparisons((), (reason,))
    comparisons: list[tuple[str, float, Compare]] = []
    left_out: dict[str, None] = {}
    for method in OF_SOME:
        for quantity in ("mass_matrix", "bias", "forward_dynamics"):
            compare = formulation(method, quantity)
            refusal = _refusal(compare, system, states)
            if refusal:
                left_out[refusal] = None
                continue
            name = f"{quantity.replace('_', ' ')}: recursive, {method}"
            comparisons.append((name, OF_SOME[method].agreement, compare))
    if system.row_names:
        refusal = _refusal(_reactions, system, states)
        if refusal:
            left_out[refusal] = None
        else:
            comparisons.append(("reactions: recursive, composable", AGREEMENT, _reactions))
        try:
            tables = [name for body, name in zip(system.bodies, system.joint_names, strict=True)
                      if isinstance(body.joint, Planar)]  # fmt: skip
            graph = planar_linkage_of(system, tables, system.neutral()).graph
        except PoinsotError as error:
            # One reason is enough where the system does not move in a plane.
            left_out |= {} if left_out else {f"units: {error}": None}
            return PlanarComparisons(tuple(comparisons), tuple(left_out))
        choices = _choices_of_drivers(system, graph)
        if choices and all(_clear_drivers(system, choices, state[0]) for state in states):
            name = "forward dynamics: closed loops, units"
            comparisons.append((name, AGREEMENT, _by_units(choices)))
        else:
            left_out[
                f"units: no joints of {system.name!r} were found that drive it away from dead"
                " points at all of these states"
            ] = None
    return PlanarComparisons(tuple(comparisons), tuple(left_out))


def _reactions(system: System, q: Array, v: Array, tau: Array) -> float:
    """Return how far reactions by units are from those of the recursive formulation."""
    expected = system.reactions(q, v, tau=tau, backend="floats")
    by_units = system.reactions(q, v, tau=tau, method="composable", backend="floats")
    size = max([SMALLEST, *map(largest, expected.values())])
    return (
        max([0.0, *(largest(by_units[name] - wrench) for name, wrench in expected.items())]) / size
    )


def _refusal(compare: Compare, system: System, states: Sequence[tuple[Array, Array, Array]]) -> str:
    """Return why a method does not compute a quantity at these states; empty where it does."""
    asked = cast("System", OnFloats(system))
    for state in states:
        try:
            compare(asked, *state)
        except np.linalg.LinAlgError:
            return ""  # of the system itself: the comparison shows it
        except PoinsotError as error:
            return str(error)
    return ""


def _choices_of_drivers(system: System, graph: PlanarGraph) -> list[tuple[str, ...]]:
    """Return sets of joints of the tree that can drive the system."""
    pairs = {pair.name for pair in graph.pairs}
    tree = [name for name in _columns(system) if name in pairs]
    choices = []
    for chosen in islice(combinations(tree, planar_mobility(graph).degrees), TRIED):
        try:
            decompose(PlanarGraph(graph.bodies, graph.pairs, chosen, graph.frame))
        except PoinsotError:
            continue
        choices.append(chosen)
    return choices


def _columns(system: System) -> dict[str, int]:
    """Return the place in v of each coordinate; of planar joints each has the name of its part."""
    places: dict[str, int] = {}
    for body, name in zip(system.bodies, system.joint_names, strict=True):
        words = body.joint.v_parts if isinstance(body.joint, Planar) else ("",)
        names = [f"{name}.{word}" if word else name for word in words]
        start = system.v_slice(name).start
        places |= {own: start + k for k, own in enumerate(names)}
    return places


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
        columns = [_columns(system)[name] for name in drivers]
        driven = np.zeros_like(tau)
        driven[columns] = tau[columns]
        expected = system.forward_dynamics(q, v, driven)
        mechanism = PlanarMechanism.from_system(system, drivers, q)
        a = mechanism.forward_dynamics(mechanism.drawn, v[columns], tau[columns])
        return largest(a - expected[columns]) / max(largest(expected), SMALLEST)

    return compare
