"""``<mesh>`` assets: what a geom that is one of them has as volume and moments."""

from __future__ import annotations

import numpy as np

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.defaults import MAIN, Defaults
from poinsot.io.mjcf.folder import Folder
from poinsot.io.mjcf.ignored_elements import LeftOut
from poinsot.io.mjcf.lumped_mass import Lump
from poinsot.io.mjcf.mesh_files import MESH_FORMATS, Mesh, checked_mesh, read_mesh
from poinsot.io.mjcf.mesh_inertia import convex_hull, mesh_inertia
from poinsot.io.xml import Element
from poinsot.model import Pose, suggestion

__all__ = ["Meshes"]

_KINDS = ("legacy", "exact", "convex", "shell")
_TAKEN = ("name", "file", "vertex", "face", "scale", "refpos", "refquat", "inertia")
_MOST_NUMBERS = 3_000_000
"""Longest list of coordinates in an attribute."""


class Meshes:
    """The meshes of a file; each is opened only when the mass of a geom is to be taken from it."""

    def __init__(
        self,
        root: Element,
        defaults: Defaults,
        compiler: Compiler,
        folder: Folder,
        left_out: LeftOut,
    ) -> None:
        self._compiler, self._folder, self._left_out = compiler, folder, left_out
        self._elements: dict[str, Element] = {}
        self._known: dict[str, Lump | None] = {}
        for asset in root.all("asset"):
            for child in asset.children:
                if child.tag == "mesh":
                    mesh = defaults.resolved(child, MAIN)
                    self._elements[_name(mesh)] = mesh
                else:
                    left_out.element(f"asset/{child.tag}", child)

    def lump(self, name: str, geom: Element) -> Lump | None:
        """Return a mesh of density one in its frame, or None.

        None stands for a mesh of a kind that is not supported, which is noted as left out.
        """
        if name not in self._elements:
            geom.refuse(f"unknown mesh {name[:60]!r}; {suggestion(name[:60], self._elements)}")
        if name not in self._known:
            element = self._elements[name]
            self._left_out.attributes(element, _TAKEN)
            self._known[name] = self._lump(element, f"mesh {name[:60]!r}")
        return self._known[name]

    def _lump(self, element: Element, where: str) -> Lump | None:
        kind = element.keyword("inertia", where, _KINDS, "legacy")
        with element.named(where):
            mesh = self._mesh(element, where)
            if mesh is not None:
                return mesh_inertia(_placed(mesh, element, where), kind)
        self._left_out.element("mesh (its mass)", element)
        return None

    def _mesh(self, element: Element, where: str) -> Mesh | None:
        if "vertex" in element.attributes:
            return _inline(element, where)
        if "file" not in element.attributes:
            return None
        name = element.text("file", where).replace("\\", "/")
        suffix = name.rpartition(".")[2].lower()
        if suffix not in MESH_FORMATS:
            return None
        if self._compiler.strippath:
            name = name.rpartition("/")[2]
        folder = self._compiler.meshdir.replace("\\", "/").rstrip("/")
        _, path = self._folder.find([f"{folder}/{name}" if folder else name], element)
        return read_mesh(self._folder.read(path, element), suffix)


def _inline(element: Element, where: str) -> Mesh:
    numbers = np.array(element.numbers("vertex", where, 12, _MOST_NUMBERS))
    if len(numbers) % 3:
        raise ValueError("vertex must hold three numbers for each point")
    vertices = numbers.astype(np.float32).astype(np.float64).reshape(-1, 3)
    if "face" not in element.attributes:
        return convex_hull(vertices)
    faces = np.array(element.numbers("face", where, 3, _MOST_NUMBERS))
    if len(faces) % 3 or (faces != np.round(faces)).any():
        raise ValueError("face must hold three whole numbers for each triangle")
    return checked_mesh(vertices, np.clip(faces, -1, len(vertices)).astype(np.int64).reshape(-1, 3))


def _placed(mesh: Mesh, element: Element, where: str) -> Mesh:
    """Return the mesh in its frame: scale (Rᵀ (v - refpos)), with R of refquat."""
    vertices, faces = mesh
    scale = np.array(element.vector("scale", where, (1.0, 1.0, 1.0)))
    moved = vertices - np.array(element.vector("refpos", where, (0.0, 0.0, 0.0)))
    if "refquat" in element.attributes:
        moved = moved @ np.array(Pose(quat=element.numbers("refquat", where, 4)).matrix)
    if np.prod(np.sign(scale)) < 0.0:  # a reflection turns triangles inside out
        faces = faces[:, ::-1]
    return moved * scale, faces


def _name(mesh: Element) -> str:
    """Return the name of a mesh: its own, or that of its file without folder and suffix."""
    if "name" in mesh.attributes:
        return mesh.attributes["name"]
    file = mesh.attributes.get("file", "").replace("\\", "/").rpartition("/")[2]
    return file.rpartition(".")[0] or file
