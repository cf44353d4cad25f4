"""Friction in impacts of mechanisms that move along one line or in one plane: it may hold them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps

SPEED, INERTIA = 2.0, 0.7
NORMALS = [(0.3, 0.0), (0.3, 0.9), (0.9, 0.4), (1.2, 0.0), (1.2, 2.5), (1.4, 1.0)]
"""Angle of the normal to the motion, and about it."""


def struck(slant, turn, *, law, e, friction, how=ps.collide):
    """Return the impact of a rod on one hinge, whose tip moves along -x, against a slanted wall."""
    body = ps.Body("rod", joint=ps.Revolute("y"), inertia=(INERTIA,) * 3, mass=1.0)
    rod = ps.MovingSystem(ps.System("rod", [body]), [0.0], [SPEED])
    if how is ps.collide_many:
        rod = ps.MovingSystem(rod.system, [[0.0]], [[SPEED]])
    normal = np.cos(slant), np.sin(slant) * np.sin(turn), np.sin(slant) * np.cos(turn)
    tip = ps.ImpactPoint(
        "world", "rod", point=(0, 0, -1), normal=normal, restitution=e, friction=friction
    )
    return how(ps.MovingSystem(), rod, [tip], law=law)


@pytest.mark.parametrize("how", [ps.collide, ps.collide_many])
@pytest.mark.parametrize("law", ["unilateral", "printed", "poisson", "stronge"])
def test_plastic_impacts_stop_it(law, how):
    """Whatever the friction: of its impulse and the normal one, what is along the motion counts."""
    for slant, turn in NORMALS:
        for friction in (0.2, 1.0, 4.0):
            hit = struck(slant, turn, law=law, e=0.0, friction=friction, how=how)
            P, F = np.ravel(hit.impulses)[0], np.reshape(hit.friction_impulses, 3)
            assert_allclose(np.ravel(hit.v[1]), 0.0, atol=1e-9)
            assert_allclose(P * np.cos(slant) + F[0], INERTIA * SPEED, rtol=1e-8)
            assert 0.0 < P < 20.0 * INERTIA * SPEED
            assert np.linalg.norm(F) <= friction * P * (1.0 + 1e-9)


@pytest.mark.parametrize("how", [ps.collide, ps.collide_many])
@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_friction_along_the_impulse_by_hand(law, how):
    """Slip turns back with the motion: (1 + μ tan α) p brakes, (1 - μ tan α) p drives it back."""
    e, friction = 0.6, 0.7
    for slant, turn in NORMALS:
        ratio = (1.0 - friction * np.tan(slant)) / (1.0 + friction * np.tan(slant))
        if ratio > 0.0:
            hit = struck(slant, turn, law=law, e=e, friction=friction, how=how)
            back = ratio if law == "poisson" else np.sqrt(ratio)
            assert_allclose(np.ravel(hit.v[1]), -e * SPEED * back, rtol=1e-9)
        elif law == "poisson":
            hit = struck(slant, turn, law=law, e=e, friction=friction, how=how)
            assert_allclose(np.ravel(hit.v[1]), 0.0, atol=1e-9)
        else:
            with pytest.raises(ps.ModelError, match="friction holds it, so that nothing gives"):
                struck(slant, turn, law=law, e=e, friction=friction, how=how)


@pytest.mark.parametrize("how", [ps.collide, ps.collide_many])
def test_newtons_law_where_friction_holds(how):
    """It bounces with e where friction lets it, and is refused where no impulse drives it back."""
    for slant, turn in NORMALS:
        if np.tan(slant) < 1.0 / 0.7:
            hit = struck(slant, turn, law="unilateral", e=0.5, friction=0.7, how=how)
            assert_allclose(np.ravel(hit.v[1]), -0.5 * SPEED, rtol=1e-9)
        else:
            with pytest.raises(ps.ModelError, match="lower the friction"):
                struck(slant, turn, law="unilateral", e=0.5, friction=0.7, how=how)


@pytest.mark.parametrize("law", ["unilateral", "poisson", "stronge"])
def test_runs_stop_where_friction_holds(law):
    """A rod against a ramp, held by friction: as ``ps.impact``, or refused in its words."""
    body = ps.Body(
        "rod", joint=ps.Revolute("y"), inertia=(INERTIA,) * 3, mass=1.0, com=(0, 0, -0.5)
    )
    rod = ps.System("rod", [body])
    ramp = ps.PointOnSurface("ramp", ("rod", (0, 0, -1)), "x + 0.2 + 0.6 * (z + 1)")
    plastic = ps.Contact(ramp, 0.0, friction=3.0, law=law)
    run = ps.simulate(rod, [0.0], [SPEED], 0.2, contacts=[plastic])
    (event,) = run.events
    assert_allclose(event.v, 0.0, atol=1e-9)
    assert_allclose(run.impact(event).v, event.v, atol=1e-9)
    bouncy = ps.Contact(ramp, 0.5, friction=3.0, law=law)
    if law != "poisson":
        with pytest.raises(ps.ModelError, match="lower the friction"):
            ps.impact(rod, event.q_before, event.v_before, [bouncy])
        with pytest.warns(ps.SimulationWarning, match="lower the friction"):
            ps.simulate(rod, [0.0], [SPEED], 0.2, contacts=[bouncy])


def arms(rng):
    """Return two arms in one plane that hit each other in several points, askew to the plane."""
    both = [
        ps.MovingSystem(ps.library.double_pendulum(), rng.normal(size=2), rng.normal(size=2))
        for _ in "ab"
    ]
    bodies = rng.choice(["upper", "lower"], (int(rng.integers(1, 6)), 2))
    friction = float(rng.choice([0.1, 0.5, 1.0, 3.0]))
    return both, [
        ps.ImpactPoint(
            *pair, point=0.5 * rng.normal(size=3), normal=rng.normal(size=3), restitution=0.0,
            friction=friction, name=f"p{k}",
        )
        for k, pair in enumerate(bodies)
    ]  # fmt: skip


@pytest.mark.parametrize("law", ["unilateral", "poisson"])
def test_plastic_impacts_have_an_answer_at_any_points(law):
    """Bases rest, so there is always one: pushes in the cones, nothing closes, no energy comes."""
    rng, shared = np.random.default_rng(3), 0
    for _ in range(120):
        both, points = arms(rng)
        hit = ps.collide(*both, points, law=law)
        force, speed = 1.0 + hit.impulses.max(), np.abs(hit.slips[0]).max()
        across = np.linalg.norm(hit.friction_impulses, axis=1)
        assert (across <= points[0].friction * hit.impulses + 1e-9 * force).all()
        assert (hit.impulses >= -1e-10 * force).all()
        assert (hit.rates >= -1e-9 * speed).all()
        assert np.abs(hit.impulses * hit.rates).max() <= 1e-8 * force * speed
        assert hit.contact_work <= 1e-9 * force * speed
        shared += np.count_nonzero(hit.impulses > 1e-3 * force) > 1
    assert shared > 20


def test_slip_that_is_none_reads_as_none():
    """A plate that sticks on a table: 0, where the numbers have rounding errors."""
    plate = ps.System("plate", [ps.Body("plate", joint=ps.Free(), mass=2.0, inertia=(1, 2, 3))])
    feet = [
        ps.ImpactPoint("world", "plate", point=(x, y, 0), normal=(0, 0, 1), restitution=0.3,
                       friction=2.0, name=name)
        for name, x, y in (("a", 0.3, 0.1), ("b", -0.2, 0.17), ("c", 0.1, -0.4))
    ]  # fmt: skip
    falling = ps.MovingSystem(plate, plate.neutral(), [0.3, 0.1, -2.0, 0.01, 0.02, 0.03])
    hit = ps.collide(ps.MovingSystem(), falling, feet, law="poisson")
    assert hit.sticks
    assert [line.split()[-1] for line in str(hit).splitlines()[1:4]] == ["0", "0", "0"]
