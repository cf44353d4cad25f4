"""Limits and friction: data that travels with a joint, checked when made."""

import numpy as np
import pytest

import poinsot as ps


def test_limits_are_kept():
    """Read back what was given."""
    limits = ps.Limits(position=(-1, 2), velocity=3, effort=4)
    joint = ps.Revolute("x", limits=limits, friction=0.2)
    assert (joint.limits.lower, joint.limits.upper) == ((-1.0,), (2.0,))
    assert (joint.limits.velocity, joint.limits.effort) == ((3.0,), (4.0,))
    assert joint.friction == (0.2,)
    assert joint == ps.Revolute("x", limits=ps.Limits((-1, 2), 3, 4), friction=0.2)
    assert joint != ps.Revolute("x")
    assert ps.Spherical(friction=0.1).friction == (0.1, 0.1, 0.1)


def test_data_do_not_change_the_dynamics():
    """Compare a pendulum with and without friction and limits."""
    bodies = [
        ps.Body("rod", joint=joint, mass=1.0, com=(0, 0, -1))
        for joint in (ps.Revolute("x"), ps.Revolute("x", friction=9, limits=ps.Limits((0, 0))))
    ]
    plain, limited = (ps.System("p", [body]) for body in bodies)
    q, v = np.array([0.3]), np.array([2.0])
    np.testing.assert_array_equal(plain.forward_dynamics(q, v), limited.forward_dynamics(q, v))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ps.Limits(position=(2, 1)), "smallest position must not exceed"),
        (lambda: ps.Limits(position=3), "must be \\(smallest, largest\\)"),
        (lambda: ps.Limits(velocity=-1), "velocity must not be negative"),
        (lambda: ps.Limits(effort=float("nan")), "limits: effort"),
        (lambda: ps.Limits(velocity=[[1]]), r"velocity must be .* a flat list .*, got \[\[1\]\]"),
        (lambda: ps.Limits(position=([[0]], [[1]])), "limits: position must be"),
        (lambda: ps.Revolute("x", limits=ps.Limits(velocity=(1, 2))), "one number or 1, got 2"),
        (lambda: ps.Revolute("x", friction=-1), "friction must be a number or 1 numbers"),
        (lambda: ps.Spherical(friction=(1, 2)), "friction must be a number or 3 numbers"),
    ],
    ids=["order", "pair", "negative", "nan", "nested", "nests", "length", "friction", "frictions"],
)
def test_wrong_data_are_refused(make, message):
    """Check every message."""
    with pytest.raises(ps.ModelError, match=message):
        make()
