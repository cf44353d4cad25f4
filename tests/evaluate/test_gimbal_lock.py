"""Joints of three angles where two axes coincide: said, not left to a NaN."""

import warnings

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ModelWarning, PoinsotError

V = np.array([1.0, 2.0, 3.0])


def gyro(sequence):
    """Return a body that hangs in a joint of three angles, beside another one."""
    joint = ps.Euler(sequence, name="gimbal")
    top = ps.Body("top", joint=joint, mass=1.0, com=(0.1, 0, 0.3), inertia=(1, 2, 2.5))
    return ps.System("gyro", [top])


@pytest.mark.parametrize(("sequence", "q"), [("zxz", [0, 0, 0]), ("zyx", [0.3, np.pi / 2, 0])])
def test_one_state_names_the_joint(sequence, q):
    """Ask for accelerations at a place without any, before and after a good call."""
    system = gyro(sequence)
    for _ in range(2):
        with pytest.raises(PoinsotError, match=r"joint 'gimbal' is locked at q = .*Spherical"):
            system.forward_dynamics(np.array(q, float), V)
        assert np.isfinite(system.forward_dynamics([0.3, 0.7, 0.2], V)).all()


def test_a_batch_warns_once():
    """Mix good and locked states; good ones are as they are alone."""
    system = gyro("zxz")
    q = np.array([[0.3, 0.7, 0.2], [0, 0, 0], [0.1, 0, 1.0]])
    for _ in range(2):
        with pytest.warns(ModelWarning, match="'gimbal' is locked in 2 of 3 states") as caught:
            a = system.forward_dynamics(q, V)
        assert len(caught) == 1
        assert np.isnan(a[1:]).any(axis=1).all()
        np.testing.assert_allclose(a[0], system.forward_dynamics(q[0], V), rtol=1e-12)


def test_armature_resists():
    """Give the joint rotors: its accelerations are determined everywhere."""
    joint = ps.Euler("zxz", armature=0.5)
    system = ps.System("gyro", [ps.Body("top", joint=joint, mass=1.0, inertia=(1, 2, 2.5))])
    a = system.forward_dynamics(np.zeros(3), V)
    np.testing.assert_allclose(system.inverse_dynamics(np.zeros(3), V, a), 0.0, atol=1e-12)


def test_nothing_is_said_elsewhere():
    """NaN that the caller gave is the caller's, and good states are silent."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gyro("zxz").forward_dynamics(np.array([0.3, 0.7, 0.2]), np.full(3, np.nan))
        assert np.isnan(found).any()
        assert np.isfinite(gyro("zyx").forward_dynamics(np.zeros((4, 3)), V)).all()


@pytest.mark.parametrize(
    ("sequence", "q"), [("zxz", [0.1, 0, 0.2]), ("zyx", [0.3, np.pi / 2, 0.2])]
)
def test_derivatives_in_a_lock(sequence, q):
    """Check that those of accelerations are refused there, and all others are what they are."""
    system, q, u = gyro(sequence), np.array(q), np.array([0.3, -0.7, 0.5])
    tau, beside = np.array([0.1, 0.2, -0.3]), np.array([0.3, 0.7, 0.2])
    wanted = [
        lambda q: system.derivative("forward_dynamics", q, V, tau, by="q"),
        lambda q: system.derivative("forward_dynamics", q, V, tau, by="tau", along=u),
        lambda q: system.forward_dynamics_derivatives(q, V, tau),
    ]
    for ask in wanted:
        with pytest.raises(PoinsotError, match=r"joint 'gimbal' is locked at q = "):
            ask(q)
        with pytest.warns(ModelWarning, match="'gimbal' is locked in 1 of 2 states"):
            found = ask(np.array([q, beside]))
        assert np.isnan(found[0]).all()
        np.testing.assert_allclose(found[1], ask(beside), rtol=1e-10)
    with pytest.raises(PoinsotError, match="joint 'gimbal' is locked"):
        ps.linearize(system, q, V, tau=tau, motion=True)
    step = 1e-5
    for name, rest in (("mass_matrix", ()), ("bias", (V,)), ("inverse_dynamics", (V, tau))):
        found = system.derivative(name, q, *rest, by="q", along=u)
        ends = [system.evaluate(name, q + s * step * u, *rest) for s in (1, -1)]
        np.testing.assert_allclose(found, (ends[0] - ends[1]) / (2 * step), atol=1e-8)
