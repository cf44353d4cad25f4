"""Meshes in files: STL (binary and text), OBJ and MuJoCo's old MSH, as vertices and triangles.

Coordinates are taken in single precision, as MuJoCo does, so that both integrate over one surface.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from poinsot.spatial import Array

__all__ = ["MESH_FORMATS", "Mesh", "checked_mesh", "read_mesh"]

Mesh = tuple[Array, Array]
"""Vertices, shape (n, 3), and the three vertices of each triangle by index, shape (m, 3)."""

MESH_FORMATS: Final = ("stl", "obj", "msh")
"""Suffixes of the files that are read."""

_MOST_VERTICES: Final = 2**31
_STL_HEADER: Final = 84
_STL_FACE: Final = np.dtype([("normal", "<f4", 3), ("vertices", "<f4", (3, 3)), ("color", "<u2")])


def read_mesh(data: bytes, suffix: str) -> Mesh:
    """Return the mesh that a file holds.

    Args:
        data: What the file holds.
        suffix: One of :data:`MESH_FORMATS`.

    Raises:
        ValueError: If it is no such file, or its triangles name vertices that are not there.
    """
    read = {"stl": _stl, "obj": _obj, "msh": _msh}[suffix]
    vertices, faces = read(data)
    return checked_mesh(np.asarray(vertices, np.float64), np.asarray(faces, np.int64))


def checked_mesh(vertices: Array, faces: Array) -> Mesh:
    """Return the mesh, rejecting coordinates that are not finite and unknown vertices."""
    if not np.isfinite(vertices).all():
        raise ValueError("coordinates must be finite")
    if faces.size and (faces.min() < 0 or faces.max() >= len(vertices)):
        raise ValueError(f"a triangle has a vertex that is none of the {len(vertices)}")
    return vertices, faces


def _stl(data: bytes) -> tuple[Array, Array]:
    n_faces = int.from_bytes(data[80:_STL_HEADER], "little") if len(data) >= _STL_HEADER else -1
    if len(data) == _STL_HEADER + n_faces * _STL_FACE.itemsize:
        faces = np.frombuffer(data, _STL_FACE, offset=_STL_HEADER)
        vertices = faces["vertices"].reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        lines = (line.split() for line in data.lower().splitlines())
        vertices = _singles([words[1:] for words in lines if words[:1] == [b"vertex"]])
    else:
        raise ValueError("this is no STL file, or a part of it is missing")
    if len(vertices) % 3:
        raise ValueError("a triangle has not three vertices")
    return vertices, np.arange(len(vertices)).reshape(-1, 3)


def _obj(data: bytes) -> tuple[Array, Array]:
    vertices: list[list[bytes]] = []
    faces: list[tuple[int, int, int]] = []
    for line in data.splitlines():
        words = line.split()
        if words[:1] == [b"v"]:
            vertices.append(words[1:4])
        elif words[:1] == [b"f"]:
            corners = [int(word.split(b"/")[0]) for word in words[1:]]
            if not all(0 < abs(i) < _MOST_VERTICES for i in corners):
                raise ValueError(f"vertices are counted from 1, got {line[:60]!r}")
            corners = [i - 1 if i > 0 else len(vertices) + i for i in corners]
            faces += [(corners[0], b, c) for b, c in pairwise(corners[1:])]
    return _singles(vertices), np.array(faces, np.int64).reshape(-1, 3)


def _msh(data: bytes) -> tuple[Array, Array]:
    """Read four counts, then vertices, normals, texture coordinates and triangles."""
    counts = np.frombuffer(data[:16].ljust(16, b"\xff"), "<i4")
    if (counts < 0).any():
        raise ValueError("this is no MSH file")
    n_vertices, n_normals, n_textures, n_faces = counts.tolist()
    floats = 3 * n_vertices + 3 * n_normals + 2 * n_textures
    if len(data) != 16 + 4 * floats + 12 * n_faces:
        raise ValueError("this is no MSH file, or a part of it is missing")
    vertices = np.frombuffer(data, "<f4", 3 * n_vertices, 16).reshape(-1, 3)
    faces = np.frombuffer(data, "<i4", 3 * n_faces, 16 + 4 * floats).reshape(-1, 3)
    return vertices, faces


def _singles(rows: list[list[bytes]]) -> Array:
    if any(len(row) != 3 for row in rows):
        raise ValueError("a vertex has not three coordinates")
    return np.array(rows, np.bytes_).reshape(-1, 3).astype(np.float32).astype(np.float64)
