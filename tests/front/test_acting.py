"""Friction and limits that joints carry as data, acting on request."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps


def arm(**options):
    """Return two bodies, one on a hinge and one that moves in a plane, with these options."""
    hinge = ps.Body("hinge", joint=ps.Revolute("y", **options), mass=1, com=(0, 0, -1))
    plate = ps.Body("plate", "hinge", ps.Planar("x", "y", friction=(1, 0, 3)), mass=2,
                    inertia=(1, 1, 1))  # fmt: skip
    return ps.System("arm", [hinge, plate])


def test_friction_that_does_not_act_is_warned_of_and_acts_on_request():
    """Check the warning of simulate, the elements, and the force of each velocity."""
    system = arm(friction=0.5)
    start = ([0.1, 0, 0, 0], [1.0, 2.0, 3.0, -4.0])
    with pytest.warns(ps.ModelWarning, match="'hinge', 'plate' is data and does not act"):
        ps.simulate(system, *start, 0.01)
    acting = system.with_friction(1.5, stribeck=1e-3, smoothing=1e-3)
    ps.simulate(acting, *start, 0.01)
    found = [(one.joint, one.index, one.kinetic, one.static) for one in acting.forces]
    assert found == [("hinge", 0, 0.5, 0.75), ("plate", 0, 1.0, 1.5), ("plate", 2, 3.0, 4.5)]
    more = acting.bias(*start) - system.bias(*start)
    assert_allclose(more, [0.5, 1.0, 0.0, -3.0], atol=1e-12)
    with pytest.raises(ps.ModelError, match="does not act already"):
        acting.with_friction()


def test_friction_of_a_urdf_acts_on_request(tmp_path):
    """Check that what a file carries is warned of, acts, or is left out."""
    text = """<robot name="r"><link name="base"/>
      <link name="arm"><inertial><mass value="2"/><origin xyz="0 0 1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
        <axis xyz="0 0 1"/><dynamics friction="0.7"/>
        <limit lower="-1" upper="2" effort="1" velocity="1"/></joint></robot>"""
    (tmp_path / "r.urdf").write_text(text)
    system = ps.load(tmp_path / "r.urdf")
    with pytest.warns(ps.ModelWarning, match="'turn'"):
        ps.simulate(system, [0.0], [1.0], 0.1)
    plain = ps.load(tmp_path / "r.urdf", passive=False)
    assert_allclose(ps.simulate(plain, [0.0], [1.0], 0.1).v[-1], [1.0], rtol=1e-12)
    slowed = ps.simulate(system.with_friction(), [0.0], [1.0], 0.1, save=[0.1])
    assert_allclose(slowed.v[-1], [1.0 - 0.1 * 0.7 / 1.0], rtol=1e-6)
    stopped = system.with_stops(1e3).with_friction()
    (stop,) = (one for one in stopped.forces if isinstance(one, ps.JointStop))
    assert (stop.lower, stop.upper) == (-1.0, 2.0)


def test_stops_at_limits():
    """Check one stop for each limited coordinate, chosen joints, and that limits then hold."""
    limited = arm(limits=ps.Limits(position=(-0.2, np.inf)))
    system = limited.with_stops(1e5, 0.5)
    (stop,) = system.forces
    assert (stop.joint, stop.lower, stop.upper) == ("hinge", -0.2, np.inf)
    q = [0.5, 0, 0, 0]
    with pytest.warns(ps.ModelWarning, match="'plate'"):
        run = ps.simulate(system, q, [-3.0, 0, 0, 0], 1.0)
    assert run.q[:, 0].min() > -0.25
    with pytest.raises(ps.ModelError, match="'plate' has no limits"):
        limited.with_stops(1e5, joints=["plate"])
    with pytest.raises(ps.ModelError, match="no joint 'hing'; did you mean 'hinge'"):
        limited.with_stops(1e5, joints=["hing"])
    with pytest.raises(ps.ModelError, match="has limits of position"):
        arm().with_stops(1e5)


@pytest.mark.parametrize("method", ["dp8", "dp5", "stiff"])
def test_stops_and_friction_by_explicit_and_stiff_methods(method):
    """Compare the rest of a mass that bounces in its range by three methods."""
    slide = ps.Prismatic("z", friction=2.0, limits=ps.Limits(position=(0.0, 1.0)))
    body = ps.Body("mass", joint=slide, mass=1.0)
    system = ps.System("hopper", [body]).with_friction(smoothing=1e-3).with_stops(1e4, 0.3)
    run = ps.simulate(system, [0.8], [0.0], 3.0, integrator=method, rtol=1e-7, save=[3.0])
    assert run.status.ok
    # at rest on the stop, friction holds what it can: m g - f <= k d <= m g + f
    assert 7.8 / 1e4 <= -run.q[-1, 0] <= 11.9 / 1e4
    assert abs(run.v[-1, 0]) < 1e-3
