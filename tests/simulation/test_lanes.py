"""Runs in SIMD lanes: every one is the run alone, whatever the system and whoever is beside it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.kernels.llvm import rolled_kernel
from poinsot.kernels.llvm.rolled_kernel import RolledKernel
from poinsot.kernels.llvm.target import Target
from poinsot.library import chain
from poinsot.simulation.laws import equations as sources
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.running.batch import batch_threads
from poinsot.simulation.running.batch.batch_integration import goes_in_lanes
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.stepping import stepper
from tests.random_examples import examples
from tests.simulation.test_batch import assert_alone
from tests.simulation.test_closed import FOUR_BAR, four_bar_state, spherical_chain
from tests.strategies import random_case

W = Target.current().width
STEPS = {"integrator": "rk4", "step": 2e-3}
ROUNDING = 1e-12


def scale(run):
    """Return the size of the numbers of a run, 1 at least."""
    return max(1.0, np.abs(run.q).max(), np.abs(run.v).max())


def in_lanes_indeed(system, **drive):
    """Tell whether a batch of this system goes in lanes."""
    laws = equations(system.mechanism, drive.get("tau"), drive.get("base"))
    return goes_in_lanes(laws, Accuracy("rk4", 1e-5, 1e-5, step=1e-3))


@settings(max_examples=examples(5), phases=[Phase.generate])  # every example compiles: no shrinking
@given(seed=st.integers(0, 2**32 - 1), n_bodies=st.integers(1, 6), count=st.integers(1, 2 * W + 1))
def test_random_trees(seed, n_bodies, count):
    """Compare all runs of a batch of any size; accelerations of bad trees are large."""
    case = random_case(seed, n_bodies)
    system = ps.System.from_mechanism(case.mechanism)
    assume(system.nv > 0)
    q = np.array([case.mechanism.random(case.rng) for _ in range(count)])
    v = case.rng.uniform(-1, 1, (count, system.nv))
    tau = case.rng.uniform(-1, 1, (count, system.nv))
    a = system.forward_dynamics(q, v, tau)
    step = 1e-3 / np.sqrt(max(1.0, np.abs(a).max()))
    options = {"integrator": "rk4", "step": step, "save": 3.5 * step}
    assert in_lanes_indeed(system)
    runs = ps.simulate(system, q, v, 7 * step, tau=tau, **options)
    for k in range(count):
        run = ps.simulate(system, q[k], v[k], 7 * step, tau=tau[k], **options)
        condition = np.linalg.cond(system.mass_matrix(q[k]))
        assert_alone(runs, k, run, ROUNDING * scale(run) * max(1.0, 1e-3 * condition))


@pytest.mark.parametrize("count", [1, 2, W - 1, W, W + 1, 3 * W + 2])
def test_whole_blocks_and_tails(count):
    system = chain(3)
    rng = np.random.default_rng(count)
    q, v = rng.uniform(-1, 1, (2, count, 3))
    runs = ps.simulate(system, q, v, 0.05, **STEPS)
    for k in range(count):
        assert_alone(runs, k, ps.simulate(system, q[k], v[k], 0.05, **STEPS), ROUNDING)


def test_loops_stay_closed():
    states = [four_bar_state(angle, rate) for angle in (0.3, 0.8, 1.4) for rate in (-4, 0.0, 5)]
    q, v = (np.array(part) for part in zip(*states, strict=True))
    assert in_lanes_indeed(FOUR_BAR)
    runs = ps.simulate(FOUR_BAR, q, v, 1.0, save=0.0513, **STEPS)
    assert np.abs(FOUR_BAR.constraint_residual(runs.q)).max() <= 1e-10
    assert np.abs(FOUR_BAR.constraint_rate(runs.q, runs.v)).max() <= 1e-9
    for k in range(len(q)):
        assert_alone(runs, k, ps.simulate(FOUR_BAR, q[k], v[k], 1.0, save=0.0513, **STEPS), 1e-11)


def test_quaternions_on_a_constraint():
    """Check three ball joints whose tip is on an ellipsoid."""
    system, q = spherical_chain()
    rng = np.random.default_rng(0)
    v = np.array([system.consistent_velocity(q, rng.normal(size=9)) for _ in range(W + 2)])
    runs = ps.simulate(system, q, v, 0.2, **STEPS)
    lengths = np.linalg.norm(runs.q.reshape(*runs.q.shape[:-1], 3, 4), axis=-1)
    assert_allclose(lengths, 1.0, atol=1e-14)
    for k in range(len(v)):
        assert_alone(runs, k, ps.simulate(system, q, v[k], 0.2, **STEPS), 1e-11)


@pytest.mark.parametrize("save", [None, 0.0137])
def test_constraints_that_move_and_have_parameters(save):
    """Check a slider that is driven in time, with another amplitude in every run.

    States between steps are on the constraints of their own time.
    """
    system = ps.System(
        "driven",
        [
            ps.Body("cart", joint=ps.Prismatic("x"), mass=1.0),
            ps.Body("rod", "cart", ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5)),
        ],
        constraints=[ps.PrescribedMotion("drive", "cart", "a*sin(3*t)")],
        parameters={"a": None},
    )
    values = np.linspace(0.1, 1.0, 5)
    v = np.stack([3 * values, np.zeros(5)], axis=1)
    how = STEPS | {"save": save}
    runs = ps.simulate(system, [0.0, 0.3], v, 0.5, parameters={"a": values}, **how)
    assert_allclose(runs.q[:, :, 0], values[:, None] * np.sin(3 * runs.t), atol=1e-12)
    for k in range(5):
        given_ = {"parameters": {"a": values[k]}}
        assert_alone(runs, k, ps.simulate(system, [0.0, 0.3], v[k], 0.5, **given_, **how), 1e-12)


def test_large_systems_in_rolled_form(monkeypatch):
    """Check a chain whose kernels are loops, in lanes and, where they are too large, without."""
    system = chain(90)
    rng = np.random.default_rng(1)
    q, v = rng.uniform(-1, 1, (2, 3, 90))
    options = {"integrator": "rk4", "step": 1e-4, "save": 1e-3}
    dynamics = equations(system.mechanism, None).uses[0].kernel
    assert isinstance(dynamics, RolledKernel)
    assert in_lanes_indeed(system)
    runs = ps.simulate(system, q, v, 1e-3, **options)
    monkeypatch.setattr(rolled_kernel, "LARGEST_IN_LANES", 0)
    assert not in_lanes_indeed(system)
    for k, run in enumerate(ps.simulate(system, q, v, 1e-3, **options)):
        assert_alone(runs, k, run, 1e-9 * scale(run))


def moved_by_everything():
    """Return two hinges with a formula in time, friction, a table, a motor and a spring."""
    rubber = ps.Table([-0.5, -0.1, 0.0, 0.1, 0.5], [-8.0, -0.6, 0.0, 0.5, 6.0])
    bodies = [
        ps.Body(
            name,
            parent,
            ps.Revolute("y"),
            ps.Pose((0, 0, z)),
            mass=1.0,
            com=(0, 0, -0.2),
            inertia=(0.1, 0.1, 0.1),
        )
        for name, parent, z in (("a", "world", 0.0), ("b", "a", -0.4))
    ]
    forces = [
        ps.JointForce("a", "2*(0.5*sin(2*t) - q) - 0.1*v"),
        ps.JointFriction("b", kinetic=0.2, smoothing=0.1),
        ps.JointSpring("b", rubber),
        ps.Motor("a", ratio=10, inertia=1e-4, voltage="6*sin(t)", constant=0.03, resistance=0.4),
        ps.Spring(("world", (0.3, 0, 0)), ("b", (0, 0, -0.3)), stiffness=5.0, length=0.5),
    ]
    return ps.System("everything", bodies, forces=forces)


def push(t, q, v):
    """Return a wrench that follows the motion."""
    return [q[0], 0, np.sin(5 * t), 0, -v[1], 0]


@pytest.mark.parametrize("wrenches", [None, {"b": np.arange(6.0)}, {"b": push}])
def test_forces_of_all_kinds(wrenches):
    system = moved_by_everything()
    assert in_lanes_indeed(system)
    q, v = np.random.default_rng(5).uniform(-1, 1, (2, W + 1, 2))
    runs = ps.simulate(system, q, v, 0.3, wrenches=wrenches, **STEPS)
    for k in range(W + 1):
        run = ps.simulate(system, q[k], v[k], 0.3, wrenches=wrenches, **STEPS)
        assert_alone(runs, k, run, ROUNDING)


def test_signals_go_one_by_one():
    signal = ps.Signal([0.0, 0.013, 0.05], [[0.0, 1.0], [2.0, 0.5], [1.0, -1.0]])
    system = moved_by_everything()
    assert not in_lanes_indeed(system, tau=signal)
    q, v = np.random.default_rng(6).uniform(-1, 1, (2, 3, 2))
    options = {"tau": signal, "save": [0.01, 0.05], **STEPS}
    runs = ps.simulate(system, q, v, 0.05, **options)
    for k in range(3):
        assert_alone(runs, k, ps.simulate(system, q[k], v[k], 0.05, **options), ROUNDING)


@pytest.mark.filterwarnings("ignore::poinsot.SimulationWarning")
def test_runs_that_jump_are_lost_alone():
    """Check steps so long that some starts leave the branch of their loop."""
    states = [four_bar_state(0.8, rate) for rate in (0.5, 60.0, 1.0, 300.0)]
    q, v = (np.array(part) for part in zip(*states, strict=True))
    options = {"integrator": "rk4", "step": 0.02}
    runs = ps.simulate(FOUR_BAR, q, v, 0.4, **options)
    assert 0 < runs.ok.sum() < 4
    for k in range(4):
        run = ps.simulate(FOUR_BAR, q[k], v[k], 0.4, **options)
        assert runs[k].status.outcome == run.status.outcome
        assert runs[k].status.time == run.status.time
        if run.status.ok:
            assert_alone(runs, k, run, 1e-11)


@pytest.mark.filterwarnings("ignore::poinsot.SimulationWarning")
def test_all_runs_lost_and_too_many_steps():
    system = ps.System("slider", [ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)])
    q, step = [[4.0], [5.0]], {"integrator": "rk4", "step": 0.01}
    lost = ps.simulate(system, q, [0.0], 9.0, tau=lambda t, q, v: q**3, **step)
    short = ps.simulate(system, q, [0.0], 1.0, max_steps=30, **step)
    for k in range(2):
        law = {"tau": lambda t, q, v: q**3}
        assert_alone(lost, k, ps.simulate(system, q[k], [0.0], 9.0, **law, **step), 1e-9)
        alone = ps.simulate(system, q[k], [0.0], 1.0, max_steps=30, **step)
        assert_alone(short, k, alone, ROUNDING)
    assert (short.reached == 0.3).all()


@pytest.mark.parametrize("lanes", [2, 4])
def test_fewer_lanes(lanes, monkeypatch):
    """Check the code for narrower registers, of kernels too."""
    q, v = np.random.default_rng(3).uniform(-1, 1, (2, 11, 3))
    usual = ps.simulate(chain(3), q, v, 0.05, save=0.013, **STEPS)
    narrow = replace(Target.current(), width=lanes)
    kept = sources._motion, sources._undriven_equations, evaluators_of
    caches = (stepper.compiled, *kept)
    for cache in caches:
        cache.cache_clear()
    with monkeypatch.context() as patch:
        patch.setattr(Target, "current", staticmethod(lambda: narrow))
        runs = ps.simulate(chain(3), q, v, 0.05, save=0.013, **STEPS)
    for cache in caches:
        cache.cache_clear()
    assert_allclose(runs.q, usual.q, atol=ROUNDING)
    assert_allclose(runs.v, usual.v, atol=ROUNDING)


def test_results_do_not_depend_on_threads(monkeypatch):
    system = chain(3)
    rng = np.random.default_rng(2)
    q, v = rng.uniform(-1, 1, (2, 40, 3))
    monkeypatch.setenv("POINSOT_NUM_THREADS", "1")
    one = ps.simulate(system, q, v, 0.2, **STEPS)
    monkeypatch.setenv("POINSOT_NUM_THREADS", "3")
    monkeypatch.setattr(batch_threads, "WORTH_A_THREAD", 0)
    three = ps.simulate(system, q, v, 0.2, **STEPS)
    assert_array_equal(one.q, three.q)
    assert_array_equal(one.v, three.v)


@pytest.mark.parametrize("options", [{"step": None}, {"rtol": 1e-6}], ids=["no step", "rtol"])
def test_wrong_options_are_refused(options):
    with pytest.raises(ps.ModelError, match="takes steps of one length"):
        ps.simulate(chain(3), np.zeros((2, 3)), np.zeros(3), 1.0, **(STEPS | options))
