"""Runs of planar mechanisms that come to a dead point stop there, with links and angle."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.front.planar_dead_points import dead_point


def bar(crank, rod, rocker, ground):
    return ps.planar(
        {"crank": {"m": 1.0, "J": 0.01}, "rod": {"m": 1.0, "J": 0.01},
         "rocker": {"m": 1.0, "J": 0.01}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (crank, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (rod, 0), "b": "rocker", "pb": (rocker, 0)},
         {"id": "D", "a": "ground", "pa": (ground, 0), "b": "rocker"}],
        ["A"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("lengths", "angle"),
    [((0.3, 0.2, 0.3, 0.4), 90), ((0.1, 0.4, 0.1, 0.4), 179.9)],
    ids=["limit", "change point"],
)
def test_a_dead_point_ends_the_run(lengths, angle):
    """Check status, warning and that the energy is what it was: nothing is lost on the way."""
    with pytest.warns(
        ps.SimulationWarning, match=rf"rod, rocker came to a dead point at A = {angle}"
    ):
        run = bar(*lengths).simulate([0.6], [9.0], 2.0, rtol=1e-9)
    assert "dead point" in run.run.status.message
    assert run.t[-1] < 2.0
    assert np.isfinite(run.v).all()
    assert np.ptp(run.energy()) < 1e-6 * run.energy()[0]


def slider(crank, rod, offset=0.0):
    """Return a crank, a rod and a ram on a guide."""
    return ps.planar(
        {"crank": {"m": 1.0, "J": 0.01}, "rod": {"m": 1.0, "J": 0.01}, "ram": {"m": 1.0}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (crank, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (rod, 0), "b": "ram"},
         {"id": "D", "type": "P", "a": "ground", "pa": (0, offset), "b": "ram"}],
        ["A"],
    )  # fmt: skip


def swinging_arm(crank, ground):
    """Return a crank whose block slides in the slot of an arm, which turns about a pin below."""
    return ps.planar(
        {"crank": {"m": 1.0, "J": 0.01}, "block": {"m": 0.1}, "arm": {"m": 1.0, "J": 0.01}},
        [{"id": "A", "a": "ground", "pa": (0, ground), "b": "crank"},
         {"id": "B", "a": "crank", "pa": (crank, 0), "b": "block"},
         {"id": "C", "type": "P", "a": "arm", "b": "block"},
         {"id": "D", "a": "ground", "b": "arm"}],
        ["A"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mechanism", "angle", "links"),
    [
        (slider(0.6, 0.4), np.arcsin(0.4 / 0.6), "rod, ram"),
        (slider(0.6, 0.4, 0.1), np.arcsin(0.5 / 0.6), "rod, ram"),
        (swinging_arm(0.2, 0.2), 1.5 * np.pi, "block, arm"),
    ],
    ids=["rod across", "offset", "block at the pin"],
)
def test_dead_points_of_slides(mechanism, angle, links):
    """Check where runs end: rods across their guides, a block on the pin of its arm."""
    with pytest.warns(ps.SimulationWarning, match=f"{links} came to a dead point at A = "):
        run = mechanism.simulate([0.1], [6.0], 3.0, rtol=1e-9)
    assert run.q[-1, 0] == pytest.approx(angle, abs=5e-3)
    assert np.ptp(run.energy()) < 1e-6 * run.energy()[0]


def test_what_has_no_dead_point_goes_on():
    """Check a crank alone and a gear pair, whose equations are never singular."""
    crank = ps.planar({"crank": {"m": 1.0, "J": 0.1}}, [{"id": "A", "a": 0, "b": "crank"}], ["A"])
    assert crank.simulate([0.0], [2.0], 0.5).q[-1, 0] == pytest.approx(1.0)
    train = ps.library.planetary_gear().simulate([0.0], [2.0], 0.5)
    assert train.q[-1, 0] == pytest.approx(1.0)


def test_cranks_that_turn_all_round_are_not_watched():
    """A crank and rocker has no dead point of its crank; a double rocker has."""
    q = np.zeros(1)
    assert dead_point(bar(0.1, 0.3, 0.25, 0.3), q, {}) is None
    assert dead_point(bar(0.5, 0.3, 0.5, 0.8), q, {}) is not None
    assert dead_point(slider(0.1, 0.4), q, {}) is None
    assert dead_point(swinging_arm(0.1, 0.3), q, {}) is None


def test_turns_tell_where_they_can_begin():
    """A double rocker cannot be assembled at 0: the message has an angle at which it can."""
    double = bar(0.3, 0.4, 0.3, 0.35)
    with pytest.raises(ps.AssemblyError, match=r"at A = 0°\); at A = .*°.* start=") as told:
        double.turn()
    start = float(str(told.value).rpartition("start=")[2])
    assert np.isfinite(double.positions([start])["rod"]).all()


def test_wrong_numbers_of_drivers_name_links():
    """Check a structure, a driver too many and one too few."""
    pins = [{"id": "A", "a": "ground", "b": "crank"},
            {"id": "B", "a": "crank", "pa": (0.1, 0), "b": "rod"},
            {"id": "C", "a": "rod", "pa": (0.3, 0), "b": "rocker", "pb": (0.3, 0)},
            {"id": "D", "a": "ground", "pa": (0.3, 0), "b": "rocker"}]  # fmt: skip
    bodies = {"crank": {}, "rod": {}, "rocker": {}}
    with pytest.raises(ps.DriverCountError, match=r"\['crank', 'rod', 'rocker'\] still move"):
        ps.planar(bodies, pins, [])
    with pytest.raises(ps.DriverCountError, match=r"'rocker'\] have a driver too many"):
        ps.planar(bodies, pins, ["A", "D"])
    brace = [{"id": "E", "a": "crank", "b": "x"}, {"id": "F", "a": "x", "pa": (0.2, 0), "b": "rod"}]
    with pytest.raises(ps.DriverCountError, match=r"'x'\] are a structure; take away a link"):
        ps.planar(bodies | {"x": {}}, [*pins, *brace], ["A"])
