"""The class of an Assur group by its inner pairs [Artobolevsky1975]."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot.model.planar.graph import BodyName

ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")

Link = tuple[BodyName, BodyName]


def unit_class(bodies: Sequence[BodyName], inner: Sequence[Link]) -> str:
    """Return the class of a group: "single", "II", "III", "IV", ...

    Two bodies are class II; more are class III where the inner pairs make no loop, else their
    longest loop gives the class, of those in a basis of shortest loops.

    Args:
        bodies: The bodies of the group.
        inner: The bodies that each inner pair joins.

    Examples:
        >>> unit_class([1, 2, 3, 4], [(1, 4), (2, 4), (3, 4)])
        'III'
        >>> unit_class([1, 2, 3, 4], [(1, 2), (2, 3), (3, 4), (4, 1)])
        'IV'
    """
    if len(bodies) <= 2:
        return "single" if len(bodies) == 1 else "II"
    longest = max((len(loop) for loop in shortest_loops(bodies, inner)), default=3)
    return ROMAN[longest] if longest < len(ROMAN) else str(longest)


def shortest_loops(bodies: Sequence[BodyName], links: Sequence[Link]) -> list[set[int]]:
    """Return a basis of shortest loops, each the indices of its links [Horton1987]."""
    candidates: set[frozenset[int]] = set()
    for start in bodies:
        paths = _shortest_paths(start, links)
        for index, (first, second) in enumerate(links):
            if first in paths and second in paths:
                candidates.add(frozenset((paths[first] ^ paths[second]) ^ {index}))
    basis: list[set[int]] = []
    reduced: dict[int, set[int]] = {}
    for loop in sorted(candidates, key=lambda loop: (len(loop), sorted(loop))):
        remainder = set(loop)
        while remainder and max(remainder) in reduced:
            remainder ^= reduced[max(remainder)]
        if remainder:
            reduced[max(remainder)] = remainder
            basis.append(set(loop))
    return basis


def _shortest_paths(start: BodyName, links: Sequence[Link]) -> dict[BodyName, set[int]]:
    paths: dict[BodyName, set[int]] = {start: set()}
    reached = [start]
    for body in reached:
        for index, ends in enumerate(links):
            if body in ends:
                other = ends[1] if ends[0] == body else ends[0]
                if other not in paths:
                    paths[other] = paths[body] | {index}
                    reached.append(other)
    return paths
