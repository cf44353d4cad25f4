"""The 3-RRR manipulator against a general solver and virtual work."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import fsolve

import poinsot as ps
from poinsot.library import three_rrr, three_rrr_configuration

BASE, PLATFORM, CRANK, ROD = 0.5, 0.15, 0.3, 0.3
CORNERS = np.exp(2j * np.pi * np.arange(3) / 3)
CRANKS = [f"crank {i}" for i in (1, 2, 3)]
ANGLES = slice(3, 9, 2)
"""Where the cranks' angles are in q."""


def pose(cranks, guess):
    """Return x, y and angle of the platform for which all rods have their length."""
    knees = BASE * CORNERS + CRANK * np.exp(1j * np.asarray(cranks))

    def miss(p):
        ends = complex(p[0], p[1]) + PLATFORM * CORNERS * np.exp(1j * p[2])
        return np.abs(ends - knees) - ROD

    found = fsolve(miss, guess, xtol=1e-13)
    assert np.max(np.abs(miss(found))) < 1e-12
    return found


@pytest.mark.parametrize("branches", [(1, 1, 1), (-1, 1, -1)])
def test_poses(branches):
    """Check a motion of the cranks, at each place of which the solver finds the same pose."""
    system = three_rrr()
    q = three_rrr_configuration(0.02, 0.05, 0.1, branches=branches)
    assert_allclose(system.constraint_residual(q), np.zeros(15), atol=1e-14)
    assert (system.mobility(q).degrees, system.finite_mobility(q)) == (3, 3)
    turns = zip(CRANKS, q[ANGLES], (0.1, -0.2, 0.15), strict=True)
    laws = {name: (angle, angle + turn) for name, angle, turn in turns}
    study = ps.drive(system, q, laws, positions=8)
    assert study.ok
    at = q[:3]
    for state in study.q:
        at = pose(state[ANGLES], at)
        assert_allclose(state[:3], at, atol=1e-10)


def test_cranks_against_a_force_by_virtual_work():
    """Check torques that hold a force and a moment on the platform, by slopes of the pose."""
    system, h = three_rrr(), 1e-6
    q, still = three_rrr_configuration(0.02, 0.05, 0.1), np.zeros(9)
    load = np.array([3.0, -2.0, 0.4])
    wrench = [load[0], load[1], 0, 0, 0, load[2]]  # at the platform's origin, in world axes
    R = system.pose("platform", q)[:3, :3]
    body = np.concatenate([R.T @ wrench[:3], R.T @ wrench[3:]])
    tau = system.inverse_dynamics(q, still, still, joints=CRANKS, wrenches={"platform": body})
    sides = [[pose(q[ANGLES] + d, q[:3]) for d in (h * e, -h * e)] for e in np.eye(3)]
    slope = [(after - before) / (2 * h) for after, before in sides]
    assert_allclose(tau[ANGLES], -np.array(slope) @ load, rtol=1e-7)


def test_a_leg_that_does_not_reach_is_refused():
    """Check that the message names the leg."""
    with pytest.raises(ps.ModelError, match="3-RRR: leg 2: lengths"):
        three_rrr_configuration(0.6, -0.2, 0.0)
