"""What first calls of derivatives of large systems take: counted, and their results."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate import derivative
from poinsot.evaluate import derivative_kernel as derivatives
from poinsot.evaluate.derivative import trace_derivative
from poinsot.evaluate.request import Derivative, Request
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.straight_modules import single_ir
from poinsot.kernels.llvm.target import Target
from tests.front.test_long_derivatives import tree

RNG = np.random.default_rng(8)
STEP = 1e-5


def state_of(system):
    """Return q, v and tau."""
    q = system.integrate(system.neutral(), 0.4 * RNG.normal(size=system.nv))
    return q, *RNG.normal(size=(2, system.nv))


@pytest.fixture
def rolled_only(monkeypatch):
    """Let no derivative along directions be straight."""
    monkeypatch.setattr(derivatives, "LONGEST_ROLLABLE", 0)


@pytest.mark.parametrize(
    "by",
    [("q", "q"), ("q", "v"), ("v", "q"), ("tau", "q"), ("m", "q"), ("q", "m"), ("q", "q", "q")],
)
def test_tangents_of_rolled_tangents(by, rolled_only):
    """Compare them with the straight program, which the interpreter runs; joints have balls."""
    system = tree()
    q, v, tau = state_of(system)
    along = tuple(np.ones(1) if name == "m" else RNG.normal(size=system.nv) for name in by)
    how = {"by": by, "along": along, "parameters": {"m": 1.7}}
    found = system.derivative("forward_dynamics", q, v, tau, **how)
    asked = Request("forward_dynamics", derivative=Derivative(by, (True,) * len(by)))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)
    straight = system.derivative("forward_dynamics", q, v, tau, backend="interpreter", **how)
    assert_allclose(found, straight, atol=1e-11 * np.abs(straight).max())


def test_rolled_time_derivatives(rolled_only):
    """Compare the second one of the mass matrix with differences of the first."""
    system = tree()
    q, v, a = state_of(system)
    found = system.time_derivative("mass_matrix", q, v, a, order=2)
    asked = Request("mass_matrix", derivative=Derivative(rate=2))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)
    rates = [
        system.time_derivative("mass_matrix", system.integrate(q, s * v + s * s / 2 * a), v + s * a)
        for s in (-STEP, STEP)
    ]
    difference = (rates[1] - rates[0]) / (2 * STEP)
    assert_allclose(found, difference, atol=1e-7 * np.abs(difference).max())


@pytest.mark.parametrize("make", [ps.library.humanoid, lambda: ps.library.chain(30)])
def test_second_derivatives_of_accelerations(make, monkeypatch):
    """Compare them with differences of the first; no graph is differentiated in vain."""
    begun = []
    monkeypatch.setattr(derivative, "_differentiated", lambda *given, **_: begun.append(given))
    system = make()
    q, v, tau = state_of(system)
    u = RNG.normal(size=system.nv)

    def first(s):
        """Return the derivative along u a step away."""
        moved = system.integrate(q, s * u)
        return system.derivative("forward_dynamics", moved, v, tau, by="q", along=u)

    both = system.derivative("forward_dynamics", q, v, tau, by=("q", "q"), along=(None, u))
    difference = (first(STEP) - first(-STEP)) / (2 * STEP)
    assert_allclose(both @ u, difference, atol=1e-7 * np.abs(difference).max())
    assert not begun
    asked = Request("forward_dynamics", derivative=Derivative(("q", "q"), (True, True)))
    assert isinstance(system._evaluation.evaluators.find(asked).kernel, RolledKernel)


@pytest.mark.parametrize(
    ("quantity", "by", "how"),
    [("mass_matrix", ("q",), {}), ("pose", ("q", "q"), {"body": "left_hand"})],
)
def test_sparse_derivatives(quantity, by, how):
    """Count the stores of code with many zeros, and compare it with products."""
    system = ps.library.humanoid()
    q = state_of(system)[0]
    along = RNG.normal(size=(len(by), system.nv))
    dense = system.derivative(quantity, q, by=by, **how)
    product = system.derivative(quantity, q, by=by, along=tuple(along), **how)
    contracted = dense
    for u in along[::-1]:
        contracted = contracted @ u
    assert_allclose(contracted, product, atol=1e-12 * np.abs(dense).max())
    body = None if "body" not in how else system.body_names.index(how["body"])
    asked = Request(quantity, body=body, derivative=Derivative(by, (False,) * len(by)))
    program = trace_derivative(system._mechanism, asked)
    text = single_ir(program, Target.current())
    assert np.count_nonzero(dense) < 0.4 * dense.size
    assert text.count(" store ") < np.count_nonzero(dense) + program.n_operations / 4
