"""Elements and quantities of another package against the same mechanics by other means."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.extending.systems import chain, coupled, mounted, without_forces


def test_pin_in_slot_is_a_slide_that_carries_a_pin(PinInSlot):
    """Compare with prismatic and revolute joints and massless bodies between them."""
    system = chain(PinInSlot, 4)
    bodies, parent = [], "world"
    for body in system.bodies:
        joint = body.joint
        slide = ps.Prismatic(joint.slot, damping=joint.damping[0], stiffness=joint.stiffness[0])
        turn = ps.Revolute(joint.pin, damping=joint.damping[1], stiffness=joint.stiffness[1])
        bodies.append(ps.Body(f"{body.name} slide", parent, slide, body.pose))
        bodies.append(dataclasses.replace(
            body, parent=f"{body.name} slide", joint=turn, pose=ps.Pose()))  # fmt: skip
        parent = body.name
    other = ps.System("chain", bodies)
    rng = np.random.default_rng(3)
    q, v, tau = system.random(rng), rng.normal(size=8), rng.normal(size=8)
    for quantity, given in (
        ("mass_matrix", (q,)), ("bias", (q, v)), ("forward_dynamics", (q, v, tau)),
        ("inverse_dynamics", (q, v, tau)), ("momentum", (q, v)), ("potential_energy", (q,)),
    ):  # fmt: skip
        found = getattr(system, quantity)(*given)
        assert_allclose(found, getattr(other, quantity)(*given), rtol=1e-10, atol=1e-10)


def test_scotch_yoke_closed_by_a_pin_in_slot(PinInSlot):
    """Close a loop with the joint: the yoke is at r cos(angle)."""
    r, inertia, m = 0.2, 0.05, 3.0
    crank = ps.Body("crank", joint=ps.Revolute("z"), mass=1.0, inertia=(0.1, 0.1, inertia))
    yoke = ps.Body("yoke", joint=ps.Prismatic("x"), mass=m, inertia=(0.1, 0.1, 0.1))
    pin = ps.Loop("pin", ("yoke", (0, 0, 0)), ("crank", (r, 0, 0)), PinInSlot("y", "z"))
    system = ps.System("scotch yoke", [crank, yoke], loops=[pin], gravity=(0, 0, 0))
    angle, w, torque = 0.7, 2.0, 0.4
    q = np.array([angle, r * np.cos(angle)])
    v = np.array([w, -r * w * np.sin(angle)])
    assert_allclose(system.constraint_residual(q), 0.0, atol=1e-15)
    assert_allclose(system.constraint_rate(q, v), 0.0, atol=1e-15)
    s, c = np.sin(angle), np.cos(angle)
    a = (torque - m * r**2 * w**2 * s * c) / (inertia + m * r**2 * s**2)
    expected = [a, -r * (a * s + w**2 * c)]
    assert_allclose(system.forward_dynamics(q, v, [torque, 0.0]), expected, rtol=1e-12)
    assert_allclose(system.loop_position("pin", q), [r * s, angle], atol=1e-14)
    assert_allclose(system.loop_velocity("pin", q, v), [r * w * c, w], atol=1e-13)
    assert ps.verify(system, q=q).ok
    assert system.mobility(q).degrees == 1


def test_bushing_along_axes_is_analytic(Bushing):
    """Compare the wrench of pure translations and rotations, and of their rates."""
    numbers = (100, 200, 300), (10, 20, 30), (1, 2, 3), (0.1, 0.2, 0.3), (1e3, 0, 5e2)
    ball = ps.Body("ball", joint=ps.Free(), mass=1.0, inertia=(1, 1, 1))
    system = ps.System(
        "mount", [ball], gravity=(0, 0, 0), forces=[Bushing("world", "ball", *numbers)]
    )
    d, rate = np.array([0.1, -0.2, 0.3]), np.array([0.4, 0.5, -0.6])
    q, still = np.array([*d, 1, 0, 0, 0]), np.zeros(6)
    k, kappa, c, drag, h = map(np.array, numbers)
    force = -system.bias(q, np.array([*rate, 0, 0, 0]))
    assert_allclose(force, [*(-k * d - h * d**3 - c * rate), 0, 0, 0], atol=1e-12)
    assert np.isclose(system.potential_energy(q), k @ d**2 / 2 + h @ d**4 / 4)
    for axis in range(3):
        angle, w = 0.8, 0.5
        unit = np.eye(3)[axis]
        turned = np.array([0, 0, 0, np.cos(angle / 2), *(np.sin(angle / 2) * unit)])
        moment = -system.bias(turned, np.array([0, 0, 0, *(w * unit)]))[3:]
        expected = -(kappa[axis] * np.sin(angle) + drag[axis] * w) * unit
        assert_allclose(moment, expected, atol=1e-12)
        assert np.isclose(system.potential_energy(turned), kappa[axis] * (1 - np.cos(angle)))
    assert_allclose(system.bias(system.neutral(), still), 0.0, atol=1e-15)


def test_bushing_without_moments_is_a_spring(Bushing):
    """Compare one of equal stiffnesses and no torsion with our spring of no length."""
    system = mounted(
        Bushing, stiffness=(70.0,) * 3, torsion=(0, 0, 0), damping=(0, 0, 0), drag=(0, 0, 0),
        progression=(0, 0, 0),
    )  # fmt: skip
    springs = [
        ps.Spring(*[(body, pose.xyz) for body, pose in (one.first, one.second)], 70.0)
        for one in system.forces
    ]
    other = ps.System("car", system.bodies, forces=springs)
    rng = np.random.default_rng(5)
    q, v = system.random(rng), rng.normal(size=12)
    assert_allclose(system.bias(q, v), other.bias(q, v), rtol=1e-10, atol=1e-10)
    assert np.isclose(system.potential_energy(q), other.potential_energy(q))


def test_bushing_keeps_energy_and_momentum(Bushing):
    """Check that its wrenches are in balance, and are the gradient of its energy."""
    none = (0.0, 0.0, 0.0)
    both = mounted(Bushing, damping=none, drag=none)
    system = ps.System("car", both.bodies, forces=both.forces[:1], gravity=none)
    v = np.random.default_rng(7).normal(size=12)
    run = ps.simulate(system, system.neutral(), v, duration=1.0, rtol=1e-10, atol=1e-10)
    energy = run.system.kinetic_energy(run.q, run.v) + run.system.potential_energy(run.q)
    assert np.ptp(energy) < 1e-6 * energy[0]
    assert np.ptp(system.potential_energy(run.q)) > 1.0  # it was stretched, turned, and back
    momentum = system.momentum(run.q, run.v)
    assert_allclose(momentum, momentum[:1].repeat(len(run.q), axis=0), rtol=0, atol=1e-6)


def test_bushing_damps(Bushing):
    """Check that its dampers take the power of the rates that its axes see."""
    system = mounted(Bushing, stiffness=(0, 0, 0), torsion=(0, 0, 0), progression=(0, 0, 0))
    rng = np.random.default_rng(8)
    q, v = system.random(rng), rng.normal(size=12)
    still = system.bias(q, v) - without_forces(system).bias(q, v)
    assert still @ v > 0.0
    slow = system.bias(q, 1e-3 * v) - without_forces(system).bias(q, 1e-3 * v)
    assert_allclose(slow, 1e-3 * still, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("angle", [0.3, 1.2])
def test_homokinetic_coupling_is_a_gear_of_ratio_one(Homokinetic, angle):
    """Compare accelerations with a gear between the joints, however the shafts are inclined."""
    system = coupled(Homokinetic, angle=angle)
    other = coupled(Homokinetic, ps.Gear("coupling", "input", "output", 1.0), angle=angle)
    for at in (0.0, 0.9, -2.0):
        q, v, tau = [at, at], [3.0, 3.0], [0.4, -0.1]
        assert_allclose(system.constraint_residual(q), 0.0, atol=1e-15)
        assert_allclose(system.constraint_rate(q, v), 0.0, atol=1e-15)
        a = system.forward_dynamics(q, v, tau)
        assert_allclose(a, other.forward_dynamics(q, v, tau), rtol=1e-12)
    reactions = system.multipliers(q, v, tau).values * system.constraint_jacobian(q)[0]
    gear = other.multipliers(q, v, tau).values * other.constraint_jacobian(q)[0]
    assert_allclose(reactions, gear, rtol=1e-10)


def test_spin_is_kept_in_free_space(theirs):
    """Check the quantity along a run, and against the sum over bodies."""
    system = ps.library.satellite()
    rng = np.random.default_rng(1)
    q, v = system.random(rng), rng.normal(size=system.nv)
    centre, total = system.centre_of_mass(q), np.zeros(3)
    for body in system.bodies:
        X, V = system.pose(body.name, q), system.velocity(body.name, q, v, axes="world")
        R, arm = X[:3, :3], X[:3, :3] @ body.com
        velocity = V[:3] + np.cross(V[3:], arm)
        total += R @ body.inertia_matrix() @ R.T @ V[3:]
        total += body.mass * np.cross(X[:3, 3] + arm - centre, velocity)
    assert_allclose(system.evaluate("spin", q, v), total, rtol=1e-12)
    run = ps.simulate(system, q, v, duration=1.0, rtol=1e-10, atol=1e-10)
    spins = system.evaluate("spin", run.q, run.v)
    assert_allclose(spins, total[None].repeat(len(spins), axis=0), rtol=1e-7)
