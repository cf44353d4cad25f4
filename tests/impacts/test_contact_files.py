"""Files, checkpoints and batches of runs with contacts of every kind: they bounce on alike."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import poinsot as ps

BOX = ps.System(
    "box", [ps.Body("box", joint=ps.Planar("x", "z"), mass=3.0, inertia=(0.1, 0.2, 0.1))]
)
START = [0.0, 0.35, 0.05], [0.6, 0.0, 0.4]


def foot(name, x, restitution, **options):
    return ps.Contact(ps.PointOnSurface(name, ("box", (x, 0, -0.1)), "z"), restitution, **options)


def feet(**options):
    """Return a box with two feet that have the same law."""
    listed = [foot("left", -0.1, 0.6, **options), foot("right", 0.1, 0.7, **options)]
    return BOX, *START, 0.5, listed


def flat_feet(**options):
    """Return a box that falls on both feet at the same instant."""
    listed = [foot("left", -0.1, 0.6, **options), foot("right", 0.1, 0.6, **options)]
    return BOX, [0.0, 0.35, 0.0], [0.6, 0.0, 0.0], 0.35, listed  # later it rests on a foot


def feet_of_their_own():
    listed = [
        foot("left", -0.1, 0.6, friction=0.4, law="stronge", order="sequential"),
        foot("right", 0.1, 0.7, law="unilateral", order="sequential"),
    ]
    return BOX, *START, 0.5, listed


def spun_ball():
    """Return a ball with backspin, in space."""
    body = ps.Body("ball", joint=ps.Free(), mass=0.5, inertia=(2e-3, 2e-3, 2e-3))
    ball = ps.System("ball", [body])
    ground = ps.RollingBall("ground", "ball", radius=0.1, rolling=False)
    start = ball.neutral()
    start[2] = 0.4
    contact = ps.Contact(ground, 0.8, friction=0.3, law="stronge", resolution=2e-3)
    return ball, start, [1.0, 0.3, 0, 10.0, -60.0, 5.0], 0.9, [contact]


def stops():
    """Return a pendulum between the ends of its joint."""
    hinge = ps.Revolute("y", limits=ps.Limits(position=(-0.5, 0.9)))
    swing = ps.System("swing", [ps.Body("rod", joint=hinge, mass=1.0, com=(0, 0, -1))])
    return swing, [0.0], [6.0], 1.0, ps.contacts_from_limits(swing, 0.8)


def rope():
    bob = ps.System("bob", [ps.Body("bob", joint=ps.Translation(), mass=1.0)])
    line = ps.rope("line", ("world", (0, 0, 0)), ("bob", (0, 0, 0)), 0.5, restitution=0.6)
    return bob, [0.3, 0.0, 0.0], [0.0, 0.2, 0.0], 0.58, [line]


def cradle():
    system = ps.library.newtons_cradle(3)
    listed = ps.library.newtons_cradle_contacts(system)
    return system, [0.5, 0.0, 0.0], [0.0, 0.0, 0.0], 0.9, listed


SCENES = {
    f"{law}, {order}, {friction}": lambda law=law, order=order, friction=friction: feet(
        law=law, order=order, friction=friction
    )
    for law in ("unilateral", "poisson", "stronge")
    for order in ("simultaneous", "sequential")
    for friction in (0.0, 0.4)
} | {
    "flat, unilateral": lambda: flat_feet(friction=0.3),
    "flat, poisson": lambda: flat_feet(law="poisson", friction=0.3),
    "flat, stronge in turn": lambda: flat_feet(law="stronge", friction=0.3, order="sequential"),
    "laws of their own": feet_of_their_own,
    "ball in space": spun_ball,
    "stops": stops,
    "rope": rope,
    "cradle": cradle,
}


def assert_same(run, other):
    """Check that two runs are the same to the last bit, their events too."""
    assert_array_equal(run.q[-1], other.q[-1])
    assert_array_equal(run.v[-1], other.v[-1])
    assert [str(event) for event in run.events] == [str(event) for event in other.events]
    for event, twin in zip(run.events, other.events, strict=True):
        assert event.t == twin.t
        assert_array_equal(event.v, twin.v)
        assert_array_equal(event.v_before, twin.v_before)


@pytest.mark.parametrize("name", SCENES)
def test_a_run_of_a_file_bounces_on(tmp_path, name):
    system, q, v, duration, contacts = SCENES[name]()
    run = ps.simulate(system, q, v, duration / 2, contacts=contacts)
    again = ps.load_run(run.save(tmp_path / "run.npz"))
    assert_same(run, again)
    more = run.continued(duration / 2)
    assert more.events or run.events
    assert_same(more, again.continued(duration / 2))


@pytest.mark.parametrize("name", SCENES)
def test_a_checkpoint_bounces_on(tmp_path, name):
    system, q, v, duration, contacts = SCENES[name]()
    whole = ps.simulate(system, q, v, duration, contacts=contacts)
    assert whole.events
    steps, file = whole.statistics.steps // 2, tmp_path / "run.npz"
    with pytest.warns(ps.SimulationWarning, match=f"{steps} steps"):
        ps.simulate(system, q, v, duration, contacts=contacts, max_steps=steps, checkpoint=file)
    assert_same(whole, ps.resume(file, max_steps=100_000))


@pytest.mark.parametrize("name", SCENES)
def test_runs_of_a_batch_are_those_alone(tmp_path, name):
    system, q, v, duration, contacts = SCENES[name]()
    starts = np.stack([np.array(v, float) * x for x in (1.0, 0.9, 1.1)])
    options = {"contacts": contacts, "save": duration / 8}
    runs = ps.simulate(system, q, starts, duration, **options)
    again = ps.load_run(runs.save(tmp_path / "runs.npz"))
    for k, start in enumerate(starts):
        alone = ps.simulate(system, q, start, duration, **options)
        assert_same(runs[k], alone)
        assert_same(again[k], alone)
    assert any(run.events for run in runs)
    assert_same(runs[0].continued(duration / 4), again[0].continued(duration / 4))
