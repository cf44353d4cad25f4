"""ps.verify by units: where method="composable" is compared, and what is left out and why."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.formulations.composable import mechanism_dynamics
from poinsot.library import planar_linkage

COMPOSABLE = {f"{x}: recursive, composable" for x in ("mass matrix", "bias", "forward dynamics")}
REACTIONS = "reactions: recursive, composable"
BY_UNITS = "forward dynamics: closed loops, units"


def names(report):
    """Return the names of the checks of a report."""
    return {check.name for check in report.checks}


def test_open_and_closed_planar_systems_are_computed_by_units():
    """Check a double pendulum, and a six-bar whose system has welds."""
    report = ps.verify(library.double_pendulum(), n_states=1)
    assert report.ok
    assert names(report) >= COMPOSABLE
    assert not report.left_out
    bar = planar_linkage("Watt I")
    q = bar.system_state(bar.drawn, 0 * bar.drawn)[0]
    report = ps.verify(bar.system(), n_states=1, q=q)
    assert report.ok, str(report)
    assert names(report) >= {*COMPOSABLE, BY_UNITS, REACTIONS}
    assert not report.left_out


def test_what_is_left_out_is_said():
    """Check a spatial joint by its name, beside a planar system of which nothing is."""
    rod = ps.Body("rod", joint=ps.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    ball = ps.Body("ball", "rod", ps.Spherical(), ps.Pose((1, 0, 0)), mass=1.0, inertia=(1, 1, 1))
    report = ps.verify(ps.System("ball", [rod, ball]), n_states=1)
    assert report.ok
    assert not names(report) & COMPOSABLE
    (line,) = report.left_out
    assert "joint 'ball' (spherical)" in line
    assert line in str(report)
    tip = ps.Body("tip", "rod", ps.Revolute("z"), ps.Pose((1, 0, 0)), mass=1.0, inertia=(1, 1, 1))
    bound = ps.Distance("bound", ("tip", (1, 0, 0)), ("world", (0, 1, 0)), 1.2)
    report = ps.verify(ps.System("bound", [rod, tip], constraints=[bound]), n_states=1)
    assert report.ok
    assert names(report) >= {*COMPOSABLE, BY_UNITS}


@pytest.mark.parametrize("rule", ["blade", "speed", "motion", "universal joint", "sled"])
def test_constraints_beside_the_units_are_compared(rule):
    """Check constraints on velocities and of time, and a loop that is open in the plane."""
    solid = {"mass": 1.0, "com": (0.3, 0.1, 0), "inertia": (1, 1, 1)}
    base = ps.Planar("x", "y") if rule == "sled" else ps.Revolute("z")
    rod = ps.Body("rod", joint=base, **solid)
    tip = ps.Body("tip", "rod", ps.Revolute("z"), ps.Pose((1, 0, 0)), **solid)
    end = ps.Body("end", "tip", ps.Revolute("z"), ps.Pose((1, 0, 0)), **solid)
    rules = {
        "blade": ps.KnifeEdge("rule", ("tip", (1, 0.2, 0))),
        "sled": ps.KnifeEdge("rule", ("rod", (0, 0, 0))),
        "speed": ps.PrescribedSpeed("rule", "tip", "0.3 + t"),
        "motion": ps.PrescribedMotion("rule", "tip", "0.3 + 0.2*sin(3*t)"),
    }
    loops, constraints = [], [rules[rule]] if rule in rules else []
    if not constraints:
        frame = ps.Pose((0.8, 0.9, 0))
        loops = [ps.Loop("rule", ("world", frame), ("end", (0.7, 0, 0)), ps.Universal("z", "x"))]
    system = ps.System("chain", [rod, tip, end], loops=loops, constraints=constraints)
    report = ps.verify(system, n_states=2)
    assert report.ok, str(report)
    assert names(report) >= {*COMPOSABLE, BY_UNITS, REACTIONS}
    assert not report.left_out


def test_wrong_units_are_seen(monkeypatch):
    """Check that a mass matrix by units that is wrong makes the report not ok."""
    right = mechanism_dynamics.mass_matrix_and_bias

    def wrong_matrix(result):
        M, h = right(result)
        return 1.01 * M, h

    monkeypatch.setattr(mechanism_dynamics, "mass_matrix_and_bias", wrong_matrix)
    report = ps.verify(library.double_pendulum(), n_states=1)
    wrong = [check.name for check in report.checks if not check.ok]
    assert wrong == ["mass matrix: recursive, composable"]


def class_four():
    """Return a drawn mechanism with a group of class IV, which cannot turn far."""
    points = {"O": (0, 0), "A": (0.1, 0.05), "B": (0.4, 0.1), "C": (0.35, 0.45), "E": (0.8, 0.15),
              "F": (0.85, 0.5), "H": (1.2, 0.3)}  # fmt: skip
    links = {"ground": "OH", "crank": "OA", "t1": "ABC", "b1": "BE", "b2": "CF", "t2": "EFH"}
    return ps.sketch(points, links, drivers=["O"])


def test_states_are_sought_near_the_drawing():
    """Check that a group that hardly moves is looked at in as many states as were asked for."""
    report = ps.verify(class_four(), n_states=12)
    assert report.n_states == 12
    assert report.ok, str(report)


def test_a_report_on_few_states_is_not_ok(monkeypatch):
    """Check that fewer than half of the states make it not ok, whatever agrees on them."""
    bar = planar_linkage("four-bar")
    right = ps.PlanarMechanism.nearness
    calls = iter(range(10**6))

    def rarely(self, q, **options):
        if next(calls) > 3:
            raise ps.AssemblyError("not here")
        return right(self, q, **options)

    monkeypatch.setattr(ps.PlanarMechanism, "nearness", rarely)
    report = ps.verify(bar, n_states=12)
    assert 0 < report.n_states < 6
    assert not report.ok
    assert "states that could be assembled" in str(report)


def test_a_wrong_shaking_moment_is_seen(monkeypatch):
    """Check the moment on the ground against the rate of angular momentum."""
    right = ps.PlanarMechanism.shaking_force

    def wrong(self, *given, **options):
        return right(self, *given, **options) * (1.0, 1.0, 1.001)

    bar = planar_linkage("Klann")
    assert ps.verify(bar, n_states=2).ok
    monkeypatch.setattr(ps.PlanarMechanism, "shaking_force", wrong)
    report = ps.verify(bar, n_states=2)
    wrong_ones = [check.name for check in report.checks if not check.ok]
    assert wrong_ones == ["shaking moment is the rate of angular momentum"]
    assert np.isfinite([check.worst for check in report.checks]).all()
    with pytest.raises(AttributeError):
        report.left_out = ("x",)
