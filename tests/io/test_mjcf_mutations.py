"""Valid MJCF with random damage: it is read or refused, and nothing else happens."""

import copy
import struct
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from poinsot.errors import ModelError, ModelWarning
from poinsot.io.mjcf import mjcf_from_mechanism, model_from_mjcf, read_mjcf
from poinsot.io.xml import parse_xml
from poinsot.model import Mechanism
from tests.random_examples import examples

WHOLE = """<mujoco model="all">
  <compiler angle="radian" eulerseq="xyz" autolimits="true" inertiafromgeom="auto" boundmass="0.01"
   boundinertia="0.001" balanceinertia="true" settotalmass="7" inertiagrouprange="0 4" meshdir="."/>
  <option gravity="0 0 -9.8"><flag gravity="enable"/></option>
  <default><geom size="0.1" density="500"/><joint damping="1"/>
    <default class="big"><geom size="0.3" euler="0.1 0.2 0.3"/></default></default>
  <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 2 0 3"
    scale="1 1 2" refpos="0 0 1" refquat="1 0 0 1" inertia="exact"/><mesh name="far" file="a.stl"/>
    <mesh name="hull" vertex="0 0 0 1 0 0 0 1 0 0 0 1" inertia="convex"/></asset>
  <worldbody>
    <body name="a" pos="1 0 0" quat="1 1 0 0"><freejoint name="root"/>
      <inertial pos="0 0 1" mass="2" diaginertia="1 1 1" zaxis="1 0 1"/>
      <site name="tip" pos="1 0 0"/>
      <body name="b" childclass="big" axisangle="1 0 0 0.3">
        <joint name="x" type="slide" axis="1 0 0" range="-1 1" limited="true" ref="0.1"/>
        <joint name="y" type="hinge" pos="1 0 0" stiffness="3" springref="0.1" frictionloss="1"/>
        <geom name="g" type="capsule" fromto="0 0 0 1 0 0" group="1"/>
        <geom type="box" size="0.1 0.2 0.3" mass="2" shellinertia="true"/>
        <frame pos="1 0 0" xyaxes="1 0 0 0 1 0"><geom type="mesh" mesh="m"/>
          <body name="c"><joint type="ball" name="z" armature="0.1"/><geom type="mesh" mesh="hull"/>
            <inertial mass="1" fullinertia="1 1 1 0.1 0 0"/></body></frame>
      </body></body>
    <replicate count="3" offset="1 0 0" euler="0 0 1" sep="-"><body name="r"><joint name="r"/>
      <geom/></body></replicate>
  </worldbody>
  <equality><connect name="loop" body1="a" body2="c" anchor="0 0 0"/>
    <weld body1="a" body2="r-1" relpose="0 0 1 1 0 0 0" torquescale="2"/>
    <joint joint1="x" joint2="y" polycoef="0 1 2"/></equality>
  <actuator><motor joint="x"/></actuator>
</mujoco>"""

FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)]
MESHES = {
    "m.stl": b" " * 80
    + struct.pack("<I", 4)
    + b"".join(struct.pack("<12fH", *[0] * 3, *np.eye(4)[list(f), 1:].ravel(), 0) for f in FACES),
    "m.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n",
    "m.msh": struct.pack("<4i", 4, 0, 0, 4)
    + np.eye(4, dtype="<f4")[:, 1:].tobytes()
    + np.array(FACES, "<i4").tobytes(),
}

WORDS = st.sampled_from(
    [
        *("a", "b", "x", "m", "far", "big", "main", "world", "true", "false", "auto", "", " ", "é"),
        *("box", "mesh", "plane", "sphere", "free", "ball", "hinge", "slide", "exact", "shell"),
        *("../a.stl", "/dev/zero", "a.xml", "XYZ", "zyx", "nan", "inf", "1_0", "0x10", "convex"),
    ]
)
NUMBERS = st.one_of(
    st.sampled_from(
        ["0", "1", "-1", "0.5", "1e308", "-1e308", "5e-324", "1e200", "1e-200", "1e999"]
    ),
    st.floats().map(repr),
    st.integers(-3, 9).map(str),
)
VALUES = st.one_of(WORDS, NUMBERS, st.lists(NUMBERS, max_size=13).map(" ".join))
ATTRIBUTES = st.sampled_from(
    [
        *("name", "class", "childclass", "type", "pos", "quat", "euler", "axis", "size", "fromto"),
        *("mass", "density", "mesh", "range", "ref", "stiffness", "armature", "file", "vertex"),
        *(
            "face",
            "scale",
            "group",
            "mocap",
            "inertia",
            "gravity",
            "shellinertia",
            "zaxis",
            "count",
        ),
    ]
)
TAGS = st.sampled_from(
    [
        *("body", "joint", "geom", "site", "inertial", "frame", "freejoint", "default", "include"),
        *("mesh", "compiler", "worldbody", "replicate", "attach", "asset", "option", "thing"),
    ]
)


def places(root):
    """Return every element with its parent."""
    found, stack = [], [(None, root)]
    while stack:
        parent, element = stack.pop()
        found.append((parent, element))
        stack += [(element, child) for child in element.children]
    return found


def written(element):
    """Return an element as text; values have no characters to escape but quotes."""
    attributes = "".join(f' {key}="{value}"' for key, value in element.attributes.items())
    inside = "".join(map(written, element.children))
    return f"<{element.tag}{attributes}>{inside}</{element.tag}>"


def damaged(data):
    root = parse_xml(WHOLE, "MJCF")
    for _ in range(data.draw(st.integers(1, 4))):
        found = places(root)
        parent, element = found[data.draw(st.integers(0, len(found) - 1))]
        how = data.draw(
            st.sampled_from(["value", "value", "value", "drop", "add", "tag", "copy", "cut"])
        )
        keys = list(element.attributes)
        if how == "value" and keys:
            element.attributes[data.draw(st.sampled_from(keys))] = data.draw(VALUES)
        elif how == "drop" and keys:
            del element.attributes[data.draw(st.sampled_from(keys))]
        elif how == "tag":
            element.tag = data.draw(TAGS)
        elif how == "copy":
            other = found[data.draw(st.integers(0, len(found) - 1))][1]
            element.children.append(copy.deepcopy(other))
        elif how == "cut" and parent is not None:
            parent.children = [child for child in parent.children if child is not element]
        else:
            element.attributes[data.draw(ATTRIBUTES)] = data.draw(VALUES)
    return written(root)


def read_or_refused(text):
    """Return what is read, or None if it is refused with words that name the format."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ModelWarning)
        try:
            return model_from_mjcf(text).mechanism
        except ModelError as error:
            message = str(error)
    assert message.startswith("MJCF")
    return None


def test_the_undamaged_one_is_valid():
    mechanism = read_or_refused(WHOLE)
    assert mechanism.body_names == ("a", "tip", "b/x", "b/y", "b", "c", "r-0", "r-1", "r-2")
    assert mechanism.nv == 14
    assert sum(body.mass for body in mechanism.bodies) == pytest.approx(7.0)


@settings(max_examples=examples(38))
@given(st.data())
def test_damaged_elements(data):
    mechanism = read_or_refused(damaged(data))
    if mechanism is None:
        return
    assert isinstance(mechanism, Mechanism)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        try:
            text = mjcf_from_mechanism(mechanism)
        except ModelError:
            return
    again = read_or_refused(text)
    assert again is not None
    assert (again.nq, again.nv) == (mechanism.nq, mechanism.nv)


@settings(max_examples=examples(19))
@given(st.data())
def test_damaged_texts(data):
    start = data.draw(st.integers(0, len(WHOLE)))
    stop = data.draw(st.integers(start, min(len(WHOLE), start + 20)))
    new = data.draw(st.one_of(st.text(max_size=5), WORDS, NUMBERS))
    read_or_refused(WHOLE[:start] + new + WHOLE[stop:])


@settings(max_examples=examples(29))
@given(st.sampled_from(["m.stl", "m.obj", "m.msh"]), st.data())
def test_damaged_meshes(tmp_path_factory, name, data):
    folder = tmp_path_factory.getbasetemp()
    whole = MESHES[name]
    start = data.draw(st.integers(0, len(whole)))
    stop = data.draw(st.integers(start, min(len(whole), start + 8)))
    (folder / name).write_bytes(whole[:start] + data.draw(st.binary(max_size=8)) + whole[stop:])
    text = WHOLE.replace('file="a.stl"', f'file="{name}"').replace('mesh="m"', 'mesh="far"')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ModelWarning)
        try:
            assert model_from_mjcf(text, folder=folder).mechanism.nv == 14
        except ModelError as error:
            message = str(error)
        else:
            return
    assert message.startswith("MJCF, line")


@settings(max_examples=examples(19))
@given(st.binary(max_size=200))
def test_files_that_are_anything(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "anything.xml"
    path.write_bytes(data)
    with pytest.raises(ModelError, match=r"anything\.xml: MJCF"):
        read_mjcf(path)
