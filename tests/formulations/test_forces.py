"""Force elements: laws of mechanics, and the same in every formulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose
from scipy.integrate import cumulative_simpson
from scipy.spatial.transform import Rotation

import poinsot as ps
from poinsot.evaluate.formulation import FORMULATIONS
from poinsot.formulations import energy
from poinsot.formulations.forces import element_energy, element_wrenches
from poinsot.library import double_pendulum
from tests.formulations.loaded import (
    generalized,
    random_bushing,
    random_forces,
    random_springs,
    slider,
    system_with,
    with_forces,
)
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases, random_case

STEP = 1e-5


@settings(max_examples=examples(6))
@given(cases(max_bodies=10))
def test_springs_are_the_gradient_of_their_energy(case):
    """Compare the power of undamped springs with the rate of their energy by differences."""
    m = with_forces(case.mechanism, [*random_springs(case), *random_bushing(case)])
    rate = ps.System("tree", m.bodies).position_rate(case.q, case.v, backend="interpreter")
    up, down = (element_energy(m, case.q + s * STEP * rate) for s in (1, -1))
    change = (up - down) / (2 * STEP)
    power = generalized(m, case.q, case.v) @ case.v
    size = 1.0 + np.abs(generalized(m, case.q, case.v)) @ np.abs(case.v) + up
    assert abs(change + power) <= 1e-7 * size
    total = energy.potential_energy(m, case.q) - energy.potential_energy(case.mechanism, case.q)
    assert_allclose(total, element_energy(m, case.q), rtol=1e-9, atol=1e-9)


@settings(max_examples=examples(5))
@given(cases(max_bodies=5, min_bodies=2, root=ps.Free(), gravity=(0, 0, 0), passive=False))
def test_springs_between_bodies_do_not_change_momentum(case):
    """Check Newton's third law: the rate of momentum is that of forces from outside alone."""
    slow = {"backend": "interpreter"}
    inner = random_springs(case, damping=0.5, to_world=False)
    inner += random_bushing(case, damping=0.5, to_world=False)
    push = ps.ConstantForce(case.mechanism.body_names[0], (1, -2, 3), (0.1, 0.2, 0.3))
    for forces, outer in ((inner, []), ([*inner, push], [push])):
        system = system_with(case.mechanism, forces)
        wrench = np.zeros(6)
        for i, one in element_wrenches(
            with_forces(case.mechanism, outer), case.q, case.v, 0
        ).items():
            X = system.pose(system.body_names[i], case.q, **slow)
            f, n = X[:3, :3] @ one[:3], X[:3, :3] @ one[3:]
            wrench += np.concatenate([f, n + np.cross(X[:3, 3], f)])
        tau = np.zeros(system.nv)
        a = system.forward_dynamics(case.q, case.v, tau, **slow)
        rate = system.position_rate(case.q, case.v, **slow)
        dt = STEP / max(1.0, np.max(np.abs(case.v)), np.max(np.abs(a)))
        up, down = (
            system.momentum(case.q + s * dt * rate, case.v + s * dt * a, **slow) for s in (1, -1)
        )
        # inner joint forces are none, and the free root feels none either
        size = np.max(np.abs(up)) / dt * 1e-9 + np.max(np.abs(wrench)) + np.max(np.abs(a))
        assert np.max(np.abs((up - down) / (2 * dt) - wrench)) <= 1e-5 * size


@settings(max_examples=examples(5))
@given(cases(max_bodies=8, min_bodies=2, passive=False))
def test_dampers_only_take_energy(case):
    """Check that dampers never do positive work, along the ends' velocities."""
    springs = [
        ps.Spring(one.first, one.second, 0.0, 2.0, one.length) for one in random_springs(case)
    ]
    bushings = [
        replace(one, stiffness=(0, 0, 0), torsion=(0, 0, 0))
        for one in random_bushing(case, damping=2.0)
    ]
    m = with_forces(case.mechanism, [*springs, *bushings])
    assert generalized(m, case.q, case.v) @ case.v <= 1e-10


@settings(max_examples=examples(5))
@given(cases(max_bodies=8, min_bodies=2))
def test_actuator_with_the_law_of_a_spring_is_a_spring(case):
    """Compare a formula in length and rate with the spring and damper that it writes down."""
    (spring,) = random_springs(case, 1, damping=0.7)
    actuator = ps.Actuator(spring.first, spring.second, "-k*(length - l0) - c*rate")
    numbers = {"k": spring.stiffness, "l0": spring.length, "c": spring.damping}
    m = case.mechanism
    pushed = ps.System(m.name, m.bodies, gravity=m.gravity, forces=[actuator], parameters=numbers)
    pulled = system_with(m, [spring])
    slow = {"backend": "interpreter"}
    bias = pulled.bias(case.q, case.v, **slow)
    assert_agree(pushed.bias(case.q, case.v, **slow), bias, 1e-11)


def test_bushing_has_its_stiffness_about_each_axis():
    """Turn and shift a body by little: moments and forces are the stiffness times the turn."""
    E, F = ps.Pose((0.1, 0.2, 0.3), rpy=(0.4, -0.2, 1.0)), ps.Pose((-0.3, 0, 0.5), rpy=(1, 0, 2))
    bushing = ps.Bushing(("world", E), ("block", F), (3e3, 5e3, 7e3), (20, 30, 40))
    block = ps.Body("block", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1))
    system = ps.System("mount", [block], gravity=(0, 0, 0), forces=[bushing])
    X_E, X_F = (np.block([[np.array(P.matrix), np.array([P.xyz]).T], [0, 0, 0, 1]]) for P in (E, F))
    turn, shift = 1e-6 * np.array([1.0, 2.0, -3.0]), 1e-6 * np.array([2.0, 1.0, -1.0])
    small = np.block(
        [[Rotation.from_rotvec(turn).as_matrix(), shift[:, None]], [np.zeros((1, 3)), 1.0]]
    )
    X = X_E @ small @ np.linalg.inv(X_F)
    x, y, z, w = Rotation.from_matrix(X[:3, :3]).as_quat()
    q = np.array([*X[:3, 3], w, x, y, z])
    wrench = -system.bias(q, np.zeros(6))  # on the block, at its origin, in its axes
    f = X_F[:3, :3].T @ wrench[:3]
    n = X_F[:3, :3].T @ (wrench[3:] - np.cross(F.xyz, wrench[:3]))
    assert_allclose(f, -np.array([3e3, 5e3, 7e3]) * shift, rtol=2e-5)
    assert_allclose(n, -np.array([20, 30, 40]) * turn, rtol=2e-5)


def test_energy_falls_by_the_work_of_the_damper():
    """Integrate the power c (dL/dt)² of a damper and compare with the loss of energy in a run."""
    spring = ps.Spring(("lower", (0, 0, -1)), ("world", (1.5, 0, -0.5)), 20.0, 1.5, 0.6)
    system = system_with(double_pendulum().mechanism, [spring])
    t = np.linspace(0, 3, 3001)
    run = ps.simulate(system, [0.5, 0.3], [0.0, 1.0], 3.0, save=t, rtol=1e-10)
    X = system.pose("lower", run.q)
    d = np.array([1.5, 0, -0.5]) - (X[:, :3, :3] @ [0, 0, -1] + X[:, :3, 3])
    v = system.velocity("lower", run.q, run.v, [0, 0, -1], axes="world")[:, :3]
    speed = -np.einsum("ki,ki->k", d, v) / np.linalg.norm(d, axis=1)
    power = 1.5 * speed**2
    work = cumulative_simpson(power, x=t, initial=0.0)
    total = system.kinetic_energy(run.q, run.v) + system.potential_energy(run.q)
    assert_allclose(total[0] - total, work, atol=1e-6)
    assert work[-1] > 0.1


@settings(max_examples=examples(5))
@given(cases(max_bodies=10))
def test_constant_force_is_the_transposed_jacobian(case):
    """Check the change of the bias, in world and in body axes, at a point off the origin."""
    m, rng, body = case.mechanism, case.rng, case.mechanism.body_names[case.body()]
    f, n, point = rng.normal(size=(3, 3))
    for axes in ("world", "body"):
        force = ps.ConstantForce(body, f, n, point=point, axes=axes)
        loaded, bare = system_with(m, [force]), system_with(m, [])
        J = bare.jacobian(body, case.q, point, axes=axes, backend="interpreter")
        bias = bare.bias(case.q, case.v, backend="interpreter")
        expected = bias - J.T @ np.concatenate([f, n])
        result = loaded.bias(case.q, case.v, backend="interpreter")
        size = np.max(np.abs(bias), initial=1.0) + np.max(np.abs(expected), initial=0.0)
        assert np.max(np.abs(result - expected), initial=0.0) <= 1e-11 * size


@settings(max_examples=examples(5))
@given(cases(max_bodies=8))
def test_formula_force_is_the_function_it_writes_down(case):
    """Compare with the same function in Python as a wrench from outside."""
    m, rng, body = case.mechanism, case.rng, case.mechanism.body_names[case.body()]
    point, t = rng.normal(size=3), 0.7
    force = ps.FormulaForce(
        body,
        ("-0.5*vx*sqrt(vx**2 + vy**2) + sin(2*t)", "select(x < y, 1, -z)", "max(vz, 0)**2"),
        ("atan2(y, x)", 0, "min(t, 2)"),
        point=point,
    )

    def function(t, p, v):
        f = [
            -0.5 * v[0] * np.hypot(v[0], v[1]) + np.sin(2 * t),
            1.0 if p[0] < p[1] else -p[2],
            max(v[2], 0.0) ** 2,
        ]
        return np.array(f), np.array([np.arctan2(p[1], p[0]), 0.0, min(t, 2.0)])

    bare, loaded = system_with(m, []), system_with(m, [force])
    X = bare.pose(body, case.q, backend="interpreter")
    v = bare.velocity(body, case.q, case.v, point, axes="world", backend="interpreter")[:3]
    f, n = function(t, X[:3, :3] @ point + X[:3, 3], v)
    f, n = X[:3, :3].T @ f, X[:3, :3].T @ n
    wrench = {body: np.concatenate([f, n + np.cross(point, f)])}
    expected = bare.bias(case.q, case.v, wrenches=wrench, backend="interpreter")
    assert_agree(loaded.bias(case.q, case.v, t=t, backend="interpreter"), expected, 1e-10)


@pytest.mark.parametrize("seed", range(5))
def test_every_method_and_backend_agrees(seed):
    """Compare inverse and forward dynamics and the bias in all formulations, with time."""
    case = random_case(seed=seed, n_bodies=2 + seed % 3)
    m, q, v, t = case.mechanism, case.q, case.v, 0.8
    system = system_with(m, random_forces(case))
    bias = system.bias(q, v, t=t, backend="interpreter")
    expected = ps.System("bare", m.bodies, gravity=m.gravity).bias(q, v) - generalized(
        system.mechanism, q, v, t
    )
    size = np.max(np.abs(bias), initial=1.0)
    assert np.max(np.abs(bias - expected), initial=0.0) <= 1e-11 * size
    wrenches = {m.body_names[0]: case.rng.normal(size=6)}
    M = system.mass_matrix(q)
    for keywords in ({}, {"wrenches": wrenches}):
        tau = system.inverse_dynamics(q, v, case.a, t=t, backend="interpreter", **keywords)
        for method in FORMULATIONS:
            compiled = method == "recursive" and not keywords
            backend = "auto" if compiled else "interpreter"
            given = {"t": t, "method": method, "backend": backend, **keywords}
            accepted = 1e-11 * (size + np.max(np.abs(M) @ np.abs(case.a), initial=0.0)) * 10
            assert_allclose(system.inverse_dynamics(q, v, case.a, **given), tau, atol=accepted)
            a = system.forward_dynamics(q, v, tau, **given)
            assert np.max(np.abs(M @ (a - case.a)), initial=0.0) <= 10 * accepted
    assert not np.allclose(system.bias(q, v, t=0.0), bias)


@settings(max_examples=examples(5))
@given(cases(max_bodies=6))
def test_world_is_the_base_that_moves(case):
    """Compare with the same elements on a free body that moves as the base does."""
    m, rng = case.mechanism, case.rng
    forces = random_springs(case, damping=0.6)
    base = ps.BaseMotion(velocity=rng.normal(size=6), acceleration=rng.normal(size=6))
    system = system_with(m, forces)
    tau = system.inverse_dynamics(case.q, case.v, case.a, base=base, backend="interpreter")

    def carried(name):
        return "_base" if name == "world" else name

    bodies = [
        ps.Body(
            body.name, carried(body.parent), body.joint, body.pose, body.mass, body.com,
            body.inertia,
        )
        for body in m.bodies
    ]  # fmt: skip
    ends = [[(carried(body), point) for body, point in one.ends] for one in forces]
    moved = [
        ps.Spring(*end, one.stiffness, one.damping, one.length)
        for end, one in zip(ends, forces, strict=True)
    ]
    ridden = ps.System(
        "ridden", [ps.Body("_base", joint=ps.Free()), *bodies], gravity=m.gravity, forces=moved
    )
    expected = ridden.inverse_dynamics(
        np.concatenate([ps.Free().neutral(), case.q]),
        np.concatenate([base.velocity, case.v]),
        np.concatenate([base.acceleration, case.a]),
        backend="interpreter",
    )[6:]
    size = np.max(np.abs(expected), initial=1.0)
    assert np.max(np.abs(tau - expected), initial=0.0) <= 1e-10 * size


def test_gravity_and_mass_matrix_do_not_feel_forces():
    """Check that elements enter where they should, and nowhere else."""
    case = random_case(seed=4, n_bodies=6)
    bare = system_with(case.mechanism, [])
    loaded = system_with(case.mechanism, random_forces(case))
    for name in ("gravity_force", "mass_matrix", "centre_of_mass"):
        assert_allclose(getattr(loaded, name)(case.q), getattr(bare, name)(case.q), rtol=1e-13)
    gravity = loaded.potential_energy(case.q, "gravity")
    assert_allclose(gravity, bare.potential_energy(case.q, "gravity"), rtol=1e-13)
    stored = element_energy(loaded.mechanism, case.q)
    assert stored > 0
    assert_allclose(loaded.potential_energy(case.q) - bare.potential_energy(case.q), stored)


def test_spring_that_meets_its_own_end_is_not_a_number():
    """Check the documented singularity, and that a spring of no length has none."""
    ends = ("mass", (0, 0, 0)), ("world", (0, 0, 0))
    q, v, tau = np.zeros(1), np.ones(1), np.zeros(1)
    assert np.isnan(slider(ps.Spring(*ends, 5.0, length=0.1)).forward_dynamics(q, v, tau)).all()
    assert_allclose(slider(ps.Spring(*ends, 5.0, 4.0)).forward_dynamics(q, v, tau), [-2.0])
