"""Which joints of a graph of bodies carry and which are cut: its spanning tree.

The sizes that matter are those of the fundamental loops, each a cut joint and the way in the tree
between the two bodies it joins.  A block, joints of which any two lie on a common loop, can be
treated by itself: its loops, and what they cost, do not depend on the rest of the graph.

Bodies are numbered as they are listed; -1 stands for the world.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

__all__ = ["breadth_first", "spanning_tree"]

Edge: TypeAlias = tuple[int, int]
"""The two bodies that a joint joins."""

Score: TypeAlias = tuple[int, int, int]
"""Bodies in the fundamental loops, equations, depths of the bodies."""

_ROOT = -1

MOST_TRIED = 3000
"""A block in which as many sets of joints have the size of a tree, or fewer, is searched through."""

MOST_STEPS = 300_000
"""Joints looked at while a larger block is improved by exchanges."""


def breadth_first(edges: Sequence[Edge]) -> Mapping[int, int]:
    """Return the joint through which each body is reached first from the world.

    Bodies that are not connected to the world are missing.

    Args:
        edges: The bodies that each joint joins; of equally short ways those over the joints
            listed first are taken.

    Examples:
        >>> breadth_first([(-1, 0), (0, 1), (1, 2), (2, -1)])
        {0: 0, 2: 3, 1: 1}
    """
    return _walk(_joints_at(edges, range(len(edges))), edges, _ROOT).carriers


def spanning_tree(n_bodies: int, edges: Sequence[Edge], freedoms: Sequence[int]) -> tuple[int, ...]:
    """Return for each body the joint that carries it; the joints left over are to be cut.

    The tree is chosen by, in this order,

    - the number of bodies in the fundamental loops, summed over the loops: short loops make short
      constraint equations;
    - the number of equations, nv of the tree and 6 - nv for each joint that is cut: so joints with
      many freedoms are cut, and those that hold most are kept;
    - the depth of the bodies, summed: short paths cost and round least;
    - the order of the joints: those listed first are kept.

    Blocks with few joints are searched through, so what is found there is the best; in larger ones
    (``MOST_TRIED``) the breadth-first tree is improved by exchanging one joint of the tree with one
    that is cut, as long as that helps: a heuristic, since the best tree is NP-hard to find [Deo1982].

    Args:
        n_bodies: How many bodies; all are connected to the world.
        edges: The bodies that each joint joins, never one body with itself.
        freedoms: Number of velocities of each joint.

    Examples:
        >>> spanning_tree(3, [(-1, 0), (0, 1), (1, 2), (2, -1)], [1, 1, 3, 1])
        (0, 1, 3)
    """
    walk = _walk(_joints_at(edges, range(len(edges))), edges, _ROOT)
    kept = set(walk.carriers.values())
    for block in _blocks(walk, edges, freedoms):
        kept -= set(block.edges)
        kept |= _best_tree(block, frozenset(block.edges) & frozenset(walk.carriers.values()))
    carriers = _walk(_joints_at(edges, kept), edges, _ROOT).carriers
    return tuple(carriers[body] for body in range(n_bodies))


@dataclass(frozen=True)
class _Walk:
    """A tree: for each body that was reached the joint, the body before it, and how deep it is."""

    carriers: Mapping[int, int]
    parents: Mapping[int, int]
    depths: Mapping[int, int]

    def loop(self, edge: Edge) -> tuple[list[int], int]:
        """Return the joints of the tree between two bodies, and the body nearest to the root."""
        a, b = edge
        between = []
        while a != b:
            if self.depths[a] < self.depths[b]:
                a, b = b, a
            between.append(self.carriers[a])
            a = self.parents[a]
        return between, a


@dataclass(frozen=True)
class _Block:
    """Joints any two of which lie on a common loop, with the bodies they join."""

    all_edges: Sequence[Edge]
    freedoms: Sequence[int]
    edges: tuple[int, ...]
    root: int
    carried: Mapping[int, int]  # of each body how many go with it: itself and all beyond the block

    def walk(self, tree: Collection[int]) -> _Walk:
        return _walk(_joints_at(self.all_edges, tree), self.all_edges, self.root)

    def score(self, tree: Collection[int]) -> Score | None:
        """Return what a choice of joints is worth, less being better; None if it is no tree."""
        walk = self.walk(tree)
        if len(walk.carriers) < len(self.carried):
            return None
        bodies = equations = 0
        for e in self.edges:
            if e in tree:
                equations += self.freedoms[e]
                continue
            between, top = walk.loop(self.all_edges[e])
            bodies += len(between) + (top != _ROOT)
            equations += 6 - self.freedoms[e]
        return bodies, equations, sum(n * walk.depths[i] for i, n in self.carried.items())


def _best_tree(block: _Block, start: frozenset[int]) -> frozenset[int]:
    """Return the best tree of a block, or one at least as good as ``start`` if it is large."""
    size = len(block.carried)
    if math.comb(len(block.edges), size) <= MOST_TRIED:
        scores = {tree: block.score(tree) for tree in map(frozenset, combinations(block.edges, size))}
        worth = {tree: score for tree, score in scores.items() if score is not None}
        return min(worth, key=worth.__getitem__)  # the first of equals
    return _exchanged(block, start)


def _exchanged(block: _Block, tree: frozenset[int]) -> frozenset[int]:
    best = block.score(tree)
    assert best is not None
    left = MOST_STEPS // len(block.edges)
    while True:
        for other in _neighbours(block, tree):
            score = block.score(other)
            assert score is not None
            left -= 1
            if score < best:
                best, tree = score, other
                break
            if left <= 0:
                return tree
        else:
            return tree


def _neighbours(block: _Block, tree: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield the trees that differ by one joint."""
    walk = block.walk(tree)
    for cut in block.edges:
        if cut not in tree:
            for carrier in walk.loop(block.all_edges[cut])[0]:
                yield tree - {carrier} | {cut}


def _blocks(walk: _Walk, edges: Sequence[Edge], freedoms: Sequence[int]) -> list[_Block]:
    """Return the blocks that have loops.

    Joints of one fundamental loop belong to one block, and all joints of a block hang together so.
    """
    kept = set(walk.carriers.values())
    block_of = list(range(len(edges)))

    def leader(e: int) -> int:
        while block_of[e] != e:
            block_of[e] = block_of[block_of[e]]
            e = block_of[e]
        return e

    for cut, edge in enumerate(edges):
        if cut not in kept:
            for e in walk.loop(edge)[0]:
                block_of[leader(e)] = leader(cut)
    members: dict[int, list[int]] = {}
    for e in range(len(edges)):
        members.setdefault(leader(e), []).append(e)
    sizes = _sizes(walk)
    return [
        _block(some, walk, sizes, edges, freedoms) for some in members.values() if len(some) > 1
    ]


def _block(
    members: Sequence[int],
    walk: _Walk,
    sizes: Mapping[int, int],
    edges: Sequence[Edge],
    freedoms: Sequence[int],
) -> _Block:
    bodies = {body for e in members for body in edges[e]}
    root = min(bodies, key=lambda body: walk.depths[body])
    carried = {body: sizes[body] for body in bodies - {root}}
    for body in carried:
        if walk.parents[body] in carried:
            carried[walk.parents[body]] -= sizes[body]
    return _Block(edges, freedoms, tuple(members), root, carried)


def _sizes(walk: _Walk) -> dict[int, int]:
    """Return how many bodies hang on each, itself included."""
    sizes = dict.fromkeys(walk.depths, 1)
    for body in reversed(walk.carriers):  # they are listed as they were reached
        sizes[walk.parents[body]] += sizes[body]
    return sizes


def _joints_at(edges: Sequence[Edge], which: Iterable[int]) -> dict[int, list[int]]:
    """Return the joints at each body, of those that are asked for, in their order."""
    joints: dict[int, list[int]] = {}
    for e in sorted(which):
        for body in edges[e]:
            joints.setdefault(body, []).append(e)
    return joints


def _walk(joints: Mapping[int, Sequence[int]], edges: Sequence[Edge], root: int) -> _Walk:
    """Return the breadth-first tree of a graph."""
    carriers: dict[int, int] = {}
    parents: dict[int, int] = {}
    depths = {root: 0}
    queue = [root]
    for body in queue:  # grows while it is walked
        for e in joints.get(body, ()):
            a, b = edges[e]
            other = b if a == body else a
            if other not in depths:
                carriers[other], parents[other], depths[other] = e, body, depths[body] + 1
                queue.append(other)
    return _Walk(carriers, parents, depths)
