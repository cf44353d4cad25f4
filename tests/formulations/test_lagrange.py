"""The named partial derivatives of Lagrange's equations against derivatives of the velocities."""

import numpy as np
from hypothesis import given, settings

from poinsot.expr import build, fresh_symbols, jacobian, tangent
from poinsot.formulations import lagrange, screw_matrix
from poinsot.formulations.kinematics import velocity
from poinsot.formulations.lagrange.derivatives import derivatives, rotations, steps
from poinsot.library import five_body_tree
from poinsot.model import Environment
from tests.expr.graphs import run
from tests.formulations.surrounded import random_surroundings, still
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import KINDS, cases, random_case

COORDINATES = tuple(kind for kind in KINDS if kind not in ("spherical", "free"))
"""Joints whose v are rates of coordinates."""


@settings(max_examples=examples(5))
@given(cases(8))
def test_velocities(case):
    """Check ω and v of mass centres against the kinematics, with every joint."""
    m, q, v, i = case.mechanism, case.q, case.v, case.body()
    com = np.array(m.bodies[i].com)
    of = derivatives(m, steps(m, q), v, still(case))[i]
    expected = velocity(m, i, "body", q, v, com)
    assert_agree(np.vstack([of.motion.v, of.motion.w])[:, 0], expected)


@settings(max_examples=examples(5))
@given(cases(6, kinds=COORDINATES))
def test_partial_derivatives(case):
    """Check all derivatives by speeds, coordinates and time against those of the expressions."""
    m, i, environment = case.mechanism, case.body(), random_surroundings(case)
    q, v, t = fresh_symbols("q", m.nq), fresh_symbols("v", m.nv), fresh_symbols("t", 12)
    moving = Environment(environment.gravity, t[:6], t[6:])
    motion = derivatives(m, steps(m, q), v, moving)[i].motion
    y = np.concatenate([motion.w[:, 0], motion.v[:, 0]])
    by_v = jacobian(y, v)
    expected = {
        "by_speeds": by_v,
        "by_coordinates": jacobian(y, q),
        "by_time": tangent(y, t[:6], t[6:]),
        "mixed": jacobian(by_v.ravel(), q).reshape(6, m.nv, m.nv),
    }
    numbers = (case.q, case.v, np.concatenate([environment.velocity, environment.acceleration]))
    exact = {}
    for name, value in expected.items():
        found = run(build({"q": q, "v": v, "t": t}, {"y": value}), *numbers)
        exact[name] = found.reshape(np.shape(value))
    found = derivatives(m, steps(m, case.q), case.v, environment)[i]
    own = found.speeds
    assert_agree(_stacked(found.by_time)[:, 0], exact["by_time"])
    assert_agree(_stacked(found.by_speeds), exact["by_speeds"][:, own])
    assert_agree(_stacked(found.by_coordinates), exact["by_coordinates"][:, own])
    mixed = np.zeros((6, len(own), len(own)))
    for k, pair in enumerate(found.mixed):
        mixed[:, : pair.w.shape[1], k] = _stacked(pair)
    assert_agree(mixed, exact["mixed"][:, own][:, :, own])


def test_rotations():
    """Check that A_j turns vectors of the base into the body's axes."""
    case = random_case(3, 6)
    m = case.mechanism
    A = rotations(m, steps(m, case.q))
    for j in m.order:
        body = m.bodies[j]
        local = body.pose.transform() @ body.joint.transform(case.q[m.q_slices[j]])
        inner = np.eye(3) if m.parents[j] < 0 else A[m.parents[j]]
        assert_agree(A[j], local.R.T @ inner)
        assert_agree(A[j] @ A[j].T, np.eye(3))


def test_the_check_of_the_paper():
    """Compare Lagrange with the screw matrices on the five-body tree, as the paper does."""
    m, rng = five_body_tree().mechanism, np.random.default_rng(0)
    environment = Environment.of(m)
    for q, v, a in rng.uniform(-3.0, 3.0, (20, 3, m.nv)):
        assert_agree(lagrange.mass_matrix(m, q), screw_matrix.mass_matrix(m, q))
        assert_agree(lagrange.bias(m, q, v, environment), screw_matrix.bias(m, q, v, environment))
        found = lagrange.forward_dynamics(m, q, v, a, environment)
        assert_agree(found, screw_matrix.forward_dynamics(m, q, v, a, environment))


def _stacked(pair):
    return np.vstack([pair.w, pair.v])
