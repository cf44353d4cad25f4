"""Events that the compiled loop handles, against the handler in Python and closed forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.simulation.running import event_memory, jump_memory, workspace
from poinsot.simulation.running.event_handler import EventHandler
from poinsot.simulation.stepping.event_jumps import Does

G = 9.81


def ball(height=1.0, joint=None):
    """Return a ball in the air; its centre is the coordinate."""
    joint = joint or ps.Prismatic("z")
    return ps.System("ball", [ps.Body("ball", joint=joint, mass=2.0, inertia=(1.0, 2.0, 2.5))])


def floor(restitution, body="ball", **options):
    """Return the floor as a contact."""
    return ps.Contact(ps.PointOnSurface("floor", body, "z"), restitution, **options)


@pytest.fixture
def by_python(monkeypatch):
    """Return a function that runs with the handler in Python, and one that counts its calls."""
    calls = []
    handle = EventHandler.handle

    def counted(self):
        calls.append(self)
        return handle(self)

    monkeypatch.setattr(EventHandler, "handle", counted)

    def run(*args, **options):
        with monkeypatch.context() as patch:
            patch.setattr(jump_memory, "_does", lambda *_: Does.MORE)
            for module in (event_memory, workspace):  # memory of this run alone
                patch.setattr(module, "watch_key", lambda _: object())
            return ps.simulate(*args, **options)

    return run, calls


def same(run, other):
    """Check that two runs are the same but for rounding, with their events."""
    assert [event.name for event in run.events] == [event.name for event in other.events]
    for event, twin in zip(run.events, other.events, strict=True):
        assert_allclose(event.t, twin.t, rtol=1e-9)
        for key in ("q_before", "v_before", "q", "v"):
            assert_allclose(getattr(event, key), getattr(twin, key), rtol=1e-7, atol=1e-9)
    assert_allclose(run.q[-1], other.q[-1], rtol=1e-7, atol=1e-8)
    assert run.t.size == other.t.size
    assert run.statistics.steps == other.statistics.steps


FOUR_BAR = ps.library.four_bar()  # five rows, of which two are independent
STOP = ps.Contact(ps.PointOnSurface("stop", ("coupler", (0.1, 0, 0)), "y + 0.1"), 0.7)
CHAIN = ps.library.chain(4)
WALL = ps.Contact(ps.PointOnSurface("wall", CHAIN.bodies[-1].name, "x"), 0.8)


@pytest.mark.parametrize(
    ("system", "q", "v", "duration", "options"),
    [
        (ball(), [1.0], [0.0], 2.0, {"contacts": [floor(0.8)]}),
        (ball(), [1.0], [0.0], 2.0, {"contacts": [floor(0.8)], "save": 0.1}),
        (
            ball(joint=ps.Free()), [0, 0, 1.0, 1.0, 0, 0, 0], [0.1, 0.2, 0.3, 0.3, 0.2, 0.1], 1.5,
            {"contacts": [ps.Contact(ps.PointOnSurface("floor", ("ball", (0.1, 0, 0)), "z"), 0.7)]},
        ),
        (CHAIN, [0.5, 0.2, 0.1, 0.0], np.zeros(4), 2.5, {"contacts": [WALL], "rtol": 1e-9}),
        (
            FOUR_BAR, ps.library.four_bar_configuration(0.9), np.zeros(3), 1.5,
            {"contacts": [STOP], "rtol": 1e-10},
        ),
        (
            ball(), [1.0], [0.0], 2.0,
            {
                "events": [
                    ps.Event("ground", "ball", direction="down", reset=lambda t, q, v: -0.7 * v),
                    ps.Event("half", "ball - 0.3"),
                ]
            },
        ),
    ],
    ids=["ball", "at times", "free body", "chain", "four-bar", "reset and record"],
)  # fmt: skip
def test_the_loop_and_python_handle_events_alike(by_python, system, q, v, duration, options):
    in_python, calls = by_python
    run = ps.simulate(system, q, v, duration, **options)
    assert len(run.events) > 1
    assert len(calls) <= len(run.events) // 4  # the loop has handled the others
    for event in run.events:
        if "contacts" in options:
            hit = ps.impact(system, event.q_before, event.v_before, options["contacts"])
            assert_allclose(event.v, hit.v, atol=1e-10)
    calls.clear()
    other = in_python(system, q, v, duration, **options)
    assert len(calls) > len(other.events) // 2
    same(run, other)


def test_a_ball_bounces_as_in_the_closed_form(by_python):
    """Bounce k is at t = sqrt(2 h / g) (1 + 2 (e + e² + ... + e^k))."""
    e, first = 0.9, np.sqrt(2.0 / G)
    run = ps.simulate(ball(), [1.0], [0.0], 5.0, contacts=[floor(e)], rtol=1e-11)
    assert not by_python[1]
    times = first * (1.0 + 2.0 * np.cumsum([0.0, *(e**k for k in range(1, len(run.events)))]))
    assert len(run.events) == np.searchsorted(times, 5.0)
    assert_allclose([event.t for event in run.events], times, rtol=1e-10)
    speeds = [event.v.item() for event in run.events]
    assert_allclose(speeds, G * first * e ** np.arange(1, len(speeds) + 1), rtol=1e-9)


def test_records_and_rows_have_room_for_thousands(by_python):
    """Bounce more often than records are held, elastically; energy stays."""
    run = ps.simulate(ball(), [0.01], [0.0], 60.0, contacts=[floor(1.0)], rtol=1e-10)
    period = 2.0 * np.sqrt(0.02 / G)
    assert len(run.events) == round(60.0 / period)
    assert len(run.events) > 2 * jump_memory.RECORDS
    assert len(by_python[1]) < 10
    assert_allclose(run.energy(), run.energy()[0], rtol=1e-8)
    times = [event.t for event in run.events]
    assert_allclose(np.diff(times), period, rtol=1e-8)
    few = ps.simulate(
        ball(), [0.01], [0.0], 60.0, contacts=[floor(1.0)], rtol=1e-10, save=[30.0, 60.0]
    )
    assert [event.t for event in few.events] == times
    assert few.t.size == 2 + 2 * len(times)


def test_what_is_not_that_simple_is_left_to_python(by_python):
    """Friction, two contacts at once, events that stop."""
    _, calls = by_python
    free = ball(joint=ps.Free())
    start = [0, 0, 0.5, 1.0, 0, 0, 0], [4.0, 0, 0, 0, 0, 0]
    rough = ps.simulate(free, *start, 0.5, contacts=[floor(0.5, friction=0.3)])
    assert calls
    assert_allclose(rough.events[0].v[0], 4.0 - 0.3 * 1.5 * np.sqrt(G), rtol=1e-9)  # μ (1 + e) v
    calls.clear()
    points = [("ball", (x, 0, 0)) for x in (-0.1, 0.1)]
    pair = [ps.Contact(ps.PointOnSurface(f"foot{k}", p, "z"), 0.5) for k, p in enumerate(points)]
    both = ps.simulate(free, *start, 0.5, contacts=pair)
    assert calls
    assert_allclose(both.events[-1].v[2], -0.5 * both.events[0].v_before[2], rtol=1e-9)
    calls.clear()
    stop = ps.Event("ground", "ball", direction="down", stop=True)
    assert ps.simulate(ball(), [1.0], [0.0], 2.0, events=[stop]).t[-1] < 0.5
    assert calls


def test_a_ball_that_comes_to_rest_says_so(by_python):
    with pytest.warns(ps.SimulationWarning, match="is at zero, at rest"):
        run = ps.simulate(ball(), [1.0], [0.0], 5.0, contacts=[floor(0.0)])
    assert len(run.events) == 1
    assert len(by_python[1]) == 1  # only for these words
