"""Two balls hit each other with friction: laws in maximal coordinates, in every direction."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.spatial.tangents import tangents

RADII, MASSES, FRICTION, RESTITUTION = (0.1, 0.07), (0.5, 0.9), 0.3, 0.6
MOMENTS = [0.4 * m * r**2 for m, r in zip(MASSES, RADII, strict=True)]
NORMALS = [(1, 0, 0), (0, 0, 1), (0, 0, -1), (0.3, -0.2, -2.0), (1e-9, 0, -1), (-1, 2, -0.5)]


def balls():
    bodies = [
        ps.Body(name, joint=ps.Free(), mass=m, inertia=(moment,) * 3)
        for name, m, moment in zip("ab", MASSES, MOMENTS, strict=True)
    ]
    return ps.System("balls", bodies)


def touch(**options):
    surface = f"x**2 + y**2 + z**2 - {sum(RADII) ** 2}"
    gap = ps.RollingBall("touch", "b", radius=RADII[1], on="a", surface=surface, rolling=False)
    return ps.Contact(gap, RESTITUTION, FRICTION, **options)


def state(normal, seed):
    """Return q, v of balls that close along a normal, and v in space: v_a, w_a, v_b, w_b."""
    rng = np.random.default_rng(seed)
    n = np.array(normal, float) / np.linalg.norm(normal)
    turned = rng.normal(size=(2, 4))
    turned /= np.linalg.norm(turned, axis=1)[:, None]
    q = np.concatenate([[0.3, 0.1, -0.2], turned[0], [0.3, 0.1, -0.2] + sum(RADII) * n, turned[1]])
    v = rng.normal(size=12)
    v *= -np.sign(slip(q, n, v) @ n)
    return q, v, n


def in_space(q, v):
    system = balls()
    rotations = [system.pose(name, q)[:3, :3] for name in "ab"]
    return [rotations[k // 2] @ v[3 * k : 3 * k + 3] for k in range(4)]


def slip(q, n, v):
    va, wa, vb, wb = in_space(q, v)
    return vb + np.cross(wb, -RADII[1] * n) - va - np.cross(wa, RADII[0] * n)


@pytest.mark.parametrize("normal", NORMALS)
@pytest.mark.parametrize("law", ["unilateral", "poisson", "stronge"])
def test_momentum_cone_and_restitution_hold(law, normal):
    for seed in range(3):
        q, v, n = state(normal, seed)
        hit = ps.impact(balls(), q, v, [touch(law=law)])
        before, after = in_space(q, v), in_space(q, hit.v)
        va, wa, vb, wb = (x - y for x, y in zip(after, before, strict=True))
        P = MASSES[1] * vb
        across = P - (P @ n) * n
        assert_allclose(-MASSES[0] * va, P, atol=1e-12)
        assert_allclose(MOMENTS[0] * wa, np.cross(RADII[0] * n, -P), atol=1e-12)
        assert_allclose(MOMENTS[1] * wb, np.cross(-RADII[1] * n, P), atol=1e-12)
        assert_allclose(hit.impulses["touch"], P @ n, atol=1e-12)
        assert P @ n > 0
        assert np.linalg.norm(across) <= FRICTION * (P @ n) + 1e-12
        old, new = slip(q, n, v), slip(q, n, hit.v)
        assert_allclose(new @ n, -RESTITUTION * (old @ n), atol=1e-12)  # balls: laws agree
        gone = new - (new @ n) * n
        if np.linalg.norm(gone) > 1e-9 and law == "unilateral":
            opposite = -FRICTION * (P @ n) * gone / np.linalg.norm(gone)
            assert_allclose(across, opposite, atol=1e-11)


def test_balls_hit_each_other_in_a_run_as_in_an_impact():
    system = balls()
    q = system.neutral()
    q[7:10] = 0.01, 0.02, -0.5
    v = np.r_[0, 0, 0, 3.0, 0, 0, 0.5, 0, 4.0, 0, -20.0, 0]
    run = ps.simulate(system, q, v, 0.3, contacts=[touch(law="stronge")])
    event = run.events[0]
    assert abs(run.impact(event).friction_impulses["touch"]).max() > 0.01
    assert_allclose(run.impact(event).v, event.v, atol=1e-12)


def test_centres_alone_do_not_tell_and_say_what_does():
    gap = ps.Distance("touch", ("a", (0, 0, 0)), ("b", (0, 0, 0)), sum(RADII))
    with pytest.raises(ps.ModelError, match="of two balls with radii r and R: RollingBall"):
        ps.Contact(gap, 0.5, friction=0.2)


def test_ball_rolls_through_the_top_of_a_loop():
    R, r, m = 1.0, 0.05, 0.3
    moment = 0.4 * m * r**2
    body = ps.Body("ball", joint=ps.Free(), mass=m, inertia=(moment,) * 3)
    loop = ps.RollingBall(
        "loop", "ball", radius=r, surface=f"{(R - r) ** 2} - x**2 - y**2 - z**2"
    )  # fmt: skip
    system = ps.System("loop", [body], constraints=[loop])
    q = system.neutral()
    q[2] = -(R - r)
    speed = 8.0
    v = np.array([speed, 0, 0, 0, speed / r, 0])
    assert_allclose(system.constraint_rate(q, v), 0.0, atol=1e-12)
    run = ps.simulate(system, q, v, 1.0, rtol=1e-10, atol=1e-12)
    height = run.q[:, 2]
    assert height.max() > (R - r) * (1 - 1e-3)  # n = -z there
    energy = 0.5 * m * 1.4 * speed**2 + m * 9.81 * -(R - r)
    now = [system.kinetic_energy(x, y) + m * 9.81 * x[2] for x, y in zip(run.q, run.v, strict=True)]
    assert_allclose(now, energy, rtol=1e-8)
    top = q.copy()
    top[2] = R - r
    assert np.isfinite(system.constraint_jacobian(top)).all()


@pytest.mark.parametrize("below", [0.0, -0.9])
def test_tangents_are_orthonormal_everywhere(below):
    rng = np.random.default_rng(0)
    normals = [*rng.normal(size=(50, 3)), [0, 0, 1], [0, 0, -1], [1e-9, 0, -1], [0.4, 0, -0.9]]
    for normal in normals:
        n = np.array(normal, float) / np.linalg.norm(normal)
        first, second = tangents(n, below)
        frame = np.stack([n, first, second])
        assert_allclose(frame @ frame.T, np.eye(3), atol=1e-14)
