"""Closed mechanisms from graphs: the dynamics of free bodies on which all joints are loops."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot.formulations.constrained.constraint_rows import all_rows, with_closures
from poinsot.formulations.kane import bias, mass_matrix
from poinsot.formulations.kinematics import acceleration, pose, velocity
from poinsot.model import Body, Connection, Environment, Loop, Mechanism, Pose
from poinsot.model.from_graph import mechanism_from_graph
from tests.random_examples import examples

KINDS = (
    ps.Revolute, ps.Prismatic, ps.Cylindrical, ps.Universal, ps.Spherical, ps.Euler, ps.Planar,
    ps.Translation, ps.Fixed,
)  # fmt: skip
ORIGIN = np.zeros(3)


def closed_graph(rng, n, extra):
    """Return bodies, joints, and where the bodies are while all joints are at zero."""
    names = ["world", *(f"body {i}" for i in range(n))]
    place = {name: _pose(rng) for name in names[1:]} | {"world": Pose()}
    ends = [(names[int(rng.integers(0, i + 1))], names[i + 1]) for i in range(n)]
    ends += [tuple(names[k] for k in rng.choice(n + 1, 2, replace=False)) for _ in range(extra)]
    joints = []
    for k, pair in enumerate(ends):
        X = _pose(rng).transform()
        seen = [place[name].transform().inverse() @ X for name in pair]
        frames = [(name, Pose(Y.p, matrix=Y.R)) for name, Y in zip(pair, seen, strict=True)]
        joints.append(Connection(f"{k}", *frames, _joint(rng)))
    bodies = [Body(name, mass=1.0, com=rng.uniform(-0.3, 0.3, 3), inertia=(0.2, 0.3, 0.4))
              for name in names[1:]]  # fmt: skip
    return bodies, joints, place


def _pose(rng):
    return Pose(rng.uniform(-1.0, 1.0, 3), quat=rng.standard_normal(4))


def _joint(rng):
    """Return a joint with springs and dampers, which are the same in all directions in a ball."""
    kind = KINDS[rng.integers(len(KINDS))]
    if kind in (ps.Fixed, ps.Planar):
        return kind()
    if kind is ps.Spherical:
        return kind(damping=rng.uniform(0.0, 1.0))
    damping, stiffness = rng.uniform(0.0, 1.0, (2, kind.nv))
    passive = {"damping": damping, "stiffness": stiffness, "rest": rng.uniform(-1, 1, kind.nq)}
    return kind("zyx", **passive) if kind is ps.Euler else kind(**passive)


def free_bodies(bodies, joints, place):
    """Return the mechanism in which nothing carries anything."""
    carried = [
        Body(b.name, "world", ps.Free(), place[b.name], b.mass, b.com, b.inertia) for b in bodies
    ]
    return Mechanism("free", carried, loops=[Loop(*_fields(one)) for one in joints])


def _fields(one):
    return one.name, one.first, one.second, one.joint


def allowed_velocity(m, q, rng):
    """Return a random v that the loops allow."""
    J = all_rows(m, q, np.zeros(m.nv)).J
    if not len(J):
        return rng.uniform(-1.0, 1.0, m.nv)
    _, s, Vt = np.linalg.svd(J)
    null = Vt[np.count_nonzero(s > 1e-9 * max(s, default=1.0)) :]
    return null.T @ rng.uniform(-1.0, 1.0, len(null))


def accelerations(m, q, v):
    """Return dv/dt from M a - Jᵀ lam = -bias and J a = -gamma, whatever the rank of J."""
    rows = all_rows(m, q, v)
    M, J = mass_matrix(m, q), rows.J
    force = -bias(m, q, v, with_closures(m, q, v, Environment.of(m)))
    K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    solution = np.linalg.lstsq(K, np.concatenate([force, -rows.gamma]), rcond=1e-10)[0]
    return solution[: m.nv]


@settings(max_examples=examples(5))
@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.integers(0, 2))
def test_accelerations_are_those_of_free_bodies(seed, n, extra):
    rng = np.random.default_rng(seed)
    bodies, joints, place = closed_graph(rng, n, extra)
    found = mechanism_from_graph("graph", bodies, joints)
    q = found.neutral()
    for body in bodies:
        at = pose(found, found.index(body.name), q)
        assert np.allclose(at, place[body.name].transform().homogeneous(), atol=1e-12)
    v = allowed_velocity(found, q, rng)
    a = accelerations(found, q, v)
    numbers = [found.index(body.name) for body in bodies]
    v_free = np.concatenate([velocity(found, i, "body", q, v, ORIGIN) for i in numbers])
    a_free = np.concatenate([acceleration(found, i, "body", q, v, a, ORIGIN) for i in numbers])

    free = free_bodies(bodies, joints, place)
    expected = accelerations(free, free.neutral(), v_free)
    assert np.max(np.abs(a_free - expected)) < 1e-7 * (1.0 + np.max(np.abs(expected)))
