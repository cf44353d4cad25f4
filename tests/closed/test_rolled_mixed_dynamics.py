"""Mixed dynamics rolled: against the straight form, the equations of motion, and differences."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import assume, given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.evaluate import derivative_kernel as derivatives
from poinsot.evaluate.algorithms import algorithms_of, rolled_form
from poinsot.evaluate.request import Derivative, Request
from poinsot.evaluate.trace import trace_rolled
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import chain, humanoid, n_four_bar, n_four_bar_state
from tests.closed.random_closed import assume_well_posed, closed_cases
from tests.closed.test_rolled import ROLLED, question, redundant, result
from tests.front.test_first_calls import spatial_ring
from tests.front.test_long_derivatives import tree
from tests.random_examples import examples

NAME = "mixed_dynamics"
STEP = 1e-5


@pytest.fixture
def rolled_only(monkeypatch):
    """Let no derivative along directions be straight."""
    monkeypatch.setattr(derivatives, "LONGEST_ROLLABLE", 0)
    monkeypatch.setenv("POINSOT_CACHE", "0")


def left_open(case):
    """Return up to three velocities, in random order, that the constraints do not determine."""
    rows, chosen = case.rows().J, []
    for k in case.rng.permutation(case.mechanism.nv).tolist():
        unit = np.eye(case.mechanism.nv)[k]
        rest = unit - np.linalg.pinv(rows, rcond=1e-8) @ (rows @ unit)
        if np.linalg.norm(rest) > 0.1 and len(chosen) < 3:
            chosen.append(k)
            rows = np.vstack([rows, unit])
    return tuple(chosen)


@settings(max_examples=examples(8))
@given(case=closed_cases(max_bodies=7, kinds=ROLLED))
def test_rolled_agrees_with_straight(case):
    """Compare on random trees with loops and constraints; what is ignored is not a number."""
    m = case.mechanism
    assume(m.nv)
    assume_well_posed(case)
    assume(np.linalg.cond(np.array(mass_matrix_along_paths(m, case.q).tolist(), float)) < 1e6)
    assume(rolled_form(m, NAME))  # none where links without mass are moved as prescribed
    joints = left_open(case)
    is_given = np.isin(np.arange(m.nv), joints)
    request, known = question(case, "forward_dynamics")
    request = replace(request, quantity=NAME, joints=joints)
    known["a"] = np.where(is_given, case.rng.uniform(-3, 3, m.nv), np.nan)
    known["tau"] = np.where(is_given, np.nan, case.tau)
    (algorithm,) = algorithms_of(m, request)
    state = (known[key] for key in ("q", "v", "a", "tau"))
    expected = algorithm.compute(m, joints, *state, case.acting())
    kernel = RolledInterpreterKernel(trace_rolled(m, request))
    (a, tau), expected = result(kernel, known).reshape(2, -1), np.array(expected.tolist(), float)
    for found, right in zip((a, tau), expected, strict=True):
        assert_allclose(found, right, rtol=0, atol=1e-7 * max(1.0, np.abs(expected).max()))
    assert_allclose(a[is_given], known["a"][is_given], rtol=0, atol=1e-8 * (1 + np.abs(a).max()))
    assert np.array_equal(tau[~is_given], case.tau[~is_given])


@pytest.mark.parametrize("make", [tree, humanoid, partial(chain, 30)])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_open_trees_obey_their_equations(make, share):
    """Forces reproduce the motion by inverse dynamics, with no, some and all motions given."""
    system, rng = make(), np.random.default_rng(3)
    q, nv = system.random(rng), system.nv
    v, a, tau = rng.normal(size=(3, nv))
    chosen = [name for name in system.joint_names if rng.random() < share]
    is_given = np.zeros(nv, bool)
    for name in chosen:
        is_given[system.v_slice(name)] = True
    body = system.body_names[-1]
    loads = {"wrenches": {body: rng.normal(size=6)}}
    given_a, given_tau = np.where(is_given, a, np.nan), np.where(is_given, np.nan, tau)
    moves, pushes = system.mixed_dynamics(
        q, v, a=given_a, tau=given_tau, joints=chosen, backend="rolled", **loads
    )
    assert np.array_equal(pushes[~is_given], tau[~is_given])
    assert_allclose(moves[is_given], a[is_given], rtol=0, atol=1e-9 * (1 + np.abs(moves).max()))
    needed = system.inverse_dynamics(q, v, moves, **loads)
    assert_allclose(pushes, needed, rtol=0, atol=1e-8 * (1 + np.abs(needed).max()))


@pytest.mark.parametrize("make", [n_four_bar, redundant])
def test_given_motions_that_repeat_each_other(make):
    """Drive two rods as the loops allow: they move as one would, and share its force."""
    n, rng = 5, np.random.default_rng(4)
    system = make(n)
    q, v = n_four_bar_state(n, angle=1.1, rate=0.7)
    a = system.forward_dynamics(q, v) + n_four_bar_state(n, angle=1.1, rate=-2.0)[1]
    tau = rng.normal(size=system.nv)
    names = ["rod 1", "rod 4"]
    one, two, straight = (
        system.mixed_dynamics(q, v, a=a, tau=tau, joints=joints, backend=backend)
        for joints, backend in ((names[:1], "rolled"), (names, "rolled"), (names, "interpreter"))
    )
    assert_allclose(two[0], one[0], rtol=0, atol=1e-9)
    assert_allclose(two, straight, rtol=0, atol=1e-8)
    places = [system.v_slice(name).start for name in names]
    assert_allclose(system.forward_dynamics(q, v, two[1]), two[0], rtol=0, atol=1e-9)
    assert np.abs(two[1][places]).min() > 1e-3  # both rods share the load


def hub(angle):
    """Return a crank at whose tip three rods are held in parallel, and a configuration.

    Each loop interacts with both others, and a rod with its own loop only.
    """
    rod, z = {"mass": 1.0, "com": (0.5, 0, 0), "inertia": (0.0, 0.1, 0.1)}, ps.Revolute("z")
    bodies, loops = [ps.Body("hub", joint=z, **rod)], []
    for k in (1, 2, 3):
        bodies += [
            ps.Body(f"rod {k}", "world", z, ps.Pose((k, 0, 0)), **rod),
            ps.Body(f"coupler {k}", f"rod {k}", z, ps.Pose((1, 0, 0)), **rod),
        ]
        loops.append(ps.Loop(f"pin {k}", ("hub", (1, 0, 0)), (f"coupler {k}", (-k, 0, 0)), z))
    return ps.System("hub", bodies, loops=loops), np.array([angle, *[angle, -angle] * 3])


def test_loops_come_before_given_motions():
    """Drive parallel rods apart: loops hold, though rods interact with less than loops do."""
    system, q = hub(0.9)
    v = 0.7 * np.sign(q)
    assert np.abs(system.constraint_residual(q)).max() < 1e-12
    assert np.abs(system.constraint_rate(q, v)).max() < 1e-12
    names = ["rod 1", "rod 2", "rod 3"]
    a, places = np.zeros(system.nv), [system.v_slice(name).start for name in names]
    a[places] = 1.0, 3.0, -2.0
    found, _ = system.mixed_dynamics(
        q, v, a=a, tau=np.zeros(system.nv), joints=names, backend="rolled"
    )
    rows = system.constraint_jacobian(q) @ found + system.constraint_bias(q, v)
    assert np.abs(rows).max() < 1e-9
    assert_allclose(found[places], np.full(3, found[places[0]]), rtol=0, atol=1e-9)
    assert np.abs(found[places] - a[places]).min() < 1e-9  # one rod is obeyed


def test_a_massless_joint_has_no_rolled_form():
    """A pivot without inertia that a gear holds is left to the straight form."""
    bodies = [
        ps.Body("pivot", joint=ps.Revolute("z")),
        ps.Body("wheel", joint=ps.Revolute("z"), mass=1.0, inertia=(0.1, 0.1, 0.2)),
    ]
    system = ps.System("geared", bodies, constraints=[ps.Gear("gear", "pivot", "wheel", 2.0)])
    assert rolled_form(system.mechanism, NAME) is None
    free = ps.System("wheel", bodies[1:])
    assert rolled_form(free.mechanism, NAME) is not None


def ring():
    """Return six hinges in space whose end is pinned."""
    return spatial_ring(6)[0]


def kernel_of(system, by, joints):
    """Return the kernel of a derivative along directions that has been called."""
    numbers = tuple(k for name in joints for k in range(system.nv)[system.v_slice(name)])
    asked = Request(NAME, joints=numbers, derivative=Derivative(by, (True,) * len(by)))
    return system._evaluation.evaluators.find(asked).kernel


ORDERS = [("q",), ("v",), ("a",), ("tau",), ("q", "v"), ("q", "q")]


@pytest.mark.parametrize(
    ("make", "by"), [*((ring, by) for by in ORDERS), *((tree, by) for by in [*ORDERS, ("m",)])]
)
def test_rolled_tangents(make, by, rolled_only):
    """Compare derivatives of a ring and of an open tree with the straight programs."""
    system, rng = make(), np.random.default_rng(6)
    q = system.integrate(system.neutral(), 0.4 * rng.normal(size=system.nv))
    v, a, tau = rng.normal(size=(3, system.nv))
    joints = [system.joint_names[k] for k in (1, 4)]
    along = tuple(np.ones(1) if name == "m" else rng.normal(size=system.nv) for name in by)
    how = {"by": by, "along": along, "joints": joints}
    how |= {"parameters": {"m": 1.7}} if make is tree else {}
    found = system.derivative(NAME, q, v, a, tau, **how)
    assert isinstance(kernel_of(system, by, joints), RolledKernel)
    straight = system.derivative(NAME, q, v, a, tau, backend="interpreter", **how)
    assert np.abs(straight).max() > 0
    assert_allclose(found, straight, rtol=0, atol=1e-9 * max(np.abs(straight).max(), 1.0))


def parallelograms():
    """Return ten parallelograms, a state of theirs and the joint that is driven."""
    return n_four_bar(10), *n_four_bar_state(10, angle=1.1, rate=0.7), ["rod 0"]


def long_chain():
    """Return a chain of 30 joints, a state of it and the joints that are driven."""
    system, rng = chain(30), np.random.default_rng(1)
    names = system.joint_names
    return system, 0.3 * rng.normal(size=30), rng.normal(size=30), [names[3], names[12], names[25]]


@pytest.mark.parametrize("make", [parallelograms, long_chain])
def test_derivatives_of_large_systems(make):
    """Compare dense derivatives, rolled without being asked, with differences."""
    system, q, v, joints = make()
    rng = np.random.default_rng(2)
    a, tau, u = rng.normal(size=(3, system.nv))
    if system.loops:  # a motion that the loops allow: on their positions rows are redundant
        u = v
    found = system.derivative(NAME, q, v, a, tau, by="q", joints=joints)
    assert isinstance(kernel_of(system, ("q",), joints), RolledKernel)
    both = [
        np.stack(system.mixed_dynamics(system.integrate(q, s * u), v, a=a, tau=tau, joints=joints))
        for s in (-STEP, STEP)
    ]
    difference = (both[1] - both[0]) / (2 * STEP)
    assert_allclose(found @ u, difference, rtol=0, atol=1e-6 * np.abs(difference).max())
