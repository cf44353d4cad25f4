"""Quantities of expressions: methods of systems inside functions that are traced."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.expr import build, fresh_symbols
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.library import chain, double_pendulum, four_bar, puma560
from tests.random_examples import examples
from tests.strategies import cases

DYNAMICS = {
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
    "mass_matrix": ("q",),
    "bias": ("q", "v"),
    "gravity_force": ("q",),
    "position_rate": ("q", "v"),
    "kinetic_energy": ("q", "v"),
    "potential_energy": ("q",),
    "centre_of_mass": ("q",),
    "momentum": ("q", "v"),
}
MOTION = {
    "pose": ("q",),
    "velocity": ("q", "v"),
    "acceleration": ("q", "v", "a"),
    "jacobian": ("q",),
    "jacobian_rate": ("q", "v"),
}
ROWS = {
    "constraint_residual": ("q",),
    "constraint_rate": ("q", "v"),
    "constraint_bias": ("q", "v"),
    "constraint_jacobian": ("q",),
}


def assert_traces(call, numbers, keys):
    """Check that a call on symbols gives expressions with the values of the call on numbers."""
    symbols = {key: fresh_symbols(key, numbers[key].size) for key in keys}
    expected = np.asarray(call(*(numbers[key] for key in keys)))
    values = np.asarray(call(*symbols.values()), dtype=object)
    assert values.shape == expected.shape
    result = np.empty((1, values.size))
    program = build(symbols, {"values": values.reshape(-1)})
    InterpreterKernel(program).run([numbers[key][None] for key in keys], [result])
    scale = 1.0 + np.abs(expected).max(initial=0.0)
    assert_allclose(result.reshape(expected.shape), expected, rtol=0, atol=1e-9 * scale)


@settings(max_examples=examples(4))
@given(cases(max_bodies=4))
def test_every_quantity_of_trees(case):
    """Ask random trees with springs and dampers for everything, as numbers and as expressions."""
    system = ps.System.from_mechanism(case.mechanism)
    if not system.nv or np.linalg.cond(system.mass_matrix(case.q)) > 1e4:
        return
    numbers = {"q": case.q, "v": case.v, "a": case.a, "tau": case.tau}
    for name, keys in DYNAMICS.items():
        if name == "centre_of_mass" and not any(body.mass for body in system.bodies):
            continue
        assert_traces(getattr(system, name), numbers, keys)
    body = system.bodies[-1].name
    for name, keys in MOTION.items():
        assert_traces(lambda *state, n=name: getattr(system, n)(body, *state), numbers, keys)


def test_every_quantity_of_closed_systems():
    """Ask a four-bar, under a wrench that is an expression too."""
    system, rng = four_bar(), np.random.default_rng(3)
    q = system.assemble([0.7, 0.3, 1.0])
    numbers = {"q": q, **{key: rng.normal(size=system.nv) for key in ("v", "a", "tau")}}
    for name, keys in {**DYNAMICS, **ROWS}.items():
        assert_traces(getattr(system, name), numbers, keys)
    body = system.bodies[1].name

    def pushed(q, v, tau):
        wrench = np.concatenate([tau, v])
        return system.forward_dynamics(q, v, tau, wrenches={body: wrench})

    assert_traces(pushed, numbers, ("q", "v", "tau"))


def test_time_and_parameters_may_be_expressions():
    """Give the time of a force, and a free mass, as expressions."""
    m = ps.symbols("m")
    arm = ps.Body("arm", joint=ps.Revolute("y"), mass=m, com=(0.3, 0, 0), inertia=(0.1, 0.1, 0.1))
    push = ps.JointForce("arm", "3*sin(2*t)")
    system = ps.System("arm", [arm], forces=[push], parameters={"m": 2.0}, free=["m"])
    numbers = {key: np.array([x]) for key, x in {"q": 0.3, "v": 0.7, "a": 0.1, "m": 1.3}.items()}

    def call(q, v, a, m):
        return system.inverse_dynamics(q, v, a, t=q[0], parameters={"m": m[0]})

    assert_traces(call, numbers, ("q", "v", "a", "m"))


def test_batches_of_expressions():
    """Ask for three states at once, one input the same for all."""
    system, rng = double_pendulum(), np.random.default_rng(1)
    numbers = {"q": rng.normal(size=6), "v": rng.normal(size=2)}
    assert_traces(lambda q, v: system.bias(q.reshape(3, 2), v), numbers, ("q", "v"))
    assert_traces(lambda q, v: system.kinetic_energy(q.reshape(3, 2), v), numbers, ("q", "v"))


def test_numbers_stay_numbers():
    """Check that calls on numbers go on as machine code after calls on expressions."""
    system = double_pendulum()
    symbols = fresh_symbols("q", 2)
    system.mass_matrix(symbols)
    M = system.mass_matrix(np.array([0.1, 0.2]))
    system.mass_matrix(symbols)
    assert M.dtype == np.float64
    np.testing.assert_array_equal(system.mass_matrix(np.array([0.1, 0.2])), M)
    constant = system.mass_matrix(np.array([0.1, 0.2], dtype=object) + 0 * symbols[0])
    assert_allclose(np.array(constant, dtype=float), M)


# Mistakes


def test_shapes_are_checked():
    system = double_pendulum()
    with pytest.raises(ps.ShapeError, match=r"mass_matrix: q must have shape \(\.\.\., 2\), got"):
        system.mass_matrix(fresh_symbols("q", 3))


def test_results_go_to_no_array():
    system = double_pendulum()
    with pytest.raises(
        ps.ArrayTypeError, match=r"mass_matrix: out holds numbers, but .* leave out"
    ):
        system.mass_matrix(fresh_symbols("q", 2), out=np.empty((2, 2)))


def test_objects_that_are_no_expressions_are_refused():
    with pytest.raises(ps.ArrayTypeError, match="q must hold real numbers, got dtype object"):
        double_pendulum().mass_matrix(np.array(["a", None], dtype=object))


def test_laws_use_quantities_that_are_computed_by_loops():
    """Compare a law that uses the forward dynamics of a long chain with the numbers."""
    system = chain(44)
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, 44)) * 0.1
    run = ps.simulate(system, q, v, 1e-3, tau=lambda t, q, v: 0.1 * system.forward_dynamics(q, v))
    expected = 0.1 * system.forward_dynamics(run.q[-1], run.v[-1])
    np.testing.assert_allclose(run.tau()[-1], expected, rtol=1e-8, atol=1e-8)


def test_large_systems_say_that_they_are_too_large(monkeypatch):
    """Ask with expressions outside of all functions, where nothing runs before them."""
    monkeypatch.setattr("poinsot.evaluate.inlining.LONGEST_STRAIGHT", 1000)
    system, q = chain(61), fresh_symbols("q", 61)
    with pytest.raises(
        ps.PoinsotError, match=r"forward_dynamics of 'chain.*' is too large to be .*run\.evaluate"
    ):
        system.forward_dynamics(q, q)


def test_signals_have_no_formula_at_an_unknown_time():
    """Ask for a system whose parameter is samples over time."""
    load = ps.Signal([0.0, 1.0], [1.0, 2.0])
    arm = ps.Body("arm", joint=ps.Revolute("y"), mass=1.0, com=(0.3, 0, 0))
    push = ps.JointForce("arm", "k*sin(t)")
    system = ps.System("arm", [arm], forces=[push], parameters={"k": load}, free=["k"])
    symbols = fresh_symbols("q", 1)
    with pytest.raises(ps.PoinsotError, match=r"parameters of 'arm' are signals.*parameters="):
        system.bias(symbols, symbols, t=symbols[0])


# In simulations


def test_computed_torque_gives_the_linear_motion_it_asks_for():
    """Let a robot's own inverse dynamics make each joint a damped oscillator."""
    arm = puma560()
    q0 = np.array([0.1, 0.2, 0.3, -0.1, 0.2, 0.4])

    def law(t, q, v):
        return arm.inverse_dynamics(q, v, -4 * q - 3 * v)

    for options in ({}, {"integrator": "stiff", "rtol": 1e-8}):
        run = ps.simulate(arm, q0, np.zeros(6), 1.5, tau=law, **options)
        frequency = np.sqrt(4 - 1.5**2)
        decay, phase = np.exp(-1.5 * run.t), frequency * run.t
        exact = np.outer(decay * (np.cos(phase) + 1.5 / frequency * np.sin(phase)), q0)
        assert np.abs(run.q - exact).max() < 1e-6


def test_laws_may_use_another_system_than_the_plant():
    """Control an arm by a model with another mass: the error is that of the model."""
    body = ps.Body("arm", joint=ps.Revolute("y"), mass=1.0, com=(0.5, 0, 0), inertia=(1, 1, 1))
    arm = ps.System("arm", [body])
    model = ps.System("model", [replace(body, mass=1.2)])
    lifted = ps.System("lifted", [body], gravity=(0, 0, 0.2 * 9.81))
    q0 = np.array([0.3])
    run = ps.simulate(arm, q0, [0.0], 0.5, tau=lambda t, q, v: model.gravity_force(q))
    other = ps.simulate(lifted, q0, [0.0], 0.5)  # gravity of the model less that of the arm
    assert_allclose(run.q[-1], other.q[-1], rtol=1e-7)
