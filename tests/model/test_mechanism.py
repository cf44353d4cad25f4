"""Mechanisms: names, slices, order, checks."""

import os
import pickle
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import poinsot as ps
import poinsot.model
from poinsot.errors import ModelError
from poinsot.model import Body, Fixed, Free, Mechanism, Prismatic, Revolute, Spherical

N_CHAIN = 10_000
SOURCES = Path(poinsot.model.__file__).parents[2]


def tree(**arguments: Any) -> Mechanism:
    """Return a tree that lists a child before its parent."""
    bodies = [
        Body("hand", "arm", Spherical(name="wrist"), mass=1),
        Body("base", joint=Free(), mass=1),
        Body("arm", "base", Revolute("y")),
        Body("plate", "base", Fixed()),
        Body("cart", joint=Prismatic("x", name="rail")),
    ]
    return Mechanism(**{"name": "robot", "bodies": bodies, **arguments})


def test_bodies_keep_their_listed_order() -> None:
    """Number and stack as listed, whatever the tree is."""
    robot = tree()
    assert robot.body_names == ("hand", "base", "arm", "plate", "cart")
    assert robot.joint_names == ("wrist", "base", "arm", "plate", "rail")
    assert (robot.n_bodies, robot.nq, robot.nv) == (5, 4 + 7 + 1 + 1, 3 + 6 + 1 + 1)
    assert robot.q_slice("wrist") == slice(0, 4)
    assert robot.q_slice("base") == slice(4, 11)
    assert robot.v_slice("base") == slice(3, 9)
    assert robot.v_slice("plate") == slice(10, 10)
    assert robot.q_slices[4] == robot.q_slice("rail") == slice(12, 13)
    assert robot.v_slices[4] == robot.v_slice("rail") == slice(10, 11)


def test_topology_of_a_branched_tree() -> None:
    """Give parents, children, roots, order and paths by listed index."""
    robot = tree()
    assert robot.parents == (2, -1, 1, 1, -1)
    assert robot.children == ((), (2, 3), (0,), (), ())
    assert robot.roots == (1, 4)
    assert robot.order == (1, 2, 0, 3, 4)
    assert robot.path(0) == (1, 2, 0)
    assert robot.index("plate") == 3


def test_neutral_and_random_stack_the_joints() -> None:
    """Stack the joints' own configurations in listed order."""
    robot = tree()
    assert robot.neutral().tolist() == [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    q = robot.random(np.random.default_rng(1))
    assert q.shape == (robot.nq,)
    assert np.linalg.norm(q[robot.q_slice("wrist")]) == pytest.approx(1.0)
    assert np.array_equal(q, robot.random(np.random.default_rng(1)))


def test_mechanism_is_equal_by_value_and_immutable() -> None:
    """Compare and hash by value; the order in which bodies are listed counts."""
    robot = tree()
    assert robot == tree(gravity=[0, 0, -9.81])
    assert hash(robot) == hash(tree())
    assert robot != tree(gravity=(0, 0, 0))
    assert robot != tree(name="other")
    assert robot != tree(bodies=robot.bodies[::-1])
    assert {robot: 1}[tree()] == 1
    with pytest.raises(AttributeError):
        robot.gravity = (0, 0, 0)  # type: ignore[misc]


def test_pickle_does_not_carry_the_hash() -> None:
    """Equal mechanisms from another process hash alike, though hashes of text differ there."""
    code = (
        "import sys, pickle; from poinsot.model import Body, Mechanism; "
        "m = Mechanism('m', [Body('a')]); hash(m); m.order; "
        "sys.stdout.buffer.write(pickle.dumps(m))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(SOURCES), "PYTHONHASHSEED": "12345"},
    )
    other = pickle.loads(done.stdout)
    assert other == Mechanism("m", [Body("a")])
    assert hash(other) == hash(Mechanism("m", [Body("a")]))
    assert other.order == (0,)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "mechanism: name must not be empty"),
        ({"bodies": []}, "mechanism 'robot': there must be at least one body"),
        ({"bodies": Body("a")}, "mechanism 'robot': bodies must be a list of Body"),
        ({"bodies": 3}, "bodies must be a list of Body, got 3"),
        ({"bodies": [Body("a"), "b"]}, r"bodies\[1\] must be a Body, got 'b'"),
        (
            {"bodies": [Body("a"), Body("b"), Body("a")]},
            r"two bodies are called 'a' \(of bodies\[0\] and bodies\[2\]\); rename one",
        ),
        (
            {"bodies": [Body("a"), Body("b", joint=Revolute(name="a"))]},
            r"two joints are called 'a' \(of bodies\[0\] and bodies\[1\]\); rename one",
        ),
        (
            {"bodies": [Body("upper"), Body("lower", "uper")]},
            r"body 'lower' has the unknown parent 'uper'; did you mean 'upper'\?",
        ),
        ({"bodies": [Body("a", "World")]}, "unknown parent 'World'; did you mean 'world'"),
        ({"bodies": [Body("a", "a")]}, r"form a cycle: a -> a \("),
        (
            {"bodies": [Body("r"), Body("a", "c"), Body("b", "a"), Body("c", "b")]},
            r"mechanism 'robot': the parents form a cycle: a -> c -> b -> a \(",
        ),
        ({"gravity": (0, 0)}, "mechanism 'robot': gravity must have 3 numbers"),
        ({"gravity": (0, 0, np.nan)}, "mechanism 'robot': gravity must be finite"),
    ],
)
def test_mechanism_refuses(arguments: dict[str, Any], message: str) -> None:
    """Name the mechanism, the body and the remedy."""
    with pytest.raises(ModelError, match=message):
        tree(**arguments)


def test_unknown_names_suggest_the_nearest() -> None:
    """Point at the name that was meant."""
    robot = tree()
    with pytest.raises(ModelError, match=r"'robot' has no body 'plat'; did you mean 'plate'\?"):
        robot.index("plat")
    with pytest.raises(ModelError, match=r"'robot' has no joint 'wirst'; did you mean 'wrist'\?"):
        robot.q_slice("wirst")
    with pytest.raises(ModelError, match="has no joint 'hand'; it is the body of joint 'wrist'"):
        robot.v_slice("hand")
    with pytest.raises(ModelError, match="has no body 'wrist'; it is the joint of body 'hand'"):
        robot.index("wrist")
    with pytest.raises(ModelError, match="one body as text, got 3"):
        robot.index(3)  # type: ignore[arg-type]


def chain(root: str) -> list[Body]:
    """Return a long chain, the last body listed first."""
    names = [root, *(f"b{i}" for i in range(N_CHAIN))]
    joint = Revolute("y")
    bodies = [
        Body(name, parent, joint, mass=1, com=(0, 0, 1), inertia=(1, 1, 1, 0, 0, 0))
        for parent, name in pairwise(names)
    ]
    return bodies[::-1]


def test_long_chains_need_no_recursion() -> None:
    """Build, order, hash and compare 10 000 bodies in a chain."""
    mechanism = Mechanism("chain", chain("world"))
    assert mechanism.order == tuple(reversed(range(N_CHAIN)))
    assert len(mechanism.path(0)) == N_CHAIN
    assert mechanism.q_slice("b0") == slice(N_CHAIN - 1, N_CHAIN)
    assert mechanism.neutral().shape == (N_CHAIN,)
    assert hash(mechanism) == hash(mechanism)


def test_long_cycle_is_cut_short_in_the_message() -> None:
    """Refuse 10 000 bodies in a circle with a message that can be read."""
    with pytest.raises(ModelError, match=r"b9999 -> .* \.\.\. \(9980 more\) -> b9999 \(") as caught:
        Mechanism("ring", chain(f"b{N_CHAIN - 1}"))
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("name", [["a"], {"a": 1}, 0, None, np.zeros(2)])
def test_names_that_are_no_text(name):
    """Ask for the pose of a list, which no dictionary can be asked for either."""
    system = ps.System("s", [ps.Body("a", joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0))])
    for ask in (lambda: system.pose(name, [0.0]), lambda: system.q_slice(name)):
        with pytest.raises(ps.ModelError, match=r"give the name of one .* as text, got"):
            ask()


def test_numbers_of_numpy_in_formulas():
    """Put a scalar of NumPy, which prints as np.float64(...), in the place of a parameter."""
    arm = ps.Body("a", joint=ps.Revolute("z"), mass=1.0, com=(1, 0, 0))
    system = ps.System("s", [arm], forces=[ps.JointForce("a", "-k*q")], parameters={"k": 1.0})
    (force,) = system.description.at({"k": np.float64(1.5)}).forces
    assert force.formula == "-(1.5)*q"
