"""Force elements of systems on planar units, against the closed system in an oblique plane."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.model.tabulated_function import Table

ROD = {"mass": 1.5, "com": (0.1, 0.02, 0), "inertia": (0.1, 0.1, 0.1)}
RISING = Table([-2.0, 0.0, 1.0, 3.0], [-9.0, 0.0, 4.0, 20.0])
OFF = ps.Pose((0.1, 0.05, 0.02), rpy=(0.3, -0.2, 0.5))
ELEMENTS = {
    "constant": ps.ConstantForce("rod", force=(3.0, -2.0, 1.5), moment=(0.2, 0.3, 0.4),
                                 point=(0.2, 0.1, 0.3)),
    "following": ps.ConstantForce("crank", force=(3.0, -2.0, 1.5), moment=(1, 2, 3), axes="body"),
    "drag": ps.FormulaForce("rod", force=("-2*vx*abs(vx)", "x*y", "-vz"),
                            moment=("0", "0", "-0.3*y"), point=(0.3, 0.1, 0.2)),
    "slanted": ps.Spring(("world", (0.3, 0.4, 0.7)), ("rod", (0.2, 0, 0.1)), stiffness=40,
                         damping=2, length=0.3),
    "tabulated": ps.TabulatedSpring(("table", (0.3, 0.4, 0.2)), ("rod", (0.2, 0, 0.1)),
                                    spring=RISING, damper=RISING),
    "actuator": ps.Actuator(("table", (0.3, 0.4, 0.2)), ("rocker", (0.2, 0, 0.1)),
                            push="5*length - 2*rate"),
    "bushing": ps.Bushing(("crank", OFF), ("rocker", OFF), stiffness=(9, 4, 3), torsion=(6, 8, 5),
                          damping=(1, 2, 3), torsional_damping=(0.1, 0.2, 0.3)),
    "joint spring": ps.JointSpring("rod", RISING, RISING),
    "joint force": ps.JointForce("rod", "3*sin(q) - 0.4*v*w", where={"w": ("crank", "v")}),
    "stop": ps.JointStop("crank", upper=0.2, stiffness=30.0, dissipation=0.5),
    "motor": ps.Motor("rod", 10, inertia=0.1, torque="3*q"),
    "friction": ps.JointFriction("rocker", kinetic=2.0, viscous=0.3),
}  # fmt: skip


def four_bar(*forces):
    """Return a four-bar on a slanted table, whose rocker turns against the others' axes."""
    lying = ps.Pose((0.1, 0.2, 0.3), rpy=(0.4, np.pi / 3, 0.7))
    bodies = [
        ps.Body("table", joint=ps.Fixed(), pose=lying),
        ps.Body("crank", "table", ps.Revolute("z"), **ROD),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0.05)), **ROD),
        ps.Body("rocker", "table", ps.Revolute("-z"), ps.Pose((0.4, 0, 0)), **ROD),
    ]
    pin = ps.Loop("pin", ("rod", ps.Pose((0.35, 0, 0))), ("rocker", ps.Pose((0.3, 0, 0.05))),
                  ps.Revolute("z"))  # fmt: skip
    return ps.System("bar", bodies, loops=[pin], forces=forces, gravity=(0.3, -0.2, -9.81))


@pytest.mark.parametrize("name", ELEMENTS)
def test_elements_act_as_in_the_closed_system(name):
    """Check accelerations at one state, and of a batch; that the element is felt at all."""
    system = four_bar(ELEMENTS[name])
    q = system.assemble([0.8, 0.3, -1.2], joints=["crank"])
    v = system.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    tau = np.array([0.7, 0, 0])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    expected = system.forward_dynamics(q, v, tau, backend="floats")[:1]
    found = mechanism.forward_dynamics(q[:1], v[:1], tau[:1])
    assert np.allclose(found, expected, rtol=1e-9)
    bare = four_bar().forward_dynamics(q, v, tau, backend="floats")[:1]
    assert not np.allclose(found, bare, rtol=1e-6)
    turn = q[:1] + np.linspace(0.0, 0.5, 4)[:, None]
    guess = np.tile(q, (4, 1))
    guess[:, 0] = turn[:, 0]
    states = np.array([system.assemble(x, joints=["crank"]) for x in guess])
    rates = np.array([system.consistent_velocity(x, [2.0, 0, 0], joints=["crank"]) for x in states])
    expected = np.array([system.forward_dynamics(*x, tau, backend="floats")[:1]
                         for x in zip(states, rates, strict=True)])  # fmt: skip
    found = mechanism.forward_dynamics(turn, 2.0 + 0 * turn, 0.7 + 0 * turn)
    assert np.allclose(found, expected, rtol=1e-8)


def test_elements_store_energy_in_runs():
    """Check that springs of every kind keep the energy of a run without dampers."""
    forces = (
        ps.Bushing(("crank", OFF), ("rocker", OFF), stiffness=(9, 4, 3), torsion=(6, 8, 5)),
        ps.JointSpring("rod", RISING),
        ps.JointSpring("pin", RISING),
        ps.Spring(("world", (0.3, 0.4, 0.7)), ("rod", (0.2, 0, 0.1)), stiffness=40, length=0.3),
    )
    system = four_bar(*forces)
    q = system.assemble([0.8, 0.3, -1.2], joints=["crank"])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    run = mechanism.simulate(q[:1], [3.0], 0.3, rtol=1e-10, atol=1e-12)
    energy = run.energy()
    assert np.ptp(energy) < 1e-6 * np.max(np.abs(energy))
    assert np.ptp(run.q) > 0.1


def test_what_cannot_come_along_is_named():
    """Check the ways back to files and systems."""
    q = four_bar().assemble([0.8, 0.3, -1.2], joints=["crank"])
    push = ps.ConstantForce("rod", force=(1.0, 0, 0), name="push")
    mechanism = ps.PlanarMechanism.from_system(four_bar(push), ["crank"], q)
    with pytest.raises(ps.ModelError, match=r"\['push'\] come from another System"):
        mechanism.system()
    with pytest.raises(ps.ModelError, match=r"\['push'\] come from a System"):
        _ = mechanism.description


AT_CLOSING_JOINTS = {
    "spring": ps.JointSpring("end", RISING, RISING),
    "formula": ps.JointForce("end", "3*sin(q) - 0.4*v*w", where={"w": ("crank", "v")}),
    "read": ps.JointForce("crank", "2*w - x", where={"w": ("end", "v"), "x": ("end", "q")}),
    "stop": ps.JointStop("end", -0.1, 0.1, stiffness=30.0, dissipation=0.5),
    "motor": ps.Motor("end", 10, torque="3*q - v"),
    "friction": ps.JointFriction("end", kinetic=2.0, viscous=0.3),
}  # fmt: skip


def closed_by_pin(axis, *forces, turn=-0.4):
    """Return a four-bar whose last pin has turned frames."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), **ROD),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **ROD),
        ps.Body("rocker", joint=ps.Revolute("-z"), pose=ps.Pose((0.4, 0, 0)), **ROD),
    ]
    end = ps.Loop("end", ("rod", ps.Pose((0.35, 0, 0), rpy=(0, 0, 0.9))),
                  ("rocker", ps.Pose((0.3, 0, 0), rpy=(0, 0, turn))), ps.Revolute(axis),
                  )  # fmt: skip
    return ps.System("bar", bodies, loops=[end], forces=forces, gravity=(0.3, -9.81, 0))


def closed_past_half_a_turn(axis, *forces):
    """Return the four-bar with frames whose angle jumps from π to -π as the crank turns."""
    return closed_by_pin(axis, *forces, turn=np.pi - 0.4)


def closed_by_slide(axis, *forces):
    """Return a slider-crank whose slide closes the loop."""
    bodies = [
        ps.Body("crank", joint=ps.Revolute("z"), **ROD),
        ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **ROD),
        ps.Body("ram", "rod", ps.Revolute("z"), ps.Pose((0.35, 0, 0)), **ROD),
    ]
    end = ps.Loop("end", ("world", ps.Pose()), ("ram", ps.Pose()),
                  ps.Prismatic(axis.replace("z", "x")))  # fmt: skip
    return ps.System("engine", bodies, loops=[end], forces=forces, gravity=(0.3, -9.81, 0))


@pytest.mark.parametrize("axis", ["z", "-z"])
@pytest.mark.parametrize("closed", [closed_by_pin, closed_past_half_a_turn, closed_by_slide])
@pytest.mark.parametrize("name", AT_CLOSING_JOINTS)
def test_elements_of_closing_joints_act_as_in_the_closed_system(name, closed, axis):
    """Check accelerations around a turn of the crank: of units, of the System by units, of rows."""
    system = closed(axis, AT_CLOSING_JOINTS[name])
    start = system.assemble([0.8, 0.3, -1.2], joints=["crank"])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], start)
    tau, states, expected = np.array([0.7, 0, 0]), [(start, start)], []
    for angle in np.linspace(0.8, 0.8 + 2 * np.pi, 13):
        q = system.assemble([angle, *states[-1][0][1:]], joints=["crank"])
        v = system.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
        states.append((q, v))
        a = system.forward_dynamics(q, v, tau, backend="floats")
        expected.append(a[:1])
        by_units = system.forward_dynamics(q, v, tau, method="composable")
        assert np.allclose(by_units, a, rtol=1e-10, atol=1e-9)
        found = mechanism.forward_dynamics(q[:1], v[:1], tau[:1])
        assert np.allclose(found, a[:1], rtol=1e-10, atol=1e-9)
    rows, rates = (np.array(x)[:, :1] for x in zip(*states[1:], strict=True))
    found = mechanism.forward_dynamics(rows, rates, 0.7 + 0 * rows)
    assert np.allclose(found, expected, rtol=1e-10, atol=1e-9)
    bare = ps.PlanarMechanism.from_system(closed(axis), ["crank"], start)
    assert not np.allclose(found, bare.forward_dynamics(rows, rates, 0.7 + 0 * rows), rtol=1e-3)


def test_loads_of_runs_stand_for_elements_of_time():
    """Check a shaker as a load on its link, and as an element that comes along."""
    start = closed_by_pin("z").assemble([0.8, 0.3, -1.2], joints=["crank"])
    mechanism = ps.PlanarMechanism.from_system(closed_by_pin("z"), ["crank"], start)
    loads = {"rod": lambda t, q, v: np.array([9.0 * np.sin(5.0 * t), 0.0, 0.0])}
    run = mechanism.simulate(start[:1], [3.0], 0.4, rtol=1e-9, atol=1e-10, loads=loads)
    shaker = ps.FormulaForce("rod", force=("9*sin(5*t)", 0, 0), point=ROD["com"])
    v = closed_by_pin("z").consistent_velocity(start, [3.0, 0, 0], joints=["crank"])
    ends = [
        ps.simulate(closed_by_pin("z", *forces), start, v, 0.4, rtol=1e-9, atol=1e-10).q[-1, 0]
        for forces in ([shaker], [])
    ]
    assert abs(run.q[-1, 0] - ends[0]) < 1e-6
    shaken = ps.PlanarMechanism.from_system(closed_by_pin("z", shaker), ["crank"], start)
    by_element = shaken.simulate(start[:1], [3.0], 0.4, rtol=1e-9, atol=1e-10)
    assert abs(by_element.q[-1, 0] - ends[0]) < 1e-6
    assert abs(ends[1] - ends[0]) > 1e-3


def test_a_pin_within_a_link_is_at_rest():
    """Check an element that reads a loop's pin between two bodies that are welded together."""
    plate = ps.Body("plate", "crank", ps.Fixed(), ps.Pose((0.1, 0, 0), rpy=(0, 0, 0.7)), **ROD)
    crank = ps.Body("crank", joint=ps.Revolute("z"), **ROD)
    pin = ps.Loop("pin", ("crank", (0.1, 0, 0)), ("plate", (0, 0, 0)), ps.Revolute("z"))
    force = ps.JointForce("crank", "2*w", where={"w": ("pin", "q")})
    system = ps.System("stiff", [crank, plate], loops=[pin], forces=[force])
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], [0.3])
    inertia = mechanism.mass_matrix([0.3])[0, 0]
    assert np.allclose(mechanism.forward_dynamics([0.3], [0.0], [0.0]) * inertia, 1.4)
