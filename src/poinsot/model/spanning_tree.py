"""The spanning tree of a graph of bodies: which joints it keeps and which are cut.

The sizes that matter are those of the fundamental loops, each a cut joint and the path in the tree
between the two bodies it joins.  A block, joints of which any two lie on a common loop, can be
treated by itself: its loops, and what they cost, do not depend on the rest of the graph.

Bodies are numbered as they are listed; -1 stands for the world.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import TypeAlias

__all__ = ["Edge", "breadth_first", "spanning_tree"]

Score: TypeAlias = tuple[int, int, int, int]
"""Joints that are cut but must not be, bodies in the loops, equations, depths of the bodies."""

_ROOT = -1

MOST_TRIED = 3000
"""A block with at most so many candidate trees is searched exhaustively."""

MOST_STEPS = 300_000
"""Joints visited while a larger block is improved by exchanges."""


@dataclass(frozen=True)
class Edge:
    """A joint of the graph.

    Attributes:
        ends: The two bodies that it joins.
        nv: Number of its velocities.
        held: Weight of cutting it, which comes before all else: 0 where it is free to be cut.
    """

    ends: tuple[int, int]
    nv: int = 1
    held: int = 0


def breadth_first(edges: Sequence[Edge]) -> Mapping[int, int]:
    """Return the joint through which each body is reached first from the world.

    Bodies that are not connected to the world are missing.

    Args:
        edges: The joints; of equally short ways those over the joints listed first are taken.

    Examples:
        >>> breadth_first([Edge((-1, 0)), Edge((0, 1)), Edge((1, -1)), Edge((2, 3))])
        {0: 0, 1: 2}
    """
    return _walk(edges, range(len(edges))).carriers


def spanning_tree(edges: Sequence[Edge]) -> Mapping[int, int]:
    """Return for each body the joint that carries it; the joints left over are to be cut.

    The tree is chosen by, in this order,

    - joints that cannot be cut: all are kept if they form no loop among themselves;
    - the number of bodies in the fundamental loops, summed over the loops: short loops make short
      constraint equations;
    - the number of equations, nv of the tree and 6 - nv for each joint that is cut: so joints with
      many degrees of freedom are cut, and those that constrain most are kept;
    - the depth of the bodies, summed: short paths cost and round least;
    - the order of the joints: those listed first are kept.

    Blocks with few joints are searched exhaustively, so their tree is optimal; in larger ones
    (``MOST_TRIED``) the breadth-first tree is improved by exchanging one joint of the tree with one
    that is cut, as long as that helps and ``MOST_STEPS`` allow: a heuristic, since the best tree is
    NP-hard to find [Deo1982].

    Args:
        edges: The joints, none between one body and itself; each body is connected to the world.

    Examples:
        >>> bar = [Edge((-1, 0)), Edge((0, 1)), Edge((1, 2), nv=3), Edge((2, -1))]
        >>> spanning_tree(bar)
        {0: 0, 2: 3, 1: 1}
    """
    walk = _walk(edges, range(len(edges)))
    start = frozenset(walk.carriers.values())
    kept = set(start)
    for block in _blocks(walk, edges):
        kept -= block.members
        kept |= _best_tree(block, start & block.members)
    return _walk(edges, kept).carriers


@dataclass(frozen=True)
class _Walk:
    """A tree: for each body that was reached the joint, the body before it, and how deep it is."""

    carriers: Mapping[int, int]
    parents: Mapping[int, int]
    depths: Mapping[int, int]

    def loop(self, edge: Edge) -> tuple[list[int], int]:
        """Return the joints of the tree between two bodies, and the body nearest to the root."""
        a, b = edge.ends
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

    edges: Sequence[Edge]  # of the whole graph
    members: frozenset[int]
    root: int
    carried: Mapping[int, int]  # subtree size of each body: itself and all beyond the block

    def walk(self, tree: Collection[int]) -> _Walk:
        return _walk(self.edges, tree, self.root)

    def score(self, tree: Collection[int]) -> Score | None:
        """Return the cost of a choice of joints; None if it is no tree."""
        walk = self.walk(tree)
        if len(walk.carriers) < len(self.carried):
            return None
        held = bodies = 0
        equations = sum(self.edges[e].nv for e in tree)
        for e in self.members - set(tree):
            between, top = walk.loop(self.edges[e])
            held += self.edges[e].held
            bodies += len(between) + (top != _ROOT)
            equations += 6 - self.edges[e].nv
        depths = sum(n * walk.depths[body] for body, n in self.carried.items())
        return held, bodies, equations, depths


def _best_tree(block: _Block, start: frozenset[int]) -> frozenset[int]:
    """Return the best tree of a block, or one at least as good as ``start`` if it is large."""
    if math.comb(len(block.members), len(start)) > MOST_TRIED:
        return _exchanged(block, start)
    worth: dict[tuple[int, ...], Score] = {}
    for some in combinations(sorted(block.members), len(start)):
        score = block.score(some)
        if score is not None:
            worth[some] = score
    best = min(worth, key=worth.__getitem__)  # the first of equals
    return frozenset(best)


def _exchanged(block: _Block, tree: frozenset[int]) -> frozenset[int]:
    """Return a tree that no exchange of two joints improves, if the steps suffice."""
    best = block.score(tree)
    assert best is not None
    left = MOST_STEPS // len(block.members)
    improved = True
    while improved and left > 0:
        improved = False
        for other in islice(_neighbours(block, tree), left):
            score = block.score(other)
            assert score is not None
            left -= 1
            if score < best:
                best, tree, improved = score, other, True
                break
    return tree


def _neighbours(block: _Block, tree: frozenset[int]) -> Iterator[frozenset[int]]:
    """Yield the trees that differ by one joint."""
    walk = block.walk(tree)
    for cut in sorted(block.members - tree):
        for carrier in walk.loop(block.edges[cut])[0]:
            yield tree - {carrier} | {cut}


def _blocks(walk: _Walk, edges: Sequence[Edge]) -> list[_Block]:
    """Return the blocks that have loops.

    Joints of one fundamental loop belong to one block, and connect all joints of a block.
    """
    block_of = list(range(len(edges)))

    def leader(e: int) -> int:
        while block_of[e] != e:
            block_of[e] = block_of[block_of[e]]
            e = block_of[e]
        return e

    for cut in set(range(len(edges))) - set(walk.carriers.values()):
        for e in walk.loop(edges[cut])[0]:
            block_of[leader(e)] = leader(cut)
    members: dict[int, set[int]] = {}
    for e in range(len(edges)):
        members.setdefault(leader(e), set()).add(e)
    sizes = _sizes(walk)
    return [_block(edges, some, walk, sizes) for some in members.values() if len(some) > 1]


def _block(
    edges: Sequence[Edge], members: set[int], walk: _Walk, sizes: Mapping[int, int]
) -> _Block:
    bodies = {body for e in members for body in edges[e].ends}
    root = min(bodies, key=walk.depths.__getitem__)
    carried = {body: sizes[body] for body in bodies - {root}}
    for body in bodies - {root}:
        if walk.parents[body] in carried:
            carried[walk.parents[body]] -= sizes[body]
    return _Block(edges, frozenset(members), root, carried)


def _sizes(walk: _Walk) -> dict[int, int]:
    """Return the subtree size of each body, itself included."""
    sizes = dict.fromkeys(walk.depths, 1)
    for body in reversed(walk.carriers):  # they are listed as they were reached
        sizes[walk.parents[body]] += sizes[body]
    return sizes


def _walk(edges: Sequence[Edge], which: Iterable[int], root: int = _ROOT) -> _Walk:
    """Return the breadth-first tree from a body over some of the joints, in their order."""
    joints: dict[int, list[int]] = {}
    for e in sorted(which):
        for body in edges[e].ends:
            joints.setdefault(body, []).append(e)
    carriers: dict[int, int] = {}
    parents: dict[int, int] = {}
    depths = {root: 0}
    queue = [root]
    for body in queue:  # grows while it is walked
        for e in joints.get(body, ()):
            a, b = edges[e].ends
            other = b if a == body else a
            if other not in depths:
                carriers[other], parents[other], depths[other] = e, body, depths[body] + 1
                queue.append(other)
    return _Walk(carriers, parents, depths)
