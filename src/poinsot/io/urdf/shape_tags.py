"""Shapes as ``<visual>`` and ``<collision>``."""

from __future__ import annotations

from poinsot.io.urdf.origin import origin_tags
from poinsot.io.xml.write import Tag, number_text, numbers_text
from poinsot.model import AbstractShape, Box, Capsule, Cylinder, Mesh, Pose, Sphere
from poinsot.model.changed import changed

__all__ = ["shape_tags"]


def shape_tags(shape: AbstractShape) -> list[Tag]:
    """Return the elements of a shape: one, but a capsule is a cylinder and two spheres."""
    simple = _parts(shape) if isinstance(shape, Capsule) else [shape]
    return [_tag(piece) for piece in simple]


def _parts(capsule: Capsule) -> list[AbstractShape]:
    X = capsule.pose.transform()
    pieces: list[AbstractShape] = [Cylinder(capsule.radius, capsule.length)]
    poses = [capsule.pose]
    for end in (-0.5, 0.5):
        pieces.append(Sphere(capsule.radius))
        poses.append(Pose(X.apply_point((0.0, 0.0, end * capsule.length)), matrix=X.R))
    return [
        changed(piece, pose=pose, color=capsule.color, role=capsule.role)
        for piece, pose in zip(pieces, poses, strict=True)
    ]


def _tag(shape: AbstractShape) -> Tag:
    children = [*origin_tags(shape.pose), Tag("geometry", {}, [_geometry(shape)])]
    if shape.color is not None and shape.role == "visual":
        channels = [int(shape.color[i : i + 2], 16) / 255 for i in range(1, len(shape.color), 2)]
        rgba = tuple(channels) if len(channels) == 4 else (*channels, 1.0)
        color = Tag("color", {"rgba": numbers_text(rgba)})
        children.append(Tag("material", {"name": shape.color}, [color]))
    return Tag(shape.role, {}, children)


def _geometry(shape: AbstractShape) -> Tag:
    if isinstance(shape, Box):
        return Tag("box", {"size": numbers_text(shape.size)})
    if isinstance(shape, Mesh):
        scale = {} if shape.scale == (1.0, 1.0, 1.0) else {"scale": numbers_text(shape.scale)}
        return Tag("mesh", {"filename": shape.path, **scale})
    keys = ("radius", "length") if isinstance(shape, Cylinder) else ("radius",)
    return Tag(shape.kind, {key: number_text(getattr(shape, key)) for key in keys})
