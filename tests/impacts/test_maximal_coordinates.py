"""Impacts in maximal coordinates: branches, a closed loop, moving turned bases, with NumPy alone.

Every body has six velocities (v of its origin, ω), in inertial axes; joints are constraints
between them, and the base is a body that moves as it is told.
"""

import numpy as np
from hypothesis import assume, given, reject, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from tests.impacts.test_published_laws import cross
from tests.random_examples import examples


def body(name, parent, joint, place=(0, 0, 0)):
    return ps.Body(name, parent, joint, ps.Pose(place), mass=1.5, com=(0.1, 0.05, -0.3),
                   inertia=(0.2, 0.3, 0.25))  # fmt: skip


def branched():
    """Return a trunk that carries two arms and a slide."""
    bodies = [
        body("trunk", "world", ps.Revolute("z")),
        body("left", "trunk", ps.Revolute("y"), (0.3, 0.0, 0.2)),
        body("hand", "left", ps.Revolute("x"), (0.0, 0.0, -0.6)),
        body("right", "trunk", ps.Prismatic("x"), (-0.3, 0.1, 0.0)),
    ]
    return ps.System("branched", bodies), []


def four_bar():
    """Return a four-bar linkage, and its loop: bodies, and the place in the first."""
    bodies = [
        body("crank", "world", ps.Revolute("y")),
        body("coupler", "crank", ps.Revolute("y"), (0.0, 0.0, -0.5)),
        body("rocker", "world", ps.Revolute("y"), (1.0, 0.0, 0.0)),
    ]
    loop = ps.Loop("pin", ("coupler", ps.Pose((1.0, 0, 0))), ("rocker", ps.Pose((0, 0, -0.5))),
                   ps.Revolute("y"))  # fmt: skip
    return ps.System("four-bar", bodies, loops=[loop]), [("coupler", "rocker", (1.0, 0, 0))]


def maximal(party, loops):
    """Return M, velocities, rows of joints and what they are to give, and numbers of bodies."""
    system, base = party.system, party.base
    turn, lift = base.R, base.p
    spin = turn @ base.velocity[3:]
    drift = turn @ base.velocity[:3] - np.cross(spin, lift)
    ground = np.concatenate([drift, spin])  # velocity of the point of the base at the origin
    numbers = {x.name: k for k, x in enumerate(system.bodies)}
    n = 6 * len(numbers)
    M, V, rows, wanted = np.zeros((n, n)), np.zeros(n), [], []
    frames = {}
    for k, x in enumerate(system.bodies):
        X = system.pose(x.name, party.q)
        R, p = turn @ X[:3, :3], turn @ X[:3, 3] + lift
        frames[x.name] = R, p
        c = cross(p + R @ np.array(x.com))
        xx, yy, zz, xy, xz, yz = x.inertia
        moments = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        own = slice(6 * k, 6 * k + 6)
        m = x.mass
        M[own, own] = np.block([[m * np.eye(3), -m * c], [m * c, moments - m * c @ c]])
        twist = system.velocity(x.name, party.q, party.v, axes="world")
        v, w = turn @ twist[:3], turn @ twist[3:]
        V[own] = np.concatenate([v - np.cross(w, p - lift) + np.cross(w, -lift), w]) + ground
    links = [(x.name, x.parent, x.joint, frames[x.name]) for x in system.bodies]
    for first, second, place in loops:
        R, p = frames[first]
        links.append((first, second, ps.Revolute("y"), (R, p + R @ np.array(place))))
    for child, parent, joint, (R, p) in links:
        axis = R @ np.array(joint.axis, float)
        turns = isinstance(joint, ps.Revolute)
        S = np.concatenate([np.cross(p, axis), axis] if turns else [axis, np.zeros(3)])
        blocked = np.eye(6) - np.outer(S, S) / (S @ S)
        row = np.zeros((6, n))
        row[:, 6 * numbers[child] : 6 * numbers[child] + 6] = blocked
        if parent == "world":
            wanted.append(blocked @ ground)
        else:
            row[:, 6 * numbers[parent] : 6 * numbers[parent] + 6] = -blocked
            wanted.append(np.zeros(6))
        rows.append(row)
    return M, V, np.vstack(rows), np.concatenate(wanted), numbers


def tangents(normal):
    return np.linalg.svd(normal[None])[2][1:]


@settings(max_examples=examples(10), deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans(), st.integers(1, 3))
def test_momenta_of_free_bodies(seed, sticks, n):
    """Momenta of every body change by the impulses of its joints and of contacts, solved here.

    By the unilateral law, of smooth points, or of a single one that friction holds.
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(-0.6, 0.6)
    tree, bar = branched(), four_bar()
    still = [ps.BaseMotion(ps.Pose(rng.normal(size=3), rpy=rng.uniform(-2, 2, 3)),
                           velocity=rng.normal(size=6)) for _ in range(2)]  # fmt: skip
    parties = [
        ps.MovingSystem(tree[0], rng.uniform(-1, 1, 4), rng.normal(size=4), still[0]),
        ps.MovingSystem(bar[0], [angle, -angle, angle], rng.normal() * np.array([1, -1, 1]),
                        still[1]),
    ]  # fmt: skip
    own = [maximal(party, loops) for party, loops in zip(parties, (tree[1], bar[1]), strict=True)]
    sizes = [len(x[1]) for x in own]
    M = np.zeros((sum(sizes), sum(sizes)))
    M[: sizes[0], : sizes[0]], M[sizes[0] :, sizes[0] :] = own[0][0], own[1][0]
    V = np.concatenate([x[1] for x in own])
    J = np.zeros((len(own[0][2]) + len(own[1][2]), len(V)))
    J[: len(own[0][2]), : sizes[0]], J[len(own[0][2]) :, sizes[0] :] = own[0][2], own[1][2]
    wanted = np.concatenate([x[3] for x in own])
    assert_allclose(J @ V, wanted, atol=1e-10)  # before it joints hold
    points, rows = [], []
    for k in range(1 if sticks else n):
        first, second = rng.choice(list(own[0][4])), rng.choice(list(own[1][4]))
        place, normal = rng.normal(size=3), rng.normal(size=3)
        normal /= np.linalg.norm(normal)
        along = np.zeros((3, len(V)))
        for line, way in zip(along, [normal, *tangents(normal)], strict=True):
            wrench = np.concatenate([way, np.cross(place, way)])
            a, b = 6 * own[0][4][first], sizes[0] + 6 * own[1][4][second]
            line[a : a + 6], line[b : b + 6] = -wrench, wrench
        if along[0] @ V > 0.0:
            normal, along = -normal, -along
        points.append(ps.ImpactPoint(str(first), str(second), point=place, normal=normal,
                                     restitution=rng.uniform(0.2, 0.8), name=f"p{k}",
                                     friction=5.0 if sticks else 0.0))  # fmt: skip
        rows.append(along)
    try:
        hit = ps.collide(*parties, points, law="unilateral")
    except ps.ModelError:  # so much friction may jam
        if not sticks:
            raise
        reject()
    u = np.array([row[0] @ V for row in rows])
    assert_allclose(hit.rates_before, u, atol=1e-9 * max(1.0, np.abs(u).max()))
    e = np.array([p.restitution for p in points])
    pushing = np.flatnonzero(hit.impulses > 0.0)
    active = [rows[k] if sticks else rows[k][:1] for k in pushing]
    goals = [-e[k] * u[k] * np.eye(3 if sticks else 1)[0] for k in pushing]
    assume(not sticks or hit.sticks)
    A = np.vstack([J, *active])
    goal = np.concatenate([wanted, *goals])
    P = np.linalg.lstsq(A @ np.linalg.solve(M, A.T), goal - A @ V, rcond=1e-11)[0]
    after = V + np.linalg.solve(M, A.T @ P)
    size = max(1.0, np.abs(P).max())
    assert_allclose(A @ after, goal, atol=1e-8 * size)
    normal = P[len(J) :: 3 if sticks else 1]
    assert_allclose(hit.impulses[pushing], normal, atol=1e-7 * size)
    rates = np.array([row[0] @ after for row in rows])
    assert (normal > -1e-9 * size).all()
    assert (rates >= -e * u - 1e-8 * size).all()
    for party, v, first, (loops, each) in zip(
        parties, hit.v, (0, sizes[0]), zip((tree[1], bar[1]), own, strict=True), strict=True
    ):
        moved = ps.MovingSystem(party.system, party.q, v, party.base)
        ours = maximal(moved, loops)[1]
        assert_allclose(ours, after[first : first + len(each[1])], atol=1e-7 * size)


def test_impulses_in_joints_and_loops_balance_the_momenta_of_each_body():
    """Those of ``joint_impulses``, with friction, of a tree and a loop on bases that are turned."""
    rng, trees = np.random.default_rng(3), (branched(), four_bar())
    lifts = [ps.BaseMotion(ps.Pose(rng.normal(size=3), rpy=rng.uniform(-2, 2, 3)),
                           velocity=rng.normal(size=6)) for _ in range(2)]  # fmt: skip
    parties = [
        ps.MovingSystem(trees[0][0], rng.uniform(-1, 1, 4), rng.normal(size=4), lifts[0]),
        ps.MovingSystem(trees[1][0], [0.3, -0.3, 0.3], [1.0, -1.0, 1.0], lifts[1]),
    ]
    points = []
    for name, body in (("hand", "coupler"), ("right", "rocker"), ("left", "crank")):
        place, normal = rng.normal(size=3), rng.normal(size=3)
        ends = [x.point_velocity(b, place) for x, b in zip(parties, (name, body), strict=True)]
        normal *= -np.sign(normal @ (ends[1] - ends[0]))
        points.append(ps.ImpactPoint(name, body, point=place, normal=normal, restitution=0.5,
                                     friction=0.1))  # fmt: skip
    hit = ps.collide(*parties, points, law="poisson")
    forces = hit.impulses[:, None] * hit.normals + hit.friction_impulses
    assert np.count_nonzero(hit.impulses) > 1
    assert np.abs(hit.friction_impulses).max() > 0.0
    for side, (party, (_, loops)) in enumerate(zip(parties, trees, strict=True)):
        M, V, _, _, numbers = maximal(party, loops)
        moved = ps.MovingSystem(party.system, party.q, hit.v[side], party.base)
        gained = (M @ (maximal(moved, loops)[1] - V)).reshape(-1, 6)
        given = np.zeros(gained.shape)
        for point, force in zip(points, (forces, -forces)[1 - side], strict=True):
            body = (point.first, point.second)[side]
            given[numbers[body]] += np.concatenate([force, np.cross(point.point, force)])
        links = {x.name: (x.name, x.parent, np.zeros(3)) for x in party.system.bodies}
        if loops:
            links["pin"] = ("rocker", "coupler", np.array([0.0, 0.0, -0.5]))
        assert set(hit.joint_impulses[side]) == set(links)
        for name, (body, parent, place) in links.items():
            X = party.system.pose(body, party.q)
            R = party.base.R @ X[:3, :3]
            p = party.base.R @ (X[:3, :3] @ place + X[:3, 3]) + party.base.p
            f, n = hit.joint_impulses[side][name].reshape(2, 3) @ R.T
            wrench = np.concatenate([f, n + np.cross(p, f)])
            given[numbers[body]] += wrench
            if parent != "world":
                given[numbers[parent]] -= wrench
        assert_allclose(given, gained, atol=1e-9 * np.abs(gained).max())
        assert np.abs(gained).max() > 0.1
