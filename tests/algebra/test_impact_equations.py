"""Equations of impacts against closed forms and the law of impact in numbers."""

import numpy as np
import pytest
import sympy as sp
from numpy.testing import assert_allclose

import poinsot as ps


def rod():
    """Return a pendulum of a bob on a massless rod, and a wall beside it."""
    m, length = ps.symbols("m l")
    bob = ps.Body("bob", joint=ps.Revolute("y", name="theta"), mass=m, com=(0, 0, -length))
    wall = ps.Contact(ps.PointOnSurface("wall", ("bob", (0, 0, -1.0)), "x + 0.3"), 0.5)
    return ps.System("pendulum", [bob], gravity=(0, 0, -9.81)), wall


def test_a_pendulum_and_a_wall():
    system, wall = rod()
    equations = ps.derive(system, contacts=[wall])
    m, length, q, v = sp.symbols("m l q_theta v_theta")
    assert sp.simplify(equations.gap.expanded[0] - (sp.Rational(3, 10) - sp.sin(q))) == 0
    assert sp.simplify(equations.gap_jacobian.expanded[0] + sp.cos(q)) == 0
    W = equations.impulse_matrix.expanded[0]
    assert sp.simplify(W - sp.cos(q) ** 2 / (m * length**2)) == 0
    assert sp.simplify(equations.impact_velocity.expanded[0] + v / 2) == 0  # e = 1/2
    for text in (str(equations), equations.markdown(), equations.document()):
        assert "mpulse matrix" in text
        assert "δ̇⁺" in text or r"\dot{\delta}^{+}" in text


def test_two_contacts_of_a_chain():
    """Both obey Newton's law, and what changes the momenta acts along the gaps."""
    chain = ps.library.chain(3)
    end = chain.bodies[-1].name
    contacts = [
        ps.Contact(ps.PointOnSurface(name, (end, (0, 0, 0)), f"{axis} - 5"), e)
        for name, axis, e in (("side", "x", 0.3), ("front", "z", 0.8))
    ]
    equations = ps.derive(chain, contacts=contacts)
    rng = np.random.default_rng(3)
    for _ in range(5):
        q, v = rng.normal(size=(2, 3))
        A = equations.function("gap_jacobian")(q)
        after = equations.function("impact_velocity")(q, v)
        rate = equations.function("gap_rate")(q, v)
        assert_allclose(rate, A @ v, atol=1e-12)
        assert_allclose(A @ after, -np.array([0.3, 0.8]) * rate, atol=1e-9)
        W, M = equations.function("impulse_matrix")(q), chain.mass_matrix(q)
        assert_allclose(W, A @ np.linalg.solve(M, A.T), atol=1e-9)
        P = np.linalg.solve(W, A @ after - rate)
        assert_allclose(M @ (after - v), A.T @ P, atol=1e-9)


def test_what_is_no_formula_says_why():
    system, wall = rod()
    with pytest.raises(ps.ModelError, match=r"no contacts .* so no gap; derive\(system, contacts"):
        ps.derive(system)["gap"]
    with pytest.raises(ps.ArrayTypeError, match=r"derive: contacts must be a list"):
        ps.derive(system, contacts=wall)
    bar = ps.library.four_bar()
    stop = ps.Contact(ps.PointOnSurface("stop", ("coupler", (0.1, 0, 0)), "y + 0.1"), 0.7)
    closed = ps.derive(bar, contacts=[stop])
    assert "J(q)ᵀ·R" in str(closed)
    with pytest.raises(ps.ModelError, match="which rows are independent"):
        closed["impulse_matrix"]
    rough = ps.Contact(
        ps.PointOnSurface("floor", ("bob", (0, 0, -1.0)), "z + 2"), 0.5, friction=0.1
    )
    with pytest.raises(ps.ModelError, match="friction decides by cases"):
        ps.derive(system, contacts=[rough])["impact_velocity"]
    assert "μ" in ps.derive(system, contacts=[rough]).text("gap")
