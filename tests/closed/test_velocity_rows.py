"""Constraints on velocities: closed forms, an independent solution, and what they refuse."""

import json
import runpy

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import ellipk

import poinsot as ps
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.request import Request
from poinsot.io.native import mechanism_from_native, native_from_mechanism
from tests.random_examples import examples
from tests.strategies import random_case

MASS, OFFSET, SPIN = 2.0, 0.4, 0.35
"""Of a sled: mass [kg], mass centre in front of the blade [m], inertia about the blade [kg m²]."""


@pytest.fixture(scope="module")
def sleigh():
    """Return a sled on one blade [Bloch2003, section 1.7]."""
    inertia = SPIN - MASS * OFFSET**2
    sled = ps.Body("sled", joint=ps.Planar(), mass=MASS, com=(OFFSET, 0, 0), inertia=[inertia] * 3)
    return ps.System("sleigh", [sled], constraints=[ps.KnifeEdge("blade", "sled")])


def test_chaplygin_sleigh(sleigh):
    """The speed of the blade is c tanh(k t), the turning rate c sqrt(m/J) / cosh(k t)."""
    c, t0 = 1.3, 0.4
    k = c * MASS * OFFSET / SPIN

    def rates(t):
        return c * np.tanh(k * (t - t0)), c * np.sqrt(MASS / SPIN) / np.cosh(k * (t - t0))

    (u, w), angle = rates(0.0), 0.3
    run = ps.simulate(
        sleigh, [0.0, 0.0, angle], [u * np.cos(angle), u * np.sin(angle), w], 3.0, rtol=1e-11
    )
    speeds, turns = rates(run.t)
    along = run.v[:, 0] * np.cos(run.q[:, 2]) + run.v[:, 1] * np.sin(run.q[:, 2])
    np.testing.assert_allclose(along, speeds, atol=1e-9)
    np.testing.assert_allclose(run.v[:, 2], turns, atol=1e-9)
    assert np.abs(sleigh.constraint_rate(run.q, run.v)).max() < 1e-12


@settings(max_examples=examples(2))
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_random_rows_against_a_plain_solution(seed, moving):
    """M a + bias = Aᵀ lam, A a + dA/dt v = db/dt by NumPy; A v = b stays true along runs."""
    case = random_case(seed=seed, n_bodies=2)
    mechanism, rng, q = case.mechanism, case.rng, case.q
    n, m = mechanism.nv, mechanism.nv // 2
    assume(m > 0)
    A0, A1, w = rng.normal(size=(m, n)), rng.normal(size=(m, n)), rng.normal(size=len(q))
    A0 = np.linalg.qr(A0.T)[0].T  # with less of A1 the rows stay independent
    A1 *= 0.5 / np.linalg.norm(A1, 2)
    b = rng.normal(size=m) * moving

    def rows(q, v, t):
        return (A0 + A1 * np.sin(w @ q + t)) @ v - b * np.cos(t)

    free = ps.System.from_mechanism(mechanism)
    system = ps.System.from_mechanism(mechanism.with_constraints([ps.Nonholonomic("rows", rows)]))
    v = system.consistent_velocity(q, case.v)
    angle, rate = w @ q, w @ free.position_rate(q, v) + 1.0
    A, gamma = A0 + A1 * np.sin(angle), A1 * np.cos(angle) @ v * rate
    np.testing.assert_allclose(A @ v, b, atol=1e-12 * (1 + np.abs(v).max()))
    M, bias = free.mass_matrix(q), free.bias(q, v)
    matrix = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    solved = np.linalg.solve(matrix, np.concatenate([-bias, -gamma]))
    a, lam = system.forward_dynamics(q, v), system.multipliers(q, v).values
    for found, expected in ((a, solved[:n]), (lam, solved[n:])):
        size = 1.0 + np.abs(expected).max()
        np.testing.assert_allclose(found, expected, rtol=0.0, atol=1e-10 * size)
    if not moving:
        assert abs(lam @ (A @ v)) < 1e-12 * (1 + np.abs(lam).max() * np.abs(v).max())
    run = ps.simulate(system, q, v, 0.2)
    size = 1 + np.abs(run.v).max()
    assert np.abs(system.constraint_rate(run.q, run.v, t=run.t)).max() < 1e-12 * size


def contradictory():
    """Return an arm with two motors of different speeds."""
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0))
    motors = [ps.PrescribedSpeed(f"motor {k}", "arm", speed) for k, speed in ((1, 2.0), (2, "t"))]
    return ps.System("arm", [arm], constraints=motors)


def test_contradictions_are_named():
    """Speeds that exclude each other are named by the report and by consistent_velocity."""
    system = contradictory()
    assert system.constraint_report([0.0]).contradictory == ("motor 1: speed", "motor 2: speed")
    both = r"no velocity obeys 'motor 1: speed' and 'motor 2: speed' together.*remove one"
    with pytest.raises(ps.AssemblyError, match=both):
        system.consistent_velocity([0.0], [1.0])
    with pytest.raises(ps.ModelError, match=both):
        ps.simulate(system, [0.0], [2.0], 1.0)
    with pytest.raises(ps.ModelError, match=r"of run \[0\] no velocity obeys"):
        ps.simulate(system, [[0.0], [0.1]], [2.0], 1.0, save=[1.0])
    with pytest.warns(ps.SimulationWarning, match=both):  # they agree at t = 2 s only
        ps.simulate(system, [0.0], [2.0], 1.0, start=2.0)


def test_wheel_that_a_motor_contradicts():
    """A wheel rolls on an axle that is kept at 1 m/s and turns with 3 rad/s: a row too many."""
    axle = ps.Body("axle", joint=ps.Prismatic("x"), mass=1.0)
    wheel = ps.Body("wheel", "axle", ps.Revolute("y"), mass=1.0, inertia=(0.1, 0.1, 0.1))
    rows = [
        ps.RollingDisc("road", ("wheel", (0, 0, 0)), radius=0.5, on=("world", (0, 0, -0.5))),
        ps.PrescribedSpeed("tow", "axle", 1.0),
        ps.PrescribedSpeed("motor", "wheel", 3.0),
    ]
    system = ps.System("wheel", [axle, wheel], constraints=rows)
    together = r"'road: rolling', 'tow: speed' and 'motor: speed' together"
    with pytest.raises(ps.ModelError, match=together):
        ps.simulate(system, [0.0, 0.0], [1.0, 2.0], 1.0)
    rolling = ps.System("wheel", [axle, wheel], constraints=rows[:2])
    assert ps.simulate(rolling, [0.0, 0.0], [1.0, 2.0], 0.1).v[-1] == pytest.approx([1.0, 2.0])


def test_what_velocity_rows_refuse(sleigh):
    """A start that slides, symplectic steps, drives, contacts and nonlinear rows say what to do."""
    q, v = [0.0, 0.0, 0.3], [1.0, 0.0, 0.0]
    with pytest.raises(ps.ModelError, match=r"'blade: sideways' by -0.296.*consistent_velocity"):
        ps.simulate(sleigh, q, v, 1.0)
    fitting = sleigh.consistent_velocity(q, v)
    with pytest.raises(ps.ModelError, match=r"'blade: sideways'.*velocities only.*'dp8'"):
        ps.simulate(sleigh, q, fitting, 1.0, integrator="symplectic", step=0.01)
    with pytest.raises(ps.ModelError, match="simulate it, with a PrescribedSpeed"):
        ps.drive(sleigh, q, {"sled.angle": "t"}, 1.0)
    with pytest.raises(ps.ModelError, match="knife edge 'blade' constrains velocities"):
        ps.Contact(ps.KnifeEdge("blade", "sled"), 0.5)
    x = {"x": ("sled", (0, 0, 0), "x")}
    with pytest.raises(ps.ModelError, match="not linear in the velocities"):
        ps.VelocityConstraint("fast", "x_dot**2 - 1", x)
    with pytest.raises(ps.ModelError, match="depends on nothing that moves"):
        ps.VelocityConstraint("still", "x - 1", x)
    with pytest.raises(ps.ModelError, match="edge must be at most radius"):
        ps.RollingDisc("tyre", "wheel", radius=0.3, edge=0.4)
    with pytest.raises(ps.ModelError, match="both frames are on 'sled'"):
        ps.KnifeEdge("blade", "sled", on="sled")
    with pytest.raises(ps.ModelError, match=r"must be a function \(q, v, t\)"):
        ps.Nonholonomic("rows", 3)
    with pytest.raises(ps.FormulaError, match="speed"):
        ps.System("s", sleigh.bodies, constraints=[ps.PointSpeed("go", "sled", speed="3*u")])


def every_kind():
    """Return bodies and a constraint of each kind between them, with a parameter r."""
    pose, r = ps.Pose((0.1, 0, 0), axis="z", angle=0.2), ps.symbols("r")
    where = {"x": ("ball", (0, 0, 0.1), "x"), "turn": "arm"}
    ball = ps.Body("ball", joint=ps.Free(), mass=1.0, com=(0.1, 0, 0), inertia=(0.2, 0.3, 0.4))
    arm = ps.Body("arm", joint=ps.Revolute("x"), mass=1.0, com=(0, 1, 0), inertia=(1, 1, 1))
    return [ball, arm], [
        ps.RollingDisc("disc", ("ball", pose), axis="x", radius=r, edge=0.05, on=("arm", pose)),
        ps.RollingBall("ball on a plane", "ball", radius=r),
        ps.RollingBall("ball above", "ball", radius=0.1, surface="x**2 + z - 2*r", rolling=False),
        ps.RollingEllipsoid("egg", "ball", semi_axes=(0.3, 0.2, r)),
        ps.KnifeEdge("blade", ("ball", (0.1, 0, 0)), across=(1, 1, 0)),
        ps.PrescribedSpeed("motor", "arm", "2*t*r"),
        ps.PrescribedSpeed("fan", "arm", lambda t: 2 * np.sin(t)),
        ps.PointSpeed("cruise", "ball", "z", speed=lambda t: 3 * t),
        ps.VelocityConstraint("formulas", ("x_dot - turn*t*r", "turn_dot - x"), where),
    ]


def test_files_and_free_parameters():
    """Every kind is read as it was written; r may be bound, or free, with the same rows."""
    bodies, constraints = every_kind()
    system = ps.System("all", bodies, constraints=constraints, parameters={"r": 0.3})
    tree = native_from_mechanism(system.mechanism)
    read = ps.System.from_mechanism(mechanism_from_native(json.loads(json.dumps(tree)), "file"))
    free = ps.System("all", bodies, constraints=constraints, parameters={"r": None})
    rng = np.random.default_rng(3)
    q, v = system.mechanism.random(rng), rng.normal(size=system.nv)
    for other, numbers in ((read, {}), (free, {"parameters": {"r": 0.3}})):
        assert other.row_names == system.row_names
        for name in ("constraint_rate", "constraint_bias"):
            expected = getattr(system, name)(q, v, t=0.7)
            found = getattr(other, name)(q, v, t=0.7, **numbers)
            np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-13)
    rates = ps.System("fan", bodies, constraints=constraints[6:8])
    np.testing.assert_allclose(rates.constraint_bias(q, 0 * v, t=0.4), [-2 * np.cos(0.4), -3.0])
    plain = ps.System("rows", bodies, constraints=[ps.Nonholonomic("rows", lambda q, v, t: v[0])])
    with pytest.raises(ps.ModelError, match="function of q, v and t cannot be written"):
        native_from_mechanism(plain.mechanism)


def test_rates_of_every_kind_by_differences():
    """gamma is the rate of A v - b along a motion, and the first rows are rates of phi."""
    bodies, constraints = every_kind()
    system = ps.System("all", bodies, constraints=constraints, parameters={"r": 0.3})
    rng, h = np.random.default_rng(5), 1e-6
    q, v = system.mechanism.random(rng), rng.normal(size=system.nv)
    q[:3] = 0.3, 0.2, 0.4
    ahead, behind = (system.integrate(q, s * h * v) for s in (1, -1))
    keep = system.mechanism.position_rows
    rate = (system.constraint_residual(ahead) - system.constraint_residual(behind)) / (2 * h)
    np.testing.assert_allclose(system.constraint_rate(q, v)[keep], rate[keep], atol=1e-8)
    second = (system.constraint_rate(ahead, v, t=h) - system.constraint_rate(behind, v, t=-h)) / (
        2 * h
    )
    np.testing.assert_allclose(system.constraint_bias(q, v), second, atol=1e-7)
    assert len(keep) == 4


def test_a_disc_rolls_in_a_trough():
    """Its centre swings as a pendulum of length 3/2 (R - r): the period by an elliptic integral."""
    R, r, amplitude = 1.0, 0.3, 0.8
    ways = [ps.Body("x", joint=ps.Prismatic("x")), ps.Body("z", "x", ps.Prismatic("z"))]
    disc = ps.Body("disc", "z", ps.Revolute("y"), mass=2.0, inertia=np.array([1, 2, 1]) * r * r / 2)
    trough = ps.RollingDisc("trough", "disc", radius=r, surface="R**2 - x**2 - z**2")
    system = ps.System("disc", [*ways, disc], constraints=[trough], parameters={"R": R})
    q = np.array([(R - r) * np.sin(amplitude), -(R - r) * np.cos(amplitude), 0.0])
    period = 4 * ellipk(np.sin(amplitude / 2) ** 2) * np.sqrt(1.5 * (R - r) / 9.81)
    run = ps.simulate(system, q, np.zeros(3), period, rtol=1e-10)
    np.testing.assert_allclose(run.q[-1], q, atol=1e-9)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-12
    assert np.abs(system.constraint_rate(run.q, run.v)).max() < 1e-12


def test_a_coin_on_a_surface(tmp_path):
    """On a slope as on a turned plane; in a bowl gamma and rates of phi by differences; files."""
    coin = ps.Body("coin", joint=ps.Free(), mass=2.0, inertia=(0.1, 0.2, 0.1))

    def rolls(**ground):
        tyre = ps.RollingDisc("rim", "coin", radius=0.3, edge=0.1, **ground)
        return ps.System("coin", [coin], constraints=[tyre])

    slope = rolls(surface="z*cos(0.3) - x*sin(0.3) - 0.1")
    turned = rolls(on=("world", ps.Pose((0, 0, 0), axis="y", angle=-0.3)))
    q = slope.assemble([0.3, 0.2, 0.4, 1.0, 0.1, 0.05, 0.02])
    v = slope.consistent_velocity(q, [0.5, 0.1, 0.2, 0.3, 2.0, 0.3])
    assert np.abs(turned.constraint_residual(q)).max() < 1e-12
    assert np.abs(turned.constraint_rate(q, v)).max() < 1e-12
    np.testing.assert_allclose(slope.forward_dynamics(q, v), turned.forward_dynamics(q, v))
    bowl, h = rolls(surface="z - 0.3*x**2 - 0.6*y**2 - 0.1*x*y*z"), 1e-6
    ahead, behind = (bowl.integrate(q, s * h * v) for s in (1, -1))
    rate = (bowl.constraint_residual(ahead) - bowl.constraint_residual(behind)) / (2 * h)
    np.testing.assert_allclose(bowl.constraint_rate(q, v)[0], rate[0], atol=1e-8)
    second = (bowl.constraint_rate(ahead, v) - bowl.constraint_rate(behind, v)) / (2 * h)
    np.testing.assert_allclose(bowl.constraint_bias(q, v), second, atol=1e-7)
    ps.save(bowl, tmp_path / "bowl.json")
    assert ps.load(tmp_path / "bowl.json") == bowl


def test_a_ball_that_grips_the_ground():
    """A ball that slid has 5/7 of its speed when it starts to roll; the impulse is the missing."""
    ball = ps.Body("ball", joint=ps.Free(), mass=2.0, inertia=[0.4 * 2.0 * 0.1**2] * 3)
    system = ps.System("ball", [ball], constraints=[ps.RollingBall("ground", "ball", radius=0.1)])
    after = ps.impact(system, [0, 0, 0.1, 1, 0, 0, 0], [7.0, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(after.v, [5.0, 0, 0, 0, 50.0, 0], atol=1e-12)
    assert after.constraint_impulses["ground: rolling x"] == pytest.approx(-4.0)
    disc = ps.Contact(ps.RollingBall("floor", "ball", radius=0.1, rolling=False), 0.5)
    run = ps.simulate(
        ps.System("ball", [ball]), [0, 0, 0.6, 1, 0, 0, 0], np.zeros(6), 0.5, contacts=[disc]
    )
    assert run.events[0].t == pytest.approx(np.sqrt(1.0 / 9.81), abs=1e-9)


def test_velocity_rows_do_not_stand_in_the_way_of_positions():
    """A row that repeats the rate of a gap is redundant, and the gap closes all the same."""
    ball = ps.Body("ball", joint=ps.Translation(), mass=2.0)
    level = ps.VelocityConstraint("level", "z_dot", {"z": ("ball", (0, 0, 0), "z")})
    blade = ps.KnifeEdge("blade", "ball", across=(1, 2, 3))
    floor = ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z")
    system = ps.System("ball", [ball], constraints=[level, blade, floor])
    q, v = np.array([0.0, 0.1, 1e-5]), np.array([0.2, -0.1, 0.0])
    assert system.mobility(q).redundant == ("floor: surface",)
    ways = [
        evaluators_of(system.mechanism).find(Request("projected_state"), backend).function(q, v)
        for backend in ("llvm", "rolled")
    ]
    np.testing.assert_allclose(ways[0][:6], [0.0, 0.1, 0.0, 0.2, -0.1, 0.0], atol=1e-12)
    np.testing.assert_allclose(ways[1][:6], ways[0][:6], atol=1e-15)
    run = ps.simulate(system, q, v, 0.1)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-12


def test_derived_equations_and_exports(sleigh, tmp_path):
    """Equations show rows of velocities in place of positions; exported code has their numbers."""
    equations, q, v = ps.derive(sleigh), np.array([0.3, 0.1, 0.7]), np.array([0.2, 0.5, -0.4])
    assert "φ̇(q, q̇) = 0" in str(equations)
    assert "φ(q)" not in str(equations)
    derived = equations.function("constraint_rate")(q, v)
    np.testing.assert_allclose(derived, sleigh.constraint_rate(q, v), atol=1e-15)
    both = ps.derive(ps.library.rolling_disc())
    assert "φ(q) = 0,    φ̇(q, q̇) = 0" in both.text()
    sleigh.export("python", ["forward_dynamics"], path=tmp_path)
    exported = runpy.run_path(str(tmp_path / "sleigh.py"))["forward_dynamics"]
    np.testing.assert_allclose(exported(q, v, 0 * v), sleigh.forward_dynamics(q, v), atol=1e-14)


def test_a_ball_on_a_turntable():
    """The centre of a solid ball circles at 2/7 of the table's rate, wherever it began."""
    radius, rate = 0.1, 3.0
    table = ps.Body("table", joint=ps.Revolute("z"), mass=5.0, inertia=(1, 1, 2))
    ball = ps.Body("ball", joint=ps.Free(), mass=1.0, inertia=[0.4 * radius**2] * 3)
    rolls = ps.RollingBall("contact", "ball", radius=radius, on="table")
    motor = ps.PrescribedSpeed("motor", "table", rate)
    system = ps.System("turntable", [table, ball], constraints=[rolls, motor])
    q = np.array([0.0, 0.4, 0.1, radius, 1, 0, 0, 0])
    v = system.consistent_velocity(q, np.array([rate, 0.2, -0.3, 0, 0, 0, 0.5]), joints=["table"])
    run = ps.simulate(system, q, v, 2.0, save=0.02, rtol=1e-11)
    place = run.q[:, 1] + 1j * run.q[:, 2]
    speed = v[1] + 1j * v[2]  # of the centre: the ball is not turned yet
    turn = 1j * rate * 2 / 7
    expected = place[0] + speed * (np.exp(turn * run.t) - 1) / turn
    np.testing.assert_allclose(place, expected, atol=1e-8)
    energy = system.kinetic_energy(run.q, run.v)  # which the motor alone changes
    work = run.work("constraints")
    np.testing.assert_allclose(work - work[0], energy - energy[0], atol=1e-6)
    assert np.ptp(energy) > 0.01


def test_what_motions_reach(sleigh):
    """A sled goes everywhere; a wheel that runs straight on tells how far it went."""
    assert sleigh.reachable_dimension([0.0, 0.0, 0.4]) == 3
    cart = ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0)
    wheel = ps.Body("wheel", "cart", ps.Revolute("y"), mass=1.0, inertia=(1, 1, 1))
    rolls = ps.RollingDisc("tyre", "wheel", radius=0.3, on=("world", (0, 0, -0.3)))
    system = ps.System("cart", [cart, wheel], constraints=[rolls])
    mobility = system.mobility([0.0, 0.0])
    assert (mobility.degrees, mobility.configurations) == (1, 2)
    assert system.reachable_dimension([0.0, 0.0]) == 1
    with pytest.raises(ps.ShapeError, match="reachable_dimension"):
        sleigh.reachable_dimension(np.zeros((2, 3)))


def test_states_of_a_batch_without_parameters(sleigh):
    """Many velocities are made consistent at once, and configurations assembled."""
    rng = np.random.default_rng(2)
    q, v = rng.normal(size=(2, 4, 3)), rng.normal(size=(2, 4, 3))
    allowed = sleigh.consistent_velocity(q, v)
    assert np.abs(sleigh.constraint_rate(q, allowed)).max() < 1e-14
    np.testing.assert_allclose(allowed[1, 2], sleigh.consistent_velocity(q[1, 2], v[1, 2]))
    np.testing.assert_array_equal(sleigh.assemble(q), q)  # nothing constrains positions
