"""Sampled states: hold, delay, rows at sampling times, continuation."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import poinsot as ps

MASS, EVERY = 2.0, 0.01
CART = ps.Body("cart", joint=ps.Prismatic("x"), mass=MASS)


def controlled(delay=0.0):
    """Return a cart under a force that a digital controller with an integrator computes."""
    return ps.System(
        "cart",
        [CART],
        forces=[ps.JointForce("cart", "force")],
        states=[
            ps.SampledState(
                "force", update="-40*cart - 5*v.cart - 3*total", every=EVERY, delay=delay, unit="N"
            ),
            ps.SampledState(
                "total", update=lambda t, q, v: ps.symbols("total") + EVERY * q[0], every=EVERY
            ),
        ],
    )


def exact(count, delay):
    """Return position, velocity, force and total after each sampling: parabolas between them."""
    x, v, force, waiting, total, rows = 0.3, 0.0, 0.0, 0.0, 0.0, []
    for _ in range(count):
        new = -40 * x - 5 * v - 3 * total
        total += EVERY * x
        if delay in (0.0, EVERY):
            force, waiting = (waiting, new) if delay else (new, new)
            spans = ((EVERY, force),)
        else:
            spans = ((delay, force), (EVERY - delay, new))
        rows.append((x, v, force, total))
        for span, held in spans:
            x, v = x + v * span + held / MASS * span**2 / 2, v + held / MASS * span
            force = held
    return np.array(rows)


def rows(run):
    """Return q, v and the two states of a run at sampling times."""
    number = np.searchsorted(run.t, np.arange(100) * EVERY - 1e-9)
    states = run.states["force"], run.states["total"]
    return np.column_stack([run.q, run.v, *states])[number]


@pytest.mark.parametrize("delay", [0.0, 0.004, EVERY])
@pytest.mark.parametrize(
    "options",
    [{}, {"integrator": "rk4", "step": 0.003}, {"integrator": "stiff"}, {"save": EVERY}],
    ids=["dp8", "rk4", "stiff", "save"],
)
def test_digital_controller_agrees_with_its_recursion(delay, options):
    """Compare with parabolas between sampling times; forces are held in between."""
    run = ps.simulate(controlled(delay), [0.3], [0.0], 1.0, **options)
    assert_allclose(rows(run), exact(100, delay), rtol=0, atol=1e-12)
    held = run.evaluate("force", t=np.array([0.5002, 0.5098]) + delay % EVERY)
    assert held[0] == held[1]


@pytest.mark.parametrize("delay", [0.0, 0.004])
def test_runs_that_are_interrupted_at_sampling_times(delay, tmp_path):
    """Stop at a sampling time, by the end or by an event, go on, and compare with one run."""
    system = controlled(delay)
    whole = ps.simulate(system, [0.3], [0.0], 1.0, checkpoint=tmp_path / "run.npz")
    half = ps.Event("half", "t - 0.5", stop=True)
    jump = ps.Event("jump", "t - 0.5", reset=lambda t, q, v: 1.0 * v)
    stopped = ps.simulate(system, [0.3], [0.0], 1.0, events=[half])
    ended = ps.simulate(system, [0.3], [0.0], 0.5, save=[0.2, 0.4])
    for run in (
        stopped.continued(0.5, events=()),
        ended.continued(0.5),
        ps.load_run(stopped.save(tmp_path / "half.npz")).continued(0.5, events=()).repeat(),
        ps.simulate(system, [0.3], [0.0], 1.0, events=[jump]),
        ps.resume(tmp_path / "run.npz"),
    ):
        assert_allclose([*run.q[-1], *run.v[-1]], [*whole.q[-1], *whole.v[-1]], atol=1e-13)
        assert_allclose(
            [values[-1] for values in run.states.values()],
            [values[-1] for values in whole.states.values()],
            atol=1e-12,
        )


def test_batches_of_sampled_runs():
    """Compare runs of a batch with single ones."""
    starts = np.array([[0.1], [0.3]])
    runs = ps.simulate(controlled(), starts, [0.0], 0.5, integrator="rk4", step=0.005)
    alone = ps.simulate(
        controlled(), starts[1], [0.0], 0.5, integrator="rk4", step=0.005, save=runs.t
    )
    assert_array_equal(runs[1].q, alone.q)
    assert_array_equal(runs[1].states["force"], alone.states["force"])


def test_events_cannot_cross_what_jumps():
    """Check the message of an event that depends on a sampled state."""
    event = ps.Event("strong", "force - 1")
    with pytest.raises(ps.ModelError, match="'force' is sampled, and jumps over zero"):
        ps.simulate(controlled(), [0.3], [0.0], 1.0, events=[event])
