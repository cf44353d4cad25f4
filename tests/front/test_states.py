"""Further states in equations, equilibria, exports and pictures."""

import shutil
import subprocess

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

CART = ps.Body("cart", joint=ps.Prismatic("x", stiffness=50.0, rest=0.1), mass=2.0)


def filtered():
    """Return a cart on a spring that a lagging pressure pushes."""
    return ps.System(
        "cart",
        [CART],
        forces=[ps.JointForce("cart", "0.1*pressure")],
        parameters={"k": 4.0},
        free=["k"],
        states=[
            ps.State("pressure", rate="k*(2 - pressure) - v.cart + sin(t)", unit="Pa"),
            ps.State("lag", rate="cart - 3*lag + 0.5*rate.pressure"),
        ],
    )


def test_rates_are_derived_and_exported(tmp_path):
    """Compare rates in equations, in Python and in C with those that runs integrate."""
    system, rng = filtered(), np.random.default_rng(0)
    equations = ps.derive(system)
    assert "k·(2 - pressure)" in equations.text("state_rates")
    assert r"\dot{s}" in equations.latex("state_rates")
    q, v, tau, t, k, pressure, lag = rng.uniform(-1, 1, 7)
    states = {"pressure": pressure, "lag": lag}
    rates = system.state_rates([q], [v], [tau], t=t, parameters={"k": k}, states=states)
    inputs = [q], [v], [tau], [t], [k, pressure, lag]
    assert_allclose(equations.function("state_rates")(*map(np.array, inputs)), [*rates.values()])
    sources = system.export("python", "state_rates")
    module = {}
    exec(next(text for name, text in sources.files.items() if name.endswith(".py")), module)
    assert_allclose(module["state_rates"](*map(np.array, inputs)), [*rates.values()])
    if shutil.which("cc"):
        system.export("c", ["state_rates", "forward_dynamics"], path=tmp_path)
        command = ["cc", "cart.c", "cart_test.c", "-lm", "-o", "cart"]
        subprocess.run(command, cwd=tmp_path, check=True)
        subprocess.run(["./cart"], cwd=tmp_path, check=True, capture_output=True)


def test_equilibria_with_states_at_rest():
    """An integrator holds a cart off the rest of its spring: its state is that of the balance."""
    error = ps.State("error", rate="cart - 0.7")
    sampled = ps.SampledState("held", update="0.5*held + cart", every=0.1, delay=0.05)
    force = ps.JointForce("cart", "-20*error")
    system = ps.System("held", [CART], forces=[force], states=[error, sampled])
    rest = ps.equilibrium(system)
    assert_allclose(rest.q, 0.7, rtol=1e-12)
    expected = {"error": -50.0 * 0.6 / 20.0, "held": 1.4, "held_next": 1.4}
    assert_allclose([*rest.states.values()], [*expected.values()], rtol=1e-12)
    run = ps.simulate(rest.system, rest.q, [0.0], 0.5)
    assert np.ptp(run.q) < 1e-12
    filling = ps.State("filling", rate="1 + error**2")
    never = ps.System("never", [CART], forces=[force], states=[error, filling])
    with pytest.raises(ps.EquilibriumError, match="state 'filling' does not come to rest"):
        ps.equilibrium(never)


def test_pictures_show_states(tmp_path):
    """Draw a run with its states, by default, by their word and by name."""
    run = ps.simulate(filtered(), [0.0], [0.0], 0.5)
    for what in (None, ["states", ["pressure", "rate.pressure"]]):
        figure = run.plot(tmp_path / "run.svg", what)
        labels = [axes.get_ylabel() for axes in figure.axes]
        assert what is not None or "[Pa]" in labels
    with pytest.raises(ps.ModelError, match="has no further states"):
        ps.simulate(ps.library.pendulum(), [0.1], [0.0], 0.1).plot(tmp_path / "x.svg", ["states"])


def test_states_along_a_drive(tmp_path):
    """Push a driven cart by a pressure: the drive gives m a - (spring + A p), with each p.

    The pressure is a number, one for each position, or both in a batch.
    """
    system, t = filtered(), np.linspace(0.0, 1.0, 5)
    x, pressures = 0.2 + 0.3 * t**2, np.array([1.0, -2.0, 3.0, 0.0, 5.0])

    def force(pressure):
        return 2.0 * 0.6 + 50.0 * (x - 0.1) - 0.1 * pressure

    def drive(**states):
        motion = {"cart": "0.2 + 0.3*t**2"}
        return ps.drive(system, [0.2], motion, positions=5, states=states or None)

    for given in ({}, {"pressure": 7.0}, {"pressure": pressures}):
        study, pressure = drive(**given), given.get("pressure", 0.0)
        assert_allclose(study.drive_forces()["cart"], force(pressure), atol=1e-10)
        assert_allclose(study.states["pressure"], np.broadcast_to(pressure, 5))
    rates = study.evaluate("rate.pressure")
    assert_allclose(rates, 4.0 * (2 - pressures) - 0.6 * t + np.sin(t), atol=1e-10)
    assert "pressure" in study.to_pandas()
    study.save(tmp_path / "one.npz")
    loaded = ps.load_study(tmp_path / "one.npz")
    assert (loaded.drive_forces()["cart"] == study.drive_forces()["cart"]).all()
    many = drive(pressure=np.stack([pressures, 0 * pressures]), lag=[[0.5], [0.6]])
    assert many.shape == (2,)
    assert_allclose(many.drive_forces()["cart"], [force(pressures), force(0.0)], atol=1e-10)
    assert_allclose(many[0].drive_forces()["cart"], force(pressures), atol=1e-10)
    many.save(tmp_path / "many.npz")
    again = ps.load_study(tmp_path / "many.npz")[::-1]
    assert_allclose(again.states["lag"][:, 0], [0.6, 0.5])
    with pytest.raises(ps.ShapeError, match=r"state 'lag' must be a number, .*\(\.\.\., 5\)"):
        drive(lag=[1.0, 2.0])
    with pytest.raises(ps.ModelError, match="has no state 'presure'; did you mean 'pressure'"):
        drive(presure=1.0)


def test_updates_of_sampled_states_are_exported(tmp_path):
    """Compare what a controller computes, in Python and in C, with what runs hold; read files."""
    slide = ps.Body("slide", joint=ps.Prismatic("x"), mass=2.0)
    law = "0.3*force - 40*slide - 9*v.slide + k*lag"
    states = [
        ps.State("lag", rate="slide - lag"),
        ps.SampledState("force", update=law, every=0.1, delay=0.02, unit="N"),
        ps.SampledState("count", update="count + 1", every=0.1),
    ]
    force = ps.JointForce("slide", "force")
    system = ps.System("digital", [slide], forces=[force], parameters={"k": 2.0}, free=["k"],
                       states=states)  # fmt: skip
    run = ps.simulate(system, [0.3], [0.0], 0.25, save=[0.0, 0.1, 0.2, 0.21, 0.25])
    before = {name: values[1] for name, values in run.states.items()} | {"count": 1.0}
    computed = system.state_updates(run.q[1], run.v[1], states=before)
    assert computed == {"force": pytest.approx(run.states["force"][2]), "count": 2.0}
    assert system.state_updates(run.q, run.v)["force"].shape == (5,)
    ps.save(system, tmp_path / "digital.json")
    assert ps.load(tmp_path / "digital.json") == system
    module = {}
    exec(next(iter(system.export("python", "state_updates").files.values())), module)
    numbers = [2.0, before["lag"], before["force"], 0.0, before["count"]]
    inputs = run.q[1], run.v[1], np.zeros(1), np.array(numbers)
    assert_allclose(module["state_updates"](*inputs), [*computed.values()], rtol=1e-12)
    if shutil.which("cc"):
        system.export("c", ["state_updates", "state_rates"], path=tmp_path)
        command = ["cc", "digital.c", "digital_test.c", "-lm", "-o", "digital"]
        subprocess.run(command, cwd=tmp_path, check=True)
        subprocess.run(["./digital"], cwd=tmp_path, check=True, capture_output=True)
    with pytest.raises(ps.ModelError, match="has no sampled states"):
        filtered().state_updates([0.0], [0.0])
    with pytest.raises(ps.ModelError, match="'cart' has no sampled states"):
        filtered().export("c", "state_updates")
