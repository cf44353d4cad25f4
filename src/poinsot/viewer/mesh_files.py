"""Surfaces from files: STL (binary and text), OBJ and COLLADA (DAE), as vertices and triangles.

A mesh may come from anyone: files are of limited size, XML is read without entities, and what does
not make sense is an error that says so.  Surfaces of OBJ and COLLADA files come with the colours of
their materials, of textures with their mean (``mesh_materials.py``).
"""

from __future__ import annotations

import struct
from itertools import pairwise
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.spatial import Array
from poinsot.viewer.mesh_materials import hex_colour, material_colours, mean_colour

__all__ = ["MeshFileError", "read_mesh"]

MOST_BYTES: Final = 64 * 2**20
"""Size of the largest file that is read."""

_DIGITS: Final = 6
"""Of coordinates, relative to the size of a mesh: vertices that agree in them are one."""


class MeshFileError(PoinsotError):
    """A file of a mesh cannot be read."""


Surface = tuple[Array, Array, str | None]
"""Vertices, shape (n, 3) [m], triangles, shape (m, 3), and a colour "#rrggbb" if there is one."""


def read_mesh(path: str | Path) -> list[Surface]:
    """Return the surfaces of a file, those of one colour together.

    Args:
        path: The file: .stl, .obj or .dae.

    Raises:
        MeshFileError: If it cannot be read.
    """
    file = Path(path)
    readers = {".stl": _stl, ".obj": _obj, ".dae": _dae}
    reader = readers.get(file.suffix.lower())
    if reader is None:
        raise MeshFileError(f"{file.suffix!r} is none of .stl, .obj, .dae")
    try:
        if file.stat().st_size > MOST_BYTES:
            raise MeshFileError(f"it is larger than {MOST_BYTES // 2**20} MB")
        pieces = reader(file.read_bytes(), file.parent)
    except (
        OSError,
        ValueError,
        IndexError,
        KeyError,
        struct.error,
        ElementTree.ParseError,
    ) as error:
        raise MeshFileError(f"the file cannot be read ({type(error).__name__}: {error})") from None
    corners = {colour: np.concatenate(piece) for colour, piece in pieces.items()}
    corners = {colour: piece for colour, piece in corners.items() if len(piece)}
    if not corners or not all(np.isfinite(piece).all() for piece in corners.values()):
        raise MeshFileError("it has no triangles, or numbers that are not finite")
    return [(*_shared_vertices(piece), colour) for colour, piece in corners.items()]


def _shared_vertices(corners: Array) -> tuple[Array, Array]:
    """Return vertices and triangles of the corners of triangles, shape (m, 3, 3)."""
    points = corners.reshape(-1, 3)
    step = max(float(np.ptp(points, axis=0).max()), 1e-30) * 10.0**-_DIGITS
    keys = np.round(points / step).astype(np.int64)
    _, first, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    triangles = inverse.reshape(-1, 3)
    flat = (triangles[:, 0] == triangles[:, 1]) | (triangles[:, 1] == triangles[:, 2])
    return points[first], triangles[~flat & (triangles[:, 0] != triangles[:, 2])]


Pieces = dict[str | None, list[Array]]
"""By colour, corners of triangles, each of shape (m, 3, 3)."""


def _stl(data: bytes, _: Path) -> Pieces:
    if len(data) >= 84:
        (n,) = struct.unpack_from("<I", data, 80)
        if len(data) == 84 + 50 * n:
            rows = np.frombuffer(data, dtype=np.dtype([("x", "<f4", 12), ("n", "<u2")]), offset=84)
            return {None: [rows["x"][:, 3:].reshape(-1, 3, 3).astype(float)]}
    words = data.decode("ascii", "replace").split()
    places = [k for k, word in enumerate(words) if word.lower() == "vertex"]
    if len(places) % 3:
        raise ValueError("a facet has not three vertices")
    corners = np.array([[float(x) for x in words[k + 1 : k + 4]] for k in places])
    return {None: [corners.reshape(-1, 3, 3)]}


def _obj(data: bytes, folder: Path) -> Pieces:
    vertices: list[list[float]] = []
    triangles: dict[str, list[tuple[int, int, int]]] = {}
    colours: dict[str, str | None] = {}
    material = ""
    for line in data.decode("utf-8", "replace").splitlines():
        words = line.split()
        key = words[0] if words else ""
        if key == "v":
            vertices.append([float(x) for x in words[1:4]])
        elif key == "f":
            numbers = [int(word.split("/")[0]) for word in words[1:]]
            corners = [k - 1 if k > 0 else len(vertices) + k for k in numbers]
            fan = [(corners[0], a, b) for a, b in pairwise(corners[1:])]
            triangles.setdefault(material, []).extend(fan)
        elif key == "usemtl":
            material = " ".join(words[1:])
        elif key == "mtllib" and len(words) > 1:
            colours |= material_colours(folder, " ".join(words[1:]))
    points, pieces = np.array(vertices, dtype=float).reshape(-1, 3), Pieces()
    for name, listed in triangles.items():
        chosen = np.array(listed, dtype=int).reshape(-1, 3)
        if chosen.size and (chosen.min() < 0 or chosen.max() >= len(points)):
            raise ValueError("a face names a vertex that is not there")
        pieces.setdefault(colours.get(name), []).append(points[chosen])
    return pieces


def _dae(data: bytes, folder: Path) -> Pieces:
    """Return the triangles of all geometries where the nodes of the visual scene put them."""
    if b"<!ENTITY" in data or b"\0" in data:  # zeros: of other encodings, which could hide them
        raise ValueError("it declares entities, or is not UTF-8")
    root = ElementTree.fromstring(data)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    unit = root.find("asset/unit")
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    start = np.diag([scale, scale, scale, 1.0])
    if (root.findtext("asset/up_axis") or "Y_UP").strip() == "X_UP":
        start = start @ np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    scene = _ColladaScene(root, folder)
    for node in root.findall("library_visual_scenes/visual_scene/node"):
        scene.collect(node, start, 0)
    return scene.pieces


class _ColladaScene:
    """The geometries, nodes and materials of a COLLADA document, and what was collected."""

    def __init__(self, root: ElementTree.Element, folder: Path) -> None:
        self._geometries = {item.get("id", ""): _geometry(item) for item in root.iter("geometry")}
        self._nodes = {node.get("id", ""): node for node in root.iter("node")}
        images = {image.get("id", ""): _image_file(image) for image in root.iter("image")}
        effects = {
            effect.get("id", ""): _diffuse(effect, images, folder) for effect in root.iter("effect")
        }
        self._colours = {
            material.get("id", ""): effects.get(_named(instance))
            for material in root.iter("material")
            for instance in material.findall("instance_effect")
        }
        self.pieces: Pieces = {}
        self._visits = 0

    def collect(self, node: ElementTree.Element, parent: Array, depth: int) -> None:
        """Add the triangles of a node and of those below it."""
        self._visits += 1
        if depth > _DEEPEST or self._visits > _MOST_NODES:
            raise ValueError(f"its nodes are more than {_DEEPEST} deep, or {_MOST_NODES}")
        pose = parent @ _placed(node)
        for instance in node.findall("instance_geometry"):
            bound = {
                item.get("symbol", ""): self._colours.get(item.get("target", "").lstrip("#"))
                for item in instance.iter("instance_material")
            }
            for material, corners in self._geometries.get(_named(instance), []):
                moved = corners @ pose[:3, :3].T + pose[:3, 3]
                self.pieces.setdefault(bound.get(material), []).append(moved)
        for child in node.findall("node"):
            self.collect(child, pose, depth + 1)
        for instance in node.findall("instance_node"):
            target = self._nodes.get(_named(instance))
            if target is not None:
                self.collect(target, pose, depth + 1)


def _named(instance: ElementTree.Element) -> str:
    return instance.get("url", "").lstrip("#")


def _diffuse(effect: ElementTree.Element, images: dict[str, str], folder: Path) -> str | None:
    """Return the colour of an effect, or None where it is not told.

    A texture names a sampler, which names a surface, which names an image, by its id.
    """
    sources = {
        parameter.get("sid", ""): (
            parameter.findtext("sampler2D/source") or parameter.findtext("surface/init_from") or ""
        ).strip()
        for parameter in effect.iter("newparam")
    }
    for diffuse in effect.iter("diffuse"):
        text, texture = diffuse.findtext("color"), diffuse.find("texture")
        if text is not None:
            return hex_colour(np.array(text.split()[:3], dtype=float))
        if texture is not None:
            image = texture.get("texture", "")
            for _ in range(2):
                image = sources.get(image, image)
            return mean_colour(folder, images.get(image, ""))
    return None


def _image_file(image: ElementTree.Element) -> str:
    """Return the file of an image, as the document calls it."""
    name = (image.findtext("init_from") or image.findtext("init_from/ref") or "").strip()
    return name.removeprefix("file://").removeprefix("./")


def _placed(node: ElementTree.Element) -> Array:
    """Return the product of the transformations of a node, shape (4, 4)."""
    pose = np.eye(4)
    for element in node:
        values = (
            np.array((element.text or "").split(), dtype=float) if element.tag in _MOVES else None
        )
        if values is None:
            continue
        step = np.eye(4)
        if element.tag == "matrix":
            step = values.reshape(4, 4)
        elif element.tag == "translate":
            step[:3, 3] = values
        elif element.tag == "scale":
            step[:3, :3] = np.diag(values)
        else:
            from scipy.spatial.transform import Rotation

            axis = values[:3] / np.linalg.norm(values[:3])
            step[:3, :3] = Rotation.from_rotvec(np.radians(values[3]) * axis).as_matrix()
        pose = pose @ step
    return pose


_DEEPEST: Final = 100
_MOST_NODES: Final = 10_000
"""Instances of nodes within nodes: a small file could ask for any number."""
_MOVES: Final = ("matrix", "translate", "rotate", "scale")


def _geometry(geometry: ElementTree.Element) -> list[tuple[str, Array]]:
    """Return materials, as the geometry calls them, and corners of triangles, shape (m, 3, 3)."""
    sources = {
        f"#{source.get('id')}": np.array(
            (source.findtext("float_array") or "").split(), dtype=float
        )
        for source in geometry.iter("source")
    }
    positions = {
        f"#{vertices.get('id')}": entry.get("source", "")
        for vertices in geometry.iter("vertices")
        for entry in vertices.findall("input")
        if entry.get("semantic") == "POSITION"
    }
    pieces: list[tuple[str, Array]] = []
    for kind in ("triangles", "polylist", "polygons"):
        for group in geometry.iter(kind):
            inputs = group.findall("input")
            stride = 1 + max(int(entry.get("offset", "0")) for entry in inputs)
            vertex = next(entry for entry in inputs if entry.get("semantic") == "VERTEX")
            points = sources[positions[vertex.get("source", "")]].reshape(-1, 3)
            offset = int(vertex.get("offset", "0"))
            texts = [p.text or "" for p in group.findall("p")]
            lists = [np.array(text.split(), dtype=int)[offset::stride] for text in texts]
            material = group.get("material", "")
            pieces += [(material, points[_fans(group, corners, kind)]) for corners in lists]
    return pieces


def _fans(group: ElementTree.Element, corners: Array, kind: str) -> Array:
    """Return the numbers of the corners of triangles, shape (m, 3), polygons cut into fans."""
    if kind == "triangles":
        triangles: Array = corners.reshape(-1, 3)
        return triangles
    counts = np.array((group.findtext("vcount") or "").split(), dtype=int)
    if kind == "polygons":
        counts = np.array([len(corners)])
    if counts.sum() != len(corners) or counts.min(initial=1) < 1:
        raise ValueError("its polygons have other corners than it says")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    fans = [
        (start, start + k, start + k + 1)
        for start, count in zip(starts, counts, strict=True)
        for k in range(1, count - 1)
    ]
    chosen: Array = corners[np.array(fans, dtype=int).reshape(-1, 3)]
    return chosen
