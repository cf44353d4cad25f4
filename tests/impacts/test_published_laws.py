"""Impacts against oracles: Routh's method in formulas, Pinocchio's solver, maximal coordinates."""

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.impacts.frictional_impulses import frictional_impulses
from tests.impacts.test_collide import FIRST, SECOND, closing, moving
from tests.impacts.test_collision_laws import falling_rod, rod_matrix
from tests.impacts.test_friction_at_once import random_contacts
from tests.random_examples import examples


def routh(K, u, e, mu):
    """Return the impulses (n, t) of a planar impact with Poisson's restitution, and the mode.

    Y. Wang, M. T. Mason, Two-dimensional rigid-body collisions with friction, J. Appl. Mech. 59
    (1992), table 1, with S = S₀ + B₁ P_x - B₃ P_y and C = C₀ - B₃ P_x + B₂ P_y.
    """
    B1, B2, B3, (C0, S0) = K[1, 1], K[0, 0], -K[0, 1], u
    s = np.sign(S0) or 1.0
    Pd, Pq = (B2 + s * mu * B3) * s * S0, (mu * B1 + s * B3) * -C0
    still = abs(B3) / B1
    if Pd > (1 + e) * Pq:
        Py = -(1 + e) * C0 / (B2 + s * mu * B3)
        return np.array([Py, -s * mu * Py]), "sliding"
    if Pd > Pq:
        Py = -(1 + e) * C0 / (B2 + s * mu * B3)
    elif mu > still:
        Py = -(1 + e) * (B1 * C0 + B3 * S0) / (B1 * B2 - B3**2)
    else:
        turned = 2 * s * mu * B3 * S0 / (B3 + s * mu * B1)
        Py = -(1 + e) / (B2 - s * mu * B3) * (C0 + turned)
    phase = "R" if Pd > Pq else "C"
    if mu > still:
        return np.array([Py, (B3 * Py - S0) / B1]), f"{phase}-sticking"
    return np.array([Py, s * mu * (Py - 2 * S0 / (B3 + s * mu * B1))]), f"{phase}-reversed"


@pytest.mark.parametrize(
    ("angle", "slip", "mu", "e", "mode"),
    [
        (1.0, -2.0, 0.2, 0.5, "sliding"),
        (1.0, 2.0, 0.2, 0.5, "sliding"),
        (1.2, 0.4, 0.9, 0.3, "C-sticking"),
        (1.0, 1.5, 0.6, 0.9, "R-sticking"),
        (0.8, 0.3, 0.15, 0.4, "C-reversed"),
        (0.8, 0.8, 0.3, 0.9, "R-reversed"),
    ],
)
def test_a_falling_stick_in_all_modes(angle, slip, mu, e, mode):
    """The impulses of sticks that slide, stick or turn round, in compression or restitution."""
    hit = falling_rod(angle, [slip, -1.0, 0.0], restitution=e, friction=mu, law="poisson")
    P, expected = routh(rod_matrix(angle), np.array([-1.0, slip]), e, mu)
    assert expected == mode
    assert_allclose([hit.impulses[0], hit.friction_impulses[0, 0]], P, rtol=1e-9, atol=1e-12)


def of_pinocchio(contacts, kind):
    """Return the impulses by a solver of Pinocchio's, PGS or ADMM; None: it does not end."""
    s, model = len(contacts.friction), pin.buildSampleModelManipulator()
    models, datas = pin.StdVec_ConstraintModel(), pin.StdVec_ConstraintData()
    for friction in contacts.friction:
        point = pin.PointContactConstraintModel(model, 1, pin.SE3.Identity())
        point.setFriction(float(friction))
        models.append(pin.ConstraintModel(point))
        datas.append(models[len(models) - 1].createData())
    order = np.concatenate([3 * k + np.array([1, 2, 0]) for k in range(s)])  # its normals are last
    g = contacts.u.copy()
    g[:, 0] -= contacts.after
    options = getattr(pin, f"{kind}SolverSettings")()
    options.max_iterations, options.solve_ncp = 20_000, True
    for name in ("complementarity", "feasibility"):
        setattr(options, f"absolute_{name}_tol", 1e-13)
        setattr(options, f"relative_{name}_tol", 0.0)
    result, solver = (getattr(pin, kind + x)() for x in ("SolverResult", "ConstraintSolver"))
    matrix = pin.DelassusOperatorDense(contacts.K[np.ix_(order, order)])
    if not solver.solve(matrix, g.ravel()[order], models, datas, options, result):
        return None
    impulses = np.zeros(3 * s)
    impulses[order] = result.retrieveConstraintImpulses()
    return impulses.reshape(s, 3)


@pytest.mark.parametrize("kind", ["PGS", "ADMM"])
def test_friction_in_several_points_is_that_of_pinocchio(kind):
    """Impulses of random systems, unique ones, wherever Pinocchio's solver ends.

    All points have friction: without, version 4.1.0 may leave a closed point without an impulse.
    """
    ended = 0
    for seed in range(30):
        contacts = random_contacts(seed, 1 + seed % 3, 14)
        contacts = replace(contacts, friction=np.maximum(contacts.friction, 0.1))
        P, _ = frictional_impulses(contacts)
        expected = of_pinocchio(contacts, kind)
        if expected is not None:
            assert_allclose(P, expected, atol=1e-9 * max(1.0, np.abs(expected).max()))
            ended += bool(np.abs(expected).max() > 0.0)
    assert ended >= 10


def cross(r):
    """Return the matrix of r × ."""
    return np.array([[0, -r[2], r[1]], [r[2], 0, -r[0]], [-r[1], r[0], 0]])


def in_maximal_coordinates(parties, points):
    """Return all velocities (v of the origin, ω) after it, and the impulses at the points.

    Bodies are free; joints are constraints between them.  From poses, axes and masses alone.
    """
    bodies, masses, twists, held = {}, [], [], []
    for number, party in enumerate(parties):
        for body in party.system.bodies:
            X = party.system.pose(body.name, party.q)
            R, p = X[:3, :3], X[:3, 3]
            c = cross(p + R @ np.array(body.com))
            xx, yy, zz, xy, xz, yz = body.inertia
            moments = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            m = body.mass
            masses.append(np.block([[m * np.eye(3), -m * c], [m * c, moments - m * c @ c]]))
            twist = party.system.velocity(body.name, party.q, party.v, axes="world")
            twists.append(np.concatenate([twist[:3] - np.cross(twist[3:], p), twist[3:]]))
            here = bodies[number, body.name] = len(bodies)
            if isinstance(body.joint, ps.Free):
                continue
            axis = R @ np.array(body.joint.axis) / np.linalg.norm(body.joint.axis)
            turns = isinstance(body.joint, ps.Revolute)
            S = np.concatenate([np.cross(p, axis), axis] if turns else [axis, np.zeros(3)])
            held.append((here, bodies[number, body.parent], np.eye(6) - np.outer(S, S) / (S @ S)))
    n = 6 * len(masses)
    rows = np.zeros((6 * len(held) + len(points), n))
    for k, (child, parent, blocked) in enumerate(held):
        own = slice(6 * k, 6 * k + 6)
        rows[own, 6 * child : 6 * child + 6] = blocked
        rows[own, 6 * parent : 6 * parent + 6] = -blocked
    for k, point in enumerate(points):
        wrench = np.concatenate([point.normal, np.cross(point.point, point.normal)])
        for number, (name, sign) in enumerate(((point.first, -1.0), (point.second, 1.0))):
            column = 6 * bodies[number, name]
            rows[6 * len(held) + k, column : column + 6] += sign * wrench
    V, M = np.concatenate(twists), np.zeros((n, n))
    for k, mass in enumerate(masses):
        M[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = mass
    wanted = np.zeros(len(rows))
    wanted[6 * len(held) :] = [-p.restitution * (row @ V) for p, row in
                               zip(points, rows[6 * len(held) :], strict=True)]  # fmt: skip
    W = rows @ np.linalg.solve(M, rows.T)
    P = np.linalg.lstsq(W, wanted - rows @ V, rcond=1e-11)[0]
    return (V + np.linalg.solve(M, rows.T @ P)).reshape(-1, 6), P[6 * len(held) :]


@settings(max_examples=examples(8), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_random_pairs_in_maximal_coordinates(seed, n):
    """Six velocities for each body, joints as constraints: the same motion and impulses."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    points = closing(*both, rng, n)
    hit = ps.collide(*both, points)
    V, P = in_maximal_coordinates(both, points)
    size = max(1.0, np.abs(P).max())
    assert_allclose(hit.impulses, P, atol=1e-8 * size)
    ours = []
    for party, v in zip(both, hit.v, strict=True):
        for body in party.system.bodies:
            twist = party.system.velocity(body.name, party.q, v, axes="world")
            place = party.system.pose(body.name, party.q)[:3, 3]
            ours.append(np.concatenate([twist[:3] - np.cross(twist[3:], place), twist[3:]]))
    assert_allclose(ours, V, atol=1e-8 * size)
