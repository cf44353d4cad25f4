"""Friction in several points at once: the law itself on random matrices, and closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.impacts.friction_law import friction_impulse
from poinsot.impacts.frictional_impulses import FrictionalContacts, frictional_impulses
from tests.random_examples import examples


def random_contacts(seed, s, n):
    """Return contacts of a system with n velocities; with n < 3 s impulses are not unique."""
    rng = np.random.default_rng(seed)
    D = rng.normal(size=(3 * s, n))
    A = rng.normal(size=(n, n))
    K = D @ np.linalg.solve(A @ A.T + 0.3 * np.eye(n), D.T)
    u = (D @ rng.normal(size=n)).reshape(s, 3)
    e, mu = rng.uniform(0, 1, s) * (rng.random() < 0.5), rng.uniform(0, 1.2, s)
    mu[rng.random(s) < 0.2] = 0.0
    return FrictionalContacts(K, u, np.maximum(0.0, -e * u[:, 0]), np.zeros(s), mu)


@settings(max_examples=examples(25), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(3, 12))
def test_the_law_holds(seed, s, n):
    """Complementarity along the normals, the cone, and the slip against the friction."""
    contacts = random_contacts(seed, s, n)
    try:
        P, sticks = frictional_impulses(contacts)
    except ps.PoinsotError:  # restitution may ask for what friction forbids
        assert contacts.after.any()
        assert n < 3 * s
        return
    w = contacts.u + (contacts.K @ P.ravel()).reshape(s, 3)
    speed, force = np.abs(contacts.u).max(), max(np.abs(P).max(), 1e-300)
    opening, bound = w[:, 0] - contacts.after, contacts.friction * P[:, 0]
    assert (P[:, 0] >= -1e-10 * force).all()
    assert (opening >= -1e-10 * speed).all()
    assert_allclose(P[:, 0] * opening, 0.0, atol=1e-10 * force * speed)
    slip, rubs = np.hypot(w[:, 1], w[:, 2]), np.hypot(P[:, 1], P[:, 2])
    assert (rubs <= bound + 1e-10 * force).all()
    # of all impulses in the cone none dissipates more
    assert_allclose(np.sum(P[:, 1:] * w[:, 1:], axis=1), -bound * slip, atol=1e-10 * force * speed)
    assert (slip[sticks] <= 1e-9 * speed).all()


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_one_point_is_that_of_the_law_for_one_point(seed):
    contacts = random_contacts(seed, 1, 5)
    u = contacts.u[0] * -np.sign(contacts.u[0, 0])
    alone = FrictionalContacts(contacts.K, u[None], -0.3 * u[:1], np.zeros(1), contacts.friction)
    try:
        expected, holds = friction_impulse(contacts.K, u, 0.3, float(contacts.friction[0]))
    except ps.PoinsotError:
        return
    P, sticks = frictional_impulses(alone)
    if sticks[0] == holds:  # eccentric impacts with much friction may have several solutions
        assert_allclose(P[0], expected, atol=1e-9 * np.abs(expected).max())


FEET = [(0.3, 0.2, 0.0), (-0.3, 0.2, 0.0), (-0.3, -0.2, 0.0), (0.3, -0.2, 0.0)]
PLATE = ps.System("plate", [ps.Body("plate", joint=ps.Free(), mass=2.0, inertia=(0.2, 0.3, 0.5))])


def landed(velocity, *, law="unilateral", e=0.5, friction=0.2, order="simultaneous"):
    """Return what happens to a plate with four feet in the plane of its mass centre."""
    points = [
        ps.ImpactPoint("world", "plate", point=foot, normal=(0, 0, 1), restitution=e,
                       friction=friction, name=f"foot {k}")
        for k, foot in enumerate(FEET)
    ]  # fmt: skip
    plate = ps.MovingSystem(PLATE, PLATE.neutral(), velocity)
    return ps.collide(ps.MovingSystem(), plate, points, law=law, order=order)


@pytest.mark.parametrize("law", ["printed", "unilateral", "poisson"])
def test_a_plate_with_four_feet_slides_or_stops(law):
    """Friction is μ times the normal impulse (1 + e) m v, however it is shared between feet."""
    hit = landed([1.0, 0.5, -1.5, 0, 0, 0], law=law)
    slid = np.array([1.0, 0.5]) * (1.0 - 0.2 * 1.5 * 1.5 / np.hypot(1.0, 0.5))
    assert_allclose(hit.v[1], [*slid, 0.75, 0, 0, 0], atol=1e-10)
    assert_allclose(hit.impulses.sum(), 2.0 * 1.5 * 1.5)
    assert not hit.sticks
    assert not hit.unique
    stopped = landed([0.1, 0.05, -1.5, 0, 0, 0.02], law=law)
    assert_allclose(stopped.v[1], [0, 0, 0.75, 0, 0, 0], atol=1e-10)
    assert stopped.sticks
    assert_allclose(stopped.contact_work, stopped.works.sum())
    assert stopped.contact_work < 0.0


def test_a_turning_plate_loses_spin_in_all_feet():
    """Pure spin: each foot rubs across its arm, so that L changes by -μ P r."""
    hit = landed([0, 0, -1.0, 0, 0, 9.0], e=0.0, friction=0.3)
    radius = np.hypot(0.3, 0.2)
    assert_allclose(hit.v[1], [0, 0, 0, 0, 0, 9.0 - 0.3 * 2.0 * radius / 0.5], atol=1e-10)


def test_stronge_at_several_points_is_refused():
    with pytest.raises(ps.ModelError, match="Stronge's restitution is not defined for several"):
        landed([1.0, 0.5, -1.5, 0, 0, 0], law="stronge")
    assert landed([1.0, 0.5, -1.5, 0, 0, 0], law="stronge", order="sequential").contact_work < 0.0


def ball(law="unilateral", **options):
    """Return a ball of radius 0.1 m, and its contact with the ground."""
    I = 0.4 * 0.5 * 0.1**2
    body = ps.Body("ball", joint=ps.Free(), mass=0.5, inertia=(I, I, I))
    ground = ps.RollingBall("ground", "ball", radius=0.1, rolling=False)
    return ps.System("ball", [body]), ps.Contact(ground, law=law, **options)


@pytest.mark.parametrize("law", ["unilateral", "poisson", "stronge"])
def test_a_ball_bounces_with_friction(law):
    """A ball without spin: it slips on, or leaves rolling with 5/7 of its speed."""
    system, ground = ball(law, restitution=0.8, friction=0.1)
    q = system.neutral()
    q[:3] = 0.0, 0.0, 0.1
    hit = ps.impact(system, q, [3.0, 0, -2.0, 0, 0, 0], [ground])
    rub = 0.1 * 1.8 * 2.0
    assert_allclose(hit.v[:3], [3.0 - rub, 0, 1.6], atol=1e-12)
    assert_allclose(hit.v[3:], [0, 2.5 * rub / 0.1, 0], atol=1e-12)
    assert hit.sticks == ()
    assert_allclose(np.hypot(*hit.friction_impulses["ground"]), 0.5 * rub)
    rough = ps.Contact(ground.constraint, 0.8, friction=0.6, law=law)
    rolls = ps.impact(system, q, [3.0, 0, -2.0, 0, 0, 0], [rough])
    assert_allclose(rolls.v[[0, 4]], [3.0 * 5 / 7, 3.0 * 5 / 7 / 0.1])
    assert rolls.sticks == ("ground",)
    assert_allclose(sum(rolls.works.values()), -rolls.energy_lost)


def test_runs_have_friction_and_laws():
    """Backspin turns the motion round; horizontal momentum about the contact is kept."""
    system, ground = ball("stronge", restitution=0.9, friction=0.3)
    q, v = system.neutral(), np.array([1.0, 0, 0, 0, -80.0, 0])
    q[2] = 0.6
    run = ps.simulate(system, q, v, 2.0, contacts=[ground])
    hits = [event for event in run.events if event.name == "ground"]
    assert len(hits) >= 2
    for event in hits:
        before, after = (
            system.velocity("ball", event.q, x, axes="world") for x in (event.v_before, event.v)
        )
        assert_allclose(after[2], -0.9 * before[2])
        about = [x[0] + 0.4 * 0.1 * x[4] for x in (before, after)]  # about the contact, by m
        assert_allclose(about[1], about[0], atol=1e-12)
    assert system.velocity("ball", run.q[-1], run.v[-1], axes="world")[0] < 0.0


def test_a_point_on_a_tilted_surface_has_friction():
    body = ps.Body("bead", joint=ps.Translation(), mass=2.0)
    system = ps.System("bead", [body])
    ramp = ps.Contact(
        ps.PointOnSurface("ramp", ("bead", (0, 0, 0)), "3*z + 4*x"), 0.5, friction=0.25
    )
    n = np.array([0.8, 0.0, 0.6])
    v = np.array([-1.0, 0.7, -2.0])
    hit = ps.impact(system, [0, 0, 0], v, [ramp])
    along = v - (v @ n) * n
    rub = 0.25 * 1.5 * abs(v @ n)
    assert_allclose(
        hit.v, along * (1 - rub / np.linalg.norm(along)) - 0.5 * (v @ n) * n, atol=1e-12
    )
    ceiling = ps.Contact(ps.PointOnSurface("roof", ("bead", (0, 0, 0)), "-z"), 0.5, friction=0.25)
    down = ps.impact(system, [0, 0, 0], [0.5, 0, 2.0], [ceiling])
    assert_allclose(down.v, [0, 0, -1.0], atol=1e-12)


def test_mistakes_with_friction_are_named():
    gap = ps.Distance("hit", ("a", (0, 0, 0)), ("b", (0, 0, 0)), 0.2)
    with pytest.raises(ps.ModelError, match=r"contact 'hit': it cannot have friction: .* Rolling"):
        ps.Contact(gap, 0.5, friction=0.3)
    moving = ps.PointOnSurface("lift", ("a", (0, 0, 0)), "z - t")
    with pytest.raises(ps.ModelError, match="depends on the time; let a body carry"):
        ps.Contact(moving, 0.5, friction=0.3)
    with pytest.raises(
        ps.ModelError, match="law must be one of 'printed', 'unilateral', 'poisson'"
    ):
        ps.Contact(gap, 0.5, law="hertz")
    with pytest.raises(ps.ModelError, match=r"friction must be at least 0, got -0\.1"):
        ps.Contact(gap, 0.5, friction=-0.1)
    point = ps.System("point", [ps.Body("p", joint=ps.Translation(), mass=1.0)])
    walls = [
        ps.Contact(ps.PointOnSurface(axis, ("p", (0, 0, 0)), axis), 0.5, law=law)
        for axis, law in (("x", "unilateral"), ("y", "poisson"))
    ]
    with pytest.raises(ps.ModelError, match=r"same law, got 'x' \(unilateral\), 'y' \(poisson\)"):
        ps.impact(point, [0, 0, 1], [-1, -1, 0], walls)


def test_a_cradle_as_contacts_in_turn():
    """Three balls that touch: in turn the last one leaves alone, at once it does not."""
    balls = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in "abc"]
    system = ps.System("cradle", balls)

    def after(order):
        hits = [
            ps.Contact(ps.Distance(x + y, (x, (0, 0, 0)), (y, (0, 0, 0)), 0.2), 1.0, order=order)
            for x, y in ("ab", "bc")
        ]
        return ps.impact(system, [0.0, 0.2, 0.4], [1.0, 0, 0], hits).v

    assert_allclose(after("sequential"), [0, 0, 1.0], atol=1e-12)
    assert_allclose(after("simultaneous"), [-1 / 3, 2 / 3, 2 / 3], atol=1e-12)


def test_bodies_of_one_system_hit_each_other():
    """Two carts of one system: the same as two systems; joint impulses on both."""
    carts = [ps.Body(name, joint=ps.Prismatic("x"), mass=m) for name, m in (("a", 1.0), ("b", 3.0))]
    train = ps.MovingSystem(ps.System("train", carts), [0.0, 1.0], [2.0, -1.0])
    hit = ps.collide(
        train, None,
        [ps.ImpactPoint("a", "b", point=(0.5, 0, 0), normal=(1, 0, 0), restitution=0.5)],
    )  # fmt: skip
    assert_allclose(hit.impulses, 1.5 * 3.0 * 0.75)  # (1 + e) u m₁ m₂ / (m₁ + m₂)
    assert_allclose(hit.v[0], [2.0 - hit.impulses[0], -1.0 + hit.impulses[0] / 3.0])
    assert hit.v[1].size == 0
    assert set(hit.joint_impulses[0]) == {"a", "b"}


def test_undetermined_impulses_are_named():
    hit = landed([0, 0, -1.0, 0, 0, 0], friction=0.0, law="printed")
    assert hit.undetermined == tuple(f"foot {k}" for k in range(4))
    assert hit.determined_sums.shape == (3, 4)
    other = np.array([0.1, -0.1, 0.1, -0.1])  # four feet can be wedged against each other
    assert_allclose(hit.determined_sums @ other, 0.0, atol=1e-9)
    assert "not determined, only sums" in str(hit)


def test_slip_can_come_back():
    """A ball that grips leaves with its slip reversed; Poisson's law has no such part."""

    def bounced(law):
        point = ps.ImpactPoint("world", "ball", point=(0, 0, 0), normal=(0, 0, 1), restitution=0.8,
                               friction=2.0, tangential_restitution=0.6)  # fmt: skip
        system, _ = ball(restitution=0.8)
        q = system.neutral()
        q[2] = 0.1
        state = ps.MovingSystem(system, q, [1.0, 0, -2.0, 0, 0, 0])
        return ps.collide(ps.MovingSystem(), state, [point], law=law)

    v = bounced("printed").v[1]
    assert_allclose(v[0] - 0.1 * v[4], -0.6)
    with pytest.raises(ps.ModelError, match="tangential_restitution is one of velocities"):
        bounced("poisson")
    with pytest.raises(ps.ModelError, match=r"tangential_restitution must be .* got 1\.5"):
        ps.ImpactPoint("a", "b", point=(0, 0, 0), normal=(0, 0, 1), restitution=0.8,
                       tangential_restitution=1.5)  # fmt: skip
