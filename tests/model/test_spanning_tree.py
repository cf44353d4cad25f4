"""Spanning trees: against all trees of small graphs, and by their laws on larger ones."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.model import spanning_tree as module
from poinsot.model.spanning_tree import Edge, breadth_first, spanning_tree
from tests.random_examples import examples


def random_graph(seed, n, extra, *, held=0.0):
    """Return a connected graph of n bodies and the world, with loops and parallel joints."""
    rng = np.random.default_rng([seed, n, extra])
    ends = [(int(rng.integers(-1, i)), i) for i in range(n)]
    while len(ends) < n + extra:
        a, b = (int(k) for k in rng.integers(-1, n, 2))
        if a != b:
            ends.append((a, b))
    ends = [ends[k] if rng.random() < 0.5 else ends[k][::-1] for k in rng.permutation(len(ends))]
    return [Edge(pair, int(rng.integers(0, 6)), bool(rng.random() < held)) for pair in ends]


graphs = st.builds(random_graph, st.integers(0, 2**32 - 1), st.integers(1, 12), st.integers(0, 6))
small_graphs = st.builds(
    random_graph, st.integers(0, 2**32 - 1), st.integers(1, 5), st.integers(0, 4)
)


def is_tree(n, edges, kept):
    """Return whether joints connect all bodies, by merging sets."""
    where = {i: {i} for i in range(-1, n)}
    for e in kept:
        a, b = edges[e].ends
        if where[a] is not where[b]:
            where[a] |= where[b]
            for i in where[b]:
                where[i] = where[a]
    return len(kept) == n and len(where[-1]) == n + 1


def loop_bodies(edges, kept, cut):
    """Return the bodies of a fundamental loop: what remains when loose ends are taken off."""
    left = [edges[e].ends for e in kept] + [edges[cut].ends]
    while True:
        ends = [body for pair in left for body in pair]
        loose = {body for body in ends if ends.count(body) == 1}
        if not loose:
            return set(ends) - {-1}
        left = [pair for pair in left if not loose & set(pair)]


def depths(edges, kept, n):
    """Return the depth of each body, by relaxing the joints of the tree."""
    depth = {-1: 0}
    while len(depth) <= n:
        for e in kept:
            a, b = edges[e].ends
            for inner, outer in ((a, b), (b, a)):
                if inner in depth and outer not in depth:
                    depth[outer] = depth[inner] + 1
    return depth


def worth(n, edges, kept):
    """Return what the choice goes by."""
    cuts = set(range(len(edges))) - set(kept)
    return (
        sum(edges[e].held for e in cuts),
        sum(len(loop_bodies(edges, kept, e)) for e in cuts),
        sum(edges[e].nv for e in kept) + sum(6 - edges[e].nv for e in cuts),
        sum(depths(edges, kept, n).values()),
        sorted(kept),
    )


def size(edges):
    return max(max(edge.ends) for edge in edges) + 1


@settings(max_examples=examples(11))
@given(small_graphs)
def test_of_small_graphs_it_is_the_best_tree(edges):
    n = size(edges)
    trees = [k for k in combinations(range(len(edges)), n) if is_tree(n, edges, k)]
    best = min(worth(n, edges, tree) for tree in trees)
    assert worth(n, edges, set(spanning_tree(edges).values())) == best


@settings(max_examples=examples(11))
@given(graphs)
def test_it_spans_and_is_no_worse_than_breadth_first(edges):
    n, found, first = size(edges), spanning_tree(edges), breadth_first(edges)
    assert set(found) == set(first) == set(range(n))
    assert all(body in edges[e].ends for body, e in found.items())
    kept = set(found.values())
    assert is_tree(n, edges, kept)
    assert worth(n, edges, kept) <= worth(n, edges, set(first.values()))


@settings(max_examples=examples(6))
@given(graphs)
def test_breadth_first_takes_the_shortest_ways(edges):
    """Check the depths against powers of the adjacency matrix."""
    n, kept = size(edges), set(breadth_first(edges).values())
    A = np.eye(n + 1, dtype=bool)
    for edge in edges:
        a, b = edge.ends
        A[a, b] = A[b, a] = True
    reached, distance = np.eye(n + 1, dtype=bool)[-1], {}
    for k in range(n + 1):
        distance |= {i: k for i in range(-1, n) if reached[i] and i not in distance}
        reached = A @ reached
    assert depths(edges, kept, n) == distance


@settings(max_examples=examples(8))
@given(graphs, st.integers(0, 2**32 - 1))
def test_the_numbers_of_bodies_do_not_matter(edges, seed):
    n = size(edges)
    order = np.random.default_rng(seed).permutation(n).tolist()
    new = {-1: -1} | dict(enumerate(order))
    moved = [Edge((new[e.ends[0]], new[e.ends[1]]), e.nv, e.held) for e in edges]
    found = {new[body]: joint for body, joint in spanning_tree(edges).items()}
    assert found == spanning_tree(moved)


@settings(max_examples=examples(5))
@given(st.integers(0, 2**32 - 1), st.integers(10, 25), st.integers(5, 12))
def test_large_blocks_are_improved_by_exchanges(seed, n, extra):
    """Check the law of a local optimum: no exchange of two joints is better."""
    edges = random_graph(seed, n, extra, held=0.2)
    kept = set(spanning_tree(edges).values())
    best = worth(n, edges, kept)[:4]
    assert best <= worth(n, edges, set(breadth_first(edges).values()))[:4]
    for cut in set(range(len(edges))) - kept:
        for carrier in kept:
            other = kept - {carrier} | {cut}
            if is_tree(n, edges, other):
                assert worth(n, edges, other)[:4] >= best


def test_a_ladder_has_short_loops():
    """Check a ladder: its breadth-first tree, the two sides, has long loops; a comb has squares."""
    n = 40
    sides = [Edge((i - 2, i)) for i in range(2, n)]
    rungs = [Edge((i, i + 1)) for i in range(0, n, 2)]
    edges = [Edge((-1, 0)), Edge((-1, 1)), *sides, *rungs]
    kept = set(spanning_tree(edges).values())
    cuts = set(range(len(edges))) - kept
    total = sum(len(loop_bodies(edges, kept, e)) for e in cuts)
    assert len(cuts) == n // 2
    assert total == 2 + 4 * (n // 2 - 1)  # 2 between world and first rung, 4 between two rungs


def test_steps_are_bounded(monkeypatch):
    """Check that a large block takes the steps it is given, and still gets a tree."""
    edges = random_graph(1, 60, 60)
    monkeypatch.setattr(module, "MOST_STEPS", 2 * len(edges))
    assert is_tree(60, edges, set(spanning_tree(edges).values()))


@pytest.mark.parametrize("held", [0, 1, 2])
def test_what_cannot_be_cut_is_kept(held):
    edges = [Edge((-1, 0), 1), Edge((0, 1), 3), Edge((1, -1), 5)]
    edges[held] = Edge(edges[held].ends, edges[held].nv, held=True)
    assert held in spanning_tree(edges).values()


@pytest.mark.parametrize(("on_first", "on_third", "cut"), [(1, 2, 4), (0, 1, 0)])
def test_depths_count_all_that_a_body_carries(on_first, on_third, cut):
    """Check a ring of four bodies that may be cut at either end, with others hanging on it.

    They are at depths 1, 2, 3, 4 or 4, 3, 2, 1: with A bodies at the first and C at the third, and
    one at the others, the last joint is cut unless 3 A + 1 < C + 3.
    """
    ring = [Edge((-1, 0), 2), Edge((0, 1)), Edge((1, 2)), Edge((2, 3)), Edge((3, -1), 2)]
    first = [Edge((0, 4 + k)) for k in range(on_first)]
    third = [Edge((2, 4 + on_first + k)) for k in range(on_third)]
    kept = set(spanning_tree([*ring, *first, *third]).values())
    assert set(range(5)) - kept == {cut}
