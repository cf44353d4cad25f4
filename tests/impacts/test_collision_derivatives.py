"""Derivatives of impacts against differences of impacts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from tests.impacts.differences_of_impacts import TOLERANCE, H, at, blocks_of, differences


def arm(n, seed):
    """Return a chain of n joints, and a state."""
    rng = np.random.default_rng(seed)
    return ps.library.chain(n), rng.normal(size=n), rng.normal(size=n)


def box(seed):
    """Return a free box, and a state."""
    rng = np.random.default_rng(seed)
    body = ps.Body("box", joint=ps.Free(), mass=2.0, inertia=(0.3, 0.2, 0.4), com=(0.1, 0, 0.05))
    q = np.concatenate([rng.normal(size=3), rng.normal(size=4)])
    q[3:] /= np.linalg.norm(q[3:])
    return ps.System("box", [body]), q, rng.normal(size=6)


def points_between(first, second, bodies, count, seed, places=None):
    """Return points of two bodies with normals turned so that they close."""
    rng, points = np.random.default_rng(seed), []
    for k in range(count):
        place, normal = rng.normal(size=3), rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        parties = (first, second or first)
        ends = [p.point_velocity(b, place) for p, b in zip(parties, bodies, strict=True)]
        normal *= -np.sign(normal @ (ends[1] - ends[0]))
        e = rng.uniform(0.2, 0.9)
        points.append(at(bodies, place, normal, e, name=f"point {k}"))
    return points


def moving_base():
    """Return a base that is turned, elsewhere, and moves."""
    pose = ps.Pose((0.2, -0.1, 0.4), rpy=(0.3, 0.2, -0.5))
    return ps.BaseMotion(pose, velocity=(0.1, 0.3, -0.2, 0.2, 0.1, 0.4))


@pytest.mark.parametrize("law", ["printed", "unilateral"])
@pytest.mark.parametrize("case", ["arms", "box and table", "box and arm", "one system"])
def test_derivatives_are_those_of_differences(case, law):
    a, b = arm(3, 1), arm(4, 2)
    first = ps.MovingSystem(*a, base=moving_base())
    ends = a[0].bodies[-1].name, b[0].bodies[-1].name
    if case == "arms":
        second, bodies, count = ps.MovingSystem(*b), ends, 2
    elif case == "box and table":
        first, second = ps.MovingSystem(base=moving_base()), ps.MovingSystem(*box(3))
        bodies, count = ("world", "box"), 3
    elif case == "box and arm":
        second, bodies, count = ps.MovingSystem(*box(4)), (ends[0], "box"), 2
    else:
        first, second = ps.MovingSystem(*b, base=moving_base()), None
        bodies, count = (b[0].bodies[0].name, ends[1]), 2
    points = points_between(first, second, bodies, count, 5)
    hit = ps.collide(first, second, points, law=law)
    exact = hit.derivatives()
    found = differences((first, second), points, law)
    n = sum(change.size for change in hit.changes)
    blocks = blocks_of(exact)
    scale = np.abs(found).max()
    assert_allclose(blocks / scale, found / scale, **TOLERANCE)
    assert exact.v_q.shape == (n, n)


def test_closed_systems():
    """Velocities before it change along the constraints, where differences have a meaning."""
    bar, q = ps.library.four_bar(), ps.library.four_bar_configuration(0.9)
    v = bar.consistent_velocity(q, [2.0, 0, 0], joints=["crank"])
    party, wall = ps.MovingSystem(bar, q, v), ps.MovingSystem()
    place = bar.pose("coupler", q)[:3, 3] + [0.1, 0.05, 0.0]
    (point,) = points_between(wall, party, ("world", "coupler"), 1, 0)
    point = at(("world", "coupler"), place, point.normal, 0.5)
    if ps.collide(wall, party, [point], law="unilateral").impulses[0] == 0.0:
        point = at(("world", "coupler"), place, -point.normal, 0.5)
    exact = ps.collide(wall, party, [point]).derivatives()

    def after(s):
        """Move along the mechanism, with the rate of the crank as before."""
        moved = bar.assemble(bar.integrate(q, s * v), joints=["crank"])
        rates = bar.consistent_velocity(moved, [2.0, 0, 0], joints=["crank"])
        hit = ps.collide(wall, ps.MovingSystem(bar, moved, rates), [point])
        return moved, rates, np.concatenate([hit.v[1], hit.impulses])

    (q1, v1, y1), (q0, v0, y0) = after(H), after(-H)
    dq, dv = bar.difference(q0, q1) / (2 * H), (v1 - v0) / (2 * H)
    rows = np.vstack([exact.v_q, exact.impulses_q]) @ dq
    rows += np.vstack([exact.v_v, exact.impulses_v]) @ dv
    assert_allclose(rows, (y1 - y0) / (2 * H), rtol=1e-6, atol=1e-6)


def test_many_and_what_has_none():
    first, second = ps.MovingSystem(*arm(3, 1)), ps.MovingSystem(*box(4))
    bodies = (first.system.bodies[-1].name, "box")
    points = points_between(first, second, bodies, 2, 5)
    one = points[0]
    twice = [one, at(bodies, one.point, one.normal, one.restitution, name="twin")]
    with pytest.raises(ps.ModelError, match="are not unique"):
        ps.collide(first, second, twice).derivatives()
    states = [
        ps.MovingSystem(party.system, np.tile(party.q, (2, 1)), np.tile(party.v, (2, 1)))
        for party in (first, second)
    ]
    many = ps.collide_many(*states, points)
    single = ps.collide(first, second, points).derivatives()
    for each in many.derivatives():
        assert_allclose(each.v_q, single.v_q, atol=1e-12)
