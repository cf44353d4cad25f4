"""Partial velocities against the motion they are parts of."""

import numpy as np
from hypothesis import given, settings

from poinsot.formulations import kane
from poinsot.formulations.jacobians import jacobian, jacobian_rate
from poinsot.formulations.kinematics import acceleration
from poinsot.model import Environment
from tests.formulations.surrounded import still
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases


@settings(max_examples=examples(6))
@given(cases(12))
def test_partial_velocities_are_columns_of_the_jacobian(case):
    """Check partial velocities of a mass centre and their rates, on a base at rest."""
    m, q, v, i = case.mechanism, case.q, case.v, case.body()
    com = np.array(m.bodies[i].com)
    part = kane.partial_velocities(m, q, v, still(case))[i]
    v_G, dv_G = part.at_point(part.R @ com, part.angular_velocity(v))
    assert part.speeds == [k for j in m.path(i) for k in range(m.nv)[m.v_slices[j]]]
    J = jacobian(m, i, "world", q, com)[:, part.speeds]
    dJ = jacobian_rate(m, i, "world", q, v, com)[:, part.speeds]
    assert_agree(np.vstack([v_G, part.w])[:, 1:], J)
    assert_agree(np.vstack([dv_G, part.dw])[:, 1:], dJ)
    assert not np.vstack([v_G, part.w, dv_G, part.dw])[:, 0].any()


@settings(max_examples=examples(6))
@given(cases(12))
def test_acceleration_of_a_point(case):
    """Check that the rates of partial velocities give the acceleration of a point of a body."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    part = kane.partial_velocities(m, q, v, still(case))[i]
    v_P, dv_P = part.at_point(part.R @ point, part.angular_velocity(v))
    found = v_P[:, 1:] @ a[part.speeds] + dv_P[:, 1:] @ v[part.speeds]
    assert_agree(found, acceleration(m, i, "world", q, v, a, point)[:3])


@settings(max_examples=examples(5))
@given(cases(8))
def test_rest_is_the_motion_of_the_base(case):
    """Check the column of the base where it turns steadily and nothing else moves: w × (w × r)."""
    m, q, i, v = case.mechanism, case.q, case.body(), np.zeros(case.mechanism.nv)
    omega = case.rng.uniform(-2.0, 2.0, 3)
    turning = Environment(np.zeros(3), velocity=np.concatenate([np.zeros(3), omega]))
    part = kane.partial_velocities(m, q, v, turning)[i]
    r = _origin(m, q, i)
    assert_agree(part.w[:, 0], omega)
    assert_agree(part.v[:, 0], np.cross(omega, r))
    assert_agree(part.dv[:, 0], np.cross(omega, np.cross(omega, r)))
    assert not part.dw[:, 0].any()


def _origin(m, q, i):
    X_WB = np.eye(4)
    for j in m.path(i):
        body = m.bodies[j]
        joint = body.joint.transform(q[m.q_slices[j]])
        X_WB = X_WB @ body.pose.transform().homogeneous() @ joint.homogeneous()
    return X_WB[:3, 3]
