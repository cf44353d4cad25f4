"""Events, rates of states and outputs that ask for quantities which loops compute."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.expression_derivative import expression_derivative
from poinsot.expr import Rolled
from poinsot.model.states.law import StagedFunction
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.laws.traced_events import WHOLE_STEP, traced_events

Q, V = np.array([0.9, 0.4]), np.array([0.3, -0.2])
SWING = {"direction": "down", "reset": lambda t, q, v: -0.8 * v}
HEIGHT = "-0.7*cos(upper) - 0.5*cos(upper + lower)"
"""Of the tip, by coordinates."""
WAVE = "sin(300*t)"
FALL = "0.7*sin(upper)*v.upper + 0.5*sin(upper + lower)*(v.upper + v.lower)"
WEIGHT = "-1.01*9.81*(0.9*cos(upper) + 0.2*cos(upper + lower)) - lag"


def pendulum(name, **more):
    """Return a double pendulum with a tip, whose height is ``HEIGHT``."""
    solid = {"mass": 1.01, "com": (0, 0, -0.2), "inertia": (0.1, 0.1, 0.1)}
    upper = ps.Body("upper", joint=ps.Revolute("-y"), **solid)
    lower = ps.Body("lower", "upper", ps.Revolute("-y"), pose=ps.Pose((0, 0, -0.7)), **solid)
    tip = ps.Body("tip", "lower", pose=ps.Pose((0, 0, -0.5)))
    return ps.System(name, [upper, lower, tip], **more)


@pytest.fixture
def looped(monkeypatch):
    """Return what lets loops compute every quantity from then on, and nothing be written out."""

    def begin():
        monkeypatch.setattr("poinsot.evaluate.trace.FEW", 0)
        monkeypatch.setattr("poinsot.evaluate.trace.ROLLED_ABOVE", 0)
        for home in (
            "evaluate.expression_derivative",
            "model.states.validate",
            "simulation.laws.traced_events",
        ):
            monkeypatch.setattr(f"poinsot.{home}.WRITTEN_OUT", 0)

    return begin


def occurrences(run):
    return [(event.name, event.t, *event.q, *event.v) for event in run.events]


def assert_same_events(run, expected):
    """Compare names, times and states of occurrences."""
    found, exact = occurrences(run), occurrences(expected)
    assert [name for name, *_ in found] == [name for name, *_ in exact]
    assert_allclose([x[1:] for x in found], [x[1:] for x in exact], rtol=1e-9, atol=1e-9)


def test_events_are_found_where_formulas_of_coordinates_find_them(looped, tmp_path):
    """Let a tip bounce off the ground; other events keep their bounds, files everything."""
    straight, rolled = pendulum("straight"), pendulum("rolled")

    def events(height):
        return [
            ps.Event("ground", f"{height} + 1.05", barrier=True, **SWING),
            ps.Event("wave", WAVE),
        ]

    expected = ps.simulate(straight, Q, V, 1.5, events=events(HEIGHT))
    looped()
    run = ps.simulate(rolled, Q, V, 1.5, events=events("pose.tip.z"))
    assert sum(event.name == "ground" for event in run.events) == 2
    assert sum(event.name == "wave" for event in run.events) == 143  # 1.5 * 300 / pi
    assert_same_events(run, expected)
    traced = traced_events(
        rolled.mechanism, events("pose.tip.z"), equations(rolled.mechanism, None)
    )
    assert isinstance(traced.second, Rolled)
    assert [action.resolution for action in traced.actions] == [WHOLE_STEP, 1e-6]
    run.save(tmp_path / "run.npz")
    again = ps.load_run(tmp_path / "run.npz")
    assert (again.repeat().q == run.q).all()
    assert occurrences(again.continued(0.5)) == occurrences(run.continued(0.5))


def test_rates_of_states_are_those_of_formulas_of_coordinates(looped):
    """Integrate the tip's fall and a function; sample and reset them."""

    def system(name, height, speed, energy):
        states = [
            ps.State("fall", rate=speed),
            ps.State("lag", rate=energy),
            ps.SampledState("seen", update=height, every=0.1),
        ]
        return pendulum(name, states=states)

    def results(plant, height, **how):
        start = {"states": {"fall": 0.1}, "events": [reset(height)]}
        run = ps.simulate(plant, Q, V, 0.35, **start, **how)
        return run, [run.evaluate(key)[-1] for key in ("fall", "lag", "seen", "rate.fall")]

    def reset(height):
        return ps.Event("now", "t - 0.2", reset_states={"lag": f"{height} + lag"})

    def energy(t, q, v):
        return model.potential_energy(q) - ps.symbols("lag")

    model = pendulum("model")
    straight = system("straight", HEIGHT, FALL, WEIGHT)
    _, expected = results(straight, HEIGHT)
    looped()
    rolled = system("rolled", "pose.tip.z", "velocity.tip.z", energy)
    assert isinstance(rolled.mechanism.states[1].rate, StagedFunction)
    for how in ({}, {"integrator": "stiff"}):
        run, found = results(rolled, "pose.tip.z", **how)
        assert_allclose(found, expected, rtol=1e-8, err_msg=str(how))
        risen = run.evaluate("pose.tip.z")[-1] - run.evaluate("pose.tip.z")[0]
        assert_allclose(found[0], 0.1 + risen, rtol=1e-8)
    many = ps.simulate(rolled, [Q, Q], V, 0.1, save=0.05, states={"fall": [0.0, 1.0]})
    assert_allclose(np.diff(many.evaluate("fall"), axis=0), 1.0, rtol=1e-12)


def test_derivatives_by_one_parameter_of_many(looped, monkeypatch):
    """Differentiate a rolled program by a parameter, next to others, along quaternions too."""
    bodies = [
        ps.Body("ball", joint=ps.Free(), mass=ps.symbols("m"), inertia=(1, 2, 3)),
        ps.Body("arm", "ball", ps.Revolute("x"), mass=ps.symbols("k"), com=(0, 0.3, 0.2)),
    ]
    values = {"m": 1.3, "k": 0.7}
    q, v = np.array([0.1, 0.2, 0.3, 0.5, 0.5, -0.5, 0.5, 0.4]), np.linspace(-1, 1, 7)
    straight, rolled = (
        ps.System(name, bodies, parameters=values, free=["m", "k"]) for name in ("one", "two")
    )
    expected = {by: straight.derivative("kinetic_energy", q, v, by=by) for by in "qvmk"}
    looped()
    at = {"t": [0.0], "q": q, "v": v, "a": 0 * v, "tau": 0 * v, "parameters": [1.3, 0.7]}
    row = expression_derivative(rolled.mechanism, "kinetic_energy", "test", at)
    for by, derivative in expected.items():
        with monkeypatch.context() as patch:
            patch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_DENSE", 1)
            patch.setattr("poinsot.evaluate.derivative_kernel.LONGEST_STRAIGHT", 1)
            found = rolled.derivative("kinetic_energy", q, v, by=by)
        assert_allclose(found, derivative, atol=1e-12)
        first = {"q": 0, "v": 7, "m": 28, "k": 29}[by]
        assert_allclose(row[first : first + np.size(derivative)], np.ravel(derivative), atol=1e-12)


def test_events_of_more_operations_than_can_be_written_out():
    """Find where an acceleration of 200 joints has a value, which is computed at the event."""
    arm = ps.library.chain(200)
    q, v = np.full((2, 200), 0.1) * [[1], [0]]
    event = ps.Event("level", lambda t, q, v: arm.forward_dynamics(q, v)[5] + 4.0, stop=True)
    run = ps.simulate(arm, q, v, 0.2, events=[event])
    (hit,) = run.events
    assert run.t[-1] == hit.t
    assert_allclose(arm.forward_dynamics(hit.q, hit.v)[5], -4.0, rtol=1e-10)


def test_rates_are_written_out_where_loops_cannot_be(tmp_path, monkeypatch):
    """Let a symplectic integrator, equilibrium and a part of a system read one; files cannot."""
    with monkeypatch.context() as patch:
        patch.setattr("poinsot.evaluate.trace.FEW", 0)
        patch.setattr("poinsot.evaluate.trace.ROLLED_ABOVE", 0)
        patch.setattr("poinsot.model.states.validate.WRITTEN_OUT", 0)
        model = pendulum("other")
        lag = ps.State(
            "lag", rate=lambda t, q, v: model.potential_energy([q[0], t]) - ps.symbols("lag")
        )
        slide = ps.Body("slide", joint=ps.Prismatic("x"), mass=1.0)
        cart = ps.System("cart", [slide], gravity=(0, 0, 0), states=[lag])
    law = cart.mechanism.states[0].rate
    assert isinstance(law, StagedFunction)
    ends = [
        ps.simulate(cart, [0.3], [1.0], 0.1, integrator=name, step=1e-3).evaluate("lag")[-1]
        for name in ("rk4", "symplectic4")
    ]
    assert_allclose(*ends, rtol=1e-8)
    rest = ps.equilibrium(cart, [0.3], t=0.2)
    assert_allclose(rest.states["lag"], model.potential_energy([rest.q[0], 0.2]), rtol=1e-12)
    base = ps.Body("base", joint=ps.Prismatic("z"), mass=1.0)
    both = ps.System("both", [base], gravity=(0, 0, 0)).attach(cart, to="base")
    (rate,) = both.state_rates([2.0, 0.3], [0, 0], t=0.2).values()
    assert_allclose(rate, model.potential_energy([0.3, 0.2]), rtol=1e-12)
    with pytest.raises(ps.ModelError, match=r"'lag': its rate is a function .* files cannot hold"):
        ps.save(cart, tmp_path / "cart.json")


def test_functions_without_tangents_have_differences(looped, monkeypatch):
    """Ask in an event for the forces that a closed system needs, short enough and too long."""
    looped()
    monkeypatch.setattr("poinsot.evaluate.trace.WORTH_A_TRACE", 0)
    bars, (q, v) = ps.library.n_four_bar(1, mass=1.01), ps.library.n_four_bar_state(1)
    whole = ps.simulate(bars, q, v, 1.0, rtol=1e-10)
    forces = whole.evaluate(lambda t, q, v: bars.inverse_dynamics(q, v, 0 * v)[0])
    level = float(np.mean(forces[[0, -1]]))

    def times(name, **options):
        stopped = 0 if options else 1

        def excess(t, q, v):
            return bars.inverse_dynamics(q, stopped * v, 0 * v)[0] - level

        event = ps.Event(name, excess, **options)
        run = ps.simulate(bars, q, v, 1.0, rtol=1e-10, events=[event])
        return [event.t for event in run.events]

    straight = times("push")
    assert straight
    monkeypatch.setattr("poinsot.evaluate.inlining.LONGEST_STRAIGHT", 10)
    assert_allclose(times("pull"), straight, rtol=1e-10)
    with pytest.raises(ps.ModelError, match="barrier asks for inverse dynamics of a large closed"):
        times("stop", barrier=True, direction="down", reset=lambda t, q, v: -v)
