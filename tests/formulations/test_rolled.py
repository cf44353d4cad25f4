"""Rolled sweeps against the formulations on floats, on random trees, for every quantity."""

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot import Free
from poinsot.evaluate.evaluator import Evaluator
from poinsot.evaluate.registry import QUANTITIES
from poinsot.evaluate.request import Request
from poinsot.evaluate.trace import ROLLED_ABOVE, takes_loads, trace_best, trace_rolled
from poinsot.expr import Program, Rolled
from poinsot.kernels.rolled_interpreter import RolledInterpreterKernel
from poinsot.library import chain
from poinsot.model import Environment
from tests.oracles.agreement import assert_accelerations_agree
from tests.random_examples import examples
from tests.strategies import KINDS, cases, random_case, summed_mass_matrix

OF_TREES = {name: one for name, one in QUANTITIES.items() if one.rolled and one.algorithms}
"""Quantities that every mechanism has."""
TOLERANCE = 1e-12


def question(case, name):
    """Return the request for a quantity and its inputs."""
    body, point = case.body(), case.point()
    asked = {"body": body} if OF_TREES[name].of_body else {}
    asked |= {"axes": "world"} if "axes" in OF_TREES[name].options else {}
    values = {"q": case.q, "v": case.v, "a": case.a, "tau": case.tau, "point": point}
    values |= {"gravity": 9.0 * case.point(), "lam": np.zeros(0)}
    return Request(name, **asked), tuple(values[key] for key in OF_TREES[name].inputs)


def assert_same(case, name, x, y):
    """Assert agreement to 1e-12, for accelerations relative to the forces they stand for."""
    if name == "forward_dynamics":
        system = ps.System("tree", case.mechanism.bodies, gravity=case.mechanism.gravity)
        M = system.mass_matrix(case.q, backend="floats")
        bias = system.bias(case.q, case.v, backend="floats")
        assert_accelerations_agree(x, y, M, case.tau - bias)
    elif name == "forward_dynamics_derivatives":  # relative to the forces they stand for
        M, shape = summed_mass_matrix(case.mechanism, case.q), (3, *2 * (case.mechanism.nv,))
        forces = np.abs(M) @ np.abs(y.reshape(shape))
        assert np.max(np.abs(M @ (x - y).reshape(shape))) <= 1e-10 * np.max(forces)
    else:
        scale = np.max(np.abs(y), initial=0.0)
        assert np.max(np.abs(x - y), initial=0.0) <= TOLERANCE * max(scale, 1e-12)


def test_all_quantities_of_trees_have_a_rolled_form():
    """Check which quantities have none: a new one that has none is seen here."""
    of_trees = {
        name
        for name, one in QUANTITIES.items()
        if one.algorithms and not (one.rolled or one.rolled_closed)
    }
    loops = {"closure_position", "closure_velocity", "closure_acceleration"}
    # Of many joints section loads run on floats, second derivatives along unit vectors; how near
    # constraints are to a change of rank concerns none.
    others = {"inverse_dynamics_second_derivatives", "section_load"}
    assert of_trees == loops | others | {"constraint_margin"}
    with pytest.raises(ps.PoinsotError, match=r"closure_position: .*no rolled form"):
        trace_rolled(chain(3).mechanism, Request("closure_position"))


@pytest.mark.parametrize("name", sorted(OF_TREES))
@settings(max_examples=examples(5))
@given(case=cases(max_bodies=14))
def test_rolled_interpreter_agrees_with_floats(name, case):
    """Work off the items in NumPy and compare with the formulation itself."""
    if case.mechanism.nv == 0 or (name == "centre_of_mass" and not _has_mass(case)):
        return
    request, inputs = question(case, name)
    rolled = trace_rolled(case.mechanism, request)
    y = np.empty((1, rolled.outputs[0].size))
    RolledInterpreterKernel(rolled).run([x[None] for x in inputs], [y])
    algorithm = OF_TREES[name].algorithms[-1]
    takes = takes_loads(case.mechanism, request)
    loads = (Environment.of(case.mechanism),) if takes else ()
    expected = algorithm.compute(case.mechanism, *request.options, *inputs, *loads)
    expected = np.asarray(expected, float).ravel()
    assert_same(case, name, y[0], expected)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["forward_dynamics", "inverse_dynamics", "jacobian_rate"])
def test_joints_of_one_kind_share_their_code(kind, name):
    """Check chains whose joints differ in their numbers, traced once for all of them."""
    case = random_case(5, 8, kinds=(kind,), root=Free())
    request, inputs = question(case, name)
    rolled = trace_rolled(case.mechanism, request)
    y = np.empty((1, rolled.outputs[0].size))
    RolledInterpreterKernel(rolled).run([x[None] for x in inputs], [y])
    straight = Evaluator(case.mechanism, request, "interpreter")
    assert_same(case, name, y[0], np.ravel(straight(inputs)))


def test_number_of_codes_does_not_grow_with_the_axes():
    """Check that 40 universal joints with axes of their own need no more codes than two."""
    rng = np.random.default_rng(1)

    def codes(n):
        bodies = [
            ps.Body(f"{i}", f"{i - 1}" if i else "world", ps.Universal(*rng.normal(size=(2, 3))),
                    ps.Pose(rng.normal(size=3)), 1.0, (0.1, 0.2, 0.3), (1.0, 1.0, 1.0))
            for i in range(n)
        ]  # fmt: skip
        mechanism = ps.System("snake", bodies).mechanism
        rolled = [
            trace_rolled(mechanism, Request(name)) for name in ("forward_dynamics", "momentum")
        ]
        return [len(part.codes) for part in rolled]

    assert codes(40) == codes(3)


def _has_mass(case):
    return sum(body.mass for body in case.mechanism.bodies) > 0


@pytest.mark.parametrize(
    "name", ["inverse_dynamics", "forward_dynamics", "mass_matrix", "jacobian_rate"]
)
@settings(max_examples=examples(5))
@given(case=cases(max_bodies=10))
def test_rolled_machine_code_agrees_with_the_interpreter(name, case):
    """Compare a single state and a batch of rolled machine code with the straight interpreter."""
    if case.mechanism.nv == 0:
        return
    request, inputs = question(case, name)
    rolled = Evaluator(case.mechanism, request, "rolled")
    straight = Evaluator(case.mechanism, request, "interpreter")
    expected = straight(inputs)
    assert_same(case, name, rolled(inputs), expected)
    batch = tuple(np.repeat(x[None], 11, axis=0) for x in inputs)
    for y in rolled(batch):
        assert_same(case, name, y, expected)


def test_large_systems_are_rolled_and_small_ones_are_not():
    """Check what "auto" takes on both sides of the border."""
    assert isinstance(trace_best(chain(7).mechanism, Request("forward_dynamics")), Program)
    large = trace_best(chain(100).mechanism, Request("forward_dynamics"))
    assert isinstance(large, Rolled)
    assert large.n_operations > ROLLED_ABOVE
    assert len(large.codes) < 12
    # nothing to compute for hinges, but many numbers to copy
    assert isinstance(trace_best(chain(4000).mechanism, Request("position_rate")), Rolled)
    assert isinstance(trace_best(chain(30).mechanism, Request("position_rate")), Program)


def test_chain_of_a_thousand_solves_itself():
    """Check forward after inverse dynamics on 1 000 joints, and M a = tau - bias."""
    system = chain(1000)
    rng = np.random.default_rng(0)
    q, v, a = rng.normal(size=(3, system.nv))
    tau = system.inverse_dynamics(q, v, a)
    force = tau - system.bias(q, v)
    scale = np.max(np.abs(force))
    assert np.max(np.abs(system.mass_matrix(q) @ a - force)) <= 1e-11 * scale
    back = system.inverse_dynamics(q, v, system.forward_dynamics(q, v, tau))
    assert np.max(np.abs(back - tau)) <= 1e-9 * np.max(np.abs(tau))


def test_chain_of_ten_thousand_runs():
    """Check a batch and a single state of 10 000 joints against each other."""
    system = chain(10_000)
    q = 0.01 * np.random.default_rng(0).normal(size=(2, system.nv))
    a = system.forward_dynamics(q, 0 * q)
    assert np.isfinite(a).all()
    np.testing.assert_array_equal(a[1], system.forward_dynamics(q[1], 0 * q[1]))
