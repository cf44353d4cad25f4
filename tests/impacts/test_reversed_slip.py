"""Tangential restitution of contacts: closed forms, points of impact, runs, files."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.front.contact_law import ImpactLaw

MASS, RADIUS, INERTIA = 0.5, 0.1, 2e-3
BALL = ps.System("ball", [ps.Body("ball", joint=ps.Free(), mass=MASS, inertia=(INERTIA,) * 3)])
SURFACE = ps.RollingBall("ground", "ball", radius=RADIUS, rolling=False)


@pytest.fixture
def in_python(monkeypatch):
    """Return a list that grows with each impact that a run leaves to Python."""
    calls = []
    compute = ImpactLaw.velocities
    monkeypatch.setattr(
        ImpactLaw, "velocities", lambda self, *args: calls.append(args) or compute(self, *args)
    )
    return calls


@settings(max_examples=20, deadline=None)
@given(
    st.floats(0, 1), st.floats(0.05, 1), st.floats(0.02, 2), st.floats(-3, 3),
    st.sampled_from(["printed", "unilateral"]),
)  # fmt: skip
def test_a_ball_grips_or_slides(e, reverse, friction, slip, law):
    """K = diag(1/m, 1/m + r²/I): I_t = -(1 + e_t) w_t / K_tt, or μ I_n where that is less."""
    contact = ps.Contact(SURFACE, e, friction=friction, law=law, tangential_restitution=reverse)
    q = BALL.neutral()
    q[2] = RADIUS
    hit = ps.impact(BALL, q, [slip, 0, -2.0, 0, 0, 0], [contact])
    normal = MASS * (1 + e) * 2.0
    grip = (1 + reverse) * abs(slip) / (1 / MASS + RADIUS**2 / INERTIA)
    held = min(grip, friction * normal)
    assert_allclose(hit.impulses["ground"], normal)
    assert_allclose(np.linalg.norm(hit.friction_impulses["ground"]), held, atol=1e-9)
    after = hit.v[0] - RADIUS * hit.v[4]
    if grip < 0.999 * friction * normal:
        assert_allclose(after, -reverse * slip, atol=1e-9)


def feet(places, **options):
    """Return contacts of feet of a box with the floor, and the same as points of impact."""
    both = [
        (
            ps.Contact(ps.PointOnSurface(f"foot {k}", ("box", (*xy, -0.2)), "z"), **options),
            ps.ImpactPoint("world", "box", point=(*xy, 0), normal=(0, 0, 1), name=f"foot {k}",
                           **{key: x for key, x in options.items() if key != "order"}),
        )
        for k, xy in enumerate(places)
    ]  # fmt: skip
    return [pair[0] for pair in both], [pair[1] for pair in both]


@pytest.mark.parametrize("order", ["simultaneous", "sequential"])
@pytest.mark.parametrize("seed", range(4))
def test_runs_contacts_and_points_agree(in_python, order, seed):
    """A box that lands on two feet, in machine code, by ``ps.impact`` and by ``ps.collide``."""
    rng = np.random.default_rng(seed)
    body = ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.05, 0.06, 0.07))
    box = ps.System("box", [body])
    contacts, points = feet(
        rng.uniform(-0.2, 0.2, (2, 2)), restitution=0.4, friction=0.8,
        tangential_restitution=0.6, law="unilateral", order=order,
    )  # fmt: skip
    start = [0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0]
    run = ps.simulate(box, start, [0.4, 0.3, -1.0, 0, 0, 0], 0.11, contacts=contacts)
    event = run.events[0]
    assert not in_python
    hit = run.impact(event)
    assert_allclose(event.v, hit.v, atol=1e-8)
    shifted = np.array(event.q_before)
    shifted[:2] = 0.0
    two = ps.collide(
        ps.MovingSystem(), ps.MovingSystem(box, shifted, event.v_before), points, order=order
    )
    assert_allclose(hit.v, two.v[1], atol=1e-7)
    smooth = [
        ps.Contact(c.constraint, c.restitution, friction=c.friction, order=order) for c in contacts
    ]
    assert np.abs(ps.impact(box, event.q_before, event.v_before, smooth).v - hit.v).max() > 0.01


def test_work_of_reversed_slip_is_told_in_runs():
    """An eccentric tip that gives back slip gains energy: machine code leaves that to Python."""
    moment = 0.0171
    rod = ps.System(
        "rod",
        [ps.Body("rod", joint=ps.Planar("x", "z"), mass=1.0, inertia=(moment,) * 3)],
        gravity=(0, 0, 0),
    )
    surface = ps.PointOnSurface("tip", ("rod", (-0.0867, 0, -0.3136)), "z")
    tip = ps.Contact(surface, 1.0, friction=0.965, tangential_restitution=0.55)
    v = [0.82, -1.0, -0.26]
    with pytest.warns(ps.ModelWarning, match="do work of"):
        run = ps.simulate(rod, [0, 0.4, 0.05], v, 0.13, contacts=[tip])
    (event,) = run.events
    gained = rod.kinetic_energy(event.q, event.v) - rod.kinetic_energy(event.q, event.v_before)
    assert gained > 0.01


def test_files_hold_it(tmp_path):
    contact = ps.Contact(SURFACE, 0.8, friction=0.9, tangential_restitution=0.5)
    start = BALL.neutral()
    start[2] = 0.3
    run = ps.simulate(BALL, start, [1.0, 0, 0, 0, -40.0, 0], 0.3, contacts=[contact])
    again = ps.load_run(run.save(tmp_path / "run.npz"))
    ends = [each.continued(0.4) for each in (run, again)]
    assert ends[0].events
    assert_allclose(ends[1].v[-1], ends[0].v[-1], rtol=0, atol=0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tangential_restitution": 1.5}, r"tangential_restitution must be from 0 to 1, got 1\.5"),
        (
            {"tangential_restitution": 0.5, "law": "stronge"},
            "tangential_restitution is one of velocit",
        ),
    ],
)
def test_mistakes_are_told(options, message):
    with pytest.raises(ps.ModelError, match=f"contact 'ground': {message}"):
        ps.Contact(SURFACE, 0.5, friction=0.3, **options)
