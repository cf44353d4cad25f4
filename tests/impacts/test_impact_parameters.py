"""Numbers for free parameters in impacts: the same as of systems built with these numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.impacts.differences_of_impacts import H, blocks_of, differences

OWN = {"m": 1.0, "l": 1.2}
OTHER = {"m": 3.0, "l": 0.7}


def arm(m, l, *, is_closed=False, **options):
    """Return two links, of numbers or of symbols; with a rod to the ground if it is closed."""
    bodies = [
        ps.Body("upper", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l / 2), inertia=(m, m, m)),
        ps.Body("lower", "upper", ps.Revolute((0, 1, 1)), ps.Pose((0, 0, -l)), mass=2 * m,
                com=(0.1, 0, -l / 2), inertia=(m, m, m)),
        ps.Body("tip", "lower", ps.Prismatic("z"), ps.Pose((0.2, 0, -l)), mass=m),
    ]  # fmt: skip
    rods = [ps.Distance("rod", ("world", (0, 0, -l)), ("lower", (0, 0.3, -l)), 1.0)]
    return ps.System("arm", bodies, constraints=rods if is_closed else [], **options)


def free_arm(**options):
    return arm(*ps.symbols("m l"), parameters=OWN, free=["m", "l"], **options)


BASE = ps.BaseMotion(ps.Pose((0.1, 0.2, 0.3), rpy=(0.3, 0.2, 0.1)), (0.1, -0.2, 0.3, 0.2, 0.1, 0.4))
Q, V = np.array([0.3, 0.4, 0.1]), np.array([1.0, -2.0, 0.5])


def points(**options):
    """Return two points on links of two arms."""
    return [
        ps.ImpactPoint("lower", "tip", point=(0.1, 0.2, -1.0), normal=(0.3, 0.2, 1),
                       restitution=0.5, **options),
        ps.ImpactPoint("upper", "lower", point=(0.0, 0.1, -0.4), normal=(1, 0, 0),
                       restitution=0.3, **options),
    ]  # fmt: skip


def parties(first, second, **options):
    return (
        ps.MovingSystem(first, Q, V, BASE, **options),
        ps.MovingSystem(second, Q[::-1], -V, **options),
    )


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize(("law", "rough"), [("unilateral", {}), ("poisson", {"friction": 0.3})])
def test_collide_is_that_of_a_system_with_these_numbers(law, rough, is_closed):
    free, built = free_arm(is_closed=is_closed), arm(**OTHER, is_closed=is_closed)
    plain = ps.collide(*parties(free, free), points(**rough), law=law)
    given = ps.collide(*parties(free, free, parameters=OTHER), points(**rough), law=law)
    wanted = ps.collide(*parties(built, built), points(**rough), law=law)
    assert np.abs(wanted.impulses).max() > 0.01
    for name in ("A", "G", "H", "rates_before", "rates", "impulses", "friction_impulses", "works"):
        assert_allclose(getattr(given, name), getattr(wanted, name), atol=1e-11, err_msg=name)
    for name in ("changes", "v", "places", "contact_works", "base_works"):
        for x, y in zip(getattr(given, name), getattr(wanted, name), strict=True):
            assert_allclose(x, y, atol=1e-10, err_msg=name)
    assert not np.allclose(plain.impulses, given.impulses, rtol=1e-2)
    for ours, theirs in zip(given.joint_impulses, wanted.joint_impulses, strict=True):
        for name, wrench in theirs.items():
            assert_allclose(ours[name], wrench, atol=1e-10)
    exact, expected = given.derivatives(), wanted.derivatives()
    for name, value in vars(expected).items():
        if name.endswith("_parameters"):  # which the other has none of
            assert value.shape[-1] == 0
            continue
        assert_allclose(getattr(exact, name), value, atol=1e-8, rtol=1e-8, err_msg=name)


WAYS = [
    ("printed", "simultaneous", {}), ("unilateral", "simultaneous", {}),
    ("unilateral", "simultaneous", {"friction": 0.2}), ("poisson", "simultaneous", {}),
    ("poisson", "simultaneous", {"friction": 0.3}), ("stronge", "sequential", {"friction": 0.2}),
    ("unilateral", "sequential", {"friction": 2.0, "tangential_restitution": 0.4}),
]  # fmt: skip


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize(("law", "order", "rough"), WAYS)
def test_derivatives_by_parameters_are_those_of_differences(law, order, rough, is_closed):
    """Masses and lengths of both; one has its own numbers, the other given ones."""
    free = free_arm(is_closed=is_closed)
    other = ps.MovingSystem(free, Q[::-1], -V, parameters=OTHER)
    both = (ps.MovingSystem(free, Q, V, BASE), other)
    towards = [
        ps.ImpactPoint(p.first, p.second, point=p.point, name=f"{k}",
                       restitution=p.restitution, **rough, normal=-np.sign(u) * p.normal)
        for k, (p, u) in enumerate(zip(points(), ps.collide(*both, points(), law="unilateral")
                                       .rates_before, strict=True))
    ]  # fmt: skip
    hit = ps.collide(*both, towards, law=law, order=order)
    exact = hit.derivatives()
    assert exact.v_parameters.shape == (6, 4)
    assert (np.abs(exact.v_parameters).max(axis=0) > 0).all()
    numeric = differences(both, towards, law, order, step=4 * H)
    scale = np.abs(numeric).max()
    assert_allclose(blocks_of(exact) / scale, numeric / scale, rtol=1e-6, atol=1e-6)


def test_a_blow_on_a_pivoted_rod():
    """v⁺ = -e v⁻ and P = (1 + e) (m l²/3) ω / r, which only impulses tell from one another."""
    m, l = ps.symbols("m l")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=m, com=(0, 0, -l / 2),
                  inertia=(m * l**2 / 12,) * 3)  # fmt: skip
    system = ps.System("rod", [rod], parameters={"m": 2.0, "l": 1.5}, free=["m", "l"])
    blow = ps.ImpactPoint("world", "rod", point=(0, 0, -0.6), normal=(1, 0, 0), restitution=0.5)
    exact = ps.collide(ps.MovingSystem(), ps.MovingSystem(system, [0.0], [2.0]), [blow])
    assert_allclose(exact.impulses, 2.0 * 1.5**2 / 3 * 1.5 * 2.0 / 0.6)
    by = exact.derivatives()
    assert_allclose(by.v_parameters, 0.0, atol=1e-14)
    assert_allclose(by.impulses_parameters, [exact.impulses[0] * np.array([1 / 2.0, 2 / 1.5])])


def test_tangential_restitution_of_a_ball():
    """A ball that grips has P_t = -(1 + e_t) w_t / (1/m + r²/I)."""
    ball = ps.Body("ball", joint=ps.Free(), mass=0.5, inertia=(2e-3,) * 3)
    party = ps.MovingSystem(ps.System("ball", [ball]), [0, 0, 0.1, 1, 0, 0, 0],
                            [1.0, 0, -2.0, 0, 0, 0])  # fmt: skip
    point = ps.ImpactPoint("world", "ball", point=(0, 0, 0), normal=(0, 0, 1), restitution=0.5,
                           friction=2.0, tangential_restitution=0.6)  # fmt: skip
    by = ps.collide(ps.MovingSystem(), party, [point], law="unilateral").derivatives()
    held = 1.0 / (1 / 0.5 + 0.01 / 2e-3)
    wanted = [[[-held], [0.0], [0.0]]]
    assert_allclose(by.friction_impulses_tangential_restitution, wanted, atol=1e-12)
    assert_allclose(by.v_tangential_restitution[0], -held / 0.5)
    assert_allclose(by.impulses_tangential_restitution, 0.0, atol=1e-14)


def test_one_of_several_parameters_and_numbers_that_stay_their_own():
    free, built = free_arm(), arm(m=OTHER["m"], l=OWN["l"])
    given = ps.collide(*parties(free, free, parameters={"m": 3}), points(), law="unilateral")
    wanted = ps.collide(*parties(built, built), points(), law="unilateral")
    assert_allclose(given.impulses, wanted.impulses, atol=1e-12)
    none = ps.collide(*parties(free, free, parameters={}), points(), law="unilateral")
    plain = ps.collide(*parties(free, free), points(), law="unilateral")
    assert_allclose(none.impulses, plain.impulses)


@pytest.mark.parametrize("is_closed", [False, True])
@pytest.mark.parametrize(("law", "rough"), [("unilateral", {}), ("poisson", {"friction": 0.3})])
def test_many_states_with_numbers_of_their_own(law, rough, is_closed):
    free = free_arm(is_closed=is_closed)
    masses = np.array([0.5, 1.0, 2.0, 4.0])
    first = ps.MovingSystem(free, Q, V, BASE, parameters={"m": masses})
    second = ps.MovingSystem(free, Q[::-1], -V, parameters=OTHER)
    hits = ps.collide_many(first, second, points(**rough), law=law)
    assert len(hits) == 4
    for k, m in enumerate(masses):
        built = arm(m, OWN["l"], is_closed=is_closed), arm(**OTHER, is_closed=is_closed)
        hit = ps.collide(*parties(*built), points(**rough), law=law)
        assert_allclose(hits.impulses[k], hit.impulses, atol=1e-11)
        assert_allclose(hits.friction_impulses[k], hit.friction_impulses, atol=1e-11)
        assert_allclose(hits.base_work[k], hit.base_work, atol=1e-10)
        assert_allclose(hits.A[k], hit.A, atol=1e-12)
        assert_allclose(hits.G[k], hit.G, atol=1e-12)
        assert_allclose(hits[k].v[0], hit.v[0], atol=1e-10)
        assert_allclose(hits.derivatives()[k].v_v, hit.derivatives().v_v, atol=1e-9)
    assert np.ptp(hits.impulses, axis=0).max() > 0.1


def test_one_number_for_many_states():
    free, built = free_arm(), arm(**OTHER)
    ends = []
    for system, options in ((free, {"parameters": OTHER}), (built, {})):
        first = ps.MovingSystem(system, Q, np.stack([V, 2 * V]), BASE, **options)
        second = ps.MovingSystem(system, Q[::-1], -V, **options)
        ends.append(ps.collide_many(first, second, points(), law="unilateral"))
    assert_allclose(ends[0].impulses, ends[1].impulses, atol=1e-12)


def test_pictures_have_these_numbers(tmp_path):
    free, built = free_arm(), arm(**OTHER)
    party = ps.MovingSystem(free, Q, V, BASE, parameters=OTHER)
    assert_allclose(party.lines(), ps.MovingSystem(built, Q, V, BASE).lines(), atol=1e-12)
    hit = ps.collide(*parties(free, free, parameters=OTHER), points(), law="unilateral")
    hit.draw(tmp_path / "hit.png")
    assert (tmp_path / "hit.png").stat().st_size > 1000


def test_mistakes_are_named():
    free = free_arm()
    with pytest.raises(ps.ModelError, match="unknown parameter 'mm'; did you mean 'm'"):
        ps.MovingSystem(free, Q, V, parameters={"mm": 1.0})
    with pytest.raises(ps.ModelError, match="a base alone has no parameters"):
        ps.MovingSystem(parameters={"m": 1.0})
    with pytest.raises(ps.ModelError, match="finite"):
        ps.MovingSystem(free, Q, V, parameters={"m": np.nan})
    with pytest.raises(ps.ModelError, match="values by name"):
        ps.MovingSystem(free, Q, V, parameters=3.0)
    with pytest.raises(ps.ShapeError, match="k of them"):
        ps.MovingSystem(free, Q, V, parameters={"m": np.ones((2, 2))})
    with pytest.raises(ps.ModelError, match="parameter"):
        ps.MovingSystem(arm(1.0, 1.0), Q, V, parameters={"m": 1.0})
    many = ps.MovingSystem(free, Q, V, parameters={"m": np.ones(3)})
    with pytest.raises(ps.ModelError, match="collide_many takes them"):
        ps.collide(many, None, points(), law="unilateral")
    two = ps.MovingSystem(free, np.stack([Q, Q]), V)
    with pytest.raises(ps.ShapeError, match="parameters of the first system: 3"):
        ps.collide_many(many, two, points(), law="unilateral")
