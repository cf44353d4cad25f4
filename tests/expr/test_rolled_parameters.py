"""Rolled programs with free parameters: numbers of bodies are computed ahead of the sweeps."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.errors import ProgramError
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace, trace_best, trace_rolled
from poinsot.expr import Program, Rolled
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import chain, n_four_bar, n_four_bar_state
from poinsot.model.changed import changed
from tests.parametric import parametric
from tests.random_examples import examples
from tests.strategies import cases

OF_TREES = [
    name
    for name, one in QUANTITIES.items()
    if one.rolled and one.algorithms and "lam" not in one.inputs
]
CLOSED = (
    "forward_dynamics", "constraint_residual", "constraint_rate", "constraint_bias",
    "constraint_jacobian", "multipliers", "reactions", "projected_state",
)  # fmt: skip


def result(kernel, known):
    """Return what a kernel makes of one state."""
    y = np.empty((1, kernel.signature.outputs[0].size))
    kernel.run([known[port.name][None] for port in kernel.signature.inputs], [y])
    return y[0]


@settings(max_examples=examples(3))
@given(case=cases(max_bodies=5))
def test_trees_agree_with_straight(case):
    """Compare every quantity of random trees with formulas anywhere."""
    if case.mechanism.nv == 0 or not any(body.mass for body in case.mechanism.bodies):
        return
    description, values = parametric(case.rng, case.mechanism, share=0.3)
    mechanism = description.bound
    known = {"q": case.q, "v": case.v, "a": case.a, "tau": case.tau, "point": case.point()}
    known["gravity"] = 9.0 * case.point()
    known["parameters"] = np.array([values[key] for key in mechanism.parameter_inputs])
    for name in OF_TREES:
        asked = {"body": case.body(), "axes": "world"} if QUANTITIES[name].of_body else {}
        request = Request(name, **asked)
        expected = result(InterpreterKernel(trace(mechanism, request)), known)
        found = result(RolledInterpreterKernel(trace_rolled(mechanism, request)), known)
        size = max(np.abs(expected).max(initial=0.0), 1e-9)
        assert_allclose(found / size, expected / size, rtol=0, atol=1e-10, err_msg=name)


def parametric_loops(n):
    """Return n parallelograms whose masses and pins have formulas."""
    m, d = ps.symbols("m d")
    system = n_four_bar(n)
    bodies = [changed(body, mass=m * body.mass) for body in system.mechanism.bodies]
    pins = [
        changed(pin, second=(pin.second[0], ps.Pose((d + 1.0, 0.0, 0.0)))) for pin in system.loops
    ]
    return ps.System("loops", bodies, gravity=system.mechanism.gravity, loops=pins)


@pytest.mark.parametrize("name", CLOSED)
def test_loops_agree_with_straight(name):
    """Compare closed systems, at two values of the parameters."""
    n = 3
    mechanism = parametric_loops(n).mechanism.bound
    q, v = n_four_bar_state(n, angle=1.1, rate=0.6)
    axes = {"axes": "world"} if "axes" in QUANTITIES[name].options else {}
    request = Request(name, **axes)
    straight = InterpreterKernel(trace(mechanism, request))
    rolled = RolledInterpreterKernel(trace_rolled(mechanism, request))
    names = mechanism.parameter_inputs
    for values in ({"m": 2.0, "d": 0.0}, {"m": 0.3, "d": 1e-4}):
        known = {"q": q, "v": v, "a": v, "tau": np.linspace(-1, 1, len(v))}
        known["lam"] = np.linspace(0, 1, len(mechanism.row_names))
        known["parameters"] = np.array([values[key] for key in names])
        expected = result(straight, known)
        found = result(rolled, known)
        if name == "projected_state":  # the last number depends on the order of elimination
            expected, found = expected[:-1], found[:-1]
        assert_allclose(found, expected, rtol=0, atol=1e-7 * (1.0 + np.abs(expected).max()))


def parametric_chain(n):
    """Return a chain whose masses have one factor."""
    m = ps.symbols("m")
    bodies = [changed(body, mass=m * body.mass) for body in chain(n).mechanism.bodies]
    return ps.System("chain", bodies, gravity=chain(n).mechanism.gravity)


def test_large_systems_are_rolled_and_batches_have_values_of_their_own():
    """A chain of fifty: a batch of values gives what each value gives as a number."""
    system, rng = parametric_chain(50), np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 9, 50))
    masses = np.linspace(0.5, 2.0, 9)
    for name in ("inverse_dynamics", "forward_dynamics"):
        request = Request(name)
        assert isinstance(trace_best(parametric_chain(200).mechanism.bound, request), Rolled)
        found = getattr(system, name)(q, v, a, parameters={"m": masses}, backend="rolled")
        for k, m in enumerate(masses):
            plain = system.with_parameters(m=float(m))
            expected = getattr(plain, name)(q[k], v[k], a[k], backend="interpreter")
            size = np.abs(expected).max()
            assert_allclose(found[k] / size, expected / size, rtol=0, atol=1e-9)


def test_numbers_alone_are_not_computed_again():
    """Codes whose numbers have no formula read the constants as before."""
    (mass,) = (ps.symbols("m"),)
    bodies = chain(4).mechanism.bodies
    heavy = ps.Body("heavy", bodies[-1].name, ps.Spherical(), mass=mass, inertia=(1.0, 1.0, 1.0))
    system = ps.System("chain", [*bodies, heavy])
    rolled = trace_rolled(system.mechanism.bound, Request("kinetic_energy"))
    memories = {memory for code in rolled.codes for memory in code.memories}
    assert memories == {"constants", "state", "q", "v", "parameters"}
    y = np.empty((1, 1))
    q, v = system.random(np.random.default_rng(0))[None], np.ones((1, system.nv))
    RolledKernel(rolled).run([q, v, np.array([[3.0]])], [y])
    expected = system.with_parameters(m=3.0).kinetic_energy(q[0], v[0], backend="interpreter")
    assert_allclose(y[0, 0], expected, rtol=1e-13)


def test_parameters_inside_formulas_stay_straight():
    """A length in the rows of a constraint is no number of a body: straight, and said so."""
    length = ps.symbols("l")
    system = n_four_bar(3)
    rod = ps.Distance("rod", ("rod 0", (1, 0, 0)), ("rod 3", (1, 0, 0)), length)
    held = ps.System("held", system.mechanism.bodies, loops=system.loops, constraints=[rod])
    mechanism = held.mechanism.bound
    with pytest.raises(ProgramError, match="'held': parameters in constraints"):
        trace_rolled(mechanism, Request("constraint_residual"))
    assert isinstance(trace_best(mechanism, Request("constraint_residual")), Program)
