"""Equations of impacts of two systems: numbers in them give what ``ps.collide`` gives."""

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.expr.replay import with_values
from tests.front.latex_structure import check_document
from tests.impacts.test_impact_parameters import BASE, OTHER, OWN, Q, V, arm, free_arm


def numbers_of(equations, name, values):
    """Return a quantity with numbers for all symbols, in order."""
    symbols = equations._traced.symbols
    told = np.concatenate([symbols.q, symbols.v, symbols.parameters])
    return with_values(equations[name].entries, told, values).astype(float)


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 1000), st.booleans())
def test_numbers_in_the_equations_give_the_impact(seed, is_alone):
    """Of both systems on turned bases that move, with parameters of their own; or of one alone."""
    rng = np.random.default_rng(seed)
    symbolic, q, v = free_arm(), rng.normal(size=(2, 3)), rng.normal(size=(2, 3))
    both = [
        ps.MovingSystem(symbolic, q[0], v[0], BASE),
        None if is_alone else ps.MovingSystem(symbolic, q[1], v[1], parameters=OTHER),
    ]
    points = []
    for k, bodies in enumerate([("tip", "upper"), ("upper", "lower")]):
        place, normal = rng.normal(size=3), rng.normal(size=3)
        ends = [
            (party or both[0]).point_velocity(body, place)
            for party, body in zip(both, bodies, strict=True)
        ]
        normal *= -np.sign(normal @ (ends[1] - ends[0]))
        points.append(
            ps.ImpactPoint(*bodies, point=place, normal=normal, restitution=0.3 + 0.4 * k)
        )
    hit = ps.collide(*both, points, law="printed")
    equations = ps.derive_impact(*both, points)
    count = 1 if is_alone else 2
    values = np.concatenate(
        [q[:count].ravel(), v[:count].ravel(), *[list(x.values()) for x in (OWN, OTHER)][:count],
         [0.3, 0.7]]
    )  # fmt: skip
    wanted = ("m", "l", "e_1", "e_2") if is_alone else ("m", "l", "m_", "l_", "e_1", "e_2")
    assert equations.parameters == wanted
    told = {
        "A": hit.A, "d": hit.d, "H": hit.H, "G": hit.G, "impulses": hit.impulses,
        "changes": np.concatenate(hit.changes), "rates_before": hit.rates_before,
        "v_after": np.concatenate(hit.v),
    }  # fmt: skip
    for name, wanted in told.items():
        scale = max(np.abs(wanted).max(), 1.0)
        assert_allclose(numbers_of(equations, name, values) / scale, wanted / scale, atol=1e-10)


def carts(**options):
    """Return a cart and a pendulum on a base that moves, with the point in which they touch."""
    M, m, l = ps.symbols("M m l")
    cart = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x", name="x"), mass=M)])
    joint = ps.Revolute("y", name="theta")
    bob = ps.System("bob", [ps.Body("bob", joint=joint, mass=m, com=(0, 0, -l))])
    point = ps.ImpactPoint("cart", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5,
                           **options)  # fmt: skip
    lift = ps.BaseMotion(velocity=(0.25, 0, 0, 0, 0, 0))
    return ps.MovingSystem(cart, [0], [1]), ps.MovingSystem(bob, [0], [0], lift), [point]


def test_by_hand():
    """A cart against a bob at the end of a rod: impulses of two masses, 1/M and l⁻² / m."""
    equations = ps.derive_impact(*carts())
    M, m, l, e, s, w = sympy.symbols("M m l e_1 v_x v_theta")
    assert equations.v == ("v_x", "v_theta")
    u = -s - w + sympy.Rational(1, 4)
    G = 1 / M + 1 / (m * l**2)
    wanted = {
        "A": [[-1, -1]], "base_rates": [sympy.Rational(1, 4)], "rates_before": [u],
        "H": [-(1 + e) * u], "G": [[G]], "impulses": [-(1 + e) * u / G],
        "v_after": [s + (1 + e) * u / G / M, w + (1 + e) * u / G / (m * l**2)],
    }  # fmt: skip
    for name, formula in wanted.items():
        ours = sympy.nsimplify(equations[name].expanded)
        difference = (ours - sympy.Matrix(formula)).applyfunc(sympy.simplify)
        assert difference == sympy.zeros(*difference.shape), name


def test_texts():
    equations = ps.derive_impact(*carts())
    text, latex, markdown = str(equations), equations.latex(), equations.markdown()
    assert "\N{MATHEMATICAL BOLD CAPITAL M}(q)·Δv = d(q)·P" in text
    assert "G[1,1] = (M + m·l²)/(M·m·l²)" in text
    assert r"\Delta v &=" in latex
    assert r"A &= \begin{pmatrix} -1 & -1 \end{pmatrix}" in latex
    assert r"| $e_{1}$ | restitution of cart-bob |  | 0.5 |" in markdown
    assert "## Velocity jumps" in markdown
    only = equations.text("G", view="compact")
    assert "Impulse matrix" in only
    assert "Velocity jumps" not in only
    assert "derive" not in repr(equations)


@pytest.mark.parametrize("is_closed", [False, True])
def test_documents_are_latex(is_closed):
    """Whole, with symbols and laws, of two systems that look alike, in both views."""
    party = ps.MovingSystem(arm(*ps.symbols("m l"), is_closed=is_closed), Q, V)
    point = ps.ImpactPoint("tip", "tip", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    equations = ps.derive_impact(party, party, [point])
    for view in ("compact", "auto"):
        document = equations.document(view=view)
        check_document(document)
        assert r"\section*{Equations of impact: arm and arm}" in document
        assert r"$e_{1}$ & restitution of tip-tip &  & 0.5" in document
        assert (r"J(q)\,\Delta v = 0" in document) == is_closed


def test_files(tmp_path):
    equations = ps.derive_impact(*carts())
    for ending, text in ((".tex", equations.document), (".md", equations.markdown),
                         (".txt", equations.text)):  # fmt: skip
        file = tmp_path / f"impact{ending}"
        equations.save(file, "G")
        assert file.read_text(encoding="utf-8") == text("G")
    with pytest.raises(ps.ModelError, match=r"derive_impact: the file must end in \.tex, \.md"):
        equations.save(tmp_path / "impact.pdf")


def test_functions_are_the_impact():
    """Machine code of the equations, also of many states, against ps.collide."""
    free = free_arm()
    both = ps.MovingSystem(free, Q, V, BASE), ps.MovingSystem(free, Q[::-1], -V, parameters=OTHER)
    place, normal = np.array([0.3, -0.2, 0.1]), np.array([1.0, 0.4, 0.2])
    u = both[1].point_velocity("tip", place) - both[0].point_velocity("tip", place)
    point = ps.ImpactPoint("tip", "tip", point=place, normal=-np.sign(normal @ u) * normal,
                           restitution=0.3)  # fmt: skip
    equations, hit = ps.derive_impact(*both, [point]), ps.collide(*both, [point])
    q, v, numbers = np.r_[Q, Q[::-1]], np.r_[V, -V], [*OWN.values(), *OTHER.values(), 0.3]
    assert_allclose(equations.function("v_after")(q, v, numbers), np.concatenate(hit.v), atol=1e-10)
    assert_allclose(equations.function("G")(q, numbers), hit.G, rtol=1e-10)
    many = equations.function("impulses")(q, np.stack([v, v]), numbers)
    assert_allclose(many, [hit.impulses, hit.impulses], rtol=1e-9)
    with pytest.raises(ps.ModelError, match="no quantity 'GG'; did you mean 'G'"):
        equations.function("GG")


def test_the_same_system_twice_has_primes():
    party = carts()[1]
    point = ps.ImpactPoint("bob", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    equations = ps.derive_impact(party, party, [point])
    assert equations.q == ("q_theta", "q_theta_")
    assert "θ\N{PRIME}" in equations.text("H")
    assert r"m'\,l'^{2}" in equations.latex("G")


def test_closed_systems_and_friction_have_no_formula_of_impulses():
    closed = ps.MovingSystem(arm(*ps.symbols("m l"), is_closed=True), Q, V)
    point = ps.ImpactPoint("world", "tip", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    equations = ps.derive_impact(ps.MovingSystem(), closed, [point])
    assert equations["constraint_jacobian"].shape == (1, 3)
    assert "J(q)·Δv = 0" in equations.text(view="compact")
    with pytest.raises(ps.ModelError, match="G of 'arm' is no formula: of systems with loops"):
        equations["G"]
    rough = ps.derive_impact(*carts(friction=0.3))
    assert rough["G"].shape == (1, 1)
    with pytest.raises(ps.ModelError, match=r"no formula: friction decides by cases"):
        rough["impulses"]


def spot(first, second, place=(0, 0, 0)):
    return [ps.ImpactPoint(first, second, point=place, normal=(1, 0, 0), restitution=0)]


def test_mistakes_are_named():
    first, second, points = carts()
    ground, equations = ps.MovingSystem(), ps.derive_impact(first, second, points)
    with pytest.raises(ps.ModelError, match="no quantity 'GG'; did you mean 'G'"):
        equations["GG"]
    wrong = [
        ("bases alone, which no impulse moves", (ground, ground, spot("world", "world"))),
        ("cannot hit itself", (second, None, spot("bob", "bob"))),
        ("no body 'bobb'; did you mean 'bob'", (first, second, spot("cart", "bobb"))),
        ("'cart-bob' has law 'stronge', which decides", carts(law="stronge")),
        ("those of many states", (first, second, spot("cart", "bob", np.zeros((2, 3))))),
        ("give each system with its state", (first.system, second, points)),
    ]
    for match, asked in wrong:
        with pytest.raises(ps.ModelError, match=match):
            ps.derive_impact(*asked)
