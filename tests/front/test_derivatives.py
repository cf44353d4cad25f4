"""Derivatives of every quantity: against differences of integrate, Pinocchio and each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.formulations.recursive.rolled_derivatives import LARGEST
from tests.random_examples import examples
from tests.strategies import cases

STEP = 1e-6
RNG = np.random.default_rng(5)


def system_of(case):
    return ps.System.from_mechanism(case.mechanism)


def by_differences(system, function, q, step=STEP):
    """Return the derivative of a function of q along integrate, by central differences."""
    columns = []
    for unit in np.eye(system.nv):
        up, down = (function(system.integrate(q, s * step * unit)) for s in (1, -1))
        columns.append((up - down) / (2 * step))
    return (
        np.moveaxis(np.array(columns), 0, -1) if columns else np.zeros((*np.shape(function(q)), 0))
    )


def floating():
    """Return a free body with a ball joint and a hinge on it."""
    inertia = (1.0, 1.2, 1.1)
    return ps.System(
        "floating",
        [
            ps.Body("a", joint=ps.Free(), mass=2.0, com=(0.1, 0.2, 0.3), inertia=inertia),
            ps.Body("b", "a", ps.Spherical(), ps.Pose((0.3, 0, 0)), mass=1.0, com=(0.1, 0, 0.2),
                    inertia=inertia),
            ps.Body("c", "b", ps.Revolute("y"), ps.Pose((0, 0.3, 0)), mass=1.0, com=(0.1, 0, 0.2),
                    inertia=inertia),
        ],
    )  # fmt: skip


def ball_and_hinge():
    """Return a ball joint with a hinge behind it."""
    ball = ps.Body("a", joint=ps.Spherical(), mass=2.0, com=(0.1, 0.2, 0.3), inertia=(1, 1.2, 1.1))
    hinge = ps.Body("b", "a", ps.Revolute("y"), ps.Pose((0, 0.3, 0)), mass=1.0, com=(0.1, 0, 0.2))
    return ps.System("ball and hinge", [ball, hinge])


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=4, min_bodies=1))
def test_first_derivatives_of_random_trees(case):
    """Compare derivatives by q, v and a with differences."""
    system, q, v, a = system_of(case), case.q, case.v, case.a
    slow = {"backend": "interpreter"}
    if not system.nv:
        return
    for name, rest in (("inverse_dynamics", (v, a)), ("kinetic_energy", (v,)), ("mass_matrix", ())):
        compute = getattr(system, name)
        found = system.derivative(name, q, *rest, by="q", **slow)
        expected = by_differences(
            system, lambda x, f=compute, r=rest: np.asarray(f(x, *r, **slow)), q
        )
        size = (
            1.0
            + np.abs(expected).max(initial=0)
            + np.abs(compute(q, *rest, **slow)).max() / STEP * 1e-10
        )
        assert np.abs(found - expected).max(initial=0) <= 1e-6 * size
    linear = system.derivative("inverse_dynamics", q, v, a, by="a", **slow)
    assert_allclose(linear, system.mass_matrix(q, **slow), atol=1e-9 * (1 + np.abs(linear).max()))


def pinocchio_arm():
    """Return a robot of seven joints, and Pinocchio's."""
    pin = pytest.importorskip("pinocchio")
    from tests.oracles.pinocchio_model import PinocchioOracle

    system = ps.library.puma560().without_passive()
    return pin, system, PinocchioOracle(system.mechanism)


def test_pinocchio_agrees():
    """Compare with the analytic derivatives of Pinocchio."""
    pin, system, oracle = pinocchio_arm()
    q, v, a = RNG.normal(size=(3, 6))
    model, data = oracle.model, oracle.data
    dq, dv, da = pin.computeRNEADerivatives(model, data, oracle.q(q), v, a)
    assert_allclose(system.derivative("inverse_dynamics", q, v, a, by="q"), dq, atol=1e-10)
    assert_allclose(system.derivative("inverse_dynamics", q, v, a, by="v"), dv, atol=1e-10)
    full = np.triu(da) + np.triu(da, 1).T
    assert_allclose(system.derivative("inverse_dynamics", q, v, a, by="a"), full, atol=1e-10)
    pin.computeABADerivatives(model, data, oracle.q(q), v, a)
    assert_allclose(system.derivative("forward_dynamics", q, v, a, by="q"), data.ddq_dq, atol=1e-8)
    assert_allclose(system.derivative("forward_dynamics", q, v, a, by="v"), data.ddq_dv, atol=1e-8)


def test_derivatives_of_many_joints(monkeypatch):
    """Compare the rolled form with LAPACK's solution of that of inverse dynamics."""
    q, v, x = RNG.normal(size=(3, 2, 14))
    rolled = ps.library.chain(14).forward_dynamics_derivatives(q, v, x)
    monkeypatch.setitem(LARGEST, "forward_dynamics_derivatives", 10)
    solved = ps.library.chain(14).forward_dynamics_derivatives(q, v, x)
    assert_allclose(rolled, solved, rtol=1e-8, atol=1e-8 * np.abs(solved).max())


@pytest.mark.parametrize("together", [10, 2])
def test_derivatives_of_the_dynamics_together(together, monkeypatch):
    """Compare what one program gives, or a large system piece by piece, with single derivatives."""
    monkeypatch.setattr("poinsot.front.dynamics_derivatives.MOST_TOGETHER", together)
    system = ps.library.puma560() if together > 2 else ball_and_hinge()
    q = np.stack([system.random(RNG) for _ in range(3)])
    v, a = RNG.normal(size=(2, 3, system.nv))
    found = system.inverse_dynamics_derivatives(q, v, a)
    assert found.shape == (3, 3, system.nv, system.nv)
    for k, by in enumerate(("q", "v", "a")):
        expected = system.derivative("inverse_dynamics", q, v, a, by=by)
        assert_allclose(found[:, k], expected, atol=1e-10 * (1 + np.abs(expected).max()))
    assert_allclose(found[:, 2], system.mass_matrix(q), atol=1e-10)
    out = np.empty_like(found)
    assert system.inverse_dynamics_derivatives(q, v, a, out=out) is out
    assert_allclose(out, found)
    forward = system.forward_dynamics_derivatives(q, v, a)
    there = system.inverse_dynamics_derivatives(q, v, system.forward_dynamics(q, v, a))
    M = found[:, 2]
    for k in range(2):
        assert_allclose(M @ forward[:, k], -there[:, k], atol=1e-8 * (1 + np.abs(there).max()))
    assert_allclose(M @ forward[:, 2], np.broadcast_to(np.eye(system.nv), M.shape), atol=1e-8)
    single = system.forward_dynamics_derivatives(q[1], v[1], a[1])
    assert_allclose(single, forward[1], atol=1e-9 * (1 + np.abs(forward).max()))


@pytest.mark.parametrize("make", [lambda: ps.library.chain(3), ball_and_hinge])
def test_second_derivatives_of_the_dynamics_together(make, monkeypatch):
    """Compare what one program gives with single derivatives: closed form and quaternions."""
    system = make()
    q = np.stack([system.random(RNG) for _ in range(2)])
    v, a = RNG.normal(size=(2, 2, system.nv))
    found = system.inverse_dynamics_second_derivatives(q, v, a)
    monkeypatch.setattr("poinsot.evaluate.derivative._closed_form", lambda *_: None)
    for k, by in enumerate((("q", "q"), ("v", "v"), ("q", "v"), ("a", "q"))):
        expected = system.derivative("inverse_dynamics", q, v, a, by=by, backend="interpreter")
        assert_allclose(found[:, k], expected, atol=1e-10 * (1 + np.abs(expected).max()))
    out = np.empty_like(found)
    assert system.inverse_dynamics_second_derivatives(q, v, a, out=out) is out
    assert_allclose(out, found)
    for _ in range(2):  # the second call is machine code
        single = system.inverse_dynamics_second_derivatives(q[1], v[1], a[1])
        assert_allclose(single, found[1], atol=1e-12 * (1 + np.abs(found).max()))
    monkeypatch.setattr("poinsot.front.dynamics_derivatives.MOST_TOGETHER", 0)
    other = make()
    each = other.inverse_dynamics_second_derivatives(q, v, a, backend="interpreter")
    assert_allclose(each, found, atol=1e-10 * (1 + np.abs(found).max()))


def test_general_second_derivatives_use_the_closed_form(monkeypatch):
    """Compare all orders of the arguments with differentiation of the graph."""
    system = ps.library.chain(3)
    q, v, a = RNG.normal(size=(3, 3))
    state = ("inverse_dynamics", q, v, a)
    orders = (("q", "q"), ("v", "v"), ("q", "v"), ("v", "q"), ("a", "q"), ("q", "a"))
    slow = {"backend": "interpreter"}
    expected = {by: system.derivative(*state, by=by, **slow) for by in orders}
    monkeypatch.setattr("poinsot.evaluate.derivative.FEW", 0)
    other = ps.System("again", system.bodies)
    for by, tensor in expected.items():
        assert_allclose(other.derivative(*state, by=by, **slow), tensor, atol=1e-10)


def test_derivatives_of_loops_together():
    """Compare those of a four-bar with what each gives."""
    system = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.7)
    v = system.consistent_velocity(q, [1.0, 0, 0])
    found = system.forward_dynamics_derivatives(q, v)
    model = ps.linearize(system, q, v, motion=True)
    for k, by in enumerate(("q", "v", "tau")):
        assert_allclose(found[k], model.by["a", by], atol=1e-8)


@pytest.mark.parametrize("make", [floating, ps.library.puma560])
def test_higher_orders_are_derivatives_of_lower_ones(make):
    """Differentiate once more by differences: the first argument is the last derivative."""
    system = make()
    q = system.random(RNG)
    v, a = RNG.normal(size=(2, system.nv))
    second = system.derivative("potential_energy", q, by=("q", "q"))
    lower = by_differences(system, lambda x: system.derivative("potential_energy", x, by="q"), q)
    assert_allclose(second, np.swapaxes(lower, -1, -2), atol=1e-6)
    mixed = system.derivative("inverse_dynamics", q, v, a, by=("q", "v"))
    lower = by_differences(
        system, lambda x: system.derivative("inverse_dynamics", x, v, a, by="v"), q
    )
    assert_allclose(mixed, np.swapaxes(lower, -1, -2), atol=1e-5)
    hessian = system.hessian("potential_energy", q)
    assert_allclose(hessian, np.swapaxes(hessian, -1, -2))
    out = np.empty_like(hessian)
    assert system.hessian("potential_energy", q, out=out) is out
    assert_allclose(out, hessian, rtol=0)
    unit = RNG.normal(size=system.nv)
    f = lambda s: system.potential_energy(system.integrate(q, s * unit))  # noqa: E731
    assert_allclose(unit @ hessian @ unit, (f(1e-4) - 2 * f(0.0) + f(-1e-4)) / 1e-8, rtol=1e-4)


def test_derivatives_within_a_ball_joint_do_not_commute():
    """Check D_α D_β - D_β D_α = D along the bracket of the axes, on the pose."""
    ball = ps.System("ball", [ps.Body("b", joint=ps.Spherical(), mass=1.0, inertia=(1, 1, 1))])
    q = ball.random(RNG)
    first = ball.derivative("pose", q, by="q", body="b")
    second = ball.derivative("pose", q, by=("q", "q"), body="b")
    assert_allclose(second[..., 0, 1] - second[..., 1, 0], first[..., 2], atol=1e-12)


def test_directions_and_weights():
    """Compare products with the dense derivatives."""
    system = floating()
    q, (v, a, u, w) = system.random(RNG), RNG.normal(size=(4, system.nv))
    state = ("inverse_dynamics", q, v, a)
    J = system.derivative(*state, by="q")
    assert_allclose(system.derivative(*state, by="q", along=u), J @ u, atol=1e-11)
    assert_allclose(system.derivative(*state, by="q", weights=w), w @ J, atol=1e-11)
    H = system.derivative(*state, by=("q", "v"))
    found = system.derivative(*state, by=("q", "v"), along=(u, None))
    assert_allclose(found, np.einsum("iab,a->ib", H, u), atol=1e-10)
    found = system.derivative(*state, by=("q", "v"), along=(None, u), weights=w)
    assert_allclose(found, np.einsum("iab,i,b->a", H, w, u), atol=1e-10)
    third = system.derivative(*state, by=("q", "q", "v"), along=(u, w, v))
    plus, minus = (
        system.derivative(
            "inverse_dynamics", system.integrate(q, s * STEP * u), v, a, by=("q", "v"), along=(w, v)
        )
        for s in (1, -1)
    )
    assert_allclose(third, (plus - minus) / (2 * STEP), atol=1e-5)


def test_batches_and_out():
    """Differentiate many states at once, into an array."""
    system = ps.library.puma560()
    q, v, a = RNG.normal(size=(3, 5, 4, 6))
    found = system.derivative("inverse_dynamics", q, v, a, by="q")
    assert found.shape == (5, 4, 6, 6)
    one = system.derivative("inverse_dynamics", q[2, 3], v[2, 3], a[2, 3], by="q")
    assert_allclose(found[2, 3], one, atol=1e-12)
    out = np.empty((5, 4, 6, 6))
    assert system.derivative("inverse_dynamics", q, v, a, by="q", out=out) is out
    assert_allclose(out, found)


def test_large_systems_are_differentiated_along_unit_vectors(monkeypatch):
    """Compare what is too long for one program with the program itself; free joints among it."""
    system = floating()
    q, (v, a) = system.random(RNG), RNG.normal(size=(2, system.nv))
    state = ("inverse_dynamics", q, v, a)
    dense = {by: system.derivative(*state, by=by) for by in ("q", "v", ("q", "v"))}
    other = ps.System("again", system.bodies)
    monkeypatch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_DENSE", 200)
    for by, expected in dense.items():
        assert_allclose(other.derivative(*state, by=by), expected, atol=1e-10)
    q = np.stack([q, other.random(RNG)])
    found = other.derivative("inverse_dynamics", q, v, a, by="q")
    assert_allclose(found[0], dense["q"], atol=1e-10)


def parametric(name="rod"):
    """Return a rod with free length and mass, pushed over time, with a state in its spring."""
    m, l = ps.symbols("m l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l))
    push = ps.JointForce("rod", "k*sin(3*t) - pressure*q")
    state = ps.State("pressure", rate="v.rod", initial=2.0)
    numbers = {"m": 2.0, "l": 0.5, "k": 7.0}
    return ps.System(name, [rod], forces=[push], parameters=numbers, free=numbers, states=[state])


def test_parameters_time_and_states():
    """Compare with closed forms: tau = m l² a + m g l sin(q) - k sin(3 t) + p q."""
    system, m, l, k, p, g = parametric(), 2.0, 0.5, 7.0, 2.0, 9.81
    q, v, a, t = 0.4, 0.3, 1.1, 0.2
    state = ("inverse_dynamics", [q], [v], [a])
    for by, expected in (
        ("m", l**2 * a + g * l * np.sin(q)),
        ("l", 2 * m * l * a + m * g * np.sin(q)),
        ("k", -np.sin(3 * t)),
        ("pressure", q),
        ("t", -3 * k * np.cos(3 * t)),
        (("l", "l"), 2 * m * a),
        (("q", "l"), m * g * np.cos(q)),
    ):
        found = system.derivative(*state, by=by, t=t)
        assert_allclose(np.ravel(found), [expected], atol=1e-12)
        assert found.shape == ((1, 1) if "q" in by else (1,))
    every = system.derivative(*state, by="parameters", t=t)
    assert every.shape == (1, 4)
    assert_allclose(every[0, 3], q, atol=1e-14)
    assert p == system.states["pressure"].initial


def test_products_with_what_has_no_axis(monkeypatch):
    """Take directions of the time, a parameter and a state; and dense, along unit vectors."""
    system, q, t = parametric(), 0.4, 0.2
    state = ("inverse_dynamics", [q], [0.3], [1.1])
    for by in ("m", "t", "pressure", "k"):
        one = system.derivative(*state, by=by, t=t)
        assert_allclose(system.derivative(*state, by=by, along=2.0, t=t), 2.0 * one, rtol=1e-12)
        weighted = system.derivative(*state, by=by, weights=[3.0], along=[0.5], t=t)
        assert_allclose(weighted, 1.5 * one[0], rtol=1e-12)
    mixed = system.derivative(*state, by=("q", "k", "t"), along=([2.0], None, 0.5), t=t)
    assert mixed.shape == (1,)
    dense = {by: system.derivative(*state, by=by, t=t) for by in ("t", ("q", "l"), ("k", "t"))}
    monkeypatch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_DENSE", 0)
    other = parametric("again")
    for by, expected in dense.items():
        found = other.derivative(*state, by=by, t=t)
        assert found.shape == expected.shape
        assert_allclose(found, expected, rtol=1e-12)


def test_wrenches_and_base():
    """Check that joint forces fall by Jᵀ F, and that a moving base enters as it does."""
    system = ps.library.puma560()
    q, v, a = RNG.normal(size=(3, 6))
    body = system.body_names[-1]
    found = system.derivative(
        "inverse_dynamics", q, v, a, by="wrenches", wrenches={body: np.ones(6)}
    )
    assert_allclose(found, -system.jacobian(body, q).T, atol=1e-12)
    base = ps.BaseMotion(acceleration=(1, 2, 3, 0, 0, 0))
    found = system.derivative("inverse_dynamics", q, v, a, by="base", base=base)
    assert found.shape == (6, 15)
    up, down = (
        system.inverse_dynamics(q, v, a, base=ps.BaseMotion(acceleration=(1, 2, z, 0, 0, 0)))
        for z in (3.5, 2.5)
    )
    assert_allclose(found[:, 11], up - down, atol=1e-10)


def test_closed_systems():
    """Compare derivatives of accelerations and constraint rows with differences."""
    system = ps.library.four_bar()
    q = ps.library.four_bar_configuration(0.7)
    v, tau = system.consistent_velocity(q, [1.0, 0, 0]), RNG.normal(size=3)
    for name, rest in (
        ("forward_dynamics", (v, tau)), ("constraint_residual", ()), ("constraint_jacobian", ()),
        ("constraint_bias", (v,)),
    ):  # fmt: skip
        compute = getattr(system, name)
        found = system.derivative(name, q, *rest, by="q")
        expected = by_differences(system, lambda x, f=compute, r=rest: f(x, *r), q)
        assert_allclose(found, expected, atol=1e-6 * (1 + np.abs(expected).max()))


def test_rate_of_a_pose_is_a_velocity():
    """Compare the time derivative of a pose with the velocity of the body."""
    system = ps.library.double_pendulum()
    q, v = RNG.normal(size=(2, 2))
    rate = system.time_derivative("pose", q, v, body="lower")
    assert_allclose(rate[:3, 3], system.velocity("lower", q, v, axes="world")[:3], atol=1e-12)


def test_angle_of_no_vector_has_no_derivative():
    """Differentiate atan2(y, x) at the origin, and beside it, where it is (x dy - y dx) / r²."""
    bodies = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in "yx"]
    law = ps.JointForce("y", "atan2(q, x)", where={"x": ("x", "q")})
    plane, still = ps.System("plane", bodies, forces=[law]), np.zeros(2)
    with pytest.raises(ps.PoinsotError, match="has no derivative, for joint force of 'y'"):
        plane.derivative("inverse_dynamics", still, still, still, by="q")
    with pytest.raises(ps.PoinsotError, match="has no derivative, for joint force of 'y'"):
        ps.linearize(plane, still)
    with pytest.warns(ps.ModelWarning, match="in 1 of 2 states"):
        found = plane.derivative("inverse_dynamics", [still, [0.3, -0.4]], still, still, by="q")
    assert np.isnan(found[0, 0]).all()
    assert_allclose(-found[1, 0], [-0.4 / 0.25, -0.3 / 0.25])


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda s: s.derivative("inverse_dynamic", *X, by="q"), "did you mean 'inverse_dynamics'"),
        (lambda s: s.derivative("inverse_dynamics", *X, by="qq"), "no argument 'qq'"),
        (lambda s: s.derivative("inverse_dynamics", *X, by=()), "order 0 is the quantity itself"),
        (lambda s: s.derivative("inverse_dynamics", *X, by="mass"), "no argument 'mass'"),
        (lambda s: s.derivative("inverse_dynamics", *X, by=3), r"or \('q', 'v'\), got 3"),
        (lambda s: s.hessian("potential_energy", X[0], along=X[0]), "unexpected keyword"),
        (lambda s: s.time_derivative("pose", X[0], [1.0], body="lower"), r"v must have.*\(1,\)"),
        (lambda s: s.time_derivative("bias", *X[:2], [1.0]), r"dv/dt must have shape"),
        (lambda s: s.derivative("mass_matrix", X[0], by="t"), "does not depend on time"),
        (lambda s: s.derivative("pose", X[0], by="q"), "belongs to a body"),
        (lambda s: s.derivative("inverse_dynamics", *X, by="wrenches"), "give wrenches="),
        (lambda s: s.derivative("inverse_dynamics", *X, by="q", along=[1, 2, 3]), "direction of q"),
        (lambda s: s.derivative("inverse_dynamics", *X, by="q", weights=[1, 2, 3]), "weights must"),
        (lambda s: s.time_derivative("inverse_dynamics", *X), "takes q and 3 of v"),
        (lambda s: s.time_derivative("inverse_dynamics", *X, order=0), "from 1 on"),
        (lambda s: s.time_derivative("forward_dynamics", *X), "is a function of q, v, tau"),
    ],
)
def test_mistakes_are_named(ask, message):
    """Check what a wrong request is told."""
    with pytest.raises((ps.PoinsotError, TypeError), match=message):
        ask(ps.library.double_pendulum())


X = ([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])


def test_derivatives_are_exported():
    """Run an exported derivative and its C-like kin: the same numbers as ``derivative`` gives."""
    system = ps.library.puma560()
    q, v, a = RNG.normal(size=(3, 6))
    sources = system.export("python", ["inverse_dynamics by q", "pose:link 6 by q q"], name="arm")
    module = {}
    exec(sources["arm.py"], module)
    expected = system.derivative("inverse_dynamics", q, v, a, by="q")
    assert_allclose(module["inverse_dynamics_by_q"](q, v, a), expected, atol=1e-11)
    second = system.derivative("pose", q, by=("q", "q"), body="link 6")
    assert_allclose(module["pose_link_6_by_q_q"](q), second, atol=1e-12)
    assert "tau_by_v[6][6]" in system.export("c", "inverse_dynamics by v")["PUMA_560.h"]
    with pytest.raises(ps.PoinsotError, match="by 'w'; known are 'q', 'v'"):
        system.export("c", "inverse_dynamics by w")


def test_the_point_of_a_quantity():
    """Check that it may be given by name, that it is the origin by default, and mistakes."""
    arm = ps.library.double_pendulum()
    q, v = [0.3, 0.1], [1.0, 2.0]
    tip = (0.0, 0.0, -1.0)
    by_name = arm.derivative("jacobian", q, by="q", body="lower", point=tip)
    assert_allclose(by_name, arm.derivative("jacobian", q, tip, by="q", body="lower"))
    origin = arm.derivative("velocity", q, v, by="v", body="lower")
    assert_allclose(origin, arm.jacobian("lower", q))
    assert_allclose(
        arm.evaluate("velocity", q, v, body="lower", point=tip),
        arm.velocity("lower", q, v, point=tip),
    )
    with pytest.raises(TypeError, match="inverse_dynamics has no point; it is a function of q, v"):
        arm.derivative("inverse_dynamics", q, v, v, by="q", point=tip)
    with pytest.raises(TypeError, match="velocity is a function of q, v, point, got 4 arrays"):
        arm.evaluate("velocity", q, v, tip, body="lower", point=tip)
