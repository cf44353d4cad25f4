"""The tree of a mechanism as indices: parents, children, an order, cycles. No recursion anywhere.

Bodies are numbered as they are listed; -1 stands for the world.
"""

from collections.abc import Mapping, Sequence

from poinsot.errors import ModelError
from poinsot.model.body import WORLD, Body
from poinsot.model.name_suggestion import suggestion

__all__ = [
    "children_of",
    "depth_first_order",
    "find_cycle",
    "parent_indices",
    "path_to",
    "where_paths_part",
]


def parent_indices(bodies: Sequence[Body], index: Mapping[str, int], where: str) -> tuple[int, ...]:
    """Return the listed index of each body's parent, rejecting unknown names.

    Args:
        bodies: The bodies as listed.
        index: Listed index of each body name.
        where: Opens the message of an error.
    """
    numbers = {WORLD: -1, **index}
    for body in bodies:
        if body.parent not in numbers:
            raise ModelError(
                f"{where}: body {body.name!r} has the unknown parent {body.parent!r}; "
                + suggestion(body.parent, numbers)
            )
    return tuple(numbers[body.parent] for body in bodies)


def children_of(parents: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the children of each body, in listed order; the last entry is the world's.

    Examples:
        >>> children_of((-1, 0, 0))
        ((1, 2), (), (), (0,))
    """
    children: list[list[int]] = [[] for _ in range(len(parents) + 1)]
    for i, parent in enumerate(parents):
        children[parent].append(i)
    return tuple(tuple(some) for some in children)


def depth_first_order(children: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return all bodies reachable from the world, parents before children, branch by branch.

    Args:
        children: As ``children_of`` returns them.

    Examples:
        >>> depth_first_order(children_of((2, -1, -1)))
        (1, 2, 0)
    """
    order: list[int] = []
    stack = list(reversed(children[-1]))
    while stack:
        i = stack.pop()
        order.append(i)
        stack.extend(reversed(children[i]))
    return tuple(order)


def find_cycle(parents: Sequence[int]) -> tuple[int, ...]:
    """Return a cycle of bodies, each followed by its parent, the first not repeated; or ().

    Examples:
        >>> find_cycle((-1, 2, 1))
        (1, 2)
    """
    seen_from = [-1] * len(parents)
    for start in range(len(parents)):
        i = start
        while i >= 0 and seen_from[i] < 0:
            seen_from[i] = start
            i = parents[i]
        if i >= 0 and seen_from[i] == start:
            cycle = [i]
            while parents[cycle[-1]] != i:
                cycle.append(parents[cycle[-1]])
            return tuple(cycle)
    return ()


def path_to(parents: Sequence[int], i: int) -> tuple[int, ...]:
    """Return the bodies from the root to body ``i``, both included; () for the world, -1.

    Examples:
        >>> path_to((-1, 0, 1), 2)
        (0, 1, 2)
    """
    path = []
    while i >= 0:
        path.append(i)
        i = parents[i]
    return tuple(reversed(path))


def where_paths_part(parents: Sequence[int], i: int, j: int) -> int:
    """Return the last body that the paths to bodies ``i`` and ``j`` share; -1 for the world.

    Examples:
        >>> where_paths_part((-1, 0, 0, 2), 1, 3)
        0
    """
    last = -1
    for a, b in zip(path_to(parents, i), path_to(parents, j), strict=False):
        if a != b:
            break
        last = a
    return last
