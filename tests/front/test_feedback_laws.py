"""Laws beside programmed motion: gains, force control, impedance, LQR, limits, sampling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import solve_continuous_are

import poinsot as ps

ARM = ps.library.double_pendulum()
HAND = ARM.body_names[-1]
POINT = (0.0, 0.0, -1.0)
Q, V = np.array([0.4, 0.9]), np.array([0.3, -0.5])


def led(formulas, name="hand"):
    """Return a programme of the hand's coordinates."""
    return ps.FormulaConstraint(
        name, formulas, {x: (HAND, POINT, x) for x in "xz" if any(x in f for f in formulas)}
    )


def rows(law, t=0.0, q=Q, v=V):
    """Return f, its rate, Γ, γ and Λ of the programme of a law."""
    state = law.at(t, q, v)
    J = state.jacobian
    return state, np.linalg.inv(J @ np.linalg.solve(ARM.mass_matrix(q), J.T))


def test_gains_by_frequency_and_by_weights_are_closed_forms():
    """ω², 2 ζ ω; sqrt(q/s) and sqrt(r/s + 2 sqrt(q/s)) of the double integrator."""
    path = led(["x - 0.3", "z + 1.5"])
    law = ps.control(ARM, path, frequency=[4.0, 5.0], damping_ratio=0.7)
    assert_allclose(law.position_gain, np.diag([16.0, 25.0]))
    assert_allclose(law.rate_gain, np.diag([5.6, 7.0]))
    law = ps.control(ARM, path, weights=(16.0, 1.0, 0.25))
    assert_allclose(law.position_gain, 8.0 * np.eye(2), atol=1e-9)
    assert_allclose(law.rate_gain, np.sqrt(20.0) * np.eye(2), atol=1e-9)
    with pytest.raises(ps.ModelError, match="or frequency, or weights"):
        ps.control(ARM, path, frequency=4.0, poles=(-1, -2))


def test_the_weighted_law_is_operational_space_control():
    """tau = b + Γᵀ Λ (x'' wanted - γ) [Khatib 1987]."""
    law = ps.control(ARM, led(["x - 0.3*t"]), position_gain=9.0, rate_gain=6.0, weighted=True)
    state, inertia = rows(law)
    force = inertia @ (-9.0 * state.f - 6.0 * state.rate - state.bias)
    expected = ARM.inverse_dynamics(Q, V, np.zeros(2)) + state.jacobian.T @ force
    assert_allclose(state.tau, expected, rtol=1e-10)


def test_a_hand_presses_against_a_wall_and_moves_along_it():
    """Hybrid control: the wall's multiplier is the wanted one, and the hand follows its path."""
    wall, path = led(["x - 0.8"], "wall"), led(["z + 1.5 - 0.1*sin(t)"], "path")
    law = ps.control(ARM, [wall, path], poles=(-5, -6), reactions={"wall": -20.0})
    plant = ps.System("arm at a wall", ARM.bodies, constraints=[wall])
    q = plant.assemble(Q)
    run = ps.simulate(plant, q, plant.consistent_velocity(q, np.zeros(2)), 2.0, tau=law)
    pressed = plant.multipliers(run.q[-1], run.v[-1], tau=law(run.t[-1], run.q[-1], run.v[-1]))
    assert_allclose(pressed.values, [-20.0], rtol=1e-6)
    assert np.abs(law.at(run.t[-1], run.q[-1], run.v[-1]).f).max() < 1e-3
    with pytest.raises(ps.ModelError, match="'wall'"):
        ps.control(ARM, [wall], poles=(-5, -6), reactions={"wal": 1.0})


def test_impedance_is_a_spring_and_damper_at_the_hand():
    """Λ f'' + D f' + K f = h of a force h at the hand, at any state; the free motion is u's."""
    programme = led(["x - 0.3"])
    law = ps.impedance(ARM, programme, stiffness=200.0, damping=30.0, redundancy=[0.5, -0.2])
    state, inertia = rows(ps.control(ARM, programme, poles=(-1, -2)))
    h = np.array([7.0, 0.0, 3.0])
    J = ARM.jacobian(HAND, Q, POINT, axes="world")[:3]
    a = ARM.forward_dynamics(Q, V, np.asarray(law(0.0, Q, V)) + J.T @ h)
    rate2 = state.jacobian @ a + state.bias
    outer = state.jacobian @ np.linalg.solve(ARM.mass_matrix(Q), J.T @ h)
    assert_allclose(inertia @ (rate2 - outer) + 30.0 * state.rate + 200.0 * state.f, 0.0, atol=1e-9)
    null = np.linalg.svd(state.jacobian)[2][1]
    push = np.linalg.solve(ARM.mass_matrix(Q), J.T @ h)
    # beyond what h and the rows do, accelerations are u: they differ by M⁻¹ Γᵀ times a force
    gap = ARM.mass_matrix(Q) @ (a - push - np.array([0.5, -0.2]))
    assert abs(null @ gap) < 1e-9
    with pytest.raises(ps.ModelError, match="stiffness must not be negative"):
        ps.impedance(ARM, programme, stiffness=-1.0, damping=1.0)
    with pytest.raises(ps.ModelError, match="stiffness must be finite, got None"):
        ps.impedance(ARM, programme, stiffness=None, damping=1.0)
    with pytest.raises(ps.ModelError, match="wanted must have"):
        ps.pd_gravity(ARM, [0.1], position_gain=1.0, rate_gain=1.0)
    with pytest.raises(ps.ModelError, match="the system first, then its law"):
        ps.sampled_law(law, ARM, every=0.01)
    with pytest.raises(ps.ModelError, match="the law first, then the system"):
        ps.noisy_law(ARM, law, 1.0)
    with pytest.raises(ps.ModelError, match="effort has 5 numbers"):
        ps.limited_law(law, np.ones(5))(0.0, Q, V)
    with pytest.raises(ps.ModelError, match="radius must not be negative"):
        ps.away_from_obstacle(ARM, HAND, POINT, (1, 0, 0), radius=-0.1)


def test_held_forces_are_limited_and_piecewise_constant():
    """Gravity compensation with small motors, sampled at 200 Hz: it arrives, within limits."""
    law = ps.pd_gravity(ARM, [0.3, -0.2], position_gain=[80, 30], rate_gain=[30, 8])
    assert_allclose(law(0.0, np.array([0.3, -0.2]), np.zeros(2)), ARM.gravity_force([0.3, -0.2]))
    cut = ps.limited_law(law, [25.0, 9.0])
    digital = ps.sampled_law(ARM, cut, every=0.005)
    run = ps.simulate(digital, [-0.4, 0.5], [0.0, 0.0], 6.0)
    assert_allclose(run.q[-1], [0.3, -0.2], atol=1e-3)
    names = list(digital.states)
    forces = np.array([run.evaluate(name, t=np.linspace(0.0, 5.9, 400)) for name in names])
    assert (np.abs(forces.T) <= [25.0, 9.0]).all()
    assert np.abs(forces).max() > 8.9
    assert np.ptp(run.evaluate(names[0], t=[1.0001, 1.0049])) == 0.0


def test_noise_reaches_the_law_and_no_more():
    """A law that returns what it is told: errors have their deviations, and are held."""
    told = ps.noisy_law(lambda t, q, v: np.concatenate([q, v]), ARM, 20.0, position=0.1, rate=0.5)
    states = np.array([told(t, Q, V) for t in np.arange(0.005, 20.0, 0.01)]) - [*Q, *V]
    assert_allclose(states.std(axis=0), [0.1, 0.1, 0.5, 0.5], rtol=0.1)
    assert_allclose(states.mean(axis=0), 0.0, atol=0.05)
    assert_allclose(told(0.011, Q, V), told(0.019, Q, V))
    law = ps.pd_gravity(ARM, [0.3, -0.2], position_gain=[80, 30], rate_gain=[30, 8])
    noisy = ps.noisy_law(law, ARM, 2.0, position=1e-3)
    run = ps.simulate(ARM, [0.3, -0.2], [0.0, 0.0], 2.0, tau=noisy)
    assert 0.0 < np.abs(run.q - [0.3, -0.2]).max() < 0.01


def test_lqr_of_known_systems():
    """K = (1, sqrt 3) of a block; a pole on a cart stands; what cannot be held is named."""
    block = ps.System("block", [ps.Body("block", joint=ps.Prismatic("x"), mass=1.0)])
    law = ps.lqr(block, [0.0])
    assert_allclose(law.gain, [[1.0, np.sqrt(3.0)]])
    assert_allclose(law(0.0, np.array([0.5]), np.array([0.1])), [-0.5 - 0.1 * np.sqrt(3.0)])
    cart = ps.library.cart_pole()
    upright = [0.0, np.pi]
    law = ps.lqr(cart, upright, joints=[cart.joint_names[0]], state_weight=[1, 10, 1, 1])
    run = ps.simulate(cart, [0.1, np.pi + 0.2], [0.0, 0.0], 12.0, tau=law)
    assert_allclose(run.q[-1], upright, atol=2e-3)
    with pytest.raises(ps.ModelError, match="not in equilibrium"):
        ps.lqr(cart, [0.0, 0.5], joints=[cart.joint_names[0]])


def test_lqr_along_a_run():
    """Long before the end of a run at rest, gains are those at rest; a motion is followed."""
    rest = ps.simulate(ARM, [0.0, 0.0], [0.0, 0.0], 6.0)
    law = ps.lqr(rest, samples=11, state_weight=100.0)
    model = ps.linearize(ARM, [0.0, 0.0])
    P = solve_continuous_are(model.A, model.B, 100.0 * np.eye(4), np.eye(2))
    assert_allclose(law.gain(0.0).reshape(2, 4), model.B.T @ P, atol=1e-5)
    swing = ps.simulate(ARM, [1.0, 0.4], [0.0, 0.0], 1.0)
    law = ps.lqr(swing, state_weight=[1e4, 1e4, 1, 1], samples=41)
    near = ps.simulate(ARM, [1.05, 0.35], [0.1, 0.0], 1.0, tau=law)
    free = ps.simulate(ARM, [1.05, 0.35], [0.1, 0.0], 1.0)
    off, off_free = (np.abs(run.q[-1] - swing.q[-1]).max() for run in (near, free))
    assert off < 0.1 * off_free


def test_free_motion_is_centred_and_kept_from_limits():
    """A three-joint arm, one row: joints go where the row lets them; and out of the margin."""
    limits = ps.Limits(position=(-1.0, 2.0))
    bodies, parent = [], "world"
    for name, x in (("a", 0), ("b", 1), ("c", 1)):
        joint = ps.Revolute("z", limits=limits)
        bodies.append(ps.Body(name, parent, joint, ps.Pose((x, 0, 0)), mass=1.0, com=(0.5, 0, 0)))
        parent = name
    arm = ps.System("arm", bodies, gravity=(0, 0, 0))
    tip = ps.FormulaConstraint("tip", ["y - 1.5"], {"y": ("c", (1, 0, 0), "y")})
    law = ps.control(arm, tip, poles=(-4, -5), redundancy=ps.centring(arm))
    run = ps.simulate(arm, [0.9, -0.5, 0.2], np.zeros(3), 8.0, tau=law)
    state = law.at(0.0, run.q[-1], run.v[-1])
    null = np.linalg.svd(state.jacobian)[2][1:]
    assert_allclose(null @ (run.q[-1] - 0.5), 0.0, atol=1e-4)  # 0.5: the middle of the limits
    centre = np.array([0.6, 1.0, 0.0])
    push = ps.away_from_obstacle(arm, "b", (1, 0, 0), centre, margin=1.0, strength=3.0)
    q, h = np.array([0.9, -0.5, 0.2]), 1e-6

    def distance(q):
        return np.linalg.norm(arm.pose("b", q)[:3] @ [1, 0, 0, 1] - centre)

    slope = [(distance(q + h * e) - distance(q - h * e)) / (2 * h) for e in np.eye(3)]
    expected = 3.0 * (1.0 - distance(q)) * np.array(slope)
    assert_allclose(push(0.0, q, np.zeros(3)), expected, atol=1e-8)
    away = ps.away_from_limits(arm, strength=2.0, margin=0.5)
    u = away(0.0, np.array([-1.0, 0.5, 1.75]), np.zeros(3))
    assert_allclose(u, [2.0, 0.0, -0.5])
