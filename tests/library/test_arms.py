"""The SCARA, the seven-joint arm, two arms with a load and the crane."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import (
    cooperating_arms,
    cooperating_arms_configuration,
    gantry_crane,
    scara,
    seven_joint_arm,
)


def test_scara_has_its_closed_form():
    """x + i y = l1 e^(i a) + l2 e^(i (a + b)), the quill goes down, the wrist turns against it."""
    robot, q = scara(), np.array([0.4, -1.1, 0.15, 0.7])
    X = robot.pose("tool", q)
    place = 0.35 * np.exp(1j * 0.4) + 0.3 * np.exp(1j * (0.4 - 1.1))
    assert_allclose(X[:3, 3], [place.real, place.imag, 0.4 - 0.15], atol=1e-12)
    assert_allclose(np.angle(X[0, 0] + 1j * X[1, 0]), 0.4 - 1.1 - 0.7, atol=1e-12)
    # only the quill carries weight
    assert_allclose(robot.gravity_force(q), [0, 0, -9.81, 0], atol=1e-12)
    other = ps.inverse_kinematics(robot, {"tool": X}, near=q)
    assert_allclose(other.q, q, atol=1e-8)


def test_the_elbow_of_seven_joints_swivels_about_shoulder_and_wrist():
    """At other elbows the hand has the same pose; the elbow keeps its distances."""
    arm = seven_joint_arm()
    q = np.array([0.3, 0.8, -0.4, 1.2, 0.5, 0.9, 0.1])
    X = arm.pose("link 7", q)
    near = q + 0.4 * np.random.default_rng(1).normal(size=(3, 7))
    posture = ps.inverse_kinematics(arm, {"link 7": X}, near=near)
    assert posture.ok.all()
    assert_allclose(arm.pose("link 7", posture.q), np.broadcast_to(X, (3, 4, 4)), atol=1e-8)
    assert np.ptp(posture.q, axis=0).max() > 0.05
    assert_allclose(posture.q[:, 3], 1.2, atol=1e-7)  # the distance of the wrist tells the elbow
    elbow = arm.pose("link 4", posture.q)[:, :3, 3]
    assert_allclose(np.linalg.norm(elbow - [0, 0, 0.34], axis=1), 0.4)
    assert_allclose(np.linalg.norm(elbow - X[:3, 3], axis=1), 0.4)


def test_two_arms_carry_a_load():
    """The loop closes, the load is where it is wanted, and five actuators strain three freedoms."""
    arms = cooperating_arms()
    q = cooperating_arms_configuration(0.4, 0.6, 0.1)
    assert_allclose(arms.constraint_residual(q), 0.0, atol=1e-12)
    X = arms.pose("load", q)
    assert_allclose([*X[:2, 3], np.arctan2(X[1, 0], X[0, 0])], [0.4, 0.6, 0.1], atol=1e-12)
    assert (arms.nv, arms.mobility(q).degrees) == (5, 3)
    with pytest.raises(ps.AssemblyError, match="out of reach"):
        cooperating_arms_configuration(2.0, 0.6, 0.1)


def test_a_crane_swings_with_its_closed_form():
    """w² = g/L (1 + m/M), M what the rope's end moves: the trolley, or trolley and bridge."""
    model = ps.linearize(gantry_crane(), np.zeros(5), tau=[0, 0, 0, 0, -2000 * 9.81])
    swings = model.frequencies[model.frequencies > 0.5]
    expected = [np.sqrt(9.81 / 5 * (1 + 2000 / M)) for M in (4800.0, 800.0)]
    assert_allclose(np.sort(swings), expected, rtol=1e-6)
