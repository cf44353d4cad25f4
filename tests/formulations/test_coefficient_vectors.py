"""Zaremba's closed forms against derivatives of the graph, on random trees, to order three."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.cases.runner import outcome_of
from tests.front.test_every_derivative import WEIGHTS
from tests.random_examples import examples
from tests.strategies import cases, random_case

DATA = Path(__file__).parents[1] / "data" / "planar_manipulator.json"
SLOW = {"backend": "interpreter"}


def system_of(case):
    return ps.System.from_mechanism(case.mechanism).without_passive()


@pytest.mark.parametrize(
    "id", ["P13", "P14", "P15", "P17", "P18", "P19", "P20", "P21", "P22", "P23"]
)
def test_acceptance_cases(id):
    """Run the cases of the paper: from coefficient vectors to sections and control."""
    listed = json.loads(DATA.read_text(encoding="utf-8"))["cases"]
    outcome, text = outcome_of(next(case for case in listed if case["id"] == id))
    assert outcome == "PASS", text


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=5, passive=False))
def test_first_derivatives_are_those_of_the_graph(case):
    """Compare l, the mass matrix and gravity with the derivatives of expressions."""
    system = system_of(case)
    if not system.nv:
        return
    vectors, n = system.coefficient_vectors(case.q), system.nv
    A = vectors.mass_matrix()
    armature = system.mass_matrix(case.q, **SLOW) - A
    assert_allclose(armature, np.diag(np.diag(armature)), atol=1e-9 * (1 + np.abs(A).max()))
    by_graph = system.derivative("mass_matrix", case.q, by="q", **SLOW)
    by_product = np.array(
        [[[vectors.a(i, j, [s]) for s in range(n)] for j in range(n)] for i in range(n)]
    )
    assert_allclose(by_product, by_graph, atol=1e-10 * (1 + np.abs(by_graph).max()))
    gravity = system.derivative("gravity_force", case.q, by="q", **SLOW)
    forces = np.array([[vectors.a(i, -1, [s]) for s in range(n)] for i in range(n)])
    assert_allclose(-forces, gravity, atol=1e-10 * (1 + np.abs(gravity).max()))
    body = case.body()
    name = system.body_names[body]
    jacobian = system.derivative("jacobian", case.q, np.zeros(3), by="q", body=name, **SLOW)
    columns = np.array([[vectors.l(body, i, [s]) for s in range(n)] for i in range(n)])
    assert_allclose(
        np.moveaxis(columns, -1, 0), jacobian, atol=1e-10 * (1 + np.abs(jacobian).max())
    )


def test_higher_orders_are_those_of_the_graph():
    """Compare second and third derivatives with those of expressions, quaternions among them."""
    case = random_case(2, 2, kinds=("spherical", "revolute"), passive=False)
    system = system_of(case)
    vectors, n = system.coefficient_vectors(case.q), system.nv
    for order in (2, 3):
        by_graph = system.derivative("mass_matrix", case.q, by=("q",) * order)
        size = 1 + np.abs(by_graph).max()
        for by in list(product(range(n), repeat=order))[:: 1 if order == 2 else 7]:
            found = np.array([[vectors.a(i, j, by) for j in range(n)] for i in range(n)])
            assert_allclose(found, by_graph[(..., *by)], atol=1e-10 * size)


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=6, passive=False))
def test_the_coriolis_matrix_is_skew_with_the_rate_of_the_mass_matrix(case):
    """Check dM/dt - 2 C skew, and that C v are the Coriolis forces, for every joint."""
    system = system_of(case)
    if not system.nv:
        return
    C = system.coriolis_matrix(case.q, case.v, **SLOW)
    rate = system.derivative("mass_matrix", case.q, by="q", along=case.v, **SLOW)
    skew = rate - 2 * C
    size = 1 + np.abs(C).max()
    assert_allclose(skew + skew.T, 0.0, atol=1e-9 * size)
    forces = system.bias(case.q, case.v, **SLOW) - system.gravity_force(case.q, **SLOW)
    assert_allclose(C @ case.v, forces, atol=1e-9 * size * (1 + np.abs(case.v).max()))


def difference(system, q, along, f):
    """Return d/ds f(vectors, s) at s = 0, at the configuration moved by s times a direction."""
    h = 1e-3
    ends = {
        k: f(system.coefficient_vectors(system.integrate(q, k * h * along)), k * h)
        for k in (*WEIGHTS, *(-k for k in WEIGHTS))
    }
    return sum(w * (ends[k] - ends[-k]) for k, w in WEIGHTS.items()) / h


def before(mechanism, k):
    """Return the bodies on the way from the base to body k, which is not among them."""
    parent = mechanism.parents[k]
    return [] if parent < 0 else [*before(mechanism, parent), parent]


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=4, min_bodies=2, passive=False))
def test_velocities_of_bodies_seen_from_others(case):
    """Compare V with velocities in the world, and V* with differences, in both directions."""
    system, q, v, a = system_of(case), case.q, case.v, case.a
    vectors = system.coefficient_vectors(q)
    own = [system.velocity(name, q, v) for name in system.body_names]

    def rate_is_found(k, j):
        rate = difference(system, q, v, lambda c, s: c.V(k, j, v + s * a))
        found = vectors.V_star(k, j, v, a)
        assert_allclose(found, rate, atol=1e-8 * (1 + np.abs(rate).max()))

    for k, velocity in enumerate(own):
        assert_allclose(vectors.V(k, -1, v), velocity, atol=1e-10 * (1 + np.abs(velocity).max()))
        rate_is_found(k, -1)
        for j in before(system.mechanism, k):
            relative = velocity - vectors.pose(j, k).motion_matrix() @ own[j]
            size = 1e-10 * (1 + np.abs(velocity).max())
            assert_allclose(vectors.V(k, j, v), relative, atol=size)
            turned = -vectors.pose(k, j).motion_matrix() @ relative
            assert_allclose(vectors.V(j, k, v), turned, atol=1e-10 * (1 + np.abs(turned).max()))
            rate_is_found(k, j)
            rate_is_found(j, k)


@settings(max_examples=examples(5), deadline=None)
@given(cases(max_bodies=4, min_bodies=2, passive=False), st.integers(0, 2**32 - 1))
def test_g_and_inertias_of_random_trees(case, seed):
    """Compare theorems 2 and 3 to order three with differences of one order less."""
    system, rng = system_of(case), np.random.default_rng(seed)
    assume(system.nv)
    vectors, directions = system.coefficient_vectors(case.q), np.eye(system.nv)
    for by in rng.integers(system.nv, size=(4, 3)).tolist():
        k, i = int(rng.integers(len(system.bodies))), int(rng.integers(system.nv))
        for first in range(3):
            later, along = by[first + 1 :], directions[by[first]]
            for name, which in (("g", (k, i)), ("Theta", (k,))):
                found = getattr(vectors, name)(*which, by[first:])
                rate = difference(
                    system, case.q, along,
                    lambda c, s, name=name, which=which, by=later: getattr(c, name)(*which, by),
                )  # fmt: skip
                assert_allclose(found, rate, atol=1e-8 * (1 + np.abs(rate).max()))


def test_parameters_are_numbers_that_are_given():
    """Ask with values of free parameters, and without."""
    l = ps.symbols("l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -l))
    swing = ps.System("swing", [rod], parameters={"l": None}, free=["l"])
    assert_allclose(swing.coefficient_vectors([0.4], parameters={"l": 3.0}).a(0, 0), 18.0)
    with pytest.raises(ps.ModelError, match="'l' of 'swing' has no value; give it: parameters="):
        swing.coefficient_vectors([0.4])


def test_christoffel_symbols_give_the_coriolis_forces():
    """Sum d_sj^i v_s v_j over a chain, and refuse ball and free joints with the remedy."""
    arm = ps.library.puma560().without_passive()
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, 6))
    d = arm.coefficient_vectors(q).d()
    forces = arm.bias(q, v) - arm.gravity_force(q)
    assert_allclose(np.einsum("isj,s,j->i", d, v, v), forces, atol=1e-12)
    for joint in (ps.Spherical(), ps.Free()):
        ball = ps.System("ball", [ps.Body("b", joint=joint, mass=1.0, inertia=(1, 1, 1))])
        reason = rf"'b' \({joint.kind}\) are no rates of coordinates.*coriolis_matrix"
        with pytest.raises(ps.ModelError, match=reason):
            ball.coefficient_vectors(ball.neutral()).d()


@pytest.mark.parametrize("make", [ps.library.puma560, ps.library.rrp_arm, ps.library.cart_pole])
def test_the_coriolis_matrix_is_that_of_the_christoffel_symbols(make):
    """Check C_ij = Σ d_sj^i v_s where velocities are rates of coordinates."""
    system, rng = make(), np.random.default_rng(4)
    q, v = rng.normal(size=(2, system.nv))
    expected = np.einsum("isj,s->ij", system.coefficient_vectors(q).d(), v)
    assert_allclose(system.coriolis_matrix(q, v), expected, atol=1e-12 * np.abs(expected).max())


def test_the_coriolis_matrix_of_many_joints_has_derivatives():
    """Check that of a humanoid: linear in v, and against differences along integrate."""
    system, rng = ps.library.humanoid(), np.random.default_rng(0)
    q = system.integrate(system.neutral(), 0.5 * rng.normal(size=system.nv))
    v, u = rng.normal(size=(2, system.nv))
    by_v = system.derivative("coriolis_matrix", q, v, by="v", along=u)
    assert_allclose(by_v, system.coriolis_matrix(q, u), atol=1e-11)
    h = 1e-3
    ends = {k: system.coriolis_matrix(system.integrate(q, k * h * u), v)
            for k in (*WEIGHTS, *(-k for k in WEIGHTS))}  # fmt: skip
    expected = sum(w * (ends[k] - ends[-k]) for k, w in WEIGHTS.items()) / h
    by_q = system.derivative("coriolis_matrix", q, v, by="q", along=u)
    assert_allclose(by_q, expected, atol=1e-9 * np.abs(expected).max())


def test_moving_axes_are_refused(monkeypatch):
    """Ask for a joint whose axes move in its body, and which does not say of what it is made."""
    monkeypatch.setattr(ps.Universal, "chain", ps.AbstractJoint.chain)
    body = ps.Body("b", joint=ps.Universal("x", "y"), mass=1.0, inertia=(1, 1, 1))
    with pytest.raises(ps.ModelError, match="move in its body; give its class a method chain"):
        ps.System("b", [body]).coefficient_vectors([0.1, 0.2])


@pytest.mark.parametrize("joint", [ps.Universal("x", "y"), ps.Euler("zyx"), ps.Planar("y", "z")])
def test_chains_move_like_their_joint(joint):
    """Compare pose and velocity of a joint with those of its chain."""
    rng = np.random.default_rng(4)
    q, v = rng.normal(size=(2, joint.nv))
    vectors = ps.System("b", [ps.Body("b", joint=joint)]).coefficient_vectors(q)
    assert_allclose(vectors.L(0, -1), joint.transform(q).force_matrix(), atol=1e-14)
    assert_allclose(vectors.V(0, -1, v), joint.motion_subspace(q) @ v, atol=1e-14)


def test_numbers_that_nothing_has():
    """Ask for bodies, velocities and orders that there are not."""
    vectors = ps.library.double_pendulum().coefficient_vectors([0.3, 0.1])
    for ask, message in (
        (
            lambda: vectors.l(5, 0),
            "l: there is no body 5; 'double pendulum' has those from -1 to 1",
        ),
        (lambda: vectors.l(1, -2), "l: there is no velocity -2"),
        (lambda: vectors.g(0, 1, [-1]), "g: by: there is no velocity -1"),
        (lambda: vectors.a(0, 0, 1), r"by must be a list of velocities, e.g. \[1\]"),
        (lambda: vectors.Theta(-1), "Theta: there is no body -1"),
        (lambda: vectors.V(1, -1, [1.0]), r"V: v must have shape \(2,\), got \(1,\)"),
        (lambda: vectors.f_e({1: np.zeros(5)}), r"wrench on body 1 must have shape \(6,\)"),
    ):
        with pytest.raises((ps.ModelError, ps.ShapeError), match=message):
            ask()
