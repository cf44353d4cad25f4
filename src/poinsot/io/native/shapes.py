"""Shapes in files."""

from dataclasses import replace

from poinsot.io.native.elements import read_element
from poinsot.io.native.node import Node
from poinsot.model import AbstractShape, Mesh

__all__ = ["read_shape"]


def read_shape(node: Node) -> AbstractShape:
    """Return the shape that an object describes; files of meshes are looked for."""
    shape: AbstractShape = read_element(node, "shape")
    if isinstance(shape, Mesh):
        with node.named():
            shape = replace(shape, file=node.meshes.find(shape.path))
    return shape
