"""The delta robot against spheres that meet, and virtual work."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import delta_robot, delta_robot_configuration

BASE, PLATFORM, ARM, ROD = 0.20, 0.05, 0.30, 0.80
ROBOT = delta_robot()
STILL = np.zeros(9)


def knees(angles):
    """Return the arms' ends, moved inwards by the platform's radius."""
    found = []
    for k, angle in enumerate(angles):
        out = np.array([np.cos(2 * np.pi * k / 3), np.sin(2 * np.pi * k / 3), 0.0])
        radius = BASE - PLATFORM + ARM * np.cos(angle)
        found.append(radius * out - ARM * np.sin(angle) * np.array([0, 0, 1]))
    return np.array(found)


def centre(angles):
    """Return the place of the platform: the lower point at the rods' length from all three."""
    a, b, c = knees(angles)
    ex = (b - a) / np.linalg.norm(b - a)
    i = ex @ (c - a)
    ey = (c - a - i * ex) / np.linalg.norm(c - a - i * ex)
    d, j = np.linalg.norm(b - a), ey @ (c - a)
    x = d / 2
    y = (i**2 + j**2 - 2 * i * x) / (2 * j)
    z = np.sqrt(ROD**2 - x**2 - y**2)
    normal = np.cross(ex, ey)
    return a + x * ex + y * ey - z * np.sign(normal[2]) * normal


@pytest.mark.parametrize("angles", [(0.3, 0.3, 0.3), (0.1, 0.6, 0.9), (1.0, -0.2, 0.4)])
def test_positions_are_those_of_three_spheres(angles):
    """Check closed form and assembly with the arms held."""
    place = centre(angles)
    q = delta_robot_configuration(place)
    assert_allclose(q[:3], angles, atol=1e-13)
    assert_allclose(ROBOT.constraint_residual(q), np.zeros(6), atol=1e-14)
    rough = q + np.array([0, 0, 0, 0.05, -0.04, 0.03, 0, 0.01, 0, 0.02])
    arms = ["arm 1", "arm 2", "arm 3"]
    found = ROBOT.assemble(rough, joints=arms)
    assert_allclose(found, q, atol=1e-9)
    assert (ROBOT.mobility(q).degrees, ROBOT.finite_mobility(q)) == (3, 3)
    assert ROBOT.actuation(q, arms).missing == 0


def test_holding_torques_by_virtual_work():
    """Check them against the slope of the height of all masses by the arms' angles."""
    angles, h = np.array([0.1, 0.6, 0.9]), 1e-6

    def energy(at):
        arms = sum((0.5 / 2 + 0.05) * -ARM * np.sin(angle) for angle in at)
        return 9.81 * (arms + (0.3 + 3 * 0.05) * centre(at)[2])

    slope = [(energy(angles + h * e) - energy(angles - h * e)) / (2 * h) for e in np.eye(3)]
    q = delta_robot_configuration(centre(angles))
    tau = ROBOT.inverse_dynamics(q, STILL, STILL, joints=["arm 1", "arm 2", "arm 3"])
    assert_allclose(tau, [*slope, *STILL[3:]], atol=1e-8)


def test_driven_platform_stays_level():
    """Check that the platform only shifts while the arms move."""
    q = delta_robot_configuration((0.0, 0.0, -0.7))
    start = q[:3].tolist()
    laws = {f"arm {k + 1}": (start[k], start[k] + 0.2 * k) for k in range(3)}
    study = ps.drive(ROBOT, q, laws, positions=8)
    assert study.ok
    assert_allclose(np.abs(study.q[:, 6]), np.ones(8), atol=1e-12)
    for q in study.q:
        assert_allclose(q[3:6], centre(q[:3]), atol=1e-11)


def test_a_place_out_of_reach_is_refused():
    """Check that the message names place and arm."""
    with pytest.raises(ps.ModelError, match=r"\(0, 0, -2\) m, where arm 1 does not reach"):
        delta_robot_configuration((0.0, 0.0, -2.0))
