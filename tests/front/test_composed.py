"""Composition as users meet it: methods of System that return new ones."""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import puma560


def gripper():
    finger = {"mass": 0.1, "com": (0, 0, 0.02), "inertia": (1e-4, 1e-4, 1e-5)}
    return ps.System(
        "gripper",
        [
            ps.Body("palm", mass=0.4, com=(0, 0, 0.03), inertia=(1e-3, 1e-3, 1e-3)),
            ps.Body("left", "palm", ps.Prismatic("y"), ps.Pose((0, 0.02, 0.05)), **finger),
            ps.Body("right", "palm", ps.Prismatic("y"), ps.Pose((0, -0.02, 0.05)), **finger),
        ],
        forces=[ps.Spring(("left", (0, 0, 0)), ("right", (0, 0, 0)), 50.0, length=0.03)],
    )


def test_a_gripper_on_an_arm():
    """Check what the arm feels: the mass at the hand, by the gravity force."""
    arm = puma560().with_frame("flange", on="link 6", pose=ps.Pose((0, 0, 0.1)))
    whole = arm.attach(gripper(), to="flange", pose=ps.Pose(rpy=(0, 0, 0.3)), prefix="gripper/")
    assert isinstance(whole, ps.System)
    assert whole.nq == arm.nq + 2
    assert whole.body_names[-3:] == ("gripper/palm", "gripper/left", "gripper/right")
    q = np.concatenate([[0.1, -0.5, 0.4, 0.2, 0.3, 0.6], [0.0, 0.0]])
    heavier = whole.gravity_force(q)[:6] - arm.gravity_force(q[:6])
    weight = sum(
        body.mass * 9.81 * whole.jacobian(body.name, q, body.com, axes="world")[2]
        for body in whole.bodies[-3:]
    )
    assert_allclose(heavier, weight[:6], atol=1e-12)
    assert arm.body_names == (*puma560().body_names, "flange")  # the arm is as it was


def test_subsystems_by_name():
    """Check that what was attached comes out as it was."""
    whole = puma560().attach(gripper(), to="link 6", prefix="gripper/")
    assert whole.subsystem("gripper/") == gripper()
    assert whole.part("gripper/palm").nv == 2
    assert whole.part("link 1 axis").nv == whole.nv
    with pytest.raises(ps.ModelError, match="did you mean 'gripper/'"):
        whole.subsystem("griper/")


def test_composed_systems_are_systems():
    """Check equality, hash and pickling."""
    whole = puma560().attach(gripper(), to="link 6", prefix="gripper/")
    again = puma560().attach(gripper(), to="link 6", prefix="gripper/")
    assert whole == again
    assert hash(whole) == hash(again)
    assert pickle.loads(pickle.dumps(whole)) == whole


def test_other_things_cannot_be_attached():
    """Check the message for what is no system."""
    with pytest.raises(ps.ModelError, match="only systems can be attached"):
        puma560().attach("gripper.urdf", to="link 6")
