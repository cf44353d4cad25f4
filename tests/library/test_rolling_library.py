"""Everything in the library that rolls agrees with itself in all ways, and moves as it says."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library

ROLLING = {
    "balancing_robot": (library.balancing_robot, library.balancing_robot_state, 3, 6),
    "ball_in_bowl": (library.ball_in_bowl, library.ball_in_bowl_state, 3, 5),
    "bicycle": (library.bicycle, library.bicycle_state, 3, 7),
    "chaplygin_sleigh": (library.chaplygin_sleigh, library.chaplygin_sleigh_state, 2, 3),
    "rattleback": (library.rattleback, library.rattleback_state, 3, 5),
    "rolling_disc": (library.rolling_disc, library.rolling_disc_state, 3, 5),
    "rover": (library.rover, library.rover_state, 2, 8),
    "skateboard": (library.skateboard, library.skateboard_state, 2, 4),
}
"""How to make it, a state of it, its velocities and the dimension of its configurations."""


QUICK = ("rattleback", "skateboard")
"""Those that every run verifies: rolling and blades, beside quaternions and holonomic rows."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", [x if x in QUICK else pytest.param(x, marks=pytest.mark.long) for x in ROLLING]
)
def test_verify(name):
    """Check formulations, back ends and laws against each other near its state."""
    make, state, _, _ = ROLLING[name]
    system = make()
    beside = system.integrate(state(system)[0], np.linspace(0.1, -0.2, system.nv))
    report = ps.verify(system, q=beside, n_states=1)
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
