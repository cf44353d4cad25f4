"""The double pendulum against its equations of motion as textbooks print them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot.library import double_pendulum

M1 = M2 = L1 = 1.0  # masses [kg], length of the upper rod [m]
C1 = C2 = 0.5  # distances of the mass centres from the joints [m]
I1 = I2 = 0.08  # about the mass centres [kg m^2]
G = 9.81


def textbook(q, v):
    """Return M and bias of Spong et al. (2006), section 7.4, angles from the vertical."""
    s, c = np.sin(q[1]), np.cos(q[1])
    m12 = I2 + M2 * (C2**2 + L1 * C2 * c)
    m22 = I2 + M2 * C2**2
    m11 = I1 + M1 * C1**2 + M2 * L1**2 + m22 + 2 * M2 * L1 * C2 * c
    h = M2 * L1 * C2 * s
    swing = M2 * C2 * G * np.sin(q[0] + q[1])
    bias = [
        -h * (2 * v[0] * v[1] + v[1] ** 2) + (M1 * C1 + M2 * L1) * G * np.sin(q[0]) + swing,
        h * v[0] ** 2 + swing,
    ]
    return np.array([[m11, m12], [m12, m22]]), np.array(bias)


@pytest.mark.parametrize("seed", range(5))
def test_equations_are_the_textbook_ones(seed):
    """Check M, bias and accelerations in random states."""
    rng = np.random.default_rng(seed)
    system = double_pendulum()
    q, v, tau = rng.uniform(-3, 3, (3, 2))
    M, bias = textbook(q, v)
    assert_allclose(system.mass_matrix(q), M, rtol=1e-12, atol=1e-12)
    assert_allclose(system.bias(q, v), bias, rtol=1e-12, atol=1e-12)
    a = np.linalg.solve(M, tau - bias)
    assert_allclose(system.forward_dynamics(q, v, tau), a, rtol=1e-11, atol=1e-11)


def test_hangs_still():
    """Check that hanging down is an equilibrium."""
    assert_allclose(double_pendulum().forward_dynamics([0, 0], [0, 0]), [0, 0], atol=1e-15)


def test_small_swing_has_the_textbook_frequencies():
    """Check that M a = -K q for small angles, K the second derivative of the potential."""
    system = double_pendulum()
    q = np.array([1e-7, -2e-7])
    K = np.array([[M1 * C1 + M2 * L1 + M2 * C2, M2 * C2], [M2 * C2, M2 * C2]]) * G
    expected = np.linalg.solve(textbook([0, 0], [0, 0])[0], -K @ q)
    assert_allclose(system.forward_dynamics(q, [0, 0]), expected, rtol=1e-10)
