"""States by the names of joints, and systems without the passive forces of joints."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import double_pendulum, puma560


@pytest.fixture
def rover():
    hull = ps.Body("hull", joint=ps.Free(), mass=5.0, inertia=(1, 1, 1))
    arm = ps.Body("arm", "hull", ps.Revolute("y", damping=0.3), mass=1.0, com=(0.2, 0, 0))
    return ps.System("rover", [hull, arm])


def test_entries_joints_and_what_is_left_out(rover):
    """Give one coordinate, one joint with several, and nothing."""
    np.testing.assert_array_equal(rover.q(), rover.neutral())
    q = rover.q({"hull.x": 0.5}, arm=0.3)
    expected = rover.neutral()
    expected[0], expected[7] = 0.5, 0.3
    np.testing.assert_array_equal(q, expected)
    whole = rover.q(hull=[1, 2, 3, 0, 1, 0, 0])
    np.testing.assert_array_equal(whole, [1, 2, 3, 0, 1, 0, 0, 0])
    np.testing.assert_array_equal(rover.v({"hull.wz": 2.0}, arm=-1.0), [0, 0, 0, 0, 0, 2, -1])
    np.testing.assert_array_equal(rover.v(hull=range(6)), [0, 1, 2, 3, 4, 5, 0])


def test_there_and_back(rover):
    """Name the entries of a random configuration, and make it of them again."""
    q = rover.random(np.random.default_rng(2))
    named = rover.named(q)
    assert list(named) == list(rover.coordinate_names)
    np.testing.assert_array_equal(rover.q(named), q)


def test_mistakes_are_named(rover):
    with pytest.raises(ps.ModelError, match="there is no coordinate 'amr'; did you mean 'arm'"):
        rover.q(amr=0.3)
    with pytest.raises(ps.ShapeError, match=r"'hull' has 7 entries, hull\.x, .*; got 3"):
        rover.q(hull=[1, 2, 3])
    with pytest.raises(ps.ShapeError, match="'arm' has 1 entries, arm; got 2"):
        rover.v(arm=[1, 2])
    with pytest.raises(ps.PoinsotError, match="named: q"):
        rover.named([1.0, 2.0])


def test_without_passive_forces(rover):
    """Leave out damping, springs and friction: what is left is that of a plain system."""
    rng = np.random.default_rng(4)
    plain = rover.without_passive()
    q, v = rover.random(rng), rng.normal(size=7)
    np.testing.assert_allclose((rover.bias(q, v) - plain.bias(q, v))[6], 0.3 * v[6], rtol=1e-12)
    np.testing.assert_allclose((rover.bias(q, v) - plain.bias(q, v))[:6], 0.0, atol=1e-12)
    rubbing = puma560()
    assert rubbing.without_passive().bodies[2].mass == rubbing.bodies[2].mass


def test_without_passive_forces_of_loops_and_elements():
    """Leave out a spring in a cut joint and friction elements; keep a motor and armature."""
    joint = ps.Revolute("y", stiffness=3.0, friction=0.2, armature=0.5)
    arm = ps.Body("arm", joint=joint, mass=1.0, com=(0.4, 0, 0), inertia=(1, 1, 1))
    motor = ps.JointForce("arm", "2*cos(t)")
    system = ps.System("arm", [arm], forces=[motor]).with_friction()
    plain = system.without_passive()
    assert plain.forces == (motor,)
    assert plain.bodies[0].joint.armature == system.bodies[0].joint.armature
    hinge = ps.Revolute("y", armature=0.5)
    bare = ps.Body("arm", joint=hinge, mass=1.0, com=(0.4, 0, 0), inertia=(1, 1, 1))
    reference = ps.System("arm", [bare], forces=[motor])
    assert plain == reference
    crank = ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, com=(0.1, 0, 0), inertia=(1, 1, 1))
    rod = ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.2, 0, 0)), mass=1.0)
    pin = ps.Loop("pin", ("rod", (0.5, 0, 0)), ("world", (0.6, 0, 0)),
                  ps.Cylindrical("z", damping=0.1, stiffness=2.0))  # fmt: skip
    closed = ps.System("closed", [crank, rod], loops=[pin]).without_passive()
    assert not any(closed.loops[0].joint.damping)
    assert not any(closed.loops[0].joint.stiffness)


def test_systems_without_any_are_the_same():
    assert double_pendulum().without_passive() == double_pendulum()


def test_limits_as_arrays():
    """Gather limits of one number for all, of one for each, of one end, and none."""
    bodies = [
        ps.Body("a", joint=ps.Planar("x", "y", limits=ps.Limits(position=(-1, 1), velocity=3)),
                mass=1.0, inertia=(1, 1, 1)),
        ps.Body("b", "a", ps.Universal("x", "y", limits=ps.Limits(effort=[4, 5])), mass=1.0,
                inertia=(1, 1, 1)),
        ps.Body("c", "b", ps.Fixed(), mass=1.0),
        ps.Body("d", "c", ps.Free(), mass=1.0, inertia=(1, 1, 1)),
        ps.Body("e", "d", ps.Prismatic("z", limits=ps.Limits(position=(0, np.inf))), mass=1.0),
    ]  # fmt: skip
    limits = ps.System("all", bodies).limits
    inf = np.inf
    np.testing.assert_array_equal(limits.lower, [-1] * 3 + [-inf] * 9 + [0])
    np.testing.assert_array_equal(limits.upper, [1] * 3 + [inf] * 10)
    np.testing.assert_array_equal(limits.velocity, [3] * 3 + [inf] * 9)
    np.testing.assert_array_equal(limits.effort, [inf] * 3 + [4, 5] + [inf] * 7)
    assert ps.System("none", [ps.Body("a", mass=1.0)]).limits.lower.shape == (0,)
