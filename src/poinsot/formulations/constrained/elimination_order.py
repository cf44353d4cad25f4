"""In which order to eliminate constraints so that few pairs of them come to interact."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush


def elimination(neighbours: Sequence[set[int]]) -> list[tuple[int, list[int]]]:
    """Return an order of minimum degree [GeorgeLiu1989], each number with its later neighbours.

    Eliminating one makes all its neighbours neighbours of each other; the one with the fewest is
    always next, the first listed among those.

    Args:
        neighbours: For each number those that it interacts with, itself not among them.

    Returns:
        In the order of elimination, each number with the neighbours it then has, in that order.

    >>> elimination([{1}, {0, 2}, {1, 3}, {2}])
    [(0, [1]), (1, [2]), (2, [3]), (3, [])]
    """
    left = [set(others) for others in neighbours]
    queue = [(len(others), k) for k, others in enumerate(left)]
    heapify(queue)
    position: dict[int, int] = {}
    met: list[tuple[int, set[int]]] = []
    while queue:
        degree, k = heappop(queue)
        if k in position or degree != len(left[k]):
            continue
        position[k] = len(met)
        met.append((k, left[k]))
        for i in left[k]:
            left[i] = (left[i] | left[k]) - {i, k}
            heappush(queue, (len(left[i]), i))
    return [(k, sorted(others, key=position.__getitem__)) for k, others in met]
