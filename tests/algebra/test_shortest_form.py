"""Expanded equations in their shortest form: nothing in them is rounding."""

import numpy as np
import sympy as sp

import poinsot as ps
from poinsot.library import puma560


def test_no_term_is_rounding():
    """Look at every number in the mass matrix of a robot of six joints, and evaluate it."""
    robot = puma560()
    equations = ps.derive(robot)
    M = equations.mass_matrix.expanded
    for entry in M:
        numbers = [abs(float(x)) for x in entry.atoms(sp.Float, sp.Rational) if x != 0]
        assert min(numbers, default=1.0) > 1e-10
    q = robot.random(np.random.default_rng(0))
    values = dict(zip(map(sp.Symbol, equations.q), q, strict=True))
    found = np.array([float(entry.subs(values)) for entry in M]).reshape(6, 6)
    np.testing.assert_allclose(found, robot.mass_matrix(q), atol=1e-12)
