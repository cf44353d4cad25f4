"""The serial arm: its size, its geometry, and what does not depend on it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from poinsot import ModelError
from poinsot.library import chain


@pytest.mark.parametrize("n", [1, 2, 7])
def test_size_and_mass(n):
    """Check the number of joints and the total mass."""
    system = chain(n, mass=1.5)
    assert system.nq == system.nv == len(system.bodies) == n
    assert sum(body.mass for body in system.bodies) == pytest.approx(1.5 * n)


def test_upright_arm_is_in_balance():
    """Check that only the couple of the offsets loads the joints of the upright arm."""
    system = chain(6)
    # Mass centres stand at y = offset / 2 in every link, and the pitch axes are along y.
    assert_allclose(system.gravity_force(np.zeros(6)), np.zeros(6), atol=1e-12)
    assert_allclose(system.centre_of_mass(np.zeros(6)), [0, 0.025, 6 * 0.15], atol=1e-12)


def test_axes_alternate():
    """Check that odd joints roll about z and even ones pitch about y."""
    axes = [body.joint.axis for body in chain(4).bodies]
    assert axes == [(0, 0, 1), (0, 1, 0)] * 2


def test_first_roll_does_not_matter():
    """Check that turning the whole arm about the vertical changes no joint force."""
    system, rng = chain(5), np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 5))
    turned = q + np.array([0.7, 0, 0, 0, 0])
    assert_allclose(
        system.inverse_dynamics(turned, v, a), system.inverse_dynamics(q, v, a), rtol=1e-11
    )


@pytest.mark.parametrize("n", [0, -1])
def test_needs_a_joint(n):
    """Check the message for an empty chain."""
    with pytest.raises(ModelError, match="n must be at least 1"):
        chain(n)
