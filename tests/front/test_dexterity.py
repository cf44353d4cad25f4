"""Manipulability, singular configurations, workspaces and joint tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

TWO = ps.from_dh("arm", [{"a": 1.0}, {"a": 0.6}], masses=[1, 1])


def test_manipulability_of_a_planar_arm_is_its_closed_form():
    """l1 l2 |sin q2| [Yoshikawa 1985], and the condition of the same matrix."""
    q = np.array([[0.3, 0.9], [-1.0, 2.0], [0.2, 0.0]])
    measure = ps.dexterity(TWO, "link 2", q, motion="position")
    assert_allclose(measure.manipulability, 0.6 * np.abs(np.sin(q[:, 1])), atol=1e-15)
    assert measure.singular.tolist() == [False, False, True]
    x, y = 1.0 + 0.6 * np.cos(0.9), 0.6 * np.sin(0.9)
    J = np.array([[-y, -y], [x, 0.6 * np.cos(0.9)]])
    assert_allclose(measure.condition[0], np.linalg.cond(J))


def test_joints_of_a_singular_wrist_are_named():
    """With joint 5 at zero, joints 4 and 6 of the PUMA turn about one axis."""
    puma, q = ps.library.puma560(), [0.1, -0.7, 0.4, 0.2, 0.0, 0.3]
    assert ps.dexterity(puma, "link 6", q).concerned() == ("link 4", "link 6")
    assert ps.dexterity(puma, "link 6", [*q[:4], 0.5, 0.3]).concerned() == ()
    seven = ps.library.seven_joint_arm()  # stretched, joints 3 and 5 turn about one axis
    straight = ps.dexterity(seven, "link 7", [0.3, 0.5, 0.2, 0.0, 0.1, 0.6, 0.2])
    assert straight.concerned() == ("link 3", "link 5")
    with pytest.raises(ps.ModelError, match="one configuration"):
        ps.dexterity(puma, "link 6", [q, q]).concerned()
    with pytest.raises(ps.ModelError, match="'position'"):
        ps.dexterity(puma, "link 6", q, motion="positon")
    with pytest.raises(ps.ModelError, match="q and point must be finite"):
        ps.dexterity(puma, "link 6", [np.nan] * 6)
    with pytest.raises(
        ps.ModelError, match="samples must be a whole number of 1 or more, got '1e3'"
    ):
        ps.workspace(puma, "link 6", samples="1e3")
    with pytest.raises(ps.ModelError, match="point must have 3 numbers"):
        ps.workspace(puma, "link 6", (0, 0))


def test_a_closed_system_moves_as_its_loop_allows():
    """The coupler of a four-bar has one motion: its velocity per unit of joint velocity."""
    four_bar = ps.library.four_bar()
    q = four_bar.assemble(four_bar.neutral() + 0.3)
    body = four_bar.body_names[1]
    measure = ps.dexterity(four_bar, body, q, (0.3, 0.0, 0.0), motion="position")
    v = np.linalg.svd(four_bar.constraint_jacobian(q))[2][-1]
    speed = np.linalg.norm(four_bar.velocity(body, q, v, (0.3, 0.0, 0.0))[:3])
    assert_allclose(measure.singular_values, [speed, 0.0, 0.0][: len(measure.singular_values)],
                    atol=1e-12)  # fmt: skip


def test_a_workspace_is_a_ring_within_limits(tmp_path):
    """Points of a planar arm are between the difference and the sum of its lengths; drawn."""
    space = ps.workspace(TWO, "link 2", samples=500)
    far = np.linalg.norm(space.points, axis=1)
    assert 0.4 <= far.min() < 0.45
    assert 1.55 < far.max() <= 1.6
    space.plot(tmp_path / "space.png")
    assert (tmp_path / "space.png").stat().st_size > 10_000
    measure = ps.dexterity(TWO, "link 2", space.q, motion="position")
    assert_allclose(space.condition, measure.condition, rtol=1e-9)
    figure = space.plot(tmp_path / "condition.png", by="condition")
    assert figure.axes[-1].get_ylabel() == "log10 of the condition"
    with pytest.raises(ps.ModelError, match="no measure 'conditon'; did you mean 'condition'"):
        space.plot(tmp_path / "space.png", by="conditon")


def test_joint_tables_agree_with_their_formulas():
    """C1 C2 C3 after O for what turns, before it for what slides; a joint turns its own axis."""
    O, theta = np.array([0.2, -0.1, 0.4]), np.array([0.3, -0.7, 1.1])
    turns = [ps.Pose(axis=axis, angle=angle).transform().R
             for axis, angle in zip("xyz", theta, strict=True)]  # fmt: skip
    C = turns[0] @ turns[1] @ turns[2]
    arm = ps.from_joint_table("arm", [(6, O, theta), (2, O, theta)], masses=[1, 1])
    q = [0.5, 0.25]
    X1 = arm.pose("link 1", q)
    turned = turns[0] @ turns[1] @ ps.Pose(axis="z", angle=theta[2] + 0.5).transform().R
    assert_allclose(X1[:3, :3], turned, atol=1e-14)
    assert_allclose(X1[:3, 3], O)
    shifted = C @ (O + np.array([0, 0.25, 0]))
    assert_allclose(np.linalg.solve(X1, arm.pose("link 2", q))[:3, 3], shifted, atol=1e-14)
    with pytest.raises(ps.ModelError, match=r"row 1: theta3 = 0.1 comes after .* theta2"):
        ps.from_joint_table("arm", [(5, O, (0.1, 0.0, 0.1))])
    with pytest.raises(ps.ModelError, match="n must be"):
        ps.from_joint_table("arm", [(7, O, theta)])
