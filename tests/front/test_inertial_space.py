"""Energies, momenta and motions in inertial space of systems on a moving base."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import poinsot as ps
from tests.random_examples import examples
from tests.strategies import cases

H = 1e-5
POINT = np.array([0.1, -0.2, 0.3])


def base_at(t, start, p, twist, rate):
    """Return the motion of a base whose velocity in its own axes is twist + rate t, near t = 0."""
    move = twist * t + 0.5 * rate * t**2
    # to second order: R = R0 exp(w t + w' t²/2), p = p0 + R0 (v t + (v' + w × v) t²/2)
    bent = move[:3] + 0.5 * t**2 * np.cross(twist[3:], twist[:3])
    R = start @ Rotation.from_rotvec(move[3:]).as_matrix()
    return ps.BaseMotion(ps.Pose(p + start @ bent, matrix=R), twist + rate * t, rate)


@settings(max_examples=examples(4))
@given(cases(max_bodies=4), st.integers(0, 2**32 - 1))
def test_energies_and_momenta_are_sums_over_bodies(case, seed):
    """Compare with sums of V·I V / 2 and so on over the bodies, each moved with the base."""
    m, rng = case.mechanism, np.random.default_rng(seed)
    if not sum(body.mass for body in m.bodies):
        return
    system = ps.System("tree", m.bodies, gravity=m.gravity)
    R = Rotation.random(random_state=seed % 2**31).as_matrix()
    p, twist = rng.normal(size=3), rng.normal(size=6)
    base = ps.BaseMotion(ps.Pose(p, matrix=R), twist)
    energy, momentum, moment, mass, turning = 0.0, np.zeros(6), np.zeros(3), 0.0, 0.0
    for i, body in enumerate(m.bodies):
        X, V = system.pose(body.name, case.q), system.velocity(body.name, case.q, case.v)
        R_B, r = X[:3, :3], X[:3, 3]
        w = V[3:] + R_B.T @ twist[3:]
        v = V[:3] + R_B.T @ (twist[:3] + np.cross(twist[3:], r))
        inertia = body.spatial_inertia().matrix()
        V_B = np.concatenate([v, w])
        energy += 0.5 * V_B @ inertia @ V_B
        f, n = np.split(R @ (R_B @ (inertia @ V_B).reshape(2, 3).T), 2, axis=1)
        place = p + R @ r
        momentum += np.concatenate([f[:, 0], n[:, 0] + np.cross(place, f[:, 0])])
        moment += body.mass * (place + R @ R_B @ np.array(body.com))
        mass += body.mass
        u = case.v[m.v_slices[i]]
        turning += 0.5 * u @ body.joint.armature_matrix() @ u
    assert_allclose(system.kinetic_energy(case.q, case.v, base=base), energy + turning, rtol=1e-10)
    assert_allclose(system.momentum(case.q, case.v, base=base), momentum, rtol=1e-9, atol=1e-9)
    assert_allclose(system.centre_of_mass(case.q, base=base), moment / mass, rtol=1e-9, atol=1e-9)
    potential = system.potential_energy(case.q, "gravity", base=base)
    assert_allclose(potential, -np.dot(m.gravity, moment), rtol=1e-9, atol=1e-9)


@settings(max_examples=examples(4))
@given(cases(max_bodies=3), st.integers(0, 2**32 - 1))
def test_motions_are_rates_of_poses(case, seed):
    """Compare velocity and acceleration with differences of poses along the motion of the base."""
    m, rng = case.mechanism, np.random.default_rng(seed)
    system, body = ps.System("tree", m.bodies, gravity=m.gravity), m.bodies[-1].name
    R = Rotation.random(random_state=seed % 2**31).as_matrix()
    p, twist, rate = rng.normal(size=3), *rng.normal(size=(2, 6))
    a = rng.normal(size=m.nv)

    def at(t):
        q = system.integrate(case.q, t * (case.v + 0.5 * t * a))  # to second order in t
        return q, case.v + t * a, base_at(t, R, p, twist, rate)

    def place(t):
        q, _, base = at(t)
        return (system.pose(body, q, base=base) @ np.append(POINT, 1.0))[:3]

    q, v, base = at(0.0)
    V = system.velocity(body, q, v, POINT, axes="world", base=base)
    assert_allclose(
        (place(H) - place(-H)) / (2 * H), V[:3], rtol=1e-6, atol=1e-6 * (1 + abs(V).max())
    )
    A = system.acceleration(body, q, v, a, POINT, axes="world", base=base)

    def speed(t):
        q, v, base = at(t)
        return system.velocity(body, q, v, POINT, axes="world", base=base)

    assert_allclose((speed(H) - speed(-H)) / (2 * H), A, rtol=1e-5, atol=1e-5 * (1 + abs(A).max()))
    in_body = system.velocity(body, q, v, POINT, base=base)
    turned = system.pose(body, q, base=base)[:3, :3]
    assert_allclose(np.concatenate([turned @ in_body[:3], turned @ in_body[3:]]), V, atol=1e-9)
    J = system.jacobian(body, q, POINT, axes="world", base=base)
    still = system.velocity(body, q, 0 * v, POINT, axes="world", base=base)
    assert_allclose(J @ v + still, V, rtol=1e-9, atol=1e-9)


def test_an_impact_on_a_moving_base():
    """Let a ball hit the floor of a lift: with the lift's speed it loses other energy."""
    ball = ps.System("ball", [ps.Body("ball", joint=ps.Prismatic("z"), mass=2.0)])
    floor = ps.FormulaConstraint("floor", "z", where={"z": "ball"})
    lift = ps.BaseMotion(velocity=(0, 0, 5.0, 0, 0, 0))
    hit = ps.impact(ball, [0.0], [-3.0], [ps.Contact(floor, 0.5)], base=lift)
    assert hit.v == pytest.approx([1.5])
    assert hit.energy_lost == pytest.approx((5 - 3) ** 2 - (5 + 1.5) ** 2)
    with pytest.raises(ps.ModelError, match="base must be a BaseMotion, got str"):
        ball.momentum([0.0], [1.0], base="lift")


def test_many_states_and_springs_to_the_base():
    """Check a batch of bases, and a spring whose end the base carries."""
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=1.0, com=(0, 0, -0.5))
    spring = ps.Spring(("world", (0.3, 0, 0)), ("rod", (0, 0, -1)), 10.0, length=0.2)
    system = ps.System("hung", [rod], forces=[spring], gravity=(0, 0, -9.81))
    poses = np.tile(np.eye(4), (2, 1, 1))
    poses[1, 2, 3] = 2.0
    bases = ps.BaseMotion(poses, np.array([[0.0, 0, 0, 0, 0, 0], [3, 0, 0, 0, 0, 0]]))
    low, high = system.potential_energy([0.4], base=bases)
    assert low == pytest.approx(system.potential_energy([0.4]))
    assert high - low == pytest.approx(9.81 * 2.0)
    slow, fast = system.kinetic_energy([0.0], [2.0], base=bases)
    assert slow == pytest.approx(system.kinetic_energy([0.0], [2.0]))
    assert fast == pytest.approx(0.5 * (3.0 - 0.5 * 2.0) ** 2)
