"""Derivatives of constraint rows where some of them vanish: they do not vanish with the rows."""

import numpy as np

import poinsot as ps
from poinsot.evaluate import derivative_kernel as derivative
from poinsot.evaluate.request import Derivative, request_for
from poinsot.kernels.llvm.rolled_kernel import RolledKernel

FLAT = np.array([0.0, 0.0, np.pi])
V = np.array([0.7, -1.1, 0.4])
STEP = 1e-6


def folding():
    """Return a four-bar folded flat at ``FLAT``, where a row of its Jacobian is zero."""
    system = ps.library.four_bar(lengths=(1.0, 2.0, 1.0), ground=2.0)
    assert not system.constraint_jacobian(FLAT)[0].any()
    return system


def differences(quantity, system):
    """Return central differences of a quantity by q."""
    steps = STEP * np.eye(3)
    return np.stack([(quantity(FLAT + h) - quantity(FLAT - h)) / (2 * STEP) for h in steps], -1)


def test_rows_that_vanish_have_derivatives():
    """Compare derivatives of J and of J v with differences, dense and along a direction."""
    system = folding()
    change = differences(system.constraint_jacobian, system)
    assert np.abs(change[0]).max() > 1.0
    dense = system.derivative("constraint_jacobian", FLAT, by="q")
    np.testing.assert_allclose(dense, change, atol=1e-8)
    along = system.derivative("constraint_jacobian", FLAT, by="q", along=V)
    np.testing.assert_allclose(along, change @ V, atol=1e-8)
    rate = system.derivative("constraint_rate", FLAT, V, by="q")
    np.testing.assert_allclose(
        rate, differences(lambda q: system.constraint_rate(q, V), system), atol=1e-8
    )


def test_rolled_rows_that_vanish_have_derivatives(monkeypatch):
    """Compare the tangent of the rolled program with differences."""
    monkeypatch.setattr(derivative, "LONGEST_ROLLABLE", 0)
    monkeypatch.setenv("POINSOT_CACHE", "0")
    system = folding()
    asked = request_for("constraint_jacobian").with_derivative(Derivative(("q",), (True,)))
    kernel = derivative.derivative_kernel(system.mechanism, asked, None)
    assert isinstance(kernel, RolledKernel)
    along = system.derivative("constraint_jacobian", FLAT, by="q", along=V)
    change = differences(system.constraint_jacobian, system)
    np.testing.assert_allclose(along, change @ V, atol=1e-8)
