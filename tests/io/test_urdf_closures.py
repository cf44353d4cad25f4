"""Loops and gears in URDF: our own extension, which others ignore, and mimics that hold."""

import numpy as np
import pytest

import poinsot as ps
from poinsot.errors import ModelError, ModelWarning
from poinsot.io.urdf import mechanism_from_urdf, urdf_from_mechanism
from poinsot.model import Mechanism, Pose
from tests.random_joints import KINDS, random_joint

ROBOT = """<robot name="crank"><link name="base"/>
<link name="crank"><inertial><mass value="1"/><origin xyz="0.1 0 0"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="rod"><inertial><mass value="1"/><origin xyz="0.2 0 0"/>
  <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="a" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 0 1"/>
</joint>
<joint name="b" type="continuous"><parent link="crank"/><child link="rod"/>
  <origin xyz="0.2 0 0"/><axis xyz="0 0 1"/></joint>{}</robot>"""
LOOP = (
    '<poinsot><loop name="rail" type="prismatic"{}><first link="base"/>'
    '<second link="rod" xyz="0.5 0 0"/><axis xyz="1 0 0"/>{}</loop>{}</poinsot>'
)


def loop(attributes="", inside="", beside=""):
    return ROBOT.format(LOOP.format(attributes, inside, beside))


def test_a_loop_is_read():
    mechanism = mechanism_from_urdf(loop(inside='<dynamics damping="0.3"/>'))
    assert mechanism.loops == (
        ps.Loop("rail", "base", ("rod", (0.5, 0, 0)), ps.Prismatic("x", damping=0.3)),
    )
    bare = mechanism_from_urdf(loop(inside='<dynamics damping="0.3"/>'), passive=False)
    assert bare.loops[0].joint == ps.Prismatic("x")
    to_world = mechanism_from_urdf(loop().replace('<first link="base"/>', '<first link="world"/>'))
    assert to_world.loops[0].first == ("world", Pose())


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "free"])
def test_loops_of_every_kind_and_gears_return(kind):
    rng = np.random.default_rng(3)
    joint = random_joint(rng, kind, np.array([0.0, 0.6, 0.8]), passive=False)
    mass = {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)}
    bodies = [
        ps.Body("a", joint=ps.Revolute("x", name="a"), **mass),
        ps.Body("b", joint=ps.Revolute("y", name="b"), **mass),
    ]
    frames = [("a", Pose((1, 2, 3), rpy=(0.1, 0.2, 0.3))), ("world", Pose((0.1, 0, 0)))]
    mechanism = Mechanism(
        "m",
        bodies,
        loops=[ps.Loop("loop", *frames, joint)],
        constraints=[ps.Gear("gear", "a", "b", -1 / 3, offset=0.1)],
    )
    again = mechanism_from_urdf(urdf_from_mechanism(mechanism))
    assert again.constraints == mechanism.constraints
    ((first, second),) = ((one.loops[0] for one in (again, mechanism)),)
    assert (first.joint, first.second) == (second.joint, second.second)
    np.testing.assert_allclose(first.first[1].matrix, second.first[1].matrix, atol=1e-15)


def test_pinocchio_ignores_the_extension():
    pinocchio = pytest.importorskip("pinocchio", reason="pip install pin")
    model = pinocchio.buildModelFromXML(loop())
    assert list(model.names) == ["universe", "a", "b"]


def test_what_is_lost_is_named():
    bodies = [ps.Body("a", joint=ps.Revolute("x"), mass=1.0)]
    limited = ps.Loop("pin", "world", "a", ps.Revolute("x", limits=ps.Limits((0, 1))))
    drive = ps.PrescribedMotion("motor", "a", "t")
    mechanism = Mechanism("m", bodies, loops=[limited], constraints=[drive])
    with pytest.warns(ModelWarning, match="constraint of 'motor'; limits of 'pin'|limits of 'pin'"):
        text = urdf_from_mechanism(mechanism)
    assert "motor" not in text


def test_mimics_follow_once():
    """A mimic that the file has as a gear too is one constraint."""
    text = loop(beside='<gear name="g" first="a" second="b" ratio="2"/>')
    assert len(mechanism_from_urdf(text, mimic=True).constraints) == 1
    both = text.replace('<origin xyz="0.2 0 0"/><axis', '<mimic joint="a" multiplier="2"/><axis')
    assert both != text
    assert len(mechanism_from_urdf(both, mimic=True).constraints) == 1
    other = both.replace('multiplier="2"', 'multiplier="3"')
    assert len(mechanism_from_urdf(other, mimic=True).constraints) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (loop().replace('name="rail"', ""), "<loop> must have the attribute 'name'"),
        (loop().replace("prismatic", "prismatc"), "unknown type 'prismatc'; did you mean 'prismat"),
        (loop(' pich="1"'), "unknown attribute 'pich' of <loop>; did you mean 'pitch'?"),
        (loop(' pitch="1"'), "has the unknown 'pitch'; a prismatic joint has none"),
        (loop().replace("prismatic", "helical"), "a helical joint must have 'pitch'"),
        (loop(inside="<axes/>"), "unknown element <axes>; did you mean <axis>?"),
        (loop(inside='<dynamics damping="1 2"/>'), "damping of <dynamics> must be one number"),
        (loop().replace('<first link="base"/>', ""), "there must be a <first> in <loop>"),
        (loop().replace('link="rod" xyz="0.5', 'link="rot" xyz="0.5'), "unknown link 'rot'"),
        (loop(beside="<geer/>"), "has the unknown element <geer>; did you mean"),
        (loop(beside='<gear name="g" first="a" second="b"/>'), "must have the attribute 'ratio'"),
        (loop(beside='<gear name="g" first="a" second="c" ratio="1"/>'), "unknown joint 'c'"),
    ],
)
def test_errors_name_line_and_loop(text, message):
    with pytest.raises(ModelError, match=r"^URDF, line ") as caught:
        mechanism_from_urdf(text)
    assert message.replace("<axis>", "'axis'") in str(caught.value)
