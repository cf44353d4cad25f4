"""Events that the compiled loop handles, against the handler in Python and closed forms."""

import gc
import warnings
import weakref

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate.expression import compiled_program
from poinsot.simulation.laws import traced_events
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
PLATE = ps.System(
    "plate", [ps.Body("plate", joint=ps.Planar("x", "z"), mass=3.0, inertia=(0.1, 0.2, 0.1))]
)
LANDING = [0.0, 0.5, 0.0], [0.9, 0.0, 0.0]
"""A plate that falls flat while it drifts."""


def feet(friction, e=0.6, places=(-0.1, 0.12), **options):
    """Return feet of the plate as contacts with the floor."""
    return [
        ps.Contact(
            ps.PointOnSurface(f"foot {k}", ("plate", (x, 0, -0.1)), "z"), e, friction=friction,
            **options,
        )
        for k, x in enumerate(places)
    ]  # fmt: skip


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
        (PLATE, *LANDING, 1.0, {"contacts": feet(0.0)}),
        (PLATE, *LANDING, 1.0, {"contacts": feet(0.3)}),
        (PLATE, *LANDING, 0.7, {"contacts": feet(0.2, 0.5, (-0.1, 0.0, 0.12))}),
        (PLATE, [0.0, 0.5, 0.4], [0.9, 0.0, 0.0], 1.0, {"contacts": feet(0.2)}),
        (PLATE, [0.0, 0.5, 0.4], [0.9, 0.0, 0.0], 0.6, {"contacts": feet(2.0)}),
        (PLATE, [0.0, 0.5, 0.4], [0.9, 0.0, 0.0], 1.0, {"contacts": feet(0.2, law="poisson")}),
        (PLATE, [0.0, 0.5, 0.7], [0.2, 0.0, 0.0], 0.6, {"contacts": feet(0.6, law="poisson")}),
        (PLATE, [0.0, 0.5, 0.7], [0.1, 0.0, 0.0], 0.6, {"contacts": feet(0.3, law="stronge")}),
        (PLATE, [0.0, 0.5, 0.4], [-3.0, 0.0, 1.0], 1.0, {"contacts": feet(0.5, law="stronge")}),
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
    ids=["ball", "at times", "free body", "chain", "four-bar", "flat", "flat and rough",
         "three feet", "on a corner", "sticks", "Poisson", "Poisson turns",
         "Stronge turns", "Stronge", "reset and record"],
)  # fmt: skip
def test_the_loop_and_python_handle_events_alike(by_python, system, q, v, duration, options):
    in_python, calls = by_python
    run = ps.simulate(system, q, v, duration, **options)
    assert len(run.events) > 1
    assert len(calls) <= len(run.events) // 4  # the loop has handled the others
    for event in run.events:
        if "contacts" in options:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ps.ModelWarning)  # of friction that does work
                hit = ps.impact(system, event.q_before, event.v_before, options["contacts"])
            assert_allclose(event.v, hit.v, atol=1e-9)
    calls.clear()
    other = in_python(system, q, v, duration, **options)
    instants = {event.t for event in other.events}
    assert len(calls) > len(instants) // 2
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
    """Contacts whose laws differ at one instant, and events that stop."""
    _, calls = by_python
    law = ["unilateral", "stronge"]
    mixed = [feet(0.0, law=law[k])[k] for k in range(2)]
    with pytest.warns(ps.SimulationWarning, match="must have the same law"):
        ps.simulate(PLATE, *LANDING, 1.0, contacts=mixed)
    assert calls
    calls.clear()
    stop = ps.Event("ground", "ball", direction="down", stop=True)
    assert ps.simulate(ball(), [1.0], [0.0], 2.0, events=[stop]).t[-1] < 0.5
    assert calls


def test_a_ball_that_comes_to_rest_says_so(by_python):
    with pytest.warns(ps.SimulationWarning, match="is at zero, at rest"):
        run = ps.simulate(ball(), [1.0], [0.0], 5.0, contacts=[floor(0.0)])
    assert len(run.events) == 1
    assert len(by_python[1]) == 1  # only for these words


@pytest.mark.parametrize("seed", range(4))
def test_random_chains_between_walls(seed):
    """Each impact is that of ``ps.impact``, with and without friction, one or several at once."""
    rng = np.random.default_rng(seed)
    chain = ps.library.chain(3)
    name, q = chain.bodies[-1].name, rng.uniform(-1, 1, 3)
    place = chain.pose(name, q)[:3, 3]
    walls = [
        ps.Contact(
            ps.PointOnSurface(f"{axis}{side}", name, f"{sign} * ({axis} - {x}) + 0.08"),
            rng.uniform(0.3, 0.9), friction=float(rng.choice([0.0, 0.2])),
        )
        for axis, x in zip("xyz", place.tolist(), strict=True)
        for side, sign in (("low", 1), ("high", -1))
    ]  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.SimulationWarning)
        run = ps.simulate(chain, q, rng.normal(size=3), 0.8, contacts=walls, rtol=1e-9)
    assert len(run.events) >= 2
    for event in run.events:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ps.ModelWarning)
            hit = ps.impact(chain, event.q_before, event.v_before, walls)
        assert_allclose(event.v, hit.v, atol=1e-8 * max(1.0, np.abs(hit.v).max()))


def test_memory_of_events_keeps_its_machine_code():
    """Workspaces wait for the next run of the same events, longer than caches hold kernels."""
    events = [ps.Event("half", "ball - 0.3", direction="down", reset=lambda t, q, v: 0.9 * v)]
    run = ps.simulate(ball(), [1.0], [0.0], 1.0, contacts=[floor(0.8)], events=events)
    traced = run._trajectory.events
    kernels = [weakref.ref(use.kernel) for use in (traced.use, *traced.bounds)]
    kernels += [weakref.ref(compiled_program(traced.rate_program))]
    compiled_program.cache_clear()
    traced_events._bounds.cache_clear()
    gc.collect()
    assert all(kernel() is not None for kernel in kernels)
    assert run.continued(0.5).status.ok
