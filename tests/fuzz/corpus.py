"""Valid inputs, from which damaged ones are made."""

import json

import numpy as np

from poinsot.io.native import native_from_mechanism
from poinsot.io.native.notation import to_json, to_toml
from tests.formulations.loaded import random_forces, with_forces
from tests.io.test_mjcf_mutations import WHOLE
from tests.random_joints import KINDS
from tests.strategies import random_case

FORMULAS = [
    b"-0.1*vx*abs(vx)",
    b"2*sin(3*t) + select(x < 1, sqrt(y**2 + 1), atan2(z, -x))",
    b"min(max(x, 0), 1)**2 / exp(-log(2)) == 1",
]

ROBOT = b"""<?xml version="1.0"?>
<robot name="arm">
  <material name="grey"><color rgba="0.5 0.5 0.5 1"/></material>
  <link name="base"><visual><geometry><mesh filename="package://arm/base.stl"/></geometry></visual>
    <collision><origin xyz="0 0 1" rpy="0 0 0"/><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <link name="upper"><inertial><origin xyz="0 0 0.5" rpy="0.1 0 0"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
  <link name="lower"><inertial><mass value="1.5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="slide"/><link name="ball"/><link name="table"/><link name="wheel"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
    <origin xyz="0 0 1" rpy="0 1.57 0"/><axis xyz="0 1 0"/><dynamics damping="0.1" friction="0.2"/>
    <limit lower="-1" upper="2" velocity="3" effort="4"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="lower"/>
    <axis xyz="1 2 3"/><mimic joint="shoulder" multiplier="2" offset="0.1"/></joint>
  <joint name="rail" type="prismatic"><parent link="lower"/><child link="slide"/>
    <limit lower="0" upper="inf"/></joint>
  <joint name="loose" type="floating"><parent link="slide"/><child link="ball"/></joint>
  <joint name="flat" type="planar"><parent link="slide"/><child link="table"/>
    <axis xyz="0 0 1"/></joint>
  <joint name="weld" type="fixed"><parent link="table"/><child link="wheel"/></joint>
  <poinsot><loop name="pin" type="universal"><first link="base" xyz="1 0 0"/>
    <second link="lower" xyz="0 0 1" rpy="0 0.1 0"/><axis xyz="1 0 0"/><axis2 xyz="0 1 0"/>
    <dynamics damping="1 2" rest="0.1"/></loop>
    <gear name="pair" first="shoulder" second="elbow" ratio="-2" offset="0.5"/></poinsot>
  <transmission name="t"><type>simple</type></transmission>
  <gazebo reference="base"><material>grey</material></gazebo>
</robot>
"""

BOX = b"""<mujoco><worldbody><body><joint type="ball"/><geom type="box" size="1 1 1"/></body>
</worldbody></mujoco>"""

_CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
_FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], "<i4")


def _meshes(form):
    """Return a tetrahedron, in all the ways a format has."""
    if form == "obj":
        lines = [f"v {x} {y} {z}" for x, y, z in _CORNERS] + [
            f"f {a + 1} {b + 1}/2 {c - 4}" for a, b, c in _FACES
        ]
        return ["\n".join(lines).encode()]
    if form == "msh":
        counts = np.array([len(_CORNERS), 0, 0, len(_FACES)], "<i4")
        return [counts.tobytes() + _CORNERS.tobytes() + _FACES.tobytes()]
    triangles = _CORNERS[_FACES]
    text = "solid t\n" + "\n".join(
        "facet normal 0 0 1\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in triangle)
        + "endloop\nendfacet"
        for triangle in triangles
    )
    faces = [bytes(12) + triangle.tobytes() + bytes(2) for triangle in triangles]
    return [text.encode(), bytes(80) + (4).to_bytes(4, "little") + b"".join(faces)]


def _native_trees():
    case = random_case(1, 12, kinds=KINDS)
    whole = native_from_mechanism(with_forces(case.mechanism, random_forces(case)))
    small = {
        "format": "poinsot/1",
        "name": "pendulum",
        "parameters": {"l": 0.5},
        "bodies": [
            {
                "name": "rod",
                "pose": {"xyz": [0, 0, "l/2"], "rpy": [0, 0.1, 0]},
                "joint": {"type": "revolute", "axis": "y", "limits": {"position": [-1, 1]}},
                "mass": 1.0,
                "com": [0, 0, "-l"],
                "inertia": [0.1, 0.1, 0.01],
            }
        ],
    }
    closed = {
        "format": "poinsot/1",
        "name": "closed",
        "parameters": {"l": 0.5},
        "bodies": [
            {"name": "a", "joint": {"type": "revolute", "axis": "z"}, "mass": 1.0},
            {"name": "b", "parent": "a", "joint": {"type": "prismatic"}, "mass": 1.0},
        ],
        "loops": [
            {
                "name": "pin",
                "first": {"body": "world", "pose": {"xyz": ["l", 0, 0]}},
                "second": {"body": "b", "pose": {"rpy": [0, 0, 1]}},
                "joint": {"type": "cylindrical", "axis": "z", "damping": 0.1},
            }
        ],
        "constraints": [
            {
                "name": "rail",
                "formula": ["x**2 + y - l", "x*t"],
                "where": {"x": {"point": ["b", [0, 0, "l"]], "axis": "x"}, "y": {"joint": "a"}},
            },
            {
                "type": "distance",
                "name": "rod",
                "first": {"body": "a", "point": [1, 0, 0]},
                "second": {"body": "world"},
                "length": "2*l",
            },
            {
                "type": "point_on_curve",
                "name": "bead",
                "point": {"body": "b"},
                "curve": {"place": ["cos(s)", "l*sin(s)", 0], "range": [0, "2*pi"]},
                "on": {"body": "a", "pose": {"xyz": [0, 0, 1]}},
                "damping": 1,
            },
            {
                "type": "point_on_surface",
                "name": "ball",
                "point": {"body": "b", "point": [0, 0, 1]},
                "surface": "x**2 + y**2 - l*z",
            },
            {"type": "gear", "name": "gear", "first": "a", "second": "b", "ratio": -2, "offset": 1},
            {"type": "rack_pinion", "name": "rack", "pinion": "a", "rack": "b", "radius": "l"},
            {"type": "prescribed", "name": "motor", "joint": "a", "motion": "sin(l*t)"},
        ],
    }
    row = {"a": 1.0, "alpha": 0.5, "d": 0.1, "theta": 0, "mass": 1.0, "com": [0, 0, 1]}
    return [whole, small, closed, {"format": "poinsot/1", "name": "table", "dh": [row, row]}]


def corpus(form):
    """Return valid inputs of a format, as bytes."""
    if form == "urdf":
        return [ROBOT]
    if form in ("stl", "obj", "msh"):
        return _meshes(form)
    if form == "mjcf":
        return [WHOLE.replace('<mesh name="far" file="a.stl"/>', "").encode(), BOX]
    if form == "formula":
        return FORMULAS
    if form == "json":
        whole, *small = _native_trees()
        return [to_json(whole).encode(), *(json.dumps(tree).encode() for tree in small)]
    return [to_toml(tree).encode() for tree in _native_trees()]
