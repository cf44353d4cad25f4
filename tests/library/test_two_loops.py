"""The system of Liu's figure 2 against the acceptance case, whose numbers it has."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import two_loops, two_loops_configuration

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def case():
    cases = json.loads((DATA / "screw_impact.json").read_text(encoding="utf-8"))["cases"]
    return next(one for one in cases if one["id"] == "P09_two_loops_figure2")


def test_published_state(case):
    """Check the closed position, accelerations, tree matrices and forces in the cut joints."""
    system, q, v = two_loops(), two_loops_configuration(), np.array(case["state"]["qd"])
    expected = case["expected"]
    assert_allclose(q, case["state"]["q"], rtol=1e-15)
    assert_allclose(system.constraint_residual(q), np.zeros(6), atol=1e-14)
    assert_allclose(system.constraint_rate(q, v), np.zeros(6), atol=1e-14)
    assert_allclose(system.mass_matrix(q), expected["A"], rtol=1e-12, atol=1e-13)
    assert_allclose(system.forward_dynamics(q, v), expected["qdd"], rtol=1e-11)
    found = system.reactions(q, v, axes="world")
    forces = [found["O5"][:3], found["O6"][:3]]
    assert_allclose(forces, expected["force_on_minus_body_inertial"], rtol=1e-11)


def test_everything_is_determined():
    """Check that balls in space leave nothing redundant."""
    system, q = two_loops(), two_loops_configuration()
    mobility = system.mobility(q)
    assert (mobility.degrees, mobility.rank, mobility.redundant) == (5, 6, ())
    assert all(mask.all() for mask in system.determined_reactions(q).values())


def test_free_run_keeps_its_energy(case):
    """Check energy, and that both loops stay closed."""
    system, v = two_loops(), np.array(case["state"]["qd"])
    run = ps.simulate(system, two_loops_configuration(), v, 0.5, rtol=1e-9)
    energy = run.energy()
    assert_allclose(energy, energy[0], rtol=1e-8)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-11
