"""Systems whose equations stand in textbooks.

[Landau] L. D. Landau, E. M. Lifshitz, Mechanics: § 5 problem 1 (double pendulum), § 14 problem 1
(spherical pendulum), § 36 (Euler's equations).  [Spong] M. W. Spong, S. Hutchinson, M. Vidyasagar,
Robot Modeling and Control, chapter on dynamics (planar elbow manipulator).  [Tedrake] R. Tedrake,
Underactuated Robotics, chapter on acrobots and cart-poles.
"""

import numpy as np
import pytest
from numpy import cos, sin
from numpy.testing import assert_allclose

from poinsot import Body, Free, Pose, Prismatic, Revolute, Spherical, System

g = 9.81
STATES = np.random.default_rng(20240501).uniform(-3.0, 3.0, (5, 3, 2))
"""Coordinates, velocities and joint forces of systems with two degrees of freedom."""

each_state = pytest.mark.parametrize("state", STATES)


def assert_equations(system, state, M, bias):
    """Check mass matrix, bias, inverse and forward dynamics against the equations of motion."""
    q, v, tau = np.array(state)
    same = {"rtol": 1e-12, "atol": 1e-12}
    solution = np.linalg.solve(M, tau - bias)
    assert_allclose(system.mass_matrix(q, backend="interpreter"), M, **same)
    assert_allclose(system.bias(q, v, backend="interpreter"), bias, **same)
    assert_allclose(system.inverse_dynamics(q, v, solution, backend="interpreter"), tau, **same)
    a = system.forward_dynamics(q, v, tau, backend="interpreter")
    assert_allclose(a, solution, rtol=1e-10, atol=1e-10)


@each_state
def test_pendulum(state):
    """Check (I + m c²) a + d v + m g c sin q = tau of a damped pendulum with its drive."""
    m, c, I, d, drive = 1.3, 0.4, 0.02, 0.3, 0.05
    joint = Revolute("y", damping=d, armature=drive)
    bob = Body("bob", joint=joint, mass=m, com=(0, 0, -c), inertia=(I, I, 0))
    q, v, tau = np.array(state)[:, :1]
    M = np.array([[I + m * c**2 + drive]])
    assert_equations(System("pendulum", [bob]), (q, v, tau), M, m * g * c * sin(q) + d * v)


@each_state
def test_double_pendulum_of_point_masses(state):
    """Check the Lagrangian of [Landau], whose angles are both from the vertical."""
    m1, m2, l1, l2 = 1.1, 0.7, 0.9, 0.6
    system = System(
        "double pendulum",
        [
            Body("upper", joint=Revolute("y"), mass=m1, com=(0, 0, -l1)),
            Body("lower", "upper", Revolute("y"), Pose((0, 0, -l1)), mass=m2, com=(0, 0, -l2)),
        ],
    )
    (t1, t2), (w1, w2), tau = np.array(state)
    M = np.array(
        [
            [(m1 + m2) * l1**2, m2 * l1 * l2 * cos(t1 - t2)],
            [m2 * l1 * l2 * cos(t1 - t2), m2 * l2**2],
        ]
    )
    bias = np.array(
        [
            m2 * l1 * l2 * w2**2 * sin(t1 - t2) + (m1 + m2) * g * l1 * sin(t1),
            -m2 * l1 * l2 * w1**2 * sin(t1 - t2) + m2 * g * l2 * sin(t2),
        ]
    )
    # Ours are relative: (t1, t2) = T (q1, q2), and forces change with the transpose of T.
    T = np.array([[1.0, 0.0], [1.0, 1.0]])
    relative = np.array([[t1, t2 - t1], [w1, w2 - w1], tau])
    assert_equations(system, relative, T.T @ M @ T, T.T @ bias)


@each_state
def test_planar_elbow_manipulator(state):
    """Check the planar arm of two rods of [Spong], in a plane that gravity lies in."""
    m1, m2, l1, c1, c2, I1, I2 = 2.0, 1.5, 0.8, 0.35, 0.3, 0.11, 0.07
    system = System(
        "elbow",
        [
            Body("upper", joint=Revolute("z"), mass=m1, com=(c1, 0, 0), inertia=(0, I1, I1)),
            Body("fore", "upper", Revolute("z"), Pose((l1, 0, 0)), m2, (c2, 0, 0), (0, I2, I2)),
        ],
        gravity=(0, -g, 0),
    )
    (q1, q2), (v1, v2), _ = np.array(state)
    M12 = m2 * (c2**2 + l1 * c2 * cos(q2)) + I2
    M11 = m1 * c1**2 + m2 * (l1**2 + c2**2 + 2 * l1 * c2 * cos(q2)) + I1 + I2
    M = np.array([[M11, M12], [M12, m2 * c2**2 + I2]])
    h = -m2 * l1 * c2 * sin(q2)
    weight = m2 * c2 * g * cos(q1 + q2)
    bias = np.array(
        [
            h * v2 * v1 + h * (v1 + v2) * v2 + (m1 * c1 + m2 * l1) * g * cos(q1) + weight,
            -h * v1**2 + weight,
        ]
    )
    assert_equations(system, state, M, bias)


@each_state
def test_cart_pole(state):
    """Check the cart and its pole, which hangs at zero, of [Tedrake]."""
    mc, mp, l = 1.2, 0.3, 0.7
    system = System(
        "cart-pole",
        [
            Body("pole", "cart", Revolute("-y"), mass=mp, com=(0, 0, -l)),
            Body("cart", joint=Prismatic("x"), mass=mc),
        ],
    )
    (_, t), (_, w), _ = np.array(state)
    M = np.array([[mc + mp, mp * l * cos(t)], [mp * l * cos(t), mp * l**2]])
    bias = np.array([-mp * l * w**2 * sin(t), mp * g * l * sin(t)])
    swap = np.ix_([1, 0], [1, 0])  # the pole is listed first
    assert_equations(system, np.array(state)[:, ::-1], M[swap], bias[::-1])


@each_state
def test_spherical_pendulum(state):
    """Check azimuth and polar angle of [Landau]; the frame between the joints has no mass."""
    m, l = 0.8, 1.1
    system = System(
        "spherical pendulum",
        [
            Body("frame", joint=Revolute("z")),
            Body("bob", "frame", Revolute("y"), mass=m, com=(0, 0, -l)),
        ],
    )
    (_, t), (wp, wt), _ = np.array(state)
    M = np.diag([m * l**2 * sin(t) ** 2, m * l**2])
    bias = np.array(
        [
            2 * m * l**2 * sin(t) * cos(t) * wt * wp,
            -m * l**2 * sin(t) * cos(t) * wp**2 + m * g * l * sin(t),
        ]
    )
    assert_equations(system, state, M, bias)


def test_free_rigid_body_obeys_euler():
    """Check I dw/dt + w × I w = n and m (dv/dt + w × v) = f + R^T m g, in body axes [Landau]."""
    m, I = 2.5, np.diag([0.1, 0.25, 0.3])
    system = System("top", [Body("top", joint=Free(), mass=m, inertia=np.diagonal(I))])
    rng = np.random.default_rng(7)
    for _ in range(5):
        q, (v, w), (f, n) = system.random(rng), *rng.uniform(-2, 2, (2, 2, 3))
        R = system.pose("top", q, backend="interpreter")[:3, :3]
        a = system.forward_dynamics(
            q, np.concatenate([v, w]), np.concatenate([f, n]), backend="interpreter"
        )
        fall = R.T @ np.array([0, 0, -g])
        assert_allclose(a[:3], f / m + fall - np.cross(w, v), rtol=1e-12, atol=1e-12)
        assert_allclose(a[3:], np.linalg.solve(I, n - np.cross(w, I @ w)), rtol=1e-12, atol=1e-12)


def test_heavy_top_obeys_euler():
    """Check I dw/dt + w × I w = c × Rᵀ m g + n of a top on a ball joint, I about the joint."""
    m, c, I_com = 0.7, np.array([0.1, -0.05, 0.4]), np.diag([0.02, 0.03, 0.015])
    system = System("heavy top", [Body("top", joint=Spherical(), mass=m, com=c, inertia=I_com)])
    I = I_com + m * (c @ c * np.eye(3) - np.outer(c, c))
    rng = np.random.default_rng(8)
    for _ in range(5):
        q, w, n = system.random(rng), *rng.uniform(-2, 2, (2, 3))
        R = system.pose("top", q, backend="interpreter")[:3, :3]
        moment = np.cross(c, R.T @ np.array([0, 0, -m * g])) + n - np.cross(w, I @ w)
        a = system.forward_dynamics(q, w, n, backend="interpreter")
        assert_allclose(a, np.linalg.solve(I, moment), rtol=1e-12, atol=1e-12)


def test_spring_and_mass_oscillate():
    """Check m a = -k (q - rest) - d v of a mass on a spring along a slope."""
    m, k, d, rest, slope = 1.5, 40.0, 0.7, 0.2, 0.3
    joint = Prismatic("x", stiffness=k, damping=d, rest=rest)
    block = Body("block", joint=joint, pose=Pose(axis="y", angle=slope), mass=m)
    system = System("slope", [block])
    q, v = np.array([0.5]), np.array([-1.0])
    expected = (-k * (q - rest) - d * v + m * g * sin(slope)) / m
    assert_allclose(system.forward_dynamics(q, v, backend="interpreter"), expected, rtol=1e-13)
