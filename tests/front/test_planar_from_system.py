"""Systems that move in a plane as planar mechanisms, in any plane."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library

SYSTEMS = {
    "slider_crank": library.slider_crank_configuration(0.8),
    "stephenson": library.stephenson_configuration(0.5),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_units_have_the_coordinates_and_dynamics_of_the_system(name):
    """Check coordinates, accelerations and the way back to a system."""
    system, q = getattr(library, name)(), SYSTEMS[name]
    mechanism = ps.PlanarMechanism.from_system(system, ["crank"], q)
    assert np.allclose(mechanism.drawn, q[:1], atol=1e-14)
    tau = np.eye(system.nv)[0]
    v = system.consistent_velocity(q, 2.0 * tau, joints=["crank"])
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q[:1], [2.0], [1.0]), expected[0], rtol=1e-11)
    again = mechanism.system()
    state = mechanism.system_state(q[:1], [2.0])
    energy = again.kinetic_energy(*state, backend="floats")
    assert np.isclose(energy, system.kinetic_energy(q, v, backend="floats"), rtol=1e-12)


def test_any_plane_and_what_is_not_planar():
    """Check a pendulum about -x whose frame is oblique, a spatial joint and a damped hinge."""
    lying = ps.Pose((0.1, 0.2, 0.3), rpy=(0.0, np.pi / 2, 0.7))
    rod = ps.Body("rod", joint=ps.Revolute("z"), pose=lying, mass=2.0, com=(0.3, 0.1, 0),
                  inertia=(0.3, 0.3, 0.5))  # fmt: skip
    tip = ps.Body("tip", "rod", ps.Prismatic("x"), ps.Pose((0.5, 0.0, 0.0)), mass=1.0)
    arm = ps.System("arm", [rod, tip], gravity=(0, 0, -9.81))
    q, v, tau = np.array([0.4, 0.2]), np.array([1.0, -2.0]), np.array([0.3, 0.5])
    mechanism = ps.PlanarMechanism.from_system(arm, ["rod", "tip"], q)
    assert np.allclose(mechanism.drawn, q)
    expected = arm.forward_dynamics(q, v, tau, backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-12)
    ball = ps.System("ball", [rod, ps.Body("ball", "rod", ps.Spherical(), mass=1.0)])
    with pytest.raises(ps.ModelError, match=r"joint 'ball' of 'ball' .spherical.*does not move in"):
        ps.PlanarMechanism.from_system(ball, ["rod"], ball.neutral())


def test_springs_and_dampers_of_joints_come_along():
    """Check hinges either way round, a slide, and a damper in the joint that closes the loop."""
    arm = ps.Body("arm", joint=ps.Revolute("-z", stiffness=3.0, damping=0.4, rest=0.2), mass=1.0,
                  com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))  # fmt: skip
    rod = ps.Body("rod", "arm", ps.Revolute("z", damping=0.3), ps.Pose((0.2, 0, 0)), mass=1.0,
                  com=(0.2, 0, 0), inertia=(0.1, 0.1, 0.1))  # fmt: skip
    ram = ps.Body("ram", joint=ps.Prismatic("x", stiffness=50.0, rest=0.3, damping=2.0), mass=2.0)
    pin = ps.Loop("pin", ("rod", (0.5, 0, 0)), ("ram", (0, 0, 0)), ps.Revolute("z", damping=0.2))
    system = ps.System("engine", [arm, rod, ram], loops=[pin], gravity=(0, -9.81, 0))
    q = system.assemble([0.6, 0.9, 0.6], joints=["arm"])
    v = system.consistent_velocity(q, [2.0, 0, 0], joints=["arm"])
    mechanism = ps.PlanarMechanism.from_system(system, ["arm"], q)
    expected = system.forward_dynamics(q, v, [0.7, 0, 0], backend="floats")
    assert np.allclose(mechanism.forward_dynamics(q[:1], v[:1], [0.7]), expected[0], rtol=1e-10)


@pytest.mark.parametrize("axis", ["z", "-z"])
def test_springs_of_joints_that_close_loops_come_along(axis):
    """Check a pin with a turned frame, either way round, and a slide; the springs are felt."""
    passive = {"stiffness": 7.0, "rest": 0.4, "damping": 0.3}
    turned = ps.Pose((0.5, 0, 0), rpy=(0, 0, 0.9))
    joints = [ps.Revolute("z"), ps.Revolute("z")]
    arm = ps.Body("arm", joint=joints[0], mass=1.0, com=(0.1, 0, 0), inertia=(0.1, 0.1, 0.1))
    rod = ps.Body("rod", "arm", joints[1], ps.Pose((0.2, 0, 0)), mass=1.0, com=(0.2, 0, 0),
                  inertia=(0.1, 0.1, 0.1))  # fmt: skip
    ram = ps.Body("ram", joint=ps.Prismatic("x"), mass=2.0)
    held = ps.Body("ram", "rod", ps.Revolute("z"), ps.Pose((0.5, 0, 0)), mass=2.0)

    def closed(spring):
        pin = ps.Loop("end", ("rod", turned), ("ram", ps.Pose()), ps.Revolute(axis, **spring))
        slide = ps.Loop("end", ("world", ps.Pose()), ("ram", ps.Pose()),
                        ps.Prismatic(axis.replace("z", "x"), **spring))  # fmt: skip
        return [
            ps.System("engine", [arm, rod, ram], loops=[pin], gravity=(0, -9.81, 0)),
            ps.System("engine", [arm, rod, held], loops=[slide], gravity=(0, -9.81, 0)),
        ]

    for system, bare in zip(closed(passive), closed({}), strict=True):
        q = system.assemble([0.6, -0.9, 0.6], joints=["arm"])
        v = system.consistent_velocity(q, [2.0, 0, 0], joints=["arm"])
        mechanism = ps.PlanarMechanism.from_system(system, ["arm"], q)
        acted = q, v, [0.7, 0, 0]
        expected = system.forward_dynamics(*acted, backend="floats")[0]
        found = mechanism.forward_dynamics(q[:1], v[:1], [0.7])
        assert np.allclose(found, expected, rtol=1e-10)
        assert abs(bare.forward_dynamics(*acted, backend="floats")[0] - expected) > 0.1


@pytest.mark.parametrize("normal", [1, -1])
@pytest.mark.parametrize("driven", [True, False])
def test_planar_joints_have_springs_dampers_and_armature(normal, driven):
    """Check a table that is driven in its coordinates, and one that an arm moves."""
    joint = ps.Planar("x", (0, normal, 0), stiffness=(5, 6, 7), damping=(1, 2, 3),
                      rest=(0.1, 0.2, -0.3), armature=(0.4, 0.5, 0.6))  # fmt: skip
    turned = ps.Pose((0.1, 0.2, 0), rpy=(0, 0, 0.5))
    table = ps.Body("table", joint=joint, pose=turned, mass=2.0, com=(0.1, 0.05, 0),
                    inertia=(1, 1, 0.3))  # fmt: skip
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(0.3, 0, 0), inertia=(1, 1, 0.1))
    rod = ps.Body("rod", "arm", ps.Revolute("z"), ps.Pose((0.6, 0, 0)), mass=1.0,
                  com=(0.2, 0, 0), inertia=(1, 1, 0.1))  # fmt: skip
    if driven:
        system, names = ps.System("table", [arm, table], gravity=(0, -9.81, 0)), ["arm", "table"]
        q, v = np.array([0.2, 0.3, 0.4, 0.5]), np.array([1.0, -2.0, 0.5, 0.8])
        count = 4
    else:
        weld = ps.Loop("end", ("rod", ps.Pose((0.5, 0, 0))), ("table", ps.Pose()), ps.Fixed())
        system = ps.System("carried", [arm, rod, table], loops=[weld], gravity=(0, -9.81, 0))
        names, count = ["arm", "rod"], 2
        q = system.assemble([0.6, 0.7, 0, 0, 0], joints=names)
        v = system.consistent_velocity(q, [1.5, -0.4, 0, 0, 0], joints=names)
    tau = np.zeros(system.nv)
    tau[:count] = np.linspace(0.3, -0.8, count)
    mechanism = ps.PlanarMechanism.from_system(system, names, q)
    expected = system.forward_dynamics(q, v, tau, backend="floats")[:count]
    found = mechanism.forward_dynamics(q[:count], v[:count], tau[:count])
    assert np.allclose(found, expected, rtol=1e-10, atol=1e-10)


def test_verify_compares_units_with_closed_loops():
    """Check that the report of a closed planar system has the comparison."""
    report = ps.verify(library.four_bar(), n_states=1, q=library.four_bar_configuration(0.8))
    checks = {check.name: check for check in report.checks}
    assert checks["forward dynamics: closed loops, units"].ok


def test_free_parameters_have_their_numbers_or_given_ones():
    """Check both against the system, and parameters without a number."""
    m, c = ps.symbols("m c")
    rod = ps.Body("rod", joint=ps.Revolute("z", damping=c), mass=m, com=(0.3, 0, 0),
                  inertia=(1, 1, 1))  # fmt: skip
    system = ps.System("arm", [rod], parameters={"m": 2.0, "c": 0.4}, free=["m"])
    q, v, tau = [0.3], [1.2], [0.7]
    for parameters in (None, {"m": 5.0}):
        mechanism = ps.PlanarMechanism.from_system(system, ["rod"], q, parameters=parameters)
        expected = system.forward_dynamics(q, v, tau, parameters=parameters)
        assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-12)
    unknown = system.with_parameters(c=None)
    with pytest.raises(ps.ModelError, match=r"from_system.*c"):
        ps.PlanarMechanism.from_system(unknown, ["rod"], q)
    mechanism = ps.PlanarMechanism.from_system(unknown, ["rod"], q, parameters={"c": 0.4})
    expected = system.forward_dynamics(q, v, tau)
    assert np.allclose(mechanism.forward_dynamics(q, v, tau), expected, rtol=1e-12)


def test_a_driven_system_is_that_of_its_driver():
    """Drive a crank by a prescribed motion: its torque is the multiplier, units name the crank."""
    free, q = ps.library.four_bar(), ps.library.four_bar_configuration(0.4)
    drive = ps.PrescribedMotion("drive", "crank", "0.4 + 3*t + 2*t**2")
    driven = ps.System(
        "driven", free.bodies, loops=free.loops, constraints=[drive], gravity=free.gravity
    )
    units = ps.PlanarMechanism.from_system(driven, ["crank"], q)
    v = free.consistent_velocity(q, [3.0, 0.0, 0.0], joints=["crank"])
    torque = units.inverse_dynamics([q[0]], [v[0]], [4.0])
    multipliers = driven.multipliers(q, v, np.zeros(3)).values
    np.testing.assert_allclose(
        torque, [multipliers[driven.row_names.index("drive: motion")]], rtol=1e-9
    )
    other = ps.PlanarMechanism.from_system(driven, [], q)
    still = other.reactions([], [], [])["drive"]
    np.testing.assert_allclose(
        still, multipliers[driven.row_names.index("drive: motion")], rtol=1e-9
    )
