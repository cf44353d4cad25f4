"""Impacts on bases that are turned and move: an own solve, and contradictions by the bases."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

import poinsot as ps

LINK = {"mass": 1.3, "com": (0.2, 0.05, -0.1), "inertia": (0.2, 0.3, 0.25)}


def arm(name):
    """Return two links on a base, in space."""
    hinge = ps.Revolute((1, 0, 2))
    bodies = [ps.Body("one", joint=ps.Revolute("z"), **LINK)]
    bodies.append(ps.Body("two", "one", hinge, ps.Pose((0.5, 0, 0.1)), **LINK))
    bodies.append(ps.Body("tip", "two", ps.Prismatic("y"), ps.Pose((0, 0, 0.3)), **LINK))
    return ps.System(name, bodies)


ARMS = arm("left"), arm("right")


def arms(rng):
    """Return both at random, on bases that are turned and move in all directions."""
    return [
        ps.MovingSystem(
            system, rng.uniform(-1, 1, 3), rng.normal(size=3),
            ps.BaseMotion(ps.Pose(rng.normal(size=3), rpy=rng.uniform(-2, 2, 3)),
                          velocity=rng.normal(size=6)),
        )
        for system in ARMS
    ]  # fmt: skip


def inertial(party, q, t):
    """Return the pose of the tip at q in inertial space, t after the instant, to first order."""
    base = party.base
    V, w = base.velocity[:3], base.velocity[3:]
    turn = np.eye(4)
    size = np.linalg.norm(w)
    x = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]]) / size
    turn[:3, :3] = np.eye(3) + np.sin(size * t) * x + (1 - np.cos(size * t)) * x @ x
    own = np.eye(4)
    own[:3, :3] = base.R @ turn[:3, :3]
    own[:3, 3] = base.p + base.R @ V * t
    return own @ party.system.pose("tip", q)


def velocity(party, place, v, h=1e-5):
    """Return the velocity of the point of the tip at a place, by differences of its places."""
    own = np.linalg.solve(inertial(party, party.q, 0.0), np.append(place, 1.0))
    ends = [(inertial(party, party.q + s * h * v, s * h) @ own)[:3] for s in (2, 1, -1, -2)]
    return (8 * (ends[1] - ends[2]) - (ends[0] - ends[3])) / (12 * h)


def mass_matrix(party):
    """Return the second derivatives of the kinetic energy, which is quadratic in v."""

    def energy(v):
        return float(party.kinetic_energy(v))

    unit = np.eye(3)
    flat = energy(np.zeros(3))
    return np.array(
        [[energy(a + b) - energy(a) - energy(b) + flat for a in unit] for b in unit]
    )  # fmt: skip


def solved(K, u, e, mu, n):
    """Return the impulse in inertial axes: Newton along n, Coulomb against the slip after it."""
    want = -(1.0 + e) * (n @ u) * n - (u - (n @ u) * n)
    P = np.linalg.solve(K, want)
    if np.linalg.norm(P - (n @ P) * n) <= mu * (n @ P):
        return P, True
    first = np.linalg.svd(n[None])[2][1]
    second = np.cross(n, first)

    def pushed(angle):
        s = np.cos(angle) * first + np.sin(angle) * second
        direction = n - mu * s
        return -(1.0 + e) * (n @ u) / (n @ K @ direction) * direction, s

    def across(angle):
        P, s = pushed(angle)
        return np.cross(s, u + K @ P) @ n

    grid = np.linspace(0.0, 2.0 * np.pi, 721)
    values = [across(x) for x in grid]
    for a, b, left, right in zip(grid, grid[1:], values, values[1:], strict=False):
        if left * right < 0.0:
            P, s = pushed(brentq(across, a, b, xtol=1e-14))
            if s @ (u + K @ P) > 0.0 and n @ P > 0.0:
                return P, False
    return None, False


@pytest.mark.parametrize("friction", [0.1, 0.4, 2.0])
def test_friction_on_turned_moving_bases_against_an_own_solve(friction):
    cases, worked = set(), []
    for seed in range(8):
        rng = np.random.default_rng(seed)
        both, place, e = arms(rng), rng.normal(size=3), rng.uniform()
        u = velocity(both[1], place, both[1].v) - velocity(both[0], place, both[0].v)
        n = rng.normal(size=3)
        n *= -np.sign(n @ u) / np.linalg.norm(n)
        rows = [
            np.stack([velocity(x, place, x.v + d) - velocity(x, place, x.v) for d in np.eye(3)], 1)
            for x in both
        ]
        masses = [mass_matrix(x) for x in both]
        K = sum(J @ np.linalg.solve(M, J.T) for J, M in zip(rows, masses, strict=True))
        P, sticks = solved(K, u, e, friction, n)
        if P is None:  # friction that jams
            continue
        point = ps.ImpactPoint("tip", "tip", point=place, normal=n, restitution=e,
                               friction=friction)  # fmt: skip
        hit = ps.collide(*both, [point])
        assert_allclose(hit.impulses[0], n @ P, rtol=1e-6)
        assert_allclose(hit.friction_impulses[0], P - (n @ P) * n, atol=1e-6 * np.linalg.norm(P))
        assert hit.sticks == sticks
        gained = 0.0
        for party, J, M, end, sign in zip(both, rows, masses, hit.v, (-1, 1), strict=True):
            change = np.linalg.solve(M, sign * J.T @ P)
            assert_allclose(end, party.v + change, atol=1e-6 * np.abs(change).max())
            gained += party.kinetic_energy(party.v + change) - party.kinetic_energy(party.v)
        work = P @ (u + 0.5 * K @ P)
        assert_allclose(hit.contact_work, work, rtol=1e-6, atol=1e-8)
        assert_allclose(hit.base_work, gained - work, rtol=1e-5, atol=1e-5 * abs(work))
        cases.add(sticks)
        worked.append(abs(hit.base_work))
    assert max(worked) > 0.1
    assert cases >= ({False} if friction < 1.0 else {True})


def test_equal_restitution_that_the_base_contradicts_is_refused_by_name():
    """A rod turns about one hinge; a wall that moves asks two of its points for other rates.

    The point at depth z closes with 5 + 1.3 z, and opens with half of that if the rod then turns
    with 0.05 - 7.5 / z: not the same at two depths.
    """
    wall = ps.MovingSystem(base=ps.BaseMotion(velocity=(5.0, 0, 0, 0, 0.7, 0)))
    rod = ps.MovingSystem(ps.library.pendulum(), [0.0], [2.0])
    points = [
        ps.ImpactPoint("world", "bob", point=(0, 0, -z), normal=(1, 0, 0), restitution=0.5, name=x)
        for x, z in (("high", 0.4), ("low", 1.0))
    ]
    with pytest.raises(ps.ModelError, match=r"'high', 'low': no velocity .*law='unilateral' may"):
        ps.collide(wall, rod, points)
    still = ps.MovingSystem(base=ps.BaseMotion(velocity=(0.0, 0, 0, 0, 0.7, 0)))
    hit = ps.collide(still, rod, points)  # a wall that turns about the hinge agrees with it
    assert_allclose(hit.rates, -0.5 * hit.rates_before, atol=1e-12)
    assert not hit.unique
    best = ps.collide(wall, rod, points, law="unilateral")
    assert (best.impulses >= 0.0).all()
    assert (best.rates >= -0.5 * best.rates_before - 1e-12).all()
    assert_allclose(best.impulses * (best.rates + 0.5 * best.rates_before), 0.0, atol=1e-10)


@pytest.mark.parametrize(
    ("law", "order"),
    [("unilateral", "simultaneous"), ("poisson", "simultaneous"), ("unilateral", "sequential"),
     ("poisson", "sequential"), ("stronge", "sequential")],
)  # fmt: skip
@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_bases_that_press_a_system_are_refused(law, order, friction):
    """A wedge comes down on a slide between its faces: (v - 1) and (-v - 1) cannot both open."""
    slide = ps.System("slide", [ps.Body("slide", joint=ps.Prismatic("x"), mass=1.0)])
    faces = [
        ps.ImpactPoint(
            "world", "slide", point=(-x, 0, 0), normal=(x, 0, 1), restitution=0.5,
            friction=friction, name=name,
        )
        for x, name in ((1, "left"), (-1, "right"))
    ]  # fmt: skip
    wedge = ps.MovingSystem(base=ps.BaseMotion(velocity=(0, 0, 1, 0, 0, 0)))
    with pytest.raises(ps.ModelError, match=r"'left', 'right': .*motion of the bases presses"):
        ps.collide(wedge, ps.MovingSystem(slide, [0.0], [0.3]), faces, law=law, order=order)
    slower = ps.collide(
        wedge, ps.MovingSystem(slide, [0.0], [0.3]), faces[:1], law=law, order=order
    )
    assert slower.rates[0] > 0
