"""Runs through impacts: when they are, what they do, and what ends a run."""

import pickle

import numpy as np
import pytest

import poinsot as ps

BALL = ps.Body("ball", joint=ps.Prismatic("z"), mass=2.0)


def floor(restitution, surface="z", name="floor", body="ball"):
    return ps.Contact(ps.PointOnSurface(name, (body, (0, 0, 0)), surface), restitution)


def test_ball_between_two_walls():
    """An elastic ball goes to and fro without end, and keeps its energy to rounding."""
    ball = ps.System("ball", [BALL], gravity=(0, 0, 0))
    walls = [floor(1.0, "z + 1", "low"), floor(1.0, "2 - z", "high")]
    run = ps.simulate(ball, [0.0], [1.5], 20.0, contacts=walls)
    assert run.status.ok
    times = [event.t for event in run.events]
    assert np.allclose(times, (2.0 + 3.0 * np.arange(len(times))) / 1.5, rtol=0, atol=1e-12)
    assert [event.name for event in run.events] == ["high", "low"] * 4 + ["high", "low"]
    assert np.allclose(np.abs(run.v), 1.5, rtol=0, atol=1e-13)
    assert run.q.min() > -1.0 - 1e-12
    assert run.q.max() < 2.0 + 1e-12


def test_floor_that_moves():
    """Restitution is of relative rates: a rising floor, and a parameter in its formula."""
    u, e = ps.symbols("u"), 0.6
    lift = ps.ConstantForce("ball", (0, 0, 2.0 * u))
    ball = ps.System("ball", [BALL], forces=[lift], parameters={"u": 0.5}, free=["u"])
    run = ps.simulate(
        ball, [1.0], [0.0], 0.6, contacts=[floor(e, "z - u*t")], parameters={"u": 1.0}
    )
    g = 9.81 - 1.0
    t = (-1.0 + np.sqrt(1.0 + 2.0 * g)) / g  # 1 - g t² / 2 = t
    assert np.isclose(run.events[0].t, t, rtol=0, atol=1e-12)
    assert np.isclose(run.events[0].v[0], 1.0 + e * (1.0 + g * t), rtol=0, atol=1e-11)


def box():
    """Return a box in the plane, and its two lower corners on the ground."""
    body = ps.Body("box", joint=ps.Planar("x", "z"), mass=3.0, inertia=(0.1, 0.2, 0.1))
    corners = [
        ps.Contact(ps.PointOnSurface(name, ("box", (x, 0, -0.1)), "z"), 0.5)
        for name, x in (("left", -0.3), ("right", 0.3))
    ]
    return ps.System("box", [body]), corners


def test_contacts_of_one_instant_act_together():
    """A box that falls flat stays flat; one by one, its corners would turn it."""
    system, corners = box()
    run = ps.simulate(system, [0.0, 1.1, 0.0], [0.2, 0.0, 0.0], 0.8, contacts=corners)
    first = run.events[0]
    fall = np.sqrt(2.0 / 9.81)
    assert {event.name for event in run.events} == {"left", "right"}
    assert all(np.isclose(event.t, fall, rtol=0, atol=1e-12) for event in run.events)
    assert np.allclose(first.v, [0.2, 0.5 * 9.81 * fall, 0.0], rtol=0, atol=1e-11)
    hit = ps.impact(system, first.q_before, first.v_before, corners)
    assert np.allclose(list(hit.impulses.values()), 1.5 * 1.5 * 9.81 * fall)
    assert np.isclose(hit.energy_lost, 0.75 * 3.0 * 9.81)
    assert abs(run.q[-1, 2]) < 1e-12


def test_events_of_one_instant_are_one_impact(tmp_path):
    """Whichever of them is asked, the impact is that of both corners, in files too."""
    system, corners = box()
    run = ps.simulate(system, [0.0, 1.1, 0.0], [0.2, 0.0, 0.0], 0.8, contacts=corners)
    push = 1.5 * 1.5 * 9.81 * np.sqrt(2.0 / 9.81)
    for each in (run, ps.load_run(run.save(tmp_path / "run.npz"))):
        hits = [each.impact(event) for event in each.events]
        assert len(hits) == 2
        for hit in hits:
            assert hit.acted == ("left", "right")
            assert np.allclose(list(hit.impulses.values()), push)
            assert np.isclose(hit.energy_lost, 0.75 * 3.0 * 9.81)


def test_impacts_of_one_instant_that_do_not_touch_stay_their_own():
    """What another event does in between belongs to neither."""
    balls = [ps.Body(name, joint=ps.Prismatic("z"), mass=m) for name, m in (("a", 1.0), ("b", 2.0))]
    system = ps.System("balls", balls)
    floors = [
        ps.Contact(ps.PointOnSurface(f"floor {name}", (name, (0, 0, 0)), "z"), 0.5) for name in "ab"
    ]
    run = ps.simulate(system, [1.0, 0.5], [0.0, 0.0], 0.6, contacts=floors)
    first, second = run.events[0], run.events[-1]
    assert (first.name, second.name) == ("floor b", "floor a")
    assert run.impact(first).acted == ("floor b",)
    assert run.impact(second).acted == ("floor a",)
    turn = ps.Event("turn", "a", direction="down", reset=lambda t, q, v: -v)
    turned = ps.simulate(system, [1.0, 1.0], [0.0, 0.0], 0.5, contacts=floors, events=[turn])
    assert [event.name for event in turned.events] == ["turn", "floor a", "floor b"]
    assert not any(turned.impact(event).acted for event in turned.events[1:])


def test_closed_system():
    """A slider that hits a stop: its loop holds after the impact, and energy is what e leaves."""
    system = ps.library.slider_crank()
    q = ps.library.slider_crank_configuration(0.5)
    v = system.consistent_velocity(q, [4.0, 0.0, 0.0], joints=["crank"])
    x = float(q[2]) - 0.01
    stop = ps.Contact(ps.FormulaConstraint("stop", f"x - ({x!r})", {"x": "slider"}), 1.0)
    run = ps.simulate(system, q, v, 0.2, contacts=[stop], rtol=1e-11)
    event = run.events[0]
    assert run.status.ok
    assert np.isclose(event.q[2], x, rtol=0, atol=1e-12)
    assert np.allclose(event.v, -event.v_before, rtol=0, atol=1e-9)  # one degree of freedom
    assert np.abs(run.constraint_rate()).max() < 1e-9
    assert np.ptp(run.energy()) < 1e-8 * run.kinetic_energy().max()


def test_resting_contacts_end_the_run():
    """What would have to stay closed is not passed through, and the status says what to do."""
    ball = ps.System("ball", [BALL])
    for q, contact in (([1.0], floor(0.0)), ([0.0], floor(0.7)), ([0.0], floor(1.0))):
        with pytest.warns(
            ps.SimulationWarning, match=r"event 'floor' is at zero, at rest.*a constraint"
        ):
            run = ps.simulate(ball, q, [0.0], 2.0, contacts=[contact])
        assert run.status.outcome.value == "endless events"
        assert np.isclose(run.t[-1], np.sqrt(2.0 * q[0] / 9.81), rtol=0, atol=1e-6)
        assert abs(run.q[-1, 0]) < 1e-12
    with pytest.warns(ps.SimulationWarning, match=r"event 'floor' .* stays closed.*a constraint"):
        run = ps.simulate(ball, [1.0], [0.0], 9.0, contacts=[floor(0.5)])
    assert np.isclose(run.t[-1], 3.0 * np.sqrt(2.0 / 9.81), rtol=0, atol=1e-5)
    assert run.q.min() > -1e-12


def test_balls_that_touch():
    """Bodies that touch and are not pressed stay; hit, they take the blow together."""
    n = 5
    bodies = [ps.Body(f"{k}", joint=ps.Prismatic("x"), mass=1.0) for k in range(n)]
    ends = [(f"{k}", (0, 0, 0)) for k in range(n)]
    touch = [ps.Distance(f"hit {k}", ends[k], ends[k + 1], 0.2) for k in range(n - 1)]
    row = ps.System("row", bodies, gravity=(0, 0, 0))
    q = 0.2 * np.arange(n) + 7.3
    q[0] -= 1.0
    contacts = [ps.Contact(one, 1.0) for one in touch]
    run = ps.simulate(row, q, [1.0, 0, 0, 0, 0], 5.0, contacts=contacts)
    assert run.status.ok
    assert [event.name for event in run.events] == ["hit 0"]
    assert np.isclose(run.events[0].t, 1.0, rtol=0, atol=1e-11)
    # 1 = v0 + 4 w, w = v0 + 1
    assert np.allclose(run.v[-1], [-0.6, 0.4, 0.4, 0.4, 0.4], rtol=0, atol=1e-12)


def test_start_in_contact():
    """A start with a closed gap that closes is an impact; one that opens is none."""
    ball = ps.System("ball", [BALL], gravity=(0, 0, 0))
    run = ps.simulate(ball, [0.0], [-1.0], 1.0, contacts=[floor(0.5)])
    assert np.allclose([event.t for event in run.events], [0.0], rtol=0, atol=1e-13)
    assert np.allclose(run.q[-1], 0.5)
    assert not ps.simulate(ball, [0.0], [1.0], 1.0, contacts=[floor(0.5)]).events


def test_again():
    """A run with contacts repeats its bits, travels as a pickle, and its states in a file."""
    ball = ps.System("ball", [BALL])
    run = ps.simulate(ball, [1.0], [0.0], 1.2, contacts=[floor(0.8)])
    assert (run.repeat().q == run.q).all()
    copy = pickle.loads(pickle.dumps(run))
    assert (copy.repeat().q == run.q).all()
    assert len(copy.events) == len(run.events) == 2


def test_file(tmp_path):
    """A file keeps states and events, and states between them."""
    run = ps.simulate(ps.System("ball", [BALL]), [1.0], [0.0], 1.2, contacts=[floor(0.8)])
    again = ps.load_run(run.save(tmp_path / "run.npz"))
    assert (again.at(0.9)[0] == run.at(0.9)[0]).all()
    assert again.events[0].t == run.events[0].t
    more = again.continued(1.0)  # the file holds the contact
    assert (more.q == run.continued(1.0).q).all()
    assert more.events


@pytest.mark.parametrize(
    ("law", "friction"), [("unilateral", 0.2), ("stronge", 0.2), ("unilateral", 0.0)]
)
def test_checkpoints_hold_contacts(tmp_path, law, friction):
    """A run that is resumed bounces on, to the same bits; parameters and friction included."""
    body = ps.Body("ball", joint=ps.Planar("x", "z"), mass=0.5, inertia=(1e-3, 1e-3, 1e-3))
    ball = ps.System("ball", [body], parameters={"level": 0.1}, free=["level"])
    ground = ps.PointOnSurface("ground", ("ball", (0, 0, -0.05)), "z - level")
    contact = ps.Contact(ground, 0.9, friction=friction, law=law)
    options = {"contacts": [contact], "parameters": {"level": 0.2}, "rtol": 1e-8}
    start = [0.0, 1.0, 0.0], [0.3, 0.0, 0.0]
    whole = ps.simulate(ball, *start, 1.5, **options)
    assert len(whole.events) >= 2
    file = tmp_path / "run.npz"
    n = whole.statistics.steps // 2
    with pytest.warns(ps.SimulationWarning, match=f"{n} steps"):
        ps.simulate(ball, *start, 1.5, **options, max_steps=n, checkpoint=file)
    resumed = ps.resume(file, max_steps=10_000)
    assert (resumed.q[-1] == whole.q[-1]).all()
    assert [event.t for event in resumed.events] == [event.t for event in whole.events]


def test_batches_have_contacts_and_events(tmp_path):
    """Each run is as alone, with its own parameters; events may stop some of them."""
    ball = ps.System("ball", [BALL], parameters={"level": 0.0}, free=["level"])
    ground = ps.Contact(ps.PointOnSurface("ground", ("ball", (0, 0, 0)), "z - level"), 0.8)
    heights, levels = [1.0, 2.0, 0.7], [0.0, 0.1, 0.2]
    options = {"contacts": [ground], "save": 0.25}
    runs = ps.simulate(
        ball, np.array([heights]).T, [0.0], 1.0, parameters={"level": levels}, **options
    )
    for k, (height, level) in enumerate(zip(heights, levels, strict=True)):
        alone = ps.simulate(ball, [height], [0.0], 1.0, parameters={"level": level}, **options)
        assert [event.t for event in runs[k].events] == [event.t for event in alone.events]
        assert (runs[k].q == alone.q).all()
        assert (runs.q[k, -1] == alone.q[-1]).all()
    assert runs.ok.all()
    assert len(runs[1:][0].events) == len(runs[1].events)
    stop = ps.Event("low", "ball - 0.5", stop=True)
    ended = ps.simulate(ball, [[1.0], [9.0]], [0.0], 1.0, events=[stop], save=0.5)
    assert ended.ok.all()
    assert np.isclose(ended.reached[0], np.sqrt(2 * 0.5 / 9.81))
    assert np.isnan(ended.q[0, 1:]).all()
    assert ended.reached[1] == 1.0
    for batch in (runs, ended):
        again = ps.load_run(batch.save(tmp_path / "runs.npz"))
        assert np.array_equal(again.q, batch.q, equal_nan=True)
        for run, twin in zip(batch, again, strict=True):
            assert run.status.message == twin.status.message
            assert run.statistics.steps == twin.statistics.steps
            assert np.array_equal(run.t, twin.t)
            assert np.array_equal(run.v, twin.v)
            assert [str(event) for event in run.events] == [str(event) for event in twin.events]
            assert all(
                np.array_equal(x.v, y.v) for x, y in zip(run.events, twin.events, strict=True)
            )
            assert np.array_equal(run.energy(), twin.energy())
    longer = again[1].continued(0.5)  # events go on after loading: the second ball falls by 8.5 m
    assert np.isclose(longer.t[-1], np.sqrt(2 * 8.5 / 9.81))


def test_wrong_contacts_in_runs_are_refused():
    """Each message says what is wrong with which contact."""
    ball = ps.System("ball", [BALL])
    with pytest.raises(ps.ModelError, match=r"simulate: contact 'floor' overlaps.* is -0\.5"):
        ps.simulate(ball, [-0.5], [0.0], 1.0, contacts=[floor(0.5)])
    with pytest.raises(ps.ModelError, match="say which states to store"):
        ps.simulate(ball, [[1.0], [2.0]], [0.0], 1.0, contacts=[floor(0.5)])
    traced = ps.Contact(ps.Holonomic("traced", lambda q, t: q[0]), 0.5)
    with pytest.raises(ps.PoinsotError, match="a checkpoint cannot hold Callback"):
        ps.simulate(ball, [1.0], [0.0], 1.0, contacts=[traced], checkpoint="x.npz")
    with pytest.raises(ps.ArrayTypeError, match=r"contacts=\[contact\]"):
        ps.simulate(ball, [1.0], [0.0], 1.0, contacts=floor(0.5))
    event = ps.Event("floor", "ball - 0.5")
    with pytest.raises(ps.ModelError, match="2 events are called 'floor'"):
        ps.simulate(ball, [1.0], [0.0], 1.0, contacts=[floor(0.5)], events=[event])
    with pytest.raises(ps.FormulaError, match="height"):
        ps.simulate(ball, [1.0], [0.0], 1.0, contacts=[floor(0.5, "z - height")])


def test_barrier_of_an_event():
    """A reset of one's own may be a barrier; what cannot be one is refused."""
    ball = ps.System("ball", [BALL])
    stop = ps.Event("stop", "ball", direction="down", barrier=True, reset=lambda t, q, v: 0.0 * v)
    with pytest.warns(ps.SimulationWarning, match="'stop' is at zero"):
        run = ps.simulate(ball, [1.0], [0.0], 2.0, events=[stop])
    assert len(run.events) == 1
    assert run.q.min() > -1e-12
    with pytest.raises(ps.ModelError, match="barrier needs direction='down'"):
        ps.Event("e", "ball", barrier=True, reset=lambda t, q, v: v)
    fast = ps.Event("e", "v.ball", direction="down", barrier=True, reset=lambda t, q, v: v)
    with pytest.raises(ps.ModelError, match="velocities cannot be in the function of a barrier"):
        ps.simulate(ball, [1.0], [0.0], 1.0, events=[fast])


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("surface", ["z*z", "z**3", "(x + 2*z - 1)**4", "k*(z - k)**2"])
def test_gaps_without_a_slope_where_they_close_are_refused(surface, friction):
    ball = ps.System(
        "ball", [ps.Body("ball", joint=ps.Translation(), mass=1.0)], parameters={"k": 0.5}
    )
    floor = ps.PointOnSurface("floor", ("ball", (0, 0, 0)), surface)
    ground = ps.Contact(floor, 0.5, friction=friction)
    words = r"contact 'floor': its gap has no slope where it is zero.*z in place of"
    with pytest.raises(ps.ModelError, match=words):
        ps.impact(ball, [0, 0, 1e-6], [0, 0, -1.0], [ground])
    with pytest.raises(ps.ModelError, match=words):
        ps.simulate(ball, [0, 0, 1.0], [0, 0, -1.0], 1.0, contacts=[ground])


def test_functions_of_joints_without_a_slope_are_refused():
    slide = ps.System("slide", [ps.Body("slide", joint=ps.Prismatic("z"), mass=1.0)])
    for stop in (
        ps.FormulaConstraint("stop", "x**3", {"x": "slide"}),
        ps.Holonomic("stop", lambda q, t: q[0] ** 2),
    ):
        with pytest.raises(ps.ModelError, match="'stop': its gap has no slope"):
            ps.impact(slide, [0.0], [-1.0], [ps.Contact(stop, 0.5)])


@pytest.mark.parametrize(
    "surface",
    [
        "1e-9*z", "1e9*z", "z - x**2", "x**2 + y**2 + z**2 - 1", "z + sin(5*x)", "z**3 + z",
        "sqrt(x**2 + z**2) - 3", "z**2 - x**2 - y**2", "exp(z) - 2", "z + 0.1*t",
        "1 - x**2/9 - z**2/4",
    ],
)  # fmt: skip
def test_gaps_with_a_slope_are_taken(surface):
    """At rest at a place where the gap is open or closed there is no impact, and no refusal."""
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Translation(), mass=2.0)])
    contact = ps.Contact(ps.PointOnSurface("it", ("ball", (0, 0, 0)), surface), 0.5)
    place = [0.0, 0.0, 0.0] if surface.startswith("1 -") else [0.1, 0.2, 3.5]
    assert ps.impact(ball, place, [0.0, 0.0, 0.0], [contact]).acted == ()
