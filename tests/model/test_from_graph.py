"""Mechanisms from plain graphs: the same as the tree and loops written by hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.formulations.kane import mass_matrix
from poinsot.formulations.kinematics import pose
from poinsot.formulations.recursive.inverse import inverse_dynamics
from poinsot.model import Body, Connection, Environment, Pose
from poinsot.model.from_graph import mechanism_from_graph
from poinsot.model.reversed_joint import mirrored
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases


def renamed(joint, name=None):
    """Return a joint with another name, made by its constructor."""
    names = [key for key in vars(joint) if key != "name"]
    return type(joint)(**{key: getattr(joint, key) for key in names}, name=name)


def as_graph(m, rng, *, swapped=0.5):
    """Return a tree as bodies and connections, listed at random, and each body's new frame.

    Frames of bodies are moved: C is the pose of the old frame in the new one.  Some joints are
    given from the outer to the inner body.
    """
    C = {name: _random_pose(rng) for name in m.body_names} | {"world": Pose()}
    bodies, joints = [], []
    for body in m.bodies:
        X = C[body.name].transform()
        inertia = X.R @ body.inertia_matrix() @ X.R.T
        bodies.append(Body(body.name, mass=body.mass, com=X.apply_point(body.com), inertia=inertia))
        Y = C[body.parent].transform() @ body.pose.transform()
        ends = (body.parent, Pose(Y.p, matrix=Y.R)), (body.name, C[body.name])
        joint = body.joint
        if rng.random() < swapped:
            ends, joint = ends[::-1], mirrored(joint)
        joints.append(Connection(f"to {body.name}", *ends, renamed(joint)))
    return [[some[k] for k in rng.permutation(len(some))] for some in (bodies, joints)], C


def _random_pose(rng):
    """Return a pose, or none, or one without turn."""
    kind = rng.integers(3)
    p = rng.uniform(-0.5, 0.5, 3)
    return Pose() if kind == 0 else Pose(p) if kind == 1 else Pose(p, quat=rng.standard_normal(4))


def reordered(m, other, parts, values):
    """Return q or v of one mechanism as another, whose joints are called "to <body>", has it."""
    result = np.zeros(sum(part.stop - part.start for part in getattr(other, parts)))
    for part, body in zip(getattr(m, parts), m.bodies, strict=True):
        find = other.q_slice if parts == "q_slices" else other.v_slice
        result[find(f"to {body.name}")] = values[part]
    return result


@settings(max_examples=examples(6))
@given(cases(8, passive=False))
def test_a_tree_given_as_a_graph_is_the_tree(case):
    """Check poses, masses and forces with frames moved, joints swapped and all listed at random."""
    m, rng = case.mechanism, case.rng
    (bodies, joints), C = as_graph(m, rng)
    found = mechanism_from_graph("graph", bodies, joints, m.gravity)
    assert (found.nv, found.loops) == (m.nv, ())
    q = reordered(m, found, "q_slices", case.q)
    v, a = (reordered(m, found, "v_slices", x) for x in (case.v, case.a))
    for i, body in enumerate(m.bodies):
        moved = pose(found, found.index(body.name), q) @ C[body.name].transform().homogeneous()
        assert_agree(moved, pose(m, i, case.q))
    order = reordered(m, found, "v_slices", np.arange(m.nv)).astype(int)
    M = mass_matrix(m, case.q)[np.ix_(order, order)]
    assert_agree(mass_matrix(found, q), M)
    tau = inverse_dynamics(m, case.q, case.v, case.a, Environment.of(m))[order]
    assert_agree(inverse_dynamics(found, q, v, a, Environment.of(found)), tau, 1e-10)


@settings(max_examples=examples(5))
@given(cases(8))
def test_forces_in_joints_are_kept(case):
    m = case.mechanism
    (bodies, joints), _ = as_graph(m, case.rng, swapped=0.0)
    found = mechanism_from_graph("graph", bodies, joints, m.gravity)
    q, v, a = (
        reordered(m, found, parts, x)
        for parts, x in (("q_slices", case.q), ("v_slices", case.v), ("v_slices", case.a))
    )
    order = reordered(m, found, "v_slices", np.arange(m.nv)).astype(int)
    tau = inverse_dynamics(m, case.q, case.v, case.a, Environment.of(m))[order]
    assert_agree(inverse_dynamics(found, q, v, a, Environment.of(found)), tau, 1e-10)


@settings(max_examples=examples(8))
@given(st.integers(0, 2**32 - 1), st.integers(1, 7), st.integers(0, 5))
def test_any_connected_graph(seed, n, extra):
    """Check the number of loops, that no joint is lost, and that order does not matter."""
    rng = np.random.default_rng(seed)
    bodies, joints = random_graph(rng, n, extra)
    found = mechanism_from_graph("graph", bodies, joints)
    assert len(found.loops) == len(joints) - len(bodies)
    loops = {loop.name: loop for loop in found.loops}
    kept = set(found.joint_names) & {one.name for one in joints}
    assert len(kept) == n
    assert kept | set(loops) == {one.name for one in joints}
    for one in joints:
        if one.name in loops:
            loop = loops[one.name]
            assert (loop.first, loop.second, loop.joint) == (one.first, one.second, one.joint)
    again = mechanism_from_graph(
        "graph",
        [bodies[k] for k in rng.permutation(n)],
        [joints[k] for k in rng.permutation(len(joints))],
    )
    assert set(again.bodies) == set(found.bodies)
    assert again.loops == found.loops


@settings(max_examples=examples(5))
@given(st.integers(0, 2**32 - 1), st.integers(2, 6), st.integers(1, 4))
def test_joints_of_the_tree_move_as_they_say(seed, n, extra):
    """Check that each joint that is kept lets its frames move as the joint itself does."""
    rng = np.random.default_rng(seed)
    bodies, joints = random_graph(rng, n, extra)
    found = mechanism_from_graph("graph", bodies, joints)
    q = found.random(rng)
    for one in joints:
        if one.name in found.joint_names:
            first, second = (_in_world(found, end, q) for end in (one.first, one.second))
            expected = one.joint.transform(q[found.q_slice(one.name)])
            across = first.inverse() @ second
            assert_allclose(across.R, expected.R, atol=1e-12)
            assert_allclose(across.p, expected.p, atol=1e-12)


def random_graph(rng, n, extra):
    """Return a connected graph with joints whose q does not depend on who carries whom."""
    names = ["world", *(f"body {i}" for i in range(n))]
    ends = [(names[int(rng.integers(0, i + 1))], names[i + 1]) for i in range(n)]
    for _ in range(extra):
        a, b = rng.choice(n + 1, 2, replace=False)
        ends.append((names[a], names[b]))
    kinds = (ps.Revolute, ps.Prismatic, ps.Cylindrical, ps.Fixed)
    joints = []
    for k, pair in enumerate(ends):
        kind = kinds[rng.integers(4)]
        joint = kind() if kind is ps.Fixed else kind(rng.standard_normal(3))
        ends_of = [(name, _random_pose(rng)) for name in (pair if k % 2 else pair[::-1])]
        joints.append(Connection(f"{k}", *ends_of, joint))
    return [Body(name, mass=1.0) for name in names[1:]], joints


def _in_world(m, end, q):
    body, place = end
    if body == "world":
        return place.transform()
    X = pose(m, m.index(body), q)
    return ps.spatial.Transform(X[:3, :3], X[:3, 3]) @ place.transform()


def test_a_closed_chain_is_cut_where_it_costs_least():
    """Check a four-bar linkage: the ball is cut, which leaves the fewest equations."""
    found = four_bar(ps.Spherical())
    assert [loop.name for loop in found.loops] == ["coupler-rocker"]
    assert (found.nv, found.body_names) == (3, ("crank", "coupler", "rocker"))


def test_armature_is_never_cut():
    joint = ps.Revolute("z", armature=0.1)
    found = four_bar(joint, **dict.fromkeys(("crank", "crank-coupler"), joint))
    assert [loop.name for loop in found.loops] == ["rocker"]


def test_joints_that_constraints_name_are_never_cut():
    """Check a joint that is cut if no constraint needs its coordinates."""
    assert [loop.name for loop in four_bar(ps.Revolute("z")).loops] == ["crank-coupler"]
    drive = ps.PrescribedMotion("drive", "crank-coupler", "0.1")
    found = four_bar(ps.Revolute("z"), constraints=[drive])
    assert [loop.name for loop in found.loops] == ["coupler-rocker"]
    assert found.constraints[0].joints == ("crank-coupler",)


def test_what_floats_moves_freely():
    """Check a ring of three bodies in space: a free joint, given from either side, carries it."""
    names = ("a", "b", "c")
    ring = [
        Connection(f"{x}{y}", (x, Pose((1, 0, 0))), y, ps.Revolute("z"))
        for x, y in zip(names, ("b", "c", "a"), strict=True)
    ]
    for ends in (("world", "a"), ("a", "world")):
        free = Connection("free", *ends, ps.Free())
        found = mechanism_from_graph(
            "ring", [Body(name, mass=1.0) for name in names], [*ring, free]
        )
        assert (found.nv, len(found.loops)) == (8, 1)
        assert [found.bodies[i].joint.kind for i in found.roots] == ["free"]


def test_parallel_joints():
    """Check two joints between the same bodies: one is kept, the other one closes a loop."""
    found = mechanism_from_graph(
        "hinged",
        [Body("door", mass=1.0)],
        [
            Connection(
                "upper", ("world", Pose((0, 0, 1))), ("door", Pose((0, 0, 1))), ps.Revolute()
            ),
            Connection("lower", "door", "world", ps.Spherical()),
        ],
    )
    assert [loop.name for loop in found.loops] == ["lower"]
    assert found.joint_names[0] == "upper"


def test_names_that_are_taken():
    """Check that frames and joints added between get names of their own."""
    at = Pose((0, 0, 1))
    bodies = [Body("rod"), Body("rod frame")]
    found = mechanism_from_graph(
        "names",
        bodies,
        [
            Connection("rod", "world", ("rod", at), ps.Revolute()),
            Connection("rod to rod", "rod", ("rod frame", at), ps.Revolute()),
        ],
    )
    assert len(set(found.body_names)) == found.n_bodies == 4
    assert {"rod", "rod to rod"} <= set(found.joint_names)
    assert found.nv == 2


def test_a_fixed_joint_keeps_its_frame():
    ends = ("world", Pose((1, 0, 0))), ("box", Pose((0, 2, 0), axis="z", angle=np.pi / 2))
    """Glue a box by a frame of its own, where the reaction is that of the joint."""
    found = mechanism_from_graph("box", [Body("box")], [Connection("glue", *ends, ps.Fixed())])
    assert found.joint_names == ("glue", "glue to box")
    assert_allclose(pose(found, 1, np.zeros(0))[:3, 3], (-1.0, 0.0, 0.0), atol=1e-15)


def test_forces_stay_on_their_bodies():
    spring = ps.Spring(("world", (0, 0, 1)), ("rod", (0, 0, 0.5)), stiffness=2.0, length=0.1)
    ends = "world", ("rod", Pose((0, 0, 1)))
    system = ps.System.from_graph(
        "rod", [Body("rod", mass=1.0)], [Connection("pin", *ends, ps.Revolute("y"))],
        gravity=(0, 0, 0), forces=[spring],
    )  # fmt: skip
    # The rod hangs from its upper end (0, 0, 1): its middle is 0.5 below the pin, 1.5 from the top.
    energy = 0.5 * 2.0 * (1.5 - 0.1) ** 2
    assert_allclose(system.potential_energy([0.0]), energy)


@pytest.mark.parametrize(
    ("bodies", "joints", "message"),
    [
        ([Body("a"), Body("b")], [("j", "world", "a")], r"not connected to the world: 'b'; .*Free"),
        ([Body("a")], [], r"not connected to the world: 'a'"),
        ([Body("a")], [("j", "world", "arm")], r"'j' joins the unknown body 'arm'"),
        ([Body("a", "b"), Body("b")], [], r"'a' has the parent 'b'"),
        ([Body("a", joint=ps.Revolute())], [], r"'a' has the joint Revolute.*write Connection"),
        ([Body("a", pose=Pose((1, 0, 0)))], [], r"'a' has the pose"),
        ([Body("a")], [("j", "world", "a"), ("j", "a", "world")], r"two connections .* 'j'"),
        ([Body("a"), Body("a")], [], r"two bodies are called 'a'"),
    ],
)
def test_graphs_that_are_refused(bodies, joints, message):
    listed = [Connection(*one, ps.Revolute()) for one in joints]
    with pytest.raises(ps.ModelError, match=message):
        mechanism_from_graph("graph", bodies, listed)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("j", "world", "world", ps.Revolute()), "'j': both ends are on 'world'"),
        (("j", "a", "a", ps.Revolute()), "'j': both ends are on 'a'"),
        (("j", "a", "b", "revolute"), "'j': joint must be a joint"),
        (("j", "a", "b", ps.Revolute(name="k")), "'j': its joint is called 'k'"),
        (("", "a", "b", ps.Revolute()), "must not be empty"),
        (("j", 3, "b", ps.Revolute()), "'j': first must be a body's name"),
    ],
)
def test_connections_that_are_refused(arguments, message):
    with pytest.raises(ps.ModelError, match=message):
        Connection(*arguments)


@pytest.mark.parametrize("given", [Connection("j", "world", "a", ps.Revolute()), 3, [Body("b")]])
def test_lists_that_are_refused(given):
    with pytest.raises(ps.ModelError, match="Connection"):
        mechanism_from_graph("graph", [Body("a")], given)


@pytest.mark.parametrize("joint", [ps.Free(), ps.Revolute(armature=1.0)])
def test_a_loop_of_joints_that_cannot_be_cut_is_refused(joint):
    joints = [Connection("j", "world", "a", joint), Connection("k", "a", "world", joint)]
    with pytest.raises(ps.ModelError, match="connection 'k' closes a loop of joints none of"):
        mechanism_from_graph("graph", [Body("a")], joints)


def four_bar(last, constraints=(), **others):
    """Return a four-bar linkage whose joint at the rocker is given."""
    joints = dict.fromkeys(("crank", "crank-coupler", "rocker"), ps.Revolute("z")) | others
    at = Pose((1, 0, 0))
    return mechanism_from_graph(
        "four-bar",
        [Body(name, mass=1.0, inertia=(0.1, 0.1, 0.1)) for name in ("crank", "coupler", "rocker")],
        [
            Connection("crank", "world", "crank", joints["crank"]),
            Connection("crank-coupler", ("crank", at), "coupler", joints["crank-coupler"]),
            Connection("coupler-rocker", ("coupler", at), ("rocker", at), last),
            Connection("rocker", ("world", at), "rocker", joints["rocker"]),
        ],
        constraints=constraints,
    )
