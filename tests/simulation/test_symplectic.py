"""The variational method: symplectic form, momenta, energy over long runs, loops."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.library import chain, double_pendulum, four_bar, four_bar_configuration, heavy_top
from poinsot.simulation.running.status import Outcome, SimulationWarning


def body(name, parent="world", joint=None, place=(0, 0, -1), mass=1.0):
    return ps.Body(
        name,
        parent,
        joint or ps.Revolute("x"),
        ps.Pose(place),
        mass,
        (0.1, 0.2, -0.5),
        (0.1, 0.2, 0.25),
    )


def spacecraft():
    """Return a free body with an arm on a hinge with a spring."""
    return ps.System(
        "spacecraft",
        [
            body("hub", joint=ps.Free(), mass=3.0),
            body("arm", "hub", ps.Revolute("y", stiffness=5.0, rest=0.3)),
        ],
        gravity=(0, 0, 0),
    )


def start(system, seed=0, speed=1.0):
    rng = np.random.default_rng(seed)
    return system.random(rng), rng.uniform(-speed, speed, system.nv)


def bracket(system, p):
    """Return the matrix of p · [a, b] for shifts a and b: left-invariant fields do not commute."""
    P, eye = np.zeros((system.nv, system.nv)), np.eye(3)
    for body_, part in zip(system.mechanism.bodies, system.mechanism.v_slices, strict=True):
        if body_.joint.nq == body_.joint.nv:
            continue
        w = range(part.stop - 3, part.stop)
        for i in range(3):
            for j in range(3):
                P[w[i], w[j]] = p[list(w)] @ np.cross(eye[i], eye[j])
                if body_.joint.nv == 6:
                    x = range(part.start, part.start + 3)
                    P[w[i], x[j]] = p[list(x)] @ np.cross(eye[i], eye[j])
                    P[x[j], w[i]] = -P[w[i], x[j]]
    return P


def form(system, p):
    """Return the symplectic form in shifts of q, as velocities count them, and changes of p."""
    eye, zero = np.eye(system.nv), np.zeros((system.nv, system.nv))
    return np.block([[bracket(system, p), eye], [-eye, zero]])


def violation(system, q, v, method, h=0.05, eps=1e-5):
    """Return by how much one step changes the symplectic form."""
    nv = system.nv
    p = system.mass_matrix(q) @ v

    def mapped(z):
        q_ = system.integrate(q, z[:nv])
        v_ = np.linalg.solve(system.mass_matrix(q_), p + z[nv:])
        run = ps.simulate(system, q_, v_, h, integrator=method, step=h)
        return run.q[-1], system.mass_matrix(run.q[-1]) @ run.v[-1]

    end, columns = mapped(np.zeros(2 * nv)), []
    for z in eps * np.eye(2 * nv):
        (qa, pa), (qb, pb) = mapped(z), mapped(-z)
        shift = system.difference(end[0], qa) - system.difference(end[0], qb)
        columns.append(np.hstack([shift, pa - pb]) / (2.0 * eps))
    A = np.transpose(columns)
    return np.abs(A.T @ form(system, end[1]) @ A - form(system, p)).max()


@pytest.mark.parametrize(
    "system",
    [double_pendulum(), heavy_top(), spacecraft()],
    ids=lambda system: system.name,
)
def test_a_step_keeps_the_symplectic_form(system):
    q, v = start(system)
    assert violation(system, q, v, "symplectic") < 1e-7
    assert violation(system, q, v, "symplectic4") < 1e-7
    assert violation(system, q, v, "rk4") > 1e-6


def test_momenta_of_a_free_system_stay():
    """Check linear and angular momentum to rounding over many steps; rk4 loses them."""
    system = spacecraft()
    q, v = start(system)
    drifts = {}
    for method in ("symplectic", "rk4"):
        run = ps.simulate(system, q, v, 100.0, integrator=method, step=0.02)
        momentum = system.momentum(run.q, run.v)
        drifts[method] = np.abs(momentum - momentum[0]).max() / np.abs(momentum[0]).max()
    assert drifts["symplectic"] < 1e-11
    assert drifts["rk4"] > 1e-7


def drift(run):
    """Return the mean change of energy from the first to the last tenth, and the largest early."""
    energy = run.energy() - run.energy()[0]
    tenth = len(energy) // 10
    return abs(energy[-tenth:].mean() - energy[:tenth].mean()), np.abs(energy[:tenth]).max()


@pytest.mark.parametrize(
    ("system", "speed", "step"),
    [
        (double_pendulum(), None, 0.04),
        (heavy_top(), 8.0, 0.02),
        (ps.System("free box", [body("box", joint=ps.Free())], gravity=(0, 0, 0)), 5.0, 0.05),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
def test_energy_does_not_drift_in_long_runs(system, speed, step):
    """Check 100 000 steps: the error stays as it was in the first; that of rk4 grows."""
    q, v = ([0.4, -0.3], [1.0, 0.5]) if speed is None else start(system, 3, speed)
    times = step * np.arange(0.0, 1e5 + 1, 20)
    how = {"step": step, "save": times, "max_steps": 200_000}
    run = ps.simulate(system, q, v, times[-1], integrator="symplectic", **how)
    assert run.status.ok
    late, early = drift(run)
    assert np.abs(run.energy() - run.energy()[0]).max() < 1.5 * early
    assert late < 0.1 * early
    other, _ = drift(ps.simulate(system, q, v, times[-1], integrator="rk4", **how))
    assert other > 10.0 * late


def test_oscillator_has_the_frequency_of_the_midpoint_rule():
    """Check x'' = -w² x: the rule turns the phase by 2 atan(w h / 2) a step and loses no energy."""
    mass = ps.System(
        "oscillator",
        [ps.Body("m", joint=ps.Prismatic("x", stiffness=9.0), mass=1.0)],
        gravity=(0, 0, 0),
    )
    run = ps.simulate(mass, [1.0], [0.0], 200.0, integrator="symplectic", step=0.1)
    phase = 2.0 * np.arctan(0.15) * np.arange(len(run))
    assert_allclose(run.q[:, 0], np.cos(phase), atol=1e-10)
    assert_allclose(run.v[:, 0], -3.0 * np.sin(phase), atol=1e-10)


def test_damping_takes_the_right_energy():
    """Check x'' = -2 x' - 5 x against e**-t (cos 2t + sin 2t / 2)."""
    slider = ps.System(
        "damped",
        [ps.Body("m", joint=ps.Prismatic("x", stiffness=5.0), mass=1.0)],
        gravity=(0, 0, 0),
    )
    run = ps.simulate(
        slider, [1.0], [0.0], 2.0, tau=lambda t, q, v: -2.0 * v, integrator="symplectic", step=1e-3
    )
    exact = np.exp(-run.t) * (np.cos(2 * run.t) + 0.5 * np.sin(2 * run.t))
    assert_allclose(run.q[:, 0], exact, atol=2e-6)


def test_drives_of_joints_that_turn_freely():
    """Check armature at quaternions, which is a mass matrix without gyroscopic forces, with dp8."""
    bodies = [
        ps.Body(
            "a", joint=ps.Free(armature=(1, 2, 3, 0.4, 0.5, 0.2)), mass=1.0, inertia=(1, 2, 1.5)
        ),
    ]
    system = ps.System("drives", bodies)
    q, v = start(system, speed=2.0)
    exact = ps.simulate(system, q, v, 1.0, rtol=1e-10)
    run = ps.simulate(system, q, v, 1.0, integrator="symplectic", step=1e-3)
    assert_allclose(run.q[-1], exact.q[-1], atol=5e-5)
    assert_allclose(run.v[-1], exact.v[-1], atol=5e-5)


def test_rest_stays_rest():
    run = ps.simulate(double_pendulum(), [0, 0], [0, 0], 10.0, integrator="symplectic", step=0.1)
    assert np.abs(run.q).max() < 1e-12


def test_loops_with_dependent_rows():
    """Check a four-bar in space, two of whose five rows count: on the loop, without drift."""
    system = four_bar()
    q = four_bar_configuration(0.8)
    v = 3.0 * np.linalg.svd(system.constraint_jacobian(q))[2][-1]
    run = ps.simulate(system, q, v, 200.0, integrator="symplectic", step=0.01)
    assert np.abs(system.constraint_residual(run.q)).max() < 1e-13
    assert np.abs(system.constraint_rate(run.q, run.v)).max() < 1e-12
    late, early = drift(run)
    assert late < 0.05 * early


def test_what_it_cannot_do_it_says():
    with pytest.raises(ps.PoinsotError, match=r"'symplectic'.*rolled.*'dp8'"):
        ps.simulate(
            chain(200), np.zeros(200), np.zeros(200), 0.1, integrator="symplectic", step=0.1
        )
    with pytest.raises(ps.ModelError, match=r"'symplectic'.*step=1e-3"):
        ps.simulate(double_pendulum(), [0, 0], [0, 0], 1.0, integrator="symplectic")


def test_a_step_that_has_no_solution_stops():
    with pytest.warns(SimulationWarning, match="not solved.*smaller step"):
        run = ps.simulate(
            double_pendulum(), [2.0, 1.0], [30.0, -40.0], 10.0, integrator="symplectic", step=1.0
        )
    assert run.status.outcome is Outcome.STEP_COLLAPSED
