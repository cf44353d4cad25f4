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


@settings(max_examples=examples(2))
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
    with pytest.raises(ps.FormulaError, match=r"known are pose\.left_knee\.x, pose\.left_knee\.y"):
        run.evaluate("pose.left_knee")


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


# Force elements


def strut_and_motor():
    """Return an arm held by a strut and driven by a motor with friction, and a state."""
    arm = ps.Body("arm", joint=ps.Revolute("y"), mass=2.0, com=(0.4, 0, 0), inertia=(0.1, 0.2, 0.2))
    strut = ps.Spring(("arm", (0.5, 0, 0)), ("world", (0.2, 0, -0.6)), 80.0, 3.0, 0.5, name="strut")
    drive = ps.JointForce("arm", "2*sin(3*t) - 0.1*v", name="drive it")
    wind = ps.ConstantForce("arm", (0.0, 0.0, 3.0), point=(0.3, 0, 0), name="wind")
    return ps.System("arm", [arm], forces=[strut, drive, wind])


def test_force_elements_answer():
    """Compare with formulas written by hand; the power is what energy gains."""
    system = strut_and_motor()
    run = ps.simulate(system, [0.3], [0.5], 1.0, rtol=1e-10)
    q, v, t = run.q[:, 0], run.v[:, 0], run.t
    end = np.stack([0.5 * np.cos(q), np.zeros_like(q), -0.5 * np.sin(q)], axis=1)
    rate = np.stack([-0.5 * np.sin(q) * v, np.zeros_like(q), -0.5 * np.cos(q) * v], axis=1)
    d = np.array([0.2, 0, -0.6]) - end
    length = np.linalg.norm(d, axis=1)
    closing = np.einsum("ij,ij->i", d, -rate) / length
    pull = 80.0 * (length - 0.5) + 3.0 * closing
    assert_allclose(run.evaluate("length.strut"), length, rtol=1e-12)
    assert_allclose(run.evaluate("rate.strut"), closing, rtol=1e-9, atol=1e-12)
    assert_allclose(run.evaluate("force.strut"), pull, rtol=1e-9, atol=1e-10)
    assert_allclose(run.evaluate("power.strut"), -pull * closing, rtol=1e-9, atol=1e-10)
    torque = 2 * np.sin(3 * t) - 0.1 * v
    assert_allclose(run.evaluate("force.drive_it"), torque, rtol=1e-9, atol=1e-12)
    assert_allclose(run.evaluate('power."drive it"'), torque * v, rtol=1e-9, atol=1e-12)
    assert_allclose(run.evaluate("length.'drive it'"), q)
    assert_allclose(run.evaluate("force.wind"), 3.0, rtol=1e-12)
    assert_allclose(run.evaluate("power.wind"), 3.0 * -0.3 * np.cos(q) * v, rtol=1e-9, atol=1e-12)


def test_the_powers_are_what_the_energy_gains():
    """Differentiate kinetic energy and that of the weight along a run: the power of elements."""
    system = strut_and_motor()
    run = ps.simulate(system, [0.3], [0.5], 1.0, rtol=1e-11)
    times, step = np.linspace(0.1, 0.9, 7), 1e-4
    bare = ps.System("bare", system.bodies)

    def energy(t):
        q, v = run.at(t)
        return bare.kinetic_energy(q, v) + bare.potential_energy(q)

    gain = (energy(times + step) - energy(times - step)) / (2 * step)
    powers = sum(run.evaluate(f"power.{name}", times) for name in ("strut", "drive_it", "wind"))
    assert_allclose(powers, gain, rtol=1e-5, atol=1e-5)
    works = sum(run.work(f"power.{name}") for name in ("strut", "drive_it", "wind"))
    assert_allclose(works, energy(run.t) - energy(run.t[0]), atol=1e-9 * np.abs(works).max())


def test_events_of_force_elements():
    """Stop where a strut is slack."""
    run = ps.simulate(
        strut_and_motor(), [0.3], [0.5], 5.0,
        events=[ps.Event("slack", "length.strut - 0.5", stop=True)],
    )  # fmt: skip
    assert run.t[-1] < 5.0
    assert abs(run.evaluate("length.strut")[-1] - 0.5) < 1e-10


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("force.strat", "there is no force element 'strat'; did you mean 'strut'"),
        ("length.wind", "force element 'wind' has no length"),
    ],
)
def test_mistakes_about_elements_are_named(formula, message):
    run = run_of(strut_and_motor(), [0.3], [0.5])
    with pytest.raises(ps.FormulaError, match=message):
        run.evaluate(formula)
    with pytest.raises(ps.FormulaError, match="the system has none with a name"):
        run_of(double_pendulum(), [0.1, 0.2], [0.0, 0.0]).evaluate("force.a")


def test_at_a_state():
    """Ask a system itself, for one state and for many, with time and parameters."""
    system = strut_and_motor()
    run = ps.simulate(system, [0.3], [0.5], 0.5)
    for name in ("force.strut", "power.wind", "pose.arm.x", "q.arm", "v.arm"):
        values = system.evaluate(name, run.q, run.v)
        assert_allclose(values, run.evaluate(name), rtol=1e-12)
        assert_allclose(system.evaluate(name, run.q[3], run.v[3]), values[3], rtol=1e-12)
    torque = system.evaluate("force.drive_it", run.q, run.v, t=run.t)
    assert_allclose(torque, run.evaluate("force.drive_it"), rtol=1e-12)
    mass = ps.symbols("m")
    weight = ps.FormulaForce("ball", ("0", "0", "-m*2"), name="weight")
    ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=mass)
    system = ps.System("ball", [ball], forces=[weight], parameters={"m": 2.0}, free=["m"])
    given = system.evaluate("force.weight", [0.1], [0.2], parameters={"m": [1.0, 3.0]})
    assert_allclose(given, [2.0, 6.0])


def test_what_a_formula_of_a_state_needs_is_named():
    system = strut_and_motor()
    with pytest.raises(TypeError, match=r"'force.strut' depends on q, v; give v"):
        system.evaluate("force.strut", [0.3])
    with pytest.raises(TypeError, match="unexpected keyword argument 'out'"):
        system.evaluate("force.strut", [0.3], [0.1], out=np.empty(1))
    with pytest.raises(ps.ShapeError, match="v must have shape"):
        system.evaluate("force.strut", [0.3], [0.1, 0.2])


def test_names_that_are_nearly_right_are_suggested():
    """Check hints for quantities of bodies, and that any formula may be asked for."""
    pendulum = ps.library.pendulum()
    for wrong, right in (("pos.bob.x", "pose.bob.x"), ("spee.bob", "speed.bob")):
        with pytest.raises(ps.FormulaError, match=f"did you mean '{right}'"):
            pendulum.evaluate(wrong, [0.3], [0.0])
    found = pendulum.evaluate("energy + 2*sin(bob)", [0.3], [0.2])
    energy = pendulum.kinetic_energy([0.3], [0.2]) + pendulum.potential_energy([0.3])
    assert found == pytest.approx(energy + 2 * np.sin(0.3), rel=1e-14)
