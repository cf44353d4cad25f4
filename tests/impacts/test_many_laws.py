"""Impacts at many states by every law: the same as at single states, and what the laws say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.many_states import ManyStates
from tests.random_examples import examples

ARM = ps.library.double_pendulum()
LIFT = ps.BaseMotion(ps.Pose((0.4, 0.1, 0), rpy=(0.2, -0.3, 0.1)), velocity=(0.3, 0, 1, 0.5, 0, 2))
BLOCKS = [
    ps.System(name, [ps.Body(name, joint=ps.Free(), mass=mass, com=com, inertia=inertia)])
    for name, mass, com, inertia in (
        ("left", 1.3, (0.02, 0.05, -0.03), (0.04, 0.05, 0.06)),
        ("right", 0.8, (-0.04, 0.01, 0.02), (0.03, 0.02, 0.04)),
    )
]
LAWS = [
    ("unilateral", "simultaneous"), ("unilateral", "sequential"), ("poisson", "simultaneous"),
    ("poisson", "sequential"), ("stronge", "sequential"),
]  # fmt: skip
STATES = 12


@pytest.fixture
def in_python(monkeypatch):
    """Return a list that grows with each state that is left to floats."""
    states = []
    alone = ManyStates.solved_alone

    def counted(self, k):
        states.append(k)
        return alone(self, k)

    monkeypatch.setattr(ManyStates, "solved_alone", counted)
    return states


def blocks(rng, n=STATES, base=None):
    """Return two bodies in space near each other, the second on a base that may move."""
    parties = []
    for system, x, motion in zip(BLOCKS, (-0.2, 0.2), (None, base), strict=True):
        q = np.zeros((n, 7))
        q[:, 0], q[:, 3:] = x, rng.normal(size=(n, 4))
        q[:, 3:] /= np.linalg.norm(q[:, 3:], axis=1, keepdims=True)
        parties.append(ps.MovingSystem(system, q, rng.normal(size=(n, 6)), motion))
    return parties


def spots(rng, count, e, friction, n=STATES, reversed_slip=0.0):
    """Return points of two blocks between them, with normals that are nearly that of a plane."""
    normals = np.array([1.0, 0, 0]) + 0.1 * rng.normal(size=(count, n, 3))
    places = np.array([0, 0.2, 0.2]) * rng.uniform(-1, 1, (count, n, 3))
    return [
        ps.ImpactPoint(
            "left", "right", point=places[k], normal=normals[k], restitution=e[k],
            friction=friction, tangential_restitution=reversed_slip, name=f"p{k}",
        )
        for k in range(count)
    ]  # fmt: skip


def check_states(many, first, second, points, law, order):
    """Check some of many impacts against single ones."""
    for k in range(0, len(many), 5):
        other = None if second is None else second.state(k)
        where = [point.state(k) for point in points]
        hit = ps.collide(first.state(k), other, where, law=law, order=order)
        speed = max(np.abs(part).max(initial=0.0) for part in (*hit.v, first.v, hit.slips[0]))
        for own, told, single in zip(many.v, many[k].v, hit.v, strict=True):
            assert_allclose(own[k], single, atol=1e-7 * speed)
            assert_allclose(told, single, atol=1e-7 * speed)
        force = max(np.abs(hit.impulses).max(), 1e-300)
        energy = force * speed
        assert many.unique[k] == hit.unique
        assert_allclose(many.rates_before[k], hit.rates_before, atol=1e-12 * speed)
        assert_allclose(many.rates[k], hit.rates, atol=1e-7 * speed)
        assert_allclose(many.base_work[k], hit.base_work, atol=1e-6 * energy + 1e-12)
        if hit.unique:
            assert_allclose(many.impulses[k], hit.impulses, atol=1e-6 * force)
            assert_allclose(many.friction_impulses[k], hit.friction_impulses, atol=1e-6 * force)
            assert_allclose(many.works[k], hit.works, atol=1e-6 * energy)
            assert_allclose(many[k].works, hit.works, atol=1e-6 * energy)
        if hit.sticks is not None:
            assert many.sticks[k] == hit.sticks == many[k].sticks


def check_cones(many, points):
    """Check that impulses push, stay in the cones of friction, and that nothing closes."""
    friction = np.array([point.friction for point in points])
    across = np.linalg.norm(many.friction_impulses, axis=2)
    force = np.abs(many.impulses).max(axis=1, keepdims=True) + 1e-300
    assert (many.impulses >= -1e-10 * force).all()
    assert (across <= friction * many.impulses + 1e-10 * force).all()
    speed = np.abs(many.rates_before).max(axis=1, keepdims=True)
    assert (many.rates >= -1e-9 * speed).all()


@settings(max_examples=examples(30))
@given(
    st.sampled_from(LAWS), st.integers(1, 3), st.sampled_from([0.0, 0.1, 0.2]),
    st.integers(0, 1000), st.booleans(),
)  # fmt: skip
def test_many_states_are_single_ones(how, count, friction, seed, is_lifted):
    rng = np.random.default_rng(seed)
    law, order = how
    first, second = blocks(rng, base=LIFT if is_lifted else None)
    points = spots(rng, count, np.round(rng.uniform(0, 1, count), 2), friction)
    many = ps.collide_many(first, second, points, law=law, order=order)
    check_states(many, first, second, points, law, order)
    check_cones(many, points)


@pytest.mark.parametrize("law", ["unilateral", "printed", "poisson"])
@pytest.mark.parametrize("count", [4, 8])
def test_redundant_smooth_points_are_machine_code(in_python, law, count):
    """Points of a plane beyond three: least impulses, as of single states, and the same flags."""
    rng = np.random.default_rng(count)
    flat = law == "printed"  # else its restitutions would contradict each other
    e = np.full(count, 0.4) if flat else np.round(rng.uniform(0, 1, count), 2)
    first, second = blocks(rng, base=None if flat else LIFT)
    places = np.array([0, 0.2, 0.2]) * rng.uniform(-1, 1, (count, 3))
    if flat:  # they close in all points
        first, second = (
            ps.MovingSystem(
                party.system, party.q,
                [[*(pose[:3, :3].T @ [x * (k + 1.0), 0.1, 0.2]), 0, 0, 0]
                 for k, pose in enumerate(party.system.pose(party.system.body_names[0], party.q))],
            )
            for party, x in ((first, 1.0), (second, -1.0))
        )  # fmt: skip
    points = [
        ps.ImpactPoint("left", "right", point=place, normal=(1, 0, 0), restitution=x, name=f"p{k}")
        for k, (place, x) in enumerate(zip(places, e, strict=True))
    ]
    many = ps.collide_many(first, second, points, law=law)
    assert not in_python
    assert set(many.rank) == {3}
    assert many.unique.any() != flat  # those that push may be unique, where the others are let go
    check_states(many, first, second, points, law, "simultaneous")
    wanted = np.maximum(0.0, -e * many.rates_before)
    if law != "poisson":
        assert_allclose(many.impulses * (many.rates - wanted), 0.0, atol=1e-9)
        assert (many.rates - wanted).min() > -1e-10


def test_newton_with_friction_in_many_states(in_python):
    """Complementarity, and friction of most dissipation: it opposes the slip after the impact."""
    rng = np.random.default_rng(5)
    e = np.array([0.5, 0.2])
    first, second = blocks(rng, 200)
    points = spots(rng, 2, e, 0.15, n=200)
    many = ps.collide_many(first, second, points, law="unilateral")
    check_cones(many, points)
    wanted = np.maximum(0.0, -e * many.rates_before)
    speed, force = np.abs(many.rates_before).max(), np.abs(many.impulses).max()
    assert (many.rates >= wanted - 1e-10 * speed).all()
    assert_allclose(many.impulses * (many.rates - wanted), 0.0, atol=1e-10 * speed * force)
    assert {0, 1, 2} <= set((many.impulses > 0.0).sum(axis=1).tolist())
    for k in range(0, 200, 10):
        hit = many[k]
        slip = hit.slips[1] - hit.rates[:, None] * hit.normals
        opposed = np.sum(hit.friction_impulses * slip, axis=1)
        most = 0.15 * hit.impulses * np.linalg.norm(slip, axis=1)
        assert_allclose(opposed, -most, atol=1e-10 * speed * force)
    assert len(in_python) <= 4


def test_the_printed_law_with_friction():
    """It refuses what would have to pull, with the state and the points."""
    rng = np.random.default_rng(5)
    first, second = blocks(rng, 200)
    points = spots(rng, 2, np.array([0.5, 0.2]), 0.15, n=200)
    free = ps.collide_many(first, second, points, law="unilateral")
    wanted = -np.array([0.5, 0.2]) * free.rates_before
    for obeys in (True, False):
        close = (free.rates_before < 0.0).all(axis=1)
        kept = np.flatnonzero(close & ((free.rates <= wanted + 1e-9).all(axis=1) == obeys))
        some = [ps.ImpactPoint(
            "left", "right", point=p.point[kept], normal=p.normal[kept], name=p.name,
            restitution=p.restitution, friction=p.friction,
        ) for p in points]  # fmt: skip
        parties = [ps.MovingSystem(x.system, x.q[kept], x.v[kept]) for x in (first, second)]
        if obeys:
            many = ps.collide_many(*parties, some, law="printed")
            assert_allclose(many.impulses, free.impulses[kept])
        else:
            with pytest.raises(ps.ModelError, match=r"state 0: .* have to pull; lower the fric"):
                ps.collide_many(*parties, some, law="printed")


def test_points_stick_or_slip():
    rng = np.random.default_rng(7)
    first, second = blocks(rng, 60)
    for law in ("unilateral", "poisson", "stronge"):
        (point,) = spots(rng, 1, [0.5], 0.4, n=60)
        many = ps.collide_many(first, second, [point], law=law)
        assert {False, True} == set(many.sticks.tolist())
        check_states(many, first, second, [point], law, "simultaneous")


@pytest.mark.parametrize(("law", "order"), LAWS)
def test_usual_states_are_machine_code(in_python, law, order):
    rng = np.random.default_rng(3)
    ps.collide_many(*blocks(rng, 50), spots(rng, 2, [0.4, 0.4], 0.1, n=50), law=law, order=order)
    assert len(in_python) <= 1


def linkage_and_pendulum(rng, n, count, friction):
    """Return a four-bar linkage, whose loop rows are dependent, a pendulum, and closing points."""
    bar, rod = ps.library.four_bar(), ps.library.pendulum()
    q = np.array([ps.library.four_bar_configuration(x) for x in rng.uniform(0.5, 1.2, n)])
    name = bar.coordinate_names[0]
    v = np.array([
        bar.consistent_velocity(row, [speed, 0.0, 0.0], joints=[name])
        for row, speed in zip(q, rng.normal(size=n), strict=True)
    ])  # fmt: skip
    linkage = ps.MovingSystem(bar, q, v)
    pendulum = ps.MovingSystem(rod, rng.uniform(-1, 1, (n, 1)), rng.normal(size=(n, 1)))
    places, normals = rng.normal(size=(2, count, n, 3))
    for _ in range(2):  # turned round where they open
        points = [
            ps.ImpactPoint(bar.body_names[k], "bob", point=places[k], normal=normals[k],
                           restitution=0.5, friction=friction, name=f"p{k}")
            for k in range(count)
        ]  # fmt: skip
        u = ps.collide_many(linkage, pendulum, points, law="unilateral").rates_before
        normals = -np.sign(u.T[:, :, None]) * normals
    return linkage, pendulum, points


@pytest.mark.parametrize(("law", "order"), [*LAWS, ("printed", "sequential")])
@pytest.mark.parametrize("friction", [0.0, 0.2])
def test_closed_systems(in_python, law, order, friction):
    given = linkage_and_pendulum(np.random.default_rng(1), 12, 1, friction)
    in_python.clear()
    many = ps.collide_many(*given, law=law, order=order)
    assert not in_python
    check_states(many, *given, law, order)
    linkage = given[0]
    rates = linkage.system.constraint_jacobian(linkage.q[3]) @ many.v[0][3]
    assert_allclose(rates, 0.0, atol=1e-10)


def test_the_printed_law_in_closed_systems(in_python):
    given = linkage_and_pendulum(np.random.default_rng(4), 12, 2, 0.0)
    in_python.clear()
    many = ps.collide_many(*given)
    assert not in_python
    check_states(many, *given, "printed", "simultaneous")
    assert_allclose(many.rates, -0.5 * many.rates_before, atol=1e-9)
    assert many.impulses.min() < 0.0


def test_bodies_of_a_single_system(in_python):
    rng = np.random.default_rng(6)
    balls = [ps.Body(name, joint=ps.Translation(), mass=m) for name, m in (("a", 1.0), ("b", 2.0))]
    pair = ps.System("pair", balls)
    q = np.tile([0.0, 0, 0, 1, 0, 0], (9, 1))
    party = ps.MovingSystem(pair, q, rng.normal(size=(9, 6)), LIFT)
    point = ps.ImpactPoint(
        "a", "b", point=(0.5, 0, 0), normal=rng.normal(size=(9, 3)), restitution=0.7, friction=0.3
    )
    for law in ("unilateral", "poisson", "stronge"):
        many = ps.collide_many(party, None, [point], law=law)
        check_states(many, party, None, [point], law, "simultaneous")
        assert_allclose(many.v[0] @ np.repeat([1, 2], 3), party.v @ np.repeat([1, 2], 3))
    smooth = ps.ImpactPoint("a", "b", point=(0.5, 0, 0), normal=point.normal, restitution=0.7)
    many = ps.collide_many(party, None, [smooth], law="unilateral")
    check_states(many, party, None, [smooth], "unilateral", "simultaneous")
    assert not in_python


def test_each_point_has_its_own_law_in_turn(in_python):
    """The point that closes fastest is hit first, as if it were alone, by its own law."""
    rng = np.random.default_rng(8)
    first, second = blocks(rng)
    laws = ("stronge", "printed", "poisson")
    points = [
        ps.ImpactPoint(
            "left", "right", point=p.point, normal=p.normal, restitution=p.restitution,
            friction=p.friction, law=law, name=p.name,
        )
        for p, law in zip(spots(rng, 3, [0.3, 0.5, 0.7], 0.2), laws, strict=True)
    ]  # fmt: skip
    many = ps.collide_many(first, second, points, order="sequential")
    assert (many.law, many.laws) == ("stronge, printed, poisson", laws)
    check_states(many, first, second, points, "printed", "sequential")
    assert not in_python
    for k in range(4):
        parties, where = (first.state(k), second.state(k)), [point.state(k) for point in points]
        while True:
            rates = ps.collide(*parties, where, law="unilateral", order="sequential").rates_before
            if rates.min() >= -1e-12:
                break
            hit = ps.collide(*parties, [where[int(rates.argmin())]], law="unilateral")
            parties = [
                ps.MovingSystem(party.system, party.q, v)
                for party, v in zip(parties, hit.v, strict=True)
            ]
        for party, v in zip(parties, many.v, strict=True):
            assert_allclose(v[k], party.v, atol=1e-8)


def test_tangential_restitution(in_python):
    rng = np.random.default_rng(9)
    first, second = blocks(rng)
    points = spots(rng, 2, [0.3, 0.6], 0.15, reversed_slip=0.5)
    for order in ("simultaneous", "sequential"):
        many = ps.collide_many(first, second, points, law="unilateral", order=order)
        check_states(many, first, second, points, "unilateral", order)
    assert len(in_python) <= 1


def test_systems_without_freedom():
    """Two bases alone: what opens is left alone, what closes is refused."""
    point = ps.ImpactPoint("world", "world", point=np.zeros((2, 3)), normal=(1, 0, 0),
                           restitution=0.5, friction=0.1)  # fmt: skip
    slow, fast = (ps.MovingSystem(base=ps.BaseMotion(velocity=(x, 0, 0, 0, 0, 0))) for x in (1, 2))
    many = ps.collide_many(slow, fast, [point], law="unilateral")
    assert_allclose(many.rates, 1.0)
    assert_allclose(many.impulses, 0.0)
    with pytest.raises(ps.ModelError, match=r"state 0: collide: .* do not let it move"):
        ps.collide_many(fast, slow, [point], law="unilateral")


def test_rough_points_that_depend_on_each_other():
    """Four rough feet of a box: some impulses that obey the law, and all about them."""
    box = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.1, 0.2, 0.15))])
    rng, n = np.random.default_rng(2), 20
    q = np.tile([0, 0, 0.1, 1, 0, 0, 0], (n, 1))
    v = np.column_stack([rng.normal(size=(n, 2)), -np.ones(n), 0.3 * rng.normal(size=(n, 3))])
    feet = [
        ps.ImpactPoint("world", "box", point=(x, y, 0), normal=(0, 0, 1), restitution=0.0,
                       friction=0.3, name=f"{x}{y}")
        for x in (-0.2, 0.2) for y in (-0.1, 0.1)
    ]  # fmt: skip
    many = ps.collide_many(ps.MovingSystem(), ps.MovingSystem(box, q, v), feet, law="unilateral")
    check_cones(many, feet)
    assert not many.unique.any()
    for k in (0, 7):
        assert not many[k].unique
        assert_allclose(many[k].v[1], many.v[1][k], atol=1e-10)
        assert_allclose(many[k].impulses, many.impulses[k])
