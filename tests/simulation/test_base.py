"""Runs on a base that moves: equivalence with gravity, and with a joint that moves alike."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum

START = ([0.4, -0.3], [0.0, 0.5])


def end(run):
    return np.concatenate([run.q[-1], run.v[-1]])


def test_lift_feels_like_more_gravity():
    """Compare a base that accelerates upwards with a heavier field."""
    system = double_pendulum()
    heavier = ps.System("heavier", system.bodies, gravity=(0, 0, -9.81 - 2.0))
    lift = ps.BaseMotion(acceleration=(0, 0, 2, 0, 0, 0))
    expected = end(ps.simulate(heavier, *START, 3.0))
    np.testing.assert_allclose(
        end(ps.simulate(system, *START, 3.0, base=lift)), expected, atol=1e-7
    )
    law = ps.simulate(
        system, *START, 3.0, base=lambda t: (np.eye(3), np.zeros(6), [0, 0, 2.0, 0, 0, 0])
    )
    np.testing.assert_allclose(end(law), expected, atol=1e-7)


def test_turning_base_is_a_joint_that_turns_alike():
    """Compare a base that swings about y with a prescribed angle in the first joint."""
    system = double_pendulum()

    def base(t):
        angle, rate, change = 0.5 * np.sin(2 * t), np.cos(2 * t), -2 * np.sin(2 * t)
        c, s = np.cos(angle), np.sin(angle)
        R = [[c, 0, s], [0, 1, 0], [-s, 0, c]]
        return R, [0, 0, 0, 0, rate, 0], [0, 0, 0, 0, change, 0]

    # Relative to the turning base, the first angle is the absolute one less the base's.
    q, v = np.array([0.4, -0.3]), np.array([0.0, 0.5])
    run = ps.simulate(system, q, v - [1.0, 0.0], 2.0, base=base)
    still = ps.simulate(system, q, v, 2.0)
    np.testing.assert_allclose(run.q[-1] + [0.5 * np.sin(4.0), 0], still.q[-1], atol=1e-7)
    np.testing.assert_allclose(run.at(1.0)[0] + [0.5 * np.sin(2.0), 0], still.at(1.0)[0], atol=1e-7)


def test_wrong_bases_are_named():
    """Check the messages."""
    system = double_pendulum()
    with pytest.raises(ps.ShapeError, match=r"rotation that base\(t\) returns"):
        ps.simulate(system, *START, 1.0, base=lambda t: (np.eye(2), np.zeros(6), np.zeros(6)))
    still = np.zeros(6)
    with pytest.raises(ps.ModelError, match=r"none at t = 0 s: R\^T R differs from 1 by 3"):
        ps.simulate(system, *START, 1.0, base=lambda t: (2 * np.eye(3), still, still))
    with pytest.raises(ps.ModelError, match=r"none at t = 0\.1 s"):
        ps.simulate(system, *START, 1.0, base=lambda t: (np.diag([1, 1, 1 + t]), still, still))
    with pytest.raises(ps.ModelError, match=r"the determinant is -1"):
        ps.simulate(system, *START, 1.0, base=lambda t: (np.diag([1, 1, -1]), still, still))
    with pytest.raises(ps.PoinsotError, match="base could not be traced"):
        ps.simulate(system, *START, 1.0, base=lambda t: 3.0)
    with pytest.raises(ps.ModelError, match="base must be finite"):
        ps.simulate(system, *START, 1.0, base=ps.BaseMotion(velocity=np.full(6, np.nan)))
