"""Laws that every joint obeys."""

import copy
import pickle

import numpy as np
import pytest

from poinsot.expr import Expr, symbol
from poinsot.model import (
    AbstractJoint,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)
from poinsot.spatial import Array, Transform

JOINTS = [
    Fixed(),
    Revolute("y"),
    Revolute((1, 2, -3)),
    Prismatic((3, 1, 2)),
    Helical("x", 0.2),
    Helical((1, 2, 2), -0.1),
    Helical("z", 0.0),
    Cylindrical((2, 3, 6)),
    Universal("x", "y"),
    Universal((1, 2, -3), (1, 0, 1)),
    Planar("y", "x"),
    Planar((1, 2, 2), (2, 1, -2)),
    Translation(),
    Spherical(),
    Euler("zxz"),
    Euler("zyx"),
    Euler("xzy"),
    Free(),
]

pytestmark = pytest.mark.parametrize("joint", JOINTS, ids=repr)

STEP = 1e-6
"""Step of central differences: their error is then about 1e-10."""


@pytest.fixture
def rng() -> np.random.Generator:
    """Return the same random numbers in each test."""
    return np.random.default_rng(7)


def body_velocity(X: Transform, before: Transform, after: Transform) -> Array:
    """Return [Rᵀ dp/dt; (Rᵀ dR/dt)^] from central differences."""
    W = X.R.T @ (after.R - before.R) / (2 * STEP)
    linear = X.R.T @ (after.p - before.p) / (2 * STEP)
    return np.concatenate([linear, [W[2, 1], W[0, 2], W[1, 0]]])


def test_motion_subspace_is_the_derivative_of_transform(
    joint: AbstractJoint, rng: np.random.Generator
) -> None:
    """Compare S v with the motion of X_JB along qdot = N v."""
    for _ in range(5):
        q, v = joint.random(rng), rng.standard_normal(joint.nv)
        qdot = joint.position_rate(q, v)
        before, after = joint.transform(q - STEP * qdot), joint.transform(q + STEP * qdot)
        expected = body_velocity(joint.transform(q), before, after)
        np.testing.assert_allclose(joint.motion_subspace(q) @ v, expected, atol=1e-8)


def test_motion_subspace_rate_is_the_rate_of_the_subspace(
    joint: AbstractJoint, rng: np.random.Generator
) -> None:
    """Compare dS/dt v with the differences of S along qdot."""
    q, v = joint.random(rng), rng.standard_normal(joint.nv)
    qdot = joint.position_rate(q, v)
    S_dot = joint.motion_subspace(q + STEP * qdot) - joint.motion_subspace(q - STEP * qdot)
    np.testing.assert_allclose(joint.motion_subspace_rate(q, v), S_dot / (2 * STEP), atol=1e-8)


def test_shapes(joint: AbstractJoint, rng: np.random.Generator) -> None:
    """Answer in the shapes of the contract."""
    q, v = joint.random(rng), np.ones(joint.nv)
    assert q.shape == joint.neutral().shape == joint.rest_position().shape == (joint.nq,)
    assert joint.position_rate(q, v).shape == (joint.nq,)
    assert joint.motion_subspace(q).shape == (6, joint.nv)
    assert joint.motion_subspace_rate(q, v).shape == (6, joint.nv)
    assert len(joint.q_units) == joint.nq
    assert len(joint.v_units) == joint.nv
    for matrix in (joint.damping_matrix(), joint.stiffness_matrix(), joint.armature_matrix()):
        assert np.array_equal(matrix, np.zeros((joint.nv, joint.nv)))


def test_position_rate_is_linear_and_a_new_array(
    joint: AbstractJoint, rng: np.random.Generator
) -> None:
    """Scale qdot with v, and leave v alone."""
    q, v = joint.random(rng), rng.standard_normal(joint.nv)
    rate = joint.position_rate(q, v)
    np.testing.assert_allclose(joint.position_rate(q, 3 * v), 3 * rate, atol=1e-14)
    assert not np.shares_memory(rate, v)


def test_neutral_is_the_identity(joint: AbstractJoint) -> None:
    """Let body and joint frame coincide at the neutral configuration."""
    X = joint.transform(joint.neutral())
    assert np.array_equal(X.R, np.eye(3))
    assert np.array_equal(X.p, np.zeros(3))


def test_random_is_a_configuration(joint: AbstractJoint, rng: np.random.Generator) -> None:
    """Draw a proper rotation and offsets in (-1, 1), different each time."""
    q = joint.random(rng)
    X = joint.transform(q)
    np.testing.assert_allclose(X.R.T @ X.R, np.eye(3), atol=1e-14)
    assert np.linalg.det(X.R) == pytest.approx(1.0)
    bounds = {"m": 1.0, "rad": np.pi, "1": 1.0}
    assert np.all(np.abs(q) < [bounds[unit] for unit in joint.q_units])
    assert joint.nq == 0 or not np.array_equal(q, joint.random(rng))


def test_methods_trace_symbols(joint: AbstractJoint, rng: np.random.Generator) -> None:
    """Run on symbols without asking for their values."""
    q = np.array([symbol(f"q{i}") for i in range(joint.nq)], dtype=object)
    v = np.array([symbol(f"v{i}") for i in range(joint.nv)], dtype=object)
    X = joint.transform(q)
    rate = joint.position_rate(q, v)
    joint.motion_subspace(q)
    joint.motion_subspace_rate(q, v)
    assert all(isinstance(x, Expr) for x in rate)
    assert joint.nq == 0 or any(isinstance(x, Expr) for x in (*X.R.flat, *X.p))


def test_joint_is_equal_by_value_and_immutable(joint: AbstractJoint) -> None:
    """Hash and compare joints by what they are; refuse to change one."""
    again = pickle.loads(pickle.dumps(joint))
    assert again == joint == copy.deepcopy(joint)
    assert hash(again) == hash(joint)
    assert sum(joint == other for other in JOINTS) == 1
    with pytest.raises(AttributeError):
        joint.name = "other"  # type: ignore[misc]


def test_repr_can_be_read_back(joint: AbstractJoint) -> None:
    """Show a joint as what makes it."""
    assert eval(repr(joint)) == joint
