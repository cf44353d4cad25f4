"""The small pendulums against their closed forms."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import ellipk, roots_laguerre

import poinsot as ps
from poinsot.library import cart_pole, furuta_pendulum, n_link_pendulum, pendulum

G = 9.81


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 3.0])
def test_period_is_the_elliptic_integral(amplitude):
    """Check that after 4 sqrt(l/g) K the pendulum is back at its start."""
    system = pendulum(length=0.7, mass=2.0)
    period = 4 * np.sqrt(0.7 / G) * ellipk(np.sin(amplitude / 2) ** 2)
    run = ps.simulate(system, [amplitude], [0.0], period, rtol=1e-11)
    assert_allclose(run.q[-1], [amplitude], rtol=1e-9)
    assert_allclose(run.v[-1], [0.0], atol=1e-7)


@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_small_swings_have_the_zeros_of_laguerre_polynomials(n):
    """Check omega² l / g of the loaded string against the zeros."""
    system = n_link_pendulum(n, length=0.4, mass=3.0)
    M = system.mass_matrix(np.zeros(n))
    small = 1e-7
    K = np.array([system.gravity_force(small * row) / small for row in np.eye(n)])
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)).real)
    assert_allclose(squares * 0.4 / G, roots_laguerre(n)[0], rtol=1e-7)


def test_n_link_pendulum_needs_a_link():
    """Check the message for no link at all."""
    with pytest.raises(ps.ModelError, match="n must be at least 1"):
        n_link_pendulum(0)


@pytest.mark.parametrize("seed", range(3))
def test_cart_pole_has_the_textbook_equations(seed):
    """Check M and bias of Tedrake's notes in random states."""
    mc, mp, l = 1.3, 0.4, 0.6
    system = cart_pole(cart_mass=mc, pole_mass=mp, length=l)
    q, v = np.random.default_rng(seed).uniform(-3, 3, (2, 2))
    s, c = np.sin(q[1]), np.cos(q[1])
    M = [[mc + mp, mp * l * c], [mp * l * c, mp * l**2]]
    bias = [-mp * l * s * v[1] ** 2, mp * G * l * s]
    assert_allclose(system.mass_matrix(q), M, rtol=1e-12)
    assert_allclose(system.bias(q, v), bias, rtol=1e-12, atol=1e-12)
    # A positive angle moves the end towards +x, from hanging down.
    end = system.pose("pole", [0.0, 0.3])[:3] @ [0.0, 0.0, -l, 1.0]
    assert_allclose(end, [l * np.sin(0.3), 0.0, -l * np.cos(0.3)], atol=1e-15)


@pytest.mark.parametrize("seed", range(3))
def test_furuta_pendulum_has_the_published_equations(seed):
    """Check M and bias of Cazzolato and Prime (2011) for slender arms in random states."""
    L1, m1, L2, m2 = 0.3, 0.5, 0.4, 0.2
    system = furuta_pendulum(arm_length=L1, arm_mass=m1, length=L2, mass=m2)
    l2 = L2 / 2
    J0 = m1 * L1**2 / 3 + m2 * L1**2  # about the pivot, with the pendulum at the arm's end
    J2 = m2 * L2**2 / 3
    q, v = np.random.default_rng(seed).uniform(-3, 3, (2, 2))
    s, c, s2 = np.sin(q[1]), np.cos(q[1]), np.sin(2 * q[1])
    M = [[J0 + J2 * s**2, m2 * L1 * l2 * c], [m2 * L1 * l2 * c, J2]]
    bias = [
        -m2 * L1 * l2 * s * v[1] ** 2 + v[0] * v[1] * s2 * J2,
        -0.5 * v[0] ** 2 * s2 * J2 + G * m2 * l2 * s,
    ]
    assert_allclose(system.mass_matrix(q), M, rtol=1e-12, atol=1e-15)
    assert_allclose(system.bias(q, v), bias, rtol=1e-12, atol=1e-15)
