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


def triad():
    """Return a crank that moves a group without closed form."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3), "D": (0.5, 0.42),
              "P": (0.9, -0.1), "Q": (0.3, 0)}  # fmt: skip
    links = {"ground": "OPQ", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD",
             "right": "PC"}  # fmt: skip
    return ps.sketch(points, links, drivers=["O"], gravity=(0, -9.81))


def test_groups_that_remember_their_poses_have_states_too():
    """Check a triad, whose poses are states of the run, with a state that brakes its crank."""
    plate = triad()
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


def pulses(kind):
    """Return 6000 samples of a slow and a fast sine."""
    times = np.linspace(0.05, 0.95, 6000)
    return ps.Signal(times, np.sin(40.0 * times) + 0.3 * np.sin(3e3 * times), kind)


@pytest.mark.parametrize("kind", KINDS)
def test_long_samples_are_looked_up_before(kind):
    """Check forces and reactions of many samples, single states, batches, variants, other kinds."""
    mpmath = pytest.importorskip("mpmath")
    system, q = driven_four_bar(kind), library.four_bar_configuration(0.4)
    system = system.with_parameters(push=pulses(kind))
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    v, tau = system.consistent_velocity(q, [2.0, 0.0, 0.0], joints=["crank"]), np.zeros(3)
    times = np.array([0.0, 0.05, 0.1234, 0.31, 0.77777, 0.95, 2.0])
    whole = [system.forward_dynamics(q, v, tau, t=t)[0] for t in times]
    assert np.ptp(whole) > 1.0
    state = [q[0]], [2.0]
    for _ in range(3):  # by floats, then machine code
        many = units.forward_dynamics(*state, [0.0], t=np.tile(times, 20))
        assert np.allclose(many[:, 0], np.tile(whole, 20), rtol=1e-9)
    for t, expected in zip(times, whole, strict=True):
        assert np.allclose(units.forward_dynamics(*state, [0.0], t=t), expected, rtol=1e-9)
        forces = system.reactions(q, v, tau=tau, t=t)
        named = units.reactions(*state, [expected], t=t)
        for name in forces.keys() & named.keys():
            size = np.linalg.norm(forces[name][:3])
            assert np.isclose(np.linalg.norm(named[name]), size, rtol=1e-8)
    masses = {"rocker.m": np.array([units.linkage.links["rocker"].mass])}
    varied = units.forward_dynamics(*state, [0.0], t=times, dimensions=masses)
    assert np.allclose(varied[:, 0], whole, rtol=1e-9)
    single = units.inverse_dynamics(*state, [0.5], t=0.31)[0]
    with mpmath.workdps(30):
        exact = units.inverse_dynamics(
            [mpmath.mpf(q[0])], [2.0], [0.5], t=mpmath.mpf(0.31))[0]  # fmt: skip
        assert abs(exact - single) < 1e-10
    third = pytest.importorskip("sympy").Float("0.31")
    crank = units.velocities([q[0]], [third], t=third)["crank"]
    assert float(crank[2]) == pytest.approx(0.31, rel=1e-12)
    if kind == "cubic":
        h, t = 1e-7, 0.31
        ends = [units.inverse_dynamics(*state, [0.5], t=x)[0] for x in (t - h, t + h)]
        step = units.inverse_dynamics(*state, [0.5], t=t + 1e-30j)[0].imag / 1e-30
        assert step == pytest.approx((ends[1] - ends[0]) / (2 * h), rel=1e-4)


def test_runs_look_long_samples_up():
    """Check a run and a turn with many samples."""
    system, q = driven_four_bar(), library.four_bar_configuration(0.4)
    times = np.linspace(0.0, 0.3, 6000)
    system = system.with_parameters(push=ps.Signal(times, np.sin(60.0 * times), "cubic"))
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    run = units.simulate([q[0]], [0.0], 0.4, save=0.1, **TIGHT)
    expected = ps.simulate(system, q, np.zeros(3), 0.4, save=0.1, **TIGHT)
    assert np.allclose(run.q[:, 0], expected.q[:, 0], atol=1e-8)
    assert np.allclose(run.states["current"], expected.states["current"], atol=1e-8)
    turn = units.turn(5.0, start=0.4, stop=0.8, positions=8, t=0.1)
    torque = units.inverse_dynamics(turn.x[:, None], [5.0], [0.0], t=turn.t)
    assert np.allclose(turn.driver_force, torque[:, 0], rtol=1e-10)


def push(t, q, v):
    """Return a force of the driver alone."""
    return [0.3 * np.cos(3.0 * t) - 0.1 * v[0]]


def system_push(t, q, v):
    """Return it for all joints."""
    return [*push(t, q, v), 0.0, 0.0]


@pytest.mark.parametrize(("law", "of_system"), [(push, system_push), ([0.4], [0.4, 0.0, 0.0])])
def test_states_read_the_forces_of_drivers(law, of_system):
    """Check a rate and a sampled law of forces, of a joint without a driver too."""
    states = [
        ps.State("current", rate="20*tau.crank - 4*current + tau.rocker + 0.1*v.crank"),
        ps.State("angle", rate=lambda t, q, v: 0.3 * q[1]),
        ps.SampledState("force", "2*tau.crank + current", every=0.05),
    ]
    system, q = driven_four_bar(states=states), library.four_bar_configuration(0.4)
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    save = np.array([0.0, 0.12, 0.33, 0.57])
    run = units.simulate([q[0]], [0.0], 0.57, tau=law, save=save, **TIGHT)
    expected = ps.simulate(system, q, np.zeros(3), 0.57, tau=of_system, save=save, **TIGHT)
    assert np.allclose(run.q[:, 0], expected.q[:, 0], atol=1e-8)
    for name, values in run.states.items():
        assert np.allclose(values, expected.states[name], atol=1e-7)
        assert np.ptp(values) > 0.01
    without = units.simulate([q[0]], [0.0], 0.57, save=save, **TIGHT)
    assert np.max(np.abs(without.states["current"] - run.states["current"])) > 0.1


def test_forces_of_drivers_go_with_other_drivers_and_parts():
    """Check a rate of forces where the rocker drives, and that of a part."""
    states = [
        ps.State("current", rate="20*tau.rocker + 7*tau.crank"),
        ps.State("angle", "v.rocker"),
    ]
    system, q = driven_four_bar(states=states), library.four_bar_configuration(0.4)
    units = ps.PlanarMechanism.from_system(system, ["crank"], q)
    other = units.with_drivers(["rocker"])
    run = other.simulate(other.drawn, [0.0], 0.3, tau=[0.4], **TIGHT)
    expected = ps.simulate(system, q, np.zeros(3), 0.3, tau=[0.0, 0.0, 0.4], **TIGHT)
    assert run.q[-1, 0] == pytest.approx(expected.q[-1, 2], abs=1e-8)
    assert run.states["current"][-1] == pytest.approx(20 * 0.4 * 0.3, rel=1e-9)
    whole = ps.planar({}, [], [], parts={"p": {"mechanism": units, "ports": {}}},
                      gravity=units.linkage.gravity)  # fmt: skip
    run = whole.simulate([q[0]], [0.0], 0.3, tau=[0.4], **TIGHT)
    assert run.states["current"][-1] == pytest.approx(7 * 0.4 * 0.3, rel=1e-9)


def test_groups_without_closed_form_read_long_samples():
    """Check a triad with many samples: batches, digits, a complex step, against single floats."""
    mpmath = pytest.importorskip("mpmath")
    closed = triad().system()
    system = ps.System("pushed", closed.bodies, loops=closed.loops, gravity=closed.gravity,
                       forces=[ps.JointForce("O", "push")],
                       parameters={"push": pulses("cubic")})  # fmt: skip
    drawn = triad().drawn
    q, v = triad().system_state(drawn, [5.0])
    units = ps.PlanarMechanism.from_system(system, ["O"], q)
    times = np.array([0.0, 0.2, 0.31, 0.9])
    tau = np.zeros(closed.nv)
    k = closed.v_slice("O").start
    whole = [system.forward_dynamics(q, v, tau, t=t)[k] for t in times]
    many = units.forward_dynamics(drawn, [5.0], [0.0], t=np.tile(times, 30))
    assert np.allclose(many[:, 0], np.tile(whole, 30), rtol=1e-7)
    assert np.ptp(whole) > 1.0
    single = units.inverse_dynamics(drawn, [5.0], [0.0], t=0.31)[0]
    step = units.inverse_dynamics(drawn, [5.0], [0.0], t=0.31 + 1e-30j)[0].imag / 1e-30
    rate = pulses("cubic").rates(np.array([0.31]))[0, 0]
    assert step == pytest.approx(-rate, rel=1e-9)
    with mpmath.workdps(30):
        exact = units.inverse_dynamics(drawn, [5.0], [0.0], t=mpmath.mpf(0.31))[0]
        assert abs(exact - single) < 1e-8


def test_mistakes_are_named():
    """Check unknown states, many samples at a symbol of time, files."""
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
    long = np.linspace(0.0, 1.0, 6000)
    many = make(system.with_parameters(push=ps.Signal(long, long)), ["crank"], q)
    with pytest.raises(ps.ModelError, match=r"'push' has 6000 samples, more than the 5000"):
        many.bias([q[0]], [0.0], t=ps.symbols("when"))
    numbers = make(system, ["crank"], q, parameters={"push": 1.0})
    fixed = driven_four_bar(parameters={"push": 1.0, "k": 1.5})
    expected = fixed.forward_dynamics(q, np.zeros(3), np.zeros(3), t=0.3)[0]
    assert np.allclose(numbers.forward_dynamics([q[0]], [0.0], [0.0]), expected, rtol=1e-10)
