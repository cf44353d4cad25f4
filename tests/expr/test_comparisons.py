"""Comparisons of scalars in laws: traced, they mean what they mean of floats, or they refuse."""

import math
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.errors import PoinsotError
from poinsot.expr import build, symbol, traced
from poinsot.expr.node import ONE, ZERO
from poinsot.expr.replay import replay
from tests.formulations.loaded import slider

x, y = symbols = [symbol("x"), symbol("y")]
q = traced(symbols)
NUMBERS = st.sampled_from([-1.0, 0.0, 0.5, 1.0])
RELATIONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def compared(relation, a, b, chosen):
    """Return one of two values, by a relation between two others."""
    return lambda q: ps.select(RELATIONS[relation](a(q), b(q)), chosen[0](q), chosen[1](q))


def weighed(relation, a, b):
    """Return a relation as a number, 1 or 0, in a sum."""
    return lambda q: 3.0 * RELATIONS[relation](a(q), b(q)) + a(q)


def extended(laws):
    """Return laws made of others: sums, products, choices, arrays."""
    relation = st.sampled_from(sorted(RELATIONS))
    pair = st.tuples(laws, laws)
    return st.one_of(
        st.builds(lambda a, b: lambda q: a(q) + b(q), laws, laws),
        st.builds(lambda a, b: lambda q: a(q) * b(q), laws, laws),
        st.builds(lambda a: lambda q: -a(q), laws),
        st.builds(lambda a: lambda q: np.where(q == 0.5, a(q), q)[0], laws),
        st.builds(lambda a: lambda q: np.where(a(q) != q, 1.0, 2.0)[1], laws),
        st.builds(weighed, relation, laws, laws),
        st.builds(compared, relation, laws, laws, pair),
    )


LAWS = st.recursive(
    st.one_of(
        NUMBERS.map(lambda number: lambda q: number),
        NUMBERS.map(lambda number: lambda q: np.float64(number)),
        st.sampled_from([0, 1]).map(lambda k: lambda q: q[k]),
    ),
    extended,
    max_leaves=8,
)


@settings(deadline=None)
@given(LAWS, st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=3))
def test_random_laws_with_comparisons(law, places):
    """Trace laws that compare and choose, and compare with the same Python on floats."""
    program = build({"q": q}, {"y": law(q)})
    for place in places:
        expected = float(law(np.array(place)))
        np.testing.assert_allclose(replay(program, np.array(place))[0], expected, rtol=1e-14)


def test_compiled_laws_with_comparisons():
    """Drive a mass by laws that ask for equality, and compare the forces at some states."""
    system = slider()
    laws = {
        "select": lambda t, q, v: ps.select(q[0] == 0, 5.0, 1.0),
        "product": lambda t, q, v: 5.0 * (t == 0) + 2.0 * (q[0] != 0),
        "number first": lambda t, q, v: ps.select(np.float64(0.5) == q[0], 5.0, 1.0),
        "array": lambda t, q, v: np.where(q == 0.5, 5.0, np.where(v != 0.0, 2.0, 1.0)),
    }
    for law in laws.values():
        run = ps.simulate(system, q=[0.0], v=[0.0], tau=law, duration=0.01, save=0.005)
        for k, t in enumerate(run.t):
            expected = np.ravel(law(t, run.q[k], run.v[k]))
            np.testing.assert_array_equal(np.ravel(run.tau()[k]), expected)


REFUSED = {
    "if": lambda: 5.0 if x == 0 else 1.0,
    "if not": lambda: 5.0 if x != 0 else 1.0,
    "between": lambda: 0 < x < 1,
    "in a tuple": lambda: x in (0, 1),
    "in a list": lambda: 0 in [x, y],
    "in a set": lambda: x in {0, 1},
    "in an array": lambda: 0 in q,
    "look-up": lambda: {0: 5.0}.get(x, 1.0),
    "key": lambda: {x: 5.0},
    "index": lambda: [0, 1].index(x),
    "count": lambda: [0, 1].count(x),
    "lists": lambda: [x, y] == [0, 1],
    "tuples": lambda: (x, y) == (0, 1),
    "array_equal": lambda: np.array_equal(q, [0, 0]),
    "array_equal, numbers first": lambda: np.array_equal([0, 0], q),
    "array_equiv": lambda: np.array_equiv(q, [0, 0]),
    "isin": lambda: np.isin(q, [0, 1]),
    "isin of one": lambda: np.isin(x, [0, 1]),
    "isin of many": lambda: np.isin(q, np.arange(100.0)),
    "isclose": lambda: np.isclose(q, 0),
    "isclose of one": lambda: np.isclose(x, 0),
    "allclose": lambda: np.allclose(q, 0),
    "isclose of math": lambda: math.isclose(x, 0),
    "argmax": lambda: np.argmax(q),
    "argmin": q.argmin,
    "argsort": lambda: np.argsort(q),
    "sort": lambda: np.sort(q),
    "sorted": lambda: sorted([x, y]),
    "unique": lambda: np.unique(q),
    "median": lambda: np.median(q),
    "max": lambda: max(x, y),
    "min": lambda: min(x, 0),
    "round": lambda: round(x),
    "rounded array": lambda: np.round(q),
    "int": lambda: int(x),
    "floor": lambda: math.floor(x),
    "count of non-zeros": lambda: np.count_nonzero(q),
    "places of non-zeros": lambda: np.nonzero(q == 0),
    "picked": lambda: q[q == 0],
    "truth as bool": lambda: (q == 0).astype(bool),
    "search": lambda: np.searchsorted([0.0, 1.0], x),
    "digitize": lambda: np.digitize(x, [0.0, 1.0]),
    "piecewise": lambda: np.piecewise(q, [q == 0], [1.0, 2.0]),
    "plain array": lambda: np.array([x, 1.0]) == 0,
    "plain arrays": lambda: np.array_equal(np.array([x]), [0]),
    "fraction": lambda: x == Fraction(1, 3),
    "decimal": lambda: x != Decimal("0.1"),
    "complex": lambda: x == 1 + 0j,
    "NumPy's truth": lambda: x == np.True_,
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_needs_the_number_is_refused(name):
    """Ask for the truth, the place or the whole part of a symbol, in the ways of Python."""
    with pytest.raises((TypeError, IndexError)):
        REFUSED[name]()


def test_messages_say_what_to_write():
    """Read what is said to someone who branches on a symbol, or looks one up."""
    with pytest.raises(TypeError, match=r"poinsot\.select\(condition, a, b\) in place of if"):
        bool(x == 0)
    with pytest.raises(TypeError, match=r"key of a dictionary.*poinsot\.select"):
        hash(x)
    with pytest.raises(TypeError, match=r"Fraction\(1, 2\).*write a float"):
        assert x == Fraction(1, 2)
    branching = partial(ps.simulate, slider(), q=[0.0], v=[0.0], duration=0.1)
    with pytest.raises(PoinsotError, match=r"poinsot\.select"):
        branching(tau=lambda t, q, v: 5.0 if t == 0 else 1.0)
    with pytest.raises(PoinsotError, match=r"key of a dictionary"):
        branching(tau=lambda t, q, v: {0: 5.0}.get(q[0], 1.0))


def test_what_is_known_is_known():
    """Compare an expression with itself, constants, and with what is no number."""
    assert (x == x) is ONE
    assert (x != x) is ZERO
    assert bool(ONE)
    assert not bool(ZERO)
    assert x != "x"
    assert x != None  # noqa: E711
    assert [x, y] == [x, y]
    with pytest.raises(TypeError, match="truth"):
        bool(symbol("z") == y)


def test_systems_with_symbols_are_equal_by_structure():
    """Compare and hash descriptions with formulas, in every kind of part."""

    def made(length, other=None):
        m, l = ps.symbols("m l")
        inertia = (0, m * length**2, 0)
        rod = ps.Body("rod", joint=ps.Revolute("y", damping=l), mass=m, inertia=inertia)
        place = ps.Pose((0, 0, length), rpy=(l, 0, 0))
        tip = ps.Body("tip", "rod", ps.Prismatic("x"), place, mass=other or m, com=(l, 0, 0))
        spring = ps.Spring(("world", (0, 0, l)), ("tip", (0, l, 0)), m, l)
        rod_of_both = ps.Distance("rope", "world", ("tip", ps.Pose((0, 0, l))), l)
        return ps.System("two", [rod, tip], forces=[spring], constraints=[rod_of_both])

    l = ps.symbols("l")
    first, again, others = made(l), made(ps.symbols("l")), [made(2 * l), made(l, other=2.0)]
    assert first == again
    assert hash(first) == hash(again)
    assert len({first, again, *others}) == 3
    for other in others:
        assert first != other
    for a, b in zip(first.mechanism.bodies, again.mechanism.bodies, strict=True):
        assert (a, a.joint, a.pose) == (b, b.joint, b.pose)
        assert hash(a) == hash(b)
