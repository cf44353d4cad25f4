"""Systems with welds, planar joints and springs as planar mechanisms, against closed loops."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.library import planar_linkage
from poinsot.library.planar_linkages import PLANAR_LINKAGES

ROD = {"mass": 1.5, "com": (0.1, 0.02, 0), "inertia": (0.1, 0.1, 0.1)}


@pytest.mark.parametrize("name", PLANAR_LINKAGES)
def test_library_mechanisms_come_back_from_their_systems(name):
    """Check accelerations by closed loops, M, and that links keep their names."""
    mechanism = planar_linkage(name)
    system, drivers = mechanism.system(), mechanism.linkage.drivers
    drawn = mechanism.system_state(mechanism.drawn, 0 * mechanism.drawn)[0]
    again = ps.PlanarMechanism.from_system(system, drivers, drawn)
    assert set(again.linkage.links) == set(mechanism.linkage.links)
    assert np.allclose(again.drawn, mechanism.drawn, atol=1e-12)
    q = mechanism.drawn + 0.05
    v, tau = np.linspace(0.5, 0.9, len(q)), np.linspace(-1.0, 1.5, len(q))
    drives = np.zeros(system.nv)
    columns = [system.v_slice(joint).start for joint in drivers]
    drives[columns] = tau
    state = mechanism.system_state(q, v)
    expected = system.forward_dynamics(*state, drives, backend="floats")[columns]
    assert np.allclose(again.forward_dynamics(q, v, tau), expected, rtol=1e-9, atol=1e-9)
    assert np.allclose(again.mass_matrix(q), mechanism.mass_matrix(q), rtol=1e-9)
    for link, velocity in mechanism.velocities(q, v).items():
        assert np.allclose(again.velocities(q, v)[link], velocity, atol=1e-10)


def four_bar_of_halves(cut):
    """Return a four-bar whose rod is two bodies welded together, by a loop or in the tree."""
    crank = ps.Body("crank", joint=ps.Revolute("z"), **ROD)
    first = ps.Body("first", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **ROD)
    rocker = ps.Body("rocker", joint=ps.Revolute("z", stiffness=3.0, rest=0.4),
                     pose=ps.Pose((0.4, 0, 0)), **ROD)  # fmt: skip
    bent = ps.Pose((0.2, 0, 0), rpy=(0, 0, 0.3))
    pin = ps.Pose((0.2, 0, 0))
    if not cut:
        second = ps.Body("second", "first", ps.Fixed(), bent, **ROD)
        weld = ps.Loop("C", ("second", pin), ("rocker", ps.Pose((0.3, 0, 0))), ps.Revolute("z"))
    else:
        turned = ps.Pose((0.3, 0, 0), rpy=(0, 0, 0.9))
        second = ps.Body("second", "rocker", ps.Revolute("z", stiffness=2.0, rest=0.3), turned,
                         **ROD | {"com": (-0.1, 0.02, 0)})  # fmt: skip
        ends = ("first", bent), ("second", ps.Pose((-0.2, 0, 0), rpy=(0, 0, 0.5)))
        weld = ps.Loop("weld", *ends, ps.Fixed())
    plate = ps.Body("plate", "rocker", ps.Fixed(), ps.Pose((0.1, 0.1, 0)), **ROD)
    base = ps.Body("base", joint=ps.Fixed(), mass=9.0, inertia=(1, 1, 1))
    return ps.System("halves", [base, crank, first, rocker, second, plate], loops=[weld],
                     gravity=(0, -9.81, 0))  # fmt: skip


@pytest.mark.parametrize("cut", [False, True])
def test_bodies_that_are_welded_are_one_link(cut):
    """Check welds in the tree, to the ground and in a loop, where a spring's coordinate shifts."""
    system = four_bar_of_halves(cut)
    near = np.zeros(system.nq)
    near[:3] = 0.7, 0.4, 1.4
    q = system.assemble(near, joints=["crank"])
    tau = np.eye(system.nv)[0]
    v = system.consistent_velocity(q, 2.0 * tau, joints=["crank"])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    assert list(mechanism.linkage.links) == ["crank", "first", "rocker"]
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q[:1], [2.0], [1.0]), expected[0], rtol=1e-10)
    if cut:
        driven = ps.PlanarMechanism.from_system(system, ["second"], q)
        k = system.q_slice("second").start
        pushed = np.eye(system.nv)[k]
        expected = system.forward_dynamics(q, v, pushed, backend="floats")
        found = driven.forward_dynamics(q[k : k + 1], v[k : k + 1], [1.0])
        assert np.allclose(found, expected[k], rtol=1e-10)


def test_planar_joints_are_driven_in_their_coordinates():
    """Check a platform with an arm against the tree's own dynamics."""
    table = ps.Body("table", joint=ps.Planar("x", "y"), pose=ps.Pose((0.1, 0, 0), rpy=(0, 0, 0.4)),
                    **ROD)  # fmt: skip
    arm = ps.Body("arm", "table", ps.Revolute("z"), ps.Pose((0.3, 0, 0)), **ROD)
    system = ps.System("table", [table, arm], gravity=(0, -9.81, 0))
    q, v, tau = np.array([[0.3, -0.2, 0.5, 0.8], [1.0, 2.0, -0.5, 0.7], [1.0, -3.0, 0.5, 0.2]])
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    for drivers in (["table", "arm"], ["table.x", "table.y", "table.angle", "arm"]):
        mechanism = ps.PlanarMechanism.from_system(system, drivers, q)
        assert np.allclose(mechanism.drawn, q)
        assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-10)


def test_springs_between_points_come_along():
    """Check springs to the ground and between links, and one that leaves the plane."""

    def arm(*forces):
        rod = ps.Body("rod", joint=ps.Revolute("z"), **ROD)
        tip = ps.Body("tip", "rod", ps.Revolute("z"), ps.Pose((0.3, 0, 0)), **ROD)
        hub = ps.Body("hub", "tip", ps.Fixed(), ps.Pose((0.1, 0, 0), rpy=(0, 0, 1.0)))
        return ps.System("arm", [rod, tip, hub], forces=forces, gravity=(0, -9.81, 0))

    first = ps.Spring(("world", (0.2, 0.5, 0.1)), ("hub", (0.1, 0.2, 0.1)), stiffness=80, damping=3,
                      length=0.1)  # fmt: skip
    second = ps.Spring(("rod", (0, 0.1, 0)), ("tip", (0.2, 0, 0)), stiffness=50, damping=2)
    system = arm(first, second)
    q, v, tau = np.array([[0.3, 0.8], [1.0, -2.0], [0.5, 0.2]])
    mechanism = ps.PlanarMechanism.from_system(system, ["rod", "tip"], q)
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-10)
    slanted = arm(ps.Spring(("world", (0, 1, 0.2)), ("tip", (0, 0, 0)), stiffness=30, damping=2,
                            length=0.4, name="tilt"))  # fmt: skip
    mechanism = ps.PlanarMechanism.from_system(slanted, ["rod", "tip"], q)
    expected = slanted.forward_dynamics(q, v, tau, backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-10)
