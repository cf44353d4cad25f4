"""Coulomb friction in pins and slides against closed forms, and the laws that it obeys."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from tests.random_examples import examples

G = 9.81


def slider(alpha, mu, **entry):
    """Return a mass on a driven slide along an incline."""
    guide = {"id": "S", "type": "P", "a": "ground", "b": "block", "ua": alpha, "mu": mu, **entry}
    return ps.planar({"block": {"m": 2.0}}, [guide], ["S"], gravity=(0, -G))


@given(st.floats(-1.2, 1.2), st.floats(0.01, 1.0))
@settings(max_examples=examples(10), deadline=None)
def test_a_slider_on_an_incline(alpha, mu):
    """Check the force up and down an incline, acceleration under a force, and nothing at rest."""
    block = slider(alpha, mu)
    weight = 2.0 * G
    for v in (1.0, -1.0):
        force = block.inverse_dynamics([0.3], [v], [0.5])
        expected = 2.0 * 0.5 + weight * (np.sin(alpha) + np.sign(v) * mu * np.cos(alpha))
        assert np.allclose(force, expected, rtol=1e-12)
        a = block.forward_dynamics([0.3], [v], force)
        assert np.allclose(a, 0.5, rtol=1e-10, atol=1e-10)
        rubbing = block.friction([0.3], [v], [0.5])["S"]
        assert np.allclose(rubbing, -np.sign(v) * mu * weight * np.cos(alpha), rtol=1e-12)
    assert np.allclose(block.inverse_dynamics([0.3], [0.0], [0.0]), weight * np.sin(alpha))
    smooth = slider(alpha, mu, slip=0.1)
    forces = [smooth.friction([0.0], [v], [0.0])["S"][0] for v in (0.1, 10.0)]
    assert np.isclose(forces[0] / forces[1], np.sqrt(0.5), rtol=1e-4)


@given(st.floats(0.01, 0.9), st.floats(0.005, 0.03), st.floats(-3, 3), st.floats(-50, 50))
@settings(max_examples=examples(10), deadline=None)
def test_the_friction_circle_of_a_pin(mu, radius, angle, side):
    """Check that the force in a bearing is tangent to the circle of radius r sin φ."""
    lever = ps.planar(
        {"lever": {"m": 3.0, "c": (0.2, 0.0)}},
        [{"id": "A", "a": "ground", "b": "lever", "mu": mu, "radius": radius}],
        ["A"], gravity=(0, -G),
    )  # fmt: skip
    load = {"lever": (side, -20.0, 0.0)}
    circle = radius * np.sin(np.arctan(mu))
    for v in (1.0, -1.0):
        torque = lever.inverse_dynamics([angle], [v], [0.0], loads=load)[0]
        reaction = lever.reactions([angle], [v], [0.0], loads=load)["A"]
        smooth = ps.planar(
            {"lever": {"m": 3.0, "c": (0.2, 0.0)}}, [{"id": "A", "a": "ground", "b": "lever"}],
            ["A"], gravity=(0, -G),
        )  # fmt: skip
        without = smooth.inverse_dynamics([angle], [v], [0.0], loads=load)[0]
        size = np.hypot(*reaction)
        assert np.isclose(torque - without, np.sign(v) * circle * size, rtol=1e-10, atol=1e-12)


def crosshead(offset, length, mu):
    """Return a pusher that drives a slider by a rod along its guide, at some distance from it."""
    return ps.planar(
        {"pusher": {}, "rod": {}, "slider": {}},
        [{"id": "P", "type": "P", "a": "ground", "pa": (0, offset), "b": "pusher"},
         {"id": "B", "a": "pusher", "b": "rod"},
         {"id": "C", "a": "rod", "pa": (0.4, 0), "b": "slider", "pb": (0, offset)},
         {"id": "S", "type": "P", "a": "ground", "b": "slider", "mu": mu, "length": length}],
        ["P"],
    )  # fmt: skip


def test_a_slide_locks_itself_when_it_is_pushed_far_from_its_guide():
    """Check F = W / (1 - 2 μ d / L), and that it is refused where 2 μ d ≥ L."""
    load = {"slider": (-100.0, 0.0, 0.0)}
    for offset in (0.02, 0.1, 0.14):
        machine = crosshead(offset, 0.06, 0.2)
        force = machine.inverse_dynamics([0.1], [1.0], [0.0], loads=load)
        assert np.allclose(force, 100.0 / (1 - 2 * 0.2 * offset / 0.06), rtol=1e-10)
        # Drawn back, the friction helps the load no more than it has to.
        back = machine.inverse_dynamics([0.1], [-1.0], [0.0], loads=load)
        assert np.allclose(back, 100.0 / (1 + 2 * 0.2 * offset / 0.06), rtol=1e-10)
    locked = crosshead(0.16, 0.06, 0.2)
    with pytest.raises(
        ps.SingularUnitError, match=r"joint 'S' locks itself.*mu = 0.2.*S?P = 0.1 m"
    ):
        locked.inverse_dynamics([0.1], [1.0], [0.0], loads=load)
    assert np.isfinite(locked.inverse_dynamics([0.1], [-1.0], [0.0], loads=load)).all()


def engine(mu=0.15, slip=0.0):
    rub = {"mu": mu, "slip": slip}
    return ps.planar(
        {"crank": {"m": 2.0, "J": 0.01, "c": (0.02, 0)},
         "rod": {"m": 1.0, "J": 0.01, "c": (0.1, 0)}, "piston": {"m": 1.5}},
        [{"id": "A", "a": "ground", "b": "crank", "radius": 0.02, **rub},
         {"id": "B", "a": "crank", "pa": (0.05, 0), "b": "rod", "radius": 0.02, **rub},
         {"id": "C", "a": "rod", "pa": (0.2, 0), "b": "piston", "radius": 0.01, **rub},
         {"id": "D", "type": "P", "a": "ground", "b": "piston", "length": 0.08, **rub}],
        ["A"], gravity=(0, -G),
    )  # fmt: skip


@given(st.floats(0, 6.2), st.sampled_from([30.0, -30.0]), st.floats(-200, 200))
@settings(max_examples=examples(8), deadline=None)
def test_power_of_an_engine_with_friction(angle, speed, push):
    """Check that power in is the change of energy plus friction, which always takes some."""
    q, v, a = np.array([angle]), np.array([speed]), np.array([40.0])
    load = {"piston": (push, 0.0, 0.0)}
    rough, smooth = engine(), engine(mu=0.0)
    torque = rough.inverse_dynamics(q, v, a, loads=load)[0]
    frictionless = smooth.inverse_dynamics(q, v, a, loads=load)[0]
    rates = rough.velocities(q, v)
    relative = {"A": rates["crank"][2], "B": rates["rod"][2] - rates["crank"][2],
                "C": -rates["rod"][2], "D": rates["piston"][0]}  # fmt: skip
    rubbing = rough.friction(q, v, a, loads=load)
    reactions = rough.reactions(q, v, a, loads=load)
    lost = sum(rubbing[name][0] * relative[name] for name in relative)
    assert lost < 0.0
    assert np.isclose(torque * speed, frictionless * speed - lost, rtol=1e-8, atol=1e-8)
    sine = np.sin(np.arctan(0.15))
    for name, radius in (("A", 0.02), ("B", 0.02), ("C", 0.01)):
        expected = -np.sign(relative[name]) * radius * sine * np.hypot(*reactions[name])
        assert np.isclose(rubbing[name][0], expected, rtol=1e-8, atol=1e-12)
    N, T = reactions["D"]
    expected = -np.sign(relative["D"]) * 0.15 * max(abs(N), 2 * abs(T) / 0.08)
    assert np.isclose(rubbing["D"][0], expected, rtol=1e-8, atol=1e-10)
    found = rough.forward_dynamics(q, v, [torque], loads=load)
    assert np.allclose(found, a, rtol=1e-8)


def test_batches_turns_and_runs():
    """Check that many states are as one, that turns have it, and that a run loses its energy."""
    machine = engine()
    q = np.linspace(0.1, 6, 90)[:, None]
    v, a = np.full_like(q, 20.0), np.zeros_like(q)
    many = machine.inverse_dynamics(q, v, a)
    assert np.allclose(many[17], machine.inverse_dynamics(q[17], v[17], a[17]), rtol=1e-10)
    turn = machine.turn(20.0, positions=90)
    assert turn.driver_force.mean() > 0.05 > abs(engine(mu=0.0).turn(20.0).driver_force.mean())
    with pytest.raises(ps.ModelError, match=r"simulate: friction of joint 'A'.*\"slip\": 0.01"):
        machine.simulate([0.3], [20.0], 0.1)
    smooth = engine(slip=0.5)
    run = smooth.simulate([0.3], [20.0], 0.4, rtol=1e-8)
    assert np.all(np.diff(run.energy()) < 1e-9)
    k = len(run.t) // 2
    rubbing = smooth.forward_dynamics(run.q[k], run.v[k], [0.0])
    h = run.t[k + 1] - run.t[k - 1]
    assert np.allclose((run.v[k + 1] - run.v[k - 1]) / h, rubbing, rtol=0.2, atol=2.0)


def test_friction_feels_the_teeth_of_gears():
    """Check the torque of a wheel whose bearing takes the force between teeth as well."""
    alpha, mu, radius = np.radians(20), 0.1, 0.015
    pair = ps.planar(
        {"a": {}, "b": {}},
        [{"id": "A", "a": "ground", "b": "a"},
         {"id": "B", "a": "ground", "pa": (0.3, 0), "b": "b", "mu": mu, "radius": radius},
         {"id": "m", "type": "gear", "a": "a", "b": "b", "radii": (0.1, 0.2), "alpha": alpha}],
        ["A"],
    )  # fmt: skip
    for load in (30.0, -30.0):
        torque = pair.inverse_dynamics([0.2], [1.0], [0.0], loads={"b": (0, 0, load)})[0]
        # The tooth's force presses the bearing: F_t = F cos α, and F r sin φ takes its share.
        arm = 0.2 * np.cos(alpha)
        circle = radius * np.sin(np.arctan(mu))
        sign = 1.0 if load > 0 else -1.0
        F = load / (arm - sign * circle)
        assert np.isclose(torque, F * 0.1 * np.cos(alpha), rtol=1e-9)


def test_mistakes_and_what_has_no_friction(tmp_path):
    """Check keys that do not fit, systems, files, and machines without friction."""
    with pytest.raises(ps.ModelError, match="friction in a pin needs its radius"):
        ps.planar({"a": {}}, [{"id": "A", "a": "ground", "b": "a", "mu": 0.1}], ["A"])
    with pytest.raises(ps.ModelError, match="length belongs to slides"):
        ps.planar({"a": {}}, [{"id": "A", "a": "ground", "b": "a", "length": 0.1}], ["A"])
    with pytest.raises(ps.ModelError, match="mu must not be negative"):
        slider(0.0, -0.1)
    machine = engine()
    with pytest.raises(ps.ModelError, match="friction in A, B, C, D depends on reactions"):
        machine.system()
    assert machine.system(friction=False).nv == 3
    machine.save(tmp_path / "engine.json")
    again = ps.load_planar(tmp_path / "engine.json")
    state = [0.4], [10.0], [0.0]
    assert np.allclose(again.inverse_dynamics(*state), machine.inverse_dynamics(*state))
    assert engine(mu=0.0).friction(*state) == {}


def test_variants_with_friction_in_one_call():
    """Check F = W / (1 - 2 μ d / L) of many offsets, NaN where they lock; signs at rest."""
    offsets = np.array([0.02, 0.1, 0.14, 0.16, 0.5])
    ends = np.stack([0 * offsets, offsets], axis=-1)
    load = {"slider": (-100.0, 0.0, 0.0)}
    machine, variants = crosshead(0.1, 0.06, 0.2), {"P.pa": ends, "C.pb": ends}
    share = 2 * 0.2 * offsets / 0.06
    forces = machine.inverse_dynamics([0.1], [1.0], [0.0], loads=load, dimensions=variants)
    locks = share >= 1.0
    assert np.array_equal(np.isnan(forces[:, 0]), locks)
    assert np.allclose(forces[~locks, 0], 100 / (1 - share[~locks]), rtol=1e-9)
    for v, sign in ((-1.0, 1.0), (0.0, 0.0)):
        forces = machine.inverse_dynamics([0.1], [v], [0.0], loads=load, dimensions=variants)
        assert np.allclose(forces[:, 0], 100 / (1 + sign * share), rtol=1e-9)


def test_variants_of_an_engine_are_the_engines_themselves():
    """Check one call over masses and states against engines of these masses, all quantities."""
    machine, masses = engine(), np.array([0.5, 1.0, 3.0])
    q = np.linspace(0.1, 6.0, 7)[:, None]
    v, a = np.full_like(q, -20.0), np.full_like(q, 30.0)
    many = {"rod.m": masses[:, None]}
    tau = machine.inverse_dynamics(q, v, a, dimensions=many)
    back = machine.forward_dynamics(q, v, tau, dimensions=many)
    assert np.allclose(back, 30.0, rtol=1e-7)
    rubbing = machine.friction(q, v, a, dimensions=many)
    reactions = machine.reactions(q, v, a, dimensions=many)
    block = machine.description
    for k, mass in enumerate(masses):
        bodies = block["bodies"] | {"rod": block["bodies"]["rod"] | {"m": mass}}
        single = ps.load_planar(block | {"bodies": bodies})
        assert np.allclose(tau[k], single.inverse_dynamics(q, v, a), rtol=1e-9)
        for name, force in single.friction(q, v, a).items():
            assert np.allclose(rubbing[name][k], force, rtol=1e-7, atol=1e-12)
        for name, force in single.reactions(q, v, a).items():
            assert np.allclose(reactions[name][k], force, rtol=1e-7, atol=1e-9)


@pytest.mark.parametrize("slip", [0.0, 0.05])
def test_complex_steps_through_friction(slip):
    """Check derivatives by the angle and by a mass against differences, to the digits of these."""
    machine = engine(slip=slip)
    v, a, h = np.array([12.0]), np.array([30.0]), 1e-6
    step = machine.inverse_dynamics(np.array([0.7 + 1e-30j]), v, a).imag / 1e-30
    pair = [machine.inverse_dynamics([0.7 + s], v, a) for s in (h, -h)]
    assert np.allclose(step, (pair[0] - pair[1]) / (2 * h), rtol=1e-6)
    tau = np.array([3.0])
    step = machine.forward_dynamics(np.array([0.7 + 1e-30j]), v, tau).imag / 1e-30
    pair = [machine.forward_dynamics([0.7 + s], v, tau) for s in (h, -h)]
    assert np.allclose(step, (pair[0] - pair[1]) / (2 * h), rtol=1e-6)
    with pytest.raises(ps.SingularUnitError, match="locks itself"):
        crosshead(0.16, 0.06, 0.2).inverse_dynamics(
            np.array([0.1 + 1e-30j]), [1.0], [0.0], loads={"slider": (-100.0, 0.0, 0.0)}
        )
    with pytest.raises(ps.ModelError, match="to the digits of floats"):
        machine.inverse_dynamics(np.array([mpmath.mpf(1)]), v, a)
