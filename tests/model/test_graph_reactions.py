"""Reactions of graphs: first on second, whichever way the tree takes a joint.

The oracle knows no joints: bodies with six freedoms each, equations between frames written by hand,
Newton's and Euler's equations, all in world axes.
"""

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.transform import Rotation

import poinsot as ps
from tests.random_examples import examples

X, Y, Z = np.eye(3)
GRAVITY = np.array([1.0, -2.0, -9.0])
STEP = 1e-4


def _vee(R):
    return 0.5 * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])


PHI = {
    # of the places and axes of both frames: what the joint keeps at zero
    ps.Fixed: lambda p, P, r, R: [*(P - p), *_vee(r.T @ R)],
    ps.Revolute: lambda p, P, r, R: [*(P - p), (r @ X) @ (R @ Z), (r @ Y) @ (R @ Z)],
    ps.Prismatic: lambda p, P, r, R: [*(r.T @ (P - p))[:2], *_vee(r.T @ R)],
    ps.Cylindrical: lambda p, P, r, R: [
        *(r.T @ (P - p))[:2],
        (r @ X) @ (R @ Z),
        (r @ Y) @ (R @ Z),
    ],
    ps.Universal: lambda p, P, r, R: [*(P - p), (r @ X) @ (R @ Y)],
    ps.Spherical: lambda p, P, r, R: [*(P - p)],
    ps.Planar: lambda p, P, r, R: [(r @ Z) @ (P - p), (r @ Z) @ (R @ X), (r @ Z) @ (R @ Y)],
    ps.Translation: lambda p, P, r, R: [*_vee(r.T @ R)],
}
PUSH = {
    # the wrench on the second frame, at its place and in its axes, of unit forces in the joint
    ps.Revolute: np.array([[0, 0, 0, 0, 0, 1.0]]),
    ps.Prismatic: np.array([[0, 0, 1.0, 0, 0, 0]]),
    ps.Cylindrical: np.array([[0, 0, 1.0, 0, 0, 0], [0, 0, 0, 0, 0, 1.0]]),
}


def _joint(kind):
    if kind is ps.Universal:
        return kind("x", "y")
    if kind is ps.Planar:
        return kind("x", "y")
    return kind("z") if kind in PUSH else kind()


def _pose(rng, *, simple):
    if simple and rng.random() < 0.3:
        return ps.Pose()
    return ps.Pose(rng.uniform(-1, 1, 3), quat=rng.standard_normal(4))


def random_graph(rng, n, extra):
    """Return bodies and connections in random directions; with loops, all joints are at zero."""
    names = ["world", *(f"b{i}" for i in range(n))]
    place = {name: _pose(rng, simple=False).transform() for name in names[1:]}
    place["world"] = ps.Pose().transform()
    ends = [(names[rng.integers(0, i + 1)], names[i + 1]) for i in range(n)]
    ends += [tuple(names[k] for k in rng.choice(n + 1, 2, replace=False)) for _ in range(extra)]
    joints = []
    for k, listed in enumerate(ends):
        pair = listed[::-1] if rng.random() < 0.5 else listed
        one = place[pair[0]] @ _pose(rng, simple=True).transform()
        frames = []
        for name in pair:
            seen = place[name].inverse() @ one
            frames.append((name, ps.Pose(seen.p, matrix=seen.R)))
        kind = list(PHI)[rng.integers(len(PHI))]
        joints.append(ps.Connection(f"j{k}", *frames, _joint(kind)))
    bodies = []
    for name in names[1:]:
        a = rng.uniform(0.1, 0.3, 3)
        inertia = (a[1] + a[2], a[0] + a[2], a[0] + a[1])
        mass, com = rng.uniform(0.5, 2.0), rng.uniform(-0.3, 0.3, 3)
        bodies.append(ps.Body(name, mass=mass, com=com, inertia=inertia))
    return bodies, joints


@dataclass
class Placed:
    """A body in the world: frame, centre of mass, and their velocities."""

    R: np.ndarray
    p: np.ndarray
    c: np.ndarray
    w: np.ndarray
    v: np.ndarray

    def moved(self, turn, shift):
        """Return rotation and place of the frame after a small turn about the centre of mass."""
        Q = Rotation.from_rotvec(turn).as_matrix()
        return Q @ self.R, self.c + shift + Q @ (self.p - self.c)


def placed(system, body, q, v):
    """Return where a body is and how it moves, by the kinematics of the tree."""
    H = system.pose(body.name, q, backend="interpreter")
    V = system.velocity(body.name, q, v, axes="world", backend="interpreter")
    R, p = H[:3, :3], H[:3, 3]
    c = p + R @ np.array(body.com)
    return Placed(R, p, c, V[3:], V[:3] + np.cross(V[3:], c - p))


WORLD = Placed(np.eye(3), np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3))


def phi(joint, first, second):
    """Return what a connection keeps at zero, bodies given as (R, p)."""
    frames = []
    for (R, p), (_, pose) in ((first, joint.first), (second, joint.second)):
        X = pose.transform()
        frames.append((p + R @ X.p, R @ X.R))
    (p, r), (P, R) = frames
    return np.array(PHI[type(joint.joint)](p, P, r, R))


def solved(bodies, joints, at, taus):
    """Return the wrench on the second frame of each connection, and which parts are determined."""
    names = [body.name for body in bodies]
    n = 6 * len(bodies)
    M, force = np.zeros((n, n)), np.zeros(n)
    for i, body in enumerate(bodies):
        own, k = at[body.name], slice(6 * i, 6 * i + 6)
        I = own.R @ body.inertia_matrix() @ own.R.T
        M[k, k][:3, :3], M[k, k][3:, 3:] = body.mass * np.eye(3), I
        force[k] = [*(body.mass * GRAVITY), *-np.cross(own.w, I @ own.w)]
    rows, gammas, parts = [], [], []
    for joint, tau in zip(joints, taus, strict=True):
        ends = [joint.first[0], joint.second[0]]
        J = np.zeros((len(phi(joint, *(at[name].moved(0 * X, 0 * X) for name in ends))), n))

        def value(moves, joint=joint, ends=ends):
            return phi(joint, *(at[name].moved(*moves.get(name, (0 * X, 0 * X))) for name in ends))

        for name in set(ends) - {"world"}:
            for d in range(6):
                unit = np.eye(6)[d] * STEP
                up, down = (value({name: (s * unit[3:], s * unit[:3])}) for s in (1, -1))
                J[:, 6 * names.index(name) + d] = (up - down) / (2 * STEP)
        flow = [value({e: (s * at[e].w, s * at[e].v) for e in ends}) for s in (STEP, 0.0, -STEP)]
        rows.append(J)
        gammas.append((flow[0] - 2 * flow[1] + flow[2]) / STEP**2)
        wrench = PUSH[type(joint.joint)].T @ tau if tau.size else np.zeros(6)
        parts.append(wrench)
        f, point = _in_world(joint, at, wrench)
        for name, sign in ((ends[1], 1), (ends[0], -1)):
            if name != "world":
                k = 6 * names.index(name)
                force[k : k + 3] += sign * f[:3]
                arm = np.cross(point - at[name].c, f[:3])
                force[k + 3 : k + 6] += sign * (f[3:] + arm)
    J, gamma = np.vstack(rows), np.concatenate(gammas)
    J_M = J @ np.linalg.inv(M)
    lam = np.linalg.lstsq(J_M @ J.T, -gamma - J_M @ force, rcond=1e-9)[0]
    u, s, _ = np.linalg.svd(J)
    free = u[:, np.count_nonzero(s > 1e-6 * s[0]) :]
    found, known, start = [], [], 0
    for joint, own, part in zip(joints, rows, parts, strict=True):
        k = slice(start, start + len(own))
        found.append(part + _on_second(joint, at, names, own, lam[k]))
        changes = [_on_second(joint, at, names, own, column[k]) for column in free.T]
        known.append(np.max(np.abs(changes), axis=0, initial=0.0) < 1e-5)
        start = k.stop
    return found, known


def _in_world(joint, at, wrench):
    """Return a wrench at the second frame in world axes, and the place of that frame."""
    own, X = at[joint.second[0]], joint.second[1].transform()
    R = own.R @ X.R
    return np.concatenate([R @ wrench[:3], R @ wrench[3:]]), own.p + own.R @ X.p


def _on_second(joint, at, names, J, lam):
    """Return what multipliers do to the second frame, at its place and in its axes."""
    name, sign = (joint.second[0], 1) if joint.second[0] != "world" else (joint.first[0], -1)
    k = 6 * names.index(name)
    load = sign * (J[:, k : k + 6].T @ lam)
    own, X = at[joint.second[0]], joint.second[1].transform()
    R, point = own.R @ X.R, own.p + own.R @ X.p
    moment = load[3:] + np.cross(at[name].c - point, load[:3])
    return np.concatenate([R.T @ load[:3], R.T @ moment])


@settings(max_examples=examples(10, at_length=200), deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 2))
@example(3, 3, 0)
def test_reactions_are_those_of_first_on_second(seed, n, extra):
    """Compare with bodies of six freedoms each, in random graphs, states and directions."""
    rng = np.random.default_rng(seed)
    bodies, joints = random_graph(rng, n, extra)
    system = ps.System.from_graph("graph", bodies, joints, gravity=GRAVITY)
    q, v = system.neutral(), rng.normal(size=system.nv)
    if extra:
        J = system.constraint_jacobian(q, backend="interpreter")
        v = v - np.linalg.pinv(J, rcond=1e-9) @ (J @ v)
    else:
        q = system.random(rng)
    tau, taus = np.zeros(system.nv), []
    for joint in joints:
        driven = type(joint.joint) in PUSH and joint.name in system.joint_names
        push = rng.normal(size=joint.joint.nv) if driven else np.zeros(0)
        if driven:
            tau[system.mechanism.v_slice(joint.name)] = push
        taus.append(push)
    at = {body.name: placed(system, body, q, v) for body in bodies} | {"world": WORLD}
    expected, known = solved(bodies, joints, at, taus)
    found = system.reactions(q, v, tau=tau, backend="interpreter")
    in_world = system.reactions(q, v, tau=tau, axes="world", backend="interpreter")
    across = system.reactions(q, v, tau=tau, axes="joint", backend="interpreter")
    size = 1.0 + max(np.abs(wrench).max() for wrench in expected)
    for joint, wrench, sure in zip(joints, expected, known, strict=True):
        off = np.where(sure, found[joint.name] - wrench, 0.0)
        assert_allclose(off / size, 0.0, atol=2e-5, err_msg=f"{joint}")
        turned, _ = _in_world(joint, at, found[joint.name])
        assert_allclose(in_world[joint.name], turned, atol=1e-9 * size)
        r = at[joint.first[0]].R @ joint.first[1].transform().R
        seen = np.concatenate([r.T @ turned[:3], r.T @ turned[3:]])
        assert_allclose(across[joint.name], seen, atol=1e-7 * size)


@pytest.mark.parametrize("ends", [("a", "b"), ("b", "a")])
def test_a_pin_written_from_either_side(ends):
    """Hold a weight at an arm: torque and reaction agree, and both change sign with the order."""
    bodies = [ps.Body("a", mass=1.0), ps.Body("b", mass=1.0, com=(1, 0, 0))]
    joints = [
        ps.Connection("ground", "world", "a", ps.Fixed()),
        ps.Connection("pin", *ends, ps.Revolute("y")),
    ]
    system = ps.System.from_graph("arm", bodies, joints)
    still = np.zeros(1)
    torque = system.inverse_dynamics(still, still, still)
    wrench = system.reactions(still, still, a=still)["pin"]
    sign = 1.0 if ends == ("a", "b") else -1.0
    assert_allclose(torque, [-9.81 * sign])
    assert_allclose(wrench, [0, 0, 9.81 * sign, 0, -9.81 * sign, 0], atol=1e-12)


def test_files_remember_the_direction(tmp_path):
    """Write and read a graph whose tree takes a joint backwards."""
    bodies = [ps.Body("a", mass=1.0, com=(1, 0, 0))]
    joints = [ps.Connection("pin", "a", "world", ps.Revolute("y"))]
    system = ps.System.from_graph("arm", bodies, joints)
    assert system.mechanism.joints["pin"].backwards
    ps.save(system, tmp_path / "arm.json")
    assert ps.load(tmp_path / "arm.json") == system
    with pytest.raises(ps.ModelError, match="backwards must be True or False, got 1"):
        ps.Revolute("y", backwards=1)
