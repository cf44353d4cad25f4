"""Mechanisms to URDF, read by Pinocchio and by ourselves: the same coordinates and dynamics."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings

import poinsot as ps
from poinsot.formulations.recursive.composite import mass_matrix_along_paths
from poinsot.formulations.recursive.inverse import bias
from poinsot.io.urdf import mechanism_from_urdf, urdf_from_mechanism
from poinsot.model import Mechanism, Planar
from poinsot.spatial import matrix_to_rpy, rpy_to_matrix
from tests.oracles.agreement import assert_agree
from tests.random_examples import examples
from tests.strategies import cases

KINDS = ("fixed", "revolute", "prismatic", "cylindrical", "universal", "planar", "translation",
         "euler", "free")  # fmt: skip
GRAVITY = (0.0, 0.0, -9.81)
TOLERANCE = 1e-9


def dynamics(mechanism, q, v):
    return mass_matrix_along_paths(mechanism, q), bias(mechanism, q, v)


@settings(max_examples=examples(11), deadline=None)
@given(case=cases(10, kinds=KINDS, gravity=GRAVITY, passive=False))
def test_our_reader_finds_the_same_dynamics(case):
    again = mechanism_from_urdf(urdf_from_mechanism(case.mechanism))
    assert (again.nq, again.nv) == (case.mechanism.nq, case.mechanism.nv)
    ours = dynamics(case.mechanism, case.q, case.v)
    for theirs, one in zip(dynamics(again, case.q, case.v), ours, strict=True):
        assert_agree(theirs, one, TOLERANCE)


@settings(max_examples=examples(11), deadline=None)
@given(case=cases(10, kinds=[kind for kind in KINDS if kind != "planar"], gravity=GRAVITY,
                  passive=False))  # fmt: skip
def test_pinocchio_finds_the_same_dynamics(case):
    """Leave out planar joints, whose velocities Pinocchio has in body axes: see below."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")
    text = urdf_from_mechanism(case.mechanism)
    model, again = pin.buildModelFromXML(text), mechanism_from_urdf(text)
    data, (theirs_q, order) = model.createData(), stacked(pin, model, again, case.q)
    theirs_v = np.zeros(model.nv)
    theirs_v[order] = case.v
    upper = np.triu(pin.crba(model, data, theirs_q))
    M = (upper + np.triu(upper, 1).T)[np.ix_(order, order)]
    h = pin.nonLinearEffects(model, data, theirs_q, theirs_v)[order]
    ours = dynamics(case.mechanism, case.q, case.v)
    assert_agree(M, ours[0], TOLERANCE)
    assert_agree(h, ours[1], TOLERANCE)


def stacked(pin, model, mechanism, q):
    """Return q as Pinocchio has it, and where it has each of our velocities."""
    result, order = pin.neutral(model), []
    for i, name in enumerate(mechanism.joint_names):
        values = q[mechanism.q_slices[i]]
        if len(values):
            joint = model.joints[model.getJointId(name)]
            order += range(joint.idx_v, joint.idx_v + joint.nv)
            if joint.nq == 7:
                values = [*values[:3], *values[4:], values[3]]
            elif joint.nq == 2:
                values = [math.cos(values[0]), math.sin(values[0])]
            result[joint.idx_q : joint.idx_q + joint.nq] = values
    return result, np.array(order, int)


def test_a_planar_joint_means_to_pinocchio_what_it_means_to_us():
    """Check one with axes that URDF has elsewhere, by kinetic energy and place."""
    pin = pytest.importorskip("pinocchio", reason="Pinocchio is the oracle: pip install pin")
    plate = ps.Body(
        "plate", joint=Planar("y", "z"), pose=ps.Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3)), mass=2.0,
        com=(0.1, 0.2, 0.3), inertia=(1.0, 1.1, 1.2),
    )  # fmt: skip
    system = ps.System("plate", [plate])
    model = pin.buildModelFromXML(urdf_from_mechanism(system.mechanism))
    data = model.createData()
    q, v = np.array([0.3, -0.4, 0.5]), np.array([0.6, 0.7, -0.8])
    c, s = math.cos(q[2]), math.sin(q[2])
    theirs = np.array([q[0], q[1], c, s])
    speeds = np.array([c * v[0] + s * v[1], -s * v[0] + c * v[1], v[2]])
    energy = pin.computeKineticEnergy(model, data, theirs, speeds)
    np.testing.assert_allclose(energy, system.kinetic_energy(q, v), rtol=1e-12)
    pin.framesForwardKinematics(model, data, theirs)
    place = data.oMf[model.getFrameId("plate", pin.FrameType.BODY)].homogeneous
    np.testing.assert_allclose(place, system.pose("plate", q), atol=1e-12)


def test_what_urdf_can_hold_returns_exactly():
    inf = math.inf
    shapes = [
        ps.Box((0.1, 0.2, 0.3), pose=ps.Pose((1, 2, 3)), color="#4477aa"),
        ps.Sphere(0.1, color="#4477aa80"),
        ps.Cylinder(0.1, 0.2, role="collision"),
        ps.Mesh("meshes/arm & hand.stl", (1e-3, 1e-3, 1e-3)),
    ]
    bodies = [
        ps.Body("base", shapes=shapes),
        ps.Body("a", "base", ps.Revolute("y", name="j", limits=ps.Limits((-inf, 2), 3, 4)),
                mass=2.0, com=(0.1, 0.2, 0.3), inertia=(1.0, 1.1, 1.2, 0.1, 0.2, 0.3)),
        ps.Body("b", "a", ps.Revolute("x", name="k", damping=0.1, friction=0.2)),
        ps.Body("c", "a", ps.Revolute("x", name="l", limits=ps.Limits(velocity=3)),
                ps.Pose((0.1, 0.2, 0.3))),
        ps.Body("d", "a", ps.Prismatic((1, 2, 3), name="m", mimic=ps.Mimic("k", -2.0, 0.5))),
        ps.Body("e", "a", ps.Free(name="n", damping=0.5)),
        ps.Body("f", "a", ps.Planar(name="o", damping=0.5)),
        ps.Body("tool", "f", ps.Fixed(name="p"), ps.Pose(axis="z", angle=math.pi / 2)),
    ]  # fmt: skip
    mechanism = Mechanism("one < two", bodies)
    with pytest.warns(ps.ModelWarning, match="mimic"):
        assert mechanism_from_urdf(urdf_from_mechanism(mechanism)) == mechanism


def test_the_world_is_a_link_unless_a_body_is_its_root():
    def names(*bodies):
        again = mechanism_from_urdf(urdf_from_mechanism(Mechanism("m", bodies)))
        return [(body.name, body.parent) for body in again.bodies]

    assert names(ps.Body("a"), ps.Body("b", "a")) == [("a", "world"), ("b", "a")]
    assert names(ps.Body("a"), ps.Body("b")) == [("a", "world"), ("b", "world")]
    assert names(ps.Body("a", joint=ps.Free())) == [("a", "world")]
    assert names(ps.Body("a", pose=ps.Pose((1, 0, 0)))) == [("a", "world")]
    chain = names(ps.Body("a", joint=ps.Universal()), ps.Body("a 1", "a"))
    assert chain == [("a 1'", "world"), ("a", "a 1'"), ("a 1", "a")]


def test_a_capsule_is_a_cylinder_and_two_spheres():
    place = ps.Pose((1, 0, 0), rpy=(math.pi / 2, 0, 0))
    capsule = ps.Capsule(0.1, 0.6, pose=place, color="#4477aa")
    text = urdf_from_mechanism(Mechanism("m", [ps.Body("a", shapes=[capsule])]))
    cylinder, *spheres = mechanism_from_urdf(text).bodies[0].shapes
    assert cylinder == ps.Cylinder(0.1, 0.6, pose=place, color="#4477aa")
    centres = [sphere.pose.xyz for sphere in spheres]
    np.testing.assert_allclose(centres, [(1, 0.3, 0), (1, -0.3, 0)], atol=1e-15)


@pytest.mark.parametrize(
    ("joint", "remedy"),
    [(ps.Spherical(name="hip"), "Euler"), (ps.Helical("z", 0.1, name="hip"), "Revolute")],
)
def test_joints_without_a_chain_are_refused(joint, remedy):
    mechanism = Mechanism("m", [ps.Body("a", joint=joint)])
    with pytest.raises(ps.ModelError, match=f"joint 'hip': URDF has no .*{remedy}.*json"):
        urdf_from_mechanism(mechanism)


def test_names_that_xml_cannot_hold_are_refused():
    with pytest.raises(ps.ModelError, match=r"XML cannot hold the text 'a.x01'"):
        urdf_from_mechanism(Mechanism("m", [ps.Body("a\x01")]))
    odd = Mechanism("m", [ps.Body("a\n\t\"'<&>é")])
    assert mechanism_from_urdf(urdf_from_mechanism(odd)) == odd


def test_what_is_lost_is_named(tmp_path):
    bodies = [
        ps.Body("a", joint=ps.Revolute("x", stiffness=1.0, armature=0.1), mass=1.0, com=(0, 0, 1)),
        ps.Body("b", "a", ps.Universal(damping=[[1, 0.5], [0.5, 1]], limits=ps.Limits((0, 1))),
                mass=1.0, inertia=(1, 1, 1), shapes=[ps.Sphere(1, color="#ffffff",
                                                               role="collision")]),
        ps.Body("c", "a", ps.Free(damping=(1, 2, 3, 4, 5, 6), limits=ps.Limits((0, 1))), mass=1.0,
                inertia=(1, 1, 1)),
    ]  # fmt: skip
    push = ps.ConstantForce("a", force=(1, 0, 0), name="push")
    system = ps.System("m", bodies, gravity=(0, 0, 0), forces=[push])
    with pytest.warns(ps.ModelWarning) as caught:
        ps.save(system, tmp_path / "m.urdf")
    (text,) = (str(one.message) for one in caught)
    assert caught[0].filename == __file__
    for lost in (
        "gravity of '(0.0, 0.0, 0.0)'", "force of 'push'", "stiffness of 'a'", "armature of 'a'",
        "damping between coordinates of 'b'", "damping that differs by direction of 'c'",
        "limits of 'c'", "colour of a collision shape of 'b'",
    ):  # fmt: skip
        assert lost in text
    again = ps.load(tmp_path / "m.urdf")
    assert [body.joint.damping for body in again.bodies] == [(0.0,), (1.0,), (1.0,), (0.0,) * 6]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ps.save(again, tmp_path / "again.urdf")
    assert ps.load(tmp_path / "again.urdf") == again


@pytest.mark.parametrize("pitch", [0.3, math.pi / 2, -math.pi / 2, math.pi / 2 - 1e-9, 2.0])
def test_roll_pitch_yaw_of_a_matrix(pitch):
    """Check that the angles give the matrix again, also where they are not determined."""
    R = rpy_to_matrix((0.7, pitch, -1.1))
    np.testing.assert_allclose(rpy_to_matrix(matrix_to_rpy(R)), R, atol=4e-16)
