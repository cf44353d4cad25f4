"""Events that cannot be: every message says what was expected."""

import math

import pytest

import poinsot as ps
from tests.simulation.test_traced_events import slider


@pytest.mark.parametrize(
    "event",
    [
        ps.Event("e", "slider - p"),
        ps.Event("e", "t - 1", reset=lambda t, q, v: v * ps.symbols("p")),
        ps.Event("e", "t - 1", reset_state=lambda t, q, v: (q * ps.symbols("p"), v)),
    ],
)
def test_samples_in_events_are_refused(event):
    """What is looked up in compiled laws only must not be taken from somewhere else."""
    samples = ps.Signal([0, 1, 2.0], [0.5, 0.7, 0.9])
    body = ps.Body("slider", joint=ps.Prismatic("x"), mass=1.0)
    system = ps.System("slider", [body], gravity=(0, 0, 0), parameters={"p": samples})
    with pytest.raises(ps.ModelError, match=r"event 'e'.*parameter 'p' is a signal"):
        ps.simulate(system, [0.0], [1.0], 1.0, events=[event])


@pytest.mark.parametrize(
    ("make", "error", "words"),
    [
        (lambda: ps.Event("", "t"), ps.ModelError, "name must be a text"),
        (lambda: ps.Event("e", 3.0), ps.ArrayTypeError, "'e'.*got float"),
        (lambda: ps.Event("e", "t", direction="left"), ps.ModelError, "'up'.*got 'left'"),
        (lambda: ps.Event("e", "t", stop=-1), ps.ModelError, "stop"),
        (lambda: ps.Event("e", "t", reset=1.0), ps.ArrayTypeError, "reset must be a function"),
        (lambda: ps.Event("e", "t", reset=abs, reset_state=abs), ps.ModelError, "not both"),
        (lambda: ps.Event("e", ps.Callback(abs)), ps.ModelError, "cannot be a Callback"),
    ],
)
def test_wrong_events_are_refused(make, error, words):
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize(
    ("events", "error", "words"),
    [
        (["t"], ps.ArrayTypeError, "must be Event, got str"),
        (ps.Event("e", "t"), ps.ArrayTypeError, r"events=\[event\]"),
        ([ps.Event("e", "t"), ps.Event("e", "t")], ps.ModelError, "2 events are called 'e'"),
        ([ps.Event("e", "wheel - 1")], ps.FormulaError, "event 'e'.*wheel"),
        ([ps.Event("e", "a.slider")], ps.ModelError, "accelerations cannot be in it"),
        ([ps.Event("e", "tau.slider")], ps.ModelError, "joint forces cannot be in it"),
        ([ps.Event("e", "3 - pi")], ps.ModelError, "crosses nothing"),
        ([ps.Event("e", lambda t, q, v: [t, t])], ps.ShapeError, "one number"),
        ([ps.Event("e", lambda t, q, v: math.sin(t))], ps.PoinsotError, "could not be traced"),
        (
            [ps.Event("e", lambda t, q, v: slider().pose("slidr", q)[0, 3])],
            ps.ModelError,
            r"^event 'e': .*no body 'slidr'; did you mean 'slider'\?$",
        ),
        (
            [ps.Event("e", lambda t, q, v: slider().pose("slider", [*q, *v])[0, 3])],
            ps.ShapeError,
            r"^event 'e': pose: q must have shape \(\.\.\., 1\), got \(2,\)$",
        ),
        ([ps.Event("e", "t", reset=lambda t, q, v: [1, 2])], ps.ShapeError, r"v of shape \(1,\)"),
        (
            [ps.Event("e", "t", reset=lambda t, q, v: math.sin(t))],
            ps.PoinsotError,
            r"poinsot\.Callback",
        ),
        ([ps.Event("e", "t", reset_state=lambda t, q, v: [v])], ps.ShapeError, "pair"),
        ([ps.Event("e", "t", tau=[1, 2])], ps.ShapeError, r"shape \(1,\)"),
    ],
)
def test_events_that_do_not_fit_are_refused(events, error, words):
    with pytest.raises(error, match=words):
        ps.simulate(slider(), [0.0], [1.0], 1.0, events=events)
