"""Force elements in rolled form: the same numbers as in straight programs, and shared code."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace_best, trace_rolled
from poinsot.expr import Program, Rolled
from poinsot.formulations.energy import potential_energy
from poinsot.formulations.force_numbers import blank_force, force_numbers, force_with
from poinsot.formulations.forces import with_elements
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import mass_matrix_in_base
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.model import LoadInputs
from poinsot.model.environment import BASE, WRENCHES
from tests.formulations.loaded import random_forces, random_springs, system_with, with_forces
from tests.nets import hinge, net, pull, spring, wave
from tests.oracles.agreement import assert_accelerations_agree, assert_agree
from tests.random_examples import examples
from tests.strategies import KINDS, cases, random_case

TOLERANCE = 1e-12
INPUTS = {
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
    "bias": ("q", "v"),
}
FLOATS = {
    "inverse_dynamics": inverse.inverse_dynamics,
    "forward_dynamics": articulated_forward_dynamics,
    "bias": inverse.bias,
}


def many_forces(case):
    """Return elements of all kinds, several on one body, and springs within one link."""
    names, rng = case.mechanism.body_names, case.rng
    more = []
    for body in case.mechanism.bodies:
        if body.joint.nv == 0 and body.parent != "world":  # both ends on bodies that move as one
            ends = (body.name, rng.normal(size=3)), (body.parent, rng.normal(size=3) + 3.0)
            more.append(ps.Spring(*ends, 3.0, 0.2, 0.1))
    more += [ps.FormulaForce(names[0], (f"{k}*sin({k}.5*t)", "x**2", k)) for k in (2, 3)]
    more += [
        ps.Spring((names[-1], (0, 0, 2.0)), ("world", (1, 2, 3)), *numbers)
        for numbers in itertools.product((0.0, 4.0), (0.0, 0.3), (0.0, 0.5))
    ]
    return [*random_forces(case), *random_forces(case), *more]


def question(case, name):
    """Return a loaded mechanism, a request, inputs, and the surroundings they stand for."""
    mechanism, rng = with_forces(case.mechanism, many_forces(case)), case.rng
    bodies = tuple(i for i in range(mechanism.n_bodies) if rng.random() < 0.3)
    load_inputs = LoadInputs(base=bool(rng.random() < 0.5), wrenches=bodies)
    given = {"q": case.q, "v": case.v, "a": case.a, "tau": case.tau}
    given |= {BASE: rng.normal(size=15), WRENCHES: rng.normal(size=6 * len(bodies))}
    given["t"] = rng.uniform(0.0, 3.0, 1)
    names = (*INPUTS[name], *load_inputs.inputs(mechanism))
    environment = with_elements(
        mechanism, case.q, case.v, load_inputs.environment(mechanism, given)
    )
    return mechanism, Request(name, loads=load_inputs), [given[key] for key in names], environment


def assert_same(case, name, x, y, environment):
    """Assert agreement to 1e-12, for accelerations relative to the forces they stand for."""
    if name == "forward_dynamics":
        M = mass_matrix_in_base(case.mechanism, case.q)
        force = case.tau - inverse.bias(case.mechanism, case.q, case.v, environment)
        assert_accelerations_agree(x, y, M, force)
    else:
        scale = np.max(np.abs(y), initial=0.0) + size_of_loads(environment)
        assert np.max(np.abs(x - y), initial=0.0) <= TOLERANCE * max(scale, 1.0)


def size_of_loads(environment):
    return max((np.max(np.abs(wrench)) for wrench in environment.wrenches.values()), default=0.0)


def interpreted(rolled, inputs):
    y = np.empty((1, rolled.outputs[0].size))
    RolledInterpreterKernel(rolled).run([np.asarray(x)[None] for x in inputs], [y])
    return y[0]


@pytest.mark.parametrize("name", sorted(INPUTS))
@settings(max_examples=examples(5))
@given(case=cases(max_bodies=12))
def test_rolled_dynamics_agree_with_floats(name, case):
    """Work off the items with every kind of element, wrenches and a base that may move."""
    if case.mechanism.nv == 0:
        return
    mechanism, request, inputs, environment = question(case, name)
    y = interpreted(trace_rolled(mechanism, request), inputs)
    state = {"q": case.q, "v": case.v, "a": case.a, "tau": case.tau}
    expected = FLOATS[name](case.mechanism, *(state[key] for key in INPUTS[name]), environment)
    assert_same(case, name, y, expected, environment)


@settings(max_examples=examples(5))
@given(case=cases(max_bodies=12))
def test_rolled_potential_energy_agrees_with_floats(case):
    """Compare gravity, joint springs and springs between points with the formulation itself."""
    mechanism = with_forces(case.mechanism, many_forces(case))
    y = interpreted(trace_rolled(mechanism, Request("potential_energy")), [case.q])
    expected = float(potential_energy(mechanism, case.q))
    size = abs(expected) + abs(float(potential_energy(case.mechanism, case.q)))
    assert abs(y[0] - expected) <= TOLERANCE * max(size, 1.0)


@pytest.mark.parametrize("name", sorted(INPUTS))
@pytest.mark.parametrize("seed", range(3))
def test_rolled_machine_code_agrees_with_straight(name, seed):
    """Compare a single state and a batch with the straight interpreter."""
    case = random_case(seed=seed, n_bodies=3 + 2 * seed, root=ps.Free() if seed == 1 else None)
    mechanism, request, inputs, environment = question(case, name)
    expected = Evaluator(mechanism, request, "interpreter")(inputs)
    rolled = Evaluator(mechanism, request, "rolled")
    assert_same(case, name, rolled(inputs), expected, environment)
    for y in rolled(tuple(np.repeat(x[None], 11, axis=0) for x in inputs)):
        assert_same(case, name, y, expected, environment)


@pytest.mark.parametrize("seed", range(3))
def test_rolled_energy_in_machine_code(seed):
    """Compare the public method on every back end."""
    case = random_case(seed=seed, n_bodies=3 + 3 * seed)
    system = system_with(case.mechanism, many_forces(case))
    expected = system.potential_energy(case.q, backend="interpreter")
    for backend in ("llvm", "rolled"):
        y = system.potential_energy(case.q, backend=backend)
        assert abs(y - expected) <= TOLERANCE * max(abs(expected), 1.0) * 10


@pytest.mark.parametrize("kind", KINDS)
def test_every_joint_may_carry_elements(kind):
    """Check trees of one kind of joint, with an element on every body."""
    case = random_case(7, 6, kinds=(kind,), root=ps.Free())
    names, rng = case.mechanism.body_names, case.rng
    forces = [ps.FormulaForce(name, ("x*t", "vy", "z"), point=rng.normal(size=3)) for name in names]
    mechanism = with_forces(case.mechanism, [*forces, *random_springs(case, damping=0.4)])
    load_inputs = LoadInputs()
    given = {"q": case.q, "v": case.v, "t": np.array([0.4])}
    environment = with_elements(
        mechanism, case.q, case.v, load_inputs.environment(mechanism, given)
    )
    y = interpreted(trace_rolled(mechanism, Request("bias")), [case.q, case.v, given["t"]])
    assert_same(
        case, "bias", y, inverse.bias(case.mechanism, case.q, case.v, environment), environment
    )


# Sharing


@pytest.mark.parametrize("force", [spring, pull, wave])
@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "potential_energy"])
def test_number_of_codes_does_not_grow_with_the_elements(name, force):
    """Check that 149 elements of a kind need no more code than a few, whatever their numbers."""
    few, many = (trace_rolled(net(n, hinge, force).mechanism, Request(name)) for n in (12, 150))
    assert few.codes == many.codes
    assert len(many.items) > 150


def test_elements_of_one_kind_differ_in_numbers_only():
    """Check that an element is its kind with its numbers, but for where its ends are."""
    rng = np.random.default_rng(0)
    for make in (spring, pull, wave):
        one, other = make(rng, 1), make(rng, 2)
        if make is not wave:
            assert blank_force(one) == blank_force(other)
        assert force_numbers(one) != force_numbers(other)
        again = force_with(blank_force(one), force_numbers(one))
        assert force_numbers(again) == force_numbers(one)
    damped = ps.Spring(("a", (0, 0, 0)), ("b", (0, 0, 0)), 1.0, 0.5)
    free = ps.Spring(("a", (0, 0, 0)), ("b", (0, 0, 0)), 1.0)
    assert blank_force(damped) != blank_force(free)


def test_formulas_of_different_shape_do_not_share():
    """Check that constants, and nothing else, are what alike formulas may differ in."""
    texts = ["2*x", "3*x", "2*y", "x + 2", "x**2", "x**3", "-2*x", "2*x*t"]
    bare = net(3, hinge, pull)
    q, v = np.array([[0.3, -0.4, 0.7], [0.1, 0.5, -0.2]])

    def with_formulas(*texts):
        forces = [ps.FormulaForce("b2", (text, 0, 0)) for text in texts]
        return system_with(bare.mechanism, forces)

    for text in texts:
        one = with_formulas(text)
        assert_agree(one.bias(q, v, t=0.6, backend="rolled"), one.bias(q, v, t=0.6), 1e-13)
    together = with_formulas(*texts)
    y = together.bias(q, v, t=0.6, backend="rolled")
    assert_agree(y, together.bias(q, v, t=0.6, backend="llvm"), 1e-13)
    n_codes = len(trace_rolled(with_formulas("5*x").mechanism, Request("bias")).codes)
    assert (
        len(trace_rolled(with_formulas("2*x", "3*x").mechanism, Request("bias")).codes) == n_codes
    )
    assert (
        len(trace_rolled(with_formulas("2*x", "3*y").mechanism, Request("bias")).codes)
        == n_codes + 1
    )


def test_large_systems_with_elements_are_rolled():
    """Check what is taken on both sides of the border, by bodies and by elements."""
    assert isinstance(trace_best(net(10, hinge, spring).mechanism, Request("bias")), Program)
    assert isinstance(
        trace_best(net(100, hinge, spring).mechanism, Request("forward_dynamics")), Rolled
    )
    tied = net(12, hinge, spring)
    ends = itertools.permutations(tied.body_names, 2)
    springs = [ps.Spring((a, (0, 0, 1)), (b, (1, 0, 0)), 1.0, length=0.1) for a, b in ends]
    assert len(springs) == 132
    crowded = system_with(tied.mechanism, springs)
    assert isinstance(trace_best(crowded.mechanism, Request("forward_dynamics")), Rolled)


def test_large_net_solves_itself():
    """Check forward after inverse dynamics, with springs and forces that depend on time."""

    def force(rng, i):
        return wave(rng, i) if i % 3 else spring(rng, i)

    system = net(300, hinge, force)
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, system.nv))
    tau = system.inverse_dynamics(q, v, a, t=0.3)
    back = system.forward_dynamics(q, v, tau, t=0.3)
    again = system.inverse_dynamics(q, v, back, t=0.3)
    assert np.max(np.abs(again - tau)) <= 1e-9 * np.max(np.abs(tau))
    assert not np.allclose(tau, system.inverse_dynamics(q, v, a, t=0.9))
