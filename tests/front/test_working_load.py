"""Working loads by tables: the work of an indicator diagram, directions, periods."""

import numpy as np
import pytest

import poinsot as ps


def engine():
    return ps.planar(
        {"crank": {}, "rod": {}, "piston": {"m": 0.3}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (0.04, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (0.15, 0), "b": "piston"},
         {"id": "D", "type": "P", "a": "ground", "b": "piston"}],
        ["A"],
    )  # fmt: skip


def mean_work(turn, revolutions):
    """Return the work of the driver over a turn, by the trapezoidal rule."""
    return np.trapezoid(turn.driver_force, turn.x) / revolutions


def test_work_of_an_indicator_diagram():
    """Check that the crank gets the area of the diagram, ∮ (p - p_0) A dx, over two revolutions."""
    x = np.linspace(0, 4 * np.pi, 73)
    pressure = 1e5 + 2.5e6 * np.exp(-((x - 2 * np.pi - 0.3) ** 2))
    gas = ps.WorkingLoad.of_gas("piston", x, pressure, bore=0.08, direction=np.pi)
    turn = engine().turn(100.0, stop=4 * np.pi, positions=2880, loads={"piston": gas})
    force = np.interp(turn.x, x, (pressure - 101325.0)) * np.pi / 4 * 0.08**2
    expected = np.trapezoid(force, turn.output("piston"))  # the driver works against the gas
    assert np.isclose(mean_work(turn, 1), expected, rtol=1e-4)
    assert expected < 0.0
    once = engine().turn(100.0, positions=360, loads={"piston": gas})
    assert np.allclose(once.driver_force[:300], turn.driver_force[: 300 * 4 : 4], atol=1e-9)


def test_resistance_over_the_stroke_acts_one_way():
    """Check the work of a constant cut in one direction of motion: force times stroke."""
    machine = engine()
    for motion, sign in (("forward", -1.0), ("backward", 1.0)):
        cut = ps.WorkingLoad(
            "piston", x=[0.0, 1.0], force=[sign * 200.0] * 2, over="stroke", motion=motion
        )
        turn = machine.turn(10.0, positions=7200, loads={"piston": cut})
        assert np.isclose(mean_work(turn, 1), 200.0 * 0.08, rtol=1e-3)
        assert np.all(turn.loads["piston"][:, 1:] == 0.0)
    slope = ps.WorkingLoad("piston", [0.11, 0.19], [0.0, -100.0], over="stroke", direction=0.0)
    turn = machine.turn(10.0, loads={"piston": slope})
    expected = -100.0 * (turn.output("piston") - 0.11) / 0.08
    assert np.allclose(turn.loads["piston"][:, 0], expected, atol=1e-9)


def test_mistakes_are_named():
    """Check tables that do not increase, other words, and simulations."""
    with pytest.raises(ps.ModelError, match="working load on 'ram': x must increase"):
        ps.WorkingLoad("ram", [1.0, 0.0], [0.0, 1.0])
    with pytest.raises(ps.ModelError, match="over must be one of driver, stroke, got 'time'"):
        ps.WorkingLoad("ram", [0.0, 1.0], [0.0, 1.0], over="time")
    with pytest.raises(ps.ModelError, match="motion must be one of"):
        ps.WorkingLoad("ram", [0.0, 1.0], [0.0, 1.0], motion="up")
    with pytest.raises(ps.ModelError, match="lists of as many numbers"):
        ps.WorkingLoad("ram", [0.0, 1.0], [0.0])
    with pytest.raises(ps.ModelError, match="longer than its period"):
        ps.WorkingLoad("ram", [0.0, 7.0], [0.0, 1.0], period=6.28)
    with pytest.raises(ps.ModelError, match=r"bore .m. must be positive"):
        ps.WorkingLoad.of_gas("ram", [0, 1], [1e5, 1e5], bore=0.0, direction=0.0)
    over = ps.WorkingLoad("rod", [0.0, 1.0], [0.0, 1.0], over="stroke")
    with pytest.raises(ps.ModelError, match="working load: 'rod' is no rocker or slider"):
        engine().simulate([0.3], [1.0], 0.1, loads={"rod": over})
    with pytest.raises(ps.ModelError, match="tables are of floats"):
        engine().bias([0.3j], [1.0], loads={"piston": ps.WorkingLoad("piston", [0, 1], [0, 1])})


TABLES = {
    "gas": ps.WorkingLoad.of_gas(
        "piston", np.linspace(0, 12, 25), np.linspace(1e5, 4e5, 25), bore=0.05, direction=np.pi
    ),
    "cut": ps.WorkingLoad("piston", [0.13, 0.17], [0.0, -80.0], over="stroke", motion="forward"),
    "back": ps.WorkingLoad("piston", [0.13, 0.17], [50.0, 80.0], over="stroke", motion="backward"),
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_loads_of_all_methods(name):
    """Check states against a turn, and a run's energy against the work of the table."""
    machine = ps.planar(
        {"crank": {"m": 4.0, "J": 0.02}, "rod": {"m": 0.2}, "piston": {"m": 0.3}},
        [{"id": "A", "a": "ground", "b": "crank"},
         {"id": "B", "a": "crank", "pa": (0.04, 0), "b": "rod"},
         {"id": "C", "a": "rod", "pa": (0.15, 0), "b": "piston"},
         {"id": "D", "type": "P", "a": "ground", "b": "piston"}],
        ["A"],
    )  # fmt: skip
    load = {"piston": TABLES[name]}
    turn = machine.turn(10.0, positions=90, stop=4 * np.pi, loads=load)
    q, v, a = turn.q, turn.v, np.zeros_like(turn.q)
    for _ in range(3):
        torque = machine.inverse_dynamics(q, v, a, loads=load)
        assert np.allclose(torque[:, 0], turn.driver_force, rtol=1e-12, atol=1e-12)
    assert np.allclose(machine.inverse_dynamics(q[7], v[7], a[7], loads=load), torque[7])
    assert np.allclose(machine.forward_dynamics(q, v, torque, loads=load), a, atol=1e-9)
    assert np.allclose(
        machine.reactions(q, v, a, loads=load)["C"], turn.reactions["C"], rtol=1e-12, atol=1e-12
    )
    run = machine.simulate([0.5], [30.0], 0.6, loads=load, save=1e-4, rtol=1e-10, atol=1e-10)
    force = TABLES[name].at(
        run.q[:, 0] if name == "gas" else run.positions["piston"][:, 0],
        run.velocities["piston"][:, 0],
    )
    work = np.trapezoid(force[:, 0] * run.velocities["piston"][:, 0], run.t)
    assert np.isclose(np.ptp(run.energy()[[0, -1]]), abs(work), rtol=1e-3)
    assert abs(work) > 0.1
