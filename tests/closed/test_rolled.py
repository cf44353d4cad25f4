"""Rolled forms of closed systems against the straight ones, and against one degree of freedom."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

import poinsot as ps
from poinsot.errors import PoinsotError
from poinsot.evaluate.algorithms import algorithms_of
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import trace, trace_best, trace_rolled
from poinsot.expr import Program, Rolled
from poinsot.formulations.constrained import rolled_multipliers
from poinsot.formulations.recursive import inverse
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.kernels.interpreter import InterpreterKernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import four_bar, four_bar_configuration, n_four_bar, n_four_bar_state
from poinsot.model import LoadInputs
from poinsot.model.changed import changed
from tests.closed.random_closed import (
    CLOSURES,
    LOOPS,
    assume_well_posed,
    closed_cases,
    random_closed,
)
from tests.random_examples import examples

NAMES = sorted(
    name
    for name, one in QUANTITIES.items()
    if one.rolled_closed is not None and one.rolled_closed is not one.rolled
)
ROLLED = tuple(kind for kind in CLOSURES if kind != "holonomic")
LOADED = (
    "forward_dynamics", "bias", "driven_dynamics", "multipliers", "motion_multipliers", "reactions"
)  # fmt: skip
TOLERANCE = 1e-9
G = 9.81


def plain_request(mechanism, name, **options):
    """Return the request for a quantity without loads, of all joints where it has some."""
    joints = tuple(range(mechanism.nv)) if "joints" in QUANTITIES[name].options else ()
    return replace(Request(name, joints=joints), **options)


def question(case, name):
    """Return the request for a quantity, and the numbers of all inputs by name."""
    drives = sorted(case.drives.items())
    load_inputs = LoadInputs(True, (0,), tuple((k, len(tau)) for k, (_, tau) in drives))
    environment = case.environment()
    known = {
        "q": case.q,
        "v": case.v,
        "tau": case.tau,
        "base": np.concatenate(
            [environment.gravity, environment.velocity, environment.acceleration]
        ),
        "wrenches": environment.wrenches[0],
        "drives": np.concatenate([np.zeros(0), *(tau for _, (_, tau) in drives)]),
        "t": np.array([case.t]),
    }
    known["a"] = np.random.default_rng(7).uniform(-3, 3, case.mechanism.nv)
    loads = load_inputs if name in LOADED else LoadInputs()
    return plain_request(case.mechanism, name, loads=loads), known


def result(kernel, known):
    """Return what a kernel makes of one state."""
    y = np.empty((1, kernel.signature.outputs[0].size))
    kernel.run([known[port.name][None] for port in kernel.signature.inputs], [y])
    return y[0]


def assert_same(case, name, x, y):
    """Assert agreement; of accelerations in the metric of M, beside those without constraints."""
    scale, accepted, missed = max(1.0, np.abs(y).max()), TOLERANCE, 0.0
    if name == "forward_dynamics":
        M = np.array(mass_matrix_along_paths(case.mechanism, case.q).tolist(), float)
        L, known = np.linalg.cholesky(M), case.rows()
        missed = np.abs(known.J @ y + known.gamma).max(initial=0.0)
        rows = np.linalg.solve(L, known.J.T)
        values = np.linalg.svd(rows / np.maximum(np.linalg.norm(rows, axis=0), 1e-9))[1]
        # Elimination squares what nearly dependent rows cost, and M has its own condition.
        accepted += 50 * np.finfo(float).eps / min([1.0, *values[values > 1e-8]]) ** 2
        accepted += 50 * np.finfo(float).eps * np.linalg.cond(M)
        force = case.tau - inverse.bias(case.mechanism, case.q, case.v, case.acting())
        x, y = L.T @ x, L.T @ y
        scale = max(np.abs(y).max(), np.abs(np.linalg.solve(L, force)).max())
    # Constraints that contradict each other by a little: which of them hold is a matter of order.
    assert missed <= 1e-6 * scale
    assert np.abs(x - y).max() <= accepted * scale + 100 * missed


def compare(case, name, kernel=RolledInterpreterKernel, joints=None):
    """Assert that a quantity is the same rolled as the formulation gives on floats."""
    request, known = question(case, name)
    if joints is not None:
        request = replace(request, joints=joints)
    rolled = kernel(trace_rolled(case.mechanism, request))
    (algorithm,) = algorithms_of(case.mechanism, request)
    state = (known[key] for key in QUANTITIES[name].inputs)
    expected = algorithm.compute(
        case.mechanism,
        *request.options,
        *state,
        case.acting(load_inputs=request.loads != LoadInputs()),
    )
    found, expected = result(rolled, known), np.array(expected.tolist(), float).ravel()
    if name == "projected_state":  # the last number is how clear rows are in an order of their own
        found, expected = found[:-1], expected[:-1]
    assert_same(case, name, found, expected)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=examples(5))
@given(case=closed_cases(max_bodies=7, kinds=ROLLED))
@example(case=random_closed(1, 5, 1, kinds=ROLLED))  # no row but of rounding
def test_rolled_agrees_with_straight(name, case):
    """Compare on random trees with random loops and constraints, everything acting on them."""
    assume(case.mechanism.nv)
    assume_well_posed(case)
    compare(case, name)


@settings(max_examples=examples(5))
@given(case=closed_cases(max_bodies=7, kinds=(*LOOPS, "curve")))
def test_energy_and_bias_with_springs_in_loops(case):
    """Compare the potential energy and the bias, springs and dampers of loops among them."""
    assume(case.mechanism.nv)
    for name in ("potential_energy", "bias"):
        request, known = question(case, name)
        straight = InterpreterKernel(trace(case.mechanism, request))
        rolled = RolledInterpreterKernel(trace_rolled(case.mechanism, request))
        expected = result(straight, known)
        size = np.abs(expected).max() + 1.0
        assert_allclose(result(rolled, known), expected, rtol=0, atol=1e-11 * size)


@pytest.mark.parametrize("kind", ROLLED)
def test_every_kind_as_machine_code(kind):
    """Compare compiled, each kind of constraint among others."""
    case = random_closed(3, 4, 2, kinds=LOOPS, first=kind)
    compare(case, "forward_dynamics", RolledKernel)


@settings(max_examples=examples(4))
@given(case=closed_cases(max_bodies=16, max_closures=8, kinds=ROLLED))
def test_many_loops_that_interact(case):
    """Compare where elimination makes new blocks."""
    assume(case.mechanism.nv)
    assume_well_posed(case)
    compare(case, "forward_dynamics")


@pytest.mark.parametrize("axes", ["body", "joint", "world"])
@settings(max_examples=examples(5))
@given(case=closed_cases(max_bodies=7))
def test_reactions_agree_with_straight(axes, case):
    """Compare wrenches of any multipliers, of them alone and with everything that acts."""
    assume(case.mechanism.nv)
    lam = case.rng.uniform(-3, 3, len(case.mechanism.row_names))
    for name in ("reactions", "multiplier_reactions"):
        request, known = question(case, name)
        request, known["lam"] = replace(request, axes=axes), lam
        rolled = RolledInterpreterKernel(trace_rolled(case.mechanism, request))
        (algorithm,) = algorithms_of(case.mechanism, request)
        expected = algorithm.compute(
            case.mechanism, axes, *(known[key] for key in QUANTITIES[name].inputs), case.acting()
        )
        expected = np.array(expected.tolist(), float).ravel()
        size = 1.0 + np.abs(expected).max()
        assert_allclose(result(rolled, known), expected, rtol=0, atol=1e-12 * size)


@settings(max_examples=examples(6))
@given(case=closed_cases(max_bodies=7, kinds=ROLLED))
def test_some_joints_drive(case):
    """Compare inverse dynamics where half of the velocities, or none, are actuated."""
    nv = case.mechanism.nv
    assume(nv)
    assume_well_posed(case)
    half = tuple(sorted(case.rng.choice(nv, nv // 2, replace=False).tolist()))
    for joints in (half, ()):
        compare(case, "driven_dynamics", joints=joints)


def redundant(n):
    """Return n parallelograms, each pin twice: all rows redundant, and none determined."""
    system = n_four_bar(n)
    twice = [changed(loop, name=f"{loop.name} again") for loop in system.loops]
    return ps.System("twice", system.mechanism.bodies, gravity=system.mechanism.gravity,
                     loops=[*system.loops, *twice])  # fmt: skip


@pytest.mark.parametrize("angle", [1.1, 0.03, 0.0, 1e-12])
@pytest.mark.parametrize("make", [n_four_bar, redundant])
def test_least_norms_by_numpy(make, angle):
    """Multipliers and forces against dense least squares, at a singular position too.

    Where all rods lie along x, n + 1 motions are possible in place of one.
    """
    n, rng = 5, np.random.default_rng(4)
    system = make(n)
    q, v = n_four_bar_state(n, angle=angle, rate=0.0)
    a, tau = rng.normal(size=(2, system.nv))
    J = system.constraint_jacobian(q, backend="rolled")
    assert_allclose(J, system.constraint_jacobian(q, backend="interpreter"), atol=1e-15)
    M, bias = system.mass_matrix(q), system.bias(q, v)
    L = np.linalg.cholesky(M)
    rows = np.linalg.solve(L, J.T).T
    w = np.linalg.solve(L, tau - bias)
    push = -np.linalg.pinv(rows, rcond=1e-7) @ (rows @ w)
    lam = np.linalg.pinv(rows.T, rcond=1e-7) @ push
    found = system.multipliers(q, v, tau, backend="rolled")
    assert_allclose(found.values, lam, rtol=0, atol=1e-8)
    null = np.eye(len(J)) - J @ np.linalg.pinv(J, rcond=1e-7)
    assert np.array_equal(found.determined, np.abs(np.diag(null)) < 1e-9)
    needed = M @ a + bias
    allowed = np.eye(system.nv) - np.linalg.pinv(J, rcond=1e-7) @ J
    forces = system.inverse_dynamics(q, v, a, backend="rolled")
    assert_allclose(forces, allowed @ needed, rtol=0, atol=1e-8)
    joints = system.mechanism.joint_names[:3]
    forces = system.inverse_dynamics(q, v, a, joints=joints, backend="rolled")
    expected = np.linalg.pinv(allowed[:, :3], rcond=1e-7) @ (allowed @ needed)
    assert_allclose(forces, [*expected, *np.zeros(system.nv - 3)], rtol=0, atol=1e-8)


def test_redundant_rows_off_the_constraints():
    """States a millimetre off the constraints: rows that agree only on them count once."""
    n, rng = 4, np.random.default_rng(2)
    system = redundant(n)
    q, v = n_four_bar_state(n, angle=0.9)
    for away in (1e-3, 1e-6, 0.0):
        moved = q + away * rng.standard_normal(len(q))
        rolled, straight = (
            system.multipliers(moved, v, backend=backend) for backend in ("rolled", "interpreter")
        )
        assert np.array_equal(rolled.determined, straight.determined)
        assert_allclose(rolled.values, straight.values, rtol=0, atol=1e-7)


def test_a_batch_of_least_norms():
    """Lanes give what single states give, into an array that is there."""
    n = 12
    system = n_four_bar(n)
    states = [n_four_bar_state(n, angle=x, rate=1 + x) for x in np.linspace(0.4, 2.0, 11)]
    q, v = (np.stack(x) for x in zip(*states, strict=True))
    out = np.empty_like(v)
    system.inverse_dynamics(q, v, v, out=out, backend="rolled")
    found = system.multipliers(q, v, backend="rolled")
    for k, state in enumerate(states):
        alone = system.inverse_dynamics(*state, state[1], backend="rolled")
        assert_allclose(out[k], alone, rtol=0, atol=1e-11)
        expected = system.multipliers(*state, backend="rolled").values
        assert_allclose(found.values[k], expected, rtol=0, atol=1e-11)


def as_one_pendulum(n, angle):
    """Return the angular acceleration of n parallelograms, which move as one body would.

    n + 1 rods turn about an end and n couplers move on circles:
    ((n + 1) / 3 + n) m l² angle'' = -((n + 1) / 2 + n) m g l cos(angle)
    """
    return -G * ((n + 1) / 2 + n) / ((n + 1) / 3 + n) * np.cos(angle)


@pytest.mark.parametrize("n", [12, 40, 250])
def test_parallelograms_move_as_one(n):
    """Accelerations of many loops, each of them redundant, by the equation of one pendulum."""
    system = n_four_bar(n)
    for angle, rate in ((0.5 * np.pi, -1.0), (0.7, 2.0)):
        q, v = n_four_bar_state(n, angle=angle, rate=rate)
        expected = n_four_bar_state(n, angle=angle, rate=as_one_pendulum(n, angle))[1]
        assert_allclose(system.forward_dynamics(q, v), expected, rtol=0, atol=1e-14 * n)


def test_a_batch_of_many_loops():
    """Lanes give what single states give."""
    system = n_four_bar(40)
    states = [n_four_bar_state(40, angle=x, rate=1 + x) for x in np.linspace(0.4, 2.0, 11)]
    q, v = (np.stack(x) for x in zip(*states, strict=True))
    one_by_one = np.stack([system.forward_dynamics(*state) for state in states])
    assert_allclose(system.forward_dynamics(q, v), one_by_one, rtol=0, atol=1e-11)


def test_many_loops_rolled_and_straight():
    """Forces on every joint, and states off the constraints."""
    n = 12
    mechanism, rng = n_four_bar(n).mechanism, np.random.default_rng(1)
    q, v = n_four_bar_state(n, angle=1.1, rate=0.7)
    known = {"q": q, "v": v, "a": rng.normal(size=len(v)), "tau": rng.uniform(-5, 5, len(v))}
    for name in NAMES:
        request = plain_request(mechanism, name)
        straight = InterpreterKernel(trace(mechanism, request))
        rolled = RolledInterpreterKernel(trace_rolled(mechanism, request))
        assert_allclose(result(rolled, known), result(straight, known), rtol=0, atol=1e-10)
        known["q"] = q + 1e-3 * rng.standard_normal(len(q))


def test_well_conditioned_rows_come_first():
    """Parallelograms in line, whose rods are geared: the rows of gears determine what pins do not.

    By pins alone states that are 1e-6 m off the constraints would move by up to 1 rad.
    """
    n, rng = 4, np.random.default_rng(3)
    plain = n_four_bar(n)
    gears = [ps.Gear(f"gear {k}", "rod 0", f"rod {k}", 1.0) for k in range(1, n + 1)]
    system = ps.System("geared", plain.bodies, loops=plain.loops, constraints=gears)
    request, nv = Request("projected_state"), system.nv
    angles = np.repeat([1e-5, 1e-3, 3e-3, 1e-2, 0.5], 5)  # lanes have some of each
    states = np.array([n_four_bar_state(n, angle=angle) for angle in angles])
    states += np.tile([[[0.0]], *[[[1e-6]]] * 4], (5, 1, 1)) * rng.standard_normal(states.shape)
    inputs = list(states.swapaxes(0, 1).copy())
    expected, *others = (np.empty((len(states), 2 * nv + 1)) for _ in range(4))
    InterpreterKernel(trace(system.mechanism, request)).run(inputs, [expected])
    rolled = trace_rolled(system.mechanism, request)
    machine = RolledKernel(rolled)
    RolledInterpreterKernel(rolled).run(inputs, [others[0]])
    machine.run(inputs, [others[1]])
    for k in range(len(states)):
        machine.run([x[k : k + 1] for x in inputs], [others[2][k : k + 1]])
    for found in others:
        assert_allclose(found[:, :-1], expected[:, :-1], rtol=0, atol=1e-12)
        near = angles < 1e-2
        assert_allclose(found[near, -1], expected[near, -1], rtol=1e-9)


def test_cost_grows_with_the_number_of_loops():
    """Operations, items and state for each loop stay the same, and so does the code."""
    few, many = (
        trace_rolled(n_four_bar(n).mechanism, Request("forward_dynamics")) for n in (40, 200)
    )
    assert few.codes == many.codes
    for size in ("n_operations", "n_state"):
        assert getattr(many, size) / 200 <= 1.01 * getattr(few, size) / 40
    assert len(many.items) / 200 <= 1.01 * len(few.items) / 40


def test_large_systems_are_rolled_by_themselves():
    """Small ones stay straight."""
    for name in NAMES:
        for n, kind in ((60, Rolled), (3, Program)):
            mechanism = n_four_bar(n).mechanism
            assert isinstance(trace_best(mechanism, plain_request(mechanism, name)), kind)


def test_simulation_of_forty_loops():
    """One second: residuals at every stored state, and the pendulum that they are together."""
    n = 40
    system = n_four_bar(n)
    q, v = n_four_bar_state(n)
    run = ps.simulate(system, q, v, 1.0)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-10
    assert np.abs(system.constraint_rate(run.q, run.v)).max() < 1e-9
    motion = solve_ivp(
        lambda _, y: [y[1], as_one_pendulum(n, y[0])], (0, 1), [q[0], v[0]], "DOP853",
        rtol=1e-12, atol=1e-12,
    )  # fmt: skip
    assert_allclose(run.q[-1, ::2], motion.y[0, -1], rtol=0, atol=1e-7)


def test_loops_far_away():
    """A four-bar on a base that flies 1e6 m away closes to rounding of its own size."""
    mechanism = four_bar().mechanism
    ship = ps.Body("ship", joint=ps.Free(), mass=1.0, inertia=(1.0, 1.0, 1.0))
    rods = [changed(mechanism.bodies[0], parent="ship"), *mechanism.bodies[1:]]
    (pin,) = mechanism.loops
    aboard = changed(pin, first=("ship", pin.first[1]))
    system = ps.System("aboard", [ship, *rods], loops=[aboard])
    q = np.concatenate([1e6 * np.ones(3), [0.5, 0.5, -0.5, 0.5], four_bar_configuration(0.8)])
    assert np.abs(system.constraint_residual(q, backend="rolled")).max() < 1e-15


def test_what_cannot_be_rolled():
    """Constraints on all coordinates stay straight, and say so if asked to be rolled."""
    system = n_four_bar(3)
    q, v = n_four_bar_state(3)
    held = ps.Holonomic("held", lambda q, t: q[0] - q[2])
    with_one = ps.System(
        "held", system.mechanism.bodies, gravity=system.mechanism.gravity,
        loops=system.loops, constraints=[held],
    )  # fmt: skip
    assert_allclose(with_one.forward_dynamics(q, v), system.forward_dynamics(q, v), atol=1e-12)
    with pytest.raises(PoinsotError, match="'held': this quantity with loops"):
        with_one.forward_dynamics(q, v, backend="rolled")


def test_light_links_are_rolled_only_if_the_tree_can_move():
    """A link without mass that a loop holds has no acceleration without the loop."""
    free = ps.Body("tip", "rod 3", ps.Revolute("z"), ps.Pose((1, 0, 0)))
    system = n_four_bar(3)
    pin = ps.Loop("last pin", ("tip", (1, 0, 0)), ("world", (4, 1, 0)), ps.Revolute("z"))
    light = ps.System(
        "light", [*system.mechanism.bodies, free], gravity=system.mechanism.gravity,
        loops=[*system.loops, pin],
    )  # fmt: skip
    with pytest.raises(PoinsotError, match="'light': this quantity with loops"):
        light.forward_dynamics(*(np.zeros(8),) * 2, backend="rolled")


def test_constraints_that_all_interact(monkeypatch):
    """Too many pairs are refused, with what to do about it."""
    monkeypatch.setattr(rolled_multipliers, "MOST_UPDATES", 10)
    with pytest.raises(PoinsotError, match=r"'20 four-bars': its 20 loops and constraints .* 19 "):
        trace_rolled(n_four_bar(20).mechanism, Request("forward_dynamics"))
