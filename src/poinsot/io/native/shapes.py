"""Shapes in files."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from poinsot.expr.same import same
from poinsot.io.native.joints import read_pose
from poinsot.io.native.node import Node
from poinsot.model import (
    AbstractShape,
    Box,
    Capsule,
    Cylinder,
    Mesh,
    Pose,
    Sphere,
    suggestion,
)

__all__ = ["read_shape", "shape_tree"]


class ShapeType(NamedTuple):
    """What a shape is made by, and the keys of its own, with those of them that it needs first."""

    make: Callable[..., AbstractShape]
    needed: tuple[str, ...]
    more: tuple[str, ...] = ()


SHAPES: Final[dict[str, ShapeType]] = {
    "box": ShapeType(Box, ("size",)),
    "sphere": ShapeType(Sphere, ("radius",)),
    "cylinder": ShapeType(Cylinder, ("radius", "length")),
    "capsule": ShapeType(Capsule, ("radius", "length")),
    "mesh": ShapeType(Mesh, ("path",), ("scale",)),
}

_OPTIONS: Final = ("pose", "color", "role")


def read_shape(node: Node) -> AbstractShape:
    """Return the shape that an object describes."""
    every = {key for shape in SHAPES.values() for key in (*shape.needed, *shape.more)}
    kind = node.fields(("type", *_OPTIONS, *sorted(every)), ("type",))["type"]
    name = kind.text()
    if name not in SHAPES:
        what = f"must be a type of shape, got {name!r}; {suggestion(name, SHAPES)}"
        raise kind.error(what)
    make, needed, more = SHAPES[name]
    fields = node.fields(("type", *_OPTIONS, *needed, *more), ("type", *needed))
    given = {key: _READ[key](value) for key, value in fields.items() if key != "type"}
    if make is Mesh:
        given["file"] = node.meshes.find(given["path"])
    with node.named():
        return make(**given)


def shape_tree(shape: AbstractShape, pose: dict[str, Any]) -> dict[str, Any]:
    """Return the object that describes a shape; what is as by default is left out.

    Args:
        shape: The shape.
        pose: The object that describes its pose.
    """
    tree: dict[str, Any] = {"type": shape.kind}
    _, needed, more = SHAPES[shape.kind]
    for key in (*needed, *more):
        value = getattr(shape, key)
        if key == "scale" and same(value, (1.0, 1.0, 1.0)):
            continue
        tree[key] = list(value) if isinstance(value, tuple) else value
    if shape.pose != Pose():
        tree["pose"] = pose
    if shape.color is not None:
        tree["color"] = shape.color
    if shape.role != "visual":
        tree["role"] = shape.role
    return tree


_READ: Final[dict[str, Callable[[Node], Any]]] = {
    "size": lambda node: node.vector(3),
    "radius": Node.number,
    "length": Node.number,
    "path": Node.text,
    "scale": lambda node: node.vector(3),
    "pose": read_pose,
    "color": Node.text,
    "role": Node.text,
}
