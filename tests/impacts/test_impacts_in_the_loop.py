"""Impacts that the compiled loop of a run computes itself: no call of Python, the same answers."""

import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.contact_law import ImpactLaw
from poinsot.impacts.many_impacts import many_jumps
from poinsot.simulation.running.contact_memory import ContactNumbers


@pytest.fixture
def in_python(monkeypatch):
    """Return what collects calls of the law of impact in Python."""
    calls, compute = [], ImpactLaw.velocities
    monkeypatch.setattr(
        ImpactLaw, "velocities", lambda self, *args: calls.append(args) or compute(self, *args)
    )
    return calls


def box(com):
    """Return a box in space and its start, flat above the floor."""
    body = ps.Body("box", joint=ps.Free(), mass=3.0, inertia=(0.1, 0.2, 0.25), com=com)
    system = ps.System("box", [body])
    start = system.neutral()
    start[2] = 0.5
    return system, start


def feet(places, **options):
    return [
        ps.Contact(ps.PointOnSurface(f"foot {k}", ("box", (*place, -0.1)), "z"), 0.5, **options)
        for k, place in enumerate(places)
    ]


SQUARE = [(-0.2, -0.1), (0.2, -0.1), (0.2, 0.1), (-0.2, 0.1)]
OVER_A_LINE = [(-0.1, 0.0), (0.0, 0.0), (0.1, 0.0)]  # a load at 0.08 asks the first one to pull


@pytest.mark.parametrize("law", ["unilateral", "printed", "poisson"])
@pytest.mark.parametrize(
    ("places", "com"),
    [(SQUARE, (0.0, 0.0, 0.0)), (SQUARE, (0.11, 0.03, 0.0)), (OVER_A_LINE, (0.08, 0.0, 0.0))],
)
def test_redundant_feet_stay_in_the_loop(in_python, law, places, com):
    system, start = box(com)
    listed = feet(places, law=law)
    run = ps.simulate(system, start, [0.3, 0.1, 0, 0, 0, 0], 0.4, contacts=listed)
    assert not in_python
    assert run.status.ok
    (t,) = {event.t for event in run.events}
    assert len(run.events) == len(places)
    assert np.isclose(t, np.sqrt(2 * 0.4 / 9.81), rtol=0, atol=1e-12)
    event = run.events[0]
    hit = ps.impact(system, event.q_before, event.v_before, listed)
    assert not hit.unique
    assert_allclose(event.v, hit.v, rtol=0, atol=1e-12)
    assert_allclose(event.v[2], -0.5 * event.v_before[2], rtol=1e-12)  # flat, it stays flat
    assert_allclose(event.v[3:], 0.0, rtol=0, atol=1e-12)


def test_poisson_at_redundant_feet_that_differ(in_python):
    """What comes back depends on impulses that are not unique: Python takes the same ones."""
    system, start = box((0.08, 0.0, 0.0))
    listed = [
        ps.Contact(foot.constraint, e, law="poisson")
        for foot, e in zip(feet(OVER_A_LINE), (0.2, 0.9, 0.4), strict=True)
    ]
    event = ps.simulate(system, start, np.zeros(6), 0.35, contacts=listed).events[0]
    assert not in_python
    hit = ps.impact(system, event.q_before, event.v_before, listed)
    assert not hit.unique
    assert_allclose(event.v, hit.v, rtol=0, atol=1e-11)
    assert abs(event.v[4]) > 0.1


@given(seed=st.integers(0, 2**32 - 1), law=st.sampled_from(["unilateral", "printed", "poisson"]))
def test_impulses_of_redundant_points_have_the_least_norm(seed, law):
    """Random feet of a body that falls flat, against NumPy: no shorter impulses do the same."""
    rng = np.random.default_rng(seed)
    s = int(rng.integers(4, 8))
    rows = np.column_stack([np.ones(s), rng.uniform(-1, 1, (s, 2))])  # heave, and two angles
    M = np.diag(rng.uniform(0.5, 3.0, 3))
    shift = np.eye(3)
    shift[1:, 0] = 0.05 * rng.normal(size=2)  # centre of mass
    M = shift @ M @ shift.T
    v, e = np.array([-1.0, 0.0, 0.0]), 0.4
    P = np.linalg.pinv(rows.T) @ (M @ (-(1 + e) * v))
    assume(law == "printed" or (P > 1e-6).all())
    contacts = ContactNumbers(
        3, 0, range(s), [e] * s, [0.0] * s, [0.0] * s, [law] * s, ["simultaneous"] * s
    )
    jumps = many_jumps(contacts, rows[None].copy(), (rows @ v)[None], M[None].copy(), v[None])
    assert jumps.solved.all()
    assert_allclose(jumps.impulses[0, :, 0], P, rtol=0, atol=1e-11)
    assert_allclose(v + jumps.changes[0], -e * v, rtol=0, atol=1e-12)


def test_points_that_contradict_each_other_are_refused(in_python):
    """Newton's law as printed asks of the middle foot what the outer ones do not allow."""
    system, start = box((0.0, 0.0, 0.0))
    outer = feet(OVER_A_LINE[::2], law="printed")
    middle = ps.Contact(ps.PointOnSurface("middle", ("box", (0, 0, -0.1)), "z"), 0.2, law="printed")
    with pytest.warns(ps.SimulationWarning, match="no velocity gives them all"):
        ps.simulate(system, start, np.zeros(6), 0.4, contacts=[*outer, middle])
    assert in_python


def three_balls():
    """Return balls in a row and contacts; the gap of the last two is so flat that they touch."""
    bodies = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in "abc"]
    first = ps.Distance("ab", ("a", (0, 0, 0)), ("b", (0, 0, 0)), 0.2)
    second = ps.FormulaConstraint("bc", "1e-8*(c - b - 0.2)", {"b": "b", "c": "c"})
    contacts = [ps.Contact(first, 1.0), ps.Contact(second, 1.0)]
    return ps.System("row", bodies, gravity=(0, 0, 0)), contacts


def check_created(system, run, contacts):
    """Check a run in which b is hit while c leaves it: 3.5 = u + 2 (u + 3)."""
    (event,) = run.events
    before, after = (system.kinetic_energy(event.q, v) for v in (event.v_before, event.v))
    assert after > before * (1.0 + 1e-3)
    with pytest.warns(ps.ModelWarning, match="do work of"):
        hit = ps.impact(system, event.q_before, event.v_before, contacts)
    assert_allclose(event.v, hit.v, rtol=0, atol=1e-12)
    assert_allclose(event.v, [-2.5 / 3, 6.5 / 3, 6.5 / 3], rtol=0, atol=1e-9)


def test_created_energy_is_told_at_the_end(in_python, tmp_path):
    """Newton's law lets contacts do work where one opens while another closes."""
    system, contacts = three_balls()
    q, v = [-0.1, 0.2, 0.4], [3.0, 0.0, 0.5]
    told = r"'row': in an impact at 'ab' .* first at t = 0\.0333333 s.*'poisson' does not"
    with pytest.warns(ps.ModelWarning, match=told) as caught:
        run = ps.simulate(system, q, v, 0.1, contacts=contacts)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    file = tmp_path / "run.npz"
    with pytest.warns(ps.SimulationWarning, match="steps"):
        ps.simulate(system, q, v, 0.1, contacts=contacts, max_steps=1, first_step=1e-3,
                    checkpoint=file)  # fmt: skip
    with pytest.warns(ps.ModelWarning, match=told) as caught:
        resumed = ps.resume(file, max_steps=1000)
    assert caught[0].filename == __file__
    with pytest.warns(ps.ModelWarning, match="'row': in 2 impacts at 'ab'") as caught:
        runs = ps.simulate(system, [q] * 2, v, 0.1, contacts=contacts, save=0.1)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert not in_python
    for each in (run, resumed, *runs):
        check_created(system, each, contacts)


def test_lossy_impacts_tell_nothing(in_python):
    system, contacts = three_balls()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = ps.simulate(system, [-0.1, 0.2, 0.4], [3.0, 0.0, 4.0], 0.1, contacts=contacts)
    assert len(run.events) == 1
    assert not in_python
