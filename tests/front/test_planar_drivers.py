"""Planar mechanisms driven in other joints: the same motion takes the same power."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.library import planar_linkage

CHOICES = {
    "slider-crank": ["guide"],
    "toggle press": ["guide"],
    "Watt I": ["G"],
    "Stephenson III": ["D"],
    "crank and slotted lever": ["slot"],
    "excavator arm": ["A", "D"],
    "five-bar": ["B", "C"],
    "Stephenson II": ["D"],
    "planetary gear": ["C"],
    "cam": ["O"],
}
PAIRS = {"planetary gear": library.planetary_gear, "cam": library.cam_and_follower}


def is_same(found, poses):
    """Return whether poses are the same but for whole turns."""
    return all(np.allclose(np.exp(1j * found[k]), np.exp(1j * poses[k])) for k in poses)


@pytest.mark.parametrize("name", CHOICES)
def test_other_drivers_take_the_same_power(name):
    """Check poses, motions and power in the same motion, at a state away from the drawing."""
    mechanism = PAIRS[name]() if name in PAIRS else planar_linkage(name)
    q = (np.zeros(1) if name in PAIRS else mechanism.drawn) + 0.05
    v, a = np.linspace(0.7, 1.1, len(q)), np.linspace(-0.4, 0.3, len(q))
    other = mechanism.with_drivers(CHOICES[name], q)
    motions = mechanism.joint_motions(q, v, a)
    poses = mechanism.positions(q)
    assert is_same(other.positions(other.drawn), poses)
    rates, accelerations = mechanism.velocities(q, v), mechanism.accelerations(q, v, a)
    joints = [other.linkage.by_name[joint] for joint in CHOICES[name]]

    def along(values):
        return np.array([values[j.b][2] - values[j.a][2] for j in joints])

    if all(joint.kind == "R" for joint in joints):
        v_new, a_new = along(rates), along(accelerations)
        found = other.velocities(other.drawn, v_new)
        assert all(np.allclose(x, rates[k], atol=1e-10) for k, x in found.items())
    else:
        h = 1e-5
        t = np.array([-h, 0.0, h])[:, None]
        way = mechanism.with_drivers(mechanism.linkage.drivers, q)
        strokes = np.array([
            mechanism.with_drivers(CHOICES[name], state).drawn
            for state in way.drawn + v * t + a * t**2 / 2
        ])  # fmt: skip
        v_new = (strokes[2] - strokes[0]) / (2 * h)
        a_new = (strokes[2] - 2 * strokes[1] + strokes[0]) / h**2
    assert motions.keys() == other.joint_motions(other.drawn, v_new, a_new).keys()
    power = mechanism.inverse_dynamics(q, v, a) @ v
    expected = other.inverse_dynamics(other.drawn, v_new, a_new) @ v_new
    assert np.isclose(power, expected, rtol=1e-4, atol=1e-6)


def test_platforms_are_driven_in_their_coordinates():
    """Check inverse kinematics of a 3-RRR: three dyads, the same motion and the same power."""
    robot = planar_linkage("3-RRR")
    inverse = robot.with_drivers(["platform"])
    assert inverse.linkage.drivers == ("platform x", "platform y", "platform angle")
    assert [unit.form for unit in inverse.units] == ["P", "P", "R", "RRR", "RRR", "RRR"]
    x = inverse.drawn + np.array([0.02, -0.01, 0.1])
    v, a = np.array([0.3, -0.2, 0.7]), np.array([1.0, 0.5, -2.0])
    poses = inverse.positions(x)
    assert np.allclose(poses["platform"], x)
    cranks = [f"crank {k}" for k in (1, 2, 3)]
    q, qd, qdd = (
        np.array([motion[crank][2] for crank in cranks])
        for motion in (poses, inverse.velocities(x, v), inverse.accelerations(x, v, a))
    )
    q += 2 * np.pi * np.round((robot.drawn - q) / (2 * np.pi))
    near = {name: poses[name] for name in robot.linkage.links}
    assert is_same(robot.positions(q, near=near), near)
    assert np.allclose(robot.velocities(q, qd, near=near)["platform"], v)
    assert np.allclose(robot.accelerations(q, qd, qdd, near=near)["platform"], a)
    power = robot.inverse_dynamics(q, qd, qdd, near=near) @ qd
    assert np.isclose(inverse.inverse_dynamics(x, v, a) @ v, power, rtol=1e-9)
    modes = inverse.assemblies(x)
    assert len(modes) == 8  # two ways to work for each limb


def test_points_of_links_are_driven():
    """Check that a five-bar's pin goes where it is told, and what is told of mistakes."""
    robot = planar_linkage("five-bar")
    link = robot.linkage.joints[2].b
    point = robot.linkage.joints[2].pb
    inverse = robot.with_drivers([{"link": link, "point": (point[0] + 0.01, point[1])}])
    assert inverse.linkage.drivers == (f"{link} point x", f"{link} point y")
    x = inverse.drawn + np.array([0.01, -0.02])
    pose = inverse.positions(x)[link]
    turn = np.array([[np.cos(pose[2]), -np.sin(pose[2])], [np.sin(pose[2]), np.cos(pose[2])]])
    assert np.allclose(pose[:2] + turn @ [point[0] + 0.01, point[1]], x)
    with pytest.raises(ps.ModelError, match=r"there is no link 'rodd'"):
        robot.with_drivers([{"link": "rodd"}])
    with pytest.raises(ps.ModelError, match=r"has no key 'points'; did you mean 'point'"):
        robot.with_drivers([{"link": link, "points": (0, 0)}])
    with pytest.raises(ps.DriverCountError, match="3 drivers for 2 degrees of freedom"):
        robot.with_drivers([link])


def test_nested_mechanisms_are_driven_in_joints_of_parts():
    """Check a part's joint as driver, and names and numbers that do not fit."""
    dyad = planar_linkage("four-bar").unit("rocker")
    whole = ps.planar(
        {"crank": {"m": 1.0}}, [{"id": "A", "a": "ground", "b": "crank"}], ["A"],
        parts={"d": {"mechanism": dyad, "ports": {"crank": "crank"}}},
    )  # fmt: skip
    assert dyad.linkage.ports == ("crank",)
    other = whole.with_drivers(["d.D"], [0.4])
    assert other.linkage.drivers == ("d.D",)
    assert is_same(other.positions(other.drawn), whole.positions([0.4]))
    with pytest.raises(ps.DriverCountError, match="2 drivers for 1"):
        whole.with_drivers(["A", "d.D"], [0.4])
    with pytest.raises(ps.ModelError, match="'X'"):
        whole.with_drivers(["X"], [0.4])
    with pytest.raises(ps.ModelError, match="not drawn"):
        whole.with_drivers(["d.D"])
