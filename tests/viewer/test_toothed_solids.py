"""Toothed wheels: they touch, and teeth go into gaps, wherever the coupling puts them."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.viewer.made_scene import scene_of
from poinsot.viewer.scene import Solid

TURNS = np.linspace(-2.0, 2.0, 7)


def pair(ratio, offset=0.0, axis="y"):
    """Return two wheels 0.3 m apart, the second mounted askew about its axis."""
    mounted = ps.Pose((0.3, 0, 0), rpy=(0, 0.4, 0))
    first = ps.Body("first", joint=ps.Revolute("y"), mass=1.0, inertia=(1, 1, 1))
    second = ps.Body("second", joint=ps.Revolute(axis), pose=mounted, mass=1.0, inertia=(1, 1, 1))
    gear = ps.Gear("pair", "first", "second", ratio=ratio, offset=offset)
    return ps.System("pair", [first, second], constraints=[gear])


def toothed(system, q):
    """Return the toothed solids of a system, by its bodies."""
    scene = scene_of(system, np.atleast_2d(q))
    kinds = ("gear", "ring", "rack")
    return [next(s for s in body.solids if s.kind in kinds) for body in scene.bodies]


def phase(system, body, solid: Solid, q, direction, tooth=True):
    """Return how far a direction of the world is from a tooth, or a gap, in teeth, -½ to ½."""
    pose = system.pose(body, q)[:3, :3] @ solid.pose[:3, :3]
    x, y = pose[:, 0] @ direction, pose[:, 1] @ direction
    y *= np.sign(pose[1, 2])  # seen along y of the world
    turns = np.arctan2(y, x) / (2.0 * np.pi) * solid.size[2] - (0.0 if tooth else 0.5)
    return turns - np.round(turns)


@pytest.mark.parametrize(("ratio", "axis"), [(-0.5, "y"), (-1.5, "y"), (2.0, (0, -1, 0))])
def test_outer_wheels_touch_and_mesh(ratio, axis):
    """Radii add up to the distance; where one has a tooth at the contact the other has a gap."""
    system = pair(ratio, 0.7, axis)
    first, second = toothed(system, [0.0, 0.7])
    assert first.kind == second.kind == "gear"
    assert first.size[0] + second.size[0] == pytest.approx(0.3)
    assert first.size[0] / second.size[0] == pytest.approx(abs(ratio))
    assert first.size[2] / second.size[2] == pytest.approx(abs(ratio))
    for angle in TURNS:
        q = [angle, ratio * angle + 0.7]
        mine = phase(system, "first", first, q, np.array([1.0, 0, 0]))
        other = phase(system, "second", second, q, np.array([-1.0, 0, 0]), tooth=False)
        apart = mine + other  # they turn against each other
        assert apart - np.round(apart) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("ratio", [2.0, 0.5])
def test_wheels_in_rings_mesh(ratio):
    """Radii differ by the distance; teeth of the wheel are in gaps of the ring."""
    system = pair(ratio, 0.2)
    solids = toothed(system, [0.0, 0.2])
    ring = int(ratio < 1.0)  # of the slower one
    assert [solid.kind for solid in solids] == (["gear", "ring"] if ring else ["ring", "gear"])
    assert abs(solids[0].size[0] - solids[1].size[0]) == pytest.approx(0.3)
    beyond = np.array([-1.0 if ring else 1.0, 0, 0])
    for angle in TURNS:
        q = [angle, ratio * angle + 0.2]
        phases = [
            phase(system, name, solid, q, beyond, tooth=solid.kind == "gear")
            for name, solid in zip(("first", "second"), solids, strict=True)
        ]
        apart = phases[0] - phases[1]
        assert apart - np.round(apart) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("radius", [0.1, -0.1])
def test_racks_are_on_the_side_where_they_roll(radius):
    """The rack's pitch line touches the pinion, and both are equally fast there."""
    pinion = ps.Body("pinion", joint=ps.Revolute("y"), mass=1.0, inertia=(1, 1, 1))
    rack = ps.Body("rack", joint=ps.Prismatic("x"), pose=ps.Pose((0.05, 0, 0.3)), mass=1.0)
    coupling = ps.RackPinion("pair", pinion="pinion", rack="rack", radius=radius, offset=0.02)
    system = ps.System("pair", [pinion, rack], constraints=[coupling])
    for angle in TURNS:
        q = np.array([angle, radius * angle + 0.02])
        wheel, bar = toothed(system, q)
        contact = np.array([0.0, 0.0, np.sign(radius) * 0.1])  # ω y × (0, 0, r) = ω r x
        pose = system.pose("rack", q) @ bar.pose
        height, along = (pose[:3, 3] - contact) @ pose[:3, 1], (contact - pose[:3, 3]) @ pose[:3, 0]
        assert height == pytest.approx(0.0, abs=1e-12)
        assert pose[:3, 1] @ contact < 0.0  # its teeth look at the pinion
        assert bar.size[2] == pytest.approx(2.0 * np.pi * 0.1 / wheel.size[2])
        mine = phase(system, "pinion", wheel, q, contact / 0.1)
        gap = along / bar.size[2] * np.sign(radius)
        apart = mine - gap
        assert apart - np.round(apart) == pytest.approx(0.0, abs=1e-9)


def test_what_is_no_pair_of_wheels_has_no_teeth():
    """Couple axes that cross, and bodies with shapes: they stay as they are."""
    crossed = pair(-0.5, axis="x")
    assert not any(
        s.kind == "gear" for b in scene_of(crossed, np.zeros((1, 2))).bodies for s in b.solids
    )
    shaped = [
        ps.Body(name, joint=ps.Revolute("y"), pose=ps.Pose((x, 0, 0)), mass=1.0,
                inertia=(1, 1, 1), shapes=[ps.Sphere(0.1)])
        for name, x in (("first", 0.0), ("second", 0.3))
    ]  # fmt: skip
    gear = ps.Gear("pair", "first", "second", ratio=-1.0)
    system = ps.System("balls", shaped, constraints=[gear])
    solids = [s.kind for b in scene_of(system, np.zeros((1, 2))).bodies for s in b.solids]
    assert solids == ["sphere", "sphere"]
