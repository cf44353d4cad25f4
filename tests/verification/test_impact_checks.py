"""Impacts of two systems by 4 × 4 matrices: against ``ps.collide``, and verify sees wrong signs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot import library
from poinsot.formulations import homogeneous_impact as route
from poinsot.front import touching_systems as touching

AXES = ("x", "y", "z", (1, 2, 0), (1, -1, 2))
IMPULSES = "two systems: impulses in joints, 4 by 4 matrices"
RATES = "two systems: rates of opening, 4 by 4 matrices"
MASSES = "two systems: mass matrix, 4 by 4 matrices"


def tree(rng, name, parents, joint=None):
    """Return a tree with random joints, poses and masses; parents are numbers, -1 is the base."""
    kinds = [ps.Revolute, ps.Prismatic, ps.Revolute, ps.Cylindrical]
    bodies = []
    for k, parent in enumerate(parents):
        own = joint if joint is not None and k == 0 else kinds[rng.integers(4)](
            AXES[rng.integers(5)]
        )  # fmt: skip
        bodies.append(ps.Body(
            f"b{k}", "world" if parent < 0 else f"b{parent}", own,
            ps.Pose(rng.normal(size=3), rpy=rng.uniform(-2, 2, 3)),
            mass=rng.uniform(0.5, 2.0), com=0.3 * rng.normal(size=3),
            inertia=rng.uniform(0.2, 0.3, 3),
        ))  # fmt: skip
    return ps.System(name, bodies)


def random_party(rng, system):
    """Return a system at a random state on a base that is turned and moves."""
    pose = ps.Pose(rng.normal(size=3), rpy=rng.uniform(-2, 2, 3))
    base = ps.BaseMotion(pose, velocity=rng.normal(size=6))
    return ps.MovingSystem(system, system.random(rng), rng.normal(size=system.nv), base)


def as_tree(party):
    """Return a party for the route by 4 × 4 matrices."""
    return route.TreeOnBase(party.system.mechanism, party.q, party.v, party.base)


CASES = {
    "chains": ([-1, 0, 1, 2], [-1, 0, 1], None),
    "branches": ([-1, 0, 0, 1, 1, 2], [-1, -1, 0, 1, 0], None),
    "branch and chain": ([-1, 0, 0, 2], [-1, 0], None),
    "free": ([-1, 0, 0, 1], [-1, 0, 1], ps.Free()),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("case", CASES)
def test_matrices_and_impulses_are_those_of_collide(case, seed):
    rng = np.random.default_rng(seed)
    *parents, joint = CASES[case]
    both = [
        random_party(rng, tree(rng, name, p, joint))
        for name, p in zip(("left", "right"), parents, strict=True)
    ]
    points, touches = [], []
    for k in range(3):
        j, i = (int(rng.integers(max(0, len(p) - 2), len(p))) for p in parents)
        point = ps.ImpactPoint(f"b{j}", f"b{i}", point=rng.normal(size=3), name=str(k),
                               normal=rng.normal(size=3), restitution=0.3)  # fmt: skip
        points.append(point)
        places = [x.place(f"b{n}", point.point) for x, n in zip(both, (j, i), strict=True)]
        touches.append(route.Touch((j, i), tuple(places), point.normal))
    hit = ps.collide(*both, points, law="unilateral")
    trees = [as_tree(party) for party in both]
    d = route.generalised_impulses(*trees, touches)
    for ours, theirs, A in zip(d, hit.d_of_systems, hit.A_of_systems, strict=True):
        assert_allclose(ours, theirs, atol=1e-13)
        assert_allclose(ours.T, A, atol=1e-13)
    together = np.concatenate(d)
    assert_allclose(together, hit.d, atol=1e-13)
    assert_allclose(route.rates_of_opening(*trees, touches), hit.rates_before, atol=1e-12)
    M = route.both_mass_matrices(*trees)
    change = np.concatenate(hit.changes)
    scale = np.abs(M).max() * max(1.0, np.abs(change).max())
    assert_allclose(M @ change, together @ hit.impulses, atol=1e-12 * scale)  # (3.13)
    assert_allclose(together.T @ np.linalg.solve(M, together), hit.G, atol=1e-10)  # (3.30)
    assert np.abs(hit.impulses).max() > 0.0 or (hit.rates_before > 0.0).all()


def test_a_base_alone_takes_no_impulse():
    rng = np.random.default_rng(5)
    arm = random_party(rng, tree(rng, "arm", [-1, 0, 0]))
    wall = ps.MovingSystem(
        base=ps.BaseMotion(ps.Pose((1, 2, 3), rpy=(1, 2, 3)), (1, 2, 3, 4, 5, 6))
    )
    point = ps.ImpactPoint("world", "b2", point=(0.1, 0.2, 0.3), normal=(1, 2, 3), restitution=0)
    ground = ps.System("none", [ps.Body("none", mass=1.0, joint=ps.Prismatic("x"))])
    alone = route.TreeOnBase(ground.mechanism, np.zeros(1), np.zeros(1), wall.base)
    places = wall.place("world", point.point), arm.place("b2", point.point)
    touch = route.Touch((None, 2), places, point.normal)
    hit = ps.collide(wall, arm, [point], law="unilateral")
    first, second = route.generalised_impulses(alone, as_tree(arm), [touch])
    assert not first.any()
    assert_allclose(second, hit.d, atol=1e-13)
    rates = route.rates_of_opening(alone, as_tree(arm), [touch])
    assert_allclose(rates, hit.rates_before, atol=1e-12)


def disagreeing(system):
    """Return the names of the checks of two systems that differ."""
    report = ps.verify(system, n_states=1)
    names = {check.name for check in report.checks}
    assert {IMPULSES, RATES, MASSES} <= names
    return {check.name for check in report.checks if not check.ok}


def equal_signs(sizes, touches):
    """Return what is wrong in the paper's W if read as an incidence without signs."""
    return tuple(np.abs(W) for W in RIGHT(sizes, touches))


RIGHT = route.incidences


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("incidences", equal_signs),
        ("incidences", lambda sizes, touches: tuple(-W for W in RIGHT(sizes, touches))),
        ("change_of_frame", lambda first, second: np.pad(
            second @ first.T, (0, 1)) + np.diag([0, 0, 0, 1.0])),
        ("change_of_frame", lambda first, second: np.eye(4)),
    ],
    ids=["equal signs", "both signs", "transposed frame", "no change of frame"],
)  # fmt: skip
def test_verify_sees_a_wrong_sign_or_frame(monkeypatch, name, wrong):
    system = library.rrp_arm()
    assert not disagreeing(system)
    monkeypatch.setattr(route, name, wrong)
    assert disagreeing(system) == {IMPULSES}


def test_verify_sees_wrong_rows_and_velocities_of_collide(monkeypatch):
    right = touching._opening

    def reversed_normals(*given, **options):
        D, w, places = right(*given, **options)
        return -D, -w, places

    monkeypatch.setattr(touching, "_opening", reversed_normals)
    assert disagreeing(library.double_pendulum()) == {IMPULSES, RATES}


def test_verify_sees_bases_that_stand_still(monkeypatch):
    system = library.double_pendulum()

    def still(party, body, point):
        place = party.place(body, point)
        jacobian = party.system.jacobian(body, party.q, place, axes="world", base=party.base)
        return jacobian[:3] @ party.v

    monkeypatch.setattr(ps.MovingSystem, "point_velocity", still)
    assert disagreeing(system) == {RATES}
