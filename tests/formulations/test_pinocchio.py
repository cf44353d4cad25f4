"""Agreement with Pinocchio, an independent implementation, to 1e-11 on random trees."""

from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings

from poinsot import Euler, Free, System, Universal
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace_rolled
from poinsot.formulations import energy, jacobians, kinematics
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.articulated import articulated_forward_dynamics
from poinsot.formulations.recursive.composite import (
    mass_matrix_along_paths,
    mass_matrix_in_base,
)
from poinsot.formulations.recursive.factored import factored_forward_dynamics
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from tests.oracles.agreement import assert_accelerations_agree, assert_agree
from tests.oracles.pinocchio_model import PinocchioOracle
from tests.random_examples import examples
from tests.strategies import KINDS, cases, random_case

WAYS_TO_ACCELERATE = {
    "articulated": articulated_forward_dynamics,
    "factored, along paths": partial(
        factored_forward_dynamics, mass_matrix=mass_matrix_along_paths
    ),
    "factored, in base": partial(factored_forward_dynamics, mass_matrix=mass_matrix_in_base),
}

JOINTED = ("fixed", "revolute", "prismatic", "spherical")
MOVING_AXES = ("universal", "planar", "euler")
"""Their screws move in the body: without the rates M is right and the accelerations are not."""
COMPILED_TREES = {
    "one revolute body": (1, 1, {"kinds": ("revolute",)}),
    "one free body": (2, 1, {"root": Free()}),
    "nothing that moves": (3, 2, {"kinds": ("fixed",)}),
    "three sliders": (4, 3, {"kinds": ("prismatic",)}),
    "arm of seven": (323, 7, {"kinds": ("revolute",)}),
    "free base and limbs": (6, 9, {"kinds": ("revolute", "fixed"), "root": Free()}),
    "balls": (7, 5, {"kinds": ("spherical",)}),
    "screws and sleeves": (31, 5, {"kinds": ("helical", "cylindrical", "translation")}),
    "moving axes": (32, 6, {"kinds": MOVING_AXES}),
    "every kind": (36, 9, {"kinds": KINDS}),
    "mixed seven": (13, 7, {"kinds": JOINTED}),
    "floating nine": (349, 9, {"kinds": JOINTED, "root": Free()}),
    "free bodies everywhere": (10, 4, {"kinds": ("free",)}),
    "thirty, ten roots": (111, 30, {"kinds": ("revolute", "prismatic", "fixed")}),
    "12 in a row": (219, 12, {"kinds": ("revolute", "fixed"), "root": Free(), "passive": False}),
}
BATCHES = (1, 13)
"""A batch of 1 runs the scalar code; 13 fill the lanes of no processor evenly."""


@settings(max_examples=examples(11))
@given(cases())
def test_joint_forces_of_floats(case):
    """Check inverse dynamics, bias and gravity, called on floats."""
    oracle, m, q, v, a = PinocchioOracle(case.mechanism), case.mechanism, case.q, case.v, case.a
    assert_agree(inverse.inverse_dynamics(m, q, v, a), oracle.inverse_dynamics(q, v, a))
    assert_agree(inverse.bias(m, q, v), oracle.bias(q, v))
    assert_agree(inverse.gravity_force(m, q), oracle.gravity_force(q))


@pytest.mark.parametrize("way", [mass_matrix_along_paths, mass_matrix_in_base])
@settings(max_examples=examples(11))
@given(case=cases())
def test_mass_matrix_of_floats(way, case):
    """Check each way to the mass matrix, called on floats."""
    expected = PinocchioOracle(case.mechanism).mass_matrix(case.q)
    assert_agree(way(case.mechanism, case.q), expected)


@pytest.mark.parametrize("way", WAYS_TO_ACCELERATE)
@settings(max_examples=examples(8))
@given(case=cases())
@example(case=random_case(70585412, 20))
def test_forward_dynamics_of_floats(way, case):
    """Check each way to the accelerations, called on floats, as well as the mass matrix allows."""
    oracle, q, v, tau = PinocchioOracle(case.mechanism), case.q, case.v, case.tau
    assert_accelerations_agree(
        WAYS_TO_ACCELERATE[way](case.mechanism, q, v, tau),
        oracle.forward_dynamics(q, v, tau),
        oracle.mass_matrix(q),
        tau - oracle.bias(q, v),
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "fixed"])
@pytest.mark.parametrize("seed", range(3))
def test_forward_dynamics_of_each_kind(kind, seed):
    """Check accelerations of fast short chains of one kind to 1e-11, without allowances."""
    case = random_case(seed, 2, kinds=(kind,), passive=False)
    _check_accelerations(case.mechanism, case.q, 5.0 * case.v, case.tau)


@pytest.mark.parametrize("joint", [Universal("z", "x"), Euler("zyx")], ids=repr)
def test_forward_dynamics_of_native_joints(joint):
    """Check accelerations against the universal and z-y-x joints that Pinocchio itself has."""
    case = random_case(2, 3, kinds=("revolute",), passive=False, root=joint)
    _check_accelerations(case.mechanism, case.q, 5.0 * case.v, case.tau, native=True)


def _check_accelerations(mechanism, q, v, tau, **options):
    expected = PinocchioOracle(mechanism, **options).forward_dynamics(q, v, tau)
    for way in WAYS_TO_ACCELERATE.values():
        assert_agree(way(mechanism, q, v, tau), expected)


@settings(max_examples=examples(8))
@given(cases())
def test_motion_of_floats(case):
    """Check pose, velocity, acceleration, Jacobian and its rate at a point, called on floats."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    motion = PinocchioOracle(m).motion(i, point, q, v, a)
    origin = PinocchioOracle(m).motion(i, np.zeros(3), q, v, a)
    assert_agree(kinematics.pose(m, i, q), origin.pose)
    for axes in ("body", "world"):
        assert_agree(kinematics.velocity(m, i, axes, q, v, point), motion.velocity[axes])
        assert_agree(kinematics.acceleration(m, i, axes, q, v, a, point), motion.acceleration[axes])
        assert_agree(jacobians.jacobian(m, i, axes, q, point), motion.jacobian[axes])
        assert_agree(jacobians.jacobian_rate(m, i, axes, q, v, point), motion.jacobian_rate[axes])


@settings(max_examples=examples(8))
@given(cases())
def test_energy_and_momentum_of_floats(case):
    """Check mass centre, momentum and energies, called on floats."""
    oracle, m, q, v = PinocchioOracle(case.mechanism), case.mechanism, case.q, case.v
    assert_agree(energy.kinetic_energy(m, q, v), oracle.kinetic_energy(q, v))
    assert_agree(energy.gravity_energy(m, q), oracle.gravity_energy(q))
    assert_agree(energy.centre_of_mass(m, q), oracle.centre_of_mass(q))
    assert_agree(energy.momentum(m, q, v), oracle.momentum(q, v))


@settings(max_examples=examples(5))
@given(cases(8))
def test_dynamics_of_the_interpreter(case):
    """Check all dynamics through a System on the interpreter."""
    _check_dynamics(_system(case.mechanism), [(case.q, case.v, case.a, case.tau)], "interpreter")


@settings(max_examples=examples(5))
@given(cases(min_bodies=20, kinds=("fixed", "revolute", "prismatic")))
def test_dynamics_of_the_interpreter_on_large_trees(case):
    """Check the same on trees of up to 40 bodies whose traces are not too long to wait for."""
    _check_dynamics(_system(case.mechanism), [(case.q, case.v, case.a, case.tau)], "interpreter")


@settings(max_examples=examples(5))
@given(cases(20))
def test_motion_of_the_interpreter(case):
    """Check the motion of a body through a System on the interpreter."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    name, system = m.bodies[i].name, _system(m)
    motion = PinocchioOracle(m).motion(i, point, q, v, a)
    for axes in ("body", "world"):
        options = {"axes": axes, "backend": "interpreter"}
        assert_agree(system.velocity(name, q, v, point, **options), motion.velocity[axes])
        assert_agree(
            system.acceleration(name, q, v, a, point, **options), motion.acceleration[axes]
        )
        assert_agree(system.jacobian(name, q, point, **options), motion.jacobian[axes])
        assert_agree(system.jacobian_rate(name, q, v, point, **options), motion.jacobian_rate[axes])


@settings(max_examples=examples(5))
@given(cases())
def test_dynamics_of_rolled_programs(case):
    """Check all dynamics as loops over the bodies, interpreted."""
    oracle, q, v, a, tau = PinocchioOracle(case.mechanism), case.q, case.v, case.a, case.tau
    run = partial(_run_rolled, case.mechanism)
    M, bias = oracle.mass_matrix(q), oracle.bias(q, v)
    assert_agree(run("inverse_dynamics", q, v, a), oracle.inverse_dynamics(q, v, a))
    assert_agree(run("bias", q, v), bias)
    assert_agree(run("gravity_force", q), oracle.gravity_force(q))
    assert_agree(run("mass_matrix", q), M)
    expected = oracle.forward_dynamics(q, v, tau)
    assert_accelerations_agree(run("forward_dynamics", q, v, tau), expected, M, tau - bias)


@settings(max_examples=examples(5))
@given(cases())
def test_motion_of_rolled_programs(case):
    """Check the motion of a body as loops over the bodies, interpreted."""
    m, q, v, a, i, point = case.mechanism, case.q, case.v, case.a, case.body(), case.point()
    oracle, run = PinocchioOracle(m), partial(_run_rolled, m)
    motion = oracle.motion(i, point, q, v, a)
    assert_agree(run("pose", q, body=i), oracle.motion(i, np.zeros(3), q, v, a).pose)
    for axes in ("body", "world"):
        given = {"body": i, "axes": axes}
        assert_agree(run("velocity", q, v, point, **given), motion.velocity[axes])
        assert_agree(run("acceleration", q, v, a, point, **given), motion.acceleration[axes])
        assert_agree(run("jacobian", q, point, **given), motion.jacobian[axes])
        assert_agree(run("jacobian_rate", q, v, point, **given), motion.jacobian_rate[axes])
    assert_agree(run("kinetic_energy", q, v), oracle.kinetic_energy(q, v))
    assert_agree(run("gravity_energy", q), oracle.gravity_energy(q))
    assert_agree(run("centre_of_mass", q), oracle.centre_of_mass(q))
    assert_agree(run("momentum", q, v), oracle.momentum(q, v))


@pytest.mark.parametrize("backend", ["llvm", "rolled"])
@pytest.mark.parametrize("tree", COMPILED_TREES)
def test_dynamics_of_machine_code(tree, backend):
    """Check all dynamics through a System on LLVM, one state and several at a time."""
    seed, n_bodies, options = COMPILED_TREES[tree]
    case = random_case(seed, n_bodies, **options)
    m, rng = case.mechanism, case.rng
    states = [(m.random(rng), *rng.uniform(-2.0, 2.0, (3, m.nv))) for _ in range(max(BATCHES))]
    system = _system(m)
    for size in BATCHES:
        _check_dynamics(system, states[:size], backend)


def _check_dynamics(system, states, backend):
    """Check a batch of states (q, v, a, tau) on a back end against Pinocchio, state by state."""
    oracle = PinocchioOracle(system.mechanism)
    q, v, a, tau = (np.array(column) for column in zip(*states, strict=True))
    results = {
        "tau": system.inverse_dynamics(q, v, a, backend=backend),
        "bias": system.bias(q, v, backend=backend),
        "gravity": system.gravity_force(q, backend=backend),
        "M": system.mass_matrix(q, backend=backend),
        "a": system.forward_dynamics(q, v, tau, backend=backend),
    }
    for k, (q, v, a, tau) in enumerate(states):
        M, bias = oracle.mass_matrix(q), oracle.bias(q, v)
        assert_agree(results["tau"][k], oracle.inverse_dynamics(q, v, a))
        assert_agree(results["bias"][k], bias)
        assert_agree(results["gravity"][k], oracle.gravity_force(q))
        assert_agree(results["M"][k], M)
        expected = oracle.forward_dynamics(q, v, tau)
        assert_accelerations_agree(results["a"][k], expected, M, tau - bias)


def _run_rolled(mechanism, name, *arguments, **asked):
    """Return a quantity of one state by the interpreter of rolled programs."""
    kernel = RolledInterpreterKernel(trace_rolled(mechanism, Request(name, **asked)))
    (port,) = kernel.signature.outputs
    output = np.empty((1, port.size))
    kernel.run([np.array(argument)[None] for argument in arguments], [output])
    return output.reshape(port.shape)


def _system(mechanism):
    return System(mechanism.name, mechanism.bodies, gravity=mechanism.gravity)
