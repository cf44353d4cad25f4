"""The matrices of graphs: the identities of [Liu1988], against motions found by other means."""

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.formulations.kinematics import pose
from poinsot.formulations.kinematics import velocity as body_velocity
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.model import Environment, Mechanism
from poinsot.model.graph_matrices import incidence, loops, paths
from poinsot.spatial import Transform
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases

STEP = 1e-5
"""Of central differences [s]: their error is about STEP² and rounding / STEP, both 1e-10."""
ORIGIN = np.zeros(3)
AWAY = np.array([0.1, -0.2, 0.3])
"""From the middle between two bodies to the joint between them."""


def with_loops(case, n_loops=3):
    """Return the mechanism of a case with loops at random frames of random bodies."""
    m, rng = case.mechanism, case.rng
    names = ("world", *m.body_names)

    def loop(r):
        first, second = rng.choice(len(names), 2, replace=False)
        place = [ps.Pose(rng.uniform(-1, 1, 3), quat=rng.standard_normal(4)) for _ in range(2)]
        ends = (names[first], place[0]), (names[second], place[1])
        return ps.Loop(f"loop {r}", *ends, ps.Revolute("z"))

    return Mechanism(m.name, m.bodies, m.gravity, loops=[loop(r) for r in range(n_loops)])


def graph(mechanism):
    return ps.System.from_mechanism(mechanism).graph_matrices()


def number(mechanism, body):
    return -1 if body == "world" else mechanism.index(body)


def frame_in_world(mechanism, frame, q):
    """Return the pose of a loop's frame in the world."""
    body, place = frame
    if body == "world":
        return place.transform()
    X = pose(mechanism, mechanism.index(body), q)
    return Transform(X[:3, :3], X[:3, 3]) @ place.transform()


@settings(max_examples=examples(5))
@given(cases(15))
def test_incidence_and_path_are_inverse(case):
    m, six = case.mechanism, np.eye(6 * case.mechanism.n_bodies)
    found = graph(m)
    assert np.array_equal(np.asarray(found.S) @ np.asarray(found.T), np.eye(m.n_bodies))
    S, T = found.S_hat(case.q), found.T_hat(case.q)
    assert np.max(np.abs(S @ T - six)) < 1e-11 * np.max(np.abs(T))
    for screw, plain in ((S, found.S), (T, found.T)):
        blocks = screw.reshape(m.n_bodies, 6, m.n_bodies, 6)
        assert np.array_equal(np.abs(blocks).max((1, 3)) > 0, np.asarray(plain) != 0)
        # Screw transforms are unimodular, so the determinant of a block of 3 shows its sign.
        signs = np.linalg.det(blocks[:, :3, :, :3].swapaxes(1, 2))
        assert np.allclose(signs, np.asarray(plain))


@settings(max_examples=examples(5))
@given(cases(15))
def test_entries_by_paths(case):
    """Check S, T and U entry by entry against their definitions."""
    m = with_loops(case)
    S, T, U = (np.asarray(make(m)) for make in (incidence, paths, loops))
    for j in range(m.n_bodies):
        for i in range(m.n_bodies):
            assert S[i, j] == (i == j) - (i == m.parents[j])
            assert T[j, i] == (j in m.path(i))
        for r, loop in enumerate(m.loops):
            on_first, on_second = (j in m.path(number(m, e[0])) for e in (loop.first, loop.second))
            assert U[j, r] == on_second - on_first
    assert np.array_equal(np.asarray(graph(m).U), U)


@settings(max_examples=examples(5))
@given(cases(10))
def test_velocities_of_bodies(case):
    """Check v̂ = (k̂ T̂)ᵀ v (25) against the velocities body by body."""
    m, found = case.mechanism, graph(case.mechanism)
    v_hat = (found.k_hat(case.q) @ found.T_hat(case.q)).T @ case.v
    expected = [body_velocity(m, i, "body", case.q, case.v, ORIGIN) for i in range(m.n_bodies)]
    assert_agree(v_hat, np.concatenate(expected))


@settings(max_examples=examples(3))
@given(cases(6))
def test_velocities_of_bodies_on_a_moving_base(case):
    """Check v̂ = (k̂ T̂)ᵀ [V₀; v] against velocities in inertial space, body by body."""
    system = ps.System.from_mechanism(with_loops(case))
    pose = ps.Pose(case.rng.normal(size=3), quat=case.rng.normal(size=4))
    base = ps.BaseMotion(pose, case.rng.normal(size=6))
    found = system.graph_matrices(base=base)
    assert found.T.rows[0] == found.T.columns[0] == "base"
    assert np.asarray(found.T)[0].all()
    assert not np.asarray(found.U)[0].any()
    v_hat = (found.k_hat(case.q) @ found.T_hat(case.q)).T @ [*base.velocity, *case.v]
    expected = [system.velocity(name, case.q, case.v, base=base) for name in system.body_names]
    assert_agree(v_hat, np.concatenate([base.velocity, *expected]))
    inner = system.graph_matrices()
    assert_agree(found.U_hat(case.q)[6:], inner.U_hat(case.q))
    six = np.eye(6 * len(found.S.rows))
    T = found.T_hat(case.q)
    assert np.max(np.abs(found.S_hat(case.q) @ T - six)) < 1e-11 * np.max(np.abs(T))
    with pytest.raises(ps.ShapeError, match=rf"q must have shape \({system.nq},\)"):
        found.S_hat(np.zeros(system.nq + 7))
    with pytest.raises(ps.ModelError, match="graph_matrices: base must be a BaseMotion, got str"):
        system.graph_matrices(base="lift")


@settings(max_examples=examples(5))
@given(cases(8))
def test_velocities_across_loops(case):
    """Check Ûᵀ V̂ = V̂ᶜ (38) against central differences of the poses of the loops' frames."""
    m = with_loops(case)
    found = graph(m)
    V = found.k_hat(case.q).T @ case.v
    across = (found.U_hat(case.q).T @ V).reshape(-1, 6)

    def relative(loop, q):
        X_first, X_second = (frame_in_world(m, end, q) for end in (loop.first, loop.second))
        return (X_first.inverse() @ X_second).homogeneous()

    for r, loop in enumerate(m.loops):
        before, now, after = (
            relative(loop, m.integrate(case.q, t * case.v)) for t in (-STEP, 0.0, STEP)
        )
        twist = np.linalg.inv(now) @ (after - before) / (2 * STEP)
        expected = np.concatenate([twist[:3, 3], [twist[2, 1], twist[0, 2], twist[1, 0]]])
        assert np.max(np.abs(across[r] - expected)) < 1e-6 * (1.0 + np.max(np.abs(expected)))


@settings(max_examples=examples(5))
@given(cases(8))
def test_forces_across_loops(case):
    """Check that forces F̂ᶜ across the loops are joint forces k̂ Û F̂ᶜ, as (39) says.

    Against inverse dynamics with the wrenches on the two bodies, that on the first the opposite.
    """
    m, q = with_loops(case), case.q
    F = case.rng.uniform(-1.0, 1.0, (len(m.loops), 6))
    wrenches = {}
    for loop, force in zip(m.loops, F, strict=True):
        in_world = frame_in_world(m, loop.second, q).force_to_parent(force)
        for sign, (body, _) in ((-1.0, loop.first), (1.0, loop.second)):
            if body != "world":
                i = m.index(body)
                X = frame_in_world(m, (body, ps.Pose()), q)
                wrenches[i] = wrenches.get(i, 0.0) + sign * X.force_to_child(in_world)
    still = np.zeros(m.nv)
    needed = inverse_dynamics(m, q, still, still, Environment(ORIGIN, wrenches=wrenches))
    without = inverse_dynamics(m, q, still, still, Environment(ORIGIN))
    found = graph(m)
    expected = found.k_hat(q) @ found.U_hat(q) @ F.ravel()
    assert_agree(without - needed, expected)


def test_the_figure_of_the_paper():
    """Check the printed pattern of Û (figure 2): joint 1 is in no loop."""
    m = Mechanism(
        "figure 2",
        [ps.Body("1"), ps.Body("2", "1"), ps.Body("3", "2"), ps.Body("4", "2")],
        loops=[
            ps.Loop("O5", ("1", ps.Pose()), ("3", ps.Pose()), ps.Revolute()),
            ps.Loop("O6", ("3", ps.Pose()), ("4", ps.Pose()), ps.Revolute()),
        ],
    )
    assert str(graph(m).U) == "U  O5  O6\n1   ·   ·\n2   1   ·\n3   1  -1\n4   ·   1"


def test_names_and_tables():
    bodies = [ps.Body("forearm", "arm", ps.Revolute(name="elbow")), ps.Body("arm")]
    found = ps.System("arm", bodies).graph_matrices()
    assert str(found.S).splitlines() == [
        "S        elbow  arm",
        "forearm      1    ·",
        "arm         -1    1",
    ]
    assert (found.S.rows, found.S.columns) == (("forearm", "arm"), ("elbow", "arm"))
    assert found.S["arm", "elbow"] == -1
    assert repr(found) == "GraphMatrices('arm', n=2, m=0)"
    assert str(found) == f"{found.S}\n\n{found.T}\n\n{found.U}"
    assert np.asarray(found.S).dtype.kind == "i"
    assert np.asarray(found.U).shape == (2, 0)
    assert found.U_hat([0.1]).shape == (12, 0)
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(found.S)[0, 0] = 5
    copied = np.array(found.S)
    copied[0, 0] = 5
    assert found.S["forearm", "elbow"] == 1


def test_large_tables_are_cut():
    chain = ps.System("chain", [ps.Body(f"{i}", f"{i - 1}" if i else "world") for i in range(100)])
    lines = str(chain.graph_matrices().T).splitlines()
    assert len(lines) == 26
    assert lines[13].split()[0] == "⋯"
    assert lines[-1].split()[0] == "99"


def test_many_states_at_once():
    system = ps.library.five_body_tree()
    q = np.random.default_rng(3).uniform(-1, 1, (2, 3, system.nq))
    found = system.graph_matrices()
    for name in ("S_hat", "T_hat", "U_hat", "k_hat"):
        many = getattr(found, name)(q)
        assert np.array_equal(many[1, 2], getattr(found, name)(q[1, 2]))
    with pytest.raises(ps.ShapeError, match="q must have shape"):
        found.S_hat([0.0])


def test_equations_of_a_closed_chain():
    """Check (39): M a + bias = tau + k̂ Û F̂ᶜ with the force in the joint that is cut."""
    at = {"crank": (0.3, 0.1, 0.0), "coupler": (0.9, -0.2, 0.5), "rocker": (1.4, 0.6, 0.2)}
    bodies = [ps.Body(name, mass=1.0, com=(0.1, 0.2, 0.3), inertia=(0.2, 0.3, 0.4)) for name in at]
    where = {"world": np.zeros(3)} | {name: np.array(p) for name, p in at.items()}

    def joint(name, first, second, kind):
        place = np.array([where[first], where[second]]).mean(axis=0) + AWAY
        ends = ((body, ps.Pose(place - where[body])) for body in (first, second))
        return ps.Connection(name, *ends, kind)

    system = ps.System.from_graph(
        "spatial four-bar",
        bodies,
        [
            joint("shaft", "world", "crank", ps.Revolute((1, 2, 3))),
            joint("cross", "coupler", "crank", ps.Universal("x", (0, 1, 1))),
            joint("ball", "rocker", "coupler", ps.Spherical()),
            joint("pivot", "rocker", "world", ps.Revolute((3, -1, 1))),
        ],
    )
    q, tau = system.neutral(), np.linspace(-1.0, 1.0, system.nv)
    J = system.constraint_jacobian(q)
    v = np.linalg.svd(J)[2][-1]
    assert (system.loops[0].name, J.shape) == ("ball", (3, 4))
    assert np.max(np.abs(system.constraint_residual(q))) < 1e-14
    a = system.forward_dynamics(q, v, tau)
    found = system.graph_matrices()
    force = found.k_hat(q) @ found.U_hat(q) @ system.reactions(q, v, tau=tau)["ball"]
    assert np.max(np.abs(force)) > 1.0
    assert_agree(system.mass_matrix(q) @ a + system.bias(q, v), tau + force)
