"""Constraints on velocities: closed forms, an independent solution, and what they refuse."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from tests.random_examples import examples
from tests.strategies import random_case

MASS, OFFSET, SPIN = 2.0, 0.4, 0.35
"""Of a sled: mass [kg], mass centre in front of the blade [m], inertia about the blade [kg m²]."""


@pytest.fixture(scope="module")
def sleigh():
    """Return a sled on one blade [Bloch2003, section 1.7]."""
    inertia = SPIN - MASS * OFFSET**2
    sled = ps.Body("sled", joint=ps.Planar(), mass=MASS, com=(OFFSET, 0, 0), inertia=[inertia] * 3)
    return ps.System("sleigh", [sled], constraints=[ps.KnifeEdge("blade", "sled")])


def test_chaplygin_sleigh(sleigh):
    """The speed of the blade is c tanh(k t), the turning rate c sqrt(m/J) / cosh(k t)."""
    c, t0 = 1.3, 0.4
    k = c * MASS * OFFSET / SPIN

    def rates(t):
        return c * np.tanh(k * (t - t0)), c * np.sqrt(MASS / SPIN) / np.cosh(k * (t - t0))

    (u, w), angle = rates(0.0), 0.3
    run = ps.simulate(
        sleigh, [0.0, 0.0, angle], [u * np.cos(angle), u * np.sin(angle), w], 3.0, rtol=1e-11
    )
    speeds, turns = rates(run.t)
    along = run.v[:, 0] * np.cos(run.q[:, 2]) + run.v[:, 1] * np.sin(run.q[:, 2])
    np.testing.assert_allclose(along, speeds, atol=1e-9)
    np.testing.assert_allclose(run.v[:, 2], turns, atol=1e-9)
    assert np.abs(sleigh.constraint_rate(run.q, run.v)).max() < 1e-12


@settings(max_examples=examples(3))
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_random_rows_against_a_plain_solution(seed, moving):
    """M a + bias = Aᵀ lam, A a + dA/dt v = db/dt by NumPy; A v = b stays true along runs."""
    case = random_case(seed=seed, n_bodies=2)
    mechanism, rng, q = case.mechanism, case.rng, case.q
    n, m = mechanism.nv, max(1, mechanism.nv // 2)
    A0, A1, w = rng.normal(size=(m, n)), 0.5 * rng.normal(size=(m, n)), rng.normal(size=len(q))
    b = rng.normal(size=m) * moving

    def rows(q, v, t):
        return (A0 + A1 * np.sin(w @ q + t)) @ v - b * np.cos(t)

    free = ps.System.from_mechanism(mechanism)
    system = ps.System.from_mechanism(mechanism.with_constraints([ps.Nonholonomic("rows", rows)]))
    v = system.consistent_velocity(q, case.v)
    angle, rate = w @ q, w @ free.position_rate(q, v) + 1.0
    A, gamma = A0 + A1 * np.sin(angle), A1 * np.cos(angle) @ v * rate
    np.testing.assert_allclose(A @ v, b, atol=1e-12 * (1 + np.abs(v).max()))
    M, bias = free.mass_matrix(q), free.bias(q, v)
    matrix = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    solved = np.linalg.solve(matrix, np.concatenate([-bias, -gamma]))
    a, lam = system.forward_dynamics(q, v), system.multipliers(q, v).values
    np.testing.assert_allclose(a, solved[:n], rtol=1e-10, atol=1e-10 * np.abs(solved[:n]).max())
    np.testing.assert_allclose(lam, solved[n:], rtol=1e-9, atol=1e-10 * np.abs(solved[n:]).max())
    if not moving:
        assert abs(lam @ (A @ v)) < 1e-12 * (1 + np.abs(lam).max() * np.abs(v).max())
    run = ps.simulate(system, q, v, 0.2)
    size = 1 + np.abs(run.v).max()
    assert np.abs(system.constraint_rate(run.q, run.v, t=run.t)).max() < 1e-12 * size
