"""Joints that nothing resists, against the rank of the mass matrix itself."""

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import poinsot as ps
from poinsot.formulations.singular import free_bodies
from poinsot.model import Mechanism
from tests.random_examples import examples
from tests.strategies import cases, random_case, summed_mass_matrix

SOLID = {"mass": 1.0, "com": (0.1, 0.2, 0.3), "inertia": (1.0, 1.1, 1.2)}


def rank_is_full(mechanism, rng):
    """Return whether M is regular at a random configuration; None where it is hard to tell."""
    M = summed_mass_matrix(mechanism, mechanism.random(rng))
    size = M.diagonal()
    if not len(size):
        return True
    if (size <= 1e-12 * size.max(initial=0.0)).any():
        return False
    smallest = np.linalg.eigvalsh(M / np.sqrt(np.outer(size, size)))[0]
    return True if smallest > 1e-9 else False if smallest < 1e-15 * len(size) else None


@settings(max_examples=examples(29), deadline=None)
@example(case=random_case(2704, 2), seed=2)  # a universal joint that is nearly singular in itself
@example(case=random_case(176, 6), seed=221835)  # one joint cannot be told, others can
@example(case=random_case(2434002, 3), seed=2434002)  # two motions of one joint: one can be told
@given(case=cases(8), seed=st.integers(0, 2**32 - 1))
def test_agrees_with_the_rank_of_the_mass_matrix(case, seed):
    """Take mass or inertia from bodies of a random tree."""
    rng = np.random.default_rng(seed)
    bodies = []
    for body in case.mechanism.bodies:
        kind = rng.choice(["solid", "point", "none", "none"])
        mass, inertia = body.mass, body.inertia
        if kind != "solid":
            inertia = (0, 0, 0)
        if kind == "none":
            mass = 0.0
        joint = body.joint if rng.random() < 0.3 else type(body.joint)(**_own(body.joint))
        bodies.append(ps.Body(body.name, body.parent, joint, body.pose, mass, body.com, inertia))
    mechanism = Mechanism("m", bodies)
    full = rank_is_full(mechanism, rng)
    assume(full is not None)
    assert (not free_bodies(mechanism)) == full


def _own(joint):
    keys = {"axis", "axis2", "pitch", "sequence"}
    return {key: getattr(joint, key) for key in keys if hasattr(joint, key)}


def named(*bodies):
    mechanism = Mechanism("m", bodies)
    return [mechanism.body_names[i] for i in free_bodies(mechanism)]


def test_who_is_named():
    """Check bodies that carry something, and what they carry."""
    turn, slide = ps.Revolute("z"), ps.Prismatic("z")
    far = ps.Pose((1, 0, 0))
    assert named(ps.Body("a", joint=ps.Free(), **SOLID)) == []
    assert named(ps.Body("a", joint=turn)) == ["a"]
    assert named(ps.Body("a", joint=ps.Revolute("z", armature=1e-9))) == []
    # a point on the axis turns nothing, beside it it does; it slides in any case
    assert named(ps.Body("a", joint=turn, mass=1.0, com=(0, 0, 3))) == ["a"]
    assert named(ps.Body("a", joint=turn, mass=1.0, com=(0, 1, 3))) == []
    assert named(ps.Body("a", joint=slide, mass=1.0)) == []
    # a carrier without mass lives on what is fixed to it or hangs on it, not on the same axis
    carrier = ps.Body("a", joint=turn)
    assert named(carrier, ps.Body("b", "a", pose=far, **SOLID)) == []
    assert named(carrier, ps.Body("b", "a", turn, far, **SOLID)) == []
    assert named(carrier, ps.Body("b", "a", turn, **SOLID)) == ["a"]
    assert named(carrier, ps.Body("b", "a", turn, far, mass=1.0)) == ["b"]
    # a ball on a massless rod on a spherical joint does not feel its spin
    assert named(ps.Body("a", joint=ps.Spherical(), mass=1.0, com=(0, 0, 1))) == ["a"]


def test_configurations_that_are_special_do_not_count():
    """Check a bead on a spoke without mass, which resists turning unless it is on the axis."""
    spoke = ps.Body("spoke", joint=ps.Revolute("z"))
    system = ps.System("wheel", [spoke, ps.Body("bead", "spoke", ps.Prismatic("x"), mass=2.0)])
    v, tau = np.zeros(2), np.ones(2)
    np.testing.assert_allclose(system.forward_dynamics([0.3, 0.5], v, tau), [2.0, 0.5])
    assert not np.isfinite(system.forward_dynamics([0.3, 0.0], v, tau)[0])


def test_merged_links_are_warned_of():
    """Check an implausible body that its neighbour makes up for, and one that it does not."""
    with pytest.warns(ps.ModelWarning, match="body 'tip': implausible"):
        tip = ps.Body("tip", "rod", mass=0.1, inertia=(0.01, 0.01, 0.1))
    ps.System("fine", [ps.Body("rod", joint=ps.Free(), **SOLID), tip])
    thin = ps.Body("rod", joint=ps.Revolute("z"), mass=0.1, inertia=(0.01, 0.01, 0.001))
    with pytest.warns(ps.ModelWarning, match="bodies 'rod', 'tip' move as one: .*0.02, 0.101"):
        ps.System("odd", [thin, tip])
    ps.System("still", [ps.Body("rod", mass=0.1), tip])


def test_bodies_with_full_inertia_decide_for_themselves(monkeypatch):
    """Check that the recursion is not gone through where every body stands for itself."""
    bodies = [ps.Body("0", joint=ps.Revolute("y"), **SOLID)]
    bodies += [ps.Body(f"{k}", f"{k - 1}", ps.Revolute("y"), **SOLID) for k in range(1, 10_000)]
    monkeypatch.setattr("poinsot.formulations.singular._unresisted", None)
    monkeypatch.setattr("poinsot.formulations.singular._is_enough", None)
    assert free_bodies(Mechanism("chain", bodies)) == ()


def test_numbers_too_large_to_tell():
    """Check that inertias which overflow are no warning of NumPy."""
    rods = [ps.Body("a", joint=ps.Revolute("z"))]
    for name, parent in ("ba", "cb"):
        far = ps.Pose((1e160, 0, 0))
        rods.append(ps.Body(name, parent, ps.Revolute("z"), far, mass=1.0, com=(1, 0, 0)))
    with np.errstate(all="raise"):
        assert free_bodies(Mechanism("far", rods)) == ()


@pytest.mark.parametrize("axis", ["x", "z"])
@pytest.mark.parametrize("method", ["recursive", "screw_matrix", "lagrange", "newton_euler"])
def test_a_pivot_without_mass_that_is_moved(axis, method):
    """Its mass matrix is singular where the mass can move along the slide only.

    A point mass at x - l sin θ below a slide: θ'' = -(g/l) sin θ + (x''/l) cos θ along x,
    -((g + z'')/l) sin θ along z.
    """
    pivot = ps.Body("pivot", joint=ps.Prismatic(axis))
    bob = ps.Body("bob", "pivot", ps.Revolute("y"), mass=2.0, com=(0, 0, -1.5))
    drive = ps.PrescribedMotion("drive", "pivot", "0.3*t + 0.2*t**2")
    moved = ps.System("Kapitza", [pivot, bob], constraints=[drive])
    for theta in (0.0, 0.5, np.pi / 2, np.pi):
        q, v = np.array([0.0, theta]), np.array([0.3, -0.7])
        a = moved.forward_dynamics(q, v, method=method)
        swing = 0.4 * np.cos(theta) if axis == "x" else -0.4 * np.sin(theta)
        assert_allclose(a, [0.4, (-9.81 * np.sin(theta) + swing) / 1.5], rtol=0, atol=1e-12)
        base = ps.BaseMotion(acceleration=0.4 * np.eye(6)["xyz".index(axis)])
        alone = ps.System(
            "bob", [ps.Body("bob", joint=ps.Revolute("y"), mass=2.0, com=(0, 0, -1.5))]
        )
        assert_allclose(a[1:], alone.forward_dynamics(q[1:], v[1:], base=base), rtol=0, atol=1e-12)
    run = ps.simulate(moved, [0.0, 0.0], [0.3, 0.0], duration=1.0)
    assert run.status.ok
    assert_allclose(run.q[-1][0], 0.5, atol=1e-9)
