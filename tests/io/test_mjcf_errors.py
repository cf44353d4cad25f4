"""MJCF files that are wrong or want too much, and what the warning lists."""

import os
import warnings

import pytest

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf import model_from_mjcf, read_mjcf

INERTIAL = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


def world(inside, head="", tail=""):
    return f"<mujoco>{head}\n<worldbody>{inside}</worldbody>{tail}</mujoco>"


def body(inside="", more=""):
    return f'<body name="arm" {more}>{inside}</body>'


def geom(more):
    return world(body(f'<geom name="g" {more}/>'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<robot/>", "line 1: the outermost element must be <mujoco>, got <robot>"),
        ("<mujoco>", "not well-formed XML"),
        ("<mujoco/>", "there is no <body> in <worldbody>"),
        (world(""), "there is no <body>"),
        (
            world(body(more='pos="1 2"')),
            "line 2: <body> 'arm': pos of <body> must be three numbers",
        ),
        (world(body(more='pos="1 2 x"')), "pos of <body> must be finite numbers, got '1 2 x'"),
        (world(body(more='pos="1 2 nan"')), "must be finite numbers"),
        (world(body(more='pos="1 2 1e400"')), "must be finite numbers"),
        (world(body(more='quat="0 0 0 0"')), "quat of <body> gives no direction"),
        (world(body(more='xyaxes="1 0 0 2 0 0"')), "xyaxes of <body> gives no direction"),
        (world(body(more='quat="1 0 0 0" euler="0 0 0"')), "one orientation, got euler and quat"),
        (world("<freejoint/>" + body()), "<worldbody> cannot have a <freejoint>"),
        (world(body() * 2), "body 'arm': another has this name, see line 2"),
        (world(body('<site name="s"/>' * 2)), "site 's': another has this name"),
        (world('<body name="world"/>'), "'world': this is the name of the fixed root"),
        (world(body(more='childclass="none"')), "unknown default class 'none'"),
        (world(body('<joint class="mian"/>')), "class 'mian'; did you mean 'main'"),
        (world(body('<joint name="j" type="screw"/>')), "type of <joint> must be 'hinge' or"),
        (world(body('<joint name="j" axis="0 0 0"/>')), "joint 'j': axis must not be zero"),
        (world(body('<joint name="j" armature="-1"/>')), "joint 'j': armature must not be neg"),
        (world(body('<joint name="j" limited="true" range="2 1"/>')), "smallest position must not"),
        (world(body('<joint name="j"/><joint name="j"/>')), "joint 'j': another has this name"),
        (world(body("<body><freejoint/></body>")), "a free joint must be the only one of a body"),
        (world(body("<freejoint/><joint/>")), "a free joint must be the only one"),
        (world(body('<inertial mass="-1"/>')), "inertial: mass must not be negative, got -1.0"),
        (world(body("<inertial/>")), "<inertial> must have the attribute 'mass'"),
        (world(body(INERTIAL * 2)), "there must be one <inertial>"),
        (
            world(body('<inertial mass="1" quat="1 0 0 0" fullinertia="1 1 1 0 0 0"/>')),
            "fullinertia excludes quat",
        ),
        (geom('type="boxx"'), "geom 'g': unknown type 'boxx'; did you mean 'box'"),
        (geom('type="box" size="1 2"'), "size of <geom> must be three numbers"),
        (geom('type="box" size="1 2 0"'), "the 3 sizes of a box must be positive"),
        (geom('size="1" density="-1"'), "density must not be negative"),
        (geom('size="1e200"'), "geom 'g': a volume of inf"),
        (geom('type="mesh" mesh="m"'), "unknown mesh 'm'"),
        (geom('type="mesh"'), "must have the attribute 'mesh'"),
        (world(body(), '<compiler coordinate="global"/>'), "global coordinates are not supported"),
        (world(body(), '<compiler angle="grad"/>'), "angle of <compiler> must be 'degree' or"),
        (world(body(), '<compiler eulerseq="xyw"/>'), "eulerseq must be three of the letters"),
        (world(body(), '<default class="x"/>'), "the class at the top must be called 'main'"),
        (
            world(body(), '<default><default class="x"/><default class="x"/></default>'),
            "two classes are called 'x'",
        ),
        (world(body("<composite/>")), "body 'arm': <composite> is not supported"),
        (world(body("<replicate/>")), "<replicate> must have the attribute 'count'"),
        (world(body('<replicate count="1.5"/>')), "count must be a whole number up to 100000"),
        (world(body('<replicate count="1e9"/>')), "count must be a whole number up to 100000"),
        (world("<attach/>"), "<attach> is not supported"),
        (world('<include file="a.xml"/>'), "'a.xml' cannot be read: the model is a text"),
    ],
)
def test_errors(text, message):
    with pytest.raises(ModelError, match=message) as caught:
        model_from_mjcf(text)
    assert str(caught.value).startswith("MJCF")


def test_guards_against_bombs():
    levels = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "ha"}">' for i in range(30))
    with pytest.raises(ModelError, match="document type"):
        model_from_mjcf(f'<!DOCTYPE mujoco [{levels}]><mujoco model="&e29;"/>')
    with pytest.raises(ModelError, match="nested more than 500 deep"):
        model_from_mjcf("<mujoco><worldbody>" + "<body>" * 10_000)
    copies = "".join('<replicate count="1000">' for _ in range(9)) + "<site/>" + "</replicate>" * 9
    with pytest.raises(ModelError, match="more than 100000 replicated elements"):
        model_from_mjcf(world(copies))
    with pytest.raises(ModelError, match="<mujoco> has more than 100 attributes"):
        model_from_mjcf("<mujoco {}/>".format(" ".join(f'a{i}="1"' for i in range(200))))
    nested = "<default>" + '<default class="{}">' * 490
    with pytest.raises(ModelError, match="there is no <body>"):
        model_from_mjcf("<mujoco>" + nested.format(*range(490)) + "</default>" * 491 + "</mujoco>")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "secret.stl").write_bytes(b"solid\n")
    (tmp_path / "secret.xml").write_text("<mujoco><worldbody/></mujoco>")
    inside = tmp_path / "model"
    inside.mkdir()
    return inside


def read(folder, text):
    (folder / "main.xml").write_text(text)
    return read_mjcf(folder / "main.xml")


@pytest.mark.parametrize(
    "name",
    ["../secret.{}", "a/../../secret.{}", "..\\secret.{}", "/etc/secret.{}", "C:\\secret.{}"],
)
def test_nothing_outside_the_folder_is_read(folder, name):
    with pytest.raises(ModelError, match=r"main\.xml: MJCF, line 2: the file .* folder"):
        read(folder, world(f'<include file="{name.format("xml")}"/>'))
    asset = f'<asset><mesh name="m" file="{name.format("stl")}"/></asset>'
    with pytest.raises(ModelError, match=r"main\.xml: MJCF, line 1: the file .* folder"):
        read(folder, world(body('<geom type="mesh" mesh="m"/>'), asset))
    head = '<compiler meshdir=".."/><asset><mesh name="m" file="secret.stl"/></asset>'
    with pytest.raises(ModelError, match="is not in the folder of the model"):
        read(folder, world(body('<geom type="mesh" mesh="m"/>'), head))


def test_links_out_of_the_folder_are_not_followed(folder):
    os.symlink(folder.parent / "secret.xml", folder / "link.xml")
    with pytest.raises(ModelError, match=r"'link\.xml' is not in the folder of the model"):
        read(folder, world('<include file="link.xml"/>'))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_pipes_and_folders_are_no_files(folder):
    os.mkfifo(folder / "pipe.xml")
    for name in ("pipe.xml", ".", "none.xml", "a\nb.xml"):
        with pytest.raises(ModelError, match=r"MJCF, line 2: (there is no file|the file)"):
            read(folder, world(f'<include file="{name}"/>'))


def test_includes_that_go_on(folder):
    (folder / "again.xml").write_text('<mujoco><include file="again.xml"/></mujoco>')
    with pytest.raises(ModelError, match=r"'again\.xml' is included twice"):
        read(folder, world('<include file="again.xml"/>'))
    for i in range(10):
        deep = "<body>" * 90 + f'<include file="{i + 1}.xml"/>' + "</body>" * 90
        (folder / f"{i}.xml").write_text(f"<mujoco>{deep}</mujoco>")
    with pytest.raises(ModelError, match=r"MJCF '5.xml', line 1: .* nested more than 500 deep"):
        read(folder, world('<include file="0.xml"/>'))
    (folder / "not.xml").write_text("<mujoco")
    with pytest.raises(ModelError, match=r"main.xml: MJCF 'not.xml': not well-formed"):
        read(folder, world('<include file="not.xml"/>'))


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("m.stl", b"", "this is no STL file"),
        ("m.stl", b" " * 80 + b"\xff\xff\xff\xff", "this is no STL file"),
        ("m.stl", b"solid\nvertex 1 2 3\n", "not three vertices"),
        ("m.stl", b"solid\nvertex 1 2\n", "not three coordinates"),
        ("m.stl", b"solid\n", "no triangles"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "none of the 3"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "counted from 1"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x\n", "invalid literal"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "counted from 1"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 nan\nf 1 2 3\n", "must be finite"),
        ("m.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "no volume"),
        ("m.obj", b"v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n", "no area"),
        ("m.msh", b"\x01", "this is no MSH file"),
        ("m.msh", b"\xff" * 16, "this is no MSH file"),
        ("m.msh", b"\xff\xff\xff\x7f" * 4, "a part of it is missing"),
    ],
)
def test_broken_meshes(folder, name, data, message):
    (folder / name).write_bytes(data)
    asset = f'<asset><mesh name="m" file="{name}"/></asset>'
    with pytest.raises(ModelError, match=f"main.xml: MJCF, line 1: mesh 'm': .*{message}"):
        read(folder, world(body('<geom type="mesh" mesh="m"/>'), asset))


def test_what_is_not_taken_is_told():
    text = world(
        body(
            '<joint name="j" margin="1" stiffness="1 2"/><geom name="box" size="1" rgba="1 1 1 1"/>'
            '<geom type="mesh" mesh="m"/><camera name="eye"/><site/>' + INERTIAL
        )
        + '<body gravcomp="1"><joint type="ball" stiffness="2" range="0 1"/></body>',
        '<asset><mesh name="m" file="m.ply"/><texture name="t"/></asset><option wind="1 0 0"/>'
        '<compiler inertiafromgeom="true" fusestatic="true"/><statistic extent="2"/>'
        '<default><motor gear="2"/></default>',
        '<actuator><motor name="push" joint="j"/><motor joint="j"/></actuator>'
        '<tendon><fixed name="rope"/></tendon>',
    )
    with pytest.warns(ModelWarning) as caught:
        model_from_mjcf(text)
    (message,) = (str(one.message) for one in caught)
    for part in (
        *("2 <actuator/motor> ('push')", "<body/camera> ('eye')", "<asset/texture> ('t')"),
        *("<statistic>", "<default/motor>", "<site without name>", "<mesh (its mass)> ('m')"),
        *("2 <geom (its shape)> ('box')", "compiler fusestatic", "option wind", "geom rgba"),
        *("joint margin, stiffness (of higher powers)", "ball joint range, stiffness"),
        *("body gravcomp", "<tendon/fixed> ('rope')"),
    ):
        assert part in message


def test_geoms_whose_mass_is_not_known():
    head = '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'
    for more in (
        'type="box" mesh="m"',
        'type="sdf"',
        'type="ellipsoid" size="1 1 1" shellinertia="true"',
    ):
        with pytest.warns(ModelWarning, match=r"<geom \(its mass: .*\('g'\)"):
            model = model_from_mjcf(world(body(f'<geom name="g" {more}/>'), head))
        assert model.mechanism.bodies[0].mass == 0.0


def test_no_warning_where_all_is_taken():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model_from_mjcf(world(body('<joint axis="1 0 0" damping="1"/>' + INERTIAL)))
