"""Elimination order of constraints with little fill-in."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush


def elimination(neighbours: Sequence[set[int]], last: int = 0) -> list[tuple[int, list[int]]]:
    """Return the minimum-degree order [GeorgeLiu1989], each node with its later neighbours.

    Eliminating a node makes its neighbours adjacent to each other; the node of least degree is
    always next, the first listed in case of ties.

    Args:
        neighbours: For each node the set of its neighbours, without itself.
        last: How many nodes, those listed last, come after all others.

    Returns:
        In the order of elimination, each node with its remaining neighbours, in that order.

    >>> elimination([{1}, {0, 2}, {1, 3}, {2}])
    [(0, [1]), (1, [2]), (2, [3]), (3, [])]
    >>> elimination([{1, 2}, {0}, {0}], last=2)
    [(0, [1, 2]), (1, [2]), (2, [])]
    """
    left = [set(others) for others in neighbours]
    first = len(left) - last
    queue = [(k >= first, len(others), k) for k, others in enumerate(left)]
    heapify(queue)
    position: dict[int, int] = {}
    met: list[tuple[int, set[int]]] = []
    while queue:
        _, degree, k = heappop(queue)
        if k in position or degree != len(left[k]):
            continue
        position[k] = len(met)
        met.append((k, left[k]))
        for i in left[k]:
            left[i] = (left[i] | left[k]) - {i, k}
            heappush(queue, (i >= first, len(left[i]), i))
    return [(k, sorted(others, key=position.__getitem__)) for k, others in met]
