"""Reactions at any point, in any axes, on either body: Newton and Euler's equations."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.spatial.quaternion import matrix_to_quaternion
from tests.closed.test_driven_loops import NAMES, elements, linkage, state


def test_forces_on_a_body_are_its_change_of_momentum():
    """Add all wrenches on one body, at one point in world axes: Newton and Euler's equations."""
    system = linkage("knee")
    q, v = state(system)
    a, h = system.forward_dynamics(q, v), 1e-6
    point = ("world", (0.2, -0.1, 0.4))
    second = system.reactions(q, v, axes="world", point=point)
    first = system.reactions(q, v, axes="world", point=point, on="first")
    for name in NAMES:
        assert_allclose(first[name], -second[name], atol=1e-12)
    for body, before, after in (("a", "ground", "elbow"), ("b", "elbow", "knee")):
        alone = next(one for one in system.bodies if one.name == body)
        numbers = {"mass": alone.mass, "com": alone.com, "inertia": alone.inertia}
        single = ps.System("one", [ps.Body(body, joint=ps.Free(), **numbers)])

        def momentum(t, body=body, single=single):
            moved = system.integrate(q, t * v)
            X = system.pose(body, moved)
            V = system.velocity(body, moved, v + t * a)
            pose = np.concatenate([X[:3, 3], matrix_to_quaternion(X[:3, :3])])
            return single.momentum(pose, V)

        rate = (momentum(h) - momentum(-h)) / (2 * h)
        weight = alone.mass * np.array(system.gravity)
        centre = (system.pose(body, q) @ np.append(alone.com, 1.0))[:3]
        # rate is about the world's origin; about the point the arm is shorter
        total = second[before] + first[after]
        arm = np.array(point[1])
        force, moment = total[:3] + weight, total[3:] + np.cross(centre - arm, weight)
        assert_allclose(force, rate[:3], atol=1e-5)
        assert_allclose(moment + np.cross(arm, force), rate[3:], atol=1e-5)


@pytest.mark.parametrize("axes", ["body", "joint", "world"])
def test_usual_frames_are_the_usual_reactions(axes):
    """Ask for the frames of every joint in another way: the same numbers."""
    system = linkage("knee", elements())
    q, v = state(system)
    plain = system.reactions(q, v, axes=axes, t=0.2)
    turned = system.reactions(q, v, axes=axes, t=0.2, on="first")
    there = system.reactions(q, v, axes=axes, t=0.2, point="first")
    for name, wrench in plain.items():
        assert_allclose(turned[name], -wrench, atol=1e-10)
        assert_allclose(there[name], wrench, atol=1e-8)  # frames of hinges have one origin
    if axes == "world":
        for name, wrench in system.reactions(q, v, axes="a", t=0.2).items():
            R = system.pose("a", q)[:3, :3]
            assert_allclose(R @ wrench[:3], plain[name][:3], atol=1e-10)


def test_along_runs_and_studies_with_parameters():
    """Check moments about a point of the world, of a loop whose frame is a formula."""
    length = ps.symbols("length")
    rod = ps.Body("rod", joint=ps.Revolute("y"), mass=2.0, com=(0.3, 0, 0), inertia=(1, 1, 1))
    prop = ps.Body("prop", joint=ps.Prismatic("z"), mass=1.0)
    slot = ps.Loop("slot", "prop", ("rod", (length, 0, 0)), ps.Planar("x", "y"))
    system = ps.System(
        "held", [rod, prop], loops=[slot], parameters={"length": 0.5}, free=["length"]
    )
    q, v = np.zeros(2), np.zeros(2)
    values = np.array([0.4, 0.8])
    origin = system.reactions(
        q, v, point=("world", (0, 0, 0)), axes="world", parameters={"length": values}
    )
    usual = system.reactions(q, v, axes="world", parameters={"length": values})
    f = usual["slot"][:, :3]
    arms = np.stack([values, 0 * values, 0 * values], axis=-1)
    assert_allclose(origin["slot"][:, 3:], usual["slot"][:, 3:] + np.cross(arms, f), atol=1e-10)
    with pytest.raises(
        ps.ModelError, match="got 'rood'; or the name of a body: did you mean 'rod'"
    ):
        system.reactions(q, v, axes="rood")
    with pytest.raises(ps.ModelError, match="on must be 'second' or 'first', got 'parent'"):
        system.reactions(q, v, on="parent")
    with pytest.raises(ps.ModelError, match="point must be 'second', 'first' or"):
        system.reactions(q, v, point="middle")
