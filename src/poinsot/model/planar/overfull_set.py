"""The smallest set of bodies whose pairs hold more equations than the bodies can have.

The pebble game names a set for each redundant equation, but which one depends on the order in which
equations are listed.  Here sets of bodies are counted by size as long as they are few; of large
graphs a set is left from which no body can be taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import Final

from poinsot.model.planar.graph import BodyName, Equation
from poinsot.model.planar.pebble_game import COORDINATES, PebbleGame

MOST_SETS: Final = 5_000
"""Sets of bodies of one size that are counted: all of graphs of up to 14 bodies."""


def smallest_overfull(
    equations: Sequence[Equation], bodies: Sequence[BodyName]
) -> tuple[BodyName, ...]:
    """Return the smallest set S of bodies with more than 3 |S| - 3 equations inside.

    Of sets of one size the first in the order of ``bodies``; empty where there is none.  Sets of a
    size of which there are more than ``MOST_SETS`` are not counted: then no body can be taken away.
    """
    least = _shrunk(equations, bodies)
    for size in range(2, len(least)):
        if comb(len(bodies), size) > MOST_SETS:
            break
        for chosen in combinations(bodies, size):
            if _is_overfull(equations, frozenset(chosen)):
                return chosen
    return least


def _is_overfull(equations: Sequence[Equation], bodies: frozenset[BodyName]) -> bool:
    inside = sum(equation.bodies <= bodies for equation in equations)
    return inside > COORDINATES * len(bodies) - COORDINATES


def _shrunk(equations: Sequence[Equation], bodies: Sequence[BodyName]) -> tuple[BodyName, ...]:
    """Return an over-full set from which no body can be taken away."""
    least = _first_rigid(equations, bodies)
    for body in least:
        rest = tuple(other for other in least if other != body)
        if _first_rigid(equations, rest):
            return _shrunk(equations, rest)
    return least


def _first_rigid(equations: Sequence[Equation], bodies: Sequence[BodyName]) -> tuple[BodyName, ...]:
    """Return the rigid set of the first redundant equation between bodies."""
    game, within = PebbleGame(bodies), frozenset(bodies)
    for equation in equations:
        rigid = game.add(equation) if equation.bodies <= within else frozenset()
        if rigid:
            return tuple(body for body in bodies if body in rigid)
    return ()
