"""Efforts of actuators and forces in bearings, by closed forms and by equilibrium."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

SHAFT = ps.System(
    "shaft",
    [ps.Body("shaft", joint=ps.Revolute("z"), mass=2.0, com=(0.01, 0.0, 0.3), inertia=(1, 1, 0.1))],
)


def test_bearings_of_an_unbalanced_shaft():
    """m e w² shared by the lever arms, and the weight, which is thrust and a couple."""
    run = ps.simulate(SHAFT, [0.0], [50.0], 0.2)
    loads = ps.bearing_loads(run, "shaft", (0.0, 0.4), fixed=1)
    size, couple = 2.0 * 0.01 * 50.0**2, 2.0 * 9.81 * 0.01 / 0.4  # the weight is off the axis
    radial = [size * 0.1 / 0.4 - couple, size * 0.3 / 0.4 + couple]
    assert_allclose(loads.radial, np.tile(radial, (len(run), 1)), rtol=1e-6)
    assert_allclose(loads.thrust, 2.0 * 9.81)
    assert_allclose(loads.forces[:, 1, 2], 2.0 * 9.81)
    assert_allclose(loads.equivalent(), loads.radial[0], rtol=1e-6)
    # the two forces are the joint's reaction
    wrench = run.reactions(axes="body")["shaft"]
    places = np.array([[0, 0, 0.0], [0, 0, 0.4]])
    moments = np.cross(places, loads.forces).sum(axis=1) + loads.torque[:, None] * loads.axis
    assert_allclose(np.hstack([loads.forces.sum(axis=1), moments]), wrench, atol=1e-9)
    with pytest.raises(ps.ModelError, match="must be apart"):
        ps.bearing_loads(run, "shaft", (0.1, 0.1))
    with pytest.raises(ps.ModelError, match="positions must have 2 numbers"):
        ps.bearing_loads(run, "shaft", (0.1,))
    with pytest.raises(ps.ModelError, match="is 0 or 1: 2"):
        ps.bearing_loads(run, "shaft", (0.0, 0.1), fixed=2)
    with pytest.raises(ps.ModelError, match="gear must be a number or 1 of them"):
        ps.effort(run).at_motors(gear=[1.0, 2.0])
    with pytest.raises(ps.ModelError, match="revolute joint"):
        ps.bearing_loads(run, "shift", (0.0, 0.1))


def test_efforts_of_a_shaft_and_its_motor():
    """A constant torque: its work, its root mean square, and the motor behind a gear."""
    run = ps.simulate(SHAFT, [0.0], [0.0], 1.0, tau=[3.0], save=0.001)
    effort = ps.effort(run)
    inertia = SHAFT.mass_matrix([0.0])[0, 0]
    assert_allclose(effort.rms(), 3.0)
    assert_allclose(effort.energy(), 0.5 * inertia * run.v[-1] ** 2, rtol=1e-6)
    assert effort.heaviest()[1:] == ("shaft", 3.0)
    motor = effort.at_motors(gear=20.0, rotor_inertia=1e-4, viscous_friction=2e-4,
                             coulomb_friction=0.01)  # fmt: skip
    a = 3.0 / inertia
    speed = 20.0 * a * run.t[-1]
    expected = 3.0 / 20.0 + 1e-4 * 20.0 * a + 2e-4 * speed + 0.01
    assert_allclose(motor.tau[-1], expected, rtol=1e-6)
    assert_allclose(motor.v[-1], speed, rtol=1e-6)


def test_a_density_may_be_a_function():
    """A cone of density k s: mass, centre and moment of the part beyond a section."""
    bar = ps.Bar("rod", (0, 0, 0), (2, 0, 0), density=lambda s: 3.0 * s**2)
    part = bar.section(1.0)
    assert_allclose(part.mass, 7.0, rtol=1e-5)
    assert_allclose(part.com, (3.0 * 15.0 / 4.0 / 7.0 - 1.0, 0, 0), atol=1e-5)
    with pytest.raises(ps.ModelError, match="density must not be negative"):
        ps.Bar("rod", (0, 0, 0), (2, 0, 0), density=lambda s: 1.0 - s)
