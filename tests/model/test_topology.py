"""Trees as indices."""

from hypothesis import given
from hypothesis import strategies as st

from poinsot.model.topology import (
    children_of,
    depth_first_order,
    find_cycle,
    path_to,
    where_paths_part,
)


@st.composite
def trees(draw: st.DrawFn) -> tuple[int, ...]:
    """Draw the parents of a random forest, numbered in random order."""
    n = draw(st.integers(1, 12))
    label = draw(st.permutations(range(n)))
    parents = [-1] * n
    for i in range(1, n):
        parent = draw(st.integers(-1, i - 1))
        parents[label[i]] = -1 if parent < 0 else label[parent]
    return tuple(parents)


@given(trees())
def test_order_lists_parents_first(parents: tuple[int, ...]) -> None:
    """Visit every body once, after its parent."""
    order = depth_first_order(children_of(parents))
    assert sorted(order) == list(range(len(parents)))
    place = {i: k for k, i in enumerate(order)}
    assert all(parent < 0 or place[parent] < place[i] for i, parent in enumerate(parents))


@given(trees())
def test_order_keeps_branches_together(parents: tuple[int, ...]) -> None:
    """Find each body and its descendants next to each other."""
    order = depth_first_order(children_of(parents))
    for i in range(len(parents)):
        places = [k for k, j in enumerate(order) if i in path_to(parents, j)]
        assert places == list(range(places[0], places[0] + len(places)))


@given(trees())
def test_path_climbs_to_the_world(parents: tuple[int, ...]) -> None:
    """Start at a root, end at the body, each the parent of the next."""
    for i in range(len(parents)):
        path = path_to(parents, i)
        assert path[-1] == i
        assert [parents[j] for j in path] == [-1, *path[:-1]]
    assert path_to(parents, -1) == ()


@given(trees())
def test_trees_have_no_cycle(parents: tuple[int, ...]) -> None:
    """Find nothing where there is nothing."""
    assert find_cycle(parents) == ()


@given(trees(), st.data())
def test_closed_path_is_found(parents: tuple[int, ...], data: st.DataObject) -> None:
    """Find exactly the path that hanging a root on its descendant closes."""
    end = data.draw(st.integers(0, len(parents) - 1))
    path = path_to(parents, end)
    closed = list(parents)
    closed[path[0]] = end
    cycle = find_cycle(closed)
    assert sorted(cycle) == sorted(path)
    assert all(closed[i] == j for i, j in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


@given(trees(), st.data())
def test_paths_part_at_the_deepest_body_of_both(
    parents: tuple[int, ...], data: st.DataObject
) -> None:
    """Compare with the deepest body that is on both paths."""
    i, j = (data.draw(st.integers(-1, len(parents) - 1)) for _ in range(2))
    both = set(path_to(parents, i)) & set(path_to(parents, j))
    deepest = max(both, key=lambda body: len(path_to(parents, body)), default=-1)
    assert where_paths_part(parents, i, j) == deepest
