"""The matrices of the screw-matrix method, and the acceptance cases made for it."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from poinsot.formulations import screw_matrix
from poinsot.formulations.kinematics import body_motions
from poinsot.formulations.position_rate import position_rate
from poinsot.formulations.screw_matrix import symbols
from poinsot.formulations.screw_matrix.blocks import Blocks
from poinsot.model import Body, Environment, Free, Mechanism, Pose, Prismatic, Revolute, Spherical
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases

FILE = Path(__file__).parents[1] / "data" / "screw_impact.json"
STEP = 1e-5
"""Of central differences [s]: their error is about STEP² and rounding / STEP, both 1e-10."""


@settings(max_examples=examples(6))
@given(cases(12))
def test_incidence_and_path_are_inverse(case):
    """Check Ŝ T̂ = 1, and that both are block upper triangular with unit diagonal when ordered."""
    m, at = case.mechanism, symbols.frames(case.mechanism, case.q)
    place = {i: k for k, i in enumerate(m.order)}
    where = [slice(6 * place[i], 6 * place[i] + 6) for i in range(m.n_bodies)]
    S, T = (X.dense(where, where) for X in (symbols.S_hat(m, at), symbols.T_hat(at)))
    assert np.max(np.abs(S @ T - np.eye(6 * m.n_bodies))) < 1e-11 * np.max(np.abs(T))
    blocks = np.kron(np.eye(m.n_bodies), np.ones((6, 6)))
    for X in (S, T):
        assert np.array_equal(X * blocks, np.eye(6 * m.n_bodies))
        assert not (X * np.tril(1.0 - blocks)).any()


@settings(max_examples=examples(6))
@given(cases(12))
def test_velocities(case):
    """Check v̂ = (k̂ T̂)ᵀ q' (25) against the velocities body by body."""
    m, at = case.mechanism, symbols.frames(case.mechanism, case.q)
    kT = symbols.k_hat(m, case.q) @ symbols.T_hat(at)
    v_hat = kT.T @ symbols.q_dot(m, case.v)
    expected = _velocities(m, case.q, case.v)
    for (i, _), V in v_hat.blocks.items():
        assert_agree(V, expected[i])


@settings(max_examples=examples(5))
@given(cases(6))
def test_rate_of_axes_along_paths(case):
    """Check d/dt (k̂ T̂)ᵀ against central differences along the motion."""
    m, v = case.mechanism, case.v
    at, k = symbols.frames(m, case.q), symbols.k_hat(m, case.q)
    v_hat = Blocks.column(dict(enumerate(_velocities(m, case.q, v))))
    found = symbols.kT_rate(m, case.q, v, at, k, v_hat)
    before, after = (_kT(m, _moved(m, case.q, v, t)).T for t in (-STEP, STEP))
    for where, block in found.blocks.items():
        expected = (after.blocks[where] - before.blocks[where]) / (2 * STEP)
        assert np.max(np.abs(block - expected)) < 1e-6 * (1.0 + np.max(np.abs(expected)))


def test_low_pair_chain():
    """Check A, B and q'' of case P02, a chain in the coordinates of (35)."""
    case = _case("P02")
    links, q, v = case["inputs"]["links"], *(np.array(case["inputs"][x]) for x in ("q", "qd"))
    bodies = []
    for k, link in enumerate(links):
        twist = Pose(axis="x", angle=link["alpha"])
        offset = np.array(twist.matrix) @ [0.0, 0.0, link["b"]] + [link["a"], 0.0, 0.0]
        kind = Prismatic if link["nu"] else Revolute
        joint = kind("z", stiffness=link["K"], damping=link["D"])
        parent = f"{k - 1}" if k else "world"
        pose = Pose(offset, matrix=twist.matrix)
        mass = link["mass"], link["com"], link["inertia_com"]
        bodies.append(Body(f"{k}", parent, joint, pose, *mass))
    m = Mechanism("P02", bodies, case["inputs"]["gravity"])
    _check_expected(m, q, v, np.array([link["C"] for link in links]), case)
    at = symbols.frames(m, q)
    for k, expected in enumerate(case["expected"]["Ahat_links"]):
        assert_agree(symbols.A_hat(at, k - 1, k), np.array(expected), 1e-10)
    kT = _kT(m, q)
    v_hat = kT.T @ symbols.q_dot(m, v)
    Q_hat = symbols.Phi_hat(m) @ v_hat
    for k in range(m.n_bodies):
        assert_agree(v_hat[k], np.array(case["expected"]["body_velocity_screws"][k]), 1e-10)
        assert_agree(Q_hat[k], np.array(case["expected"]["momentum_screws"][k]), 1e-10)


@pytest.mark.parametrize("name", ["P03", "P04"])
def test_trees(name):
    """Check A, B and q'' of a branched and of a floating tree.

    Joints of two freedoms are two joints with a body without mass between them: the same equations.
    """
    case = _case(name)
    bodies, control = [], []
    for body in case["system"]["bodies"]:
        joint, parent = body["joint"], f"{body['parent']}" if body["parent"] else "world"
        pose = Pose(joint["placement"]["translation"], quat=joint["placement"]["quaternion"])
        inner, outer = _joints(joint)
        if inner is not None:
            between = f"{body['id']} inner"
            bodies.append(Body(between, parent, inner, pose))
            parent, pose = between, Pose()
        mass = body["mass"], body["com"], body["inertia_com"]
        bodies.append(Body(f"{body['id']}", parent, outer, pose, *mass))
        nv = outer.nv + (inner.nv if inner else 0)
        control.extend(joint.get("control", [0.0] * nv))
    m = Mechanism(name, bodies, case["system"]["gravity"])
    q, v = np.array(case["state"]["q"]), np.array(case["state"]["qd"])
    for part, body in zip(m.q_slices, m.bodies, strict=True):
        if body.joint.kind in ("spherical", "free"):
            quat = slice(part.stop - 4, part.stop)
            q[quat] /= np.linalg.norm(q[quat])
    _check_expected(m, q, v, np.array(control), case)


def test_blocks_are_matrices():
    """Check sum, product and transpose of blocks against dense matrices."""
    rng = np.random.default_rng(1)
    where = [slice(0, 2), slice(2, 5), slice(5, 6)]
    P = Blocks({(0, 1): rng.standard_normal((2, 3)), (2, 2): rng.standard_normal((1, 1))})
    Q = Blocks({(1, 0): rng.standard_normal((3, 2)), (0, 1): rng.standard_normal((2, 3))})
    p, q = P.dense(where, where), Q.dense(where, where)
    for found, expected in ((P @ Q, p @ q), (P - Q, p - q), (P + Q, p + q), (P.T, p.T)):
        assert_agree(found.dense(where, where), expected)


def _check_expected(m, q, v, control, case):
    environment, expected = Environment.of(m), case["expected"]
    A = screw_matrix.mass_matrix(m, q)
    assert_agree(A, np.array(expected["A"]), 1e-10)
    assert_agree(control - screw_matrix.bias(m, q, v, environment), np.array(expected["B"]), 1e-10)
    a = screw_matrix.forward_dynamics(m, q, v, control, environment)
    assert_agree(a, np.array(expected["qdd"]), 1e-10)


def _joints(joint):
    """Return the joint of a case, in two parts where it has two axes."""
    passive = {key: np.array(joint[key]) for key in ("damping", "stiffness") if key in joint}

    def part(kind, axis, k):
        return kind(joint[axis], **{key: value[k, k] for key, value in passive.items()})

    match joint["type"]:
        case "revolute":
            return None, part(Revolute, "axis", 0)
        case "prismatic":
            return None, part(Prismatic, "axis", 0)
        case "cylindrical":
            return part(Prismatic, "axis", 0), part(Revolute, "axis", 1)
        case "universal":
            return part(Revolute, "axis", 0), part(Revolute, "axis2", 1)
        case "spherical":
            return None, Spherical()
    return None, Free()


def _case(name):
    listed = json.loads(FILE.read_text(encoding="utf-8"))["cases"]
    return next(case for case in listed if case["id"].startswith(name))


def _kT(mechanism, q):
    return symbols.k_hat(mechanism, q) @ symbols.T_hat(symbols.frames(mechanism, q))


def _velocities(mechanism, q, v):
    return [motion.V for motion in body_motions(mechanism, q, v, np.zeros(mechanism.nv))]


def _moved(mechanism, q, v, dt):
    """Return q after a small time, by the midpoint rule, at constant velocities."""
    middle = q + 0.5 * dt * position_rate(mechanism, q, v)
    return q + dt * position_rate(mechanism, middle, v)
