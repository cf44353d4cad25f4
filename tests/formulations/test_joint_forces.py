"""Force elements that act along joints: laws of mechanics, closed forms, every formulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.optimize import brentq

import poinsot as ps
from poinsot.evaluate.formulation import FORMULATIONS
from poinsot.expr import build, fresh_symbols, tangent
from poinsot.expr.replay import replay
from poinsot.formulations.energy import kinetic_energy, potential_energy
from poinsot.formulations.forces import element_energy, element_joint_forces
from poinsot.library import double_pendulum
from tests.formulations.loaded import random_joint_forces, slider, system_with, with_forces
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case

STEP = 1e-6


@settings(max_examples=examples(5))
@given(cases(max_bodies=8))
def test_springs_and_stops_are_the_gradient_of_their_energy(case):
    """Compare the power of tables and stops with the rate of their energy by differences."""
    m = with_forces(case.mechanism, random_joint_forces(case, conservative=True))
    if not m.forces:
        return
    rate = ps.System("tree", m.bodies).position_rate(case.q, case.v, backend="interpreter")
    up, down = (element_energy(m, case.q + s * STEP * rate) for s in (1, -1))
    power = element_joint_forces(m, case.q, case.v, 0.0) @ case.v
    size = 1.0 + abs(power) + abs(up) + np.abs(case.v).max() ** 2 * 60.0
    assert abs((up - down) / (2 * STEP) + power) <= 1e-6 * size


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=4, passive=False))
def test_energy_changes_by_the_power_of_what_is_not_stored(case):
    """Check d(T + V)/dt = power of drives, motors, friction and dampers, by exact tangents."""
    every, kept = random_joint_forces(case), random_joint_forces(case, conservative=True)
    system = system_with(case.mechanism, [*every, *kept])
    m, slow = system.mechanism, {"backend": "interpreter"}
    a = system.forward_dynamics(case.q, case.v, case.tau, t=0.4, **slow)
    rate = system.position_rate(case.q, case.v, **slow)
    loaded = with_forces(case.mechanism, every)
    change = rate_along(
        lambda q, v: kinetic_energy(m, q, v) + potential_energy(m, q), (case.q, case.v), (rate, a)
    )
    stored = rate_along(lambda q: element_energy(loaded, q), (case.q,), (rate,))
    along = element_joint_forces(loaded, case.q, case.v, 0.4)
    power = case.tau @ case.v + (0.0 if along is None else along @ case.v) + stored
    size = np.abs(case.tau) @ np.abs(case.v) + abs(change) + abs(power)
    size += np.abs(system.mass_matrix(case.q, **slow) @ a) @ np.abs(case.v)
    assert abs(change - power) <= 1e-9 * size


def rate_along(function, values, rates):
    """Return the derivative of a function of arrays along a direction, by an exact tangent."""
    symbols = [fresh_symbols("x", len(value)) for value in values]
    inputs = {f"x{k}": array for k, array in enumerate(symbols)}
    along = np.concatenate(symbols), np.concatenate(rates)
    program = build(inputs, {"y": tangent(function(*symbols), *along)})
    return float(replay(program, *values)[0])


@pytest.mark.parametrize("method", sorted(FORMULATIONS))
def test_every_formulation_takes_them(method):
    """Compare every formulation with the bare tree under the same forces as tau."""
    case = random_case(7, 6)
    system = system_with(case.mechanism, random_joint_forces(case))
    bare = system_with(case.mechanism, [])
    along = element_joint_forces(system.mechanism, case.q, case.v, 0.7)
    assert np.abs(along).max() > 0.1
    options = {"method": method, "t": 0.7}
    bias = system.bias(case.q, case.v, **options)
    assert_agree(bias, bare.bias(case.q, case.v) - along, 1e-12)
    tau = system.inverse_dynamics(case.q, case.v, case.a, **options)
    assert_agree(tau, bare.inverse_dynamics(case.q, case.v, case.a) - along, 1e-12)
    a = system.forward_dynamics(case.q, case.v, case.tau, **options)
    assert_agree(a, bare.forward_dynamics(case.q, case.v, case.tau + along), 1e-9)


def test_verify_includes_them():
    """Run all of verify on a pendulum with a motor, stops, friction, a table and a law."""
    pendulum = double_pendulum()
    first, second = pendulum.joint_names
    system = ps.System(
        "driven", pendulum.bodies, gravity=pendulum.gravity, parameters={"kp": 3.0}, free=["kp"],
        forces=[
            ps.Motor(first, 20, 1e-3, voltage="kp*(0.3 - q)", constant=0.1, resistance=2.0),
            ps.JointStop(second, -0.4, 0.4, stiffness=50.0, dissipation=0.3),
            ps.JointFriction(second, 0.3, 0.5, smoothing=0.2),
            ps.JointSpring(first, ps.Table([-1, 0, 2], [-4, 0, 1]), scale=ps.symbols("kp")),
            ps.JointForce(second, "kp*x - v", where={"x": first}),
        ],
    )  # fmt: skip
    report = ps.verify(system)
    assert report.ok, str(report)


def test_a_rotor_adds_to_the_mass_matrix():
    """Check that M has ratio² J on its diagonal, twice for two motors, and T its share."""
    pendulum = double_pendulum()
    name = pendulum.joint_names[1]
    motors = [ps.Motor(name, 10, 0.02), ps.Motor(name, -5, 0.1)]
    system = ps.System("driven", pendulum.bodies, gravity=pendulum.gravity, forces=motors)
    q, v = np.array([0.3, -0.8]), np.array([1.0, 2.0])
    more = np.diag([0.0, 100 * 0.02 + 25 * 0.1])
    assert_allclose(system.mass_matrix(q), pendulum.mass_matrix(q) + more, rtol=1e-14)
    gained = system.kinetic_energy(q, v) - pendulum.kinetic_energy(q, v)
    assert_allclose(gained, 0.5 * v @ more @ v, rtol=1e-12)
    assert system.description.forces == tuple(motors)
    assert system.description.bodies == pendulum.bodies


def test_a_motor_runs_at_its_speed_under_load():
    """Compare the steady speed of a loaded DC motor with the closed form."""
    U, k, R, n, load, viscous = 24.0, 0.05, 1.2, 30.0, 8.0, 1e-4
    motor = ps.Motor(
        "mass", n, 1e-4, voltage="U", constant=k, resistance=R, viscous=viscous, name="drive"
    )
    arm = ps.Body("mass", joint=ps.Revolute("z"), inertia=(0.1, 0.1, 0.1))
    system = ps.System("drive", [arm], forces=[motor], parameters={"U": U})
    run = ps.simulate(system, [0.0], [0.0], 4.0, tau=[-load], save=[4.0])
    # constant (U - constant w) / R - viscous w = load / n
    w = (k * U / R - load / n) / (k * k / R + viscous)
    assert_allclose(run.v[-1, 0], w / n, rtol=1e-7)


def test_a_sliding_block_stops_where_it_should():
    """Compare the way to rest under Coulomb friction with v² m / (2 f)."""
    block = slider(ps.JointFriction("mass", kinetic=3.0, smoothing=1e-4))
    run = ps.simulate(block, [0.0], [1.5], 2.0, save=[2.0])
    assert_allclose(run.q[-1, 0], 1.5**2 * 2.0 / (2 * 3.0), rtol=1e-3)
    assert abs(run.v[-1, 0]) < 1e-8


def test_what_sticks_creeps_as_documented():
    """Check the creep smoothing artanh(f / static) under a force below break-away."""
    rest = slider(ps.JointFriction("mass", kinetic=3.0, static=4.0, smoothing=1e-3))
    run = ps.simulate(rest, [0.0], [0.0], 1.0, tau=[2.0], save=[1.0])
    assert_allclose(run.v[-1, 0], 1e-3 * math.atanh(2.0 / 4.0), rtol=1e-3)
    loose = ps.simulate(rest, [0.0], [0.0], 1.0, tau=[4.5], save=[1.0])
    assert loose.v[-1, 0] > 0.3


def test_a_block_on_a_belt_sticks_and_slips():
    """Compare the period of stick-slip with that of springs and Coulomb friction."""
    k, m, F_s, F_k, u = 50.0, 2.0, 4.0, 2.0, 0.1
    friction = ps.JointFriction("mass", F_k, F_s, stribeck=1e-3, smoothing=1e-5)
    # in the frame of the belt: the far end of the spring moves with u
    pull = ps.JointForce("mass", "50*(0.1*t - q)")
    block = slider(friction, pull)
    run = ps.simulate(block, [0.0], [0.0], 4.2, rtol=1e-7, integrator="dp5", save=1e-3)
    slipping = run.v[:, 0] > 5e-3
    starts = run.t[1:][slipping[1:] & ~slipping[:-1]]
    w = math.sqrt(k / m)
    # y = u t - x - F_k / k swings with w from y = drop / k, y' = u until y' = u again
    drop = F_s - F_k
    tan = drop / k * w / u
    t_slip = (2 * math.pi - 2 * math.atan(tan)) / w
    lost = 2 * drop / k  # how much shorter the spring is after the slip
    t_stick = lost / u
    assert len(starts) >= 3
    assert_allclose(np.diff(starts), t_slip + t_stick, rtol=0.02)


@pytest.mark.parametrize("exponent", [1.0, 1.5])
def test_a_stop_gives_back_what_hunt_and_crossley_say(exponent):
    """Compare the speed w after an impact with c (u + w) = ln((1 + cu) / (1 - cw))."""
    c, u = 0.4, 1.2
    block = slider(ps.JointStop("mass", upper=0.5, stiffness=2e4, dissipation=c, exponent=exponent))
    run = ps.simulate(block, [0.0], [u], 1.0, save=[1.0])
    w = brentq(lambda x: c * (u + x) - math.log((1 + c * u) / (1 - c * x)), 0.0, u)
    assert_allclose(-run.v[-1, 0], w, rtol=1e-6)


def test_stops_never_pull_and_conserve_energy_without_dissipation():
    """Check signs beyond both ends at any speed, and a bouncing pendulum's energy."""
    stop = ps.JointStop("mass", -0.1, 0.2, stiffness=100.0, dissipation=3.0, exponent=1.5)
    block = slider(stop)
    for x in np.linspace(-0.5, 0.5, 21):
        for v in (-9.0, -0.2, 0.0, 0.3, 8.0):
            f = -block.bias([x], [v])[0]
            assert f >= 0.0 if x < -0.1 else f <= 0.0 if x > 0.2 else f == 0.0
    free = slider(ps.JointStop("mass", -0.1, 0.2, stiffness=1e4, exponent=1.5))
    run = ps.simulate(free, [0.0], [1.0], 3.0, rtol=1e-11)
    assert np.abs(run.energy() - 1.0).max() < 1e-8


@pytest.mark.parametrize("kind", ["linear", "pchip"])
def test_tables_store_exactly_the_integral(kind):
    """Compare the energy with quadrature of the force, also beyond the points."""
    x, y = np.array([-1.0, -0.2, 0.1, 1.3]), np.array([-8.0, -1.0, 0.5, 6.0])
    table = ps.Table(x, y, kind)
    assert_allclose([table(one) for one in x], y, atol=1e-13)
    for end in (-2.5, -0.7, 0.05, 0.9, 3.0):
        points = [one for one in x if min(x[0], end) < one < max(x[0], end)]
        area = quad(table, x[0], end, points=points or None, epsabs=1e-12)[0]
        assert_allclose(table.integral(end), area, atol=1e-10)
    block = slider(ps.JointSpring("mass", table, ps.Table([-1, 1], [-2, 2], "linear")))
    assert_allclose(block.bias([0.4], [0.7]), [table(0.4) + 1.4], rtol=1e-14)
    assert_allclose(block.potential_energy([0.4]), table.integral(0.4), rtol=1e-14)


def test_a_potential_gives_force_and_energy():
    """Check f = formula - dV/dq and V, with a parameter, against the closed form."""
    law = ps.JointForce("mass", "-2*v", potential="k*(1 - cos(q))")
    body = slider().bodies
    system = ps.System("bowl", body, gravity=(0, 0, 0), forces=[law], parameters={"k": 3.0})
    assert_allclose(-system.bias([0.4], [0.5]), [-3.0 * math.sin(0.4) - 1.0], rtol=1e-14)
    assert_allclose(system.potential_energy([0.4]), 3.0 * (1 - math.cos(0.4)), rtol=1e-14)
    free = system.with_free("k")
    assert_allclose(free.bias([0.4], [0.0], parameters={"k": 5.0}), [5 * math.sin(0.4)], rtol=1e-14)


def test_monotonic_points_give_monotonic_tables():
    """Check that no force dips between points that rise."""
    table = ps.Table([0, 1, 2, 3, 10], [0, 0.01, 5, 5.001, 100])
    values = [table(x) for x in np.linspace(-1, 12, 400)]
    assert (np.diff(values) >= -1e-12).all()


def test_friction_has_two_sides():
    """Slide forwards and backwards: v² m / (2 f) with the friction of that side."""
    block = slider(ps.JointFriction("mass", kinetic=3.0, smoothing=1e-4, backward=2.0))
    for speed, level in ((1.5, 3.0), (-1.5, 6.0)):
        run = ps.simulate(block, [0.0], [speed], 2.0)
        assert_allclose(abs(run.q[-1, 0]), speed**2 * 2.0 / (2 * level), rtol=1e-3)


@pytest.mark.parametrize("v", [4.0, -4.0, 60.0])
def test_motor_with_curve_peak_and_losses(v):
    """Compare with the formulas written out, driving and driven."""
    curve = ps.Table([-200, 0, 200], [5, 5, -1], kind="linear")
    motor = ps.Motor(
        "mass", 3.0, curve=curve, throttle="0.5*t", friction=0.2, viscous=1e-3, loss=0.1
    )
    system, w = slider(motor), 3.0 * v
    torque = 0.5 * 0.4 * np.interp(w, curve.x, curve.y) - 0.2 * np.sign(v) - 1e-3 * w
    force = 3.0 * torque - 0.1 * abs(3.0 * torque) * np.sign(v)
    assert_allclose(-system.bias([0.0], [v], t=0.4), [force], rtol=1e-12)
    servo = slider(
        ps.Motor("mass", -3.0, torque="-40*t", peak=ps.Table([0, 100], [8, 2], "linear"))
    )
    most = max(0.0, 8 - 0.06 * abs(w))
    assert_allclose(-servo.bias([0.0], [v], t=1.0), [3.0 * most], rtol=1e-12)
