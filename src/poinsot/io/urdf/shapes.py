"""The ``<visual>`` and ``<collision>`` of links as shapes; meshes are named, never opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.io.meshes import MeshFolder
from poinsot.io.urdf.origin import origin_of
from poinsot.io.xml import Element
from poinsot.model import AbstractShape, Box, Capsule, Cylinder, Mesh, Sphere
from poinsot.model.model_warnings import warn

__all__ = ["Materials", "materials_of", "shapes_of"]

Materials = Mapping[str, str]
"""Colours by the name of their material."""

_ONE = (1.0, 1.0, 1.0)
_TAGS: Final = ("visual", "collision")
_GEOMETRIES: Final = ("box", "sphere", "cylinder", "capsule", "mesh")


def materials_of(robot: Element) -> dict[str, str]:
    """Return the colours that a robot gives names to, at its top or inside a ``<visual>``."""
    elements = robot.all("material")
    for link in robot.all("link"):
        for visual in link.all("visual"):
            elements += visual.all("material")
    colors: dict[str, str] = {}
    for element in elements:
        color = _color(element)
        if color is not None and "name" in element.attributes:
            colors.setdefault(element.attributes["name"], color)
    return colors


def shapes_of(link: Element, materials: Materials, meshes: MeshFolder) -> list[AbstractShape]:
    """Return the shapes of a link, as listed.

    Args:
        link: The ``<link>``.
        materials: Colours by name.
        meshes: Where meshes are looked for.
    """
    shapes = []
    for element in link.children:
        if element.tag in _TAGS:
            where = f"{element.tag} of link {link.attributes['name']!r}"
            options: dict[str, Any] = {"pose": origin_of(element, where), "role": element.tag}
            material = element.first("material")
            if element.tag == "visual" and material is not None:
                named = materials.get(material.attributes.get("name", ""))
                options["color"] = _color(material) or named
            shape = _shape(element.the("geometry", where), options, meshes, where)
            shapes += [] if shape is None else [shape]
    return shapes


def _shape(
    geometry: Element, options: dict[str, Any], meshes: MeshFolder, where: str
) -> AbstractShape | None:
    element = next((child for child in geometry.children if child.tag in _GEOMETRIES), None)
    if element is None:
        kinds = ", ".join(f"<{child.tag[:60]}>" for child in geometry.children) or "nothing"
        warn(f"{where} is left out: its <geometry> holds {kinds}")
        return None
    try:
        if element.tag == "box":
            element.text("size", where)
            return Box(element.vector("size", where, _ONE), **options)
        if element.tag == "mesh":
            path = element.text("filename", where)
            scale = element.vector("scale", where, _ONE)
            return Mesh(path, scale, file=meshes.find(path), **options)
        radius = element.number("radius", where)
        if element.tag == "sphere":
            return Sphere(radius, **options)
        make = Cylinder if element.tag == "cylinder" else Capsule
        return make(radius, element.number("length", where), **options)
    except ModelError as error:
        text = str(error)
        if text.startswith(geometry.source):
            raise
        element.refuse(f"{where}: {text}")


def _color(material: Element) -> str | None:
    """Return the colour of a ``<material>`` as ``#rrggbb`` or, not opaque, ``#rrggbbaa``."""
    element = material.first("color")
    if element is None or "rgba" not in element.attributes:
        return None
    try:
        rgba = [float(word) for word in element.attributes["rgba"].split()]
        *rgb, opacity = rgba
        return Sphere(0.0, color=rgb if opacity == 1.0 else rgba).color
    except (ValueError, ModelError):
        value = element.attributes["rgba"][:60]
        warn(f"line {element.line}: a colour is left out: rgba {value!r} is not 4 numbers up to 1")
        return None
