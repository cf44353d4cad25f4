"""Limits and friction: data that travels with a joint, checked when made."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model import Mechanism


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


def test_no_limit_is_infinity_or_nothing():
    """Check that what means the same is equal."""
    inf = float("inf")
    assert ps.Limits((-inf, inf), velocity=inf, effort=(inf, inf)) == ps.Limits()
    one = ps.Limits((-inf, 2))
    assert (one.lower, one.upper) == ((-inf,), (2.0,))


def test_mimics_are_kept():
    """Read back what was given; the joint moves freely."""
    joint = ps.Prismatic("x", mimic=ps.Mimic("other", -2))
    assert joint.mimic == ps.Mimic("other", multiplier=-2, offset=0)
    assert joint != ps.Prismatic("x")
    bodies = [
        ps.Body("a", joint=joint, mass=1.0),
        ps.Body("other", joint=ps.Prismatic("y"), mass=2),
    ]
    np.testing.assert_allclose(ps.System("m", bodies).mass_matrix([0, 0]), np.diag([1.0, 2.0]))


def mimicking(*names, joint=None):
    followed = ps.Body("b", joint=joint or ps.Revolute("x"))
    bodies = [
        ps.Body(f"a{k}", joint=ps.Revolute("x", mimic=ps.Mimic(n))) for k, n in enumerate(names)
    ]
    return Mechanism("m", [*bodies, followed])


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
        (
            lambda: ps.Limits(position=(float("inf"), float("inf"))),
            "no limit is -inf for the small",
        ),
        (
            lambda: ps.Free(mimic=ps.Mimic("a")),
            "a free joint cannot mimic 'a': it has 6 velocities",
        ),
        (lambda: ps.Revolute(mimic="a"), "mimic must be a Mimic"),
        (lambda: ps.Mimic("a", float("nan")), "mimic: multiplier must be finite"),
        (lambda: mimicking("c"), "joint 'a0' mimics the unknown joint 'c'"),
        (lambda: mimicking("a0"), "joint 'a0' mimics itself"),
        (
            lambda: mimicking("b", joint=ps.Free()),
            "'a0' mimics 'b', a free joint; only joints of one",
        ),
        (lambda: ps.Revolute("x", friction=-1), "friction must be a number or 1 numbers"),
        (lambda: ps.Spherical(friction=(1, 2)), "friction must be a number or 3 numbers"),
    ],
)
def test_wrong_data_are_refused(make, message):
    """Check every message."""
    with pytest.raises(ps.ModelError, match=message):
        make()
