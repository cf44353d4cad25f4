"""Derivatives of orders 1 to 4 by independent routes, on random systems."""

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.request import request_for
from poinsot.evaluate.trace import trace
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.front.test_derivatives_in_50_digits import DIGITS, STEP, in_digits
from tests.front.test_every_derivative import WEIGHTS, carried
from tests.random_examples import examples
from tests.strategies import cases

SLOW = {"backend": "interpreter"}
H = 2.0**-6


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=3, passive=False), st.integers(0, 2**32 - 1))
def test_second_and_third_derivatives_of_the_mass_matrix(case, seed):
    """Compare differentiation of the graph with products of screws, in entries by chance."""
    system = ps.System.from_mechanism(case.mechanism).without_passive()
    assume(system.nv)
    vectors, unit = system.coefficient_vectors(case.q), np.eye(system.nv)
    rng, n = np.random.default_rng(seed), range(system.nv)
    for order in (2, 3):
        by = rng.integers(system.nv, size=(4, order))
        along = [unit[by[:, k]] for k in range(order)]
        q = np.tile(case.q, (4, 1))
        found = system.derivative("mass_matrix", q, by=("q",) * order, along=along, **SLOW)
        expected = np.array([[[vectors.a(i, j, t.tolist()) for j in n] for i in n] for t in by])
        assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))


@pytest.mark.slow
@settings(
    max_examples=examples(6), deadline=None,
    suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
)  # fmt: skip
@given(closed_cases(4, 1, min_bodies=2), st.integers(0, 2**32 - 1))
def test_closed_systems_are_their_differences(case, seed):
    """Compare accelerations and multipliers of random closures, along motions they allow."""
    assume_well_posed(case)
    system, rng = ps.System.from_mechanism(case.mechanism), np.random.default_rng(seed)
    J = system.constraint_jacobian(case.q, t=case.t, **SLOW)
    values, right = np.linalg.svd(J)[1:]
    rank = int((values > 1e-8 * values[0]).sum())
    assume(values[rank - 1] > 1e-2 * values[0])
    assume(np.linalg.cond(system.mass_matrix(case.q, **SLOW)) < 1e4)
    u = rng.normal(size=system.nv)
    if rank < len(J):  # rows that are redundant stay so where the constraints hold
        assume(rank < system.nv)
        u = right[rank:].T @ rng.normal(size=system.nv - rank)
    for name in ("forward_dynamics", "multipliers"):
        rest = case.v, case.tau
        found = system.derivative(name, case.q, *rest, by="q", along=u, t=case.t, **SLOW)
        errors = []
        for h in (1e-3, 1e-4):  # near a state that has no number the larger one is too large
            moved = {k: system.integrate(case.q, k * h * u) for k in range(-4, 5)}
            f = {k: system.evaluate(name, x, *rest, t=case.t, **SLOW) for k, x in moved.items()}
            difference = sum(w * (f[k] - f[-k]) for k, w in WEIGHTS.items()) / h
            errors.append(np.abs(found - difference).max() / (1 + np.abs(found).max()))
        assert min(errors) < 1e-6, name


def along_integrate(program, rates, inputs, nq, nv, order):
    """Return D_α ... D_β f along integrate by nested central differences, in many digits."""
    if order == 0:
        return in_digits(program, inputs)
    columns = []
    for k in range(nv):
        unit = [mpmath.mpf(int(k == j)) for j in range(nv)]
        rate = in_digits(rates, [*inputs[:nq], *unit])
        ends = [
            along_integrate(
                program, rates,
                [x + sign * STEP * r for x, r in zip(inputs[:nq], rate, strict=True)]
                + list(inputs[nq:]), nq, nv, order - 1,
            )
            for sign in (1, -1)
        ]  # fmt: skip
        columns.append((ends[0] - ends[1]) / (2 * STEP))
    return np.stack(columns, axis=1)  # [f, α, ...]: the last derivative first


@pytest.mark.parametrize("order", [1, 2, 3])
def test_quaternions_in_many_digits(order):
    """Check a ball joint with a hinge on it: kinetic energy, along integrate."""
    kw = {"mass": 1.3, "com": (0.1, 0.2, -0.3), "inertia": (0.3, 0.4, 0.5)}
    ball = ps.Body("ball", joint=ps.Spherical(), **kw)
    arm = ps.Body("arm", "ball", ps.Revolute("y"), ps.Pose((0.1, 0, -0.4)), **kw)
    system, rng = ps.System("ball and arm", [ball, arm]), np.random.default_rng(2)
    q, v = system.random(rng), rng.normal(size=4)
    program = trace(system.mechanism, request_for("bias"))
    rates = trace(system.mechanism, request_for("position_rate"))
    with mpmath.workdps(DIGITS):
        inputs = [mpmath.mpf(float(x)) for x in (*q, *v)]
        expected = along_integrate(program, rates, inputs, system.nq, system.nv, order)
    expected = expected.astype(float)
    found = system.derivative("bias", q, v, by=("q",) * order)
    assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("by", [("l",), ("l", "l"), ("l", "q"), ("q", "l", "m")])
def test_parameters_in_many_digits(by):
    """Check a double pendulum with a free length and mass, mixed with q."""
    m, l = ps.symbols("m l")
    upper = ps.Body("upper", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -l))
    lower = ps.Body("lower", "upper", ps.Revolute("y"), ps.Pose((0, 0, -l)), m, (0, 0, -l * l))
    numbers = {"m": 1.7, "l": 0.6}
    system = ps.System("two", [upper, lower], parameters=numbers, free=list(numbers))
    state = np.random.default_rng(3).normal(size=(3, 2))
    program = trace(system.mechanism, request_for("inverse_dynamics"))
    entries = {"q": [0, 1], "l": [-1], "m": [-2]}

    def differences(inputs, names):
        if not names:
            return in_digits(program, inputs)
        columns = []
        for k in entries[names[0]]:
            ends = []
            for sign in (1, -1):
                moved = list(inputs)
                moved[k] = moved[k] + sign * STEP
                ends.append(differences(moved, names[1:]))
            columns.append((ends[0] - ends[1]) / (2 * STEP))
        return np.stack(columns, axis=1) if names[0] == "q" else columns[0]

    with mpmath.workdps(DIGITS):
        inputs = [mpmath.mpf(float(x)) for x in (*state.ravel(), *numbers.values())]
        expected = differences(inputs, by).astype(float)
    found = system.derivative("inverse_dynamics", *state, by=by)
    assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))


def test_the_fourth_order_in_many_digits():
    """Check directional products of order four, of directions that differ."""
    system, rng = ps.library.rrp_arm(), np.random.default_rng(5)
    q, v, a, *along = rng.normal(size=(7, system.nv))
    program = trace(system.mechanism, request_for("inverse_dynamics"))
    with mpmath.workdps(80):
        step = mpmath.mpf(10) ** -12  # fourth differences lose 48 digits
        total = 0
        for signs in np.ndindex(2, 2, 2, 2):
            sign = [1 - 2 * s for s in signs]
            moved = [
                mpmath.mpf(float(x))
                + step * sum(s * mpmath.mpf(float(u[k])) for s, u in zip(sign, along, strict=True))
                for k, x in enumerate(q)
            ]
            inputs = [*moved, *(mpmath.mpf(float(x)) for x in (*v, *a))]
            total = total + int(np.prod(sign)) * in_digits(program, inputs)
        expected = (total / (2 * step) ** 4).astype(float)
    found = system.derivative("inverse_dynamics", q, v, a, by=("q",) * 4, along=along)
    assert_allclose(found, expected, atol=1e-10 * (1 + np.abs(expected).max()))
    lower = system.derivative("inverse_dynamics", q, v, a, by=("q",) * 4, along=(*along[:3], None))
    assert_allclose(lower @ along[3], expected, atol=1e-10 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
def test_wrenches_and_base(quantity):
    """Compare derivatives by a wrench and by the motion of the base with differences."""
    system, state = carried()
    rng = np.random.default_rng(1)
    wrench, push, velocity, acceleration, *moved = rng.normal(size=(6, 6))
    given = state["q"], state["v"], state["a" if quantity == "inverse_dynamics" else "tau"]
    base = lambda s: ps.BaseMotion(  # noqa: E731
        velocity=velocity + s * moved[0], acceleration=acceleration + s * moved[1]
    )
    numbers = [np.ravel(base(s).numbers(system.gravity)) for s in (0, 1)]
    for found, f in (
        (
            system.derivative(
                quantity, *given, by="wrenches", along=push, wrenches={"arm": wrench}
            ),
            lambda s: system.evaluate(quantity, *given, wrenches={"arm": wrench + s * push}),
        ),
        (
            system.derivative(
                quantity, *given, by="base", along=numbers[1] - numbers[0], base=base(0)
            ),
            lambda s: system.evaluate(quantity, *given, base=base(s)),
        ),
    ):
        h = 2e-3
        expected = sum(w * (f(k * h) - f(-k * h)) for k, w in WEIGHTS.items()) / h
        assert_allclose(found, expected, atol=1e-9 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize(
    ("formula", "slope"),
    [
        ("max(q, 2*q)", 1.0),
        ("max(2*q, q)", 2.0),
        ("min(q, 2*q)", 1.0),
        ("min(3*q, q)", 3.0),
        ("select(q > 0, q, 2*q)", 2.0),
        ("select(q >= 0, q, 2*q)", 1.0),
        ("abs(q)", 0.0),
        ("sign(q)", 0.0),
    ],
)
def test_kinks_take_the_documented_side(formula, slope):
    """Differentiate where both sides are equal: the first argument, the branch that is taken."""
    body = ps.Body("door", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0))
    door = ps.System("door", [body], forces=[ps.JointForce("door", f"-({formula})")])
    by_q = door.derivative("inverse_dynamics", [0.0], [0.0], [0.0], by="q")
    assert_allclose(by_q, [[slope]], atol=1e-15)
    assert_allclose(door.inverse_dynamics_derivatives([0.0], [0.0], [0.0])[0], [[slope]])
    batch = door.derivative("inverse_dynamics", np.zeros((9, 1)), [0.0], [0.0], by="q")
    assert_allclose(batch.ravel(), slope, atol=1e-15)


@pytest.mark.parametrize(("limits", "q"), [((-1.0, 0.5), 0.5), ((-1.0, 0.5), -1.0)])
def test_stops_have_a_slope_of_one_side(limits, q):
    """Check that a linear stop just touched has the slope of one of its sides: 0 or k."""
    body = ps.Body("door", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0))
    door = ps.System("door", [body], forces=[ps.JointStop("door", *limits, stiffness=70.0)])
    slopes = [
        float(door.derivative("inverse_dynamics", [x], [0.0], [0.0], by="q")[0, 0])
        for x in (q - 1e-9, q, q + 1e-9)
    ]
    assert sorted((slopes[0], slopes[2])) == pytest.approx([0.0, 70.0])
    assert min(abs(slopes[1] - slopes[0]), abs(slopes[1] - slopes[2])) < 1e-9


def test_friction_at_rest_has_the_slope_of_its_smoothing():
    """Compare the derivative by v at rest with a difference inside the smoothed velocity."""
    body = ps.Body("slide", joint=ps.Prismatic("x"), mass=1.0)
    rough = ps.System("rough", [body], forces=[ps.JointFriction("slide", 3.0, smoothing=0.01)])
    slope = rough.derivative("inverse_dynamics", [0.0], [0.0], [0.0], by="v")
    h = 1e-6
    ends = [rough.inverse_dynamics([0.0], [x], [0.0]) for x in (h, -h)]
    assert_allclose(slope, [(ends[0] - ends[1]) / (2 * h)], rtol=1e-5)
    assert slope[0, 0] > 100.0


@pytest.mark.parametrize("n", [3, 7])
def test_inertial_parameters_are_columns_of_the_regressor(n):
    """Compare derivatives by masses, centres and inertias with Y dπ/dp, in which π is exact."""
    free, bodies = {}, []
    for k in range(n):
        names = [f"m{k}", f"c{k}", f"J{k}"]
        m, c, J = ps.symbols(" ".join(names))
        free |= dict(zip(names, (1.0 + 0.1 * k, 0.3, 0.2), strict=True))
        bodies.append(
            ps.Body(
                f"b{k}", f"b{k - 1}" if k else "world", ps.Revolute("zyx"[k % 3], damping=0.2),
                ps.Pose((0, 0.1, 0.3)), m, (0.1, 0.02, c), (0.3, J, 0.25),
            )
        )  # fmt: skip
    system = ps.System("arm", bodies, parameters=free, free=list(free))
    state = np.random.default_rng(n).normal(size=(3, n))
    Y = system.regressor(*state)
    found = system.derivative("inverse_dynamics", *state, by="parameters")
    for column, (name, value) in zip(found.T, free.items(), strict=True):
        ends = [system.inertial_parameters(parameters={name: value + s}) for s in (H, -H)]
        expected = Y @ (ends[0] - ends[1]) / (2 * H)  # of a polynomial of degree two
        assert_allclose(column, expected, atol=1e-12 * (1 + np.abs(expected).max()), err_msg=name)
