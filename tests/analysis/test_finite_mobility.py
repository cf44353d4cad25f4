"""Motions of finite size against those to first order only."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import (
    bennett,
    bennett_configuration,
    double_pendulum,
    four_bar,
    two_loops,
    two_loops_configuration,
)


def truss(rods):
    """Return a plate that slides and turns in the plane, on rods from the ground."""
    plate = ps.Body("plate", joint=ps.Planar("x", "y"), mass=1.0, inertia=(1.0, 1.0, 1.0))
    constraints = [
        ps.Distance(f"rod {i}", ("world", (*foot, 0)), ("plate", (*hold, 0)), np.hypot(*d))
        for i, (foot, hold) in enumerate(rods)
        for d in [np.subtract(foot, hold)]
    ]
    return ps.System("truss", [plate], constraints=constraints)


PARALLEL_EQUAL = [((-1, -1), (-1, 0)), ((0, -1), (0, 0)), ((1, -1), (1, 0))]
PARALLEL_UNEQUAL = [((-1, -1), (-1, 0)), ((0, -1.5), (0, 0)), ((1, -1), (1, 0))]
THROUGH_ONE_POINT = [((-2, -2), (-1, -1)), ((0, -2), (0, -1)), ((2, -2), (1, -1))]
SOUND = [((-1, -1), (-1, 0)), ((0, -1), (1, 0)), ((1, -1), (1, 0))]


@pytest.mark.parametrize(
    ("rods", "first_order", "finite"),
    [(PARALLEL_EQUAL, 1, 1), (PARALLEL_UNEQUAL, 1, 0), (THROUGH_ONE_POINT, 1, 0), (SOUND, 0, 0)],
)
def test_plate_on_three_rods(rods, first_order, finite):
    """Check the textbook's three-bar trusses: only equal parallel rods let the plate swing."""
    system, q = truss(rods), np.zeros(3)
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (first_order, finite)


def test_two_bars_in_line_are_shaky():
    """Check that they give way to first order only, while a little bent they are a sound truss."""
    bodies = [
        ps.Body(name, parent, ps.Revolute("z"), ps.Pose((x, 0, 0)), mass=1.0, com=(0.5, 0, 0))
        for name, parent, x in (("a", "world", 0), ("b", "a", 1))
    ]
    pin = ps.Loop("pin", ("world", (2, 0, 0)), ("b", (1, 0, 0)), ps.Revolute("z"))
    line = ps.System("line", bodies, loops=[pin])
    assert (line.mobility([0, 0]).degrees, line.finite_mobility([0, 0])) == (1, 0)


def test_branches_that_meet():
    """Check a flat parallelogram: two ways to go on, with one degree of freedom each."""
    parallelogram = four_bar(lengths=(0.3, 0.7, 0.3), ground=0.7)
    q = np.array([0.0, 0.0, np.pi])
    assert parallelogram.mobility(q).degrees == 2
    assert {parallelogram.finite_mobility(q, seed=seed) for seed in range(5)} == {1}


def test_ball_on_ball_rods_that_spin():
    """Check a rod between two balls that holds an arm: all that moves is its spin."""
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0), inertia=(1, 1, 1))
    rod = ps.Body("rod", "arm", ps.Spherical(), ps.Pose((1, 0, 0)), mass=1.0, inertia=(1, 1, 1))
    end = ps.Loop("end", ("world", (1, 1, 0)), ("rod", (0, 1, 0)), ps.Spherical())
    system = ps.System("spinning", [arm, rod], loops=[end])
    q = system.neutral()
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (1, 1)


@pytest.mark.parametrize(
    ("system", "q", "degrees"),
    [
        (bennett(), bennett_configuration(1.1), 1),
        (two_loops(), two_loops_configuration(), 5),
        (double_pendulum(), np.zeros(2), 2),
    ],
    ids=["bennett", "two loops", "double pendulum"],
)
def test_what_moves(system, q, degrees):
    """Check systems that go on as far as they give way, overconstrained ones too."""
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (degrees, degrees)


def test_open_configurations_are_refused():
    """Check that the message says what is open."""
    with pytest.raises(ps.AssemblyError, match=r"loop 'pin' by .* assemble it first"):
        four_bar().finite_mobility([0.8, 0.0, 0.0])
