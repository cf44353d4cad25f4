"""Every entry of q and v has a name and a unit."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.coordinate_names import (
    acceleration_unit,
    coordinate_entries,
    force_unit,
    velocity_entries,
)
from tests.random_joints import KINDS, random_joint


@pytest.mark.parametrize("kind", KINDS)
def test_one_name_and_one_unit_for_each_entry(kind):
    joint = random_joint(np.random.default_rng(0), kind, np.array([0, 0, 1.0]), passive=False)
    system = ps.System("one", [ps.Body("link", joint=joint, mass=1, inertia=(1, 1, 1))])
    for entries, size in (
        (coordinate_entries(system.mechanism), system.nq),
        (velocity_entries(system.mechanism), system.nv),
    ):
        names = [entry.name for entry in entries]
        assert len(set(names)) == len(names) == size
        assert all(name == "link" or name.startswith("link.") for name in names)
    assert all(unit in ("m", "rad", "1") for unit in system.coordinate_units)


def test_names_follow_the_joints():
    bodies = [
        ps.Body("base", joint=ps.Free(), mass=1, inertia=(1, 1, 1)),
        ps.Body("hand", "base", ps.Revolute("x", name="wrist"), mass=1, inertia=(1, 1, 1)),
    ]
    system = ps.System("two", bodies)
    assert system.coordinate_names[3:] == (
        "base.qw", "base.qx", "base.qy", "base.qz", "wrist"
    )  # fmt: skip
    assert system.velocity_names[-2:] == ("base.wz", "wrist")
    assert system.velocity_units[2:4] == ("m/s", "rad/s")


def test_units_of_forces_do_work_on_velocities():
    """[force] [velocity] = W: N m/s = N m rad/s."""
    assert (force_unit("m/s"), force_unit("rad/s")) == ("N", "N m")
    assert acceleration_unit("rad/s") == "rad/s²"
    assert np.all([force_unit(unit) for unit in ps.library.humanoid().velocity_units])
