"""Poisson, Stronge, one after the other: closed forms, laws of mechanics, small steps."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_process import impact_process
from tests.impacts.test_collide import FIRST, SECOND, closing, momenta, moving
from tests.random_examples import examples

L, M = 1.0, 1.2
"""Length [m] and mass [kg] of a thin rod."""


def falling_rod(angle, velocity, *, restitution, friction, law):
    """Return what happens to a rod that lands on the ground with its lower end."""
    moment = M * L**2 / 12.0
    rod = ps.Body("rod", joint=ps.Planar(), mass=M, inertia=(moment, moment, moment))
    system = ps.System("rod", [rod], gravity=(0, 0, 0))
    end = -0.5 * L * np.array([np.cos(angle), np.sin(angle), 0.0])
    q = np.array([0.0, 0.0, angle])
    hit = ps.ImpactPoint("world", "rod", point=end, normal=(0, 1, 0), restitution=restitution,
                         friction=friction)  # fmt: skip
    return ps.collide(ps.MovingSystem(), ps.MovingSystem(system, q, velocity), [hit], law=law)


def rod_matrix(angle):
    """Return the impulse matrix (n, t) of the end of the rod, by hand: r = (x, y) of the end."""
    x, y = -0.5 * L * np.cos(angle), -0.5 * L * np.sin(angle)
    moment = M * L**2 / 12.0
    return np.array(
        [[1 / M + x * x / moment, -x * y / moment], [-x * y / moment, 1 / M + y * y / moment]]
    )


def along_the_impulse(K, u, e, mu, law):
    """Return impulses (n, 2 t) by an integrator along the normal impulse: an own, plain way.

    It stops and starts anew where compression ends, where slip along the first tangent changes its
    sign, and where restitution ends; what sticks stays so.
    """
    w, P, work, goal, sticks = np.array(u, float), np.zeros(3), 0.0, None, False

    def friction(w, way):
        if sticks:
            return -np.linalg.solve(K[1:, 1:], K[1:, 0])
        slip = w[1:] if way is None else np.array([way, 0.0])
        return -mu * slip / np.linalg.norm(slip)

    while True:
        planar = abs(w[2]) == 0.0 and not sticks
        way = (np.sign(w[1]) or None) if planar else None
        slips = abs(w[1]) >= 1e-13
        if planar and not slips:  # at rest: friction holds, or slip sets in
            sticks = np.linalg.norm(np.linalg.solve(K[1:, 1:], K[1:, 0])) <= mu
            way = np.sign(K[1, 0]) if not sticks else None

        def rate(_, y, way=way):
            impulse = np.concatenate([[1.0], friction(y[:3], way)])
            return np.concatenate([K @ impulse, impulse, [y[0]]])

        def compressed(_, y, goal=goal):
            return y[0] if goal is None else 1.0

        def turned(_, y, way=way, slips=slips):
            return y[1] * way if way is not None and slips else 1.0

        def ended(_, y, goal=goal):
            if goal is None:
                return -1.0
            return (y[3] if law == "poisson" else y[6]) - goal

        events = [compressed, turned, ended]
        for event in events:
            event.terminal = True
        start = np.concatenate([w, P, [work]])
        done = solve_ivp(rate, (0.0, 100.0), start, "DOP853", events=events, rtol=1e-12, atol=1e-13)
        w, P, work = done.y[:3, -1], done.y[3:6, -1], done.y[6, -1]
        if done.t_events[2].size:
            return P
        if done.t_events[0].size:
            w[0], goal = 0.0, (1 + e) * P[0] if law == "poisson" else (1 - e * e) * work
        if done.t_events[1].size:
            w[1] = 0.0


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize(
    ("angle", "slip", "mu"), [(1.0, -1.0, 0.3), (1.2, 0.4, 0.6), (0.7, 0.15, 0.2), (1.0, 0.05, 0.1)]
)
def test_a_falling_rod_along_the_impulse(law, angle, slip, mu):
    """Slip all the way, stick, and slip that turns round: impulses are those of an integrator."""
    K, u = np.zeros((3, 3)), np.array([-1.0, slip, 0.0])
    K[:2, :2], K[2, 2] = rod_matrix(angle), 1.0 / M
    P, _ = impact_process(K, u, 0.6, mu, law)
    assert_allclose(P, along_the_impulse(K, u, 0.6, mu, law), rtol=0, atol=1e-8)


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["poisson", "stronge"]))
def test_slip_that_turns_in_space_along_the_impulse(seed, law):
    """Random impulse matrices, and slip that is too fast to end but changes its direction."""
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(3, 6)) + 2.0 * np.eye(3, 6)
    K, turn = B @ B.T / 6.0, rng.uniform(0, 2 * np.pi)
    u = np.array([-1.0, 4.0 * np.cos(turn), 4.0 * np.sin(turn)])
    P, _ = impact_process(K, u, 0.5, 0.2, law)
    assert_allclose(P, along_the_impulse(K, u, 0.5, 0.2, law), rtol=0, atol=1e-8)


@pytest.mark.parametrize("law", ["printed", "poisson", "stronge"])
def test_without_friction_all_laws_are_one(law):
    """Let the rod land on smooth ground: the closed form is the same."""
    hit = falling_rod(1.0, (0.3, -1.0, 0.2), restitution=0.5, friction=0.0, law=law)
    K = rod_matrix(1.0)
    rate = -1.0 + 0.2 * -0.5 * L * np.cos(1.0)
    assert_allclose(hit.impulses, [-1.5 * rate / K[0, 0]], rtol=1e-12)
    assert_allclose(hit.rates, [-0.5 * rate], rtol=1e-12)


def test_where_newton_creates_energy_stronge_does_not():
    """Drop a slanted rod that slides on rough ground (Kane and Levinson 1985)."""
    newton, stronge = (
        falling_rod(0.9, (0.7, -1.0, 0.0), restitution=0.9, friction=0.6, law=law)
        for law in ("printed", "stronge")
    )
    assert newton.contact_work > 0.05
    assert "the law creates 0.0671 J: law='stronge' does not" in str(newton)
    assert stronge.contact_work < 0.0
    assert "creates" not in str(stronge)


BALLS = ps.System("row", [ps.Body(n, joint=ps.Prismatic("x"), mass=m) for n, m in
                          (("a", 1.0), ("b", 1.0), ("c", 2.0))])  # fmt: skip
SPEEDS = np.array([3.0, 0.0, 0.5])


def row_of_balls(v, law, order="simultaneous"):
    """Return the impact of three balls that touch, all elastic; the last one may move away."""
    points = [
        ps.ImpactPoint(x, y, point=(k + 0.5, 0, 0), normal=(1, 0, 0), restitution=1.0)
        for k, (x, y) in enumerate(("ab", "bc"))
    ]
    party = ps.MovingSystem(BALLS, np.arange(3.0), v)
    how = ps.collide if party.v.ndim == 1 else ps.collide_many
    return how(party, None, points, law=law, order=order)


def test_what_creates_energy_says_so_and_what_it_advises_does_not():
    """Newton's law in two points, of which one opens: energies of the balls from their speeds."""
    masses = np.array([1.0, 1.0, 2.0])
    hit = row_of_balls(SPEEDS, "unilateral")
    gain = 0.5 * masses @ (hit.v[0] ** 2 - SPEEDS**2)
    assert gain > 0.1
    assert_allclose(hit.contact_work, gain, rtol=1e-12)
    advice = r"law='poisson' does not, nor law='stronge' with order='sequential'"
    assert f"the law creates {gain:.3g} J: {advice}" in str(hit)
    for law, order in (("poisson", "simultaneous"), ("stronge", "sequential")):
        other = row_of_balls(SPEEDS, law, order)
        assert other.contact_work <= 1e-12
        assert "creates" not in str(other)


def test_many_impacts_say_how_many_create_energy():
    speeds = np.array([[3.0, 0.0, 0.0], SPEEDS, 2.0 * SPEEDS, [1.0, 0.0, 0.0]])
    hits = row_of_balls(speeds, "unilateral")
    gains = 0.5 * (hits.v[0] ** 2 - speeds**2) @ [1.0, 1.0, 2.0]
    assert_allclose(hits.created_energy, np.where(gains > 1e-9, gains, 0.0), atol=1e-12)
    told = f"the law creates energy at 2 of 4 states, {gains[1:3].sum():.3g} J in all, at most "
    assert f"{told}{gains[2]:.3g} J (state 2): law='poisson' does not" in str(hits)
    assert "creates" not in str(row_of_balls(speeds, "poisson"))


@settings(max_examples=examples(40))
@given(st.integers(0, 2**32 - 1))
def test_poisson_at_once_creates_no_energy_whatever_the_restitutions(seed):
    """Unequal restitution, points that open too: energies by the velocities of random systems."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    s = int(rng.integers(2, n + 2))
    factor = rng.normal(size=(n, n)) * 10.0 ** rng.uniform(-1, 1, (n, 1))
    M, D, v = factor @ factor.T + 0.01 * np.eye(n), np.zeros((s, 3, n)), rng.normal(size=n)
    D[:, 0] = rng.normal(size=(s, n))
    D[:-1, 0] *= -np.sign(D[:-1, 0] @ v)[:, None]
    e, none = rng.choice([0.0, 0.1, 0.6, 1.0], s), np.zeros(s)
    names = tuple(f"p{k}" for k in range(s))
    law = CollisionLaw("test", ("poisson",) * s, "simultaneous", names, e, none, none, M,
                       np.zeros((0, n)), v, D, D @ v)  # fmt: skip
    after = v + law.jump()[0].change
    assert after @ M @ after <= v @ M @ v * (1.0 + 1e-9)
    rates = D[:, 0] @ after
    assert rates.min() > -1e-8 * np.abs(D[:, 0] @ v).max()


@settings(max_examples=examples(8))
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 2.0))
def test_poisson_in_one_point_creates_no_energy(seed, mu):
    """With friction in space, slip that turns: energies of both systems before and after."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    (point,) = closing(*both, rng, 1)
    rough = ps.ImpactPoint(point.first, point.second, point=point.point, normal=point.normal,
                           restitution=rng.uniform(), friction=mu)  # fmt: skip
    hit = ps.collide(*both, [rough], law="poisson")
    energies = [
        sum(party.kinetic_energy(v) for party, v in zip(both, velocities, strict=True))
        for velocities in ([party.v for party in both], hit.v)
    ]
    assert energies[1] <= energies[0] * (1.0 + 1e-10)
    assert_allclose(hit.contact_work, energies[1] - energies[0], atol=1e-9 * energies[0])


@settings(max_examples=examples(8))
@given(st.integers(0, 2**32 - 1), st.floats(0.0, 1.0))
def test_stronge_in_space_creates_no_energy(seed, mu):
    """Hit random systems with friction: momentum stays, no energy comes, impulses in the cone."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    (point,) = closing(*both, rng, 1)
    rough = ps.ImpactPoint(point.first, point.second, point=point.point, normal=point.normal,
                           restitution=point.restitution, friction=mu)  # fmt: skip
    hit = ps.collide(*both, [rough], law="stronge")
    scale = max(1.0, abs(hit.impulses[0]))
    assert hit.contact_work <= 1e-10 * scale
    assert np.linalg.norm(hit.friction_impulses) <= mu * hit.impulses[0] * (1 + 1e-9) + 1e-12
    before = momenta(both, [party.v for party in both])
    assert_allclose(momenta(both, hit.v), before, atol=1e-9 * scale)
    assert hit.rates[0] > -1e-9


def cradle(n, velocities, restitution, **how):
    """Return the velocities after the impact of equal balls in a row, odd and even ones apart."""
    balls = [ps.Body(f"b{k}", joint=ps.Prismatic("x"), mass=1.0) for k in range(n)]
    halves = [ps.System(f"half {side}", balls[side::2]) for side in (0, 1)]
    parties = [
        ps.MovingSystem(half, np.arange(n)[side::2], velocities[side::2])
        for side, half in enumerate(halves)
    ]
    points = [
        ps.ImpactPoint(*((f"b{k}", f"b{k + 1}") if k % 2 == 0 else (f"b{k + 1}", f"b{k}")),
                       point=(k + 0.5, 0, 0), normal=(1 if k % 2 == 0 else -1, 0, 0),
                       restitution=restitution)
        for k in range(n - 1)
    ]  # fmt: skip
    hit = ps.collide(*parties, points, **how)
    after = np.zeros(n)
    after[0::2], after[1::2] = hit.v
    return after


def test_newtons_cradle_both_ways():
    """Let one ball hit four: in turn the last one leaves; at once all that are hit move."""
    start = np.array([1.0, 0.0, 0.0, 0.0, 0.0])
    after = cradle(5, start, 1.0, law="unilateral", order="sequential")
    assert_allclose(after, [0, 0, 0, 0, 1], atol=1e-12)
    two = cradle(5, np.array([1.0, 1.0, 0, 0, 0]), 1.0, law="stronge", order="sequential")
    assert_allclose(two, [0, 0, 0, 1, 1], atol=1e-12)
    for law in ("unilateral", "poisson"):
        after = cradle(5, start, 1.0, law=law)
        assert after.sum() == pytest.approx(1.0)
        assert (np.diff(after) >= -1e-12).all()


def test_poisson_at_once_keeps_momentum_and_opens_all():
    """Stop a row of balls plastically, and with half of the impulses given back."""
    start = np.array([1.0, 0.0, 0.0])
    assert_allclose(cradle(3, start, 0.0, law="poisson"), [1 / 3] * 3, atol=1e-12)
    half = cradle(3, start, 0.5, law="poisson")  # P_c = (2/3, 1/3), half of it once more
    assert_allclose(half, [1 - 1.0, 1.0 - 0.5, 0.5], atol=1e-12)


@pytest.mark.parametrize("place", [0.3, 2.0 / 3.0, 0.9])
def test_the_pivot_feels_nothing_at_the_centre_of_percussion(place):
    """Hit a rod at several places: the pivot's impulse is P (3 d / 2 L - 1)."""
    moment = M * L**2 / 12.0
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=M, com=(0, 0, -L / 2),
                  inertia=(moment, moment, 0))  # fmt: skip
    system = ps.System("rod", [rod])
    hit = ps.ImpactPoint(
        "world", "rod", point=(0, 0, -place * L), normal=(1, 0, 0), restitution=0.4
    )
    done = ps.collide(ps.MovingSystem(), ps.MovingSystem(system, [0.0], [1.5]), [hit])
    (wrench,) = done.joint_impulses[1].values()
    assert_allclose(wrench[:3], [done.impulses[0] * (1.5 * place - 1.0), 0, 0], atol=1e-12)


def test_what_has_no_law_is_refused():
    """Ask for Stronge and for friction in several points at once."""
    start = np.array([1.0, 0.0, 0.0])
    with pytest.raises(ps.ModelError, match="Stronge's restitution is not defined for several"):
        cradle(3, start, 0.5, law="stronge")
    with pytest.raises(ps.ModelError, match="order must be one of 'simultaneous', 'sequential'"):
        cradle(3, start, 0.5, order="random")


def test_messages_agree_in_number():
    """Some points, or a single one; the one that is at fault is named."""
    slow, fast = (ps.MovingSystem(base=ps.BaseMotion(velocity=(x, 0, 0, 0, 0, 0))) for x in (1, 2))
    points = [
        ps.ImpactPoint("world", "world", point=(0, y, 0), normal=(1, 0, 0), restitution=0.5,
                       name=name)
        for y, name in enumerate(("heel", "toe"))
    ]  # fmt: skip
    for law in ("printed", "unilateral"):
        with pytest.raises(ps.ModelError, match=r"'heel': the constraints do not let it move$"):
            ps.collide(fast, slow, points[:1], law=law)
        with pytest.raises(ps.ModelError, match=r"'heel', 'toe': the constraints do not let them"):
            ps.collide(fast, slow, points, law=law)
        with pytest.raises(ps.ModelError, match=r"'toe': the constraints do not let it move$"):
            ps.collide(fast, slow, [points[1]], law=law, order="sequential")
    with pytest.raises(ps.ModelError, match=r"'heel', 'toe' open before .* leave them out"):
        ps.collide(slow, fast, points)
    with pytest.raises(ps.ModelError, match=r"'toe' opens before .* leave it out"):
        ps.collide(slow, fast, points[1:])


@pytest.mark.parametrize("law", ["printed", "unilateral", "poisson"])
@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("order", ["simultaneous", "sequential"])
def test_walls_that_nothing_can_part_are_told(law, friction, order):
    """Bases alone, and a fixed body: with any law, friction and order, also in many states."""
    wall = ps.MovingSystem(base=ps.BaseMotion(velocity=(1.0, 0, 0, 0, 0, 0)))
    rail = ps.System("rail", [ps.Body("post", joint=ps.Fixed(), mass=1.0),
                              ps.Body("cart", joint=ps.Prismatic("y"), mass=1.0)])  # fmt: skip
    points = [
        ps.ImpactPoint("world", body, point=(0, 0, z), normal=(1, 0, 0), restitution=0.5,
                       friction=friction, name=f"{body} {z}")
        for body, z in (("post", 0), ("post", 1), ("cart", 2))
    ]  # fmt: skip
    options = {"law": law, "order": order}
    told = r"'post 0', 'post 1', 'cart 2': the constraints do not let them move$"
    with pytest.raises(ps.ModelError, match=f"collide: {told}"):
        ps.collide(wall, ps.MovingSystem(rail, [0.0], [1.0]), points, **options)
    with pytest.raises(ps.ModelError, match=f"state 0: collide: {told}"):
        ps.collide_many(wall, ps.MovingSystem(rail, [0.0], [[1.0], [2.0]]), points, **options)


@pytest.mark.parametrize("law", ["printed", "unilateral", "poisson"])
@pytest.mark.parametrize("order", ["simultaneous", "sequential"])
@pytest.mark.parametrize("x", [0.1, 0.4])
def test_a_foot_that_rests_stays_or_is_thrown_off(law, order, x):
    """Feet at -x and x, the other one hits with speed u: G₁₂ = (1 - x² / k²) / m by hand.

    Where it is positive (x < k) the blow throws the resting foot up, and the printed law holds it
    down; where it is negative the blow presses the foot, which stays, or in turn bounces.
    """
    m, moment, u, e = 3.0, 0.2, 0.4, 0.5
    near, far = 1.0 / m + x**2 / moment, 1.0 / m - x**2 / moment
    bar = ps.System("bar", [ps.Body("bar", joint=ps.Planar("x", "z"), mass=m,
                                    inertia=(0.1, moment, 0.1))])  # fmt: skip
    feet = [ps.ImpactPoint("world", "bar", point=(place, 0, 0), normal=(0, 0, 1), restitution=e,
                           name=name) for name, place in (("rests", -x), ("hits", x))]  # fmt: skip
    box = ps.MovingSystem(bar, [0, 0.1, 0], [0, -u / 2, -u / (2 * x)])  # about the resting foot
    hit = ps.collide(ps.MovingSystem(), box, feet, law=law, order=order)
    assert_allclose(hit.rates_before, [0.0, -u], atol=1e-15)
    blow = (1.0 + e) * u
    if order == "sequential":
        assert hit.impulses[1] >= blow / near * (1.0 - 1e-12)
        assert hit.rates.min() >= -1e-12
        assert (hit.impulses[0] > 0.0) == (far < 0.0)
    elif far > 0.0 and law != "printed":
        assert_allclose(hit.impulses, [0.0, blow / near], atol=1e-12)
        assert_allclose(hit.rates, [far * blow / near, e * u], atol=1e-12)
    else:
        both = np.array([-far, near]) * blow / (near**2 - far**2)
        assert_allclose(hit.impulses, both, atol=1e-12)
        assert_allclose(hit.rates, [0.0, e * u], atol=1e-12)
        assert hit.pulled == (("rests",) if far > 0.0 else ())
