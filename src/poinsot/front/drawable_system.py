"""Parameter values with which symbolic systems can be drawn."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Final

import numpy as np

from poinsot.algebra.figure import bent
from poinsot.errors import ModelError, ModelWarning, PoinsotError
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.spatial import Array

SEVERAL: Final = 3
"""Loops from which on a linkage has so many modes that the nearest one may be none of its own."""

MOST: Final = 20
"""Coordinates up to which modes are searched for."""

STARTS: Final = 60

ATTEMPTS: Final = 20
"""Number of random values that are tried for parameters without one."""


def pictured(system: System) -> tuple[System, Array] | None:
    """Return a system with numbers, and a configuration that shows how it moves, shape (nq,).

    Parameters without a number are 1, or random ones where that makes no sense: a mass of 1 - m, a
    rotation matrix of symbols.  None if none of the numbers tried do.

    Args:
        system: The system.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        for values in _values(system):
            try:
                numeric = with_numbers(system, "derive", values)
            except ModelError:
                continue
            return numeric, _shown(numeric)
    return None


def _values(system: System) -> Iterator[dict[str, float]]:
    names = [name for name, value in system.parameters.items() if value is None]
    rng = np.random.default_rng(0)
    yield dict.fromkeys(names, 1.0)
    for _ in range(ATTEMPTS if names else 0):
        yield dict(zip(names, rng.uniform(0.1, 2.0, len(names)).tolist(), strict=True))


def _shown(numeric: System) -> Array:
    q = bent(numeric, numeric.neutral())
    if not numeric.mechanism.closures:
        return q
    try:
        closed = numeric.assemble(q)
    except PoinsotError:
        return numeric.neutral()  # cannot be assembled with these values: show the tree
    if len(numeric.loops) < SEVERAL or numeric.nq > MOST or not any(numeric.gravity):
        return closed
    return _lowest_mode(numeric, closed)


def _lowest_mode(numeric: System, q: Array) -> Array:
    """Return the assembly mode that hangs lowest, the first joint held: as linkages are built."""
    try:
        modes = numeric.assembly_modes(q, joints=[numeric.joint_names[0]], starts=STARTS)
    except PoinsotError:
        return q
    return min((q, *modes), key=lambda mode: float(numeric.potential_energy(mode)))
