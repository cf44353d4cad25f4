"""Units of planar graphs: laws of the decomposition, and ranks of random geometry as the oracle."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.errors import DriverCountError, ModelError, OverconstrainedError
from poinsot.model.planar import overfull_set
from poinsot.model.planar.decomposition import decompose, planar_mobility
from poinsot.model.planar.graph import graph_of
from poinsot.model.planar.pebble_game import PebbleGame
from poinsot.model.planar.unit_class import unit_class
from tests.random_examples import examples


@st.composite
def graphs(draw):
    """Draw up to six bodies joined by pins, slides and gears."""
    n = draw(st.integers(1, 6))
    ends = st.lists(st.integers(0, n), min_size=2, max_size=2, unique=True)
    drawn = draw(st.lists(st.tuples(ends, st.sampled_from("RRPH")), min_size=1, max_size=9))
    joints = [(f"j{i}", a, b, kind) for i, ((a, b), kind) in enumerate(drawn)]
    return graph_of(range(1, n + 1), joints)


@st.composite
def driven_graphs(draw):
    """Draw mechanisms grown from dyads of any form on any bodies, behind one crank."""
    joints = [("crank", 0, 1, "R")]
    n = 1
    for k in range(draw(st.integers(1, 4))):
        first, last = draw(st.integers(0, n)), draw(st.integers(0, n))
        form = draw(st.sampled_from(["RRR", "RRP", "RPR", "PRP", "RPP"]))
        hosts = [(first, n + 1), (n + 1, n + 2), (last, n + 2)]
        joints += [(f"{k}{i}", *host, form[i]) for i, host in enumerate(hosts)]
        n += 2
    return range(1, n + 1), draw(st.permutations(joints))


def independent(equations, bodies):
    """Count independent equations one by one, by the definition: all sets of bodies."""
    kept = []
    for equation in equations:
        trial = [*kept, equation]
        sets = (set(s) for k in range(2, len(bodies) + 1) for s in combinations(bodies, k))
        if all(sum(e.bodies <= s for e in trial) <= 3 * len(s) - 3 for s in sets):
            kept = trial
    return len(kept)


def jacobian(graph, rng):
    """Return the rows of pins and slides where all points and directions are random."""
    rows = []
    for pair in graph.pairs:
        a, b = pair.bodies
        (x, y), u = rng.normal(size=(2, 2))
        meeting = [(1.0, 0.0, -y), (0.0, 1.0, x)]
        slide = [(*u, u @ (-y, x)), (0.0, 0.0, 1.0)]
        for row in np.array(meeting if pair.kind == "R" else slide):
            rows.append({a: row, b: -row})
    J = np.zeros((len(rows), 3 * len(graph.bodies)))
    for i, row in enumerate(rows):
        for body, values in row.items():
            if body != graph.frame:
                J[i, 3 * body - 3 : 3 * body] = values
    return J


@given(graphs())
@settings(max_examples=examples(40), deadline=None)
def test_pebbles_count_as_the_definition_does(graph):
    """Check the pebble game against all sets of bodies, and that rigid sets are over-full."""
    equations, bodies = graph.equations(), (graph.frame, *graph.bodies)
    game = PebbleGame(bodies)
    for equation in equations:
        before = [e for e, _ in game.owners]
        rigid = game.add(equation)
        if rigid:
            assert sum(e.bodies <= rigid for e in before) == 3 * len(rigid) - 3
            assert equation.bodies <= rigid
    assert len(game.owners) == independent(equations, bodies)


@given(graphs())
@settings(max_examples=examples(40), deadline=None)
def test_the_smallest_over_constrained_set_is_named(graph):
    """Check against counts in all sets of bodies, whatever the order in which pairs are listed."""
    equations, bodies = graph.equations(), (graph.frame, *graph.bodies)
    overfull = [
        s for k in range(2, len(bodies) + 1) for s in combinations(bodies, k)
        if sum(e.bodies <= set(s) for e in equations) > 3 * k - 3
    ]  # fmt: skip
    assert planar_mobility(graph).overconstrained == (overfull[0] if overfull else ())


@given(st.integers(0, 10**6), st.integers(3, 20))
@settings(max_examples=examples(40), deadline=None)
def test_no_body_can_be_left_out_of_large_over_constrained_sets(seed, n):
    """Check sets that are not counted: they are over-full, and without any one body they hold."""
    rng = np.random.default_rng(seed)
    ends = [rng.choice(n + 1, 2, replace=False) for _ in range(int(1.6 * n) + 1)]
    joints = [(f"j{i}", int(a), int(b), str(rng.choice(list("RRRH"))))
              for i, (a, b) in enumerate(ends)]  # fmt: skip
    equations, bodies = graph_of(range(1, n + 1), joints).equations(), range(n + 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overfull_set, "MOST_SETS", 0)
        found = overfull_set.smallest_overfull(equations, bodies)

    def is_dependent(chosen):
        game = PebbleGame(chosen)
        return any(game.add(e) for e in equations if e.bodies <= set(chosen))

    assert bool(found) == is_dependent(bodies)
    if found:
        assert sum(e.bodies <= set(found) for e in equations) > 3 * len(found) - 3
        assert not any(is_dependent(set(found) - {body}) for body in found)


@pytest.mark.parametrize(
    ("joints", "degrees"),
    [
        ([("a", 0, 1, "P"), ("b", 1, 2, "P"), ("c", 0, 2, "P")], 1),
        ([("a", 0, 1, "P"), ("b", 1, 2, "P"), ("c", 2, 3, "P"), ("d", 0, 3, "P")], 2),
        ([("a", 0, 1, "R"), ("b", 1, 2, "P"), ("c", 2, 3, "P"), ("d", 1, 3, "P")], 2),
        ([("a", 0, 1, "R"), ("b", 1, 2, "R"), ("c", 2, 3, "R"), ("d", 3, 0, "P")], 1),
        ([("a", 0, 1, "R"), ("b", 1, 2, "R"), ("c", 1, 2, "R")], 1),
    ],
)
def test_mobility_is_what_random_geometry_has(joints, degrees):
    """Check degrees of freedom, loops of slides included, by the rank of rows."""
    graph = graph_of(range(1, 1 + max(b for _, *ab, _ in joints for b in ab)), joints)
    J = jacobian(graph, np.random.default_rng(3))
    mobility = planar_mobility(graph)
    assert mobility.degrees == degrees == J.shape[1] - np.linalg.matrix_rank(J)


@given(driven_graphs(), st.randoms(use_true_random=False))
@settings(max_examples=examples(30), deadline=None)
def test_units_are_the_dyads_that_were_put_together(described, random):
    """Check bodies and forms of units, the order of assembly, and that listings do not matter."""
    bodies, joints = described
    units = decompose(graph_of(bodies, joints, ["crank"]))
    assert {unit.bodies for unit in units[1:]} == {(i, i + 1) for i in range(2, len(bodies), 2)}
    known = {0}
    for unit in units:
        for pair in unit.outer:
            assert set(pair.bodies) - set(unit.bodies) <= known
        known |= set(unit.bodies)
        by_body = {pair.name[-1]: pair.kind for pair in (*unit.outer, *unit.inner)}
        if unit.kind == "zero unit":
            assert unit.form == by_body["0"] + by_body["1"] + by_body["2"]
            assert (unit.assur_class, unit.order) == ("II", 2)
    shuffled = random.sample(joints, len(joints))
    again = decompose(graph_of(random.sample(bodies, len(bodies)), shuffled, ["crank"]))
    assert {frozenset(u.bodies) for u in again} == {frozenset(u.bodies) for u in units}


def test_gears_on_a_carrier_are_one_equation_of_three_bodies():
    """Check a planetary train: sun and carrier driven, planet and ring follow as single bodies."""
    joints = [("s", 0, 1, "R"), ("c", 0, 2, "R"), ("p", 2, 3, "R"), ("r", 0, 4, "R")]
    joints += [("sun", 1, 3, 2, "H"), ("ring", 4, 3, 2, "H")]
    graph = graph_of([1, 2, 3, 4], joints, ["s", "c"])
    assert planar_mobility(graph).degrees == 2
    units = decompose(graph)
    assert [(unit.bodies, unit.assur_class) for unit in units] == [
        ((1,), None), ((2,), None), ((3,), "single"), ((4,), "single"),
    ]  # fmt: skip
    assert [pair.name for pair in units[2].outer] == ["p", "sun"]


def test_class_is_the_longest_of_the_shortest_loops():
    """Check a ladder of two loops of four, whose outline of six is no member of the basis."""
    ladder = [(1, 2), (2, 3), (3, 4), (4, 1), (4, 5), (5, 6), (6, 3)]
    assert unit_class(range(1, 7), ladder) == "IV"
    assert unit_class(range(1, 7), ladder[:2] + ladder[3:]) == "VI"


def test_mistakes_are_named():
    """Check messages of wrong graphs: what is wrong, and with which bodies or numbers."""
    bar = [("A", 0, 1, "R"), ("B", 1, 2, "R"), ("C", 2, 3, "R"), ("D", 0, 3, "R")]
    with pytest.raises(DriverCountError, match="2 drivers for 1 degrees") as caught:
        decompose(graph_of([1, 2, 3], bar, ["A", "D"]))
    assert (caught.value.equations, caught.value.coordinates) == (10, 9)
    two = [*bar, ("E", 3, 4, "R")]
    with pytest.raises(OverconstrainedError, match=r"\[0, 1, 2, 3\] have a driver too many"):
        decompose(graph_of([1, 2, 3, 4], two, ["A", "D"]))
    for joints, drivers, words in [
        (bar, ["a"], "no pair 'a' to drive"),
        ([("A", 0, 5, "R")], [], "pair 'A': there is no body 5"),
        ([("A", 0, 1, "Q")], [], "kind 'Q' is none of R, P, H"),
        ([("A", 1, 1, "R")], [], "needs two different bodies"),
        ([bar[0], bar[0]], [], "two pairs are called 'A'"),
        (bar, ["A", "A"], "driven twice"),
    ]:
        with pytest.raises(ModelError, match=words):
            graph_of([1, 2, 3], joints, drivers)
    with pytest.raises(ModelError, match="called alike"):
        graph_of([0, 1], [])
