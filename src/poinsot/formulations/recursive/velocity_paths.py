"""Velocities of a tree of links in the order of the links, and what carries what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.formulations.recursive.links import Link
from poinsot.spatial import Array

BLOCKS = (8, 4, 2, 1)
"""Velocities per item."""


@dataclass(frozen=True, eq=False)
class VelocityPaths:
    """Velocities listed link by link, parents first.

    Attributes:
        listed: The number in v of each.
        own: For each link its velocities as listed.
        carriers: For each velocity those of the links that carry its link, from the root on.
    """

    listed: Array
    own: tuple[Array, ...]
    carriers: tuple[Array, ...]

    @staticmethod
    def of(links: Sequence[Link]) -> VelocityPaths:
        """Return those of links, parents before children."""
        listed = np.array([i for link in links for i in range(link.v.start, link.v.stop)], int)
        own, paths, carriers = list[Array](), list[Array](), list[Array]()
        first = 0
        for link in links:
            velocities = np.arange(first, first + link.v.stop - link.v.start)
            first += len(velocities)
            carried_by = paths[link.parent] if link.parent >= 0 else velocities[:0]
            own.append(velocities)
            paths.append(np.concatenate([carried_by, velocities]))
            carriers += [carried_by] * len(velocities)
        return VelocityPaths(listed, tuple(own), tuple(carriers))

    def to_itself(self) -> list[Array]:
        """Return for each velocity the path from the root to it: carriers, own ones, itself."""
        own = [group[: k + 1] for group in self.own for k in range(len(group))]
        return [np.concatenate(path) for path in zip(self.carriers, own, strict=True)]

    def related(self) -> Array:
        """Return whether one of two velocities carries the other, or both are of one joint."""
        related = np.zeros((len(self.carriers),) * 2, bool)
        for i, path in enumerate(self.to_itself()):
            related[i, path] = related[path, i] = True
        return related

    def carried(self) -> list[Array]:
        """Return for each velocity those of the links that its link carries."""
        lists: list[list[int]] = [[] for _ in self.carriers]
        for i, path in enumerate(self.carriers):
            for j in path.tolist():
                lists[j].append(i)
        return [np.array(entries, int) for entries in lists]


def blocks(
    indices: Array, sizes: Sequence[int] = BLOCKS, *, within: int = 0
) -> Iterator[tuple[int, int]]:
    """Return (size, first) of blocks that cover runs of consecutive indices.

    Args:
        indices: Rising numbers.
        sizes: Sizes of blocks, the last of them 1.
        within: Blocks do not go beyond multiples of this number; 0: no matter.
    """
    is_break = np.diff(indices) != 1
    if within:
        is_break |= indices[1:] % within == 0
    ends = [*(np.flatnonzero(is_break) + 1).tolist(), len(indices)]
    for start, end in zip([0, *ends], ends, strict=False):
        left = end - start
        while left:
            size = next(size for size in sizes if size <= left)
            yield size, end - left
            left -= size
