"""Events: found where theory and SciPy have them, with actions that do what they say."""

import copy
import math
import pickle
import warnings

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import poinsot as ps
from poinsot.library import double_pendulum
from poinsot.simulation.running.status import Outcome
from tests.random_examples import examples
from tests.simulation.test_closed import FOUR_BAR, four_bar_state

G = 9.81
METHODS = [
    ("dp8", {}),
    ("dp5", {}),
    ("rk4", {"step": 0.02}),
    ("stiff", {}),
    ("symplectic", {"step": 0.02}),
]


def balls(n=1):
    bodies = [ps.Body(f"ball{i}", joint=ps.Prismatic("z"), mass=1.0) for i in range(n)]
    return ps.System("balls", bodies)


def slider(mass=1.0):
    body = ps.Body("slider", joint=ps.Prismatic("x"), mass=mass)
    return ps.System("slider", [body], gravity=(0, 0, 0))


def bounce_times(height, e, count):
    """Return when a ball that falls from a height bounces."""
    fall = math.sqrt(2.0 * height / G)
    return fall * np.array([1.0 + 2.0 * sum(e**k for k in range(1, n + 1)) for n in range(count)])


def bouncing(e):
    return ps.Event("floor", "ball0", direction="down", reset=lambda t, q, v: -e * v)


@pytest.mark.parametrize(("method", "options"), METHODS)
@pytest.mark.parametrize("save", [None, 0.125])
def test_bouncing_ball(method, options, save):
    """Bounces are at sqrt(2 h / g) (1 + 2 e + 2 e² + ...), between them flights are parabolas."""
    e = 0.8
    run = ps.simulate(
        balls(), [1.0], [0.0], 2.5, events=[bouncing(e)], integrator=method, save=save, **options
    )
    exact = bounce_times(1.0, e, 4)
    found = np.array([event.t for event in run.events])
    assert_allclose(found, exact[exact < 2.5], rtol=1e-12)
    speed = math.sqrt(2.0 * G)
    for n, event in enumerate(run.events):
        assert event.name == "floor"
        assert_allclose(event.v_before, [-speed * e**n], rtol=1e-12)
        assert_allclose(event.v, [speed * e ** (n + 1)], rtol=1e-12)
        assert abs(event.q[0]) < 1e-13
        row = np.flatnonzero(run.t == event.t)
        assert row.size == 2
        assert_array_equal(run.v[row, 0], [event.v_before[0], event.v[0]])
        assert_array_equal(run.at(event.t)[1], event.v)
    t = np.linspace(0.0, 2.5, 301)
    last = np.searchsorted(found, t, side="right")
    since = np.where(last > 0, t - np.concatenate([[0.0], found])[last], t)
    start = np.where(last > 0, speed * e**last, 0.0)
    height = np.where(last > 0, 0.0, 1.0) + start * since - 0.5 * G * since**2
    assert_allclose(run.at(t)[0][:, 0], height, atol=1e-10)
    if save is not None:
        assert len(run) == 21 + 2 * len(run.events)


@pytest.mark.parametrize(("method", "options"), METHODS)
@pytest.mark.parametrize("direction", ["down", "both"])
def test_bounces_that_accumulate_end_the_run(method, options, direction):
    """They accumulate at sqrt(2 h / g) (1 + e) / (1 - e), and the run says so there."""
    event = ps.Event("floor", "ball0", direction=direction, reset=lambda t, q, v: -0.6 * v)
    with pytest.warns(ps.SimulationWarning, match=r"event 'floor' happens again and again"):
        run = ps.simulate(balls(), [1.0], [0.0], 9.0, events=[event], integrator=method, **options)
    assert run.status.outcome is Outcome.ENDLESS_EVENTS
    assert run.status.time == run.t[-1]
    assert_allclose(run.t[-1], math.sqrt(2.0 / G) * 1.6 / 0.4, rtol=1e-11)
    assert run.q.min() > -1e-12


@pytest.mark.parametrize("method", ["dp8", "dp5"])
@pytest.mark.parametrize("amplitude", [0.3, 2.0, 3.1])
def test_pendulum_crosses_where_elliptic_integrals_say(method, amplitude):
    """A pendulum passes the lowest point at K(k) / w, 3 K(k) / w, ... with k = sin(amplitude/2)."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -0.7))
    pendulum = ps.System("pendulum", [rod])
    quarter = ellipk(math.sin(amplitude / 2.0) ** 2) * math.sqrt(0.7 / G)
    events = [ps.Event(name, "rod", direction=name) for name in ("up", "down")]
    run = ps.simulate(
        pendulum, [amplitude], [0.0], 8.2 * quarter, integrator=method, rtol=1e-10, events=events
    )
    assert [event.name for event in run.events] == ["down", "up", "down", "up"]
    found = [event.t for event in run.events]
    assert_allclose(found, quarter * np.array([1, 3, 5, 7]), rtol=1e-8)
    assert max(abs(event.q[0]) for event in run.events) < 1e-13  # rounding of t, times the speed


def test_recording_changes_no_bit():
    plain = ps.simulate(double_pendulum(), [1, 2], [0, 0], 5.0)
    events = [ps.Event("swing", lambda t, q, v: v[0]), ps.Event("late", "t - 2.5")]
    run = ps.simulate(double_pendulum(), [1, 2], [0, 0], 5.0, events=events)
    assert_array_equal(run.t, plain.t)
    assert_array_equal(run.q, plain.q)
    assert {event.name for event in run.events} == {"swing", "late"}
    (late,) = [event for event in run.events if event.name == "late"]
    assert late.t == 2.5
    assert_allclose(late.q, plain.at(2.5)[0], atol=1e-13)
    with pytest.raises(ValueError, match="read-only"):
        late.q[0] = 1.0


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(METHODS[:2]), st.sampled_from(["up", "down"]))
def test_random_functions_against_scipy(seed, method, direction):
    """All crossings of a random function of time and state that SciPy finds, and no others."""
    rng = np.random.default_rng(seed)
    a, b, (c, d, w) = rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 2), rng.uniform(-1, 1, 3)
    system, (q, v) = double_pendulum(), rng.uniform(-2, 2, (2, 2))

    def g(t, q, v):
        return a @ q + b @ v + c + d * np.sin(6.0 * w * t)

    def scipy_event(t, y):
        return g(t, y[:2], y[2:])

    scipy_event.direction = {"up": 1, "down": -1}[direction]
    theirs = solve_ivp(
        lambda t, y: np.hstack([y[2:], system.forward_dynamics(y[:2], y[2:])]),
        *((0.0, 3.0), np.hstack([q, v]), "DOP853"),
        rtol=1e-11, atol=1e-11, events=scipy_event, max_step=0.005,  # it looks at ends of steps
    )  # fmt: skip
    name, options = method
    event = ps.Event("g", g, direction=direction)
    run = ps.simulate(
        system, q, v, 3.0, rtol=1e-10, integrator=name, events=[event], max_step=0.1, **options
    )
    found = [event.t for event in run.events]
    assert_allclose(found, theirs.t_events[0], atol=1e-7)


def random_event(rng, number):
    """Return an event on a random function of the double pendulum, with a random action."""
    (a, b), (c, w) = rng.uniform(-1, 1, (2, 2)), rng.uniform(-1, 1, 2)
    e, k = rng.uniform(0.3, 0.9), rng.uniform(0, 1, 2)
    action = [
        {},
        {"reset": lambda t, q, v: v * [e, -e]},
        {"tau": lambda t, q, v: -k * v},
        {"tau": rng.uniform(-1, 1, 2)},
    ][rng.integers(4)]
    direction = str(rng.choice(["up", "down", "both"]))
    function = lambda t, q, v: a @ q + 0.3 * (b @ v) + c + 0.3 * np.sin(5 * w * t)  # noqa: E731
    return ps.Event(f"e{number}", function, direction=direction, **action)


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1))
@example(14)
@example(19)
@example(59)
def test_methods_agree_on_what_happens(seed):
    """Resets and switches at random, by methods that share nothing but the stepper."""
    rng = np.random.default_rng(seed)
    events = [random_event(rng, number) for number in range(3)]
    q, v = rng.uniform(-1, 1, (2, 2))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.SimulationWarning)  # endless events are fair
        runs = [
            ps.simulate(
                double_pendulum(),
                q,
                v,
                1.0,
                rtol=1e-10,
                integrator=method,
                events=events,
                max_step=0.02,
            )
            for method in ("dp8", "dp5", "stiff")
        ]
    outcome = runs[0].status.outcome
    assert outcome in (Outcome.FINISHED, Outcome.ENDLESS_EVENTS)
    assert [run.status.outcome for run in runs] == [outcome] * 3
    if outcome is Outcome.FINISHED:
        for run in runs[1:]:
            assert [one.name for one in run.events] == [one.name for one in runs[0].events]
            assert_allclose([one.t for one in run.events], [one.t for one in runs[0].events],
                            atol=1e-6)  # fmt: skip
            assert_allclose(run.q[-1], runs[0].q[-1], atol=1e-6)


def test_crossings_inside_one_step_are_found():
    """A free motion takes a step of a second: between its ends the function has two zeros."""
    event = ps.Event("window", lambda t, q, v: (q[0] - 0.4) * (q[0] - 0.6))
    run = ps.simulate(slider(), [0.0], [1.0], 1.0, first_step=1.0, events=[event])
    assert run.statistics.steps == 1
    assert_allclose([event.t for event in run.events], [0.4, 0.6], rtol=1e-13)


def test_events_of_one_instant_all_happen_in_the_order_listed():
    """Two balls fall side by side; the second event sees what the first has left."""
    fall = math.sqrt(2.0 / G)
    events = [
        ps.Event("right", "ball1", direction="down", reset=lambda t, q, v: [v[0], -v[1]]),
        ps.Event("left", "ball0", direction="down", reset=lambda t, q, v: [v[1] / 2, v[1]]),
        ps.Event("seen", "3 * ball0", direction="down"),
    ]
    run = ps.simulate(balls(2), [1.0, 1.0], [0.0, 0.0], 0.6, events=events)
    assert [event.name for event in run.events] == ["right", "left", "seen"]
    assert_allclose([event.t for event in run.events], fall, rtol=1e-12)
    speed = G * fall
    right, left, seen = run.events
    assert_allclose(right.v, [-speed, speed], rtol=1e-12)
    assert_array_equal(left.v_before, right.v)
    assert_allclose(left.v, [speed / 2, speed], rtol=1e-12)
    assert_array_equal(seen.v, left.v)
    assert (run.t == right.t).sum() == 2


@pytest.mark.parametrize(("method", "options"), METHODS)
def test_a_law_is_switched(method, options):
    """Full force for half the way, full brake for the rest: rest after 2 sqrt(m x / F)."""
    m, force, x = 2.0, 3.0, 0.75
    half = math.sqrt(m * x / force)
    events = [
        ps.Event("half", lambda t, q, v: q[0] - x / 2, direction="up", tau=-force),
        ps.Event("rest", "v.slider", direction="down", tau=0.0),
    ]
    run = ps.simulate(
        slider(m), [0.0], [0.0], 3.0, tau=force, events=events, integrator=method, **options
    )
    assert_allclose([event.t for event in run.events], [half, 2 * half], rtol=1e-7)
    assert_allclose(run.q[-1], x, rtol=1e-9)
    assert_allclose(run.v[-1], 0.0, atol=1e-9)
    t = np.linspace(0.0, 3.0, 211)
    up, down = 0.5 * force / m * t**2, x - 0.5 * force / m * (2 * half - t) ** 2
    exact = np.where(t < half, up, np.where(t < 2 * half, down, x))
    assert_allclose(run.at(t)[0][:, 0], exact, atol=1e-9)
    tau = run.evaluate("tau.slider", [0.1, 1.2 * half, 2.9])
    assert_array_equal(tau, [force, -force, 0.0])
    rows = np.flatnonzero(run.t == run.events[0].t)
    assert_array_equal(run.tau()[rows, 0], [force, -force])
    assert_allclose(run.acceleration()[rows, 0], [force / m, -force / m], rtol=1e-12)


def test_laws_may_alternate_and_be_called():
    """A relay with a band: the force changes sign at x = 1 and x = -1, again and again."""
    events = [
        ps.Event("high", "slider - 1", direction="up", tau=lambda t, q, v: [-1.0 - 0.0 * t]),
        ps.Event("low", "slider + 1", direction="down", tau=ps.Callback(lambda t, q, v: 1.0)),
    ]
    run = ps.simulate(slider(), [0.0], [0.0], 12.0, tau=1.0, events=events)
    assert [event.name for event in run.events] == ["high", "low", "high"]
    # From rest x = 1 after sqrt(2); then back to it after 2 sqrt(2), and on to -1.
    first = math.sqrt(2.0)
    second = first + first + math.sqrt(2.0 * 3.0 - 0.0)  # to x = 2 at rest, then 3 down
    assert_allclose([event.t for event in run.events[:2]], [first, second], rtol=1e-9)
    assert run.statistics.callback_calls > 0


def test_chattering_ends_the_run():
    """A switch without a band would hold the velocity at zero; no step can follow that."""
    events = [
        ps.Event("forward", "v.slider", direction="up", tau=-1.0),
        ps.Event("backward", "v.slider", direction="down", tau=1.0),
    ]
    with pytest.warns(ps.SimulationWarning, match="again and again"):
        run = ps.simulate(slider(), [0.0], [-1.0], 9.0, tau=1.0, events=events)
    assert run.status.outcome is Outcome.ENDLESS_EVENTS
    assert_allclose(run.t[-1], 1.0, rtol=1e-12)
    assert_allclose(run.q[-1], -0.5, rtol=1e-12)
    names = [event.name for event in run.events]
    assert names[:4] == ["forward", "backward", "forward", "backward"]


@pytest.mark.parametrize(("method", "options"), METHODS)
def test_other_events_among_bounces(method, options):
    """The highest points are in the middle between bounces, and a bounce is none."""
    events = [bouncing(0.8), ps.Event("top", "v.ball0"), ps.Event("once", "ball0 - 0.2", stop=7)]
    options = options or {"max_step": 0.1}  # near each other, two crossings need small steps
    run = ps.simulate(balls(), [1.0], [0.0], 9.0, events=events, integrator=method, **options)
    names = [event.name for event in run.events]
    assert names == ["once", "floor", "once", "top", "once", "floor", "once", "top", "once",
                     "floor", "once", "top", "once"]  # fmt: skip
    times = np.array([event.t for event in run.events if event.name != "once"])
    assert_allclose(times[1::2], 0.5 * (times[0:-1:2] + bounce_times(1.0, 0.8, 4)[1:]), rtol=1e-9)
    assert run.status.outcome is Outcome.STOPPED


def test_a_stop_is_counted_within_a_step():
    """Two crossings in one step: the second is the one to stop at."""
    event = ps.Event("window", lambda t, q, v: (q[0] - 0.4) * (q[0] - 0.6), stop=2)
    run = ps.simulate(slider(), [0.0], [1.0], 1.0, first_step=1.0, events=[event])
    assert run.status.outcome is Outcome.STOPPED
    assert_allclose(run.t[-1], 0.6, rtol=1e-13)


def test_stop():
    events = [ps.Event("third", "ball0", direction="down", stop=3, reset=lambda t, q, v: -0.9 * v)]
    run = ps.simulate(balls(), [1.0], [0.0], 9.0, events=events)
    assert run.status.outcome is Outcome.STOPPED
    assert run.status.ok
    assert len(run.events) == 3
    assert "'third' stopped the run" in run.status.message
    assert run.t[-1] == run.events[-1].t == run.status.time
    assert_allclose(run.t[-1], bounce_times(1.0, 0.9, 3)[-1], rtol=1e-12)
    plain = ps.simulate(balls(), [1.0], [0.0], 9.0, events=[ps.Event("f", "ball0", stop=True)])
    assert plain.t[-1] == plain.events[0].t
    assert (np.diff(plain.t) > 0.0).all()
    assert run.at(run.t[-1])[1][0] > 0.0
    for wrong in (0, -1, 2.5, "yes"):
        with pytest.raises(ps.ModelError, match="stop must be True, False or how many times"):
            ps.Event("f", "ball0", stop=wrong)


def test_zero_at_the_start_or_at_the_end_is_no_crossing():
    events = [ps.Event(f"at {t}", f"t - {t}", reset=lambda t, q, v: 2 * v) for t in (0, 0.5, 1)]
    run = ps.simulate(slider(), [0.0], [1.0], 1.0, events=events)
    assert run.status.ok
    assert [event.name for event in run.events] == ["at 0.5"]
    assert run.v[-1, 0] == 2.0


@pytest.mark.parametrize(("method", "options"), METHODS[:4])
def test_closed_systems(method, options):
    """A crank that turns back keeps its loop closed, and its energy."""
    q, v = four_bar_state()
    event = ps.Event("turn", "a", direction="down", reset=lambda t, q, v: -v)
    if method == "rk4":
        options = {"step": 0.001}
    run = ps.simulate(FOUR_BAR, q, v, 1.5, events=[event], integrator=method, **options)
    first, second, third = (event.t for event in run.events)
    assert_allclose(third - second, second - first, rtol=1e-7)  # to and fro in equal times
    assert max(abs(event.q[0]) for event in run.events) < 1e-12
    assert np.abs(FOUR_BAR.constraint_residual(run.q)).max() <= 1e-10
    assert np.abs(FOUR_BAR.constraint_rate(run.q, run.v)).max() <= 1e-9
    assert_allclose(run.energy(), run.energy()[0], atol=1e-7)
    back = run.at(2.0 * first)[0]
    assert_allclose(back, q, atol=1e-6)


def test_a_reset_off_the_constraints_is_refused():
    q, v = four_bar_state()
    event = ps.Event("bang", "a", reset=lambda t, q, v: [-v[0], v[1], v[2]])
    with pytest.warns(ps.SimulationWarning, match=r"'bang' cannot be used: .*'pin: .*' by -?\d"):
        run = ps.simulate(FOUR_BAR, q, v, 1.5, events=[event])
    assert run.status.outcome is Outcome.EVENT_FAILED
    assert isinstance(run.status.error, ps.ModelError)
    assert run.status.time == run.t[-1]
    assert abs(run.q[-1, 0]) < 1e-12


def test_quaternions_and_whole_states():
    """A free body is set back to where it started whenever it has turned by a right angle."""
    body = ps.Body("stone", joint=ps.Free(), mass=1.0, inertia=(0.1, 0.1, 0.1))
    system = ps.System("stone", [body], gravity=(0, 0, 0))
    start = np.array([0, 0, 0, 1, 0, 0, 0.0])
    v = np.array([1.0, 0, 0, 0, 0, 2.0])
    event = ps.Event(
        "quarter",
        lambda t, q, v: q[6] - math.sqrt(0.5),
        reset_state=lambda t, q, v: (start, v),
    )
    run = ps.simulate(system, start, v, 2.0, events=[event])
    assert_allclose([one.t for one in run.events], np.pi / 4 * np.array([1, 2]), rtol=1e-9)
    assert_array_equal(run.events[0].q, start)
    assert np.abs(np.linalg.norm(run.q[:, 3:], axis=1) - 1).max() < 1e-14
    wrong = ps.Event("w", "t - 1", reset_state=lambda t, q, v: (2.0 * q, v))
    with pytest.warns(ps.SimulationWarning, match="'stone'.*must have length 1"):
        ps.simulate(system, start, v, 2.0, events=[wrong])


def test_resets_by_python_functions():
    bounces = []

    def bounce(t, q, v):
        bounces.append(t)
        return -v if len(bounces) < 3 else math.sqrt(-1)

    event = ps.Event("floor", "ball0", direction="down", reset=ps.Callback(bounce))
    with pytest.warns(ps.SimulationWarning, match="reset of event 'floor' failed with ValueError"):
        run = ps.simulate(balls(), [1.0], [0.0], 9.0, events=[event])
    assert run.status.outcome is Outcome.EVENT_FAILED
    assert isinstance(run.status.error, ValueError)
    assert_allclose(bounces, bounce_times(1.0, 1.0, 3), rtol=1e-12)
    assert run.t[-1] == bounces[-1]
    event = ps.Event("floor", "ball0", reset_state=ps.Callback(lambda t, q, v: (q, v, 0)))
    with pytest.warns(ps.SimulationWarning, match="must return a pair"):
        ps.simulate(balls(), [1.0], [0.0], 1.0, events=[event])


def test_a_function_that_is_no_number_ends_the_run():
    event = ps.Event("root", "sqrt(0.5 - t)")
    with pytest.warns(ps.SimulationWarning, match="function of event 'root' is no number"):
        run = ps.simulate(slider(), [0.0], [1.0], 1.0, events=[event], max_step=0.1)
    assert run.status.outcome is Outcome.EVENT_FAILED
    assert 0.35 < run.t[-1] <= 0.5


def test_parameters_in_events():
    m = ps.symbols("m")
    body = ps.Body("slider", joint=ps.Prismatic("x"), mass=m)
    system = ps.System("slider", [body], gravity=(0, 0, 0), parameters={"m": None})
    events = [
        ps.Event("formula", "slider - m", reset=lambda t, q, v: v * m),
        ps.Event("function", lambda t, q, v: q[0] - 2.0 * m, stop=True),
    ]
    for value in (0.5, 3.0):
        run = ps.simulate(system, [0.0], [1.0], 99.0, events=events, parameters={"m": value})
        assert_allclose([event.t for event in run.events], [value, value + 1.0], rtol=1e-12)


def switched_run():
    events = [
        bouncing(0.8),
        ps.Event("fan", "t - 1.2", tau=lambda t, q, v: 3.0 * np.cos(q)),
        ps.Event("seen", "v.ball0"),
    ]
    return ps.simulate(balls(), [1.0], [0.0], 2.5, events=events)


def test_runs_with_events_travel(tmp_path):
    run = switched_run()
    t = np.linspace(0.0, 2.5, 41)
    read = ps.load_run(run.save(tmp_path / "run.npz"))
    for other in (read, pickle.loads(pickle.dumps(run)), copy.deepcopy(run), run.repeat()):
        assert [event.t for event in other.events] == [event.t for event in run.events]
        assert_array_equal(other.events[0].v, run.events[0].v)
        assert_array_equal(other.at(t)[0], run.at(t)[0])
        assert_array_equal(other.tau(), run.tau())
        assert_array_equal(other.repeat().q, run.q)


def test_a_called_reset_is_lost_in_a_file(tmp_path):
    event = ps.Event("floor", "ball0", direction="down", reset=ps.Callback(lambda t, q, v: -v))
    run = ps.simulate(balls(), [1.0], [0.0], 1.0, events=[event])
    read = ps.load_run(run.save(tmp_path / "run.npz"))
    assert_array_equal(read.at(0.77)[0], run.at(0.77)[0])
    assert "files cannot hold" in read.repeat().status.message


def test_run_goes_on_where_an_event_stopped_it():
    """What a run has ended at is not found again at the start of the next one."""
    system = ps.library.double_pendulum()
    names = system.coordinate_names
    level = ps.Event("level", f"{names[0]} + 0.3*{names[1]} - 0.1", stop=True)
    q, v, t, times = np.array([0.9, -0.4]), np.zeros(2), 0.0, []
    whole = ps.simulate(system, q, v, 4.0, events=[ps.Event("level", level.function)], rtol=1e-11)
    for _ in whole.events:
        run = ps.simulate(system, q, v, 4.0, events=[level], rtol=1e-11)
        q, v, t = run.q[-1], run.v[-1], t + run.t[-1]
        times.append(t)
    assert len(times) >= 3
    assert np.allclose(times, [event.t for event in whole.events], rtol=0, atol=1e-8)
