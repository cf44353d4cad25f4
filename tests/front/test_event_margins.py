"""Events that leave a run, come into it or change their order when something is varied."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import poinsot as ps

G = 9.81
BALL = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
FLOOR = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.5 * v)


def test_event_that_leaves_the_run_is_said() -> None:
    """A ball from z lands at sqrt(2 z / g), a little before the end of the run."""
    lands = np.sqrt(2 / G)
    change = ps.simulate(BALL, [1.0], [0.0], lands + 0.01, events=[FLOOR]).sensitivity("q")
    assert abs(change.event_margins["q.ball"] - 0.01 * G * lands) < 1e-9
    run = ps.simulate(BALL, [1.0], [0.0], lands + 1e-9, events=[FLOOR])
    with pytest.warns(ps.ModelWarning, match=r"'q\.ball' by .* number of events.*'floor'.*leaves"):
        run.sensitivity("q")


def test_event_that_comes_into_the_run_is_said() -> None:
    """The second bounce, at 2 sqrt(2 z / g), is right behind the end: g = v s, dg/dz = 2 dt1 v."""
    lands, early = np.sqrt(2 / G), 1e-6
    run = ps.simulate(BALL, [1.0], [0.0], 2 * lands - early, events=[FLOOR])
    assert len(run.events) == 1
    with pytest.warns(ps.ModelWarning, match=r"'q\.ball' by .* events.*'floor' happens before"):
        margins = run.sensitivity("q").event_margins
    assert abs(margins["q.ball"] - early / (2 / (G * lands))) < 1e-9
    with pytest.warns(
        ps.ModelWarning, match="gradient: .* number of events: event 'floor' happens"
    ):
        run.gradient("ball")
    far = ps.simulate(BALL, [1.0], [0.0], 1.5 * lands, events=[FLOOR]).sensitivity("q")
    assert far.event_margins["q.ball"] > 0.1
    assert len(far.event_times) == 1


@pytest.mark.parametrize("save", [None, [0.7]])
def test_event_that_is_nearly_touched_is_said(save: list[float] | None) -> None:
    """A ball thrown up to 1e-6 m below a ceiling: z + v² / 2 g, by z and by v."""
    ceiling = ps.Event("ceiling", "ball - 1.0", direction="up")
    v, gap = np.sqrt(2 * G * (1.0 - 1e-6)), 1e-6
    run = ps.simulate(BALL, [0.0], [v], 0.7, events=[ceiling], save=save)
    with pytest.warns(ps.ModelWarning, match=r"'ceiling', which comes as near to zero as -1e-06"):
        margins = run.sensitivity().event_margins
    with pytest.warns(ps.ModelWarning, match="gradient: .* number of events: .*'ceiling', which"):
        run.gradient("ball")
    assert abs(margins["q.ball"] - gap) < 1e-10
    assert abs(margins["v.ball"] - gap * G / v) < 1e-10


def test_independent_contacts_at_one_instant() -> None:
    """Two balls from the same height: each has the derivatives that it has alone."""
    bodies = [ps.Body(name, joint=ps.Prismatic("z"), mass=1.0) for name in ("first", "second")]
    floors = [ps.Contact(ps.PointOnSurface(f"{b.name} floor", b.name, "z"), 0.7) for b in bodies]
    run = ps.simulate(ps.System("two", bodies), [0.8, 0.8], [0.0, 0.0], 0.6, contacts=floors)
    assert run.events[0].t == run.events[1].t
    both = run.sensitivity()
    t1 = np.sqrt(1.6 / G)
    s = 0.6 - t1  # z = e g t1 s - g s² / 2
    by_z = (0.7 * G * (s - t1) + G * s) / (G * t1)
    assert np.abs(both.q[-1, :, :2] - by_z * np.eye(2)).max() < 1e-8
    assert abs(run.gradient("first", "q.first")["q.first"] - by_z) < 1e-8


@cache
def _bar() -> ps.System:
    """A bar that falls flat on its ends, of mass m and moment of inertia J."""
    lift, J = ps.Body("lift", joint=ps.Prismatic("z")), ps.symbols("J")
    bar = ps.Body("bar", "lift", ps.Revolute("y"), mass=ps.symbols("m"), inertia=(J, J, J))
    values = {"m": 1.0, "J": 0.4}
    return ps.System("bar", [lift, bar], parameters=values, free=list(values))


ENDS = [ps.PointOnSurface(f"end {x}", ("bar", (x, 0, 0)), "z") for x in (-1, 1)]


def _falls(J: float, duration: float = 0.6, **how: Any) -> ps.Run:
    contacts = [ps.Contact(end, 0.7, **how) for end in ENDS]
    start = [0.8, 0.0], [0.0, 0.0], duration
    return ps.simulate(_bar(), *start, contacts=contacts, parameters={"J": J})


def test_contacts_that_act_together() -> None:
    """A bar falls flat on its ends: as a ball does by its height; its tilt decides who is first."""
    run = _falls(0.4)
    message = r"'end -1', 'end 1' at t = 0\.4.* change their order with 'q\.bar'.*NaN"
    with pytest.warns(ps.ModelWarning, match=message):
        change = run.sensitivity(("q", "m"))
    t1 = np.sqrt(1.6 / G)
    s = 0.6 - t1
    by_z = (0.7 * G * (s - t1) + G * s) / (G * t1)
    assert np.abs(change.q[-1, :, 0] - [by_z, 0.0]).max() < 1e-8
    assert np.isnan(change.q[-1, :, 1]).all()
    assert np.abs(change.q[-1, :, 2]).max() < 1e-8
    assert abs(run.gradient("lift", "q.lift")["q.lift"] - by_z) < 1e-8
    with pytest.warns(ps.ModelWarning, match="gradient: events .* change their order"):
        assert np.isnan(run.gradient("lift", "q.bar")["q.bar"])


def test_ends_of_a_bar_that_do_not_feel_each_other() -> None:
    """Each end is the centre of percussion of the other: the tilt has a derivative too.

    With J = m l² the ends move as two balls of m / 2: tilt = (right - left) / 2 l follows the ball.
    """
    t1 = np.sqrt(1.6 / G)
    s = 0.6 - t1
    by_z = (0.7 * G * (s - t1) + G * s) / (G * t1)
    assert np.abs(_falls(1.0).sensitivity("q").q[-1] - by_z * np.eye(2)).max() < 1e-8


def test_legs_that_share_their_impulses() -> None:
    """A stool of four legs falls flat: impulses are not unique, velocities are those of a ball."""
    lift = ps.Body("lift", joint=ps.Prismatic("z"))
    roll = ps.Body("roll", parent="lift", joint=ps.Revolute("x"))
    seat = ps.Body("seat", "roll", ps.Revolute("y"), mass=1.0, inertia=(0.3, 0.4, 0.5))
    feet = [("seat", (x, y, 0)) for x in (-1, 1) for y in (-1, 1)]
    legs = [ps.Contact(ps.PointOnSurface(str(f), f, "z"), 0.5) for f in feet]
    system = ps.System("stool", [lift, roll, seat])
    run = ps.simulate(system, [0.8, 0, 0], [0.0, 0, 0], 0.5, contacts=legs)
    v = run.sensitivity(["q.lift", "v.lift"]).v[-1]
    assert np.abs(v - [[1.5 * G / np.sqrt(1.6 * G), 1.0], [0, 0], [0, 0]]).max() < 1e-8


def test_rough_ends_fall_as_smooth_ones() -> None:
    """Friction has nothing to oppose where a bar falls flat: it bounces as a ball does."""
    t1 = np.sqrt(1.6 / G)
    s = 0.5 - t1
    by_z = (0.7 * G * (s - t1) + G * s) / (G * t1)
    change = _falls(0.4, 0.5, friction=0.3).sensitivity("q.lift")
    assert np.abs(change.q[-1, :, 0] - [by_z, 0.0]).max() < 1e-8


def test_ends_in_turn_that_come_down_together_are_refused() -> None:
    """Whichever end is first decides the motion: there are one-sided derivatives only."""
    with pytest.raises(ps.ModelError, match=r"'end -1' and 'end 1' close equally fast.*order="):
        _falls(0.4, 0.5, order="sequential").sensitivity("q")
