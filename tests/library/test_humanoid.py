"""The humanoid: its size, and left and right as mirror images."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.library import humanoid

FLIP = np.array([1.0, -1.0, 1.0])  # reflection in the plane y = 0


@pytest.fixture(scope="module")
def robot():
    return humanoid()


def mirror_map(system):
    """Return (index, sign) with v_mirrored = sign * v[index], by the names of the joints."""
    index, sign = np.arange(system.nv), np.ones(system.nv)
    sign[:6] = *FLIP, *-FLIP  # velocities are vectors, angular ones axial
    for body, joint in zip(system.bodies[1:], system.joint_names[1:], strict=True):
        swapped = joint.replace("left", "#").replace("right", "left")
        here = system.v_slice(joint).start
        index[here] = system.v_slice(swapped.replace("#", "right")).start
        sign[here] = -FLIP @ np.array(body.joint.axis)
    return index, sign


def mirrored_configuration(system, q):
    """Return the mirror image of a configuration; the quaternion of a reflected turn."""
    index, sign = mirror_map(system)
    angles = (sign * np.concatenate([np.zeros(6), q[7:]])[index])[6:]
    return np.concatenate([FLIP * q[:3], q[3:7] * [1, -1, 1, -1], angles])


def random_state(system, seed):
    rng = np.random.default_rng(seed)
    return (system.random(rng), *rng.normal(size=(2, system.nv)))


def test_size_and_mass(robot):
    """Check degrees of freedom, total mass, and both sides' masses."""
    assert (robot.nq, robot.nv, len(robot.bodies)) == (37, 36, 31)
    assert sum(body.mass for body in robot.bodies) == pytest.approx(70.0)
    sides = {
        side: sum(body.mass for body in robot.bodies if body.name.startswith(side))
        for side in ("left", "right")
    }
    assert sides["left"] == pytest.approx(sides["right"])


def test_stands_upright(robot):
    """Check posture at neutral: soles 0.92 m below the hips, crown 0.83 m above, balanced."""
    q = robot.neutral()
    foot, head = robot.pose("left_foot", q)[:3, 3], robot.pose("head", q)[:3, 3]
    assert foot[2] - 0.07 == pytest.approx(-0.92)
    assert head[2] + 0.24 == pytest.approx(0.83)
    x, y, z = robot.centre_of_mass(q)
    assert abs(x) < 0.02
    assert y == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < z < 0.15  # in the pelvis, 55 % of the stature


@pytest.mark.parametrize("seed", range(3))
def test_mirrored_states_have_mirrored_accelerations(robot, seed):
    """Check that reflecting state and forces in the plane y = 0 reflects accelerations."""
    q, v, tau = random_state(robot, seed)
    index, sign = mirror_map(robot)
    a = robot.forward_dynamics(q, v, tau)
    image = robot.forward_dynamics(
        mirrored_configuration(robot, q), sign * v[index], sign * tau[index]
    )
    assert_allclose(image, sign * a[index], rtol=1e-9, atol=1e-9 * np.max(np.abs(a)))


def test_mirrored_states_have_mirrored_forces(robot):
    """Check the same for inverse dynamics."""
    q, v, a = random_state(robot, 3)
    index, sign = mirror_map(robot)
    tau = robot.inverse_dynamics(q, v, a)
    image = robot.inverse_dynamics(
        mirrored_configuration(robot, q), sign * v[index], sign * a[index]
    )
    assert_allclose(image, sign * tau[index], rtol=1e-10, atol=1e-10 * np.max(np.abs(tau)))


def test_symmetric_posture_stays_symmetric(robot):
    """Check that a symmetric state under gravity alone has its own image as acceleration."""
    index, sign = mirror_map(robot)
    q, v, _ = random_state(robot, 4)
    image = mirrored_configuration(robot, q)
    q = np.concatenate([(q[:3] + image[:3]) / 2, [1, 0, 0, 0], (q[7:] + image[7:]) / 2])
    v = (v + sign * v[index]) / 2
    a = robot.forward_dynamics(q, v)
    assert_allclose(a, sign * a[index], rtol=1e-9, atol=1e-9 * np.max(np.abs(a)))


def test_falls_freely(robot):
    """Check that without forces at rest only the pelvis accelerates, with gravity."""
    a = robot.forward_dynamics(robot.neutral(), np.zeros(36))
    assert_allclose(a, [0, 0, -9.81, *np.zeros(33)], atol=1e-10)
