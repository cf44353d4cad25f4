"""Where names of links are written in a drawing: beside them, away from all other lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np

from poinsot.spatial import Array

LETTER: Final = 0.017
"""Width of a letter, relative to the size of the drawing."""
HEIGHT: Final = 0.04
"""Height of a line of text, relative to that size."""
SHARES: Final = (0.5, 0.35, 0.65, 0.2, 0.8)
"""Places along a bar that are tried."""
FAR: Final = 0.012
"""Distance that is far enough, relative to the size."""
SAMPLES: Final = 24
"""Points of each side of a link that names keep away from."""
CORNER: Final = 0.045
"""Half the length of a block, within which names do not begin, relative to the size."""
AROUND: Final = 8
"""Directions in which names of blocks are tried."""


def label_places(outlines: Mapping[str, Array], blocks: Array, size: float) -> dict[str, Array]:
    """Return the middles of names by link, shape (2,) each.

    Args:
        outlines: Corners of links, shape (k, 2): of two a bar, of one a block.
        blocks: Places of blocks on slides, shape (n, 2), which are larger than joints.
        size: Of the drawing [m].
    """
    obstacles = [_sampled(corners) for corners in outlines.values()]
    corners = np.concatenate([np.reshape(blocks, (-1, 2)), np.zeros((0, 2))])
    turns = 2.0 * np.pi * np.arange(AROUND) / AROUND
    ring = CORNER * size * np.stack([np.cos(turns), np.sin(turns)], axis=-1)
    around = np.concatenate([ring, 0.5 * ring])
    obstacles.append((corners[:, None] + around).reshape(-1, 2))
    places: dict[str, Array] = {}
    for name, outline in outlines.items():
        box = 0.5 * size * np.array([LETTER * len(name), HEIGHT])
        candidates = _candidates(outline, box, size)
        taken = np.concatenate(obstacles)
        gaps = np.max(np.abs(candidates[:, None] - taken) - box, axis=-1).min(axis=1)
        best = candidates[int(np.argmax(np.minimum(gaps, FAR * size)))]
        places[name] = best
        # The next names keep away from this one.
        rows = np.linspace(-1.0, 1.0, SAMPLES)[:, None] * np.array([1.0, 0.0])
        obstacles.append(best + rows * box)
    return places


def _candidates(outline: Array, box: Array, size: float) -> Array:
    """Return places of a name from the best to the worst, shape (n, 2)."""
    if len(outline) == 1:
        turns = np.pi / 4.0 + 2.0 * np.pi * np.arange(AROUND) / AROUND
        around = np.stack([np.cos(turns), np.sin(turns)], axis=-1)
        near: Array = outline[0] + around * (box + 1.6 * CORNER * size)
        return near
    sides = np.array([outline, np.roll(outline, -1, axis=0)]).transpose(1, 0, 2)
    longest = sorted(sides, key=lambda side: -np.hypot(*(side[1] - side[0])))
    tried = [outline.mean(axis=0)] if len(outline) > 2 else []
    for start, end in longest[:3]:
        along = end - start
        normal = np.array([-along[1], along[0]]) / (np.hypot(*along) or 1.0)
        reach = float(np.abs(normal) @ box) + 0.45 * HEIGHT * size
        for share in SHARES:
            tried += [start + share * along + sign * reach * normal for sign in (1.0, -1.0)]
    return np.array(tried)


def _sampled(outline: Array) -> Array:
    """Return points along the sides of a link."""
    shares = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    ends = np.roll(outline, -1, axis=0)
    return np.concatenate([a + shares * (b - a) for a, b in zip(outline, ends, strict=True)])
