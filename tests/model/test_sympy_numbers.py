"""Descriptions written with SymPy: the same as those written with symbols of our own."""

import numpy as np
import pytest
import sympy as sp

import poinsot as ps
from tests.model.test_parameters import pendulum


def machine(x, sin):
    """Return a system with formulas in every place that takes one, of the symbols ``x``."""
    m, l, g, a, k, u, w = x
    rod = ps.Body(
        "rod", joint=ps.Revolute("y", damping=k / 7, stiffness=k, rest=a, armature=m / 50),
        pose=ps.Pose((l, 0, -l / 3), rpy=(0, a, a / 2)), mass=m, com=(0, l**2, -l / 2),
        inertia=(m * l**2 / 12, m * l**2 / 12, m * l / 100),
    )  # fmt: skip
    slider = ps.Body(
        "slider", "rod", ps.Prismatic("x"), ps.Pose(axis="z", angle=sin(a)), mass=2 * m
    )
    return ps.System(
        "machine",
        [rod, slider],
        gravity=(0, g / 3, -g),
        forces=[
            ps.Spring(("slider", (0, 0, l)), ("world", (l, 0, 0)), k, k / 10, l / 3),
            ps.ConstantForce("slider", (m * g, 0, 0)),
            ps.FormulaForce("rod", (k * a, 0, "sin(t)")),
        ],
        constraints=[
            ps.FormulaConstraint("c", k * u - l * w, where={"u": "rod", "w": "slider"}),
            ps.PrescribedMotion("p", "rod", a * k),
        ],
        parameters={"m": 1.0, "l": 0.5, "g": 9.81, "a": 0.3, "k": 2.0},
        free=("m", "a"),
    )


NAMES = "m l g a k u w"


def test_formulas_of_sympy_are_ours():
    """Compare descriptions, and numbers that come out of them."""
    ours, theirs = machine(ps.symbols(NAMES), np.sin), machine(sp.symbols(NAMES), sp.sin)
    q, v = np.array([0.1, 0.2]), np.array([0.3, 0.4])
    assert theirs.free == ours.free == ("m", "a")
    for values in ({}, {"m": 2.0, "a": -0.4}):
        for name in ("mass_matrix", "bias", "constraint_residual"):
            given = (q,) if name != "bias" else (q, v)
            found = getattr(theirs, name)(*given, parameters=values, backend="interpreter")
            expected = getattr(ours, name)(*given, parameters=values, backend="interpreter")
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


def test_simple_formulas_are_the_same_description():
    """Write the double pendulum with positive symbols: equal, hash and all, where order is."""
    m, l, g = sp.symbols("m l g", positive=True)
    found = pendulum(m, l, g, parameters={"m": 1.0, "l": 0.5, "g": 9.81})
    expected = pendulum(*ps.symbols("m l g"), parameters={"m": 1.0, "l": 0.5, "g": 9.81})
    assert found.mechanism == expected.mechanism


def test_numbers_and_matrices_of_sympy():
    """Give exact numbers, which become floats, and a matrix of formulas."""
    third = sp.Rational(1, 3)
    pose = ps.Pose((third, 0, sp.sqrt(2)), rpy=(0, 0, sp.pi / 2))
    assert pose == ps.Pose((1 / 3, 0, 2**0.5), rpy=(0, 0, np.pi / 2))
    I = sp.Symbol("I")
    body = ps.Body("b", joint=ps.Revolute("z"), mass=third, inertia=sp.diag(I, I, 2 * I))
    assert body.inertia == ps.Body("b", inertia=np.array([1, 1, 2]) * ps.symbols("I")).inertia


def test_functions_of_time_are_refused_by_name():
    """Use a dynamic symbol as a mass."""
    m = sp.Function("m")(sp.Symbol("t"))
    with pytest.raises(ps.ModelError, match=r"body 'rod': mass.*m\(t\).*plain symbol"):
        ps.Body("rod", mass=m)
