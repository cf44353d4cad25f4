"""The links of URDF as bodies: what they weigh, and what they look like."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.io.urdf.origin import origin_of
from poinsot.io.xml import Element
from poinsot.model import AbstractJoint, AbstractShape, Body, Pose
from poinsot.spatial import Array

__all__ = ["body_of"]


def body_of(
    link: Element, name: str, parent: str, joint: AbstractJoint, pose: Pose,
    shapes: Sequence[AbstractShape],
) -> Body:  # fmt: skip
    """Return the body that a ``<link>`` describes.

    Args:
        link: The ``<link>``.
        name: What the body is called.
        parent: Name of the body that carries it.
        joint: How it moves against that.
        pose: Where the joint is in the parent.
        shapes: Its shapes.
    """
    where = f"link {link.attributes['name']!r}"
    inertial = link.first("inertial")
    mass, com, inertia = 0.0, (0.0, 0.0, 0.0), np.zeros(6)
    if inertial is not None:
        mass = inertial.the("mass", where).number("value", where)
        placed = origin_of(inertial, where)
        com = placed.xyz
        inertia = _inertia(inertial.the("inertia", where), np.array(placed.matrix), where)
        if not np.isfinite(inertia).all():
            inertial.refuse(f"{where}: the inertia is too large")
    try:
        return Body(name, parent, joint, pose, mass, com, inertia, shapes)
    except ModelError as error:
        (inertial or link).refuse(str(error))


def _inertia(element: Element, rotation: Array, where: str) -> Array:
    """Return the six numbers in link axes: R I Rᵀ, with R from the inertia's axes to the link's."""
    xx, yy, zz, xy, xz, yz = (
        element.number(name, where) for name in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    )
    if not np.array_equal(rotation, np.eye(3)):
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        with np.errstate(over="ignore", invalid="ignore"):  # checked by the caller
            turned = rotation @ tensor @ rotation.T
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = turned.tolist()
    return np.array([xx, yy, zz, xy, xz, yz])
