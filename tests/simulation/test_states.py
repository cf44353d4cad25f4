"""Further states in runs: closed forms, events, batches, files, continuation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.linalg import expm

import poinsot as ps

INERTIA, PROPORTIONAL, INTEGRAL, DERIVATIVE, GOAL = 2.0, 30.0, 20.0, 4.0, 0.5
ROTOR = ps.Body("rotor", joint=ps.Revolute("z"), inertia=(1.0, 1.0, INERTIA))
ERROR = ps.State("error", rate=f"rotor - {GOAL}", unit="rad s")


def controlled():
    """Return a rotor with the integral of its error as a state."""
    return ps.System("rotor", [ROTOR], states=[ERROR])


def law(t, q, v):
    """Return the torque of a PID controller."""
    return -PROPORTIONAL * (q - GOAL) - INTEGRAL * ps.symbols("error") - DERIVATIVE * v


def exact(times, start=(0.3, 0.0, 0.0)):
    """Return q, v and the integral at times, by the exponential of the linear equations."""
    a, b, c = PROPORTIONAL / INERTIA, DERIVATIVE / INERTIA, INTEGRAL / INERTIA
    whole = np.array([[0, 1, 0, 0], [-a, -b, -c, a * GOAL], [1, 0, 0, -GOAL], [0, 0, 0, 0]])
    return np.array([(expm(whole * t) @ [*start, 1.0])[:3] for t in times])


def rows(run):
    """Return q, v and states of a run, side by side."""
    return np.column_stack([run.q, run.v, *run.states.values()])


@pytest.mark.parametrize(
    ("integrator", "options", "tolerance"),
    [
        ("dp8", {"rtol": 1e-11}, 1e-12),
        ("dp5", {"rtol": 1e-11}, 1e-11),
        ("stiff", {"rtol": 1e-11}, 1e-11),
        ("rk4", {"step": 2e-3}, 1e-9),
        ("symplectic4", {"step": 2e-3}, 1e-10),
    ],
)
def test_pid_controller_agrees_with_the_closed_form(integrator, options, tolerance):
    """Compare stored states, and such between them, with the exponential of a matrix."""
    run = ps.simulate(controlled(), [0.3], [0.0], 3.0, tau=law, integrator=integrator, **options)
    some = np.linspace(0, len(run) - 1, 9).astype(int)
    assert_allclose(rows(run)[some], exact(run.t[some]), rtol=0, atol=tolerance)
    times = np.array([0.123, 1.7, 2.999])
    assert_allclose(run.evaluate("error", t=times), exact(times)[:, 2], rtol=0, atol=1e-9)
    assert_allclose(run.evaluate("rate.error"), run.q[:, 0] - GOAL, rtol=0, atol=1e-15)
    torque = -PROPORTIONAL * (run.q - GOAL) - DERIVATIVE * run.v
    assert_allclose(run.tau()[:, 0], torque[:, 0] - INTEGRAL * run.states["error"], rtol=1e-12)


def test_runs_of_a_batch_are_those_alone():
    """Compare runs with other initial states, one by one and in lanes, with single ones."""
    starts = np.linspace(0.0, 1.0, 5)
    for options in ({"integrator": "rk4", "step": 0.01}, {"save": 0.1}):
        runs = ps.simulate(
            controlled(), [[0.3]], [0.0], 1.0, tau=law, states={"error": starts}, **options
        )
        assert runs.states["error"].shape == (5, runs.t.size)
        for k, start in enumerate(starts):
            alone = ps.simulate(
                controlled(), [0.3], [0.0], 1.0, tau=law, states={"error": start}, **options
            )
            assert_array_equal(rows(runs[k]), rows(alone))


def test_runs_in_lanes_on_constraints_keep_their_states():
    """Compare a batch of linkages in lanes, which are projected in every step, with single runs."""
    linkage = ps.library.four_bar()
    motor = ps.JointForce(linkage.joint_names[0], "torque + second")
    lags = [ps.State("torque", rate="(sin(3*t) - torque)/0.1"), ps.State("second", rate="torque")]
    system = ps.System("driven", linkage.bodies, loops=linkage.loops, forces=[motor], states=lags)
    q, v = system.assemble([1.0, -0.5, 1.0]), np.zeros(system.nv)
    given = {"integrator": "rk4", "step": 0.01}
    starts = np.linspace(-0.5, 0.5, 9)
    runs = ps.simulate(system, q, v, 0.3, states={"torque": starts}, **given)
    for k in (0, 5, 8):
        alone = ps.simulate(system, q, v, 0.3, states={"torque": starts[k]}, **given)
        assert_array_equal(rows(runs[k]), rows(alone))


def test_events_read_and_write_states():
    """Find where a state has a value, and reset another state there."""
    states = [ERROR, ps.State("clock", rate=1.0), ps.State("count", rate=0)]
    system = ps.System("rotor", [ROTOR], states=states)
    resets = {"clock": 0, "count": lambda t, q, v: ps.symbols("count") + 1}
    event = ps.Event("full", "clock - 0.25", reset_states=resets)
    run = ps.simulate(system, [0.3], [0.0], 1.6, tau=law, events=[event], rtol=1e-11)
    assert_allclose([o.t for o in run.events], 0.25 * np.arange(1, 7), rtol=1e-12)
    assert [o.states["count"] for o in run.events] == [1, 2, 3, 4, 5, 6]
    assert_allclose([o.states_before["clock"] for o in run.events], 0.25, rtol=1e-12)
    assert_allclose(rows(run)[-1, :3], exact([1.6])[0], rtol=0, atol=1e-10)
    with pytest.raises(ps.ModelError, match="has no state 'cloc'; did you mean 'clock'"):
        ps.simulate(
            system, [0.3], [0.0], 1.0, events=[ps.Event("e", "t-1", reset_states={"cloc": 0})]
        )


@pytest.mark.parametrize("rtol", [1e-8, 1e-10, 1e-12])
def test_a_run_that_is_continued_at_an_event_is_the_whole_run(rtol):
    """Stop at an event of a state, go on from there, and compare with a run without a stop."""
    stop = ps.Event("half", "error + 0.02", direction="down", stop=True)
    first = ps.simulate(controlled(), [0.3], [0.0], 3.0, tau=law, events=[stop], rtol=rtol)
    assert first.t[-1] < 1.0
    second = first.continued(3.0 - first.t[-1], events=())
    whole = ps.simulate(controlled(), [0.3], [0.0], 3.0, tau=law, rtol=rtol)
    assert_allclose(rows(second)[-1], rows(whole)[-1], rtol=0, atol=10 * rtol)


def test_files_hold_states(tmp_path):
    """Save, load, repeat and resume a run with states and events: the same bits."""
    event = ps.Event("wrap", "error + 0.02", reset_states={"error": "-error"})
    given = {"tau": law, "events": [event], "checkpoint": tmp_path / "run.npz"}
    run = ps.simulate(controlled(), [0.3], [0.0], 2.0, **given)
    assert run.events
    again = ps.load_run(run.save(tmp_path / "saved.npz"))
    for other in (again, again.repeat(), ps.resume(tmp_path / "run.npz")):
        assert_array_equal(rows(other), rows(run))
        assert [o.states for o in other.events] == [o.states for o in run.events]
    table = run.to_pandas()
    assert_array_equal(table["error"], run.states["error"])
    assert table.attrs["units"]["error"] == "rad s"


def test_a_law_that_reads_a_state_of_another_system():
    """Check the message: it names the state and the nearest one."""
    with pytest.raises(ps.ModelError, match=r"contains 'eror'.*did you mean 'error'"):
        ps.simulate(controlled(), [0.3], [0.0], 1.0, tau=lambda t, q, v: -ps.symbols("eror") * q)
    with pytest.raises(ps.ModelError, match=r"'error', which is neither.*of 'pendulum'"):
        ps.simulate(ps.library.pendulum(), [0.3], [0.0], 1.0, tau=law)


def test_states_on_a_closed_system():
    """A linkage whose crank a first-order motor turns: the power balance holds."""
    linkage = ps.library.four_bar()
    crank = linkage.joint_names[0]
    motor = ps.JointForce(crank, "torque", name="motor")
    lag = ps.State("torque", rate="(0.5*sin(3*t) - torque)/0.1", unit="N m")
    system = ps.System(
        "driven", linkage.bodies, loops=linkage.loops, gravity=linkage.gravity,
        forces=[*linkage.forces, motor], states=[lag],
    )  # fmt: skip
    q = system.assemble([1.0, -0.5, 1.0])
    run = ps.simulate(system, q, np.zeros(system.nv), 1.0, rtol=1e-10)
    work = run.work("power.motor")
    assert_allclose(run.energy() - run.energy()[0], work, rtol=0, atol=1e-9)
    w, tau = 3.0, 0.1
    forced = (
        0.5
        / (1 + (w * tau) ** 2)
        * (np.sin(w * run.t) - w * tau * np.cos(w * run.t) + w * tau * np.exp(-run.t / tau))
    )
    assert_allclose(run.states["torque"], forced, rtol=0, atol=1e-9)


def test_states_of_a_closed_system_by_implicit_integrators():
    """Compare a linkage with a motor that hardly lags: stiff, symplectic and explicit."""
    linkage = ps.library.four_bar()
    motor = ps.JointForce(linkage.joint_names[0], "torque", name="motor")
    lag = ps.State("torque", rate="(0.5*sin(3*t) - torque)/2e-3", unit="N m")
    system = ps.System("driven", linkage.bodies, loops=linkage.loops, forces=[motor], states=[lag])
    q, v = system.assemble([1.0, -0.5, 1.0]), np.zeros(system.nv)
    explicit = ps.simulate(system, q, v, 0.4, rtol=1e-10)
    stiff = ps.simulate(system, q, v, 0.4, rtol=1e-9, integrator="stiff")
    assert stiff.statistics.steps < explicit.statistics.steps / 2
    assert_allclose(rows(stiff)[-1], rows(explicit)[-1], rtol=0, atol=1e-9)
    ends = [
        rows(ps.simulate(system, q, v, 0.4, integrator="symplectic", step=step))[-1]
        for step in (2e-3, 1e-3)
    ]
    errors = np.abs(np.array(ends) - rows(explicit)[-1]).max(axis=1)
    assert 3.5 < errors[0] / errors[1] < 4.5


def test_callbacks_read_states():
    """Call the controller from Python: a fourth argument holds the states, by name."""

    def called(t, q, v, states):
        return -PROPORTIONAL * (q - GOAL) - INTEGRAL * states["error"] - DERIVATIVE * v

    run = ps.simulate(controlled(), [0.3], [0.0], 0.5, tau=ps.Callback(called), rtol=1e-10)
    assert_allclose(rows(run)[-1], exact([0.5])[0], rtol=0, atol=1e-10)
    torque = called(run.t, run.q[:, 0], run.v[:, 0], run.states)
    assert_allclose(run.tau()[:, 0], torque, rtol=1e-14)
    reads = ps.Callback(lambda t, q, v, gain=2.0: -gain * q)  # has three arguments
    assert ps.simulate(controlled(), [0.3], [0.0], 0.1, tau=reads).status.ok
