"""Systems as trees of text."""

import io
import sys

import pytest

import poinsot as ps
from poinsot.front.tree_drawing import LONGEST_CHAIN, MOST_LINES, joint_text
from poinsot.library import humanoid, n_link_pendulum
from tests.strategies import random_case

SOLID = {"mass": 1.5, "inertia": (1, 1, 1)}


def lines(system):
    return str(system).splitlines()


def test_chains_stand_in_a_column_and_branches_begin_beside_it():
    """Check a whole drawing, line by line."""
    bodies = [
        ps.Body("trunk", joint=ps.Free(), mass=10.0),
        ps.Body("hip", "trunk", ps.Revolute((-1, 0, 0)), **SOLID),
        ps.Body("knee", "hip", ps.Revolute("y"), **SOLID),
        ps.Body("tail", "trunk", ps.Helical((0, 0.6, 0.8), 0.1), **SOLID),
        ps.Body("camera", "trunk"),
    ]
    system = ps.System("dog", bodies, gravity=(0, 0, 0))
    assert lines(system) == [
        "dog: 5 bodies, 9 degrees of freedom, 14.5 kg, gravity (0, 0, 0)",
        "world",
        "└─ trunk      free                             q[0:7]  v[0:6]  10 kg",
        "   ├─ hip     revolute -x                      q[7]    v[6]    1.5 kg",
        "   │  knee    revolute y                       q[8]    v[7]    1.5 kg",
        "   ├─ tail    helical (0, 0.6, 0.8) pitch 0.1  q[9]    v[8]    1.5 kg",
        "   └─ camera  fixed",
    ]


def test_loops_and_constraints_stand_below():
    """Check the lines of what closes the tree."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), **SOLID),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((1, 0, 0)), **SOLID),
    ]
    pin = ps.Loop("pin", ("rod", ps.Pose((1, 0, 0))), ("world", ps.Pose((2, 0, 0))), ps.Spherical())
    gear = ps.Gear("gear", "crank", "rod", 2.0)
    drawn = lines(ps.System("linkage", bodies, loops=[pin], constraints=[gear]))
    assert "nv = 2 under 4 constraint equations" in drawn[0]
    assert drawn[-2:] == ["loop pin: spherical from rod to world", "gear gear: crank, rod"]


def test_it_is_what_print_shows_and_repr_is_one_line():
    """Check str and repr, and that a robot fits in 80 columns."""
    system = humanoid()
    assert str(system) == system.tree()
    assert "\n" not in repr(system)
    assert max(map(len, lines(system))) <= 79


def test_every_body_of_a_robot_is_there():
    """Check that robots are not cut."""
    system = humanoid()
    for name in system.body_names:
        assert sum(f" {name} " in line for line in lines(system)) == 1


def test_rows_of_equal_links_are_cut():
    """Check that what is drawn and what is counted is everything."""
    drawn = lines(n_link_pendulum(10_000))
    assert len(drawn) < 10
    shown = sum(line.lstrip("└─ ").startswith("rod ") for line in drawn)
    (cut,) = (line for line in drawn if "more like it" in line)
    assert shown + int(cut.split()[1]) == 10_000


def test_long_chains_of_different_links_are_cut():
    """Check where the middle of a chain is left out."""
    bodies = [ps.Body("link 0", joint=ps.Revolute("y"), mass=1.0)]
    for k in range(1, 100):
        bodies.append(ps.Body(f"link {k}", f"link {k - 1}", ps.Revolute("y"), mass=1.0 + k))
    drawn = lines(ps.System("chain", bodies))
    assert len(drawn) <= LONGEST_CHAIN
    assert "   ⋮ 87 more" in drawn
    assert drawn[-1].split()[:2] == ["link", "99"]


def test_wide_systems_are_counted():
    """Check that the drawing of many branches ends."""
    bodies = [ps.Body(f"ball {k}", joint=ps.Free(), **SOLID) for k in range(1000)]
    drawn = lines(ps.System("sand", bodies))
    assert len(drawn) == MOST_LINES + 3
    assert drawn[-1] == f"⋮ and {1000 - MOST_LINES} more bodies"


@pytest.mark.parametrize("seed", range(5))
def test_no_body_is_lost_or_drawn_twice(seed):
    """Count the bodies of random trees, whose listing order is random too."""
    system = ps.System.from_mechanism(random_case(seed, 30).mechanism)
    names = [line.strip("└├─│ ").split("  ")[0] for line in lines(system)[2:]]
    assert sorted(names) == sorted(system.body_names)


def test_deep_trees_are_drawn_without_recursion():
    """A comb: every body carries a tooth and the next one."""
    bodies = [ps.Body("b0")]
    for k in range(1, 3000):
        bodies += [ps.Body(f"b{k}", f"b{k - 1}"), ps.Body(f"tooth {k}", f"b{k - 1}")]
    assert len(lines(ps.System("comb", bodies))) == MOST_LINES + 3


def test_terminals_without_box_characters_get_ascii(monkeypatch):
    """Check the lines by the encoding of standard output."""
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
    assert str(humanoid()).isascii()
    assert "|- " in str(humanoid())


def test_joints_in_words():
    """Check axes, sequences and slanted axes."""
    assert joint_text(ps.Universal("x", "y")) == "universal x y"
    assert joint_text(ps.Euler("zxz")) == "euler zxz"
    assert joint_text(ps.Prismatic((3, 0, 4))) == "prismatic (0.6, 0, 0.8)"
