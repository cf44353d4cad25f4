"""How a run starts: its first step, memory that runs take over from others, and Ctrl-C at once."""

from concurrent.futures import ThreadPoolExecutor
from inspect import signature

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy.integrate import DOP853, RK45
from scipy.integrate._ivp.common import select_initial_step

import poinsot as ps
from poinsot.library import (
    andrews_squeezer,
    andrews_squeezer_configuration,
    chain,
    four_bar,
    four_bar_configuration,
)
from poinsot.simulation import integrate
from poinsot.simulation.files.checkpoint import KEPT, MADE
from poinsot.simulation.laws.equations import equations
from poinsot.simulation.running import workspace as workspace_pool
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.status import Outcome
from poinsot.simulation.running.workspace import STEP_SHARE, Workspace
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.step_control import FIRST_FACTOR
from tests.random_examples import examples
from tests.strategies import cases

CHAIN = chain(3)
# SciPy 1.13 asks for no end, and its first step may lie behind it: there, only the rule is tested.
SCIPY_LOOKS_AT_THE_END = "t_bound" in signature(select_initial_step).parameters
ENDLESS = 1e9  # [s]
WAYS = {
    name: {"step": 0.01} if INTEGRATORS[name].is_fixed else {"rtol": 1e-5} for name in INTEGRATORS
}


@settings(deadline=None, max_examples=examples(5))
@given(
    cases(max_bodies=4).filter(lambda case: case.mechanism.nv > 0),
    st.sampled_from([("dp8", DOP853), ("dp5", RK45)]),
    st.floats(-9.0, 3.0),
)
def test_first_step_is_that_of_scipy(case, pair, logarithm):
    """The same rule [HNW, section II.4], written by others."""
    method, solver = pair
    law = equations(case.mechanism, None)
    duration = 10.0**logarithm if SCIPY_LOOKS_AT_THE_END else ENDLESS
    work = Workspace(law, Accuracy(method, 1e-4, 1e-6))
    start = np.concatenate([case.q, case.v])
    n = start.size

    def derivative(t, y):
        work.x[:n] = y
        work.derivative(t, 1)
        return work.k[1, :n].copy()

    tolerance = {"rtol": STEP_SHARE * 1e-4, "atol": STEP_SHARE * 1e-6}
    expected = solver(derivative, 0.0, start, duration, **tolerance).h_abs
    work.begin(0.0, duration, start)
    assert min(work.first_step(), duration) == pytest.approx(expected, rel=1e-12)
    assert_array_equal(work.k[0, :n], derivative(0.0, start))


def test_first_step_where_nothing_moves():
    rest = ps.System("slider", [ps.Body("mass", joint=ps.Prismatic("x"), mass=1.0)])
    work = Workspace(equations(rest.mechanism, None), Accuracy("dp8", 1e-6, 1e-6))
    work.begin(0.0, 1.0, np.zeros(2))
    assert work.first_step() == 1e-6


def test_second_step_makes_up_for_a_cautious_first():
    run = ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 1.0, first_step=1e-9)
    growth = np.diff(run.t)[1:] / np.diff(run.t)[:-1]
    usual = INTEGRATORS["dp8"].step_control.most_factor
    assert usual < growth[0] < 1.01 * FIRST_FACTOR
    assert growth[1:].max() == pytest.approx(usual)


def states(run):
    """Return all numbers of a run."""
    return np.column_stack([run.t, run.q, run.v])


def numbers(work):
    """Return the numbers of a control block, addresses left out."""
    return {name: getattr(work.control, name) for name in (*KEPT, *MADE)}


@pytest.mark.parametrize("method", INTEGRATORS)
def test_memory_of_a_run_is_as_new(method):
    """Whatever ran in it before, even to infinity."""
    closed = four_bar()
    q, law = four_bar_configuration(0.8), equations(closed.mechanism, None)
    start, options = np.concatenate([q, np.zeros(closed.nv)]), WAYS[method]
    rough = Accuracy(method, 1e-3, 1e-3, step=options.get("step"))
    fine = Accuracy(method, 1e-6, 1e-8, 0.01, step=options.get("step"))
    used, new = Workspace(law, rough), Workspace(law, fine)
    used.begin(0.0, 0.3, start)
    used.y[0] = np.inf
    used.control.h, used.control.pause = 0.01, 20
    used.run()
    used.renew(law, fine)
    assert numbers(used) == numbers(new)
    assert not np.any([used.y, used.x, used.z, *used.k])
    assert not any(buffer.any() for buffer in used.buffers.values())


@pytest.mark.parametrize("method", INTEGRATORS)
def test_runs_do_not_depend_on_those_before(method):
    workspace_pool._pool.cache_clear()
    options = {"integrator": method, **WAYS[method]}
    first = ps.simulate(CHAIN, [0.1, 0.2, 0.3], [0, 0, 0], 0.4, **options)
    ps.simulate(CHAIN, [1, 2, 3], [2, 2, 2], 0.3, tau=0.5, save=0.1, **options)
    with pytest.warns(ps.SimulationWarning):
        ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 0.3, max_steps=1, **options)
    again = ps.simulate(CHAIN, [0.1, 0.2, 0.3], [0, 0, 0], 0.4, **options)
    assert_array_equal(states(again), states(first))


def test_runs_at_the_same_time_have_their_own_memory():
    system = andrews_squeezer()
    q, forces = andrews_squeezer_configuration(), np.linspace(0.0, 0.01, 24)

    def run(force):
        tau = np.full(7, force)
        return states(ps.simulate(system, q, np.zeros(7), 0.01, tau=tau, rtol=1e-9))

    alone = [run(force) for force in forces]
    with ThreadPoolExecutor(6) as pool:
        together = list(pool.map(run, forces))
    for one, other in zip(alone, together, strict=True):
        assert_array_equal(one, other)


def test_few_workspaces_wait():
    workspace_pool._pool.cache_clear()
    law = equations(CHAIN.mechanism, None)
    accuracy = Accuracy("dp8", 1e-6, 1e-6)
    for work in [Workspace(law, accuracy) for _ in range(workspace_pool.MOST + 3)]:
        workspace_pool.put_back(work)
    assert len(workspace_pool._pool(CHAIN.mechanism, law.uses, "dp8")) == workspace_pool.MOST
    taken = [workspace_pool.workspace(law, accuracy) for _ in range(workspace_pool.MOST + 1)]
    assert len(set(map(id, taken))) == len(taken)


def test_memory_with_tables_of_another_law_does_not_wait():
    workspace_pool._pool.cache_clear()
    law, other = equations(CHAIN.mechanism, None), equations(CHAIN.mechanism, 1.0)
    work = Workspace(law, Accuracy("dp8", 1e-6, 1e-6))
    work.switch(other)
    workspace_pool.put_back(work)
    assert not workspace_pool._pool(CHAIN.mechanism, other.uses, "dp8")


@pytest.fixture
def pressed_in_first_steps(monkeypatch):
    """Let Ctrl-C be raised where Python raises it: when the machine code has come back."""
    run = Workspace.run

    def interrupted(work):
        run(work)
        raise KeyboardInterrupt

    monkeypatch.setattr(Workspace, "run", interrupted)


def test_ctrl_c_in_the_first_steps_returns_what_there_is(request):
    whole = ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 90.0)
    request.getfixturevalue("pressed_in_first_steps")
    with pytest.warns(ps.SimulationWarning, match=r"interrupted at t = .* of 90 s"):
        part = ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 90.0)
    assert part.status.outcome is Outcome.INTERRUPTED
    assert 1 < len(part) < len(whole)
    assert_array_equal(states(part), states(whole)[: len(part)])


def test_ctrl_c_in_a_short_run_that_is_done_goes_on_to_its_caller(pressed_in_first_steps):
    """So that a loop of many such runs can be left."""
    with pytest.raises(KeyboardInterrupt):
        ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 0.1)


def test_ctrl_c_in_a_long_run_that_is_done_is_too_late(pressed_in_first_steps, monkeypatch):
    monkeypatch.setattr(integrate, "PACE", 0.0)
    run = ps.simulate(CHAIN, [1, 2, 3], [0, 0, 0], 0.1)
    assert run.status.ok
    assert run.t[-1] == 0.1
