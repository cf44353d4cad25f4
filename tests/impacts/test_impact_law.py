"""The law of impact on random matrices, against all choices of contacts that might act."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.impacts.impact_law import Contacts, HeldError, jump
from tests.random_examples import examples


def random_scene(seed, n, m, s):
    """Return M, v, J and contacts of n velocities, m rows and s contacts, in general position."""
    rng = np.random.default_rng([seed, n, m, s])
    half = rng.normal(size=(n, n))
    M = half @ half.T + 0.1 * np.eye(n)
    v, J, A = rng.normal(size=n), rng.normal(size=(m, n)), rng.normal(size=(s, n))
    if m:  # v obeys the constraints
        v = v - np.linalg.pinv(J) @ J @ v
    return M, v, J, Contacts(A, A @ v, rng.uniform(0.0, 1.0, s))


scenes = st.builds(
    random_scene, st.integers(0, 2**32 - 1), st.integers(5, 8), st.integers(0, 2), st.integers(1, 3)
)


def by_enumeration(M, J, contacts):
    """Return all dv of the law, trying every set of contacts that act."""
    s, found = len(contacts.rates), []
    goal = np.maximum(0.0, -contacts.restitution * contacts.rates) - contacts.rates
    for k in range(s + 1):
        for acting in map(list, combinations(range(s), k)):
            rows = np.vstack([J, contacts.A[acting]])
            right = np.concatenate([np.zeros(len(J)), goal[acting]])
            through = np.linalg.solve(M, rows.T)
            forces = np.linalg.solve(rows @ through, right) if len(rows) else right
            dv = through @ forces
            if (forces[len(J) :] >= 0.0).all() and (contacts.A @ dv >= goal - 1e-9).all():
                found.append(dv)
    return found


@given(scenes)
@settings(max_examples=examples(8))
def test_law(scene):
    """It solves its equations, and no other choice of contacts that act does."""
    M, v, J, contacts = scene
    found = jump(M, v, J, J @ v, contacts)
    after = contacts.rates + contacts.A @ found.change
    least = np.maximum(0.0, -contacts.restitution * contacts.rates)
    loads = contacts.A.T @ found.impulses + J.T @ found.held
    assert np.allclose(M @ found.change, loads, rtol=0, atol=1e-8)
    assert np.allclose(J @ (v + found.change), 0.0, atol=1e-9)
    assert (found.impulses >= 0.0).all()
    assert (after >= least - 1e-9).all()
    assert np.allclose(found.impulses * (after - least), 0.0, atol=1e-8)
    others = by_enumeration(M, J, contacts)
    assert others
    assert np.allclose(others, found.change, rtol=0, atol=1e-7)


@given(scenes)
@settings(max_examples=examples(8))
def test_energy(scene):
    """Without contacts that open before, none gains energy; elastic ones that push keep it."""
    M, v, J, contacts = scene
    signs = -np.sign(contacts.rates)[:, None]  # all close
    A, u = signs * contacts.A, -np.abs(contacts.rates)

    def energy_after(e):
        found = jump(M, v, J, J @ v, Contacts(A, u, e))
        pushed = found.impulses > 0.0
        work = 0.5 * (1.0 - e) * found.impulses * u
        assert (work[pushed] <= 0.0).all()
        gained = 0.5 * (v + found.change) @ M @ (v + found.change) - 0.5 * v @ M @ v
        assert np.isclose(gained, work.sum(), rtol=0, atol=1e-8 * max(1.0, v @ M @ v))
        return gained

    assert energy_after(contacts.restitution) <= 1e-9
    assert abs(energy_after(np.ones(len(u)))) <= 1e-8 * max(1.0, v @ M @ v)


@given(scenes)
@settings(max_examples=examples(8))
def test_sudden_constraints(scene):
    """New constraints project in the metric of M: what is lost is the energy of the change."""
    M, v, J, contacts = scene
    rows = np.vstack([J, contacts.A])
    nothing = Contacts(np.zeros((0, len(v))), np.zeros(0), np.zeros(0))
    found = jump(M, v, rows, rows @ v, nothing)
    through = np.linalg.solve(M, rows.T)
    change = -through @ np.linalg.solve(rows @ through, rows @ v)
    assert np.allclose(found.change, change, rtol=0, atol=1e-8)
    after = v + found.change
    lost = 0.5 * (v @ M @ v - after @ M @ after)
    assert np.isclose(lost, 0.5 * change @ M @ change, rtol=1e-8, atol=1e-10)
    again = jump(M, after, rows, rows @ after, nothing)
    assert np.allclose(again.change, 0.0, atol=1e-9)


def test_nothing_happens_where_nothing_closes():
    """Rates that are rounding of zero leave every bit alone."""
    A, v = np.array([[0.1, 0.2, 0.3]]), np.array([0.3, 0.3, -0.3])
    for rate in (1e-17, -1e-17, 0.0):  # rounding of A @ v; which of them is the library's choice
        touching = Contacts(A, np.array([rate]), np.array([0.5]))
        assert not jump(np.eye(3), v, np.zeros((0, 3)), np.zeros(0), touching).change.any()


def test_massless_joints_that_constraints_hold():
    """A mass matrix that is singular will do where the constraints hold what has no mass."""
    M, J, v = np.diag([2.0, 0.0]), np.array([[1.0, -1.0]]), np.array([-3.0, -3.0])
    wall = Contacts(np.array([[0.0, 1.0]]), np.array([-3.0]), np.array([0.5]))
    found = jump(M, v, J, J @ v, wall)
    assert np.allclose(found.change, 4.5)
    assert np.allclose(found.impulses, 9.0)
    assert np.allclose(found.held, 9.0)
    nothing = Contacts(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    sudden = jump(M, np.array([1.0, 0.0]), J, np.array([1.0]), nothing)
    assert np.allclose(sudden.change, [0.0, 1.0])
    assert np.allclose(sudden.held, 0.0)
    with pytest.raises(HeldError, match="inertia"):
        jump(M, v, np.zeros((0, 2)), np.zeros(0), wall)


def test_what_cannot_be_is_refused():
    """Contacts that depend on each other and disagree, constraints that contradict, held bodies."""
    v = np.array([-1.0, 0.0])
    opposite = Contacts(np.array([[1.0, 0], [-1.0, 0]]), np.array([-1.0, 0.5]), np.ones(2))
    with pytest.raises(HeldError, match="restitution") as caught:
        jump(np.eye(2), v, np.zeros((0, 2)), np.zeros(0), opposite)
    assert caught.value.contacts == [0, 1]
    twice = np.array([[1.0, 0.0], [1.0, 0.0]])
    nothing = Contacts(np.zeros((0, 2)), np.zeros(0), np.zeros(0))
    with pytest.raises(HeldError, match="constraints"):
        jump(np.eye(2), v, twice, np.array([1.0, 2.0]), nothing)
    held = Contacts(np.array([[1.0, 0.0]]), np.array([-1.0]), np.array([0.5]))
    with pytest.raises(HeldError, match="do not let it move") as caught:
        jump(np.eye(2), v, twice[:1], np.zeros(1), held)
    assert caught.value.contacts == [0]
