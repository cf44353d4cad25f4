"""Turns, assemblies and inertias at ports of mechanisms whose constraints change with time."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

SOLID = {"mass": 1.0, "com": (0.2, 0.05, 0), "inertia": (0.1, 0.1, 0.1)}
SPEED, BEGIN = 3.0, 0.4


def five_bar(*, shaken=True):
    """Return a five-bar with a crank and a rocker that is led in time, loads of time too."""
    crank = ps.Body("crank", joint=ps.Revolute("z"), **SOLID)
    rod = ps.Body("rod", "crank", ps.Revolute("z"), ps.Pose((0.1, 0, 0)), **SOLID)
    rocker = ps.Body("rocker", joint=ps.Revolute("z"), pose=ps.Pose((0.6, 0, 0)), **SOLID)
    arm = ps.Body("arm", "rocker", ps.Revolute("z"), ps.Pose((0.3, 0, 0)), **SOLID)
    pin = ps.Loop("pin", ("rod", (0.5, 0, 0)), ("arm", (0.4, 0, 0)), ps.Revolute("z"))
    system = ps.System(
        "five-bar", [crank, rod, rocker, arm], loops=[pin], gravity=(0, -9.81, 0),
        constraints=[ps.PrescribedMotion("led", "rocker", "1.6 + 0.3*sin(2*t)")],
        forces=[ps.FormulaForce("arm", force=("4*cos(3*t)", "x", 0))] if shaken else [],
    )  # fmt: skip
    q = system.assemble([0.0, 0.9, 1.6, 1.2], joints=["crank", "rocker"])
    return system, ps.PlanarMechanism.from_system(system, ["crank"], q)


def state_at(system, mechanism, x, t):
    """Return q, v and a of the system where the crank turns at constant speed."""
    poses = mechanism.positions([x], t=t)
    rocker = 1.6 + 0.3 * np.sin(2 * t)
    angles = {name: poses[name][2] for name in ("rod", "arm")}
    q = np.array([x, angles["rod"] - x, rocker, angles["arm"] - rocker])
    q = system.assemble(q, joints=["crank", "rocker"], t=t)
    v = system.consistent_velocity(q, np.eye(4)[0] * SPEED, joints=["crank"], t=t)
    a = system.consistent_acceleration(q, v, np.zeros(4), joints=["crank"], t=t)
    return q, v, a


def test_a_turn_has_its_time():
    """Check torque, reactions and dead points of a turn that begins later, backwards too."""
    system, mechanism = five_bar()
    for start, stop in ((0.3, None), (0.3, -2.0)):
        turn = mechanism.turn(SPEED, start=start, stop=stop, positions=40, t=BEGIN)
        sign = 1.0 if stop is None else -1.0
        assert_allclose(turn.t, BEGIN + np.abs(turn.x - start) / SPEED, atol=1e-12)
        for k in range(0, 41, 5):
            q, v, a = state_at(system, mechanism, turn.x[k], turn.t[k])
            if sign < 0:
                v = system.consistent_velocity(q, -np.eye(4)[0] * SPEED, joints=["crank"],
                                               t=turn.t[k])  # fmt: skip
                a = system.consistent_acceleration(q, v, np.zeros(4), joints=["crank"],
                                                   t=turn.t[k])  # fmt: skip
            tau = system.inverse_dynamics(q, v, a, joints=["crank"], t=turn.t[k])
            assert abs(turn.driver_force[k] - tau[0]) < 1e-10 * (1 + np.max(np.abs(tau)))
            wrench = system.reactions(q, v, a=a, joints=["crank"], t=turn.t[k], axes="world")
            assert_allclose(turn.bearing_forces["pin"][k], np.linalg.norm(wrench["pin"][:3]),
                            rtol=1e-9)  # fmt: skip
        dead = [point for point in turn.points if point.kind == "dead point"]
        assert {point.links for point in dead} == {("rocker",)}  # the law itself comes to rest
        for point in dead:
            t = BEGIN + abs(point.coordinate - start) / SPEED
            assert abs(np.cos(2 * t)) < 1e-8
    with pytest.raises(ps.ModelError, match="on one whole turn"):
        turn.time_ratio("rocker")


def test_a_turn_is_shown(tmp_path):
    """Check that figure, film and table of a turn in time are written, and the table's times."""
    _, mechanism = five_bar()
    turn = mechanism.turn(SPEED, positions=12, t=BEGIN)
    turn.plot(tmp_path / "turn.png")
    turn.animate(tmp_path / "turn.gif", seconds=0.5)
    turn.save_table(tmp_path / "turn.csv")
    times = np.genfromtxt(tmp_path / "turn.csv", delimiter=",", skip_header=1)[:, 0]
    assert_allclose(times[np.isfinite(times)][:13], turn.t, rtol=1e-5)
    assert (tmp_path / "turn.gif").stat().st_size > 1000


def test_the_inertia_at_a_pin_at_an_instant():
    """Check it by forces in the pin under two accelerations of the crank."""
    _, mechanism = five_bar()
    x, t = 0.7, 0.9
    inertia = mechanism.port_inertia("rod", "rod", [x], t=t)
    assert np.max(np.abs(inertia - mechanism.port_inertia("rod", "rod", [x], t=0.0))) > 1e-3
    moved = 0.1 * np.array([-np.sin(x), np.cos(x)])
    forces = [mechanism.reactions([x], [0.0], [a], t=t)["rod"] for a in (0.0, 1.0)]
    assert_allclose(inertia @ moved, forces[1] - forces[0], atol=1e-10)


def test_assemblies_at_an_instant():
    """Check both by the closure of the pin, the rocker where it is led; the one that runs."""
    _, mechanism = five_bar()
    x, t = 0.7, 0.9
    assert len(mechanism.assemblies([x], t=t)) == 2
    placed = mechanism.assembly_poses([x], t=t)
    for poses in placed:
        assert set(poses) == {*mechanism.linkage.links, mechanism.linkage.frame}
        assert_allclose(poses["rocker"][2], 1.6 + 0.3 * np.sin(2 * t), atol=1e-12)
        ends = [
            poses[name][:2] + length * np.array([np.cos(poses[name][2]), np.sin(poses[name][2])])
            for name, length in (("rod", 0.5), ("arm", 0.4))
        ]
        assert_allclose(*ends, atol=1e-12)
    followed = mechanism.positions([x], t=t)["arm"]
    apart = [np.max(np.abs(np.exp(1j * (poses["arm"] - followed)) - 1)) for poses in placed]
    assert min(apart) < 1e-10 < 0.1 < max(apart)


def test_section_loads_along_a_turn():
    """Check force and moment inside the rod against those of the System at the same instants."""
    system, mechanism = five_bar(shaken=False)
    turn = mechanism.turn(SPEED, start=0.3, positions=8, t=BEGIN)
    bar = ps.Bar("rod", (0, 0, 0), (0.4, 0, 0), density=2.0)
    found = turn.section_loads(bar, cuts=3)
    for k in (0, 3, 8):
        q, v, a = state_at(system, mechanism, turn.x[k], turn.t[k])
        expected = system.section_loads(bar, q, v, a=a, joints=["crank"], cuts=3, t=turn.t[k])
        assert_allclose(found.wrench[k], expected.wrench, atol=1e-9)
    assert np.max(np.abs(found.wrench)) > 1.0
    with pytest.raises(ps.ModelError, match=r"\['formula force'\] come from another System"):
        five_bar()[1].turn(SPEED, positions=8).section_loads(bar)
