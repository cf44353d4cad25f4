"""The states of a run of a planar mechanism: q and q̇ of its drivers, and remembered poses.

Groups without closed form remember where they are: their poses g are further states,

    ġ = J(q) q̇ + κ (p(q, g) - g),    κ = Σ |q̇_i| / (1 rad, or the size of the mechanism),

J q̇ the velocities of their links, p their poses by Newton's method from g on, which everything is
computed with (``nearby_positions.py``).  What g has drifted away is forgotten within a radian.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from poinsot.formulations.composable.nearby_positions import followed_links, linkage_size
from poinsot.formulations.composable.positions import has_closed_forms
from poinsot.front.planar_quantities import PlanarQuantities
from poinsot.model.parameters import symbols
from poinsot.spatial import Array, Scalar

COORDINATE: Final = "q{}"
RATE: Final = "v{}"
POSE: Final = "g{}"
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


def start_states(q: Array, v: Array, poses: Mapping[str, Array]) -> list[float]:
    """Return the states at the start: q and q̇ of each driver, then poses that are remembered."""
    numbers: list[float] = []
    for pair in zip(q.tolist(), v.tolist(), strict=True):
        numbers += pair
    for pose in poses.values():
        numbers += pose.tolist()
    return numbers


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
