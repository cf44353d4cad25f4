"""Laws of kinematics on random systems: each quantity is the rate of another."""

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.formulations import jacobians, kinematics
from poinsot.formulations.position_rate import position_rate
from poinsot.spatial import skew
from tests.identities.along import assert_rate, rate_along
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases

FEW = 12
both_axes = pytest.mark.parametrize("axes", ["body", "world"])


@settings(max_examples=examples(6))
@given(cases(FEW))
def test_pose_changes_with_velocity(case):
    """Check dR/dt = R skew(w) and dp/dt = R v with [v; w] in body axes."""
    m, q, v, i = case.mechanism, case.q, case.v, case.body()
    V = kinematics.velocity(m, i, "body", q, v, np.zeros(3))
    X = kinematics.pose(m, i, q)
    rate = rate_along(lambda q, _: kinematics.pose(m, i, q), m, q, v)
    expected = np.zeros((4, 4))
    expected[:3, :3] = X[:3, :3] @ skew(V[3:])
    expected[:3, 3] = X[:3, :3] @ V[:3]
    assert_rate(rate, expected, np.max(np.abs(X)))


@both_axes
@settings(max_examples=examples(6))
@given(case=cases())
def test_jacobian_gives_velocity(axes, case):
    """Check J v = velocity at a point."""
    m, q, v, i, point = case.mechanism, case.q, case.v, case.body(), case.point()
    J = jacobians.jacobian(m, i, axes, q, point)
    assert_agree(J @ v, kinematics.velocity(m, i, axes, q, v, point))


@both_axes
@settings(max_examples=examples(6))
@given(case=cases())
def test_jacobian_and_its_rate_give_acceleration(axes, case):
    """Check J a + dJ/dt v = acceleration at a point."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    J = jacobians.jacobian(m, i, axes, q, point)
    J_rate = jacobians.jacobian_rate(m, i, axes, q, v, point)
    assert_agree(J @ a + J_rate @ v, kinematics.acceleration(m, i, axes, q, v, a, point))


@both_axes
@settings(max_examples=examples(6))
@given(case=cases(FEW))
def test_jacobian_rate_is_the_rate_of_the_jacobian(axes, case):
    """Check dJ/dt by differences."""
    m, q, v, i, point = case.mechanism, case.q, case.v, case.body(), case.point()
    rate = rate_along(lambda q, _: jacobians.jacobian(m, i, axes, q, point), m, q, v)
    size = np.max(np.abs(jacobians.jacobian(m, i, axes, q, point)), initial=0.0)
    assert_rate(rate, jacobians.jacobian_rate(m, i, axes, q, v, point), size)


@both_axes
@settings(max_examples=examples(6))
@given(case=cases(FEW))
def test_acceleration_is_the_rate_of_velocity(axes, case):
    """Check dV/dt, component by component in the axes asked for, by differences."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    V = kinematics.velocity(m, i, axes, q, v, point)
    rate = rate_along(lambda q, v: kinematics.velocity(m, i, axes, q, v, point), m, q, v, a)
    expected = kinematics.acceleration(m, i, axes, q, v, a, point)
    assert_rate(rate, expected, np.max(np.abs(V)))


@settings(max_examples=examples(6))
@given(cases(FEW))
def test_velocity_of_a_point_is_the_rate_of_its_place(case):
    """Check d/dt (p + R r) = linear velocity at r in world axes."""
    m, q, v, i, point = case.mechanism, case.q, case.v, case.body(), case.point()

    def place(q, _):
        return kinematics.body_pose(m, i, q).apply_point(point)

    V = kinematics.velocity(m, i, "world", q, v, point)
    assert_rate(rate_along(place, m, q, v), V[:3], np.max(np.abs(place(q, v))))


@settings(max_examples=examples(6))
@given(cases())
def test_all_motions_at_once_are_those_one_by_one(case):
    """Check body_motions against body_motion."""
    m, q, v, a, i = case.mechanism, case.q, case.v, case.a, case.body()
    together, alone = kinematics.body_motions(m, q, v, a)[i], kinematics.body_motion(m, i, q, v, a)
    assert np.array_equal(together.X_WB.homogeneous(), alone.X_WB.homogeneous())
    assert np.array_equal(together.V, alone.V)
    assert np.array_equal(together.A, alone.A)


@settings(max_examples=examples(6))
@given(cases())
def test_quaternions_stay_unit(case):
    """Check that position_rate keeps the length of every quaternion, and is linear in v."""
    m, q, v, a = case.mechanism, case.q, case.v, case.a
    qdot = position_rate(m, q, v)
    for body, part in zip(m.bodies, m.q_slices, strict=True):
        if body.joint.kind in ("spherical", "free"):
            assert abs(q[part][-4:] @ qdot[part][-4:]) < 1e-14
    assert_agree(position_rate(m, q, v + 2.0 * a), qdot + 2.0 * position_rate(m, q, a))
