"""Impacts that the compiled loop computes: laws, orders, friction and slip that turns in space."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.contact_law import ImpactLaw

LAWS = [
    ("unilateral", "simultaneous"), ("unilateral", "sequential"), ("poisson", "simultaneous"),
    ("poisson", "sequential"), ("stronge", "sequential"),
]  # fmt: skip
SEEDS = {"unilateral": 6, "poisson": 7, "stronge": 7}
"""Of blocks of which machine code finds all impacts but one: others it may leave to Python."""


@pytest.fixture
def in_python(monkeypatch):
    """Return a list that grows with each impact that a run leaves to Python."""
    calls = []
    velocities = ImpactLaw.velocities

    def counted(self, *args):
        calls.append(args)
        return velocities(self, *args)

    monkeypatch.setattr(ImpactLaw, "velocities", counted)
    return calls


def block(rng):
    """Return a body in space whose centre of mass lies anywhere, of random inertia."""
    root = rng.normal(size=(3, 3))
    moments = 0.05 * (root @ root.T + np.eye(3))
    inertia = np.trace(moments) * np.eye(3) - moments
    body = ps.Body(
        "block", joint=ps.Free(), mass=rng.uniform(0.5, 3.0), com=0.1 * rng.normal(size=3),
        inertia=inertia,
    )  # fmt: skip
    return ps.System("block", [body])


def feet(rng, count, e, friction, law, order):
    """Return contacts of feet of a block, at one height, with the floor; each has its own law."""
    laws = [law] * count if isinstance(law, str) else law
    return [
        ps.Contact(
            ps.PointOnSurface(f"foot {k}", ("block", (*rng.uniform(-0.4, 0.4, 2), -0.2)), "z"), e,
            friction=friction, law=laws[k], order=order,
        )
        for k in range(count)
    ]  # fmt: skip


def check_impacts(system, run, contacts):
    """Check each impact of a run against ``ps.impact``; return how many instants they have."""
    instants = {}
    for event in run.events:
        instants.setdefault(event.t, event)
    for event in instants.values():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ps.ModelWarning)  # of work that friction does
            hit = ps.impact(system, event.q_before, event.v_before, contacts)
        assert_allclose(event.v, hit.v, atol=1e-8 * max(1.0, np.abs(hit.v).max()))
    return len(instants)


@pytest.mark.parametrize(("law", "order"), LAWS)
@pytest.mark.parametrize("friction", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_block_that_falls_flat(in_python, law, order, friction, count):
    """It moves sideways and lands on several feet, which push by each of the laws."""
    rng = np.random.default_rng([count, int(10 * friction), SEEDS[law], len(order)])
    system = block(rng)
    for e in (0.3, 0.7):
        contacts = feet(rng, count, e, friction, law, order)
        v = np.array([*rng.normal(size=2), -1.0, 0.0, 0.0, 0.0])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", (ps.SimulationWarning, ps.ModelWarning))
            run = ps.simulate(
                system, [0, 0, 0.5, 1, 0, 0, 0], v, 0.25, contacts=contacts, rtol=1e-9
            )
        assert check_impacts(system, run, contacts) >= 1
    assert len(in_python) <= 1


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("laws", [("unilateral", "poisson", "stronge"), ("stronge", "unilateral")])
def test_laws_that_differ_act_one_after_the_other(in_python, laws, friction):
    """Each foot lands by a law of its own."""
    rng = np.random.default_rng([len(laws), int(10 * friction)])
    system = block(rng)
    contacts = feet(rng, len(laws), 0.4, friction, laws, "sequential")
    v = np.array([*rng.normal(size=2), -1.0, 0.0, 0.0, 0.0])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", (ps.SimulationWarning, ps.ModelWarning))
        run = ps.simulate(system, [0, 0, 0.5, 1, 0, 0, 0], v, 0.25, contacts=contacts, rtol=1e-9)
    assert check_impacts(system, run, contacts) >= 1
    assert len(in_python) <= 1
    at_once = feet(rng, len(laws), 0.4, friction, laws, "simultaneous")
    with pytest.raises(ps.ModelError, match=r"contacts that act at once .* order='sequential'"):
        ps.impact(system, [0, 0, 0.2, 1, 0, 0, 0], v, at_once)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
@pytest.mark.parametrize("seed", range(12))
def test_slip_that_turns_in_space(in_python, law, seed):
    """A body that spins hits with a corner; Python integrates over the impulse by SciPy."""
    rng = np.random.default_rng(seed)
    system = block(rng)
    contacts = feet(rng, 1, rng.choice([0.0, 0.5, 1.0]), rng.uniform(0.05, 0.9), law, "sequential")
    v = np.array([*rng.normal(size=2), -1.0, *(3.0 * rng.normal(size=3))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.SimulationWarning)
        run = ps.simulate(system, [0, 0, 0.5, 1, 0, 0, 0], v, 0.5, contacts=contacts, rtol=1e-9)
    assert check_impacts(system, run, contacts) >= 1
    assert not in_python


def test_a_cradle_passes_the_impulse_on(in_python):
    """Balls of one mass in a row, hit at one end: the last one leaves with the whole speed."""
    count, radius, gap = 5, 0.5, 1e-12
    balls = [ps.Body(f"ball {k}", joint=ps.Prismatic("x"), mass=1.0) for k in range(count)]
    contacts = [
        ps.Contact(
            ps.FormulaConstraint(
                f"gap {k}", f"u - w - {2 * radius}", {"u": f"ball {k + 1}", "w": f"ball {k}"}
            ),
            1.0, order="sequential",
        )
        for k in range(count - 1)
    ]  # fmt: skip
    system = ps.System("cradle", balls, gravity=(0, 0, 0))
    start = np.array([-1.0, *(k * (2 * radius + gap) for k in range(1, count))])
    run = ps.simulate(system, start, [1.0, 0, 0, 0, 0], 1.5, contacts=contacts)
    assert run.events
    assert_allclose(run.v[-1], [0, 0, 0, 0, 1.0], atol=1e-12)
    assert not in_python


def test_stronge_leaves_points_alone_that_open():
    """No point closes: nothing happens, as by the other laws."""
    rng = np.random.default_rng(1)
    system = block(rng)
    for law, order in LAWS:
        contacts = feet(rng, 2, 0.5, 0.3, law, order)
        v = np.array([0.3, 0.0, 0.7, 0.0, 0.0, 0.0])
        hit = ps.impact(system, [0, 0, 0.2, 1, 0, 0, 0], v, contacts)
        assert_allclose(hit.v, v)
