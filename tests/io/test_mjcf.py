"""What an MJCF may say, one thing at a time, against MuJoCo's reading of the same text."""

import warnings

import numpy as np
import pytest

from poinsot.errors import ModelWarning
from poinsot.io.mjcf import model_from_mjcf, read_mjcf
from poinsot.model import Free, Limits, Prismatic, Revolute, Spherical, Translation

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle: pip install mujoco")
from tests.io.mjcf_texts import (  # noqa: E402
    BALL,
    CAPSULE,
    HINGE,
    INERTIAL,
    assert_same,
    body,
    quietly,
    text_of,
)


def two(inside, place, second=""):
    """Return a body with a hinge that carries another with a ball, so that places matter."""
    inner = body(BALL + INERTIAL + second, place, "hand")
    return body(HINGE + INERTIAL + inside + inner, 'pos="0.1 0 0.3"')


PLACES = {
    "pos": two("", 'pos="1 2 3"'),
    "quat": two("", 'pos="1 2 3" quat="1 2 3 4"'),
    "axisangle": two("", 'axisangle="1 2 3 40"'),
    "euler": two("", 'pos="1 0 0" euler="10 20 30"'),
    "xyaxes": two("", 'pos="1 0 0" xyaxes="1 2 3 0 1 1"'),
    "zaxis": two("", 'pos="1 0 0" zaxis="1 2 3"'),
    "zaxis down": two("", 'pos="1 0 0" zaxis="0 0 -2"'),
    "inertial euler": body(
        BALL + '<inertial pos="1 0 0" euler="30 40 0" mass="2" diaginertia="2 3 4"/>'
    ),
    "fullinertia": body(BALL + '<inertial pos="1 0 0" mass="2" fullinertia="2 3 4 0.1 0.2 0.3"/>'),
    "frames": two(
        '<frame pos="1 0 0" euler="0 20 0"><frame pos="0 1 0"><body pos="0 0 1">'
        f'<joint axis="1 0 0"/>{INERTIAL}</body></frame></frame>',
        'pos="1 2 3"',
    ),
    "replicate": body(
        f'{HINGE}{INERTIAL}<replicate count="12" offset="1 0 0.1" euler="10 0 30" sep="-">'
        f'<body name="b" pos="0 1 0">{BALL}{INERTIAL}</body><replicate count="2" offset="0 1 0">'
        f'<body name="c"><joint name="j"/>{INERTIAL}</body></replicate></replicate>'
    ),
    "joint in a frame": body(
        f'<frame pos="1 0 0" euler="0 20 0"><joint pos="0 1 0" axis="1 0 1"/></frame>{INERTIAL}'
    ),
}

JOINTS = {
    "anchor": body(f'<joint pos="0.3 0.4 0.5" axis="1 2 3"/>{INERTIAL}', 'pos="1 1 1"'),
    "anchor on the axis": body(f'<joint pos="1 2 3" axis="1 2 3"/>{INERTIAL}'),
    "slide": body(f'<joint type="slide" pos="1 2 3" axis="1 2 3"/>{INERTIAL}', 'quat="1 1 0 0"'),
    "ball": body(f'<joint type="ball" pos="0.1 0.2 0.3"/>{INERTIAL}', 'quat="1 1 0 0"'),
    "free": body(f'<joint type="free"/>{INERTIAL}', 'pos="1 2 3" euler="1 2 3"'),
    "freejoint": body(f"<freejoint/>{INERTIAL}", 'pos="1 2 3" euler="1 2 3"'),
    "free with damping": body(f'<joint type="free" damping="2"/>{INERTIAL}'),
    "free with armature": body(f'<joint type="free" armature="0.7" damping="2"/>{INERTIAL}'),
    "reference": body(
        f'<joint ref="30" axis="1 2 3" pos="1 0 0"/>{INERTIAL}'
        + body(f'<joint type="slide" ref="0.5" axis="0 1 1"/>{INERTIAL}', name="hand")
    ),
    "spring": body(f'<joint stiffness="3" springref="40" damping="2" ref="20"/>{INERTIAL}'),
    "slide spring": body(f'<joint type="slide" stiffness="3" springref="0.4"/>{INERTIAL}'),
    "armature": body(f'<joint type="ball" armature="3" damping="2"/>{INERTIAL}'),
    "several": body(
        '<joint type="slide" axis="1 0 0"/><joint axis="0 1 0" pos="1 0 0"/>'
        f'<joint axis="1 0 1" pos="0 1 0" ref="10"/><joint type="ball" pos="1 1 1"/>{INERTIAL}',
        'pos="1 2 3" euler="10 20 30"',
    ),
    "welded": body(INERTIAL, 'pos="1 0 0"', "base")
    + body(HINGE + body(INERTIAL, 'pos="1 0 0"', "tool"), "", "arm"),
}

SHAPES = {
    "sphere": '<geom size="0.2" pos="1 2 3"/>',
    "capsule": CAPSULE,
    "cylinder": '<geom type="cylinder" size="0.1 0.4" euler="20 30 40"/>',
    "ellipsoid": '<geom type="ellipsoid" size="0.1 0.4 0.2" euler="20 30 40"/>',
    "box": '<geom type="box" size="0.1 0.4 0.2" pos="1 0 0" euler="20 30 40"/>',
    "capsule between": '<geom type="capsule" size="0.1" fromto="0 0 0 1 2 3"/>',
    "cylinder between": '<geom type="cylinder" size="0.1" fromto="0 0 0 0 0 3"/>',
    "box between": '<geom type="box" size="0.1 0.3" fromto="0 0 0 1 2 3"/>',
    "ellipsoid between": '<geom type="ellipsoid" size="0.1" fromto="0 1 0 1 2 3"/>',
    "sphere shell": '<geom size="0.2" pos="1 2 3" shellinertia="true"/>',
    "capsule shell": '<geom type="capsule" size="0.1 0.4" mass="2" shellinertia="true"/>',
    "cylinder shell": '<geom type="cylinder" size="0.1 0.4" shellinertia="true"/>',
    "box shell": '<geom type="box" size="0.1 0.4 0.2" shellinertia="true"/>',
    "mass": '<geom size="0.2" pos="1 2 3" mass="5" density="7"/>',
    "density": '<geom size="0.2" pos="1 2 3" density="7"/>',
    "sum": CAPSULE + '<geom type="box" size="0.1 0.2 0.3" pos="1 2 3" mass="4"/>',
    "beside inertial": CAPSULE + INERTIAL,
    "in a frame": f'<frame pos="1 2 3" euler="1 2 3">{CAPSULE}</frame>',
}

HEADS = {
    "radian": '<compiler angle="radian"/>',
    "sequence": '<compiler eulerseq="zyx"/>',
    "fixed axes": '<compiler eulerseq="XYZ"/>',
    "mixed axes": '<compiler eulerseq="xYz"/>',
    "inertia from geoms": '<compiler inertiafromgeom="true"/>',
    "not from geoms": '<compiler inertiafromgeom="false"/>',
    "bounds": '<compiler boundmass="3" boundinertia="0.7"/>',
    "balance": '<compiler balanceinertia="true" inertiafromgeom="false"/>',
    "total": '<compiler settotalmass="7"/>',
    "groups": '<compiler inertiagrouprange="1 2"/>',
    "two sections": '<compiler angle="radian"/><compiler settotalmass="7"/>',
    "gravity": '<option gravity="1 2 3"/>',
    "no gravity": '<option gravity="1 2 3"><flag gravity="disable"/></option>',
    "defaults": '<default><geom size="0.3"/><joint damping="3" axis="1 1 0"/></default>',
    "orientation in default": '<default><geom euler="10 20 30"/></default>',
    "another in default": '<default><geom zaxis="10 20 30"/></default>',
}
BEFORE = body(
    '<joint damping="1" pos="1 0 0"/><inertial pos="0 0 1" mass="1" diaginertia="1 2 2.9"/>'
    '<geom type="box" size="0.2 0.3 0.4" euler="0.1 0.2 0.3" group="1"/>'
    '<geom type="sphere" size="0.2" pos="1 0 0" group="4"/>'
    + body('<joint type="ball"/><geom size="0.1" pos="1 0 0" group="2"/>' + INERTIAL, "", "hand"),
    'euler="0.3 0.4 0.5"',
)


@pytest.mark.parametrize("world", PLACES.values(), ids=PLACES)
def test_places(world):
    text = text_of(world)
    mechanism, model = quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text)
    assert_same(mechanism, model)
    names = {model.body(i).name for i in range(1, model.nbody)} - {""}
    assert names <= set(mechanism.body_names)


@pytest.mark.parametrize("world", JOINTS.values(), ids=JOINTS)
def test_joints(world):
    text = text_of(world)
    mechanism, model = quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text)
    assert_same(mechanism, model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        q = model_from_mjcf(text).q
    np.testing.assert_allclose(q, model.qpos0, atol=1e-15)


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_shapes(shape):
    text = text_of(body('<joint type="free"/>' + shape))
    assert_same(quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text))


@pytest.mark.parametrize("head", HEADS.values(), ids=HEADS)
def test_settings(head):
    text = text_of(BEFORE, head)
    assert_same(quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text))


def test_classes_of_defaults():
    head = (
        '<default><joint damping="1" armature="0.1" stiffness="2"/><geom size="0.1" type="sphere"/>'
        '<default class="big"><geom size="0.3"/><joint axis="1 0 0"/>'
        '<default class="heavy"><geom density="5000"/></default></default>'
        '</default><default><joint damping="7"/></default>'
    )
    hand = body('<joint/><geom pos="1 0 0"/><geom class="heavy" pos="0 1 0"/>', "", "hand")
    foot = body('<joint class="main"/><geom pos="1 0 0"/>', 'childclass="heavy"', "foot")
    world = body('<joint/><geom pos="0 0 1"/>' + hand + foot, 'childclass="big"')
    inner = body('<joint/><geom pos="1 0 0"/>', "", "x")
    frame = f'<frame childclass="heavy">{inner}</frame>'
    text = text_of(world + frame, head)
    mechanism = quietly(model_from_mjcf, text)
    assert {body.joint.damping for body in mechanism.bodies} == {(1.0,), (7.0,)}
    assert_same(mechanism, mujoco.MjModel.from_xml_string(text))


def test_the_place_of_a_free_body_is_told():
    with pytest.warns(ModelWarning, match=r"<body \(its place: it is free\)> \('arm'\)"):
        model = model_from_mjcf(text_of(body("<freejoint/>" + INERTIAL, 'pos="1 2 3"')))
    assert model.q == (1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0)


def test_what_joints_become():
    mechanism = quietly(
        model_from_mjcf,
        text_of(
            body('<freejoint name="root"/>' + INERTIAL, "", "a")
            + body('<joint type="free" armature="1" name="big"/>' + INERTIAL, "", "b")
            + body('<joint name="x" type="slide"/><joint name="y"/>' + INERTIAL, "", "c")
            + body('<joint type="ball" pos="1 0 0"/>' + INERTIAL, "", "y")
        ),
    )
    assert [
        (body.name, body.parent, type(body.joint), name, body.mass)
        for body, name in zip(mechanism.bodies, mechanism.joint_names, strict=True)
    ][:-2] == [
        ("a", "world", Free, "root", 2.0),
        ("b/big position", "world", Translation, "big position", 0.0),
        ("b", "b/big position", Spherical, "big", 2.0),
        ("c/x", "world", Prismatic, "x", 0.0),
        ("c", "c/x", Revolute, "y", 2.0),
    ]
    assert mechanism.body_names[-2:] == ("y/y'", "y")
    assert len(set(mechanism.joint_names)) == mechanism.n_bodies


def test_limits_and_friction():
    inside = INERTIAL + '<joint name="j" range="-90 45" frictionloss="0.5" {}/>'

    def joint(more, head=""):
        return quietly(model_from_mjcf, text_of(body(inside.format(more)), head)).bodies[0].joint

    turned = Limits((-np.pi / 2, np.pi / 4), effort=3)
    assert joint('actuatorfrcrange="-3 3"').limits == turned
    assert joint("").friction == (0.5,)
    assert joint('limited="false"').limits is None
    assert joint("", '<compiler autolimits="false"/>').limits is None
    assert joint(
        'limited="true"', '<compiler autolimits="false" angle="radian"/>'
    ).limits == Limits((-90, 45))


def test_without_passive_forces():
    text = text_of(body(f'<joint damping="1" stiffness="2" frictionloss="3"/>{INERTIAL}'))
    assert not quietly(model_from_mjcf, text, passive=False).bodies[0].joint.damping[0]
    joint = quietly(model_from_mjcf, text).bodies[0].joint
    assert (joint.damping, joint.stiffness, joint.friction) == ((1.0,), (2.0,), (3.0,))


def test_planes_have_no_mass():
    plane = '<geom type="plane" size="1 1 1" mass="3"/>'
    text = text_of(body(plane) + body(BALL + INERTIAL, "", "hand"))
    mechanism = quietly(model_from_mjcf, text)
    assert mechanism.bodies[0].mass == mujoco.MjModel.from_xml_string(text).body("arm").mass == 0.0


def test_sites_are_frames():
    text = text_of(
        body(INERTIAL + '<site name="tip" pos="1 2 3" zaxis="1 0 0"/><site/><site name="arm"/>')
        + '<site name="here" type="box" size="1" fromto="1 0 0 3 4 5"/>'
    )
    mechanism, model = quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text)
    assert mechanism.body_names == ("here", "arm", "tip", "arm'")
    theirs = np.zeros(9)
    mujoco.mju_quat2Mat(theirs, model.site("here").quat)
    assert mechanism.bodies[0].pose.xyz == tuple(model.site("here").pos)
    np.testing.assert_allclose(np.ravel(mechanism.bodies[0].pose.matrix), theirs, atol=1e-14)
    tip = mechanism.bodies[2]
    assert (tip.parent, tip.mass, tip.pose.xyz) == ("arm", 0.0, (1.0, 2.0, 3.0))
    assert [row[2] for row in tip.pose.matrix] == [1.0, 0.0, 0.0]


def test_includes(tmp_path):
    inner = tmp_path / "parts" / "inner"
    inner.mkdir(parents=True)
    hand = body(BALL + INERTIAL, 'pos="1 0 0"', "hand")
    (inner / "hand.xml").write_text(f"<mujocoinclude>{hand}</mujocoinclude>")
    arm = body(HINGE + INERTIAL + '<include file="inner/hand.xml"/>')
    (tmp_path / "parts" / "arm.xml").write_text(f"<mujoco>{arm}</mujoco>")
    (tmp_path / "options.xml").write_text('<mujoco><option gravity="1 2 3"/></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text(
        '<mujoco><include file="options.xml"/><worldbody><include file="parts/arm.xml"/>'
        "</worldbody></mujoco>"
    )
    mechanism = quietly(read_mjcf, path)
    assert mechanism.body_names == ("arm", "hand")
    assert_same(mechanism, mujoco.MjModel.from_xml_path(str(path)))
