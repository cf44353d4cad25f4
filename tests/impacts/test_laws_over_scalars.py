"""All laws of impact over fractions, complex numbers, mpmath's and SymPy's."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

import poinsot as ps
from tests.impacts.test_many_laws import LIFT, blocks, spots

BY_VELOCITIES = [("printed", 1), ("unilateral", 2), ("unilateral", 3)]


def check_steps(parties, points, **law):
    """Compare an impact and its complex steps by v, e and μ with ``collide``; return the latter."""
    hit = ps.collide(*parties, points, **law)
    exact, equations = hit.derivatives(), ps.derive_impact(*parties, points)
    q, v = (np.concatenate([getattr(party, key) for party in parties]) for key in "qv")
    ours = equations.at(q, v, **law)
    scale = np.abs(hit.impulses).max()
    assert_allclose(ours.impulses.astype(float), hit.impulses, atol=1e-11 * scale)
    assert_allclose(ours.friction_impulses.astype(float), hit.friction_impulses, atol=1e-10 * scale)
    assert_allclose(ours.v.astype(float), np.concatenate(hit.v), rtol=1e-9, atol=1e-10)
    rough = [k for k, point in enumerate(points) if point.friction]
    names = [f"e_{k + 1}" for k in range(len(points))] + [f"mu_{k + 1}" for k in rough]
    assert set(names) <= set(equations.parameters)
    numbers = [p.restitution for p in points] + [points[k].friction for k in rough]
    x, columns = np.concatenate([v, numbers]), []
    for k in range(len(x)):
        z = x + 1e-30j * (np.arange(len(x)) == k)
        at = equations.at(q, z[: len(v)], dict(zip(names, z[len(v) :], strict=True)), **law)
        listed = (*at.v, *at.impulses, *at.friction_impulses.ravel())
        columns.append([complex(y).imag / 1e-30 for y in listed])
    by_friction = [x[..., rough] for x in (exact.v_friction, exact.impulses_friction)]
    wanted = np.vstack([
        np.hstack([exact.v_v, exact.v_restitution, by_friction[0]]),
        np.hstack([exact.impulses_v, exact.impulses_restitution, by_friction[1]]),
        np.concatenate(
            [exact.friction_impulses_v, exact.friction_impulses_restitution,
             exact.friction_impulses_friction[..., rough]], axis=-1,
        ).reshape(3 * len(points), -1),
    ])  # fmt: skip
    assert_allclose(np.transpose(columns), wanted, atol=1e-8 * np.abs(wanted).max())
    return hit


@pytest.mark.parametrize(("law", "count"), BY_VELOCITIES)
def test_bodies_in_space(law, count):
    """Slip has a direction in space, or is held; one base moves; slip may come back."""
    checked = set()
    for seed in range(4):
        rng = np.random.default_rng(seed)
        parties = [party.state(0) for party in blocks(rng, 1, base=LIFT)]
        friction, back = (0.1, 0.3, 0.6)[seed % 3], 0.3 if seed % 2 else 0.0
        e = rng.uniform(0.1, 0.9, count)
        points = [
            point.state(0) for point in spots(rng, count, e, friction, n=1, reversed_slip=back)
        ]
        if ps.collide(*parties, points, law="unilateral").rates_before.min() < 0.0:
            checked.add(check_steps(parties, points, law=law).sticks)
    assert checked


@pytest.mark.parametrize("law", ["printed", "poisson", "stronge"])
@pytest.mark.parametrize("friction", [0.0, 0.05, 0.3, 2.0])
def test_motion_in_a_plane(law, friction):
    """Slip goes on, stops, sticks or begins again, in a plane askew to the tangents."""
    arm = ps.library.double_pendulum()
    tilted = ps.BaseMotion(ps.Pose((0, 0, 0), rpy=(0.4, 0.2, 0.9)))
    R = tilted.R
    first = ps.MovingSystem(arm, [0.2, -0.4], [3.0, 1.0], tilted)
    place = R @ np.array([0.3, 0.0, -1.8])
    point = ps.ImpactPoint("lower", "world", point=place, normal=R @ [1.0, 0, -0.2],
                           restitution=0.4, friction=friction)  # fmt: skip
    if ps.collide(first, ps.MovingSystem(), [point], law="unilateral").rates_before[0] > 0.0:
        point = ps.ImpactPoint("lower", "world", point=place, normal=R @ [-1.0, 0, 0.2],
                               restitution=0.4, friction=friction)  # fmt: skip
    check_steps((first, ps.MovingSystem()), [point], law=law)


@pytest.mark.parametrize(
    ("law", "order"),
    [("poisson", "simultaneous"), ("stronge", "sequential"), ("unilateral", "sequential")],
)
def test_several_points(law, order):
    """Two phases at once, and points in turn, some of which are hit twice."""
    arm = ps.library.double_pendulum()
    parties = (
        ps.MovingSystem(arm, [0.2, -0.2], [3.0, 1.0]),
        ps.MovingSystem(arm, [-0.2, 0.2], [0.0, 0.1], ps.BaseMotion(ps.Pose((-0.35, 0, 0)))),
    )
    points = [
        ps.ImpactPoint(name, name, point=(-0.18, 0, z), normal=(-1, 0, 0), restitution=e,
                       friction=0.2)
        for name, z, e in (("upper", -0.9, 0.4), ("lower", -1.7, 0.6))
    ]  # fmt: skip
    hit = check_steps(parties, points, law=law, order=order)
    assert (hit.impulses > 0.0).all()


def feet(places, restitution, friction, *, speed, e_t=0.0):
    """Return the equations of a bar that lands on points in a row, and its state."""
    body = ps.Body("bar", joint=ps.Planar("x", "z"), mass=2, inertia=(9, 9, 0))
    bar = ps.MovingSystem(ps.System("bar", [body]), [0, 0, 0], [0, 0, 0])
    points = [
        ps.ImpactPoint("world", "bar", point=(x, 0, 0), normal=(0, 0, 1), restitution=restitution,
                       friction=friction, tangential_restitution=e_t)
        for x in places
    ]  # fmt: skip
    return ps.derive_impact(ps.MovingSystem(), bar, points), [0, 0, 0], speed


@pytest.mark.parametrize("number", [Fraction, sympy.Rational])
@pytest.mark.parametrize("law", ["printed", "poisson"])
def test_friction_by_hand_exactly(number, law):
    """A bar of 2 kg falls on its middle: P_n = 2 (1 + e), friction μ P_n, or what stops it."""
    at = feet([0], 0.5, 0.1, speed=None)[0].at
    v = [number(3), number(-1), number(0)]
    slides = at([0, 0, 0], v, {"e_1": number(1, 3), "mu_1": number(1, 7)}, law=law)
    assert slides.impulses.tolist() == [number(8, 3)]
    assert slides.v.tolist() == [3 - number(4, 21), number(1, 3), 0]
    assert [abs(x) for x in slides.friction_impulses[0]] == [number(8, 21), 0, 0]
    sticks = at([0, 0, 0], v, {"e_1": number(1, 3), "mu_1": 7}, law=law)
    assert sticks.v.tolist() == [0, number(1, 3), 0]
    assert [abs(x) for x in sticks.friction_impulses[0]] == [6, 0, 0]
    for hit in (slides, sticks):
        kinds = {type(x) for x in (*hit.v, *hit.impulses, *hit.friction_impulses.ravel())}
        assert all(issubclass(kind, Fraction | sympy.Rational) for kind in kinds)


def test_eccentric_friction_and_poisson_exactly():
    """The laws to the last digit: restitution of impulses, Coulomb's cone, and momentum."""
    equations, q, _ = feet([-1, 2], 0.5, 0.25, speed=None)
    mu, e = Fraction(1, 4), Fraction(1, 2)
    v = [Fraction(5), Fraction(-1), Fraction(1, 7)]
    hit = equations.at(q, v, {"e_2": e}, law="poisson")
    assert (hit.impulses > 0).all()
    assert [abs(x) for x in hit.friction_impulses[:, 0]] == [mu * P for P in hit.impulses]
    moved = hit.A.T @ hit.impulses
    moved[0] += hit.friction_impulses[:, 0].sum()
    assert (hit.mass_matrix @ hit.changes == moved).all()
    plain = equations.at(q, v, {"e_1": 0, "e_2": 0}, law="poisson")
    assert hit.impulses.tolist() == [P * (1 + e) for P in plain.impulses]
    assert (plain.A @ plain.v == [0, 0]).all()  # compression ends where both rest
    back, *_ = feet([0], 0.5, 5.0, speed=None, e_t=0.25)
    assert back.at(q, v).v.tolist()[0] == -5 * Fraction(1, 4)


def test_energy_is_rational_where_its_root_is():
    """Stronge's law without friction is Newton's; its root of e² is exact, that of 2 is not."""
    equations, q, _ = feet([0], 0.5, 0.0, speed=None)
    v = [Fraction(0), Fraction(-3), Fraction(0)]
    hit = equations.at(q, v, {"e_1": Fraction(1, 3)}, law="stronge")
    assert hit.v.tolist() == [0, 1, 0]
    rough, q, _ = feet([1], 0.5, 0.1, speed=None)  # slip goes on: w_n² grows by rationals
    slides = rough.at(q, [Fraction(5), Fraction(-3), Fraction(0)], law="stronge")
    rates = slides.A @ slides.v
    assert rates.tolist() == [Fraction(3, 2)]


def test_newtons_cradle_exactly():
    """In turn the last of four equal balls leaves; at once all move, momentum the same."""
    balls = [ps.Body(f"ball {k}", joint=ps.Prismatic("x"), mass=3) for k in range(4)]
    odd, even = ps.System("odd", balls[0::2]), ps.System("even", balls[1::2])
    row = [
        ps.ImpactPoint(a, b, point=(0, 0, 0), normal=(sign, 0, 0), restitution=1)
        for a, b, sign in (
            ("ball 0", "ball 1", 1), ("ball 2", "ball 1", -1), ("ball 2", "ball 3", 1))
    ]  # fmt: skip
    both = ps.MovingSystem(odd, [0, 0], [0, 0]), ps.MovingSystem(even, [0, 0], [0, 0])
    equations, v = ps.derive_impact(*both, row), [Fraction(1, 3), 0, 0, 0]
    hit = equations.at([0] * 4, v, law="stronge", order="sequential")
    assert hit.v.tolist() == [0, 0, 0, Fraction(1, 3)]
    at_once = equations.at([0] * 4, v, law="poisson")
    assert sum(at_once.v) == Fraction(1, 3)
    assert at_once.v.tolist() != hit.v.tolist()


def test_many_digits_of_slip_in_space():
    """Friction opposes the slip after the impact, to forty digits of mpmath and SymPy."""
    body = ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(1.0, 2.0, 2.5))
    system = ps.System("box", [body])
    parties = (
        ps.MovingSystem(),
        ps.MovingSystem(system, system.neutral(), [1, 0.3, -1, 0.2, 0, 0.4]),
    )
    point = ps.ImpactPoint("world", "box", point=(0.3, 0.4, -0.5), normal=(0, 0, 1),
                           restitution=0.5, friction=0.1)  # fmt: skip
    assert ps.collide(*parties, [point], law="unilateral").sticks is False
    equations = ps.derive_impact(*parties, [point])
    q, v = (np.concatenate([getattr(party, key) for party in parties]) for key in "qv")
    with mpmath.workdps(50):
        exact = [mpmath.mpf(float(x)) / 3 + float(x) * 2 / 3 for x in v]
        hit = equations.at([mpmath.mpf(float(x)) for x in q], exact)
        P, F = hit.impulses[0], hit.friction_impulses[0]
        assert abs(mpmath.norm(list(F)) - mpmath.mpf(0.1) * P) < mpmath.mpf(10) ** -40
        assert abs((hit.A @ hit.v)[0] + hit.rates_before[0] / 2) < mpmath.mpf(10) ** -40
        vx, vy, _, wx, wy, wz = hit.v  # F is along -(v + ω × r)_t
        slip = vx + wy * -0.5 - wz * mpmath.mpf(0.4), vy + wz * mpmath.mpf(0.3) + wx * 0.5
        assert abs(F[0] * slip[1] - F[1] * slip[0]) < mpmath.mpf(10) ** -40
        assert F[0] * slip[0] + F[1] * slip[1] < 0
    digits = [sympy.Float(float(x), 40) for x in v]
    theirs = equations.at([sympy.Float(float(x), 40) for x in q], digits)
    near = equations.at(q, v)
    assert_allclose([float(x) for x in theirs.v], near.v.astype(float), rtol=1e-12, atol=1e-13)


def test_what_has_no_exact_value_is_refused():
    """Slip in space over fractions; slip that turns along the impulse over anything but floats."""
    body = ps.Body("box", joint=ps.Translation(), mass=2)
    box = ps.MovingSystem(ps.System("box", [body]), [0, 0, 0], [0, 0, 0])
    foot = ps.ImpactPoint("world", "box", point=(0, 0, 0), normal=(0, 0, 1), restitution=0.5,
                          friction=0.1)  # fmt: skip
    equations = ps.derive_impact(ps.MovingSystem(), box, [foot])
    v = [Fraction(1), Fraction(1), Fraction(-1)]
    with pytest.raises(ps.PoinsotError, match="no exact value"):
        equations.at([0, 0, 0], v)
    along = equations.at([0, 0, 0], [Fraction(3), 0, Fraction(-1)])
    assert along.v.tolist() == [3 - Fraction(3, 2) * Fraction(0.1), 0, Fraction(1, 2)]
    solid = ps.Body("box", joint=ps.Free(), mass=2, inertia=(1, 2, 3))
    system = ps.System("box", [solid])
    turned = ps.MovingSystem(system, system.neutral(), np.zeros(6))
    corner = ps.ImpactPoint("world", "box", point=(0.3, 0.4, -0.5), normal=(0, 0, 1),
                            restitution=0.5, friction=0.1)  # fmt: skip
    rough = ps.derive_impact(ps.MovingSystem(), turned, [corner])
    start = [1.0 + 1e-9j, 0.3, -1.0, 0.2, 0.1, 0.4]
    with pytest.raises(ps.PoinsotError, match=r"slip that turns in space.* is followed in floats"):
        rough.at(system.neutral(), start, law="stronge")
