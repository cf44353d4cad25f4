"""Drivers between two moving links: limits of their turns, batches, transmission angles."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import planar_linkage

LINK = {"m": 1.0, "J": 0.02, "c": (0.1, 0.01)}


def four_bar(driver, drawn=None):
    """Return a four-bar of lengths 0.1, 0.4, 0.3, 0.35 driven in one of its pins."""
    bodies = {name: dict(LINK) for name in ("crank", "rod", "rocker")}
    joints = [{"id": "A", "a": 0, "b": "crank"},
              {"id": "B", "a": "crank", "pa": (0.1, 0), "b": "rod"},
              {"id": "C", "a": "rod", "pa": (0.4, 0), "b": "rocker", "pb": (0.3, 0)},
              {"id": "D", "a": 0, "pa": (0.35, 0), "b": "rocker"}]  # fmt: skip
    return ps.planar(bodies, joints, [driver], gravity=(0, -9.81))


def angle(opposite, *sides):
    """Return an angle of a triangle by the cosine law [rad]."""
    a, b = sides
    return np.arccos((a * a + b * b - opposite * opposite) / (2 * a * b))


def test_turns_of_an_inner_pin_end_where_crank_and_ground_are_stretched():
    """Check both limits of the pin between rod and rocker, by the cosine law."""
    bar = four_bar("C")
    for stop, reach in ((np.pi, 0.1 + 0.35), (0.0, 0.35 - 0.1)):
        with pytest.warns(ps.SimulationWarning, match=r"limit at C = .*crank, rod, rocker"):
            turn = bar.turn(start=1.1, stop=stop)
        assert turn.points[-1].kind == "limit"
        assert np.isclose(turn.points[-1].coordinate, angle(reach, 0.4, 0.3), atol=1e-9)
        assert "crank" in turn.points[-1].links
        assert np.all(np.isfinite(turn.driver_force))


def test_turns_of_a_pin_that_goes_all_the_way_round():
    """Check power of the pin between crank and rod against the crank's, over its whole turn."""
    bar, crank = four_bar("B"), four_bar("A")
    turn = bar.turn(2.0)
    assert len(turn.x) == 361
    poses = turn.positions
    q = poses["crank"][:, 2:]
    back = crank.with_modes(C=crank.assemblies(q[0])[0]["C"])
    modes = [back.with_modes(C=mode) for mode in (1, -1)]
    rates, accelerations = turn.velocities["crank"][:, 2:], turn.accelerations["crank"][:, 2:]
    torques = [m.inverse_dynamics(q, rates, accelerations)[:, 0] * rates[:, 0] for m in modes]
    powers = turn.driver_force * 2.0
    same = [np.abs(powers - torque) < 1e-9 * np.max(np.abs(powers)) for torque in torques]
    assert np.all(same[0] | same[1])


@pytest.mark.parametrize(
    ("cylinder", "link"), [("boom cylinder", "boom"), ("stick cylinder", "stick")]
)
def test_cylinders_end_where_they_are_in_line(cylinder, link):
    """Check that an excavator's cylinders go as far as there are assemblies, both ways."""
    arm = planar_linkage("excavator arm")
    number = arm.linkage.drivers.index(cylinder)
    for way in (3.0, -3.0):
        start = arm.drawn[number]
        with pytest.warns(ps.SimulationWarning, match=f"limit at {cylinder}"):
            turn = arm.turn(0.1, driver=cylinder, q=arm.drawn, start=start, stop=start + way)
        point = turn.points[-1]
        assert point.kind == "limit"
        assert link in point.links
        for beside, can_be in ((-1e-9, True), (1e-9, False)):
            q = arm.drawn.copy()
            q[number] = point.coordinate + beside * np.sign(way)
            assert bool(arm.assemblies(q)) == can_be


def test_cylinders_beside_a_triad():
    """Check the limit of a cylinder of a mechanism whose triad is followed by numbers."""
    points = {"O": (0, 0), "A": (0.01, 0.02), "B": (0.45, 0.25), "C": (0.7, 0.3), "D": (0.5, 0.42),
              "P": (0.9, -0.1), "Q": (0.3, 0), "M": (-0.5, 0), "N": (-0.3, 0.25),
              "K": (-0.2, 0)}  # fmt: skip
    links = {"ground": "OPQMK", "crank": "OA", "rod": "AB", "plate": "BCD", "left": "QD",
             "right": "PC", "boom": "MN", "barrel": "K", "piston": "N"}  # fmt: skip
    both = ps.sketch(points, links, drivers=["O", "cylinder"],
                     slides={"cylinder": ("barrel", "piston", "N", ("K", "N"))})  # fmt: skip
    squares = both.transmission(both.drawn)
    assert len(squares) == 1
    with pytest.warns(ps.SimulationWarning, match="limit at cylinder"):
        turn = both.turn(0.1, driver="cylinder", q=both.drawn, start=both.drawn[1],
                         stop=both.drawn[1] + 2.0)  # fmt: skip
    last = turn.positions["piston"][-1]
    length, boom = np.hypot(last[0] + 0.2, last[1]), np.hypot(0.2, 0.25)
    assert np.isclose(length + turn.points[-1].coordinate - turn.x[-1], 0.3 + boom, atol=1e-7)
