"""Surfaces from files: each format gives the same tetrahedron; what is broken says so."""

import struct

import numpy as np
import pytest
from PIL import Image

from poinsot.viewer.mesh_files import MeshFileError, read_mesh
from poinsot.viewer.mesh_materials import mean_colour

POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 2, 0], [0, 0, 3]], dtype=float)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
NUMBERS = " ".join(str(x) for x in POINTS.ravel())

DAE = f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.5"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="s"><phong><diffuse>
<color>1 0.5 0 1</color></diffuse></phong></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="12">{NUMBERS}</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="2" material="paint"><input semantic="VERTEX" source="#v" offset="0"/>
<input semantic="NORMAL" source="#p" offset="1"/><p>0 0 2 0 1 0 0 0 1 0 3 0</p></triangles>
<polylist count="2"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>3 3</vcount><p>0 3 2 1 2 3</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>0 0 2</translate>
<node><scale>2 2 2</scale><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="paint" target="#m"/></technique_common></bind_material>
</instance_geometry></node></node></visual_scene></library_visual_scenes></COLLADA>"""

TWICE = "".join(
    f'<node id="n{k}"><instance_node url="#n{k + 1}"/><instance_node url="#n{k + 1}"/></node>'
    for k in range(60)
)
NESTED = (
    f"<COLLADA><library_visual_scenes><visual_scene>{TWICE}</visual_scene>"
    "</library_visual_scenes></COLLADA>"
)
"""Few letters that ask for 2⁶⁰ nodes."""


def corners(surfaces):
    """Return the corners of all triangles, sorted, shape (m, 3, 3)."""
    listed = np.concatenate([vertices[triangles] for vertices, triangles, _ in surfaces])
    return listed[np.lexsort(listed.reshape(len(listed), -1).T[::-1])]


def expected(points=POINTS):
    """Return those of the tetrahedron."""
    return corners([(points, FACES, None)])


def test_binary_and_text_stl(tmp_path):
    """Read the same tetrahedron both ways; equal corners become one vertex."""
    rows = b"".join(struct.pack("<12fH", *np.zeros(3), *POINTS[face].ravel(), 0) for face in FACES)
    binary = tmp_path / "a.stl"
    binary.write_bytes(b"solid".ljust(80) + struct.pack("<I", 4) + rows)
    text = tmp_path / "b.STL"
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {} {} {}\n".format(*POINTS[k]) for k in face)
        + "endloop\nendfacet\n"
        for face in FACES
    )
    text.write_text(f"solid x\n{facets}endsolid x\n")
    for file in (binary, text):
        ((vertices, triangles, colour),) = read_mesh(file)
        assert (len(vertices), len(triangles), colour) == (4, 4, None)
        np.testing.assert_allclose(corners([(vertices, triangles, None)]), expected())


def test_obj_with_polygons_and_negative_numbers(tmp_path):
    """Read a square as two triangles, and vertices counted from the end."""
    file = tmp_path / "a.obj"
    file.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/2/3 2 3//1 4\nf -4 -3 -2\n")
    ((vertices, triangles, _),) = read_mesh(file)
    assert (len(vertices), len(triangles)) == (4, 3)
    areas = np.cross(
        vertices[triangles[:, 1]] - vertices[triangles[:, 0]],
        vertices[triangles[:, 2]] - vertices[triangles[:, 0]],
    )
    np.testing.assert_allclose(areas[:, 2], 1.0)


def test_collada_with_units_nodes_and_materials(tmp_path):
    """Read triangles and polygons where the nodes put them, with the colours of materials."""
    file = tmp_path / "a.dae"
    file.write_text(DAE)
    surfaces = read_mesh(file)
    np.testing.assert_allclose(corners(surfaces), expected(POINTS * 2 * 0.5 + [0, 0, 2 * 0.5]))
    assert [colour for _, _, colour in surfaces] == ["#ff8000", None]


def test_obj_has_the_colours_of_its_materials(tmp_path):
    """Read faces of two materials, one of them a texture; a library elsewhere is not read."""
    folder = tmp_path / "meshes"
    folder.mkdir()
    materials = "newmtl red\nKd 1 0 0\nnewmtl painted one\nKd 0 0 0\nmap_Kd paint.png\n"
    (folder / "a.mtl").write_text(materials)
    (tmp_path / "b.mtl").write_text("newmtl outside\nKd 0 1 0\n")
    half = np.zeros((4, 4, 3), dtype=np.uint8)
    half[:2] = (0, 0, 255)
    half[2:] = (0, 255, 255)
    Image.fromarray(half).save(folder / "paint.png")
    vertices = "".join("v {} {} {}\n".format(*point) for point in POINTS)
    faces = "usemtl red\nf 1 2 3\nusemtl painted one\nf 1 2 4\nusemtl outside\nf 1 3 4\n"
    (folder / "a.obj").write_text(f"mtllib a.mtl\nmtllib ../b.mtl\n{vertices}{faces}")
    colours = [colour for _, _, colour in read_mesh(folder / "a.obj")]
    assert colours == ["#ff0000", "#0080ff", None]


@pytest.mark.parametrize("name", ["../paint.png", "/etc/passwd", "broken.png", "missing.png", "\0"])
def test_textures_elsewhere_or_broken_give_no_colour(tmp_path, name):
    """Name a texture outside the folder, one that is no picture, none at all: no error either."""
    folder = tmp_path / "meshes"
    folder.mkdir()
    Image.fromarray(np.full((2, 2, 3), 200, np.uint8)).save(tmp_path / "paint.png")
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n nonsense")
    (folder / "link.png").symlink_to(tmp_path / "paint.png")
    assert mean_colour(folder, name) is None
    assert mean_colour(folder, "link.png") is None


def test_collada_textures_give_their_mean(tmp_path):
    """Follow a texture over sampler and surface to its image."""
    Image.fromarray(np.full((3, 3, 3), (200, 100, 0), np.uint8)).save(tmp_path / "t.png")
    painted = DAE.replace(
        '<effect id="e"><profile_COMMON>',
        '<effect id="e"><profile_COMMON><newparam sid="f"><surface type="2D"><init_from>i'
        '</init_from></surface></newparam><newparam sid="s"><sampler2D><source>f</source>'
        "</sampler2D></newparam>",
    ).replace("<color>1 0.5 0 1</color>", '<texture texture="s" texcoord="u"/>')
    images = '<library_images><image id="i"><init_from>t.png</init_from></image></library_images>'
    file = tmp_path / "a.dae"
    file.write_text(painted.replace("<library_effects>", f"{images}<library_effects>"))
    assert [colour for _, _, colour in read_mesh(file)] == ["#c86400", None]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ply", "", "none of .stl, .obj, .dae"),
        ("a.stl", "solid\nvertex 1 2\n", "cannot be read"),
        ("a.obj", "v 0 0 0\nf 1 2 9\n", "not there"),
        ("a.obj", "v 0 0 0\n", "no triangles"),
        ("a.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
        ("a.dae", "<COLLADA>", "cannot be read"),
        ("a.dae", '<!DOCTYPE x [<!ENTITY a "b">]><COLLADA/>', "entities"),
        ("a.dae", DAE.replace("<vcount>3 3", "<vcount>3 999999999"), "polygons have other corners"),
        ("a.dae", NESTED, "nodes are more than"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path, name, content, said):
    """Try broken files of each kind."""
    file = tmp_path / name
    file.write_text(content)
    with pytest.raises(MeshFileError, match=said):
        read_mesh(file)
