"""method="composable" of System: trees and loops in any plane against the other formulations."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import poinsot as ps
from poinsot import library
from poinsot.model import Free
from tests.formulations.test_composable import FORMS, grown, mechanism_nearness
from tests.random_examples import examples

AGREEMENT = 1e-10


def turned_about(normal, angle):
    """Return the pose of a base in which the plane x, y lies across another direction."""
    return ps.Pose((0.3, -0.2, 0.5), rpy=(*normal, angle))


def random_tree(seed, n):
    """Return a tree of hinges, slides, planar joints and welds in a plane across any direction."""
    rng = np.random.default_rng(seed)
    base = turned_about(rng.uniform(-1, 1, 2), rng.uniform(-3, 3))
    bodies = []
    for i in range(n):
        parent = "world" if i == 0 else f"b{rng.integers(0, i)}"
        along = rng.uniform(-3, 3)
        passive = {"damping": 0.3, "stiffness": 2.0, "rest": 0.1, "armature": rng.uniform(0, 0.5)}
        joint = [
            ps.Revolute("z", **passive),
            ps.Revolute("-z", **passive),
            ps.Prismatic((np.cos(along), np.sin(along), 0.0), **passive),
            ps.Planar("x", "y", damping=0.2),
            ps.Planar((0, -1, 0), (-1, 0, 0), armature=0.1),
            ps.Fixed(),
        ][rng.integers(0, 6)]
        pose = base if i == 0 else ps.Pose((*rng.normal(size=2), 0.4), rpy=(0, 0, along))
        inertia = rng.uniform(0.3, 0.5, 3)
        bodies.append(
            ps.Body(f"b{i}", parent, joint, pose, mass=rng.uniform(0.5, 2), inertia=inertia,
                    com=rng.normal(size=3))
        )  # fmt: skip
    return ps.System("tree", bodies, gravity=rng.normal(size=3)), rng


@given(st.integers(0, 10**6), st.integers(1, 6))
@settings(max_examples=examples(15), deadline=None)
def test_trees_have_the_dynamics_of_the_recursive_formulation(seed, n):
    """Check mass matrix, bias, forces and accelerations under wrenches on a base that moves."""
    system, rng = random_tree(seed, n)
    assume(any(isinstance(body.joint, ps.Revolute | ps.Planar) for body in system.bodies))
    q, v, a, tau = (rng.normal(size=system.nv) for _ in range(4))
    # The base moves along any direction and turns about the normal of the plane.
    normal = system.bodies[0].pose.transform().R[:, 2]
    rates = (np.concatenate([rng.normal(size=3), spin * normal]) for spin in (0.8, -0.5))
    base = ps.BaseMotion(ps.Pose(rpy=(0.2, 0.1, 0.3)), *rates)
    wrenches = {"b0": rng.normal(size=6)}
    how = {"backend": "floats"}
    acting = how | {"base": base, "wrenches": wrenches}
    units = {"method": "composable"}
    size = np.abs(system.mass_matrix(q, **how)).max()
    M = system.mass_matrix(q, **how, **units)
    assert np.allclose(M, system.mass_matrix(q, **how), rtol=0, atol=1e-13 * size)
    h = system.bias(q, v, **acting)
    assert np.allclose(system.bias(q, v, **acting, **units), h, rtol=0, atol=1e-11 * size * n)
    expected = system.inverse_dynamics(q, v, a, **acting)
    found = system.inverse_dynamics(q, v, a, **acting, **units)
    assert np.allclose(found, expected, rtol=1e-11, atol=1e-11 * size * n)
    assume(np.linalg.cond(M) < 1e4)
    rate = system.forward_dynamics(q, v, tau, **acting)
    found = system.forward_dynamics(q, v, tau, **acting, **units)
    assert np.allclose(found, rate, rtol=AGREEMENT, atol=AGREEMENT * np.abs(rate).max())


@given(st.integers(0, 10**6), st.lists(st.sampled_from(FORMS), min_size=1, max_size=3))
@settings(max_examples=examples(8), deadline=None)
def test_loops_have_the_accelerations_of_the_closed_system(seed, forms):
    """Check random linkages under forces in all joints, whichever of them the units drive."""
    mechanism, q, poses = grown(seed, forms)
    assume(min(mechanism_nearness(mechanism, poses)) > 1e-2)
    chosen = mechanism.with_forces(joints={j.name: {"c": 0.4} for j in mechanism.linkage.joints})
    system = chosen.system()
    for modes in chosen.assemblies(q):
        q_all, v_all = chosen.with_modes(**modes).system_state(q, [1.3])
        tau = np.random.default_rng(seed).normal(size=system.nv)
        expected = system.forward_dynamics(q_all, v_all, tau, backend="floats")
        found = system.forward_dynamics(q_all, v_all, tau, method="composable")
        size = np.abs(expected).max()
        assert np.allclose(found, expected, rtol=0, atol=AGREEMENT * size)
        forces = system.inverse_dynamics(q_all, v_all, found, method="composable", backend="floats")
        again = system.forward_dynamics(q_all, v_all, forces, method="composable")
        assert np.allclose(again, found, rtol=0, atol=1e-9 * size)


@pytest.mark.parametrize("closing", ["cylindrical", "spherical", "planar", "fixed"])
def test_loops_that_other_joints_close(closing):
    """Check pins that are cylinders or balls in space, a planar joint, and a weld."""
    arm = ps.Body("arm", joint=ps.Revolute("z"), mass=1.0, com=(0.3, 0, 0), inertia=(1, 1, 0.1))
    rod = ps.Body("rod", "arm", ps.Revolute("z"), ps.Pose((0.6, 0, 0)), mass=1.0, com=(0.4, 0, 0),
                  inertia=(1, 1, 0.2))  # fmt: skip
    slider = ps.Body("slider", joint=ps.Prismatic("x"), mass=2.0)
    cart = ps.Body("cart", joint=ps.Planar("x", "y"), mass=2.0, inertia=(1, 1, 0.3))
    end = ps.Pose((0.9, 0, 0))
    other = cart if closing == "fixed" else slider
    joint = {
        "cylindrical": ps.Cylindrical("z"), "spherical": ps.Spherical(),
        "planar": ps.Planar("x", "y"), "fixed": ps.Fixed(),
    }[closing]  # fmt: skip
    loop = ps.Loop("end", ("rod", end), (other.name, ps.Pose()), joint)
    system = ps.System("closed", [arm, rod, other], loops=[loop], gravity=(0, -9.81, 0))
    driven = ["arm"] if closing != "fixed" else ["arm", "rod"]
    q = system.assemble(np.array([0.7, -1.2, 1.0, 0.5, -0.5][: system.nq]), joints=driven)
    v = system.consistent_velocity(q, np.arange(1.0, 1 + system.nv), joints=driven)
    tau = np.linspace(0.3, -0.8, system.nv)
    expected = system.forward_dynamics(q, v, tau, backend="floats")
    found = system.forward_dynamics(q, v, tau, method="composable")
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9)


def test_masses_and_lengths_may_be_parameters():
    """Check that M and the bias are traced with free parameters, and derived as formulas."""
    m, l = ps.symbols("m l")
    first = ps.Body(
        "first", joint=ps.Revolute("z"), mass=m, com=(l / 2, 0, 0), inertia=(0.1, 0.1, 0.1)
    )
    tip = ps.Body("tip", "first", ps.Revolute("z"), ps.Pose((l, 0, 0)), mass=1.0, com=(0.2, 0, 0))
    system = ps.System("arm", [first, tip], gravity=(0, -9.81, 0), parameters={"m": 2.0, "l": 0.5},
                       free=["m", "l"])  # fmt: skip
    q, v, other = [0.3, 0.4], [1.0, -2.0], {"m": 3.0, "l": 0.7}
    for how in ({}, {"parameters": other}):
        M = system.mass_matrix(q, method="composable", **how)
        assert np.allclose(M, system.mass_matrix(q, **how), rtol=1e-13)
        h = system.bias(q, v, method="composable", **how)
        assert np.allclose(h, system.bias(q, v, **how), rtol=1e-12)
    assert "cos" in str(ps.derive(system, "composable").mass_matrix)


def test_what_units_do_not_know_is_refused_by_name():
    """Check joints out of the plane, redundant loops, singular ones, turning bases."""
    hinge = ps.Body("hinge", joint=ps.Revolute("z"), mass=1.0, inertia=(1, 1, 1))

    def refused(system, match, error=ps.ModelError, **how):
        still = np.zeros(system.nv)
        with pytest.raises(error, match=match):
            system.forward_dynamics(system.neutral(), still, still, method="composable", **how)

    for joint, kind in ((ps.Revolute("x"), "revolute"), (ps.Spherical(), "spherical"),
                        (Free(), "free"), (ps.Prismatic("z"), "prismatic")):  # fmt: skip
        other = ps.Body("other", "hinge", joint, mass=1.0, inertia=(1, 1, 1))
        refused(ps.System("pair", [hinge, other]), rf"joint 'other' \({kind}\) of 'pair' does not")
    wheel = ps.Body("wheel", joint=ps.Revolute("z"), mass=1.0, inertia=(1, 1, 1))
    tilt = ps.BaseMotion(velocity=(0, 0, 0, 1.0, 0, 0))
    refused(ps.System("tilted", [hinge]), "turns out of the plane", base=tilt)
    with pytest.raises(ps.ModelError, match="choose backend='floats'"):
        ps.System("turning", [hinge]).bias([0.1], [1.0], base=tilt, method="composable")
    pin = [ps.Loop(f"p{k}", ("hinge", (k, 0, 0)), ("wheel", (k, 0, 0)), ps.Revolute("z"))
           for k in (0, 1)]  # fmt: skip
    refused(ps.System("redundant", [hinge, wheel], loops=pin), r"bodies \['.*over-constrained",
            ps.OverconstrainedError)  # fmt: skip
    system = library.four_bar()
    with pytest.raises(ps.PoinsotError, match=r"unknown method 'composite'.*'composable'"):
        system.forward_dynamics(
            library.four_bar_configuration(0.8), np.zeros(3), method="composite"
        )


def test_armature_that_couples_coordinates():
    """Check the mass matrix of a table against the recursive method, and in units."""
    joint = ps.Planar("x", "y", armature=((1, 0.2, 0), (0.2, 1, 0), (0, 0, 1)))
    table = ps.System("table", [ps.Body("table", joint=joint, mass=1.0, inertia=(1, 1, 1))])
    q = np.array([0.1, 0.2, 0.7])
    expected = table.mass_matrix(q, backend="floats")
    assert abs(expected[0, 1]) > 0.1
    assert np.allclose(table.mass_matrix(q, method="composable"), expected, atol=1e-13)
    mechanism = ps.PlanarMechanism.from_system(table, ["table"], q)
    assert np.allclose(mechanism.mass_matrix(q), expected, atol=1e-13)
