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
    """Check elements of time, with inertia, and the ways back to files and systems."""
    q = four_bar().assemble([0.8, 0.3, -1.2], joints=["crank"])

    def refused(force, match):
        with pytest.raises(ps.ModelError, match=match):
            ps.PlanarMechanism.from_system(four_bar(force), ["crank"], q)

    refused(ps.FormulaForce("rod", force=("sin(t)", 0, 0), name="shaker"), "'shaker' changes with")
    push = ps.ConstantForce("rod", force=(1.0, 0, 0), name="push")
    mechanism = ps.PlanarMechanism.from_system(four_bar(push), ["crank"], q)
    with pytest.raises(ps.ModelError, match=r"force elements \['push'\] come from another System"):
        mechanism.system()
    with pytest.raises(ps.ModelError, match=r"\['push'\] come from a System"):
        _ = mechanism.description
