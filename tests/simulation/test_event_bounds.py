"""Events in long steps: none is passed over, however many, however short."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.library import chain, double_pendulum, four_bar, four_bar_configuration
from poinsot.simulation.laws import traced_events as events_module
from poinsot.simulation.running.status import Outcome
from tests.random_examples import examples

CART = ps.System("cart", [ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))
METHODS = {"dp8": {}, "dp5": {}, "stiff": {}, "rk4": {"step": 2.5}, "symplectic": {"step": 2.5}}


def times(run, name):
    """Return when an event happened."""
    return [event.t for event in run.events if event.name == name]


@pytest.mark.parametrize("method", METHODS)
def test_every_tick(method):
    """Check all zeros of sin(40 t) in 100 s, in steps of many of them."""
    tick = ps.Event("tick", "sin(40*t)")
    how = {"integrator": method, **METHODS[method]}
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[tick], **how)
    assert run.statistics.steps < 100
    assert_allclose(times(run, "tick"), np.arange(1, 1274) * math.pi / 40, atol=1e-11)


@pytest.mark.parametrize("direction", ["up", "down"])
def test_ticks_of_one_direction(direction):
    """Check that the others are passed by, and that a count stops at the right one."""
    tick = ps.Event("tick", "sin(40*t)", direction=direction, stop=300)
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[tick])
    first = 2 if direction == "up" else 1
    assert_allclose(times(run, "tick"), (first + 2 * np.arange(300)) * math.pi / 40, atol=1e-11)
    assert run.t[-1] == times(run, "tick")[-1]


@pytest.mark.parametrize("radius", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("speed", [1.0, 30.0])
def test_a_point_hits_a_small_sphere(radius, speed):
    """Check a contact that a single step would fly through."""
    gap = f"sqrt((x - 50)**2 + y**2 + z**2) - {radius}"
    surface = ps.PointOnSurface("sphere", ("cart", (0, 0, 0)), gap)
    sphere = ps.Contact(surface, 1.0, resolution=radius / speed)
    run = ps.simulate(CART, [0.0], [speed], 100.0 / speed, contacts=[sphere])
    assert_allclose(times(run, "sphere"), [(50 - radius) / speed])
    assert_allclose(run.v[-1], [-speed])


@settings(max_examples=examples(10))
@given(
    st.lists(st.tuples(st.floats(0.1, 1), st.floats(0.5, 60), st.floats(0, 6)), min_size=1,
             max_size=3),
    st.floats(-1.2, 1.2),
)  # fmt: skip
def test_sums_of_waves(waves, level):
    """Check random functions of the time against signs on a fine grid."""

    def g(t):
        return sum(a * np.sin(w * t + p) for a, w, p in waves) - level

    run = ps.simulate(CART, [0.0], [1.0], 20.0, events=[ps.Event("g", lambda t, q, v: g(t))])
    grid = np.linspace(0.0, 20.0, 400_001)
    values = g(grid)
    flips = np.flatnonzero(values[:-1] * values[1:] < 0)
    if abs(values[0]) < 1e-15:  # a zero that cannot be told from the start
        flips = flips[flips > 0]
    found = np.array(times(run, "g"))
    # the grid sees no pair of zeros within one of its steps, and that at an end is no event
    assert set(np.searchsorted(grid, found, side="left") - 1) >= set(flips.tolist())
    assert_allclose(g(found), 0.0, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_motions_in_coarse_steps(seed):
    """Check events of a motion in coarse steps against the same polynomials, looked at finely."""
    rng = np.random.default_rng(seed)
    system = double_pendulum()
    q, v = rng.uniform(-2, 2, 2), rng.uniform(-3, 3, 2)
    a, b = rng.uniform(0.5, 9, 2)

    def g(t, q, v):
        return np.cos(a * q[0] + b * q[1]) + 0.1 * v[0] - 0.6

    how = {"integrator": "rk4", "step": 0.1}
    run = ps.simulate(system, q, v, 3.0, events=[ps.Event("g", g)], **how)
    plain = ps.simulate(system, q, v, 3.0, **how)
    assert_array_equal(run.q, plain.q)
    grid = np.linspace(0.0, 3.0, 30_001)
    values = plain.evaluate(lambda t, q, v: np.array([g(t, q, v)]), t=grid).ravel()
    flips = np.flatnonzero(values[:-1] * values[1:] < 0)
    found = times(run, "g")
    assert set(np.searchsorted(grid, found, side="left") - 1) >= set(flips.tolist())
    assert len(found) <= len(flips) + 4


def test_quaternions_and_loops():
    """Check events where states are put back on constraints between the ends of steps."""
    box = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=1.0, inertia=(1, 2, 3))],
                    gravity=(0, 0, 0))  # fmt: skip
    spin = ps.Event("spin", lambda t, q, v: q[3] ** 2 + q[6] ** 2 - q[4] ** 2 - q[5] ** 2)
    turn = ps.Event("turn", lambda t, q, v: q[3] * q[4] + q[5] * q[6])
    run = ps.simulate(box, [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 4, 0, 0], 30.0, events=[spin, turn])
    assert_allclose(times(run, "spin"), (np.arange(38) + 0.5) * math.pi / 4, atol=1e-6)  # cos 4 t
    assert_allclose(times(run, "turn"), np.arange(1, 39) * math.pi / 4, atol=1e-6)  # sin 4 t
    system, q = four_bar(), four_bar_configuration(0.7)
    name = system.coordinate_names[0]
    wave = ps.Event("wave", f"sin(300*{name})")
    run = ps.simulate(system, q, np.zeros(system.nv), 1.0, events=[wave])
    angles = run.at(np.linspace(0, 1, 20_001))[0][:, 0]
    crossed = np.abs(np.diff(np.floor(angles * 300 / math.pi))).sum()
    assert len(run.events) == crossed


def test_jumps_that_come_back():
    """Check a function that is negative for an instant only, by choices and by signs."""
    window = ps.Event("window", "select(t < 31.4, 1, select(t < 31.4001, -1, 1))")
    signs = ps.Event("signs", "sign(t - 7.7) * sign(t - 7.7003)")
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[window, signs])
    assert_allclose(times(run, "window"), [31.4, 31.4001], atol=1e-9)
    assert_allclose(times(run, "signs"), [7.7, 7.7003], atol=1e-9)


def test_poles_and_functions_that_touch():
    """Check that a pole is passed, and that what touches zero costs little and is no event."""
    pole = ps.Event("pole", "1 / (cart - 33.3)")
    touch = ps.Event("touch", "(cart - 21.7)**2")
    still = ps.Event("still", "1e-9 * sin(cart) + 2e-9")
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[pole, touch, still])
    assert run.status.ok
    assert_allclose(times(run, "pole"), [33.3])
    assert len(times(run, "touch")) % 2 == 0
    assert times(run, "still") == []


@pytest.mark.parametrize("place", [68.468, 39.114, 33.3, *np.linspace(1.0, 99.0, 13).round(3)])
def test_poles_are_found(place):
    """Check functions that are infinite where they change their sign, sometimes to the last bit."""
    event = ps.Event("pole", f"1 / (cart - {float(place)!r})")
    assert_allclose(times(ps.simulate(CART, [0.0], [1.0], 100.0, events=[event]), "pole"), [place])


@pytest.mark.parametrize("apart", [3e-2, 3e-4, 3e-6])
def test_two_crossings_near_each_other(apart):
    """Check a function that dips below zero for a moment."""
    dip = ps.Event("dip", f"(cart - 50)**2 - {(apart / 2) ** 2!r}")
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[dip])
    assert_allclose(times(run, "dip"), [50 - apart / 2, 50 + apart / 2], rtol=1e-9)


def test_resolution():
    """Check that a coarse resolution bounds the search, and a fine one finds what is shorter."""

    def found(resolution):
        hidden = "select(t < 31.4, 1, select(t < 31.4000001, -1, 1))"
        event = ps.Event("e", hidden, resolution=resolution)
        return len(ps.simulate(CART, [0.0], [1.0], 100.0, events=[event]).events)

    assert found(1e-2) == 0
    assert found(1e-9) == 2
    for wrong in (0.0, -1.0, math.nan):
        with pytest.raises(ps.PoinsotError, match="resolution"):
            ps.Event("e", "t", resolution=wrong)
    with pytest.raises(ps.PoinsotError, match="contact 'floor': resolution"):
        ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z"), 0.7, resolution=0.0)


def test_bounds_that_are_always_infinite_end():
    """Check that a function of which nothing can be known is looked at, and the run ends."""
    wild = ps.Event("wild", "cart - 1 + 1 / (1e9 * (cart + 2) - 1e9 * cart)")
    run = ps.simulate(CART, [0.0], [1.0], 9.0, events=[wild], max_step=0.3)
    assert_allclose(times(run, "wild"), [1.0])


def test_large_functions_are_looked_at_in_eight_places(monkeypatch):
    """Check the way of functions that are too large to bound: eighths of each step."""
    monkeypatch.setattr(events_module, "LARGEST", 0)
    slow = ps.Event("slow", "sin(2*t)")
    run = ps.simulate(CART, [0.0], [1.0], 10.0, events=[slow], max_step=1.0)
    assert_allclose(times(run, "slow"), np.arange(1, 7) * math.pi / 2)
    few = ps.simulate(CART, [0.0], [1.0], 100.0, events=[ps.Event("tick", "sin(40*t)")])
    assert 0 < len(few.events) < 100


@pytest.mark.parametrize("method", METHODS)
def test_records_change_no_bit(method):
    """Check that what is only recorded leaves the motion alone."""
    system = chain(3)
    how = {"integrator": method, **({"step": 0.01} if METHODS[method] else {})}
    state = ([0.3, -1.0, 2.0], [0.5, 0.0, -1.0], 1.0)
    marks = [ps.Event(f"e{k}", lambda t, q, v, k=k: np.sin(7 * q[k]) - 0.3) for k in range(3)]
    run = ps.simulate(system, *state, events=marks, **how)
    plain = ps.simulate(system, *state, **how)
    assert len(run.events) > 3
    assert_array_equal(run.t, plain.t)
    assert_array_equal(run.q, plain.q)
    ordered = [event.t for event in run.events]
    assert ordered == sorted(ordered)


@pytest.mark.parametrize("place", [0.49, 0.033, 7.7])
@pytest.mark.parametrize("function", ["sqrt({} - cart)", "log({} - cart) + 40", "asin(cart / {})"])
def test_a_function_that_becomes_no_number(place, function):
    """Check that the run ends there, not a step before, with what lies before it recorded."""
    lost = ps.Event("lost", function.format(place))
    mark = ps.Event("mark", f"cart - {0.9 * place}")
    late = ps.Event("late", f"cart - {1.1 * place}")
    with pytest.warns(ps.SimulationWarning, match="'lost' is no number"):
        run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[lost, mark, late])
    assert run.status.outcome is Outcome.EVENT_FAILED
    assert place - 2e-6 <= run.status.time <= place
    assert run.t[-1] == run.status.time
    assert_allclose(run.q[-1, 0], run.t[-1])
    assert_allclose(times(run, "mark"), [0.9 * place])
    assert times(run, "late") == []


def test_what_acts_before_it_becomes_no_number():
    """Check that an event that turns the motion back saves the run."""
    lost = ps.Event("lost", "sqrt(0.49 - cart) + 1")
    back = ps.Event("back", "cart - 0.48", direction="up", reset=lambda t, q, v: -v)
    run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[lost, back])
    assert run.status.ok
    assert_allclose(times(run, "back"), [0.48])


def test_stored_times_before_it_becomes_no_number():
    """Check that rows up to the end are there where times to store are given."""
    lost = ps.Event("lost", "sqrt(0.495 - cart) + 1")
    with pytest.warns(ps.SimulationWarning, match="lost"):
        run = ps.simulate(CART, [0.0], [1.0], 100.0, events=[lost], save=0.1)
    assert_allclose(run.t, [0, 0.1, 0.2, 0.3, 0.4, 0.495], atol=2e-6)
