"""Simulation on constraints: residuals at every stored state, energy, and another integrator."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import poinsot as ps

POSITION, VELOCITY = 1e-10, 1e-9
"""What every stored state must obey."""


def rod(name, parent, x, length, mass):
    """Return a uniform rod along x that turns about z."""
    inertia = mass * length**2 / 12
    return ps.Body(
        name,
        parent,
        ps.Revolute("z"),
        ps.Pose((x, 0, 0)),
        mass=mass,
        com=(length / 2, 0, 0),
        inertia=(1e-3, inertia, inertia),
    )


FOUR_BAR = ps.System(
    "four-bar",
    [rod("a", "world", 0, 0.3, 1.0), rod("b", "a", 0.3, 0.8, 2.0), rod("c", "b", 0.8, 0.6, 1.5)],
    gravity=(0, -9.81, 0),
    loops=[ps.Loop("pin", ("world", ps.Pose((0.7, 0, 0))), ("c", (0.6, 0, 0)), ps.Revolute("z"))],
)


def four_bar_state(angle=0.8, rate=3.0):
    """Return q and v of the four-bar by trigonometry."""
    B = 0.3 * np.array([np.cos(angle), np.sin(angle)])
    BD = np.array([0.7, 0.0]) - B
    d = np.hypot(*BD)
    coupler = np.arctan2(BD[1], BD[0]) + np.arccos((0.8**2 + d**2 - 0.6**2) / (2 * 0.8 * d))
    C = B + 0.8 * np.array([np.cos(coupler), np.sin(coupler)])
    rocker = np.arctan2(-C[1], 0.7 - C[0])
    q = np.array([angle, coupler - angle, rocker - coupler])
    J = FOUR_BAR.constraint_jacobian(q)[:2]
    return q, np.concatenate([[rate], np.linalg.solve(J[:, 1:], -J[:, 0] * rate)])


def spherical_chain():
    """Return three bodies on ball joints, the tip on an ellipsoid, and a configuration."""
    bodies = [
        ps.Body(
            name,
            parent,
            ps.Spherical(),
            ps.Pose(place),
            mass=1.0,
            com=(0.2, 0, 0),
            inertia=(0.02, 0.03, 0.04),
        )
        for name, parent, place in (
            ("a", "world", (0, 0, 0)),
            ("b", "a", (0.5, 0, 0)),
            ("c", "b", (0.5, 0, 0)),
        )
    ]
    q = ps.System("open", bodies).random(np.random.default_rng(3))
    x, y, z, _ = ps.System("open", bodies).pose("c", q) @ [0.5, 0, 0, 1]
    level = x**2 + y**2 + 2 * z**2
    ball = ps.PointOnSurface("ball", ("c", (0.5, 0, 0)), f"x**2 + y**2 + 2*z**2 - {level}")
    return ps.System("chain on an ellipsoid", bodies, constraints=[ball]), q


@pytest.mark.parametrize("method", ["dp8", "dp5"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
@pytest.mark.parametrize("save", [None, 0.05])
def test_every_stored_state_obeys_the_constraints(method, rtol, save):
    q, v = four_bar_state()
    run = ps.simulate(FOUR_BAR, q, v, 10.0, integrator=method, rtol=rtol, save=save)
    assert run.status.ok
    assert np.abs(FOUR_BAR.constraint_residual(run.q)).max() <= POSITION
    assert np.abs(FOUR_BAR.constraint_rate(run.q, run.v)).max() <= VELOCITY
    at = run.at(np.linspace(0, 10, 57))
    assert np.abs(FOUR_BAR.constraint_residual(at[0])).max() <= POSITION
    assert np.abs(FOUR_BAR.constraint_rate(*at)).max() <= VELOCITY
    drift = np.ptp(run.energy()) / run.kinetic_energy().max()
    assert drift <= max(rtol, 1e-8)


def test_quaternions_stay_unit_on_constraints():
    system, q = spherical_chain()
    v = np.array([0, 0, 1.0, 0.5, 0, -0.2, 0.3, 0, 0.4])
    v = v - np.linalg.pinv(system.constraint_jacobian(q)) @ system.constraint_rate(q, v)
    run = ps.simulate(system, q, v, 3.0)
    assert np.abs(np.linalg.norm(run.q.reshape(-1, 3, 4), axis=2) - 1).max() < 1e-14
    assert np.abs(system.constraint_residual(run.q)).max() <= POSITION
    assert np.abs(system.constraint_rate(run.q, run.v)).max() <= VELOCITY
    assert np.ptp(run.energy()) <= 1e-8 * run.kinetic_energy().max()


def test_the_motion_is_that_of_one_equation():
    """Reduced to the crank angle by energy alone, the four-bar moves the same."""
    q, v = four_bar_state()

    def energies(angle):
        state, rates = four_bar_state(angle, 1.0)
        return 2 * FOUR_BAR.kinetic_energy(state, rates), FOUR_BAR.potential_energy(state)

    def equation(_, y):
        h = 1e-4
        steps = np.array([-2, -1, 1, 2])
        weights = np.array([1, -8, 8, -1]) / (12 * h)
        inertia = energies(y[0])[0]
        environment = np.array([energies(y[0] + h * k) for k in steps])
        d_inertia, d_potential = weights @ environment
        return [y[1], (-0.5 * d_inertia * y[1] ** 2 - d_potential) / inertia]

    reduced = solve_ivp(equation, (0, 0.5), [0.8, 3.0], "DOP853", rtol=1e-10, atol=1e-10)
    run = ps.simulate(FOUR_BAR, q, v, 0.5, rtol=1e-10)
    assert abs(run.q[-1, 0] - reduced.y[0, -1]) < 1e-7


def test_prescribed_motion_follows_the_time():
    crank = ps.PrescribedMotion("motor", "a", "0.8 + 3*t + 0.1*sin(5*t)")
    system = ps.System(
        "driven",
        FOUR_BAR.bodies,
        gravity=FOUR_BAR.gravity,
        loops=FOUR_BAR.loops,
        constraints=[crank],
    )
    q, v = four_bar_state(0.8, 3.5)
    run = ps.simulate(system, q, v, 2.0)
    assert np.abs(run.q[:, 0] - (0.8 + 3 * run.t + 0.1 * np.sin(5 * run.t))).max() < 1e-10
    assert np.abs(run.v[:, 0] - (3 + 0.5 * np.cos(5 * run.t))).max() < 1e-9


def test_a_start_off_the_constraints_is_refused_and_rounding_is_mended():
    q, v = four_bar_state()
    with pytest.raises(ps.ModelError, match=r"positions miss 'pin: translation .' by"):
        ps.simulate(FOUR_BAR, q + 0.1, v, 1.0)
    with pytest.raises(ps.ModelError, match=r"velocities miss 'pin: translation .' by"):
        ps.simulate(FOUR_BAR, q, v + 0.1, 1.0)
    run = ps.simulate(FOUR_BAR, np.round(q, 6), np.round(v, 6), 0.1)
    assert np.abs(FOUR_BAR.constraint_residual(run.q)).max() <= POSITION


def three_cranks():
    """Return a bar on three parallel cranks: one loop more than needed, flat twice in a turn."""
    bodies = [
        ps.Body(
            f"crank {i}",
            joint=ps.Revolute("z"),
            pose=ps.Pose((0.5 * i, 0, 0)),
            mass=1.0,
            com=(0.1, 0, 0),
            inertia=(1e-4, 0.004, 0.004),
        )
        for i in range(3)
    ]
    bar = rod("bar", "crank 0", 0.2, 1.0, 3.0)
    loops = [
        ps.Loop(f"pin {i}", (f"crank {i}", (0.2, 0, 0)), ("bar", (0.5 * i, 0, 0)), ps.Revolute("z"))
        for i in (1, 2)
    ]
    return ps.System("three cranks", [*bodies, bar], gravity=(0, -9.81, 0), loops=loops)


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_redundant_cranks_at_their_flat_position(rtol):
    """Where the freedom changes a run goes through and loses no energy."""
    system = three_cranks()
    run = ps.simulate(system, [1.0, 1.0, 1.0, -1.0], [2.0, 2.0, 2.0, -2.0], 2.0, rtol=rtol)
    assert run.status.ok
    assert np.ptp(run.energy()) <= rtol * run.kinetic_energy().max()
    assert np.abs(run.q - run.q[:, :1] * [1, 1, 1, -1]).max() < 1e-8


def test_overconstrained_linkages_need_no_small_steps():
    """Between steps a state is off the constraints, and redundant rows must not hold it there."""
    linkage, q = ps.library.bennett(), ps.library.bennett_configuration(1.1)
    v = linkage.consistent_velocity(q, [3.0, *np.zeros(linkage.nv - 1)])
    run = ps.simulate(linkage, q, v, 2.0)
    assert np.ptp(run.energy()) <= 1e-8 * run.kinetic_energy().max()
    assert run.statistics.evaluations < 5000


def test_overconstrained_linkages_in_equal_steps():
    """Rows that are short for a moment, here where all links are in line, count as they are."""
    linkage, q = ps.library.bennett(), ps.library.bennett_configuration(0.7)
    v = linkage.consistent_velocity(q, [0.5, *np.zeros(linkage.nv - 1)])
    exact = ps.simulate(linkage, q, v, 1.5, rtol=1e-12)
    assert exact.q[:, 0].max() > 0.0 > exact.q[:, 0].min()
    errors = []
    for step in (0.01, 0.005):
        run = ps.simulate(linkage, q, v, 1.5, integrator="rk4", step=step)
        errors.append(np.abs(run.q[-1] - exact.q[-1]).max())
    assert errors[0] < 1e-7
    assert 3.5 < np.log2(errors[0] / errors[1]) < 4.5


def test_a_bead_that_runs_off_its_wire_stops_there():
    wire = ps.Curve(("s", "s**2", 0), (-2, 2))
    bead = ps.Body("bead", joint=ps.Translation(), mass=2.0, inertia=(0.1, 0.1, 0.1))
    on = ps.PointOnCurve("wire", ("bead", (0, 0, 0)), wire)
    system = ps.System("bead", [bead], gravity=(0, -9.81, 0), constraints=[on])
    with pytest.warns(ps.SimulationWarning, match="not finite"):
        run = ps.simulate(system, [0.5, 0.25, 0.0], [9.0, 9.0, 0.0], 2.0)
    assert not run.status.ok
    assert np.abs(run.q[:, 1] - run.q[:, 0] ** 2).max() < 1e-9


@pytest.mark.parametrize("starts", [[1.0, 0.0, 1.0], [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]])
def test_rows_that_cannot_be_held_are_named(starts):
    """Two planes that differ by 1e-7 rad: along one of them the other is missed."""
    planes = [
        ps.PointOnSurface(name, ("ball", (0, 0, 0)), formula)
        for name, formula in (("floor", "y"), ("tilted", "y + 1e-7*x"))
    ]
    ball = ps.Body("ball", joint=ps.Translation(), mass=1.0)
    system = ps.System("between", [ball], gravity=(0, 0, 0), constraints=planes)
    with pytest.warns(
        ps.SimulationWarning, match=r"'tilted: surface' is missed by 1e-07 m"
    ) as seen:
        ps.simulate(system, [0, 0, 0], starts, 1.0, save=0.5)
    assert seen[0].filename == __file__
    twice = [planes[0], ps.PointOnSurface("same", ("ball", (0, 0, 0)), "2*y")]
    redundant = ps.System("twice", [ball], gravity=(0, 0, 0), constraints=twice)
    ps.simulate(redundant, [0, 0, 0], starts, 1.0, save=0.5)  # warnings are errors here
