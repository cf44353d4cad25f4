"""Configurations of whole mechanisms: stacked as listed, and as Pinocchio moves them."""

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot import (
    ArrayTypeError,
    Body,
    Free,
    ModelError,
    Revolute,
    ShapeError,
    Spherical,
    System,
)
from poinsot.model import Mechanism
from tests.oracles.pinocchio_model import PinocchioOracle, pin
from tests.random_examples import examples
from tests.strategies import cases


def quaternions_alike(mechanism, q, other):
    """Return q with the signs of its quaternions chosen as those of another."""
    q = q.copy()
    for body, part in zip(mechanism.bodies, mechanism.q_slices, strict=True):
        if body.joint.nq > body.joint.nv and q[part][-4:] @ other[part][-4:] < 0.0:
            q[part.stop - 4 : part.stop] *= -1.0
    return q


@settings(max_examples=examples(8))
@given(cases(12))
def test_arithmetic_is_that_of_pinocchio(case):
    """Compare integrate, difference, interpolate and distance, all joints stacked."""
    m, q0 = case.mechanism, case.q
    oracle, q1, v = PinocchioOracle(m), m.random(case.rng), 0.7 * case.v
    model, a, b = oracle.model, oracle.q(q0), oracle.q(q1)

    def back(q):
        result = np.empty(m.nq)
        result[oracle.q_index] = q
        return result

    moved = m.integrate(q0, v)
    expected = quaternions_alike(m, back(pin.integrate(model, a, oracle.v(v))), moved)
    np.testing.assert_allclose(moved, expected, atol=1e-13)
    np.testing.assert_allclose(
        m.difference(q0, q1), oracle.back(pin.difference(model, a, b)), atol=1e-11
    )
    between = m.interpolate(q0, q1, 0.3)
    expected = quaternions_alike(m, back(pin.interpolate(model, a, b, 0.3)), between)
    np.testing.assert_allclose(between, expected, atol=1e-11)
    assert m.distance(q0, q1) == pytest.approx(pin.distance(model, a, b), abs=1e-11)


@settings(max_examples=examples(6))
@given(cases(12))
def test_mechanism_stacks_its_joints(case):
    """Compare with the joints one by one, in listed order."""
    m, q0, v = case.mechanism, case.q, case.v
    q1 = m.random(case.rng)
    moved, found = m.integrate(q0, v), m.difference(q0, q1)
    assert (moved.shape, found.shape) == ((m.nq,), (m.nv,))
    for body, at_q, at_v in zip(m.bodies, m.q_slices, m.v_slices, strict=True):
        np.testing.assert_allclose(
            moved[at_q], body.joint.integrate(q0[at_q], v[at_v]), rtol=0, atol=1e-14
        )
        np.testing.assert_allclose(
            found[at_v], body.joint.difference(q0[at_q], q1[at_q]), rtol=0, atol=1e-14
        )
    assert m.distance(q0, q1) == pytest.approx(np.linalg.norm(found), abs=1e-14)


def system():
    """Return a ball on a hinge on a free body."""
    return System(
        "robot",
        [
            Body("ball", "arm", Spherical()),
            Body("arm", "base", Revolute()),
            Body("base", joint=Free()),
        ],
    )


def test_system_answers_batches_and_lists():
    """Broadcast leading dimensions, and take whatever holds real numbers."""
    robot, rng = system(), np.random.default_rng(4)
    q = np.array([robot.random(rng) for _ in range(3)])
    v = rng.standard_normal((2, 1, robot.nv))
    moved = robot.integrate(q, v)
    assert moved.shape == (2, 3, robot.nq)
    np.testing.assert_array_equal(moved[1, 2], robot.integrate(q[2].tolist(), v[1, 0].tolist()))
    np.testing.assert_allclose(robot.integrate(q, robot.difference(q, q[0]))[1, 4], q[0, 4])
    part = robot.interpolate(q[0], q[1], [0.0, 0.25, 1.0])
    assert part.shape == (3, robot.nq)
    assert robot.distance(q[0], part) / robot.distance(q[0], q[1]) == pytest.approx([0, 0.25, 1])
    assert robot.distance(robot.neutral(), robot.neutral()) == 0.0


def test_wrong_arrays_are_refused():
    """Name the argument and the shape that is needed."""
    robot = system()
    q, v = robot.neutral(), np.zeros(robot.nv)
    with pytest.raises(ShapeError, match=r"integrate: v must have shape \(..., 10\), got \(12,\)"):
        robot.integrate(q, q)
    with pytest.raises(
        ShapeError, match=r"difference: q1 must have shape \(..., 12\), got \(10,\)"
    ):
        robot.difference(q, v)
    with pytest.raises(ShapeError, match="distance: leading dimensions do not broadcast"):
        robot.distance(np.tile(q, (2, 1)), np.tile(q, (3, 1)))
    with pytest.raises(ArrayTypeError, match="interpolate: s must hold real numbers"):
        robot.interpolate(q, q, 1j)


@pytest.mark.parametrize("name", ["integrate", "difference", "interpolate", "distance"])
def test_quaternions_of_length_zero_are_refused(name):
    """Check that the place is named, in a batch too; NaN goes through."""
    bodies = [Body("a", joint=Revolute("x")), Body("b", joint=Free())]
    mechanism = Mechanism("m", bodies)
    good = mechanism.neutral()
    bad = np.stack([good, good])
    bad[1, 4:] = 0.0
    second = np.zeros(mechanism.nv) if name == "integrate" else good
    more = (0.5,) if name == "interpolate" else ()
    with pytest.raises(ModelError, match=rf"{name}: the quaternion q\[4:8\] must not be zero"):
        getattr(mechanism, name)(bad, second, *more)
    bad[1, 4] = np.nan
    assert np.isnan(getattr(mechanism, name)(bad, second, *more)[1]).any()
