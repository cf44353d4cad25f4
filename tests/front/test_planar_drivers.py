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
