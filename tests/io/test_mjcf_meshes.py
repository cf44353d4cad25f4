"""Mass from meshes, in files and in the text, against MuJoCo's reading of the same."""

import struct

import numpy as np
import pytest

from poinsot.io.mjcf import model_from_mjcf, read_mjcf

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is the oracle: pip install mujoco")
from tests.io.mjcf_texts import assert_same, body, quietly, text_of  # noqa: E402

TOLERANCE = 1e-10
"""Measured: 3e-14; MuJoCo's own search for principal axes ends at 1e-12 kg m^2."""

TETRAHEDRA = """v 0 0 0
v 1 0 0
v 0 2 0
v 0.2 0.3 3
v 1.5 1.5 -0.5
f 1 3 2
f 1/1 2/2/2 4//4
f 2 3 4
f -5 -2 -3
"""
CONCAVE = [
    *((0, 0, 0), (2, 0, 0), (2, 1, 0), (1, 1, 0), (1, 2, 0), (0, 2, 0)),
    *((0, 0, 1), (2, 0, 1), (2, 1, 1), (1, 1, 1), (1, 2, 1), (0, 2, 1)),
]
TRIANGLES = [
    *((0, 3, 1), (1, 3, 2), (0, 5, 3), (3, 5, 4), (6, 7, 9), (7, 8, 9), (6, 9, 11), (9, 10, 11)),
    *((0, 1, 7), (0, 7, 6), (1, 2, 8), (1, 8, 7), (2, 3, 9), (2, 9, 8)),
    *((3, 4, 10), (3, 10, 9), (4, 5, 11), (4, 11, 10), (5, 0, 6), (5, 6, 11)),
]


def stl_binary(vertices, triangles):
    faces = [
        struct.pack("<12fH", 0, 0, 0, *np.ravel([vertices[i] for i in t]), 0) for t in triangles
    ]
    return b" " * 80 + struct.pack("<I", len(faces)) + b"".join(faces)


def stl_text(vertices, triangles):
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*vertices[i]) for i in t)
        + "endloop\nendfacet\n"
        for t in triangles
    ]
    return ("solid a\n" + "".join(facets) + "endsolid a\n").encode()


def msh(vertices, triangles):
    counts = struct.pack("<4i", len(vertices), 0, 0, len(triangles))
    numbers = np.array(vertices, "<f4").tobytes() + np.array(triangles, "<i4").tobytes()
    return counts + numbers


MESH_BODY = body(
    '<joint type="free"/><geom type="mesh" mesh="m" pos="1 2 3" euler="10 20 30" density="30"/>'
)


@pytest.mark.parametrize(
    "more",
    ["", 'scale="1 2 -3"', 'refpos="1 2 3" refquat="1 2 3 4"', 'scale="2 2 2" refpos="1 0 0"'],
)
@pytest.mark.parametrize("kind", ["legacy", "exact", "convex", "shell"])
def test_meshes(tmp_path, kind, more):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "m.stl").write_bytes(stl_binary(CONCAVE, TRIANGLES))
    head = (
        f'<compiler meshdir="meshes"/><asset><mesh file="m.stl" inertia="{kind}" {more}/></asset>'
    )
    path = tmp_path / "model.xml"
    path.write_text(text_of(MESH_BODY, head))
    assert_same(quietly(read_mjcf, path), mujoco.MjModel.from_xml_path(str(path)), TOLERANCE)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("m.obj", TETRAHEDRA.encode()),
        ("m.STL", stl_binary(CONCAVE, TRIANGLES)),
        ("m.msh", msh(CONCAVE, TRIANGLES)),
    ],
)
def test_mesh_files(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    path = tmp_path / "model.xml"
    path.write_text(text_of(MESH_BODY, f'<asset><mesh name="m" file="{name}"/></asset>'))
    assert_same(quietly(read_mjcf, path), mujoco.MjModel.from_xml_path(str(path)), TOLERANCE)


def test_text_stl_is_the_binary_one(tmp_path):
    """MuJoCo reads binary ones only."""
    path = tmp_path / "model.xml"
    path.write_text(text_of(MESH_BODY, '<asset><mesh file="m.stl"/></asset>'))
    read = []
    for write in (stl_binary, stl_text):
        (tmp_path / "m.stl").write_bytes(write(CONCAVE, TRIANGLES))
        read.append(quietly(read_mjcf, path))
    assert read[0] == read[1]
    assert read[0].bodies[0].mass == pytest.approx(30.0 * 3.0)  # by hand: an L of three cubes


@pytest.mark.parametrize("faces", ["", 'face="{}"'.format(" ".join(map(str, np.ravel(TRIANGLES))))])
def test_meshes_in_the_file(faces):
    vertices = " ".join(map(str, np.ravel(CONCAVE)))
    text = text_of(MESH_BODY, f'<asset><mesh name="m" vertex="{vertices}" {faces}/></asset>')
    assert_same(quietly(model_from_mjcf, text), mujoco.MjModel.from_xml_string(text), TOLERANCE)
