"""Force elements in our own files: what is written reads back, what is wrong is named."""

import json
import math

import numpy as np
import pytest

import poinsot as ps
from poinsot.io import native
from poinsot.library import double_pendulum


def driven():
    """Return a pendulum with every kind of element that acts along joints, and parameters."""
    pendulum = double_pendulum()
    first, second = pendulum.joint_names
    k = ps.symbols("k")
    bend = ps.Table([-1, 0, 0.5], [-2, 0, 9], "linear")
    return ps.System(
        "driven", pendulum.bodies, gravity=pendulum.gravity, parameters={"k": 2.0}, free=["k"],
        forces=[
            ps.JointForce(first, "k*sin(t) - u*x", where={"x": second, "u": (second, "v")}),
            ps.JointForce(second, 3, name="push"),
            ps.JointForce(second, "-v", potential="k*(1 - cos(q))", name="pendulum"),
            ps.JointFriction(first, k / 4, k, viscous=0.1, smoothing=0.01),
            ps.JointStop(second, upper=k / 2, stiffness=1e3, dissipation=0.2, exponent=1.5),
            ps.JointStop(first, -1, 1, stiffness=100),
            ps.JointSpring(first, ps.Table([0, 1, 2], [0, 1, 5]), bend, scale=k),
            ps.JointSpring(second, damper=bend),
            ps.TabulatedSpring((pendulum.body_names[1], (0, 0, 1)), ("world", (1, 2, 3)), bend),
            ps.Actuator((first, (0, 0, -1)), ("world", (2, 1, 0)), "k*length - rate*t", name="ram"),
            ps.Bushing((first, ps.Pose((0, 0, 1), rpy=(1, 2, 3))), (second, (1, 0, 0)), (k, 1, 2),
                       damping=(1, 2, 3), torsional_damping=(k, 0, 0)),
            ps.JointFriction(second, 1, backward=k),
            ps.Motor(first, 2, curve=bend, throttle="sin(t)", friction=k, smoothing=0.1),
            ps.Motor(first, 2, torque=3, peak=ps.Table([0, 9], [4, 0]), loss=0.2),
            ps.Motor(first, 50, k / 1000, "0.1*t", viscous=1e-4),
            ps.Motor(second, -3, voltage="k*q", constant=0.1, resistance=2.0, name="servo"),
        ],
    )  # fmt: skip


@pytest.mark.parametrize("suffix", ["json", "toml"])
def test_every_element_comes_back(tmp_path, suffix):
    """Check that a file gives an equal system, and the same file again."""
    system, path = driven(), tmp_path / f"driven.{suffix}"
    ps.save(system, path)
    again = ps.load(path)
    assert again == system
    text = path.read_text()
    ps.save(again, path)
    assert path.read_text() == text
    q, v = np.array([0.4, 1.3]), np.array([0.2, -2.0])
    same = [one.bias(q, v, t=0.3, parameters={"k": 5.0}) for one in (system, again)]
    assert np.array_equal(*same)
    assert np.isfinite(same[0]).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"joint": "sholder"}, "unknown joint 'sholder'"),
        ({"formula": "k*(q"}, "never closed"),
        ({"formula": "k*w"}, "unknown name 'w'"),
        ({"formula": "__import__('os')"}, "unknown|unexpected|cannot"),
        ({"index": 1}, "has 1 velocities"),
        ({"index": "a"}, "whole number"),
        ({"where": {"x": {"joint": "nobody"}}}, "unknown joint 'nobody'"),
        ({"where": {"q": {"joint": "link1"}}}, "has a meaning already"),
        ({"where": {"x": {"joint": "link1", "of": "a"}}}, "'q' or 'v'"),
        ({"formulla": "1"}, "did you mean 'formula'"),
    ],
)
def test_mistakes_are_named(change, message):
    """Check that a wrong key, name or formula is named with its place in the file."""
    tree = json.loads(native.to_json(native.native_from_mechanism(driven().description)))
    names = [body["joint"].get("name", body["name"]) for body in tree["bodies"]]
    force = {"type": "joint_force", "joint": names[0], "formula": "k"} | change
    text = json.dumps(force).replace("link1", names[0])
    tree["forces"] = [json.loads(text)]
    with pytest.raises(ps.PoinsotError, match=message):
        native.mechanism_from_native(tree, "file")


def test_open_ends_and_defaults_are_left_out():
    """Check that a stop with one end is written with that end alone."""
    forces = native.native_from_mechanism(driven().description)["forces"]
    stop = next(one for one in forces if one["type"] == "joint_stop")
    assert "lower" not in stop
    assert "index" not in stop
    assert ps.JointStop("a", lower=0, stiffness=1).upper == math.inf


def test_other_formats_do_not_drop_them_in_silence(tmp_path):
    """Check that URDF warns of every force by name, and MJCF refuses."""
    pendulum = double_pendulum()
    push = ps.JointForce(pendulum.joint_names[0], "sin(t)", name="push")
    servo = ps.Motor(pendulum.joint_names[1], 3, 1e-3, name="servo")
    system = ps.System("driven", pendulum.bodies, forces=[push, servo])
    with pytest.warns(ps.ModelWarning, match=r"force of .push.*servo"):
        ps.save(system, tmp_path / "driven.urdf")
    with pytest.raises(ps.ModelError, match="joint force 'push': force elements cannot"):
        ps.save(system, tmp_path / "driven.xml")
