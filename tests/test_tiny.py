"""The main paths in a few seconds: describe, compute, compile, compare."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

ROD = {"mass": 1.0, "com": (0, 0, -0.5), "inertia": (0.08, 0.08, 0.002)}


@pytest.fixture(scope="module")
def pendulum():
    """Return the double pendulum of the README."""
    return ps.System(
        "double pendulum",
        bodies=[
            ps.Body("upper", joint=ps.Revolute("y"), **ROD),
            ps.Body("lower", "upper", ps.Revolute("y"), ps.Pose((0, 0, -1.0)), **ROD),
        ],
        gravity=(0, 0, -9.81),
    )


def test_one_state(pendulum):
    """Check M a + bias = tau for one state, in machine code."""
    q, v, tau = np.array([[0.3, 0.1], [1.0, -0.5], [0.2, 0.0]])
    a = pendulum.forward_dynamics(q, v, tau)
    assert_allclose(pendulum.mass_matrix(q) @ a + pendulum.bias(q, v), tau, atol=1e-13)
    assert_allclose(pendulum.inverse_dynamics(q, v, a), tau, atol=1e-13)


def test_many_states(pendulum):
    """Check a batch in machine code against the interpreter."""
    q, v, tau = np.random.default_rng(1).uniform(-3, 3, (3, 100, 2))
    expected = pendulum.forward_dynamics(q, v, tau, backend="interpreter")
    assert_allclose(pendulum.forward_dynamics(q, v, tau), expected, rtol=1e-12, atol=1e-12)


def test_hanging_still(pendulum):
    """Check that the pendulum hangs still at zero, and what it weighs there."""
    assert_allclose(pendulum.forward_dynamics(pendulum.neutral(), np.zeros(2)), 0.0, atol=1e-15)
    assert pendulum.potential_energy([0, 0], backend="interpreter") == pytest.approx(-2 * 9.81)
    assert_allclose(pendulum.centre_of_mass([0, 0], backend="interpreter"), [0, 0, -1.0])


def test_tip(pendulum):
    """Check where the tip is and how it moves when both rods turn as one."""
    q, v, tip = np.array([np.pi / 2, 0.0]), np.array([1.0, 0.0]), np.array([0, 0, -1.0])
    X = pendulum.pose("lower", q, backend="interpreter")
    assert_allclose(X @ [*tip, 1.0], [-2.0, 0, 0, 1.0], atol=1e-15)
    V = pendulum.velocity("lower", q, v, tip, axes="world", backend="interpreter")
    assert_allclose(V, [0, 0, 2.0, 0, 1.0, 0], atol=1e-15)


def test_floating_body_falls():
    """Check that a free body falls, whatever its attitude."""
    body = ps.System("stone", [ps.Body("stone", joint=ps.Free(), mass=2.0, inertia=(1, 2, 3 - 1))])
    q = body.random(np.random.default_rng(2))
    a = body.forward_dynamics(q, np.zeros(6), backend="interpreter")
    R = body.pose("stone", q, backend="interpreter")[:3, :3]
    assert_allclose(R @ a[:3], [0, 0, -9.81], atol=1e-14)
    assert_allclose(a[3:], 0.0, atol=1e-14)


def test_mistakes_are_explained(pendulum):
    """Check that a wrong shape and a wrong name are answered with what is wrong."""
    with pytest.raises(ps.ShapeError, match="v must have shape"):
        pendulum.bias([0.0, 0.0], [0.0])
    with pytest.raises(ps.ModelError, match="did you mean 'lower'"):
        pendulum.pose("lover", [0.0, 0.0])
