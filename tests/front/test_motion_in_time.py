"""Time derivatives of forces where more than the joints moves: the base, further states, time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.evaluate import derivative_kernel
from poinsot.spatial import cross
from tests.front.test_every_derivative import WEIGHTS
from tests.front.test_exported_derivatives import module

polynomial = np.polynomial.polynomial
STEP = 5e-3
T0 = 0.3


def moving(rng, rows, degree):
    """Return a function (t, k) -> k-th derivative of random polynomials, shape (rows,)."""
    each = 0.7 * rng.normal(size=(rows, degree + 1))

    def value(t, k):
        return np.array([polynomial.polyval(t, polynomial.polyder(c, k)) for c in each])

    return value


def turned(start, velocity, t):
    """Return the pose at t of a base with a rotation at T0: dR/dt = R [w×]."""
    pose = np.eye(4)
    pose[:3, :3] = start
    if t == T0:
        return pose

    def rate(time, y):
        w = velocity(time, 0)[3:]
        return np.stack([cross(w, row) * -1.0 for row in y.reshape(3, 3)]).ravel()

    run = solve_ivp(rate, (T0, t), start.ravel(), method="DOP853", rtol=1e-13, atol=1e-14)
    pose[:3, :3] = run.y[:, -1].reshape(3, 3)
    return pose


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "bias"])
def test_a_base_that_moves_is_followed(quantity):
    """Compare with differences of the forces over a motion of joints and base, R integrated."""
    system, rng = ps.library.rrp_arm(), np.random.default_rng(3)
    q, V = moving(rng, system.nv, 6), moving(rng, 6, 4)
    start = Rotation.from_rotvec([0.3, -0.5, 0.2]).as_matrix()
    depends = 3 if quantity == "inverse_dynamics" else 2

    def base(t):
        return ps.BaseMotion(turned(start, V, t), V(t, 0), V(t, 1))

    def rate(t, order=1):
        motion = [q(t, k) for k in range(depends + order)]
        return system.time_derivative(
            quantity, *motion, order=order, base=base(t),
            base_rates=[V(t, 1 + k) for k in range(1, order + 1)],
        )  # fmt: skip

    def force(t):
        return system.evaluate(quantity, *(q(t, k) for k in range(depends)), base=base(t))

    for found, function in (
        (rate(T0), force),
        (rate(T0, 2), rate),
        (rate(T0, 3), lambda t: rate(t, 2)),
    ):
        differences = [
            w * (function(T0 + k * STEP) - function(T0 - k * STEP)) for k, w in WEIGHTS.items()
        ]
        expected = sum(differences) / STEP
        assert_allclose(found, expected, atol=1e-8 * (1 + np.abs(expected).max()))


@pytest.mark.parametrize("rolled", [False, True])
def test_all_parts_of_a_rate(rolled, monkeypatch):
    """Check that it is the sum of derivatives along each rate, also as a rolled program."""
    form, made = derivative_kernel._rolled_tangent, []
    spy = lambda *given: made.append(given) or form(*given)  # noqa: E731
    monkeypatch.setattr(derivative_kernel, "_rolled_tangent", spy)
    if rolled:
        monkeypatch.setattr(derivative_kernel, "LONGEST_ROLLABLE", 100)
    system, rng = ps.library.n_link_pendulum(9 + rolled), np.random.default_rng(0)
    q, v, a, jerk = rng.normal(size=(4, system.nv))
    velocity, acceleration, base_jerk = rng.normal(size=(3, 6))
    base = ps.BaseMotion(velocity=velocity, acceleration=acceleration)
    gravity = np.array([0.0, 0.0, -9.81])
    of_base = np.concatenate([-cross(velocity[3:], gravity), acceleration, base_jerk])
    rates = {"q": v, "v": a, "a": jerk, "base": of_base}
    expected = sum(
        system.derivative("inverse_dynamics", q, v, a, by=by, along=rate, base=base)
        for by, rate in rates.items()
    )
    found = system.time_derivative(
        "inverse_dynamics", q, v, a, jerk, base=base, base_rates=[base_jerk]
    )
    assert_allclose(found, expected, atol=1e-10 * np.abs(expected).max())
    assert bool(made) == rolled
    many = system.time_derivative(
        "inverse_dynamics", np.stack([q, 2 * q]), v, a, jerk, base=base, base_rates=[base_jerk]
    )
    assert_allclose(many[0], found, atol=1e-10 * np.abs(expected).max())


def valve():
    """Return a cart pushed by a pressure, a further state that leaks and is refilled."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    pressure = ps.State("pressure", rate="-2*pressure + v.cart + sin(3*t)", initial=1.0)
    push = ps.JointForce("cart", "4*pressure*cos(q)")
    return ps.System("valve", [cart], forces=[push], states=[pressure])


def test_further_states_change_at_their_rates():
    """Compare with differences of the force along x(t), the pressure integrated with it."""
    system, x = valve(), moving(np.random.default_rng(1), 1, 5)

    def pressure(t):
        if t == T0:
            return 0.8
        law = lambda t, p: [-2 * p[0] + x(t, 1)[0] + np.sin(3 * t)]  # noqa: E731
        return solve_ivp(law, (T0, t), [0.8], method="DOP853", rtol=1e-13, atol=1e-14).y[0, -1]

    def force(t):
        state = {"pressure": pressure(t)}
        return system.inverse_dynamics(x(t, 0), x(t, 1), x(t, 2), t=t, states=state)

    def rate(t, order=1):
        motion = [x(t, k) for k in range(3 + order)]
        state = {"pressure": pressure(t)}
        return system.time_derivative("inverse_dynamics", *motion, order=order, t=t, states=state)

    for found, function in ((rate(T0), force), (rate(T0, 2), rate)):
        differences = [
            w * (function(T0 + k * STEP) - function(T0 - k * STEP)) for k, w in WEIGHTS.items()
        ]
        assert_allclose(found, sum(differences) / STEP, rtol=1e-8)


def test_rates_that_forces_enter_are_refused():
    """Check that a state whose rate needs joint forces is named: a motion has none."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    current = ps.State("current", rate="tau.cart - current", initial=1.0)
    push = ps.JointForce("cart", "4*current")
    system = ps.System("drive", [cart], forces=[push], states=[current])
    with pytest.raises(ps.ModelError, match="the rate of state 'current' depends on joint forces"):
        system.time_derivative("inverse_dynamics", [0.1], [0.2], [0.3], [0.4])
    pose = system.time_derivative("pose", [0.1], [0.2], body="cart")  # no state in it
    assert_allclose(pose[:3, 3], [0.2, 0, 0])


def test_exported_rates_follow_the_base():
    """Compare the exported function, whose last inputs are rates of the acceleration."""
    system, rng = ps.library.double_pendulum(), np.random.default_rng(2)
    functions = module(system, ["d/dt inverse_dynamics"], base=True)
    q, v, a, jerk = rng.normal(size=(4, 2))
    base = ps.BaseMotion(velocity=rng.normal(size=6), acceleration=rng.normal(size=6))
    more = rng.normal(size=6)
    found = functions["inverse_dynamics_dt"](q, v, a, base.numbers(system.gravity), jerk, more)
    wanted = system.time_derivative("inverse_dynamics", q, v, a, jerk, base=base, base_rates=[more])
    assert_allclose(found, wanted, rtol=1e-10)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"base_rates": [np.zeros(6)]}, "base_rates are of a motion of the base: give base="),
        ({"base": ps.BaseMotion(), "base_rates": [np.zeros(6)] * 2}, "not more than 1 base_rates"),
        (
            {"base": ps.BaseMotion(), "base_rates": [np.zeros(5)]},
            r"\[0\] must have shape \(..., 6\)",
        ),
        ({"base": ps.BaseMotion(), "base_rates": np.zeros(6)}, "base_rates is a list of rates"),
    ],
)
def test_mistakes_are_named(how, message):
    """Check what is said of rates that fit no motion of the base."""
    system = ps.library.double_pendulum()
    with pytest.raises(ps.PoinsotError, match=message):
        system.time_derivative("inverse_dynamics", *np.zeros((4, 2)), **how)
