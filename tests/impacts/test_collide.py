"""Impacts of two systems in several points: laws of mechanics, and mistakes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.random_examples import examples


def crawler(name):
    """Return a body that floats with two links."""
    inertia = {"mass": 1.5, "com": (0.1, -0.05, 0.2), "inertia": (0.3, 0.2, 0.25)}
    hinge, slide = ps.Revolute((1, 2, 0)), ps.Prismatic((0, 1, 1))
    return ps.System(
        name,
        [
            ps.Body("hull", joint=ps.Free(), **inertia),
            ps.Body("arm", "hull", hinge, ps.Pose((0.3, 0, 0.1)), **inertia),
            ps.Body("tip", "arm", slide, ps.Pose((0, 0.4, 0)), **inertia),
        ],
    )


FIRST, SECOND = crawler("first"), crawler("second")


def moving(system, rng, base=None):
    return ps.MovingSystem(system, system.random(rng), rng.uniform(-1, 1, system.nv), base)


def closing(first, second, rng, n, restitution=None):
    """Return points at random places, with normals along which they close."""
    points = []
    while len(points) < n:
        pair = rng.choice(["hull", "arm", "tip"], 2)
        place, normal = rng.uniform(-1, 1, 3), rng.normal(size=3)
        velocities = [
            one.point_velocity(b, place) for one, b in zip((first, second), pair, strict=True)
        ]
        normal *= -np.sign(normal @ (velocities[1] - velocities[0]))
        e = rng.uniform() if restitution is None else restitution
        points.append(
            ps.ImpactPoint(*pair, point=place, normal=normal, restitution=e, name=f"p{len(points)}")
        )
    return points


def momenta(parties, velocities):
    """Return momentum and angular momentum about the inertial origin, of both systems."""
    return sum(
        one.system.momentum(one.q, v, base=one.base)
        for one, v in zip(parties, velocities, strict=True)
    )


@settings(max_examples=examples(12))
@given(st.integers(0, 2**32 - 1), st.integers(1, 4))
def test_newton_keeps_momentum_and_gives_what_restitution_asks(seed, n):
    """Check rates after it, the momentum of both systems, and the energy that contacts take."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    points = closing(*both, rng, n)
    hit = ps.collide(*both, points)
    e = np.array([point.restitution for point in points])
    assert_allclose(hit.rates, -e * hit.rates_before, atol=1e-9)
    before = momenta(both, [one.v for one in both])
    assert_allclose(momenta(both, hit.v), before, atol=1e-9 * max(1.0, np.abs(hit.impulses).max()))
    assert abs(hit.base_work) < 1e-9 * max(1.0, abs(hit.contact_work))  # bases at rest do no work
    again = ps.collide(*both, points, law="unilateral")
    if (hit.impulses > 1e-6).all():
        assert_allclose(again.impulses, hit.impulses, rtol=1e-6, atol=1e-9)


@settings(max_examples=examples(12))
@given(st.integers(0, 2**32 - 1), st.integers(2, 5))
def test_unilateral_impulses_only_push(seed, n):
    """Check complementarity, and that no energy is made."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    points = closing(*both, rng, n, restitution=0.6)
    hit = ps.collide(*both, points, law="unilateral")
    excess = hit.rates + 0.6 * hit.rates_before
    assert (hit.impulses >= 0.0).all()
    assert (excess >= -1e-9).all()
    assert_allclose(hit.impulses * excess, 0.0, atol=1e-9 * max(1.0, hit.impulses.max()))
    assert hit.contact_work <= 1e-12


@settings(max_examples=examples(12))
@given(st.integers(0, 2**32 - 1), st.floats(0.05, 1.0))
def test_friction_opposes_slip_within_its_cone(seed, friction):
    """Check restitution, the cone, the direction of slip, and momentum, in one point in space."""
    rng = np.random.default_rng(seed)
    both = moving(FIRST, rng), moving(SECOND, rng)
    (smooth,) = closing(*both, rng, 1)
    keys = {"point": smooth.point, "normal": smooth.normal, "restitution": smooth.restitution}
    point = ps.ImpactPoint(smooth.first, smooth.second, friction=friction, **keys)
    try:
        hit = ps.collide(*both, [point])
    except ps.ModelError as error:
        assert "lower its friction" in str(error)  # noqa: PT017 (some have no solution)
        return
    ends = [ps.MovingSystem(one.system, one.q, v) for one, v in zip(both, hit.v, strict=True)]
    opening = ends[1].point_velocity(point.second, point.point)
    opening = opening - ends[0].point_velocity(point.first, point.point)
    slip = opening - (point.normal @ opening) * point.normal
    rubbed, pushed = hit.friction_impulses[0], hit.impulses[0]
    assert pushed > 0.0
    assert point.normal @ opening == pytest.approx(-point.restitution * hit.rates_before[0])
    assert point.normal @ rubbed == pytest.approx(0.0, abs=1e-9)
    speed = np.linalg.norm(hit.slips, axis=-1).max()
    assert np.linalg.norm(rubbed) <= friction * pushed * (1 + 1e-10)
    assert rubbed @ slip == pytest.approx(  # the largest dissipation there is
        -friction * pushed * np.linalg.norm(slip), rel=0, abs=1e-10 * pushed * speed
    )
    if hit.sticks:
        assert_allclose(slip, 0.0, atol=1e-10 * speed)
    before = momenta(both, [one.v for one in both])
    assert_allclose(momenta(both, hit.v), before, atol=1e-9 * max(1.0, pushed))
    gained = sum(
        one.kinetic_energy(v) - one.kinetic_energy(one.v)
        for one, v in zip(both, hit.v, strict=True)
    )
    assert hit.contact_work == pytest.approx(gained, abs=1e-9)


def limb():
    """Return three links on a base."""
    hinge = ps.Revolute((1, 1, 0))
    hull, *links = FIRST.bodies
    return ps.System("limb", [ps.Body("hull", "world", hinge, mass=hull.mass, com=hull.com,
                                      inertia=hull.inertia), *links])  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_works_and_matrices_of_each_system(seed):
    """Sums over the points of both bodies, velocities by differences of their places."""
    rng = np.random.default_rng(seed)
    bases = [
        ps.BaseMotion(
            ps.Pose(rng.normal(size=3), rpy=rng.uniform(-1, 1, 3)), velocity=rng.normal(size=6)
        )
        for _ in range(2)
    ]
    both = [moving(x, rng, base) for x, base in zip((FIRST, limb()), bases, strict=True)]
    points = closing(*both, rng, 3)
    hit = ps.collide(*both, points)
    assert hit.d.shape == (hit.A.shape[1], 3)
    generalised = hit.d @ hit.impulses
    momenta_gained = [
        party.mass_matrix() @ change for party, change in zip(both, hit.changes, strict=True)
    ]
    assert_allclose(generalised, np.concatenate(momenta_gained), atol=1e-9)
    h = 1e-6
    for party, sign, own, rows, columns, work, base_work, change in zip(
        both, (-1.0, 1.0), hit.places, hit.A_of_systems, hit.d_of_systems, hit.contact_works,
        hit.base_works, hit.changes, strict=True,
    ):  # fmt: skip
        system, base, total = party.system, party.base, 0.0
        for k, point in enumerate(points):
            body = point.first if sign < 0 else point.second
            gradient = np.zeros(system.nv)
            for j, unit in enumerate(h * np.eye(system.nv)):
                far, near = (system.pose(body, system.integrate(party.q, x)) for x in (unit, -unit))
                moved = (far - near)[:3, :3] @ own[k] + (far - near)[:3, 3]
                gradient[j] = point.normal @ base.R @ moved / (2 * h)
            assert_allclose(rows[k], sign * gradient, atol=1e-8)
            arm = base.R.T @ (point.point - base.p)
            carried = base.R @ (base.velocity[:3] + np.cross(base.velocity[3:], arm))
            mean = gradient @ (party.v + 0.5 * change) + point.normal @ carried
            total += sign * hit.impulses[k] * mean
        assert_allclose(columns, rows.T, atol=1e-14)
        assert_allclose(work, total, atol=1e-7)
        end = party.v + change
        gain = party.kinetic_energy(end) - party.kinetic_energy(party.v)
        assert_allclose(base_work, gain - total, atol=1e-7)
    pose = both[1].system.pose("hull", both[1].q, base=bases[1])
    arm, (v, w) = bases[1].R.T @ (pose[:3, 3] - bases[1].p), bases[1].velocity.reshape(2, 3)
    carried = np.concatenate([v + np.cross(w, arm), w]).reshape(2, 3) @ bases[1].R.T @ pose[:3, :3]
    reaction = hit.joint_impulses[1]["hull"]  # what the base does through the hinge
    assert_allclose(hit.base_works, [0.0, carried.ravel() @ reaction], atol=1e-9)
    assert abs(hit.base_works[1]) > 1e-2
    assert_allclose(sum(hit.contact_works), hit.contact_work, atol=1e-10)
    assert_allclose(sum(hit.base_works), hit.base_work, atol=1e-10)


def test_it_does_not_matter_who_watches():
    """Carry both bases along with one velocity, turned by one rotation: impulses are the same."""
    rng = np.random.default_rng(5)
    both = moving(FIRST, rng), moving(SECOND, rng)
    points = closing(*both, rng, 3)
    turn = ps.Pose((0.4, -1.0, 2.0), rpy=(0.3, -0.8, 1.1))
    R = np.array(turn.matrix)
    carried = ps.BaseMotion(turn, (0.7, -0.2, 0.9, 0, 0, 0))
    others = [ps.MovingSystem(one.system, one.q, one.v, carried) for one in both]
    seen = [
        ps.ImpactPoint(
            one.first, one.second, point=R @ one.point + turn.xyz, normal=R @ one.normal,
            restitution=one.restitution,
        )
        for one in points
    ]  # fmt: skip
    hit, same = ps.collide(*both, points), ps.collide(*others, seen)
    assert_allclose(same.impulses, hit.impulses, rtol=1e-9)
    assert_allclose(same.G, hit.G, rtol=1e-9)
    assert abs(same.base_work) < 1e-12  # nothing holds what floats


def test_loops_hold_and_share_the_impulse():
    """Hit the coupler of a four-bar: its loop stays closed, and momenta balance."""
    bars = ps.library.four_bar()
    q = bars.assemble(bars.neutral() + 0.1)
    v = bars.consistent_velocity(q, np.ones(bars.nv))
    body = bars.body_names[1]
    place = bars.pose(body, q)[:3, 3]
    arm = ps.MovingSystem(bars, q, v)
    direction = -arm.point_velocity(body, place)
    point = ps.ImpactPoint("world", body, point=place, normal=direction, restitution=0.3)
    hit = ps.collide(ps.MovingSystem(), arm, [point])
    assert_allclose(bars.constraint_rate(q, hit.v[1]), 0.0, atol=1e-12)
    assert hit.rates[0] == pytest.approx(-0.3 * hit.rates_before[0])
    work = bars.kinetic_energy(q, hit.v[1]) - bars.kinetic_energy(q, v)
    assert hit.contact_work == pytest.approx(work)
    assert set(hit.constraint_impulses[1]) == set(bars.row_names)
    J = bars.constraint_jacobian(q)
    held = J.T @ np.array(list(hit.constraint_impulses[1].values()))
    assert_allclose(
        bars.mass_matrix(q) @ hit.changes[1], hit.A[0] * hit.impulses[0] + held, atol=1e-10
    )


BOX = ps.System("box", [ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.08, 0.11, 0.15))])
CORNERS = {"a": (0.3, 0.2), "b": (-0.3, 0.2), "c": (-0.3, -0.2), "d": (0.3, -0.2)}


def landing(restitutions, velocity=(0, 0, -1, 0, 0, 0)):
    box = ps.MovingSystem(BOX, [0, 0, 0.15, 1, 0, 0, 0], velocity)
    points = [
        ps.ImpactPoint("world", "box", point=(*xy, 0), normal=(0, 0, 1), restitution=e, name=name)
        for (name, xy), e in zip(CORNERS.items(), restitutions, strict=True)
    ]
    return ps.MovingSystem(), box, points


def test_redundant_points_and_contradictions_are_told():
    """Land a box on four corners: equal restitutions agree, others contradict, by name."""
    hit = ps.collide(*landing([0.5] * 4))
    assert (hit.rank, hit.unique) == (3, False)
    assert_allclose(hit.impulses, 0.75)  # m (1 + e) u, shared by four
    assert "rank 3 of 4" in str(hit)
    with pytest.raises(ps.ModelError, match=r"'a', 'b', 'c', 'd': no velocity .*'unilateral'"):
        ps.collide(*landing([0.5, 0.1, 0.5, 0.5]))
    assert ps.collide(*landing([0.5, 0.1, 0.5, 0.5]), law="unilateral").rates.min() >= 0.1 - 1e-12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"normal": (0, 0, 0)}, "'world-box': its normal is zero; give the direction from"),
        ({"normal": (0, 1)}, "its normal must be three finite numbers"),
        ({"point": (0, np.nan, 0)}, "its point must be three finite numbers"),
        ({"restitution": 1.2}, "its restitution must be a number from 0 .* got 1.2"),
        ({"second": "bok"}, "'world-bok': system 'box' has no body 'bok'; did you mean 'box'?"),
        ({"first": "leg"}, "a base alone has no body 'leg'"),
        ({"friction": -0.1}, "its friction must be a number of at least 0, got -0.1"),
        ({"second": BOX}, "impact point: its second body must be a name, .*, got System"),
        ({"normal": [(0, 0, 1), (0, np.nan, 1)]}, r"three finite numbers, got \[0.0, nan, 1.0\] "),
        ({"normal": [(0, 0, 1), (0, 0, 0)]}, r"its normal is zero \(state 1\); give the direction"),
        ({"normal": (0, 0, -1)}, "opens before the impact, .* law='unilateral'"),
    ],
)
def test_mistakes_are_named(change, message):
    table, box, _ = landing([0.5] * 4)
    point = {"point": (0, 0, 0), "normal": (0, 0, 1), "restitution": 0.5} | change
    bodies = point.pop("first", "world"), point.pop("second", "box")
    with pytest.raises(ps.ModelError, match=message):
        ps.collide(table, box, [ps.ImpactPoint(*bodies, **point)])


def test_other_mistakes_are_named():
    table, box, points = landing([0.5] * 4)
    with pytest.raises(
        ps.ModelError, match="law must be one of 'printed', 'unilateral', 'poisson', 'stronge', got"
    ):
        ps.collide(table, box, points, law="hertz")
    rough = ps.ImpactPoint(
        "world", "box", point=(0, 0, 0), normal=(0, 0, 1), restitution=0, friction=1
    )
    with pytest.raises(ps.ModelError, match="'world-box': with friction it would have to pull"):
        ps.collide(table, box, [*points, rough])
    with pytest.raises(ps.ModelError, match="give a list of at least one"):
        ps.collide(table, box, [])
    with pytest.raises(ps.ModelError, match=r"ps\.MovingSystem\(system, q, v\)"):
        ps.collide(table, BOX, points)
    with pytest.raises(ps.ModelError, match="q of a moving system must be finite"):
        ps.MovingSystem(BOX, BOX.neutral() * np.nan, np.zeros(6))
    with pytest.raises(ps.ModelError, match=r"v of .* finite, got \[nan, 0.0.*\] \(state 1\)"):
        ps.MovingSystem(BOX, BOX.neutral(), [[0.0] * 6, [np.nan, *[0.0] * 5]])
    with pytest.raises(ps.ModelError, match=r"is a ps\.System with its state, .* got Body"):
        ps.MovingSystem(BOX.bodies[0], BOX.neutral(), np.zeros(6))
    with pytest.raises(ps.ModelError, match=r"at least one ps\.ImpactPoint, got a list with Body"):
        ps.collide(table, box, [BOX.bodies[0]])
    itself = ps.ImpactPoint("box", "box", point=(0, 0, 0), normal=(0, 0, 1), restitution=0)
    for collide in (ps.collide, ps.collide_many):
        with pytest.raises(ps.ModelError, match="'box-box': body 'box' cannot hit itself; name"):
            collide(box, None, [itself])
    with pytest.raises(ps.ModelError, match=r"must be a ps\.BaseMotion"):
        ps.MovingSystem(base=ps.Pose((1, 0, 0)))
    with pytest.raises(ps.ShapeError, match=r"v of system 'box': expected shape \(6,\), got"):
        ps.MovingSystem(BOX, BOX.neutral(), [0, 0])


def test_picture(tmp_path):
    """The picture names every point; one of a flat system is drawn in its plane."""
    table, box, points = landing([0.5] * 4)
    hit = ps.collide(table, box, points)
    figure = hit.draw(tmp_path / "impact.png")
    texts = {text.get_text().split("\n")[0] for text in figure.axes[0].texts}
    assert texts == set(hit.names)
    assert (tmp_path / "impact.png").stat().st_size > 5_000
    with pytest.raises(ps.PoinsotError, match=r"known are \.png"):
        hit.draw(tmp_path / "impact.docx")


def test_names_of_near_points_are_apart(tmp_path):
    """Labels of points that nearly coincide overlap neither each other nor the frame."""
    table, box, _ = landing([0.5] * 4)
    points = [
        ps.ImpactPoint("world", "box", point=(x, 0, 0), normal=(0, 0, 1), restitution=0, name=name)
        for x, name in ((0.1, "heel"), (0.101, "ball of the foot"), (0.102, "toe"))
    ]
    scene = ps.collide(table, box, points, law="unilateral").draw(tmp_path / "near.png").axes[0]
    boxes = [text.get_window_extent() for text in scene.texts]
    assert len(boxes) == 3
    for k, extent in enumerate(boxes):
        assert not any(extent.overlaps(other) for other in boxes[:k])
        assert scene.get_window_extent().contains(*extent.min)


def test_text_has_no_rounding_errors_and_names_what_is_known():
    """Work of resting bases is 0; where friction alone is not determined no point is named."""
    table, box, points = landing([0.5] * 4)
    assert "of the bases 0 J" in str(ps.collide(table, box, points))
    feet = [
        ps.ImpactPoint("world", "box", point=p.point, normal=p.normal, restitution=0.5,
                       friction=np.float32(0.25), name=p.name)
        for p in points[:3]
    ]  # fmt: skip
    hit = ps.collide(table, box, feet, law="unilateral")
    assert hit.undetermined == ()
    assert not hit.unique
    assert "friction is not determined: others may obey the law too" in str(hit)


def test_points_of_the_same_name_are_told_apart():
    """By numbers, which no other point has; what they do is the same."""
    table, box, points = landing([0.5] * 4)
    same = [
        ps.ImpactPoint("world", "box", point=p.point, normal=p.normal, restitution=e, name=name)
        for p, e, name in zip(points, (0.1, 0.5, 0.5, 0.9), (None, None, None, "world-box 2"),
                              strict=True)
    ]  # fmt: skip
    hit = ps.collide(table, box, same, law="unilateral")
    assert hit.names == ("world-box", "world-box 3", "world-box 4", "world-box 2")
    with pytest.raises(ps.ModelError, match=r"'world-box', 'world-box 3', .*: no velocity gives"):
        ps.collide(table, box, same, law="printed")
