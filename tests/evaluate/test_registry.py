"""The registry: one entry per quantity, and quantities of users."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.inputs import INPUTS
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.formulations.energy import kinetic_energy
from poinsot.library import double_pendulum, four_bar, four_bar_configuration

STATE = np.array([[0.3, -0.2], [1.0, 2.0]])


@pytest.fixture
def action():
    """A quantity of a user: twice the kinetic energy [J]."""
    ps.add_quantity(
        "vis viva", lambda mechanism, q, v: 2.0 * kinetic_energy(mechanism, q, v), "q v",
        about="twice the kinetic energy [J]",
    )  # fmt: skip
    yield "vis viva"
    del QUANTITIES["vis viva"]
    evaluators_of.cache_clear()


def test_a_quantity_is_added_in_one_call(action):
    """Compute it for one state, a batch, free parameters, in NumPy and in C."""
    system, (q, v) = double_pendulum(), STATE
    expected = 2.0 * system.kinetic_energy(q, v)
    assert np.isclose(system.evaluate(action, q, v), expected, rtol=1e-14)
    assert np.isclose(system.evaluate(action, q, v, backend="interpreter"), expected, rtol=1e-14)
    batch = system.evaluate(action, np.stack([q] * 9), v)
    np.testing.assert_allclose(batch, expected, rtol=1e-13)
    assert "twice the kinetic energy" in system.export("c", action).files["double_pendulum.h"]


def test_a_quantity_of_a_body_is_added_alike():
    """Ask for the height of a body."""
    from poinsot.formulations.kinematics import pose

    ps.add_quantity("height", lambda m, body, axes, q: pose(m, body, q)[2, 3], "q", of_body=True)
    try:
        system = double_pendulum()
        height = system.evaluate("height", STATE[0], body="lower")
        assert np.isclose(height, system.pose("lower", STATE[0])[2, 3], atol=1e-15)
        with pytest.raises(ps.ModelError, match="belongs to a body"):
            system.evaluate("height", STATE[0])
    finally:
        del QUANTITIES["height"]


@pytest.mark.parametrize(
    ("name", "inputs", "message"),
    [("bias", "q", "already"), ("new", "q speed", "unknown input 'speed'"), ("new", "t", "'t'")],
)
def test_what_is_wrong_with_a_quantity_is_said(name, inputs, message):
    """Check names that are taken and inputs that there are not."""
    with pytest.raises(ps.PoinsotError, match=message):
        ps.add_quantity(name, lambda *_: 0.0, inputs)


def test_evaluate_says_what_it_needs():
    """Check the number of arrays and the name."""
    with pytest.raises(TypeError, match="bias is a function of q, v, got 1"):
        double_pendulum().evaluate("bias", STATE[0])
    with pytest.raises(ps.PoinsotError, match="no quantity 'biass'"):
        double_pendulum().evaluate("biass", *STATE)


def test_every_input_is_described():
    """Check that each quantity's inputs have a size and a meaning."""
    for quantity in QUANTITIES.values():
        for name in quantity.inputs:
            assert INPUTS[name].about
            assert INPUTS[name].size is not None


def test_nothing_is_compiled_twice(monkeypatch):
    """Simulate, assemble and ask a closed system: each quantity has one kernel."""
    from poinsot.evaluate import evaluator

    made = []
    real = evaluator.kernel_of

    def counted(mechanism, request, backend):
        made.append((request, backend))
        return real(mechanism, request, backend)

    monkeypatch.setattr(evaluator, "kernel_of", counted)
    evaluators_of.cache_clear()
    system, q = four_bar(), four_bar_configuration(0.7)
    v = system.consistent_velocity(q, [1.0, 0.0, 0.0], joints=["crank"])
    system.forward_dynamics(q, v)
    run = ps.simulate(system, q, v, 0.1)
    run.acceleration()
    system.constraint_residual(q)
    assert len(made) == len(set(made))
    assert Request("constraint_residual") in {request for request, _ in made}
