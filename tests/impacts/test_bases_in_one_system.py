"""Two systems on moving bases are one system whose roots have a prescribed motion."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.random_examples import examples

ARM = ps.library.double_pendulum()
POINTS = [
    ps.ImpactPoint(name, name, point=(-0.18, 0.02, z), normal=(-1, 0, 0), restitution=e)
    for name, z, e in (("upper", -0.9, 0.4), ("lower", -1.7, 0.6))
]


def carried(party, prefix):
    """Return bodies that carry a party as its base does, and its velocities."""
    axes = [(ps.Prismatic(axis), axis) for axis in "xyz"] + [
        (ps.Revolute(axis), "r" + axis) for axis in "xyz"
    ]
    bodies, parent, pose = [], "world", ps.Pose(party.base.p, matrix=party.base.R)
    for joint, name in axes:
        bodies.append(ps.Body(prefix + name, parent, joint, pose, mass=1.0, inertia=(1, 1, 1)))
        parent, pose = prefix + name, ps.Pose()
    rates = party.base.velocity
    drives = [
        ps.PrescribedMotion(f"drive {body.name}", body.name, f"{float(rate)!r}*t")
        for body, rate in zip(bodies, rates, strict=True)
    ]
    return bodies, drives, parent


def together(parties):
    """Return one system of all, its state, and where the velocities of each party are."""
    bodies, drives, ends = [], [], []
    for party, prefix in zip(parties, "ab", strict=True):
        own, driven, end = carried(party, prefix)
        bodies, drives, ends = [*bodies, *own], [*drives, *driven], [*ends, end]
    whole = ps.System("bases", bodies, constraints=drives)
    for party, prefix, end in zip(parties, "ab", ends, strict=True):
        whole = whole.attach(party.system, to=end, prefix=f"{prefix}/")
    q = np.concatenate([np.zeros(12), *[party.q for party in parties]])
    v = np.concatenate([*[p.base.velocity for p in parties], *[p.v for p in parties]])
    return whole, q, v


@settings(max_examples=examples(5), deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from(["unilateral", "poisson"]))
def test_one_system_with_two_moving_roots(seed, law):
    rng = np.random.default_rng(seed)
    parties = [
        ps.MovingSystem(
            ARM, rng.uniform(-0.3, 0.3, 2), [speed, 0.5] + 0.3 * rng.normal(size=2),
            ps.BaseMotion(ps.Pose(0.1 * rng.normal(size=3), rpy=0.2 * rng.normal(size=3)),
                          velocity=0.1 * rng.normal(size=6)),
        )
        for speed in (3.0, 0.0)
    ]  # fmt: skip
    whole, q, v = together(parties)
    M = whole.mass_matrix(q)
    a, b = [*range(6), 12, 13], [*range(6, 12), 14, 15]
    assert not M[np.ix_(a, b)].any()
    for own, party in ((a, parties[0]), (b, parties[1])):
        assert_allclose(M[np.ix_(own[6:], own[6:])], ARM.mass_matrix(party.q), rtol=1e-12)
    hit = ps.collide(*parties, POINTS, law=law)
    points = [
        ps.ImpactPoint(f"a/{p.first}", f"b/{p.second}", point=p.point, normal=p.normal,
                       restitution=p.restitution)
        for p in POINTS
    ]  # fmt: skip
    same = ps.collide(ps.MovingSystem(whole, q, v), None, points, law=law)
    assert_allclose(same.rates_before, hit.rates_before, rtol=0, atol=1e-11)
    assert_allclose(same.impulses, hit.impulses, rtol=0, atol=1e-9)
    assert_allclose(same.v[0][:12], v[:12], rtol=0, atol=1e-9)  # bases move on
    assert_allclose(same.v[0][12:], np.concatenate(hit.v), rtol=0, atol=1e-9)
    assert np.isclose(hit.contact_work, same.contact_work, rtol=1e-8)
