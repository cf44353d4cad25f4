"""The compiled stepper against its definition in plain Python, step by step, to the last bit.

Its vector operations may fuse products and sums; here they do not, so that the arithmetic is the
same. What fusing changes is tested by itself.
"""

from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.expr.bounds import RADIUS
from poinsot.kernels.llvm.target import Target
from poinsot.library import (
    andrews_squeezer,
    andrews_squeezer_configuration,
    chain,
    double_pendulum,
    four_bar,
    four_bar_configuration,
    n_four_bar,
    n_four_bar_state,
)
from poinsot.model.environment import N_BASE
from poinsot.simulation.laws import traced_events as events_module
from poinsot.simulation.laws.equations import RATES, STATES, equations
from poinsot.simulation.laws.traced_events import traced_events
from poinsot.simulation.running import workspace as workspace_pool
from poinsot.simulation.running.run_plan import Accuracy
from poinsot.simulation.running.workspace import STEP_SHARE, Workspace
from poinsot.simulation.stepping import stepper
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.symplectic import END, ITERATION, START
from poinsot.simulation.stepping.reference_events import ReferenceEvents
from poinsot.simulation.stepping.reference_rosenbrock import ReferenceRosenbrock
from poinsot.simulation.stepping.reference_stepper import ReferenceStepper
from poinsot.simulation.stepping.reference_symplectic import ReferenceSymplectic
from tests.random_examples import examples
from tests.strategies import cases

ADAPTIVE = ("dp8", "dp5")
COARSE = 1e-5  # tolerance of integrators without error control


def _forget():
    stepper.compiled.cache_clear()
    workspace_pool._pool.cache_clear()


@contextmanager
def rounded_products():
    """Let the stepper round every product."""
    with pytest.MonkeyPatch.context() as patch:
        module = stepper.module
        patch.setattr(stepper, "module", lambda *given: module(*given).replace(" contract", ""))
        _forget()
        yield
    _forget()


@pytest.fixture
def unfused():
    with rounded_products():
        yield


def evaluated(kernel, reads, given):
    """Return the outputs of a kernel at one state, by what it reads."""
    inputs = [np.ascontiguousarray(np.reshape(given[name], (1, -1)), float) for name in reads]
    outputs = [np.empty((1, port.size)) for port in kernel.signature.outputs]
    kernel.run(inputs, outputs)
    return [output[0] for output in outputs]


def reference(system, q, v, duration, integrator, *, rtol=COARSE, step=None, tau=None, events=()):
    """Return the reference of a run; derivatives and projections are the compiled kernels."""
    further = np.array([*system.mechanism.state_values.values()])
    law = equations(system.mechanism, tau, parameters=further)
    n, velocities = system.mechanism.n_state, slice(*law.ends)
    work = Workspace(law, Accuracy(integrator, rtol, rtol, step=step))

    def rate_under(equations_of_law):
        own = Workspace(equations_of_law, Accuracy(integrator, rtol, rtol, step=step))

        def rate(t, y):
            own.x[:n] = y
            own.derivative(t, 1)
            return own.k[1, :n].copy()

        return rate

    def named(t, y):
        q, v, states = np.split(y, law.ends)
        return {"t": t, "q": q, "v": v, STATES: states, PARAMETERS: further}

    def constrain(t, y):
        use = law.projection
        moved = evaluated(use.kernel, use.reads, named(t, y))[0]
        return np.concatenate([moved[:-1], y[law.ends[1] :]]), moved[-1]

    def of_integrator(number, t, y, **given):
        kernel = work.integrator.kernels(law)[number]
        given = named(t, y) | {"tau": np.zeros(system.nv)} | given
        reads = [port.name for port in kernel.signature.inputs]
        given |= {name: np.zeros(N_BASE) for name in reads if name not in given}
        return evaluated(kernel, reads, given)

    def slopes(t, y, derivative):
        D, M = of_integrator(0, t, y, a0=derivative[velocities])
        return D.reshape(n, n + 1), M.reshape(system.nv, system.nv)

    def begin_step(y, derivative, h):
        given = {"a0": derivative[velocities], "rates0": derivative[law.ends[1] :]}
        momenta, unknowns, scale = of_integrator(START, 0.0, y, step=h, **given)
        return momenta, unknowns, scale[0]

    def iteration(t, y, momentum, unknown, h):
        given = {"momentum": momentum, "unknown": unknown, "step": h}
        residual, system_matrix = of_integrator(ITERATION, t, y, **given)
        return residual, system_matrix.reshape(residual.size, -1)

    def end_step(t, y, unknown, h):
        return of_integrator(END, t, y, unknown=unknown, step=h)[0]

    kind, more = ReferenceStepper, {}
    if integrator == "stiff":
        kind, more = ReferenceRosenbrock, {"slopes": slopes}
    if integrator.startswith("symplectic"):
        functions = {"begin_step": begin_step, "iteration": iteration, "end_step": end_step}
        kind, more = ReferenceSymplectic, functions
    made = reference_events(system, law, events, named, rate_under) if events else None
    tolerance = STEP_SHARE * rtol
    return kind(
        INTEGRATORS[integrator], rate_under(law), 0.0, np.hstack([q, v, further]).astype(float),
        duration, tolerance, tolerance, step or 0.0, constrain if law.projection else None,
        velocities, tuple(work.quaternions.tolist()), Target.current().width, made, **more,
    )  # fmt: skip


def reference_events(system, law, events, named, rate_under):
    """Return events for the reference; functions, rates and bounds are the compiled kernels."""
    traced, nq = traced_events(system.mechanism, events, law), system.nq
    use, bounding = traced.use, traced.bounds

    def moving(t, y, derivative):
        qdot, a, rates = np.split(derivative, law.ends)
        return named(t, y) | {"qdot": qdot, "a": a, RATES: rates}

    def bounds(balls):
        given = moving(balls.time[0], balls.state[0], balls.rate[0])
        radii = moving(balls.time[1], balls.state[1], balls.rate[1])
        given |= {f"{RADIUS}{name}": radius for name, radius in radii.items()}
        return [
            ball for kernel in bounding for ball in evaluated(kernel.kernel, kernel.reads, given)
        ]

    def after(event):
        if event.reset is None:
            return None
        # of y quaternions are of unit length already, and resets of velocities leave them so
        return lambda t, y: np.concatenate([y[:nq], event.reset(t, y[:nq], y[nq:])])

    return ReferenceEvents(
        lambda t, y: evaluated(use.kernel, use.reads, named(t, y))[0],
        lambda t, y, k: traced.rates({key: np.array(x) for key, x in moving(t, y, k).items()}),
        None if bounding is None else bounds,
        traced.directions,
        traced.resolutions,
        [after(event) for event in events],
        [int(event.stop) for event in events],
        [None if action.law < 0 else action.law for action in traced.actions],
        [rate_under(one) for one in traced.laws],
    )


def finished(made):
    """Return the middles of the steps of a run of the reference, to its end, and states there."""
    times, states = [], []
    while not made.is_finished:
        step = made.advance()
        times.append(0.5 * (step.t + min(step.t_new, made.t)))
        states.append(step(times[-1]))
    return np.array(times), np.array(states)


def compare(system, q, v, duration, integrator, **options):
    """Assert the same steps, taken and rejected, the same bits at their ends and between."""
    return compared(system, q, v, duration, integrator, **options)[0]


def compared(system, q, v, duration, integrator, **options):
    """Return the run and its reference, having compared both."""
    run = ps.simulate(system, q, v, duration, integrator=integrator, **options)
    made = reference(system, run.q[0], run.v[0], duration, integrator, **options)
    times, middle = finished(made)
    assert (run.statistics.steps, run.statistics.rejected) == (made.accepted, made.rejected)
    assert_array_equal(run.t, [t for t, _ in made.rows])
    assert_array_equal(columns(run), [y for _, y in made.rows])
    if made.events is not None:
        names = [event.name for event in options["events"]]
        happened = [(t, names[number]) for t, number in made.events.happened]
        assert [(event.t, event.name) for event in run.events] == happened
    between = ps.simulate(system, q, v, duration, integrator=integrator, save=times, **options)
    rows = np.isin(between.t, times)
    assert_array_equal(columns(between)[rows], middle)
    return run, made


def columns(run):
    """Return q, v and further states side by side."""
    return np.column_stack([run.q, run.v, *run.states.values()])


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("rtol", [1e-3, 1e-5])
def test_error_control(integrator, rtol, unfused):
    """Follow a double pendulum and an arm, whose steps grow, shrink and are rejected."""
    compare(double_pendulum(), [2.0, -1.0], [0.0, 3.0], 2.0, integrator, rtol=rtol)
    compare(chain(4), np.full(4, 0.7), np.zeros(4), 1.0, integrator, rtol=rtol)


def slider():
    return ps.System("s", [ps.Body("s", joint=ps.Prismatic("x"), mass=1.0)], gravity=(0, 0, 0))


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_rejections(integrator, unfused):
    """Follow a force that changes quickly: steps are rejected, equally often."""

    def pulse(t, q, v):
        return 50.0 * np.exp(-((20.0 * (t - 0.5)) ** 2)) - v

    run = compare(slider(), [0.0], [0.0], 1.0, integrator, tau=pulse, rtol=1e-4)
    assert run.statistics.rejected > 0


def test_rosenbrock_steps(unfused):
    """A tree with its mass matrix, and a closed system: stages, error, polynomial."""
    compare(double_pendulum(), [0.4, -0.9], [0.0, 1.0], 0.5, "stiff", rtol=1e-6)
    system, q = four_bar(), four_bar_configuration(0.8)
    v = 3.0 * np.linalg.svd(system.constraint_jacobian(q))[2][-1]
    compare(system, q, v, 0.2, "stiff", rtol=1e-6)


@pytest.mark.parametrize("integrator", ["symplectic", "symplectic4"])
def test_variational_steps(integrator, unfused):
    """A closed system, and further states of a tree: Newton's method, substeps, a cubic."""
    compare(*turning_four_bar(), 0.2, integrator, step=0.02)
    lag = ps.State("lag", rate="8*(v.lower - lag)", initial=0.1)
    motor = ps.JointForce("lower", "-2*lag")
    arm = ps.System("arm", double_pendulum().bodies, forces=[motor], states=[lag])
    compare(arm, [2.0, -1.0], [0.0, 3.0], 0.2, integrator, step=0.02)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_steps_across_a_singularity(integrator, unfused):
    """Parallelograms pass through a line: stages projected, steps shortened, errors along."""
    system, (q, v) = n_four_bar(2), n_four_bar_state(2)
    run, made = compared(system, q, v, 1.5, integrator, rtol=1e-6)
    assert made.n_careful > 1
    assert (run.q[0, 0] > 0.0) & (run.q[-1, 0] < 0.0)


def test_equal_steps(unfused):
    """Follow steps of one length, the last one a little longer or shorter."""
    for step in (0.01, 0.013, 0.3):
        compare(double_pendulum(), [0.3, 0.1], [0, 0], 1.0, "rk4", step=step)


def test_the_last_bit():
    """Compare bits where every number is a sum of few powers of two, so that nothing is rounded."""
    run = ps.simulate(
        slider(), [0.5], [0.25], 4.0, tau=lambda t, q, v: 0 * t, integrator="rk4", step=0.25
    )
    made = reference(slider(), [0.5], [0.25], 4.0, "rk4", step=0.25)
    for t, q, v in zip(run.t[1:], run.q[1:], run.v[1:], strict=True):
        made.advance()
        assert made.t == t
        assert_allclose(made.y, [*q, *v], rtol=4e-16)
    assert_array_equal(run.v, 0.25)


def turning_four_bar():
    """Return a four-bar linkage and a start."""
    q = four_bar_configuration(0.7)
    return four_bar(), q, four_bar().consistent_velocity(q, [2.0, 0, 0], joints=["crank"])


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_projection(integrator, unfused):
    """Follow linkages, the end of every step on the constraints."""
    compare(*turning_four_bar(), 1.0, integrator, rtol=1e-4)
    q = andrews_squeezer_configuration()
    compare(andrews_squeezer(), q, np.zeros(7), 0.005, integrator, rtol=1e-4)


@settings(
    max_examples=examples(6),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(cases(max_bodies=3).filter(lambda case: case.mechanism.nv > 0))
def test_random_trees(unfused, case):
    """Follow random trees, with quaternions, whose length the stepper keeps."""
    system = ps.System("tree", case.mechanism.bodies, gravity=case.mechanism.gravity)
    if np.linalg.cond(system.mass_matrix(case.q)) > 1e4:
        return
    compare(system, case.q, case.v, 0.05, "dp5", rtol=1e-4)


WAVES = [
    ps.Event("often", "sin(40*t) - 0.3"),
    ps.Event("up", "sin(31*t)", direction="up"),
    ps.Event("short", "(t - 0.513)**2 - 1e-8"),
]


@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
@pytest.mark.parametrize("bounded", [True, False])
def test_events_that_are_recorded(integrator, bounded, unfused, monkeypatch):
    """Find many crossings in a step, by bounds, or by comparing eighths of it."""
    if not bounded:
        monkeypatch.setattr(events_module, "LARGEST", 0)
    options = {"step": 0.05} if integrator == "rk4" else {"rtol": 1e-4}
    moving = ps.Event("elbow", lambda t, q, v: v[1] - 0.2 * q[0])
    system, q = double_pendulum(), [2.0, -1.0]
    run = compare(system, q, [0.0, 3.0], 1.0, integrator, events=[*WAVES, moving], **options)
    often = [event for event in run.events if event.name == "often"]
    assert len(often) == 13 if bounded else len(often) > 2
    assert len([event for event in run.events if event.name == "short"]) == (2 if bounded else 0)


@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
@pytest.mark.parametrize("bounded", [True, False])
def test_events_that_reset_and_stop(integrator, bounded, unfused, monkeypatch):
    """Bounce on a floor, ever lower and with a spin, until it happens for too long."""
    if not bounded:
        monkeypatch.setattr(events_module, "LARGEST", 0)
    options = {"step": 0.02} if integrator == "rk4" else {"rtol": 1e-5}
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    floor = ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.8 * v)
    late = ps.Event("late", "t - 2.345", stop=True)
    run = compare(ball, [1.0], [0.0], 3.0, integrator, events=[floor, late, WAVES[0]], **options)
    assert [event.name for event in run.events].count("floor") == 4
    assert run.t[-1] == pytest.approx(2.345, abs=1e-12)


@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
def test_events_in_the_same_instant(integrator, unfused):
    """Handle them in the order listed, those within rounding of each other among them."""
    options = {"step": 0.02} if integrator == "rk4" else {"rtol": 1e-5}
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)])
    events = [
        ps.Event("floor", "ball", direction="down", reset=lambda t, q, v: -0.8 * v),
        ps.Event("seen", "2*ball + 1e-14", direction="down"),
        ps.Event("slower", "3*ball", direction="down", reset=lambda t, q, v: 0.9 * v),
        ps.Event("third", "ball - 1e-13", direction="down", stop=3),
    ]
    run = compare(ball, [1.0], [0.0], 3.0, integrator, events=events, **options)
    instants = {event.t for event in run.events}
    assert len(instants) == 3
    assert len(run.events) == 12
    assert run.t[-1] == max(instants)


@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
def test_laws_that_are_switched(integrator, unfused):
    """Push to and fro, and reset where a band is left; a law that turns back acts at once."""
    options = {"step": 0.05} if integrator == "rk4" else {"rtol": 1e-5}
    events = [
        ps.Event("right", "s - 0.53", direction="up", tau=lambda t, q, v: -3.0 - v),
        ps.Event("left", "s + 0.5", direction="down", tau=lambda t, q, v: 2.0 + 0.0 * q),
        ps.Event("line", "v.s + 1.3", direction="down", tau=lambda t, q, v: 0.5 - 0.0 * v),
        ps.Event("back", "v.s + 1.3", direction="up"),
        ps.Event("late", "t - 2.2", reset=lambda t, q, v: 0.5 * v, tau=0),
    ]
    run = compare(
        slider(), [0.0], [0.0], 4.0, integrator, tau=lambda t, q, v: 1.0 + 0 * t, events=events,
        **options,
    )  # fmt: skip
    names = [event.name for event in run.events]
    assert set(names) == {event.name for event in events}
    k = names.index("line")
    assert run.events[k].t == run.events[k + 1].t
    assert names[k + 1] == "back"


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_events_of_projected_states(integrator, unfused):
    """Find events beside the polynomial: on constraints, and with quaternions of unit length."""
    crank = ps.Event("crank", lambda t, q, v: np.sin(9.0 * q[0]) - 0.1)
    run = compare(*turning_four_bar(), 1.0, integrator, rtol=1e-4, events=[crank])
    assert len(run.events) > 2
    inertia = np.diag([1.0, 2.0, 2.5])
    box = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=2.0, inertia=inertia)])
    start = [0, 0, 0, 1.0, 0, 0, 0], [0.1, 0.2, 0.3, 1.0, 2.0, 3.0]
    floor = ps.Event("floor", lambda t, q, v: q[2] + 1.0, reset=lambda t, q, v: -0.5 * v)
    over = ps.Event("over", lambda t, q, v: q[3] - 0.9)
    run = compare(box, *start, 1.2, integrator, rtol=1e-4, events=[floor, over])
    assert {event.name for event in run.events} == {"floor", "over"}


@pytest.mark.parametrize("integrator", [*ADAPTIVE, "rk4"])
def test_further_states(integrator, unfused):
    """Follow states of a pendulum and of a linkage, and find where one of them crosses zero."""
    options = {"step": 0.05} if integrator == "rk4" else {"rtol": 1e-5}
    states = [
        ps.State("lag", rate="8*(v.lower - lag)", initial=0.1),
        ps.State("total", rate="upper - 0.3*lag"),
    ]
    motor = ps.JointForce("lower", "-2*lag - total")
    arm = ps.System("arm", double_pendulum().bodies, forces=[motor], states=states)
    event = ps.Event("turns", "lag - 0.2*total")
    run = compare(arm, [2.0, -1.0], [0.0, 3.0], 2.0, integrator, events=[event], **options)
    assert run.events
    linkage, q, v = turning_four_bar()
    crank = linkage.joint_names[0]
    driven = ps.System(
        "driven", linkage.bodies, loops=linkage.loops, gravity=linkage.gravity,
        forces=[*linkage.forces, ps.JointForce(crank, "torque")],
        states=[ps.State("torque", rate=f"20*(0.1 - 0.05*v.{crank} - torque)")],
    )  # fmt: skip
    compare(driven, q, v, 0.5, integrator, **options)


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_fused_products_change_no_more_than_rounding(integrator):
    """Follow the stepper as it is used: steps differ by what rounding does to estimated errors."""
    cases = [
        (double_pendulum(), [2.0, -1.0], [0.0, 3.0], 2.0, 1e-3),
        (chain(4), np.full(4, 0.7), np.zeros(4), 1.0, 1e-5),
        (*turning_four_bar(), 1.0, 1e-4),
    ]
    for system, q, v, duration, rtol in cases:
        run = ps.simulate(system, q, v, duration, integrator=integrator, rtol=rtol)
        made = reference(system, run.q[0], run.v[0], duration, integrator, rtol=rtol)
        finished(made)
        assert (run.statistics.steps, run.statistics.rejected) == (made.accepted, made.rejected)
        scale = 1.0 + np.abs(run.q).max() + np.abs(run.v).max()
        assert_allclose(run.t, [t for t, _ in made.rows], rtol=1e-7, atol=1e-9 * duration)
        states = np.array([y for _, y in made.rows])
        assert_allclose(np.hstack([run.q, run.v]), states, atol=1e-6 * scale)
