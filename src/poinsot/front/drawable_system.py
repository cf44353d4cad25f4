"""Parameter values with which symbolic systems can be drawn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

import numpy as np

from poinsot.algebra.figure import bent
from poinsot.errors import ModelError, ModelWarning, PoinsotError
from poinsot.front.parameter_numbers import with_numbers
from poinsot.front.system import System
from poinsot.model import Mesh
from poinsot.spatial import Array

HOME: Final = "_shown_at"
"""Where a system keeps the configuration in which pictures show it."""

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
            home: Array | None = system.__dict__.get(HOME)
            return numeric, _shown(numeric) if home is None else home.copy()
    return None


def shown_at(system: System, configuration: Callable[[], Array]) -> System:
    """Return the system, which pictures show in a configuration unless they are told another.

    Args:
        system: The system.
        configuration: Returns it, shape (nq,); where it raises a ModelError, there is none.
    """
    with suppress(ModelError):
        system.__dict__[HOME] = configuration()
    return system


def _values(system: System) -> Iterator[dict[str, float]]:
    names = [name for name, value in system.parameters.items() if value is None]
    rng = np.random.default_rng(0)
    yield dict.fromkeys(names, 1.0)
    for _ in range(ATTEMPTS if names else 0):
        yield dict(zip(names, rng.uniform(0.1, 2.0, len(names)).tolist(), strict=True))


def _shown(numeric: System) -> Array:
    neutral = numeric.neutral()
    q = _within(numeric, neutral if _has_meshes(numeric) else bent(numeric, neutral))
    if not numeric.mechanism.closures:
        return q
    try:
        closed = numeric.assemble(q)
    except PoinsotError:
        return neutral  # cannot be assembled with these values: show the tree
    if len(numeric.loops) < SEVERAL or numeric.nq > MOST or not any(numeric.gravity):
        return closed
    return _lowest_mode(numeric, closed)


def _has_meshes(numeric: System) -> bool:
    """Whether it looks like something: then it is shown as its maker has drawn it."""
    return any(isinstance(shape, Mesh) for body in numeric.bodies for shape in body.shapes)


def _within(numeric: System, q: Array) -> Array:
    """Return the nearest configuration within the limits of the joints."""
    limits = numeric.limits
    return np.asarray(np.clip(q, limits.lower, limits.upper))


def _lowest_mode(numeric: System, q: Array) -> Array:
    """Return the assembly mode that hangs lowest, the first joint held: as linkages are built."""
    try:
        modes = numeric.assembly_modes(q, joints=[numeric.joint_names[0]], starts=STARTS)
    except PoinsotError:
        return q
    return min((q, *modes), key=lambda mode: float(numeric.potential_energy(mode)))
