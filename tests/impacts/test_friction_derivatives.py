"""Derivatives of impacts with friction, by every law and order, against differences of impacts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.impacts.impact_process import impact_process
from poinsot.impacts.process_derivative import ProcessChanges, process_changes
from tests.impacts.differences_of_impacts import H, at, blocks_of, differences
from tests.impacts.test_many_laws import LIFT, blocks, spots
from tests.random_examples import examples

HOW = [
    ("printed", "simultaneous", 1), ("unilateral", "simultaneous", 2),
    ("unilateral", "simultaneous", 3), ("poisson", "simultaneous", 1),
    ("poisson", "simultaneous", 2), ("stronge", "simultaneous", 1),
    ("unilateral", "sequential", 2), ("printed", "sequential", 3), ("poisson", "sequential", 2),
    ("stronge", "sequential", 2),
]  # fmt: skip


def check(parties, points, law, order="simultaneous"):
    """Check derivatives against differences; return the impact."""
    hit = ps.collide(*parties, points, law=law, order=order)
    exact = blocks_of(hit.derivatives())
    numeric = differences(parties, points, law, order, step=4.0 * H)
    scale = np.abs(numeric).max()
    assert_allclose(exact / scale, numeric / scale, rtol=1e-6, atol=1e-6)
    return hit


@pytest.mark.parametrize(("law", "order", "count"), HOW)
def test_bodies_in_space(law, order, count):
    """Slip turns in space, and stops; one base moves; slip comes back where velocities restore."""
    checked = []
    for seed in range(examples(6 if count == 1 else 3)):
        rng = np.random.default_rng(seed)
        parties = [party.state(0) for party in blocks(rng, 1, base=LIFT)]
        by_velocities = law in ("printed", "unilateral")
        points = [
            point.state(0)
            for point in spots(
                rng, count, rng.uniform(0.1, 0.9, count), (0.1, 0.3, 0.6)[seed % 3], n=1,
                reversed_slip=0.3 if by_velocities and seed % 2 else 0.0,
            )
        ]  # fmt: skip
        if ps.collide(*parties, points, law="unilateral").rates_before.min() < 0.0:
            checked.append(check(parties, points, law, order).sticks)
    assert checked
    if count == 1 and examples(6) >= 6:
        assert {False, True} == set(checked)


@pytest.mark.parametrize("law", ["printed", "poisson", "stronge"])
@pytest.mark.parametrize("friction", [0.05, 0.3, 2.0])
def test_motion_in_a_plane(law, friction):
    """Two arms: across their plane nothing moves, in directions that tangents do not follow."""
    arm = ps.library.double_pendulum()
    tilted = ps.BaseMotion(ps.Pose((0, 0, 0), rpy=(0.4, 0.2, 0.9)))
    R = tilted.R
    first = ps.MovingSystem(arm, [0.2, -0.4], [3.0, 1.0], tilted)
    wall = ps.MovingSystem()
    place = R @ np.array([0.3, 0.0, -1.8])
    point = at(("lower", "world"), place, R @ [-1.0, 0, 0.2], 0.4, friction=friction)
    check((first, wall), [point], law)


@pytest.mark.parametrize("law", ["unilateral", "stronge"])
def test_closed_systems(law):
    """Velocities before it change along the constraints, where differences have a meaning."""
    bar, q = ps.library.four_bar(), ps.library.four_bar_configuration(0.9)
    wall, place = ps.MovingSystem(), bar.pose("coupler", q)[:3, 3] + [0.1, 0.05, 0.0]

    def after(s):
        moved = bar.assemble(bar.integrate(q, s * v), joints=["crank"]) if s else q
        rates = bar.consistent_velocity(moved, [2.0, 0, 0], joints=["crank"])
        party = ps.MovingSystem(bar, moved, rates)
        hit = ps.collide(wall, party, [point], law=law)
        return hit, np.concatenate([hit.v[1], hit.impulses]), moved, rates

    v = bar.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    (speed,) = [ps.MovingSystem(bar, q, v).point_velocity("coupler", place)]
    normal = -speed / np.linalg.norm(speed) + 0.3 * np.array([speed[1], -speed[0], 0])
    point = at(("world", "coupler"), place, normal, 0.5, friction=0.2)
    exact = after(0.0)[0].derivatives()
    (_, y1, q1, v1), (_, y0, q0, v0) = after(H), after(-H)
    rows = np.vstack([exact.v_q, exact.impulses_q]) @ bar.difference(q0, q1)
    rows += np.vstack([exact.v_v, exact.impulses_v]) @ (v1 - v0)
    assert_allclose(rows / (2 * H), (y1 - y0) / (2 * H), rtol=1e-6, atol=1e-6)


def test_each_point_by_its_own_law_and_many_states():
    rng = np.random.default_rng(8)
    first, second = blocks(rng, 3)
    laws = ("stronge", "printed", "poisson")
    points = [
        ps.ImpactPoint(
            "left", "right", point=p.point, normal=p.normal, restitution=p.restitution,
            friction=p.friction * (law != "printed"), law=law, name=p.name,
        )
        for p, law in zip(spots(rng, 3, [0.3, 0.5, 0.7], 0.2, n=3), laws, strict=True)
    ]  # fmt: skip
    many = ps.collide_many(first, second, points, order="sequential").derivatives()
    for k, exact in enumerate(many):
        parties = first.state(k), second.state(k)
        numeric = differences(parties, [p.state(k) for p in points], "printed", "sequential", 4 * H)
        scale = np.abs(numeric).max()
        assert_allclose(blocks_of(exact) / scale, numeric / scale, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize("friction", [0.1, 0.4, 1.0])
def test_processes_of_random_matrices(law, friction):
    """Eccentric impacts in space: slip turns, stops, sticks, and begins again."""
    ends = set()
    for seed in range(examples(10)):
        rng = np.random.default_rng(seed)
        B, e = rng.normal(size=(3, 5)), (0.0, 0.3, 0.8)[seed % 3]
        dB, du, de, dmu = rng.normal(size=(3, 5)), rng.normal(size=3), rng.normal() * (e > 0), 0.3
        u = rng.normal(size=3) * [1.0, 0.5, 0.5]
        u[0] = -abs(u[0]) - 0.5

        def outcome(h, B=B, dB=dB, u=u, du=du, e=e, de=de, dmu=dmu):
            K = (B + h * dB) @ (B + h * dB).T
            return impact_process(K, u + h * du, e + h * de, friction + h * dmu, law)

        change = (dB @ B.T + B @ dB.T)[:, :, None], du[:, None], np.array([de]), np.array([dmu])
        exact = process_changes(B @ B.T, u, e, friction, law, ProcessChanges(*change))[:, 0]
        numeric = (outcome(H)[0] - outcome(-H)[0]) / (2 * H)
        assert_allclose(exact, numeric, atol=1e-6 * max(np.abs(numeric).max(), 1.0))
        ends.add(outcome(0.0)[1])
    assert ends


def ball(**numbers):
    """Return a ball that hits the ground in the middle, and how."""
    body = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    party = ps.MovingSystem(ps.System("ball", [body]), [0, 0, 0], [0.5, 0, -1.0])
    point = at(("world", "ball"), (0, 0, 0), (0, 0, 1), 0.5, name="heel", **numbers)
    return ps.MovingSystem(), party, [point]


@pytest.mark.parametrize("law", ["printed", "unilateral", "poisson"])
def test_sticking_with_all_the_friction_there_is(law):
    """A mass point needs μ = v_t / ((1 + e) v_n) to stick."""
    *parties, points = ball(friction=0.5 / 1.5)
    hit = ps.collide(*parties, points, law=law)
    if law == "poisson":  # it comes to rest as restitution ends
        with pytest.raises(ps.ModelError, match="'heel': its slip ends just as a phase"):
            hit.derivatives()
        return
    with pytest.raises(ps.ModelError, match="'heel' sticks with all the friction it has"):
        hit.derivatives()


def test_slip_that_begins_in_the_impact():
    body = ps.Body("rod", joint=ps.Free(), mass=1.0, inertia=(0.1, 0.1, 0.01))
    rod = ps.MovingSystem(ps.System("rod", [body]), [0, 0, 0, 1, 0, 0, 0], [0, 0, -1.0, 0, 0, 0])
    point = at(("world", "rod"), (0.4, 0, -0.6), (0, 0, 1), 0.5, friction=0.05, name="tip")
    hit = ps.collide(ps.MovingSystem(), rod, [point], law="stronge")
    with pytest.raises(ps.ModelError, match="'tip': it does not slip before the impact"):
        hit.derivatives()


def test_edges_of_sequences():
    balls = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in "abc"]
    row = ps.System("row", balls)
    points = [
        ps.ImpactPoint(x, y, point=(k, 0, 0), normal=(1, 0, 0), restitution=e)
        for k, (x, y, e) in enumerate((("a", "b", 0.5), ("b", "c", 0.5)))
    ]

    def hit(v, which=points):
        return ps.collide(ps.MovingSystem(row, [0, 0, 0], v), None, which, order="sequential")

    with pytest.raises(ps.ModelError, match="'a-b' and 'b-c' close equally fast"):
        hit([1.0, 0, -1.0]).derivatives()
    elastic = [
        ps.ImpactPoint(p.first, p.second, point=p.point, normal=p.normal, restitution=1.0)
        for p in points
    ]
    with pytest.raises(ps.ModelError, match="'a-b' neither closes nor opens after the last"):
        hit([1.0, 0, 0], elastic).derivatives()
    party = ps.MovingSystem(row, [0, 0, 0], [1.0, 0.2, 0.1])
    check((party, None), points, "printed", "sequential")


def test_points_at_rest_and_points_let_go():
    body = ps.Body("box", joint=ps.Planar("x", "z"), mass=1.0, inertia=(1, 0.005, 1))
    box, ground = ps.System("box", [body]), ps.MovingSystem()

    def feet(friction):
        return [
            at(("world", "box"), (x, 0, -0.1), (0, 0, 1), 0.5, name=name, friction=friction)
            for x, name in ((-0.1, "left"), (0.1, "right"))
        ]

    rests = ps.MovingSystem(box, [0, 0, 0], [0, -1.0, -10.0])
    with pytest.raises(ps.ModelError, match="'left' rests before the impact"):
        ps.collide(ground, rests, feet(0.0), law="unilateral").derivatives()
    falls = ps.MovingSystem(box, [0, 0, 0], [2.0, -1.0, 1.0])
    check((ground, falls), feet(0.05), "unilateral")


@pytest.mark.parametrize("law", ["printed", "poisson", "stronge"])
def test_a_single_freedom(law):
    """All velocities vanish at once where compression ends, and slip comes back."""
    rod = ps.library.pendulum()
    party = ps.MovingSystem(rod, [0.3], [2.0])
    point = at(("world", "bob"), (-0.2, 0, -0.9), (1, 0, 0.1), 0.5, friction=0.1)
    points = [point]
    if ps.collide(ps.MovingSystem(), party, points, law="unilateral").rates_before[0] > 0.0:
        party = ps.MovingSystem(rod, [0.3], [-2.0])
    assert not check((ps.MovingSystem(), party), points, law).sticks
