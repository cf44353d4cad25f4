"""Quantities in formulas, by their names."""

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import double_pendulum
from tests.random_examples import examples
from tests.strategies import cases


def run_of(system, q, v):
    return ps.simulate(system, q, v, 0.01, integrator="rk4", step=0.005)


@settings(max_examples=examples(4))
@given(cases(max_bodies=3, passive=False))
def test_values_are_those_of_the_methods(case):
    """Compare every name with the method that gives it, on random trees."""
    system = ps.System.from_mechanism(case.mechanism)
    if not system.nv or np.linalg.cond(system.mass_matrix(case.q)) > 1e4:
        return
    run = run_of(system, case.q, case.v)
    body = system.bodies[-1].name
    pose, velocity = run.pose(body), system.velocity(body, run.q, run.v, axes="world")
    kinetic, potential = system.kinetic_energy(run.q, run.v), system.potential_energy(run.q)
    expected = {
        "energy": kinetic + potential,
        "kinetic_energy": kinetic,
        "potential_energy": potential,
        f'speed."{body}"': np.linalg.norm(velocity[:, :3], axis=1),
        **{f'pose."{body}".{axis}': pose[:, k, 3] for k, axis in enumerate("xyz")},
        **{
            f"velocity.'{body}'.{name}": velocity[:, k]
            for k, name in enumerate(("x", "y", "z", "wx", "wy", "wz"))
        },
    }
    centre = system.centre_of_mass(run.q)
    expected |= {f"centre_of_mass.{axis}": centre[:, k] for k, axis in enumerate("xyz")}
    for name, values in expected.items():
        assert_allclose(run.evaluate(name), values, rtol=1e-9, atol=1e-9, err_msg=name)


def test_events_stop_where_a_body_is():
    """Stop where the end of a pendulum passes a height, on its way up."""
    system = double_pendulum()
    event = ps.Event("high", "pose.lower.z + 0.3", direction="up", stop=True)
    run = ps.simulate(system, [2.0, 0.0], [0.0, 0.0], 9.0, events=[event])
    assert run.t[-1] < 9.0
    assert_allclose(system.pose("lower", run.q[-1])[2, 3], -0.3, atol=1e-12)
    assert system.velocity("lower", run.q[-1], run.v[-1], axes="world")[2] > 0


def test_quantities_follow_free_parameters():
    """Evaluate the energy of a run with another mass than the default."""
    mass = ps.symbols("m")
    ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=mass)
    system = ps.System("ball", [ball], parameters={"m": 2.0}, free=["m"])
    run = ps.simulate(system, [1.0], [0.5], 0.3, parameters={"m": 3.0})
    assert_allclose(run.evaluate("energy"), 3.0 * (9.81 + 0.125), rtol=1e-9)


def test_names_with_blanks_and_dots():
    """Write names with quotes, and with _ for what formulas do not allow."""
    knee = ps.Body("left knee", joint=ps.Revolute("y"), mass=1.0, com=(0.4, 0, 0))
    toe = ps.Body("toe.2", "left knee", ps.Revolute("y"), ps.Pose((0.4, 0, 0)), mass=1.0,
                  com=(0.2, 0, 0))  # fmt: skip
    system = ps.System("leg", [knee, toe])
    run = run_of(system, [0.3, 0.2], [0.1, -0.4])
    expected = run.pose("toe.2")[:, 2, 3]
    for name in ('pose."toe.2".z', "pose.'toe.2'.z", "pose.toe.2.z"):
        assert_allclose(run.evaluate(name), expected, rtol=1e-12)
    assert_allclose(run.evaluate("speed.left_knee"), 0.0, atol=1e-12)
    for name in ('"left knee"', 'q."left knee"', "left_knee"):
        assert_allclose(run.evaluate(name), run.q[:, 0])
    assert_allclose(run.evaluate("v.'left knee' + v.\"toe.2\""), run.v.sum(axis=1))


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("pose.lowr.z", "there is no body 'lowr'; did you mean 'lower'"),
        ("pose.lower.w", "known are pose.lower.x, pose.lower.y, pose.lower.z"),
        ("pose.lower", "known are pose.lower.x"),
        ("speed.lower.x", "known are speed.lower"),
        ("velocity.lower.angular", "velocity.lower.wz"),
        ("pose.'lower.z", "unexpected '.'"),
        ("speed", "unknown name 'speed'"),
    ],
)
def test_mistakes_are_named(formula, message):
    run = run_of(double_pendulum(), [0.1, 0.2], [0.0, 0.0])
    with pytest.raises(ps.FormulaError, match=message):
        run.evaluate(formula)


def test_clashes_are_refused():
    """Call a joint "energy", and two bodies so that they are written alike."""
    body = ps.Body("energy", joint=ps.Prismatic("z"), mass=1.0)
    run = run_of(ps.System("s", [body]), [0.3], [0.1])
    with pytest.raises(ps.FormulaError, match=r"is a quantity and also a coordinate.*q\.energy"):
        run.evaluate("energy")
    assert_allclose(run.evaluate("q.energy"), run.q[:, 0])
    bodies = [ps.Body(name, joint=ps.Prismatic("z"), mass=1.0) for name in ("a b", "a/b")]
    run = run_of(ps.System("s", bodies), [0.3, 0.4], [0.1, 0.2])
    with pytest.raises(ps.FormulaError, match=r'several bodies; write "a b" or "a/b", with quotes'):
        run.evaluate("pose.a_b.z")
    assert_allclose(run.evaluate('pose."a/b".z'), run.q[:, 1])
