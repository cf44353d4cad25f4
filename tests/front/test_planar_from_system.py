"""Systems that move in a plane as planar mechanisms, in any plane."""

import numpy as np
import pytest

import poinsot as ps
from poinsot import library
from poinsot.verification.planar_checks import planar_comparisons

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
    damped = ps.System("damped", [ps.Body("rod", joint=ps.Revolute("z", damping=1.0), mass=1.0)])
    with pytest.raises(ps.ModelError, match="'damped' has damping, stiffness or armature"):
        ps.PlanarMechanism.from_system(damped, ["rod"], [0.0])


def test_verify_compares_units_with_closed_loops():
    """Check that the report of a closed planar system has the comparison, and an open one not."""
    report = ps.verify(library.four_bar(), n_states=1, q=library.four_bar_configuration(0.8))
    checks = {check.name: check for check in report.checks}
    assert checks["forward dynamics: closed loops, units"].ok
    pendulum = library.pendulum()
    assert not list(planar_comparisons(pendulum, [pendulum.neutral()]))
