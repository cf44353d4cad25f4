"""Rows of constraints of systems on absolute coordinates; their programs say all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.formulations.composable.evaluated import evaluated
from poinsot.formulations.composable.plane import plain, stacked
from poinsot.model.planar.row_pair import RowPair
from poinsot.spatial import Array

Poses = Mapping[str, Array]


def row_pair_row(pair: RowPair, poses: Poses) -> tuple[dict[str, Array], Array]:
    """Return the coefficients (..., 1, 3) by link, and the value (..., 1)."""
    values = _values(pair, poses, {link: 0.0 * plain(poses[link]) for link in pair.links})
    blocks = {link: values[..., None, 1 + 3 * k : 4 + 3 * k] for k, link in enumerate(pair.links)}
    return blocks, values[..., :1]


def row_pair_bias(pair: RowPair, poses: Poses, velocities: Poses) -> Array:
    """Return γ, (..., 1)."""
    return _values(pair, poses, velocities)[..., -1:]


def _values(pair: RowPair, poses: Poses, velocities: Poses) -> Array:
    z: list[Any] = []
    for link in pair.links:
        for motion in (plain(poses[link]), velocities[link]):
            z += [np.asarray(motion)[..., k] for k in range(3)]
    return evaluated(pair.program, stacked(*z))
