"""States and samples over time of systems as planar mechanisms, against the closed system."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library

KINDS = ("linear", "hold", "cubic")
TIMES, VALUES = (0.1, 0.15, 0.5, 0.9), (0.0, 3.0, -1.0, 2.0)
TIGHT = {"rtol": 1e-11, "atol": 1e-11}


def driven_four_bar(kind="linear", **more):
    """Return a four-bar whose crank a motor pushes, with a lag, by samples over time."""
    bar = library.four_bar()
    forces = [
        ps.JointForce("crank", "k*current + 0.2*push - 0.3*v"),
        ps.FormulaForce("rocker", force=("push", "-0.5*current", 0)),
    ]
    states = [
        ps.State("current", rate="2*push - 4*current - 0.1*v.crank + 0.2*rate.angle"),
        ps.State("angle", rate=lambda t, q, v: 0.3 * q[1] - ps.symbols("angle") + 0.1 * t),
    ]
    parameters = {"push": ps.Signal(TIMES, VALUES, kind), "k": 1.5}
    given = {"forces": forces, "states": states, "parameters": parameters, "free": ["k"]}
    return ps.System("driven", bar.bodies, loops=bar.loops, gravity=bar.gravity, **given | more)


@pytest.mark.parametrize("kind", KINDS)
def test_dynamics_and_reactions_are_those_of_the_system(kind):
    """Check states at given numbers and samples before, between, at and after all times."""
    system, q = driven_four_bar(kind), library.four_bar_configuration(0.4)
    states, parameters = {"current": 0.7, "angle": -0.2}, {"k": 2.5}
    how = {"states": states, "parameters": parameters}
    units = ps.PlanarMechanism.from_system(system, ["crank"], q, **how)
    assert units.states == states
    v = system.consistent_velocity(q, [2.0, 0.0, 0.0], joints=["crank"])
    tau = np.array([0.4, 0.0, 0.0])
    times = np.array([0.0, 0.1, 0.12, 0.15, 0.3, 0.5, 0.8, 0.9, 4.0])
    many = units.forward_dynamics([q[0]], [2.0], [0.4], t=times)  # by floats, then machine code
    for _ in range(3):
        again = units.forward_dynamics([q[0]], [2.0], [0.4], t=np.tile(times, 20))
        assert np.allclose(again, np.tile(many, (20, 1)), rtol=1e-12)
    for k, t in enumerate(times):
        expected = system.forward_dynamics(q, v, tau, t=t, **how)
        one = units.forward_dynamics([q[0]], [2.0], [0.4], t=t)
        assert np.allclose(one, expected[0], rtol=1e-10)
        assert np.allclose(many[k], one, rtol=1e-12)
        forces = system.reactions(q, v, tau=tau, t=t, **how)
        for name, force in units.reactions([q[0]], [2.0], one, t=t).items():
            if name in forces:
                size = np.linalg.norm(force)
                assert np.isclose(np.linalg.norm(forces[name][:3]), size, rtol=1e-9)
    other = units.with_states(current=-1.0)
    expected = system.forward_dynamics(
        q, v, tau, t=0.3, states={**states, "current": -1.0}, parameters=parameters
    )
    assert np.allclose(other.forward_dynamics([q[0]], [2.0], [0.4], t=0.3), expected[0], rtol=1e-10)
    assert units.states == states


@pytest.mark.parametrize("kind", KINDS)
def test_runs_integrate_states_and_look_samples_up(kind):
    """Check runs against those of the system, which has all coordinates and closes its loop."""
    system, q = driven_four_bar(kind), library.four_bar_configuration(0.4)
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    save = np.array([0.0, 0.12, 0.5, 0.7, 1.1])
    run = units.with_states(current=0.5).simulate([q[0]], [0.0], 1.1, save=save, **TIGHT)
    expected = ps.simulate(system, q, np.zeros(3), 1.1, states={"current": 0.5}, save=save, **TIGHT)
    assert np.allclose(run.q[:, 0], expected.q[:, 0], atol=1e-8)
    assert np.allclose(run.v[:, 0], expected.v[:, 0], atol=1e-8)
    for name, values in run.states.items():
        assert np.allclose(values, expected.states[name], atol=1e-8)
    assert np.ptp(run.states["current"]) > 0.1
    assert np.ptp(run.q) > 0.1


@pytest.mark.parametrize("delay", [0.0, 0.004])
def test_digital_controllers_run(delay):
    """Check a sampled law that reads another joint, with and without a delay, beside a state."""
    bar, q = library.four_bar(), library.four_bar_configuration(0.4)
    states = [
        ps.SampledState("force", "-3*crank - 0.5*v.rocker + sum", every=0.02, delay=delay),
        ps.State("sum", rate="0.4 - crank"),
    ]
    system = ps.System("digital", bar.bodies, loops=bar.loops, gravity=bar.gravity,
                       forces=[ps.JointForce("crank", "force")], states=states)  # fmt: skip
    units = ps.PlanarMechanism.from_system(system, ["crank"], q, states={"force": 0.3})
    save = np.array([0.0, 0.013, 0.207, 0.411])
    run = units.simulate([q[0]], [0.0], 0.411, save=save, **TIGHT)
    start = {"force": 0.3}
    expected = ps.simulate(system, q, np.zeros(3), 0.411, states=start, save=save, **TIGHT)
    assert np.allclose(run.q[:, 0], expected.q[:, 0], atol=1e-8)
    for name in ("force", "sum"):
        assert np.allclose(run.states[name], expected.states[name], atol=1e-7)
    assert np.ptp(run.states["force"]) > 0.1


def test_short_pulses_are_not_missed():
    """Check the velocity after a pulse of a tenth of a millisecond: it is its impulse over m."""
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=2.0)
    pin = ps.Body("wheel", "cart", ps.Revolute("z"), inertia=(1, 1, 1.0))
    pulse = ps.Signal([0.0, 0.7, 0.7001], [0.0, 5e3, 0.0], "hold")
    system = ps.System("pushed", [cart, pin], forces=[ps.JointForce("cart", "push")],
                       parameters={"push": pulse})  # fmt: skip
    units = ps.PlanarMechanism.from_system(system, ["cart", "wheel"], [0.0, 0.0])
    run = units.simulate([0.0, 0.0], [0.0, 0.0], 2.0, tau=[0.0, 0.0])
    assert run.v[-1, 0] == pytest.approx(0.5 / 2.0, rel=1e-9)
    beyond = ps.Signal([0.0, 1.0], [0.0, 1.0], beyond="error")
    units = ps.PlanarMechanism.from_system(
        system.with_parameters(push=beyond), ["cart", "wheel"], [0.0, 0.0]
    )
    with pytest.raises(ps.PoinsotError, match=r"samples"):
        units.simulate([0.0, 0.0], [0.0, 0.0], 2.0)


def test_groups_that_remember_their_poses_have_states_too():
    """Check a triad, whose poses are states of the run, with a state that brakes its crank."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3), "D": (0.5, 0.42),
              "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD",
             "right": "PC"}  # fmt: skip
    plate = ps.sketch(points, links, drivers=["O"], gravity=(0, -9.81))
    closed = plate.system()
    brake = ps.JointForce("O", "-1e-3*heat")
    heat = ps.State("heat", rate="v.O**2 - heat", initial=1.0)
    system = ps.System("braked", closed.bodies, loops=closed.loops, gravity=closed.gravity,
                       forces=[brake], states=[heat])  # fmt: skip
    q, v = plate.system_state(plate.drawn, [5.0])
    units = ps.PlanarMechanism.from_system(system, ["O"], q)
    run = units.simulate(plate.drawn, [5.0], 0.2, save=0.05, **TIGHT)
    expected = ps.simulate(system, q, v, 0.2, save=0.05, **TIGHT)
    k = closed.q_slice("O").start
    assert np.allclose(run.q[:, 0], expected.q[:, k], atol=1e-7)
    assert np.allclose(run.states["heat"], expected.states["heat"], rtol=1e-7)
    assert run.near["plate"].shape == (5, 3)
    # The time matters to nothing here; batches have the held state.
    half = units.with_states(heat=500.0).turn(2.0, start=0.2, stop=0.6, positions=8)
    without = plate.turn(2.0, start=0.2, stop=0.6, positions=8)
    assert np.allclose(half.driver_force - without.driver_force, 0.5, rtol=1e-8)


def test_turns_have_samples_in_time():
    """Check the torque of a turn at constant speed against single states, later by a second."""
    system, q = driven_four_bar(), library.four_bar_configuration(0.4)
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    turn = units.turn(5.0, start=0.4, stop=0.8, positions=8, t=0.2)
    torque = units.inverse_dynamics(turn.x[:, None], [5.0], [0.0], t=turn.t)
    assert np.allclose(turn.driver_force, torque[:, 0], rtol=1e-10)
    assert not np.allclose(units.turn(5.0, start=0.4, stop=0.8, positions=8).driver_force, torque.T)


def test_complex_steps_and_digits_have_samples():
    """Check ∂τ/∂t within a piece by a complex step, and thirty digits."""
    mpmath = pytest.importorskip("mpmath")
    system, q = driven_four_bar("cubic"), library.four_bar_configuration(0.4)
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    state = [q[0]], [1.0], [0.0]
    h, t = 1e-6, 0.3
    slope = np.diff([units.inverse_dynamics(*state, t=x)[0] for x in (t - h, t + h)])[0] / (2 * h)
    step = units.inverse_dynamics(*state, t=t + 1e-30j)[0].imag / 1e-30
    assert step == pytest.approx(slope, rel=1e-6)
    assert abs(step) > 1e-3
    with mpmath.workdps(30):
        exact = units.inverse_dynamics([mpmath.mpf(q[0])], [1.0], [0.0], t=mpmath.mpf(t))[0]
        assert abs(exact - units.inverse_dynamics(*state, t=t)[0]) < 1e-10


def test_mistakes_are_named():
    """Check unknown states, many samples, rates with joint forces, files."""
    system, q = driven_four_bar(), library.four_bar_configuration(0.4)
    make = ps.PlanarMechanism.from_system
    units = make(system, ["crank"], q)
    with pytest.raises(ps.ModelError, match=r"with_states: there is no state 'x'.*current"):
        units.with_states(x=1.0)
    with pytest.raises(ps.ModelError, match=r"from_system: state 'angle' must be one finite"):
        make(system, ["crank"], q, states={"angle": [1.0, 2.0]})
    with pytest.raises(ps.ModelError, match="come from a System"):
        _ = units.description
    with pytest.raises(ps.ModelError, match="come from another System"):
        units.system()
    forced = [ps.State("current", rate="tau.crank - current"), system.states["angle"]]
    with pytest.raises(ps.ModelError, match=r"rate of state 'current'.*\(tau\)"):
        make(driven_four_bar(states=forced), ["crank"], q)
    long = np.linspace(0.0, 1.0, 6000)
    with pytest.raises(ps.ModelError, match=r"'push' has 6000 samples, more than the 5000"):
        make(system.with_parameters(push=ps.Signal(long, long)), ["crank"], q)
    numbers = make(system, ["crank"], q, parameters={"push": 1.0})
    fixed = driven_four_bar(parameters={"push": 1.0, "k": 1.5})
    expected = fixed.forward_dynamics(q, np.zeros(3), np.zeros(3), t=0.3)[0]
    assert np.allclose(numbers.forward_dynamics([q[0]], [0.0], [0.0]), expected, rtol=1e-10)
