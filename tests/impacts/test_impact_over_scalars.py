"""Impacts over fractions, complex numbers, SymPy's and expressions: balances, steps, floats."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
import sympy
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.expr.replay import with_values
from tests.impacts.test_derive_impact import carts
from tests.impacts.test_impact_parameters import BASE, OTHER, Q, V, arm, free_arm, points


def arms(**options):
    """Return equations of two arms on a turned base that moves, the impact, q, v."""
    free = free_arm(**options)
    both = ps.MovingSystem(free, Q, V, BASE), ps.MovingSystem(free, Q[::-1], -V, parameters=OTHER)
    u = ps.collide(*both, points(), law="unilateral").rates_before
    turned = [
        ps.ImpactPoint(p.first, p.second, point=p.point, normal=-np.sign(x) * p.normal,
                       restitution=p.restitution, name=str(k))
        for k, (p, x) in enumerate(zip(points(), u, strict=True))
    ]  # fmt: skip
    equations = ps.derive_impact(*both, turned)
    return equations, ps.collide(*both, turned), np.r_[Q, Q[::-1]], np.r_[V, -V]


def test_floats_are_collide():
    equations, hit, q, v = arms()
    ours = equations.at(q, v)
    assert_allclose(ours.impulses.astype(float), hit.impulses)
    assert_allclose(ours.v.astype(float), np.concatenate(hit.v))
    assert_allclose(ours.G.astype(float), hit.G)


@pytest.mark.parametrize("is_closed", [False, True])
def test_complex_steps_are_the_derivatives(is_closed):
    """By q, v, parameters and restitutions; a step of 1e-30 has no rounding."""
    equations, hit, q, v = arms(is_closed=is_closed)
    exact, names = hit.derivatives(), equations.parameters
    assert names == ("m", "l", "m_", "l_", "e_1", "e_2")
    numbers = [1.0, 1.2, OTHER["m"], OTHER["l"], 0.5, 0.3]
    rows = [[exact.v_q, exact.v_v, exact.v_parameters, exact.v_restitution],
            [exact.impulses_q, exact.impulses_v, exact.impulses_parameters,
             exact.impulses_restitution]]  # fmt: skip
    x, columns = np.concatenate([q, v, numbers]), []
    for k in range(len(x)):
        z = x + 1e-30j * (np.arange(len(x)) == k)
        own = dict(zip(names, z[12:], strict=True))
        at = equations.at(z[:6], z[6:12], own)
        columns.append([w.imag / 1e-30 for w in (*at.v, *at.impulses)])
    wanted = np.block(rows)
    assert_allclose(np.transpose(columns), wanted, atol=1e-10 * np.abs(wanted).max())


def row_of_balls():
    """Return equations of balls that hit each other in a row, and their masses."""
    masses = [0.1, 0.3, 0.7, 1.1]
    names = [f"ball {k}" for k in range(4)]
    balls = [
        ps.Body(name, joint=ps.Prismatic("x"), mass=m)
        for name, m in zip(names, masses, strict=True)
    ]
    odd, even = ps.System("odd", balls[0::2]), ps.System("even", balls[1::2])
    pairs = [
        ps.ImpactPoint(a, b, point=(0, 0, 0), normal=(sign, 0, 0), restitution=0.3)
        for a, b, sign in ((names[0], names[1], 1), (names[2], names[1], -1),
                           (names[2], names[3], 1))
    ]  # fmt: skip
    both = ps.MovingSystem(odd, [0, 0], [0, 0]), ps.MovingSystem(even, [0, 0], [0, 0])
    return ps.derive_impact(*both, pairs), [masses[k] for k in (0, 2, 1, 3)]


def test_fractions_balance_exactly():
    """Momentum, equations and restitution to the last digit, of masses that floats round."""
    equations, masses = row_of_balls()
    v = [Fraction(10, 3), Fraction(1, 7), Fraction(1, 3), Fraction(-2, 11)]
    hit = equations.at([0, 0, 0, 0], v, {"e_1": Fraction(1, 3)})
    e = [Fraction(1, 3), Fraction(0.3), Fraction(0.3)]
    exact = [Fraction(m) for m in masses]
    assert all(isinstance(x, Fraction) for x in (*hit.v, *hit.impulses))
    assert sum(m * x for m, x in zip(exact, v, strict=True)) == sum(
        m * x for m, x in zip(exact, hit.v, strict=True)
    )
    assert (hit.mass_matrix @ hit.changes == hit.A.T @ hit.impulses).all()
    assert (hit.A @ hit.v == [-a * b for a, b in zip(e, hit.rates_before, strict=True)]).all()
    assert (hit.G @ hit.impulses == hit.H).all()


def test_many_digits_balance():
    """The equations of an impact of arms at angles hold to forty digits in mpmath's numbers."""
    equations, _, q, v = arms()
    with mpmath.workdps(50):
        q, v = (np.array([mpmath.mpf(float(x)) / 3 + float(x) * 2 / 3 for x in y]) for y in (q, v))
        hit = equations.at(q, v)
        gaps = hit.mass_matrix @ hit.changes - hit.A.T @ hit.impulses
        assert max(map(abs, gaps)) < mpmath.mpf(10) ** -40
        assert max(map(abs, hit.G @ hit.impulses - hit.H)) < mpmath.mpf(10) ** -40


def test_the_unilateral_law_lets_points_go_exactly():
    """Feet in a row, of fractions: no number is rounded, whatever pushes, and rates agree."""
    body = ps.Body("bar", joint=ps.Planar("x", "z"), mass=2, inertia=(9, 9, 0))
    bar = ps.MovingSystem(ps.System("bar", [body]), [0, 0, 0], [0, 0, 0])
    feet = [
        ps.ImpactPoint("world", "bar", point=(x, 0, 0), normal=(0, 0, 1), restitution=e)
        for x, e in ((-1, 0.5), (1, 0.25), (2, 0.75))  # redundant: a bar has two such rates
    ]
    equations = ps.derive_impact(ps.MovingSystem(), bar, feet)
    e, seen = [Fraction(1, 2), Fraction(1, 4), Fraction(3, 4)], set()
    for turn in (Fraction(-1, 3), Fraction(1, 7), Fraction(2), Fraction(-2)):
        hit = equations.at([0, 0, 0], [Fraction(1, 5), -1, turn], law="unilateral")
        after = hit.A @ hit.v
        wanted = [max(Fraction(0), -x * u) for x, u in zip(e, hit.rates_before, strict=True)]
        assert all(isinstance(x, Fraction) for x in (*hit.v, *hit.impulses))
        assert (hit.mass_matrix @ hit.changes == hit.A.T @ hit.impulses).all()
        for P, w, least in zip(hit.impulses, after, wanted, strict=True):
            assert P >= 0
            assert w >= least
            assert P * (w - least) == 0
        seen.add(tuple(bool(P) for P in hit.impulses))
    assert len(seen) > 1
    with pytest.raises(
        ps.ModelError, match=r"opens before the impact, .* or take law='unilateral'"
    ):
        equations.at([0, 0, 0], [0, -1, 2])


def test_complex_steps_of_the_unilateral_law():
    """Derivatives by v, where a point is let go that the printed law would pull."""
    free = free_arm()
    both = ps.MovingSystem(free, Q, V, BASE), ps.MovingSystem(free, Q[::-1], -V, parameters=OTHER)
    hit = ps.collide(*both, points(), law="unilateral")
    assert 0 < np.count_nonzero(hit.impulses) < len(hit.impulses)
    equations, exact = ps.derive_impact(*both, points()), hit.derivatives()
    q, v = np.r_[Q, Q[::-1]], np.r_[V, -V]
    ours = equations.at(q, v, law="unilateral")
    assert_allclose(ours.impulses.astype(float), hit.impulses, atol=1e-12)
    assert_allclose(ours.v.astype(float), np.concatenate(hit.v))
    columns = []
    for k in range(len(v)):
        at = equations.at(q, v + 1e-30j * (np.arange(len(v)) == k), law="unilateral")
        columns.append([x.imag / 1e-30 for x in (*at.v, *at.impulses)])
    wanted = np.vstack([exact.v_v, exact.impulses_v])
    assert_allclose(np.transpose(columns), wanted, atol=1e-10 * np.abs(wanted).max())


def test_fractions_of_angles():
    """At 0 sine and cosine are exact; elsewhere they are not, and an error says so."""
    half = Fraction(1, 2)
    body = ps.Body("a", joint=ps.Revolute("y"), mass=1, com=(0, 0, -1))
    tip = ps.Body("b", "a", ps.Revolute("y"), ps.Pose((0, 0, -1)), mass=1, com=(0, 0, -1))
    arm = ps.MovingSystem(ps.System("arm", [body, tip]), [0, 0], [0, 0])
    knock = ps.ImpactPoint("world", "b", point=(0, 0, -2), normal=(1, 0, 0), restitution=0.5)
    equations = ps.derive_impact(ps.MovingSystem(), arm, [knock])
    hit = equations.at([0, 0], [half, half])
    assert (hit.A @ hit.v).tolist() == [-x / 2 for x in hit.rates_before]
    with pytest.raises(ps.PoinsotError, match=r"\(1/2\) has no exact value as a fraction"):
        equations.at([half, half], [half, half])


def test_formulas_with_numbers_are_floats():
    """SymPy's and our own: the same as at numbers, masses of their own among them."""
    equations = ps.derive_impact(*carts())
    numbers = {"M": 2.0, "m": 0.5, "l": 1.5}
    wanted = equations.at([0.0, 0.3], [1.0, 0.5], numbers)
    s, w, m, e = sympy.symbols("s w m e")
    theirs = equations.at([0, 0.3], [s, w], {"M": 2, "m": m, "l": 1.5, "e_1": e})
    at = {s: 1.0, w: 0.5, m: 0.5, e: 0.5}
    assert_allclose([float(x.subs(at)) for x in theirs.v], wanted.v.astype(float))
    x, y, p = ps.symbols("x y p")
    ours = equations.at([0, 0.3], [x, y], {"M": 2, "m": p, "l": 1.5})
    told = with_values(ours.v, np.array([x, y, p]), np.array([1.0, 0.5, 0.5]))
    assert_allclose(told.astype(float), wanted.v.astype(float))


def test_mistakes_are_named():
    equations = ps.derive_impact(*carts())
    numbers = {"M": 2.0, "m": 0.5, "l": 1.5}

    def wild(name, number):
        return numbers | {name: Fraction(number)}

    wrong = [
        ("value for parameter 'm'", ([0, 0], [1, 0], {"M": 2.0, "l": 1.0})),
        ("no parameter 'mm'; did you mean 'm'", ([0, 0], [1, 0], numbers | {"mm": 2.0})),
        ("point 1 opens before the impact", ([0, 0], [-1, 0], numbers)),
        ("point 1 opens before the impact", ([0, 0], [-1 + 1e-9j, 0], numbers)),
        ("e_1: restitution must be from 0 to 1, got 6/5", ([0, 0], [1, 0], wild("e_1", "6/5"))),
        ("e_1: restitution must be from 0 to 1, got -1/9", ([0, 0], [1, 0], wild("e_1", "-1/9"))),
        ("parameter 'M': give finite numbers", ([0, 0], [1, 0], numbers | {"M": np.inf})),
        ("v: give finite numbers or formulas, got nan", ([0, 0], [1, np.nan], numbers)),
        ("q: give finite numbers or formulas, got 'x'", (["x", 0], [1, 0], numbers)),
        ("q: give finite numbers or formulas, got None", ([None, 0], [1, 0], numbers)),
    ]
    for match, asked in wrong:
        with pytest.raises(ps.ModelError, match=match):
            equations.at(*asked)
    with pytest.raises(ps.ShapeError, match=r"q must have shape \(2,\)"):
        equations.at([0], [1, 0], numbers)
    first, second, (point,) = carts()
    twice = ps.derive_impact(first, second, [point, point])
    for speed in (Fraction(1), 1.0, 1.0 + 1e-9j):
        with pytest.raises(ps.ModelError, match="not unique"):
            twice.at([0, 0], [speed, 0], {"M": 2, "m": 1, "l": 1})
    rough = ps.derive_impact(*carts(friction=0.3))
    with pytest.raises(ps.ModelError, match="mu_1: friction must be at least 0, got -1/2"):
        rough.at([0, 0], [1, 0], wild("mu_1", "-1/2"))
    with pytest.raises(ps.ModelError, match="and friction, decide by size what pushes, sticks"):
        rough.at([0, 0], [sympy.Symbol("s"), 0], numbers)
    with pytest.raises(ps.ModelError, match="which formulas have not; give numbers"):
        equations.at([0, 0], [sympy.Symbol("s"), 0], numbers, law="unilateral")
    with pytest.raises(ps.ModelError, match="order must be one of 'simultaneous', 'sequential'"):
        equations.at([0, 0], [1, 0], numbers, order="newest")
    with pytest.raises(ps.ModelError, match=r"law must be one of .*'printed' \(every point obeys"):
        equations.at([0, 0], [1, 0], numbers, law="newton")


@pytest.mark.parametrize("entry", [Fraction(1, 3), 1j, ps.symbols("w"), sympy.Symbol("w")])
def test_impacts_of_other_scalars_say_what_takes_them(entry):
    """The remedy of the message is one: it computes the impact of a fraction."""
    arm, words = ps.library.pendulum(), r"real numbers.*ps\.derive_impact\(.*\)\.at\(q, v"
    for make in (
        lambda: ps.MovingSystem(arm, [0.0], [entry]),
        lambda: ps.MovingSystem(arm, [entry], [0.0]),
        lambda: ps.impact(arm, [0.0], [entry]),
    ):
        with pytest.raises(ps.ArrayTypeError, match=words):
            make()


def knocked_four_bar(speed=2.0):
    """Return a four-bar linkage, three of whose five rows are redundant, an arm, points, q, v."""
    bar, q = ps.library.four_bar(), ps.library.four_bar_configuration(0.9)
    v = bar.consistent_velocity(q, [speed, 0, 0], joints=["crank"])
    arm = ps.library.double_pendulum()
    both = ps.MovingSystem(bar, q, v), ps.MovingSystem(arm, [0.4, -0.3], [1.0, -2.0])
    knocks = [
        ps.ImpactPoint(*bodies, point=place, normal=normal, restitution=e)
        for bodies, place, normal, e in (
            (("coupler", "lower"), (0.3, 0.4, 0.0), (1, 0.3, 0), 0.5),
            (("rocker", "upper"), (0.6, 0.2, -0.4), (1, 0.1, 0.2), 0.25),
        )
    ]
    return both, knocks, *(np.concatenate([getattr(x, k) for x in both]) for k in "qv")


def test_closed_systems_are_those_of_collide():
    """By both laws, at redundant rows: what differs is how these share their impulses."""
    pushes = set()
    for speed, law, count in ((2.0, "printed", 1), (2.0, "unilateral", 2), (-4.0, "unilateral", 2)):
        both, knocks, q, v = knocked_four_bar(speed)
        hit = ps.collide(*both, knocks[:count], law=law)
        ours = ps.derive_impact(*both, knocks[:count]).at(q, v, law=law)
        pushes.add(tuple(hit.impulses > 0.0))
        for name, wanted in (("impulses", hit.impulses), ("v", np.concatenate(hit.v)),
                             ("G", hit.G), ("H", hit.H)):  # fmt: skip
            assert_allclose(getattr(ours, name).astype(float), wanted, atol=1e-12, err_msg=name)
        held = np.array(list(hit.constraint_impulses[0].values()))
        J, R = ours.J.astype(float), ours.constraint_impulses.astype(float)
        assert J.shape == (5, 5)
        assert np.count_nonzero(R) in (0, 2)
        assert_allclose(J.T @ R, J.T @ held, atol=1e-12)
    assert len(pushes) > 2


def test_complex_steps_of_redundant_rows():
    """Along motions that the loop allows: across them the rows of the loop are others."""
    both, knocks, q, v = knocked_four_bar()
    hit = ps.collide(*both, knocks[:1])
    exact, equations = hit.derivatives(), ps.derive_impact(*both, knocks[:1])
    turn = np.r_[both[0].v, 0.7, 0.3]
    at = equations.at(q + 1e-30j * turn, v)
    ours = [x.imag / 1e-30 for x in (*at.v, *at.impulses)]
    wanted = np.concatenate([exact.v_q @ turn, exact.impulses_q @ turn])
    assert np.abs(wanted).max() > 0.01
    assert_allclose(ours, wanted, atol=1e-10 * np.abs(wanted).max())


def test_many_digits_balance_in_closed_systems():
    both, knocks, q, v = knocked_four_bar()
    with mpmath.workdps(50):
        q, v = ([mpmath.mpf(float(x)) for x in y] for y in (q, v))
        hit = ps.derive_impact(*both, knocks[:1]).at(q, v)
        forces = hit.A.T @ hit.impulses + hit.J.T @ hit.constraint_impulses
        kept = hit.J[np.flatnonzero(hit.constraint_impulses)]
        for gap in (hit.mass_matrix @ hit.changes - forces, kept @ hit.changes,
                    hit.G @ hit.impulses - hit.H, hit.A @ hit.changes - hit.H):  # fmt: skip
            assert max(map(abs, gap)) < mpmath.mpf(10) ** -40


def test_formulas_of_closed_systems():
    """Their state tells which rows are independent: formulas are the impact at other angles too."""
    both, knocks, q, v = knocked_four_bar()
    equations = ps.derive_impact(*both, knocks[:1])
    after = equations.function("v_after")
    bar, s = both[0].system, ps.symbols("s")
    for angle in (0.9, 1.1):
        q[:3] = ps.library.four_bar_configuration(angle)
        v[:3] = bar.consistent_velocity(q[:3], [2.0, 0, 0], joints=["crank"])
        moved = ps.MovingSystem(bar, q[:3], v[:3]), both[1]
        hit = ps.collide(*moved, knocks[:1])
        wanted = np.concatenate(hit.v)
        assert_allclose(after(q, v, [0.5]), wanted, atol=1e-11)
        R = equations.function("constraint_impulses")(q, v, [0.5])
        held = list(hit.constraint_impulses[0].values())
        J = bar.constraint_jacobian(q[:3])
        assert_allclose(J.T @ R, J.T @ np.array(held), atol=1e-11)
        told = equations.at([s, *q[1:]], v)
        assert_allclose(with_values(told.v, np.array([s]), q[:1]).astype(float), wanted, atol=1e-11)


def coupled_slides(masses):
    """Return two slides whose travels are coupled, the second twice as far, and a ball."""
    slides = [
        ps.Body(name, joint=ps.Prismatic("x", name=name), mass=m)
        for name, m in zip("ab", masses, strict=True)
    ]
    gear = ps.Gear("gear", "a", "b", ratio=2)
    pair = ps.System("pair", slides, constraints=[gear])
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("x"), mass=1)])
    knock = ps.ImpactPoint("a", "ball", point=(0, 0, 0), normal=(1, 0, 0), restitution=1)
    both = ps.MovingSystem(pair, [0, 0], [0, 0]), ps.MovingSystem(ball, [0], [0])
    return ps.derive_impact(*both, [knock])


@pytest.mark.parametrize(("masses", "reduced"), [((1, 2), 9), ((1, 0), 1), ((0, 2), 8)])
def test_fractions_by_hand_in_closed_systems(masses, reduced):
    """A ball against a mass m_a + 4 m_b, also where one of both has none, which the other moves."""
    v = [0, 0, Fraction(-1, 3)]
    hit = coupled_slides(masses).at([0, 0, 0], v)
    a = Fraction(-2, 3) / (1 + reduced)  # two bodies that part as fast as they met
    assert hit.v.tolist() == [a, 2 * a, a + Fraction(1, 3)]
    assert hit.G.tolist() == [[1 + Fraction(1, reduced)]]
    assert (hit.J @ hit.changes == [0]).all()
    assert (
        hit.mass_matrix @ hit.changes == hit.A.T @ hit.impulses + hit.J.T @ hit.constraint_impulses
    ).all()


def test_mistakes_in_closed_systems_are_named():
    both, knocks, q, v = knocked_four_bar()
    equations, s = ps.derive_impact(*both, knocks[:1]), ps.symbols("s")
    unknown = ps.MovingSystem(arm(*ps.symbols("m l"), is_closed=True), Q, V)
    tip = ps.ImpactPoint("world", "tip", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    with pytest.raises(ps.ModelError, match=r"which rows .* are independent; give numbers for q"):
        ps.derive_impact(ps.MovingSystem(), unknown, [tip]).at([s, *Q[1:]], V, {"m": 1, "l": 1})
    told = equations.at(q, [*v[:4], s])
    wanted = equations.at(q, v).v.astype(float)
    assert_allclose(with_values(told.v, np.array([s]), v[4:]).astype(float), wanted)
    with pytest.raises(ps.ModelError, match="joints move nothing that has inertia"):
        coupled_slides((0, 0)).at([0, 0, 0], [0, 0, Fraction(-1, 3)])
    held = ps.ImpactPoint("world", "coupler", point=(0.3, 0.4, 0), normal=(0, 0, 1), restitution=0)
    with pytest.raises(ps.ModelError, match=r"points \[1\]: the constraints do not let them move"):
        ps.derive_impact(ps.MovingSystem(), both[0], [held]).at(q[:3], v[:3])


@pytest.mark.parametrize("law", ["printed", "poisson"])
def test_results_print_in_lines_and_floats_are_arrays_of_floats(law):
    equations = ps.derive_impact(*carts())
    numbers = {"M": 2, "m": 1, "l": 1, "e_1": Fraction(1, 2)}
    lines = str(equations.at([0, 0], [Fraction(1, 3), 0], numbers, law=law)).splitlines()
    assert lines[1] == f"impulses: {equations.at([0, 0], [Fraction(1, 3), 0], numbers).impulses[0]}"
    assert [line.split(": ")[0] for line in lines][-1] == "velocities after"
    hit = equations.at([0, 0], [1 / 3, 0], numbers | {"e_1": 0.5}, law=law)
    assert {x.dtype for x in vars(hit).values()} == {np.dtype(float)}
