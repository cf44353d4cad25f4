"""Laws have the same names for contacts, points, impacts and runs, and mean the same."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.contact_law import ImpactLaw

MASS, RADIUS2 = 2.0, 0.02
"""Of a plate in a plane: mass [kg] and squared radius of gyration [m²]."""
PLATE = ps.System(
    "plate",
    [ps.Body("plate", joint=ps.Planar("x", "z"), mass=MASS, inertia=(MASS * RADIUS2,) * 3)],
)
LAWS = ("printed", "unilateral", "poisson", "stronge")


def feet(places, e, **options):
    """Return contacts of points below the plate with the floor."""
    return [
        ps.Contact(ps.PointOnSurface(f"foot {k}", ("plate", (x, 0, -0.1)), "z"), each, **options)
        for k, (x, each) in enumerate(zip(places, e, strict=True))
    ]


def points(places, e, law=None):
    """Return the same as points of impact, where the plate lies at z = 0.1 m."""
    return [
        ps.ImpactPoint("world", "plate", point=(x, 0, 0), normal=(0, 0, 1), restitution=each,
                       law=law, name=f"foot {k}")
        for k, (x, each) in enumerate(zip(places, e, strict=True))
    ]  # fmt: skip


@settings(max_examples=12, deadline=None)
@given(st.sampled_from(LAWS), st.sampled_from(["simultaneous", "sequential"]), st.integers(0, 999))
def test_contacts_and_points_obey_the_same_laws(law, order, seed):
    """A plate that lands on two feet: as a system with contacts, and as two systems that hit."""
    rng = np.random.default_rng(seed)
    v = [*rng.normal(size=2) - [0, 3], rng.normal()]
    places, e = rng.uniform(-0.3, 0.3, 2), rng.uniform(0, 1, 2)
    if law == "stronge" and order == "simultaneous":
        places, e = places[:1], e[:1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.ModelWarning)  # of work that the printed law does
        one = ps.impact(PLATE, [0, 0.1, 0], v, feet(places, e, law=law, order=order))
    state = ps.MovingSystem(PLATE, [0, 0.1, 0], v)
    two = ps.collide(ps.MovingSystem(), state, points(places, e, law), order=order)
    assert_allclose(one.v, two.v[1], atol=1e-10)
    assert_allclose(list(one.impulses.values()), two.impulses, atol=1e-10)
    assert one.pulled == two.pulled


def printed_impulses(places, e, speed):
    """Return I of G I = H by hand, of a plate that falls flat with a speed."""
    x = np.asarray(places)
    G = (1.0 + np.outer(x, x) / RADIUS2) / MASS
    return np.linalg.solve(G, (1.0 + np.asarray(e)) * speed)


def test_printed_contacts_pull_in_impacts_and_runs(monkeypatch):
    """Two feet on one side: the bouncy outer one lifts the inner one, which the law holds back."""
    places, e, speed = (0.25, 0.3), (0.1, 0.9), 1.5
    wanted = printed_impulses(places, e, speed)
    assert wanted.min() < 0.0 < wanted.max()
    contacts = feet(places, e, law="printed")
    with pytest.warns(ps.ModelWarning, match="do work"):
        hit = ps.impact(PLATE, [0, 0.1, 0], [0.4, -speed, 0], contacts)
    assert_allclose(list(hit.impulses.values()), wanted)
    assert_allclose(list(hit.rates.values()), np.multiply(e, speed))
    lever = np.dot(places, wanted)
    assert_allclose(np.abs(hit.v), [0.4, abs(wanted.sum() / MASS - speed), lever / MASS / RADIUS2])
    assert hit.pulled == ("foot 0",)
    assert hit.acted == ("foot 0", "foot 1")
    assert "'foot 0': the printed law pulls here" in str(hit)
    let_go = ps.impact(PLATE, [0, 0.1, 0], [0.4, -speed, 0], feet(places, e))
    assert let_go.pulled == ()
    assert let_go.rates["foot 0"] > e[0] * speed

    calls = []
    compute = ImpactLaw.velocities
    monkeypatch.setattr(
        ImpactLaw, "velocities", lambda self, *args: calls.append(args) or compute(self, *args)
    )
    gentle = feet(places, (0.5, 0.5), law="printed")
    run = ps.simulate(PLATE, [0, 0.2, 0], [0.4, 0, 0], 0.2, contacts=gentle)
    after = run.impact(run.events[0])
    assert not calls  # machine code
    fall = np.sqrt(2 * 9.81 * 0.1)
    assert_allclose(list(after.impulses.values()), printed_impulses(places, (0.5, 0.5), fall))
    assert_allclose(run.events[0].v, after.v, atol=1e-9)
    assert after.pulled == ("foot 1",)
    assert_allclose(after.energy_lost, 0.5 * MASS * fall**2 * 0.75)


def test_what_the_printed_law_refuses():
    """Points that open are named, in runs too, and so are feet that contradict each other."""
    with pytest.raises(ps.ModelError, match=r"impact: 'foot [01]' opens before .*'unilateral'"):
        ps.impact(PLATE, [0, 0.1, 0], [0, -1.0, -8.0], feet((-0.3, 0.3), (0.5, 0.5), law="printed"))
    three = feet((-0.3, 0.1, 0.3), (0.5, 0.1, 0.5), law="printed")
    with pytest.warns(ps.SimulationWarning, match="no velocity gives them all"):
        ps.simulate(PLATE, [0, 0.2, 0], [0, 0, 0], 0.2, contacts=three)


def test_a_run_on_redundant_feet_by_the_printed_law():
    """Three equal feet of a plate: impulses are not unique, velocities are."""
    three = feet((-0.3, 0.1, 0.3), (0.5, 0.5, 0.5), law="printed")
    run = ps.simulate(PLATE, [0, 0.2, 0], [0.2, 0, 0], 0.2, contacts=three)
    assert_allclose(run.events[0].v, [0.2, 0.5 * np.sqrt(2 * 9.81 * 0.1), 0], atol=1e-9)
    assert not run.impact(run.events[0]).unique


@pytest.mark.parametrize(
    ("name", "hint"), [("newton", "'printed' .* or 'unilateral'"), ("plastic", "restitution=0"),
                       ("energetic", "'stronge'")],
)  # fmt: skip
def test_names_of_other_books_are_explained(name, hint):
    state, (point,) = ps.MovingSystem(PLATE, [0, 0.1, 0], [0, -1, 0]), points([0.0], [0.5])
    for make in (
        lambda: feet([0.0], [0.5], law=name),
        lambda: points([0.0], [0.5], name),
        lambda: ps.collide(ps.MovingSystem(), state, [point], law=name),
        lambda: ps.collide_many(ps.MovingSystem(), state, [point], law=name),
    ):
        with pytest.raises(ps.ModelError, match=f"law must be one of 'printed', .*{hint}"):
            make()
