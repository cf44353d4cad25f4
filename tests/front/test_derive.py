"""Equations of motion against textbooks and papers, derived there by other means."""

import numpy as np
import pytest
import sympy as sp

import poinsot as ps
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace
from poinsot.library import chain, four_bar, heavy_top, rrp_arm

sin, cos = sp.sin, sp.cos


def is_zero(formula):
    """Say whether a polynomial in sines and cosines vanishes by sin² + cos² = 1."""
    expanded = sp.expand(sp.expand_trig(formula))
    angles = {x.args[0] for x in expanded.atoms(sin, cos)}
    pairs = {x: sp.symbols(f"s{k}_ c{k}_") for k, x in enumerate(angles)}
    plain = expanded.subs({sin(x): s for x, (s, _) in pairs.items()})
    plain = plain.subs({cos(x): c for x, (_, c) in pairs.items()})
    if not pairs:
        return sp.simplify(plain) == 0
    circles = [s**2 + c**2 - 1 for s, c in pairs.values()]
    _, rest = sp.reduced(plain, circles, *(x for pair in pairs.values() for x in pair))
    return sp.expand(rest) == 0


def assert_same(found, expected):
    """Check that the difference of two formulas, columns or matrices is zero."""
    found, expected = (
        sp.Matrix(x) if isinstance(x, list | sp.MatrixBase) else sp.Matrix([x])
        for x in (found, expected)
    )
    assert found.shape == expected.shape
    for difference in found - expected:
        assert is_zero(difference), difference


def symbols_of(equations):
    """Return SymPy's symbols of coordinates, velocities, accelerations and forces."""
    names = (equations.q, equations.v, equations.a, equations.tau)
    return [[sp.Symbol(name) for name in group] for group in names]


def test_pendulum():
    """Compare the physical pendulum."""
    m, l, I, g, k, c = ps.symbols("m l I g k c")
    rod = ps.Body(
        "rod", joint=ps.Revolute("y", stiffness=k, damping=c),
        mass=m, com=(0, 0, -l), inertia=(I, I, 0),
    )  # fmt: skip
    found = ps.derive(ps.System("pendulum", [rod], gravity=(0, 0, -g)))
    m, l, I, g, k, c = sp.symbols("m l I g k c")
    (q,), (v,), _, (tau,) = symbols_of(found)
    assert_same(found.mass_matrix.expanded, [I + m * l**2])
    assert_same(found.bias.expanded, [m * g * l * sin(q) + k * q + c * v])
    assert_same(found.kinetic_energy.expanded, (I + m * l**2) * v**2 / 2)
    assert_same(found.potential_energy.expanded, -m * g * l * cos(q) + k * q**2 / 2)
    assert_same(found.momenta.expanded, [(I + m * l**2) * v])
    assert_same(found.coriolis_matrix.expanded, [0])
    force = tau - m * g * l * sin(q) - k * q - c * v
    rates = found.state_rate.expanded
    assert rates[0] == v
    assert is_zero(sp.cancel(rates[1] * (I + m * l**2)) - force)


def moving_pivot(**numbers):
    """Return a pendulum whose pivot moves up and down as A cos(w t)."""
    m, l, g = ps.symbols("m l g")
    pivot = ps.Body("pivot", joint=ps.Prismatic("z"))
    bob = ps.Body("bob", "pivot", ps.Revolute("y"), mass=m, com=(0, 0, -l))
    drive = ps.PrescribedMotion("drive", "pivot", "A*cos(w*t)")
    names = dict.fromkeys("Aw") | numbers
    return ps.System("moving pivot", [pivot, bob], gravity=(0, 0, -g), constraints=[drive],
                     parameters=names)  # fmt: skip


def test_pendulum_with_a_moving_pivot():
    """Compare the rheonomic equation of one coordinate: m l² a + m l (g - A w² cos(w t)) sin(q)."""
    found = ps.derive(moving_pivot())
    m, l, g, A, w, t = sp.symbols("m l g A w t")
    (_, q), (_, v), (_, a), _ = symbols_of(found)
    lift = m * (g - A * w**2 * cos(w * t))
    assert_same(found.minimal_mass_matrix.expanded, [m * l**2])
    assert_same(found.minimal_bias.expanded, [lift * l * sin(q)])
    drive = lift + m * l * (a * sin(q) + v**2 * cos(q))
    assert_same(found.prescribed_forces.expanded, [drive])
    bias = found.function("minimal_bias")  # of q, v, t and A, w, m, l, g; the pivot's do not count
    value = bias([7.0, 0.3], [5.0, 0.0], [0.2], [0.1, 3.0, 2.0, 0.5, 9.81])
    lift = 2.0 * (9.81 - 0.9 * np.cos(0.6))
    np.testing.assert_allclose(value, [lift * 0.5 * np.sin(0.3)], rtol=1e-14)


def test_linear_equations_of_a_moving_pivot_are_those_of_mathieu():
    """Check l Δa + (g - A w² cos(w t)) Δq = 0 below, and its other sign above."""
    numbers = {"m": 2.0, "l": 0.5, "g": 9.81, "A": 0.1, "w": 3.0}
    system, t = moving_pivot(**numbers), 0.2
    height, rate = 0.1 * np.cos(3 * t), -0.3 * np.sin(3 * t)
    for angle, sign in ((0.0, -1.0), (np.pi, 1.0)):
        model = ps.linearize(system, [height, angle], [rate, 0.0], t=t, motion=True)
        stiffness = sign * (9.81 - 0.9 * np.cos(3 * t)) / 0.5
        np.testing.assert_allclose(model.A, [[0.0, 1.0], [stiffness, 0.0]], atol=1e-12)


def test_double_pendulum():
    """Compare the planar elbow arm [Spong 2006, section 7.4], angles from the vertical."""
    m1, m2, l1, c1, c2, I1, I2, g = sp.symbols("m1 m2 l1 c1 c2 I1 I2 g", positive=True)
    upper = ps.Body("upper", joint=ps.Revolute("y"), mass=m1, com=(0, 0, -c1), inertia=(0, I1, 0))
    lower = ps.Body(
        "lower", "upper", ps.Revolute("y"), ps.Pose((0, 0, -l1)),
        mass=m2, com=(0, 0, -c2), inertia=(0, I2, 0),
    )  # fmt: skip
    found = ps.derive(ps.System("elbow", [upper, lower], gravity=(0, 0, -g)))
    m1, m2, l1, c1, c2, I1, I2, g = sp.symbols("m1 m2 l1 c1 c2 I1 I2 g")
    (q1, q2), (v1, v2), *_ = symbols_of(found)
    d12 = m2 * (c2**2 + l1 * c2 * cos(q2)) + I2
    d11 = m1 * c1**2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * cos(q2)) + I1 + I2
    assert_same(found.mass_matrix.expanded, [[d11, d12], [d12, m2 * c2**2 + I2]])
    h = -m2 * l1 * c2 * sin(q2)
    assert_same(found.coriolis_matrix.expanded, [[h * v2, h * (v1 + v2)], [-h * v1, 0]])
    g2 = m2 * c2 * g * sin(q1 + q2)
    assert_same(found.gravity_force.expanded, [(m1 * c1 + m2 * l1) * g * sin(q1) + g2, g2])
    whole = found.coriolis_matrix.expanded * sp.Matrix([v1, v2]) + found.gravity_force.expanded
    assert_same(found.bias.expanded, whole)


@pytest.mark.parametrize("method", ["recursive", "kane", "lagrange", "screw_matrix"])
def test_cart_pole(method):
    """Compare the equations of the docstring of the library, in every formulation."""
    mc, mp, l, g = ps.symbols("mc mp l g")
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=mc)
    pole = ps.Body("pole", "cart", ps.Revolute("-y"), mass=mp, com=(0, 0, -l))
    found = ps.derive(ps.System("cart and pole", [cart, pole], gravity=(0, 0, -g)), method)
    mc, mp, l, g = sp.symbols("mc mp l g")
    (_, th), (_, w), (a, al), (f, tau) = symbols_of(found)
    expected = [
        (mc + mp) * a + mp * l * cos(th) * al - mp * l * sin(th) * w**2,
        mp * l * cos(th) * a + mp * l**2 * al + mp * g * l * sin(th),
    ]
    assert_same(found.inverse_dynamics.expanded, expected)
    solved = found.forward_dynamics.expanded
    below = mc + mp * sin(th) ** 2
    above = f + mp * sin(th) * (l * w**2 + g * cos(th)) - cos(th) * tau / l
    assert is_zero(sp.together(solved[0] * below - above).as_numer_denom()[0])


@pytest.mark.parametrize("method", ["recursive", "lagrange"])
def test_rrp_arm(method):
    """Compare (46) of Liu (1988), corrected, with forces at the tip along the axes of the arm."""
    S = ps.symbols
    arm = rrp_arm(
        b1=S("b1"), b2=S("b2"), b4=S("b4"), rho=S("rho1 rho2 rho3"), m=S("m1 m2 m3"),
        J=[S("J11 J12 J13"), S("J21 J22 J23"), S("J31 J32 J33")], g=S("g"), D=S("D1 D2 D3"),
        K=S("K1 K2 K3"),
    )  # fmt: skip
    pull = ps.ConstantForce("tip", S("F1 F2 F3"), axes="body")
    found = ps.derive(ps.System("arm", arm.bodies, gravity=arm.gravity, forces=[pull]), method)
    q, v, a, _ = symbols_of(found)
    th1, th2, z, w1, w2, dz, e1, e2, ddz = sp.symbols("th1 th2 z w1 w2 dz e1 e2 ddz")
    at = dict(zip(q, (th1, sp.pi / 2 - th2, z), strict=True))
    at |= dict(zip(v, (w1, -w2, dz), strict=True))
    at |= dict(zip(a, (e1, -e2, ddz), strict=True))
    tau = found.inverse_dynamics.expanded.subs(at)
    b2, b4, rho2, rho3, m2, m3, g = sp.symbols("b2 b4 rho2 rho3 m2 m3 g")
    F1, F2, F3 = sp.symbols("F1:4")
    J13, J21, J22, J23, J31, J32, J33 = sp.symbols("J13 J21 J22 J23 J31 J32 J33")
    (D1, D2, D3), (K1, K2, K3) = sp.symbols("D1:4"), sp.symbols("K1:4")
    s, c, mu = sin(th2), cos(th2), m3 * z * (z - 2 * rho3)
    moment = J13 + (J22 + J33) * s**2 + (J21 + J31 + mu) * c**2
    moment += m2 * b2 * (b2 - 2 * rho2) + m3 * b2**2
    first = moment * e1 + 2 * (J22 - J21 - J31 + J33 - mu) * w1 * w2 * c * s
    first += m3 * b2 * ((rho3 - z) * (w2**2 * c + e2 * s) + ddz * c - 2 * w2 * dz * s)
    first += 2 * m3 * (z - rho3) * w1 * dz * c**2 + D1 * w1 + K1 * th1
    first -= F1 * b2 * s - F2 * (b4 + z) * c + F3 * b2 * c
    second = (J23 + J32 + mu) * e2 + (J21 - J22 + J31 - J33 + mu) * w1**2 * c * s
    second += m3 * (2 * (z - rho3) * dz * w2 + (rho3 - z) * (e1 * b2 * s + g * c))
    second += D2 * w2 + K2 * th2 + F1 * (b4 + z)
    third = m3 * (ddz + b2 * e1 * c + (rho3 - z) * (w2**2 + w1**2 * c**2) - g * s)
    third += D3 * dz + K3 * z - F3
    assert_same(tau, [first, -second, third])


def test_four_bar():
    """Compare tree equations with Newton and Euler's of the three links, and the closure.

    Of the nine equations of appendix A of paper 2, the forces of the tree's pins drop out along the
    partial velocities; the closing pin pulls with R at the end of the rocker.
    """
    m, l = ps.symbols("m1 m2 m3"), ps.symbols("l1 l2 l3")
    linkage = four_bar(lengths=l, ground=ps.symbols("l0"), masses=m, g=ps.symbols("g"))
    found = ps.derive(linkage)
    q, v, a, _ = symbols_of(found)
    m, l, (l0, g) = sp.symbols("m1:4"), sp.symbols("l1:4"), sp.symbols("l0 g")

    def rate(x):
        return x.jacobian(q) * sp.Matrix(v) + x.jacobian(v) * sp.Matrix(a)

    place, angle, tree = sp.zeros(2, 1), sp.S.Zero, sp.zeros(3, 1)
    for k in range(3):
        angle += q[k]
        along = sp.Matrix([cos(angle), sin(angle)])
        centre = place + l[k] / 2 * along
        force = m[k] * (rate(rate(centre)) + sp.Matrix([0, g]))
        turn = m[k] * l[k] ** 2 / 12 * rate(rate(sp.Matrix([angle])))
        tree += centre.jacobian(q).T * force + sp.Matrix([angle]).jacobian(q).T * turn
        place += l[k] * along
    assert_same(found.inverse_dynamics.expanded, tree)
    turned = sp.Matrix([[cos(angle), sin(angle)], [-sin(angle), cos(angle)]])  # to rocker axes
    closure = turned * (place - sp.Matrix([l0, 0]))
    assert_same(found.constraint_residual.expanded, [*closure, 0, 0, 0])
    J, gamma = found.constraint_jacobian.expanded, found.constraint_bias.expanded
    assert_same(J[:2, :], turned * place.jacobian(q))
    assert J[2:, :].is_zero_matrix
    second = rate(turned * rate(place))  # of components in rocker axes
    assert_same(J[:2, :] * sp.Matrix(a) + sp.Matrix(gamma[:2]), second)


def test_numbers_and_symbols_in_one_system():
    """Show symbols although they have numbers, and numbers as what they are."""
    m = ps.symbols("m")
    bob = ps.Body("bob", joint=ps.Revolute("y"), mass=m, com=(0, 0, -0.1))
    found = ps.derive(ps.System("pendulum", [bob], parameters={"m": 3.0}))
    q, m = sp.symbols("q_bob m")
    assert found.mass_matrix.expanded == sp.Matrix([m / 100])
    assert found.bias.expanded == sp.Matrix([sp.Rational(981, 1000) * m * sin(q)])


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_operations_grow_linearly(name):
    """Count operations of chains: each body adds the same."""
    sizes = (12, 24, 48)
    counts = [trace(chain(n).mechanism, Request(name)).n_operations for n in sizes]
    first, second = counts[1] - counts[0], counts[2] - counts[1]
    assert second == pytest.approx(2 * first, rel=0.02)


def test_long_chains_have_short_equations():
    """Derive a pendulum of ten links on a cart: a compact view of some hundred lines."""
    m, l, g = ps.symbols("m l g")
    bodies = [ps.Body("cart", joint=ps.Prismatic("x"), mass=m)]
    for k in range(10):
        at = ps.Pose((0, 0, -l) if k else (0, 0, 0))
        parent = bodies[-1].name
        bodies.append(ps.Body(f"{k}", parent, ps.Revolute("y"), at, mass=m, com=(0, 0, -l)))
    found = ps.derive(ps.System("chain", bodies, gravity=(0, 0, -g)))
    listed = found.inverse_dynamics.compact
    assert listed.n_operations < 400
    with pytest.raises(ps.PoinsotError, match=r"terms; take \.compact"):
        _ = found.bias.expanded
    with pytest.raises(ps.PoinsotError, match=r"11 velocities.*\.compact"):
        _ = found.forward_dynamics.expanded


def test_mistakes_have_words():
    """Ask for what there is not."""
    pendulum = ps.System("p", [ps.Body("b", joint=ps.Revolute("y"), mass=1, com=(0, 0, -1))])
    found = ps.derive(pendulum)
    with pytest.raises(ps.ModelError, match=r"unknown method 'lagrnge'.*lagrange"):
        ps.derive(pendulum, "lagrnge")
    with pytest.raises(ps.ModelError, match=r"no quantity 'mass'.*mass_matrix"):
        found["mass"]
    with pytest.raises(ps.ModelError, match="unknown method"):
        ps.derive(pendulum, ["kane"])
    for wrong in (3, None, ["bias"]):
        with pytest.raises(ps.ModelError, match="derive: there is no quantity"):
            found.text(wrong)
    with pytest.raises(ps.ModelError, match="no loops and constraints"):
        _ = found.constraint_jacobian
    with pytest.raises(ps.ModelError, match="view must be one of auto, compact, expanded"):
        found.text(view="short")
    with pytest.raises(ps.ModelError, match=r"must end in \.tex, \.md, \.txt"):
        found.save("equations.pdf")
    with pytest.raises(ps.ModelError, match="give a System, got str"):
        ps.derive("pendulum.json")
    with pytest.raises(ps.ModelError, match="works on numbers only"):
        _ = ps.derive(pendulum, "newton_euler").forward_dynamics
    with pytest.raises(ps.PoinsotError, match="under constraints is no short formula"):
        _ = ps.derive(four_bar()).forward_dynamics.expanded
    with pytest.raises(ps.ModelError, match="'a' has no loops and constraints, so no minimal_bias"):
        _ = ps.derive(ps.System("a", [ps.Body("a", joint=ps.Revolute(), mass=1)])).minimal_bias


def test_accelerations_with_constant_masses_are_plain():
    """Divide by a determinant that is a number: Euler's equations of the heavy top."""
    top = heavy_top()
    found = ps.derive(top)
    A, B, C = (sp.nsimplify(x) for x in np.diag(top.mass_matrix(top.neutral())))
    wy, wz, drive = sp.symbols("v_top_wy v_top_wz tau_top_wz")
    solved = found.forward_dynamics.expanded
    assert solved[0].coeff(wy * wz) == (B - C) / A
    assert solved[2] == drive / C
    assert "v̇_top.wz" in found.text("forward_dynamics")
    assert "q̈_link_1 = " in ps.derive(chain(1)).text("forward_dynamics")


def test_what_has_no_accelerations_is_refused():
    """Solve for the acceleration of a joint that moves nothing, with numbers and symbols."""
    idle = ps.Body("idle", joint=ps.Prismatic("x"))
    with pytest.warns(ps.ModelWarning, match="singular"):
        system = ps.System("s", [idle, ps.Body("b", "idle", ps.Prismatic("x"), mass=1.0)])
    with pytest.raises(ps.PoinsotError, match="the mass matrix is singular"):
        _ = ps.derive(system).forward_dynamics
    m = ps.symbols("m")
    system = ps.System("s", [idle, ps.Body("b", "idle", ps.Prismatic("x"), mass=m)])
    with pytest.raises(ps.PoinsotError, match="is 0, whatever the parameters are"):
        _ = ps.derive(system).forward_dynamics.expanded


def test_names():
    """Call coordinates after joints, whatever these are called, and never as something else."""
    bodies = [
        ps.Body("rod 1", joint=ps.Revolute("y"), mass=ps.symbols("q_arm"), com=(0, 0, -1)),
        ps.Body("a", "rod 1", ps.Planar("x", "y", name="arm"), mass=1.0, inertia=(1, 1, 1)),
        ps.Body("b", "a", ps.Revolute("y", name="rod.1"), mass=1.0, com=(0, 0, 1)),
    ]
    found = ps.derive(ps.System("names", bodies))
    assert found.q == ("q_rod_1", "q_arm_x", "q_arm_y", "q_arm_angle", "q_rod_1_")
    assert found.v[0] == "v_rod_1"
    assert found.parameters == ("q_arm",)
    names = [*found.q, *found.v, *found.a, *found.tau, *found.parameters]
    assert len(set(names)) == len(names)
    assert {name for name, _ in found.bias.compact.assignments} >= {"s_rod_1", "c_rod_1"}


def test_views_are_worth_what_kernels_compute():
    """Evaluate the expanded view of a spatial arm by SymPy, and compare with the kernel."""
    S = ps.symbols
    turn = ps.Body("turn", joint=ps.Revolute("z"), mass=S("m1"), inertia=S("I1 I2 I3"))
    lift = ps.Body(
        "lift", "turn", ps.Revolute("y"), ps.Pose((S("l"), 0, 0)),
        mass=S("m2"), com=(S("c"), 0, 0), inertia=S("I4 I5 I6"),
    )  # fmt: skip
    system = ps.System("arm", [turn, lift])
    found = ps.derive(system)
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, 2))
    values = {
        name: float(x) for name, x in zip(found.parameters, rng.uniform(1, 2, 10), strict=True)
    }
    names = [*found.q, *found.v, *found.a, *found.parameters]
    function = sp.lambdify(list(map(sp.Symbol, names)), found.inverse_dynamics.expanded)
    expected = system.inverse_dynamics(q, v, a, parameters=values)
    np.testing.assert_allclose(function(*q, *v, *a, *values.values()).ravel(), expected, rtol=1e-12)


def test_functions():
    """Compare machine code of the expressions with the system, one state and several."""
    m, l, g = ps.symbols("m l g")
    bodies = [ps.Body("cart", joint=ps.Prismatic("x"), mass=m)]
    bodies.append(ps.Body("pole", "cart", ps.Revolute("y"), mass=2 * m, com=(0, 0, -l)))
    push = ps.FormulaForce("cart", ("sin(3*t)", 0, 0))
    system = ps.System("s", bodies, gravity=(0, 0, -g), forces=[push], parameters={"m": 1.5})
    found, rng = ps.derive(system), np.random.default_rng(0)
    q, v, x = rng.normal(size=(3, 5, 2))
    values, t = {"l": 0.7, "g": 9.0}, rng.uniform(0, 1, (5, 1))
    assert found.parameters == ("m", "l", "g")
    p = np.array([1.5, 0.7, 9.0])
    for name, inputs in (("forward_dynamics", (q, v, x)), ("bias", (q, v))):
        function = found.function(name)
        expected = getattr(system, name)(*inputs, t=t[:, 0], parameters=values)
        np.testing.assert_allclose(function(*inputs, t, p), expected, rtol=1e-13)
        one = function(*(array[1] for array in inputs), t[1], p)
        np.testing.assert_allclose(one, expected[1], rtol=1e-13)
        assert "parameters" in function.__doc__ or "parameters" in function.__text_signature__
    rate = found.function("state_rate")(q[0].tolist(), v[0], x[0], [t[0, 0]], p)
    np.testing.assert_allclose(rate[:2], v[0])
    C = found.function("coriolis_matrix")(q, v, t, p)
    G = found.function("gravity_force")(q, t, p)
    whole = np.einsum("nij,nj->ni", C, v) + G - np.sin(3 * t) * [1.0, 0.0]
    np.testing.assert_allclose(whole, found.function("bias")(q, v, t, p), atol=1e-13)
    energy = found.function("kinetic_energy")(q, v, t, p)
    M = found.function("mass_matrix")(q, t, p)
    np.testing.assert_allclose(energy, np.einsum("ni,nij,nj->n", v, M, v) / 2, rtol=1e-13)
    with pytest.raises(ps.ShapeError, match="takes the arrays q, v, t, parameters, got 2"):
        found.function("bias")(q, v)
    with pytest.raises(ps.ShapeError, match=r"bias: parameters must have shape \(..., 3\)"):
        found.function("bias")(q, v, t, p[:2])
    with pytest.raises(ps.ModelError, match="no quantity 'mass'"):
        found.function("mass")
