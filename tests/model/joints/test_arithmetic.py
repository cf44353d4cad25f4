"""Moving along configurations: exact on the manifold, near no turn and near half a turn too."""

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poinsot.model import AbstractJoint, Euler, Fixed, Free, Planar, Revolute, Spherical
from poinsot.model.joints.quaternion import turned, unit
from poinsot.spatial import Array, Transform

JOINTS = [Fixed(), Revolute("y"), Planar(), Euler("zxz"), Spherical(), Free()]
every_joint = pytest.mark.parametrize("joint", JOINTS, ids=repr)
seeds = st.integers(0, 2**32 - 1)
angles = st.one_of(
    st.floats(0.0, 3.1415),
    st.floats(-320.0, -1.0).map(lambda k: 10.0**k),
    st.floats(-12.0, -1.0).map(lambda k: np.pi - 10.0**k),
)
"""Lengths of turns [rad]: anything below half a turn, next to nothing, and nearly half a turn."""


def velocity(joint: AbstractJoint, rng: np.random.Generator, angle: float) -> Array:
    """Return a velocity of about unit size; that of a quaternion turns by ``angle``."""
    v = rng.uniform(-1.0, 1.0, joint.nv)
    if joint.nq > joint.nv:
        v[-3:] *= angle / np.linalg.norm(v[-3:])
    return v


def assert_same_place(joint: AbstractJoint, q0: Array, q1: Array, atol: float = 1e-14) -> None:
    """Check that two configurations give the same pose."""
    X0, X1 = joint.transform(q0), joint.transform(q1)
    np.testing.assert_allclose(X0.homogeneous(), X1.homogeneous(), atol=atol)


@every_joint
@given(seed=seeds, angle=angles)
def test_difference_undoes_integrate(joint: AbstractJoint, seed: int, angle: float) -> None:
    """Find v again to rounding, as long as it turns by less than half a turn."""
    rng = np.random.default_rng(seed)
    q, v = joint.random(rng), velocity(joint, rng, angle)
    found = joint.difference(q, joint.integrate(q, v))
    # Quaternions hold 1e-16; an angle near pi loses nothing, the way p = V(w) v at most a factor 2.
    np.testing.assert_allclose(found, v, rtol=0, atol=4e-15)


@every_joint
@given(seed=seeds)
def test_integrate_undoes_difference(joint: AbstractJoint, seed: int) -> None:
    """Reach the second of two configurations from the first, by the shortest way."""
    rng = np.random.default_rng(seed)
    q0, q1 = joint.random(rng), joint.random(rng)
    v = joint.difference(q0, q1)
    assert v.shape == (joint.nv,)
    assert_same_place(joint, joint.integrate(q0, v), q1)
    if joint.nq > joint.nv:
        assert np.linalg.norm(v[-3:]) <= np.pi + 1e-15


@every_joint
@given(seed=seeds)
def test_integrate_solves_the_rate_equation(joint: AbstractJoint, seed: int) -> None:
    """Compare the derivative along s of integrate(q, s v) with N v, not at s = 0 only."""
    rng = np.random.default_rng(seed)
    q, v = joint.random(rng), 3.0 * rng.standard_normal(joint.nv)
    h, s = 1e-5, rng.uniform(0.0, 2.0)
    rate = (joint.integrate(q, (s + h) * v) - joint.integrate(q, (s - h) * v)) / (2 * h)
    here = joint.integrate(q, s * v)
    expected = joint.position_rate(here, v)
    np.testing.assert_allclose(rate, expected, atol=1e-7 * (1 + np.linalg.norm(v)))


@every_joint
@given(seed=seeds, s=st.floats(-3.0, 3.0), t=st.floats(-3.0, 3.0))
def test_steps_along_one_velocity_add_up(
    joint: AbstractJoint, seed: int, s: float, t: float
) -> None:
    """Check integrate(integrate(q, s v), t v) = integrate(q, (s + t) v)."""
    rng = np.random.default_rng(seed)
    q, v = joint.random(rng), rng.standard_normal(joint.nv)
    twice = joint.integrate(joint.integrate(q, s * v), t * v)
    assert_same_place(joint, twice, joint.integrate(q, (s + t) * v), 1e-13)


@every_joint
@given(seed=seeds, s=st.floats(0.0, 1.0))
def test_interpolation_divides_the_way(joint: AbstractJoint, seed: int, s: float) -> None:
    """Start at q0, end at q1, and be s of the distance away from q0 in between."""
    rng = np.random.default_rng(seed)
    q0, q1 = joint.random(rng), joint.random(rng)
    assert_same_place(joint, joint.interpolate(q0, q1, 0.0), q0)
    assert_same_place(joint, joint.interpolate(q0, q1, 1.0), q1)
    between = joint.interpolate(q0, q1, s)
    way = joint.distance(q0, q1)
    assert joint.distance(q0, between) == pytest.approx(s * way, abs=1e-13)
    assert joint.distance(between, q1) == pytest.approx((1 - s) * way, abs=1e-13)
    assert joint.distance(q1, q0) == pytest.approx(way, abs=1e-13)


@every_joint
def test_leading_dimensions_broadcast(joint: AbstractJoint) -> None:
    """Answer a batch as one by one."""
    rng = np.random.default_rng(3)
    q = np.array([joint.random(rng) for _ in range(6)]).reshape(2, 3, joint.nq)
    v, s = rng.standard_normal((3, joint.nv)), np.array([[0.2], [0.7]])
    moved, other = joint.integrate(q, v), q[::-1]
    found, between = joint.difference(q, other), joint.interpolate(q, other, s)
    way = joint.distance(q, other)
    for at in np.ndindex(2, 3):
        start, end, part = q[at], other[at], s[at[0], 0]
        np.testing.assert_allclose(moved[at], joint.integrate(start, v[at[1]]), atol=1e-15)
        np.testing.assert_allclose(found[at], joint.difference(start, end), atol=1e-15)
        np.testing.assert_allclose(between[at], joint.interpolate(start, end, part), atol=1e-15)
        assert way[at] == pytest.approx(joint.distance(start, end), abs=1e-15)


@pytest.mark.parametrize("joint", [Spherical(), Free()], ids=repr)
def test_opposite_quaternions_are_one_orientation(joint: AbstractJoint) -> None:
    """Find no distance between q and -q, and bring lengths back to one."""
    q = joint.random(np.random.default_rng(2))
    other = np.concatenate([q[:-4], -3.0 * q[-4:]])
    assert joint.distance(q, other) < 1e-15
    moved = joint.integrate(other, np.zeros(joint.nv))
    assert np.linalg.norm(moved[-4:]) == pytest.approx(1.0, abs=1e-15)
    assert_same_place(joint, moved, q)


def test_exactly_half_a_turn_is_found() -> None:
    """Return pi about the axis, either way round."""
    for axis in np.eye(3):
        v = Spherical().difference(np.array([1.0, 0, 0, 0]), np.array([0.0, *axis]))
        np.testing.assert_array_equal(np.abs(v), np.pi * axis)
    quarter = turned(np.array([1.0, 0, 0, 0]), np.array([np.pi / 2, 0, 0]))
    twist = Free().difference(np.array([0, 0, 0, *quarter]), np.array([0, 2.0, 0, *quarter[::-1]]))
    assert np.isfinite(twist).all()


@given(seed=seeds, angle=st.one_of(angles, st.floats(3.2, 40.0)))
def test_free_motion_is_a_screw_motion(seed: int, angle: float) -> None:
    """Compare with the matrix exponential of the twist, taken with 40 digits."""
    rng = np.random.default_rng(seed)
    v = velocity(Free(), rng, angle)
    x, y, z = v[3:]
    with mpmath.workdps(40):
        twist = [[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]]
        power = mpmath.expm(mpmath.matrix(twist) / 64) ** 64
        expected = np.array(power.tolist(), dtype=float)
    X: Transform = Free().transform(Free().integrate(Free().neutral(), v))
    np.testing.assert_allclose(X.homogeneous(), expected, atol=3e-15 * (1 + angle))


def test_unit_keeps_directions() -> None:
    """Divide by the length."""
    np.testing.assert_array_equal(unit(np.array([[0.0, 3.0, 0.0, 4.0]])), [[0.0, 0.6, 0.0, 0.8]])
