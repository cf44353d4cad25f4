"""The ``<origin>`` of an element, read and written."""

from poinsot.expr.same_formula import same
from poinsot.io.xml import Element
from poinsot.io.xml.write import Tag, numbers_text
from poinsot.model import Pose
from poinsot.spatial import matrix_to_rpy

__all__ = ["origin_of", "origin_tags"]

_ZERO = (0.0, 0.0, 0.0)


def origin_of(element: Element, where: str) -> Pose:
    """Return the pose that the ``<origin>`` in an element gives; none without it."""
    origin = element.first("origin")
    if origin is None:
        return Pose()
    return Pose(origin.vector("xyz", where, _ZERO), rpy=origin.vector("rpy", where, _ZERO))


def origin_tags(pose: Pose) -> list[Tag]:
    """Return the ``<origin>`` of a pose, or nothing where there is none."""
    if pose == Pose():
        return []
    numbers = {"xyz": numbers_text(pose.xyz)}
    if not same(pose.matrix, Pose().matrix):
        numbers["rpy"] = numbers_text(tuple(matrix_to_rpy(pose.matrix).tolist()))
    return [Tag("origin", numbers)]
