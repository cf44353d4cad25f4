"""Inverse kinematics: poses are reached within limits, nearest to a posture, or it says why not."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

PRECISION = 1e-8
"""Error of a pose that is reached [m, rad]."""


def arm(*limits):
    """Return a planar arm with a link of 1 m for each limit of a joint [rad]."""
    bodies, parent, pose = [], "world", ps.Pose()
    for k, limit in enumerate(limits):
        joint = ps.Revolute("z", limits=ps.Limits(position=(-limit, limit)))
        bodies.append(ps.Body(f"link {k + 1}", parent, joint, pose, mass=1.0, com=(0.5, 0, 0)))
        parent, pose = f"link {k + 1}", ps.Pose((1, 0, 0))
    return ps.System("arm", bodies)


TIP = ("link 3", (1.0, 0.0, 0.0))
THREE = arm(2.5, 2.5, 2.5)


def test_poses_of_a_spatial_arm_are_reached():
    """Find the poses of random configurations of the PUMA 560, of which a few are singular."""
    puma, rng = ps.library.puma560(), np.random.default_rng(3)
    X = puma.pose("link 6", rng.uniform(-np.pi, np.pi, (10, 30, 6)))
    posture = ps.inverse_kinematics(puma, {"link 6": X})
    assert posture.ok.shape == (10, 30)
    assert posture.ok.all()
    assert_allclose(puma.pose("link 6", posture.q), X, atol=PRECISION)
    assert posture.report() == "'PUMA 560': 300 of 300 poses of 'link 6' reached"


def test_redundant_arms_come_nearest_to_a_posture_within_limits():
    """At the nearest posture no self-motion leads nearer: q - near is a combination of J's rows."""
    rng = np.random.default_rng(5)
    q = rng.uniform(-1.5, 1.5, (20, 3))
    near = q + rng.uniform(-0.5, 0.5, q.shape)
    p = THREE.pose("link 3", q)[:, :3, :] @ np.append(TIP[1], 1.0)
    posture = ps.inverse_kinematics(THREE, {TIP: p}, near=near)
    assert posture.ok.all()
    assert (np.abs(posture.q) <= 2.5).all()
    J = THREE.jacobian("link 3", posture.q, TIP[1], axes="world")[:, :2]
    along = np.linalg.svd(J)[2][:, 2]
    inside = (np.abs(posture.q) < 2.5).all(axis=1)
    assert inside.sum() > 15
    gap = posture.q - near
    assert_allclose(np.einsum("nv,nv->n", along, gap)[inside], 0.0, atol=1e-6)
    assert (np.linalg.norm(gap, axis=1) <= np.linalg.norm(q - near, axis=1) + PRECISION).all()


def test_what_holds_a_pose_back_is_named():
    """An elbow that bends too little, and a point that is too far."""
    stiff = arm(3.0, 0.5)
    tip = ("link 2", (1.0, 0.0, 0.0))
    near_shoulder = ps.inverse_kinematics(stiff, {tip: (0.5, 0.0, 0.0)})
    assert not near_shoulder.ok
    assert np.isnan(near_shoulder.q).all()
    assert_allclose(abs(near_shoulder.best[1]), 0.5)
    assert "held back by the limits of link 2" in near_shoulder.report()
    # the tip is 2 cos(q2 / 2) from the shoulder
    assert_allclose(near_shoulder.residual, 2.0 * np.cos(0.25) - 0.5, atol=1e-6)
    both = ps.inverse_kinematics(stiff, {tip: [(3.0, 0.0, 0.0), (1.95, 0.0, 0.0)]})
    assert both.ok.tolist() == [False, True]
    assert "pose 0: 1 (m, rad) remain" in both.report()
    assert "out of reach" in both.report()


def test_several_tools_closed_systems_and_held_joints():
    """Lead two points of an arm at once; and a point of a five-bar, with its loop closed."""
    q = np.array([0.4, -0.9, 0.7])
    wanted = {
        ("link 2", (1.0, 0.0, 0.0)): THREE.pose("link 3", q)[:3, 3],
        ("link 3", ps.Pose((0.2, 0.1, 0))): THREE.pose("link 3", q) @ _frame(0.2, 0.1),
    }
    posture = ps.inverse_kinematics(THREE, wanted, near=q)
    assert_allclose(posture.q, q, atol=PRECISION)
    upright = ps.inverse_kinematics(THREE, {"link 3": ps.Pose((1.2, 0.7, 0.0))})
    assert_allclose(THREE.pose("link 3", upright.q), _frame(1.2, 0.7), atol=PRECISION)
    none = ps.inverse_kinematics(THREE, {TIP: np.zeros((0, 3))})
    assert none.report() == "'arm': 0 of 0 poses of 'link 3' reached"
    held = ps.inverse_kinematics(THREE, {TIP: (1.5, 1.0, 0.0)}, [0.3, 0.0, 0.0], joints=["link 1"])
    assert held.ok
    assert held.q[0] == 0.3

    turn = ps.Revolute("z")
    bars = [
        ps.Body("a", joint=turn, mass=1.0), ps.Body("b", "a", turn, ps.Pose((1, 0, 0)), mass=1.0),
        ps.Body("c", joint=turn, pose=ps.Pose((1.5, 0, 0)), mass=1.0),
        ps.Body("d", "c", turn, ps.Pose((1, 0, 0)), mass=1.0),
    ]  # fmt: skip
    pin = ps.Loop("pin", ("b", (1.2, 0, 0)), ("d", (1.2, 0, 0)), ps.Revolute("z"))
    five_bar = ps.System("five-bar", bars, loops=[pin])
    tip = ("b", (1.2, 0.0, 0.0))
    goals = np.array([(0.7, 1.5, 0.0), (0.9, 1.2, 0.0)])
    posture = ps.inverse_kinematics(five_bar, {tip: goals}, [1.8, -1.0, 1.2, 1.0])
    assert posture.ok.all()
    assert_allclose(five_bar.constraint_residual(posture.q), 0.0, atol=PRECISION)
    reached = five_bar.pose("b", posture.q)[:, :3] @ np.append(tip[1], 1.0)
    assert_allclose(reached, goals, atol=PRECISION)


def test_lengths_may_be_parameters_of_a_batch():
    """Reach one point with arms of different lengths at once."""
    L = ps.symbols("L")
    bodies = [
        ps.Body("a", joint=ps.Revolute("z"), mass=1.0, com=(0.5, 0, 0)),
        ps.Body("b", "a", ps.Revolute("z"), ps.Pose((L, 0, 0)), mass=1.0, com=(0.5, 0, 0)),
    ]
    arm, lengths = ps.System("arm", bodies), np.array([0.8, 1.0, 1.3])
    goal = np.array([1.0, 0.9, 0.0])
    posture = ps.inverse_kinematics(arm, {("b", (1, 0, 0)): goal}, parameters={"L": lengths})
    assert posture.ok.all()
    q = posture.q
    reached = lengths * np.exp(1j * q[:, 0]) + np.exp(1j * q.sum(axis=1))
    assert_allclose(reached, 1.0 + 0.9j, atol=PRECISION)


def test_tool_frame_and_payload_are_parameters():
    """A tool whose length and mass are free: poses, loads and inverse kinematics of a batch."""
    reach, payload = ps.symbols("reach payload")
    grip = ps.Body("grip", "link 2", pose=ps.Pose((1.0 + reach, 0, 0)), mass=payload)
    held = ps.System("arm", [*arm(3.0, 3.0).bodies, grip], gravity=(0, -9.81, 0))
    values = {"reach": np.array([0.1, 0.4]), "payload": np.array([0.0, 3.0])}
    goal = np.array([1.2, 0.7, 0.0])
    posture = ps.inverse_kinematics(held, {"grip": goal}, parameters=values)
    assert posture.ok.all()
    q, lower = posture.q, 1.0 + values["reach"]
    tip = np.exp(1j * q[:, 0]) + lower * np.exp(1j * q.sum(axis=1))
    assert_allclose(tip, 1.2 + 0.7j, atol=PRECISION)
    effort = held.gravity_force(q, parameters=values)
    bare = ps.System("arm", arm(3.0, 3.0).bodies, gravity=(0, -9.81, 0)).gravity_force(q)
    weight = 9.81 * values["payload"]
    second = lower * np.cos(q.sum(axis=1)) * weight
    assert_allclose(effort - bare, np.column_stack([1.2 * weight, second]), atol=1e-7)


def _frame(x, y):
    X = np.eye(4)
    X[:2, 3] = x, y
    return X


@pytest.mark.parametrize(
    ("wanted", "options", "message"),
    [
        ({"link 9": (1, 0, 0)}, {}, "link 9"),
        ({"link 3": np.eye(2)}, {}, "shape"),
        ({"link 3": 2.0 * np.eye(4)}, {}, "no rotation"),
        ({"link 3": np.eye(3)}, {}, r"is a rotation, shape \(3, 3\); give a pose, shape \(4, 4\)"),
        ([1.0, 2.0], {}, "must name tools"),
        ({"link 3": (1, 0, 0)}, {"joints": ["link 1"]}, "q="),
        ({"link 3": (1, 0, 0)}, {"near": [0.0]}, "near must have shape"),
        ({"link 3": (1, 0, np.nan)}, {}, "finite"),
        ({"link 3": "here"}, {}, "'link 3' must be real numbers, got 'here'"),
        ({"link 3": (1, 0, 0)}, {"q": "home"}, "q must be real numbers"),
        ({"link 3": np.ones((4, 3)), "link 2": np.ones((3, 3))}, {}, "as many poses of each tool"),
    ],
)
def test_mistakes_are_named(wanted, options, message):
    """Bodies, shapes, rotations, and what stays where."""
    with pytest.raises(ps.PoinsotError, match=message):
        ps.inverse_kinematics(THREE, wanted, **options)
