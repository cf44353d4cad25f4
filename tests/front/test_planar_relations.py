"""Constraints of systems as equations of planar units: gears on moving carriers, cams, curves.

The oracle is the closed system by the other formulations, over a turn of the driver.
"""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from tests.formulations.test_planar_cams import LEVER, cam
from tests.formulations.test_planar_curves import moving_curve
from tests.formulations.test_planar_gears import geared_five_bar

ROD = {"mass": 1.5, "com": (0.1, 0.02, 0), "inertia": (0.1, 0.1, 0.1)}
ANGLES = np.linspace(0, 2 * np.pi, 12, endpoint=False)
TABLE = {"angles": ANGLES.tolist(), "values": (0.04 + 0.01 * np.cos(ANGLES)).tolist()}
MECHANISMS = {
    "planets": library.planetary_gear,
    "five-bar": geared_five_bar,
    "knife": lambda: library.cam_and_follower("knife"),
    "roller": lambda: library.cam_and_follower("roller"),
    "flat": lambda: library.cam_and_follower("flat"),
    "lever": lambda: cam("roller", **LEVER),
    "profile": lambda: cam(profile=TABLE),
    "moving profile": lambda: moving_curve("table"),
    "moving formula": lambda: moving_curve("parabola"),
}


def closed_accelerations(system, state, drivers, tau):
    """Return accelerations of all joints by closed loops, and the forces of the drivers in tau."""
    drives = np.zeros(system.nv)
    columns = [system.v_slice(name).start for name in drivers]
    drives[columns] = tau
    return system.forward_dynamics(*state, drives, backend="floats"), drives, columns


@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_come_back_from_their_systems(name):
    """Check accelerations over a turn: of all joints by units, of the drivers turned back twice."""
    mechanism = MECHANISMS[name]()
    system, drivers = mechanism.system(), mechanism.linkage.drivers
    nq = len(drivers)
    start = np.full(nq, 0.3) if mechanism.linkage.drawn is None else mechanism.drawn
    drawn = mechanism.system_state(start, np.zeros(nq))[0]
    again = ps.PlanarMechanism.from_system(system, drivers, drawn)
    whole = again.system()
    with pytest.raises(ps.ModelError, match=r"\[.*\] come from a System"):
        _ = again.description
    v, tau = np.linspace(1.0, 1.4, nq), np.linspace(1.3, -0.4, nq)
    reach = 0.3 if name.startswith("moving") else 2 * np.pi
    for turned in np.linspace(0.0, reach, 7):
        q = start + turned
        state = mechanism.system_state(q, v)
        expected, drives, columns = closed_accelerations(system, state, drivers, tau)
        size = 1.0 + np.max(np.abs(expected))
        found = again.forward_dynamics(q, v, tau)
        assert np.max(np.abs(found - expected[columns])) < 1e-10 * size
        by_units = system.forward_dynamics(*state, drives, method="composable")
        assert np.max(np.abs(by_units - expected)) < 1e-10 * size
        twice = closed_accelerations(whole, again.system_state(q, v), drivers, tau)
        assert np.max(np.abs(twice[0][twice[2]] - found)) < 1e-10 * size


@pytest.mark.parametrize("axis", ["z", "-z"])
def test_coupled_joints_of_loops_count_as_the_system_does(axis):
    """Check a pendulum geared to a pin that closes a loop, whose axis is with or against others."""
    crank = ps.Body("crank", joint=ps.Revolute("z"), **ROD)
    rod = ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **ROD)
    rocker = ps.Body("rocker", joint=ps.Revolute("z"), pose=ps.Pose((0.4, 0, 0)), **ROD)
    pointer = ps.Body("pointer", joint=ps.Revolute("z"), pose=ps.Pose((0, 0.5, 0)), **ROD)
    bent = ps.Pose((0.35, 0, 0), rpy=(0, 0, 0.4))
    pin = ps.Loop("pin", ("rod", bent), ("rocker", ps.Pose((0.3, 0, 0))), ps.Revolute(axis))
    geared = ps.Gear("geared", "pin", "pointer", ratio=0.7)
    system = ps.System("watch", [crank, rod, rocker, pointer], loops=[pin], constraints=[geared],
                       gravity=(0, -9.81, 0))  # fmt: skip
    q = system.assemble([0.8, 0.3, 1.2, 0.0], joints=["crank"])
    v = system.consistent_velocity(q, [2.0, 0, 0, 0], joints=["crank"])
    tau = np.array([0.7, 0, 0, 0])
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    found = system.forward_dynamics(q, v, tau, method="composable")
    assert np.allclose(found, expected, rtol=1e-9)
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    back = mechanism.forward_dynamics(q[:1], v[:1], tau[:1])
    assert np.allclose(back, expected[:1], rtol=1e-9)


def test_equations_of_points_hold_in_an_oblique_plane():
    """Check a rod without mass, points on a surface and formulas of places against closed loops."""
    lying = ps.Pose((0.1, 0.2, 0.3), rpy=(0.4, np.pi / 3, 0.7))
    table = ps.Body("table", joint=ps.Fixed(), pose=lying)
    arm = ps.Body("arm", "table", ps.Revolute("z"), **ROD)
    fore = ps.Body("fore", "arm", ps.Revolute("z"), ps.Pose((0.3, 0, 0.05)), **ROD)
    block = ps.Body("block", "table", ps.Prismatic("x"), ps.Pose((0.2, -0.3, 0.1)), **ROD)
    shifted = ps.Pose((0.1, 0.05, 0.02), rpy=(0.0, 0.0, 0.5))
    tip = ("fore", (0.3, 0.0, 0.0))
    relations = [
        ps.Distance("rod", tip, ("block", (0, 0, 0.2)), 0.6),
        ps.PointOnSurface("slot", tip, "x**2/0.3 + (y - 0.1*z)**2 - 0.5", on=("block", shifted)),
        ps.FormulaConstraint("rail", "x + 2*y*y - 0.3*z - u - 0.2",
                             where={"x": (*tip, "x"), "y": (*tip, "y"), "z": (*tip, "z"),
                                    "u": "block"}),
        ps.Holonomic("pushed", lambda q, t: q[2] - 0.2 * np.sin(q[0]) - 0.1 * q[0] * q[1]),
    ]  # fmt: skip
    for relation in relations:
        system = ps.System("press", [table, arm, fore, block], constraints=[relation],
                           gravity=(0.3, -0.2, -9.81))  # fmt: skip
        q = system.assemble([0.4, 0.9, 0.1], joints=["arm"])
        v = system.consistent_velocity(q, [1.0, -2.0, 0.0], joints=["arm", "fore"])
        tau = np.array([0.7, -0.4, 0.0])
        expected = system.forward_dynamics(q, v, tau, backend="floats")
        found = system.forward_dynamics(q, v, tau, method="composable")
        assert np.allclose(found, expected, rtol=1e-9)
        mechanism = ps.PlanarMechanism.from_system(system, ["arm", "fore"], q)
        back = mechanism.forward_dynamics(q[:2], v[:2], tau[:2])
        assert np.allclose(back, expected[:2], rtol=1e-9)


def test_the_method_takes_what_changes_with_time_and_with_parameters():
    """Check accelerations and reactions of an arm that is led, its amplitude a parameter."""
    arm = ps.Body("arm", joint=ps.Revolute("z"), **ROD)
    fore = ps.Body("fore", "arm", ps.Revolute("z"), ps.Pose((0.3, 0, 0)), **ROD)
    led = ps.FormulaConstraint("led", "u - p - A*sin(t)", where={"u": "arm", "p": "fore"})
    system = ps.System("led", [arm, fore], constraints=[led], parameters={"A": 1.0}, free=["A"])
    for A in (1.0, 2.5):
        how = {"t": 0.4, "parameters": {"A": A}}
        q = [0.3 + A * np.sin(0.4), 0.3]
        v = [0.2 + A * np.cos(0.4), 0.2]
        expected = system.forward_dynamics(q, v, [0.5, -0.7], **how)
        found = system.forward_dynamics(q, v, [0.5, -0.7], method="composable", **how)
        assert np.allclose(found, expected, rtol=1e-10)
        assert np.isclose(expected[0] - expected[1], -A * np.sin(0.4))
        wrench = system.reactions(q, v, tau=[0.5, -0.7], **how)["fore"]
        by_units = system.reactions(q, v, tau=[0.5, -0.7], method="composable", **how)["fore"]
        assert np.allclose(by_units, wrench, rtol=1e-9, atol=1e-9)
