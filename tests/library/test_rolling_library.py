"""Everything in the library that rolls agrees with itself in all ways, and moves as it says."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library

ROLLING = {
    "bicycle": (library.bicycle, library.bicycle_state, 3, 7),
}
"""How to make it, a state of it, its velocities and the dimension of its configurations."""


@pytest.mark.slow
@pytest.mark.parametrize("name", ROLLING)
def test_verify(name):
    """Check formulations, back ends and laws against each other near its state."""
    make, state, _, _ = ROLLING[name]
    system = make()
    report = ps.verify(system, q=state(system)[0], n_states=1)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ROLLING)
def test_state(name):
    """Check that it obeys all rows, and that it moves and reaches as much as is said."""
    make, state, degrees, configurations = ROLLING[name]
    system = make()
    q, v = state(system)
    assert np.abs(system.constraint_residual(q)).max(initial=0.0) < 1e-14
    assert np.abs(system.constraint_rate(q, v)).max() < 1e-14 * (1 + np.abs(v).max())
    mobility = system.mobility(q)
    assert (mobility.degrees, mobility.configurations) == (degrees, configurations)
    assert system.finite_mobility(q) == configurations
