"""Impacts at many states at once: the laws, and ``collide`` state by state."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

ARM = ps.library.double_pendulum()
LIFT = ps.BaseMotion(ps.Pose((0.4, 0.1, 0), rpy=(0.2, -0.3, 0.1)), velocity=(0.3, 0, 1, 0.5, 0, 2))
STATES = 40
RESTITUTION = np.array([0.3, 0.6, 0.0])


def arms(rng, n=STATES):
    """Return two arms at random states, the second on a moving base."""
    q, v = rng.uniform(-1, 1, (2, n, 2)), rng.normal(size=(2, n, 2))
    return ps.MovingSystem(ARM, q[0], v[0]), ps.MovingSystem(ARM, q[1], v[1], LIFT)


def points(rng, n=STATES):
    """Return three points at random places, normals not in the plane."""
    pairs = (("lower", "upper"), ("upper", "lower"), ("world", "lower"))
    return [
        ps.ImpactPoint(
            *pair, point=rng.normal(size=(n, 3)), normal=rng.normal(size=(n, 3)),
            restitution=e, name=f"p{k}",
        )
        for k, (pair, e) in enumerate(zip(pairs, RESTITUTION, strict=True))
    ]  # fmt: skip


def turned(points, u):
    """Return points with normals along which they close."""
    return [
        ps.ImpactPoint(p.first, p.second, point=p.point, normal=-np.sign(u[:, [k]]) * p.normal,
                       restitution=p.restitution, name=p.name)
        for k, p in enumerate(points)
    ]  # fmt: skip


def test_many_impacts_obey_the_laws_and_are_those_of_single_states():
    rng = np.random.default_rng(2)
    both, where = arms(rng), points(rng)
    pushes = ps.collide_many(*both, where, law="unilateral")
    u, P = pushes.rates_before, pushes.impulses
    slack = pushes.rates - np.maximum(0.0, -RESTITUTION * u)
    assert P.min() == 0.0
    assert slack.min() > -1e-10
    assert_allclose(P * slack, 0.0, atol=1e-10)
    assert {1, 2} <= set((P > 0).sum(axis=1))
    printed = ps.collide_many(*both, turned(where, u))
    assert_allclose(printed.rates, -RESTITUTION * printed.rates_before, atol=1e-10)
    assert printed.impulses.min() < 0.0
    assert printed.unique.all()
    for many in (pushes, printed):
        for k in (0, 7, -1):
            single = many[k]
            assert_allclose(many.impulses[k], single.impulses, rtol=1e-8, atol=1e-10)
            assert_allclose(many.rates[k], single.rates, rtol=1e-8, atol=1e-9)
            assert_allclose(many.contact_work[k], single.contact_work, rtol=1e-8, atol=1e-9)
            for own, other in zip(many.v, single.v, strict=True):
                assert_allclose(own[k], other, rtol=1e-8, atol=1e-9)


def test_redundant_points_share_the_impulse_and_loops_hold():
    wall, rod = ps.MovingSystem(), ps.library.pendulum()
    twice = [
        ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5, name=n)
        for n in "ab"
    ]
    hits = ps.collide_many(wall, ps.MovingSystem(rod, [0.0], [[2.0], [4.0]]), twice)
    assert hits.unique.tolist() == [False, False]
    assert_allclose(hits.impulses[:, 0], hits.impulses[:, 1])
    assert_allclose(hits.v[1], [[-1.0], [-2.0]])
    bar = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.8)
    v = bar.consistent_velocity(q, [1.0, 0.0, 0.0], joints=[bar.coordinate_names[0]])
    body = bar.body_names[0]
    hit = ps.ImpactPoint("world", body, point=bar.pose(body, q) @ [1, 0, 0, 1] @ np.eye(4)[:, :3],
                         normal=(1, 0, 0.5), restitution=0.5)  # fmt: skip
    closed = ps.collide_many(wall, ps.MovingSystem(bar, q, [v, 2 * v]), [hit], law="unilateral")
    assert_allclose(closed.v[1][1], 2 * closed.v[1][0], rtol=1e-9)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_matrices_of_many_states_are_those_of_single_ones(friction):
    rng = np.random.default_rng(5)
    both, rough = arms(rng, 3), []
    for p in points(rng, 3):
        rough.append(
            ps.ImpactPoint(p.first, p.second, point=p.point, normal=p.normal, friction=friction,
                           restitution=p.restitution, name=p.name)
        )  # fmt: skip
    hits = ps.collide_many(*both, rough, law="poisson")
    for k in range(3):
        alone = ps.collide(
            *(party.state(k) for party in both), [p.state(k) for p in rough], law="poisson"
        )
        for name in ("A", "d", "G", "H", "rank"):
            assert_allclose(getattr(hits, name)[k], getattr(alone, name), atol=1e-10)


@pytest.mark.parametrize("friction", [0.0, 0.3])
def test_a_system_without_freedom_is_a_base(friction):
    post = ps.System("post", [ps.Body("post", joint=ps.Fixed(), mass=1.0)])
    lift = ps.BaseMotion(velocity=(0.2, 0, 0.1, 0, 0.3, 0))
    arm = ps.MovingSystem(ARM, [0.2, -0.2], [[3.0, 1.0], [2.0, 1.0]])
    hits = {
        body: ps.collide_many(
            ps.MovingSystem(system, base=lift), arm,
            [ps.ImpactPoint(body, "lower", point=(-0.18, 0, -1.7), normal=(1, 0, 0),
                            restitution=0.5, friction=friction)],
            law="unilateral",
        )
        for system, body in ((post, "post"), (None, "world"))
    }  # fmt: skip
    hit = hits["post"]
    assert_allclose(hit.rates, -0.5 * hit.rates_before, atol=1e-12)
    assert_allclose(hit.v[1], hits["world"].v[1], atol=1e-12)
    assert_allclose(hit.contact_work, hits["world"].contact_work, atol=1e-12)
    assert (hit.impulses > 0.0).all()


def mistaken(change):
    rng = np.random.default_rng(3)
    (first, second), where = arms(rng, 4), points(rng, 4)
    return change(first, second, where)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (ps.collide, "ps.collide_many takes them"),
        (lambda a, b, p: ps.collide_many(a, b, p, law="stronge"), "not defined for several points"),
        (lambda a, b, p: ps.collide_many(a, b, p, law="hertz"), "law must be one of 'printed'"),
        (lambda a, b, p: ps.collide_many(a, b, p, order="turn"), "order must be one of"),
        (lambda a, b, p: ps.collide_many(a, ARM, p), "give each system with its state"),
        (lambda a, b, p: ps.collide_many(a, b, [p[0], 3]), "at least one ps.ImpactPoint"),
        (ps.collide_many, "state .* opens? before the impact"),
        (lambda a, b, p: ps.collide_many(a, b, []), "at least one ps.ImpactPoint"),
        (lambda a, b, p: ps.collide_many(a.state(0), b.state(0), [p[0].state(0)]), "one state"),
        (
            lambda a, b, p: ps.collide_many(ps.MovingSystem(ARM, a.q[:3], a.v[:3]), b, p),
            "differ: q of the first system: 3",
        ),
        (
            lambda a, b, p: ps.collide_many(
                a, b, [ps.ImpactPoint("lowr", "lower", point=(0, 0, 0), normal=(1, 0, 0),
                                      restitution=0)]),
            "impact point 'lowr-lower'.*lower",
        ),
        (
            lambda a, b, p: ps.collide_many(
                a, b, [ps.ImpactPoint("lower", "lower", point=(0, 0, 0), normal=(1, 0, 0),
                                      restitution=0, tangential_restitution=0.2, law="poisson",
                                      name="fist")]),
            "'fist': tangential_restitution is one of velocities",
        ),
        (
            lambda a, b, p: ps.collide_many(
                a, b, [p[0], ps.ImpactPoint("lower", "lower", point=(0, 0, 0), normal=(1, 0, 0),
                                            restitution=0, law="stronge", name="fist")]),
            r"must have the same law, got 'p0' \(printed\), 'fist' \(stronge\); .*sequential",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_told(call, message):
    with pytest.raises(ps.PoinsotError, match=message):
        mistaken(call)
