"""Where an element sits: ``pos`` and the five notations of an orientation."""

from __future__ import annotations

import math

import numpy as np

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.xml import Element
from poinsot.model import Pose
from poinsot.model.axis import normalised
from poinsot.spatial import Array, Transform, axis_angle, euler_to_matrix, quaternion_to_matrix

__all__ = [
    "ORIENTATIONS",
    "PLACE",
    "PlacedElement",
    "as_pose",
    "euler_rotation",
    "from_to",
    "place_of",
    "site_place",
]

ORIENTATIONS = frozenset(("quat", "axisangle", "euler", "xyaxes", "zaxis"))
"""Attributes of which an element may have one."""

PLACE = (*sorted(ORIENTATIONS), "pos")
"""Attributes that place an element."""

PlacedElement = tuple[Element, Transform]
"""An element of a body and the frame in which it is placed, in the body's axes."""

_PARALLEL = 1e-10
"""Sine of the angle to z up to which an axis counts as ±z, as in MuJoCo."""


def place_of(element: Element, where: str, compiler: Compiler) -> Transform:
    """Return the pose of an element in the frame around it."""
    return Transform(
        _rotation(element, where, compiler), element.vector("pos", where, (0.0, 0.0, 0.0))
    )


def _rotation(element: Element, where: str, compiler: Compiler) -> Array:
    """Return the rotation from the axes of an element to those of the frame around it, (3, 3)."""
    given = sorted(ORIENTATIONS & element.attributes.keys())
    if len(given) > 1:
        element.refuse(f"{where}: give one orientation, got {' and '.join(given)}")
    if not given:
        return np.eye(3)
    (form,) = given
    if form == "quat":
        quat = _direction(element.numbers(form, where, 4), element, form, where)
        return quaternion_to_matrix(quat)
    if form == "axisangle":
        *axis, angle = element.numbers(form, where, 4)
        return axis_angle(_direction(axis, element, form, where), angle * compiler.unit)
    if form == "euler":
        return euler_rotation(
            compiler.eulerseq, np.array(element.numbers(form, where, 3)) * compiler.unit
        )
    if form == "zaxis":
        return _z_to(_direction(element.numbers(form, where, 3), element, form, where))
    numbers = np.array(element.numbers(form, where, 6))
    x = _direction(numbers[:3].tolist(), element, form, where)
    y = _direction((numbers[3:] - (x @ numbers[3:]) * x).tolist(), element, form, where)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def from_to(element: Element, where: str) -> tuple[Transform, float]:
    """Return the pose of a shape that lies between the points of ``fromto``, and half its length.

    Its z axis points from the second point to the first, as in MuJoCo.
    """
    ends = np.array(element.numbers("fromto", where, 6))
    first, second = ends[:3], ends[3:]
    axis = _direction((first - second).tolist(), element, "fromto", where)
    length = math.hypot(*(first - second).tolist())
    return Transform(_z_to(axis), (first + second) / 2.0), length / 2.0


def site_place(site: Element, where: str, compiler: Compiler) -> Transform:
    """Return the pose of a site in the frame around it."""
    if "fromto" in site.attributes:
        return from_to(site, where)[0]
    return place_of(site, where, compiler)


def as_pose(X: Transform) -> Pose:
    """Return a transform as the model stores it."""
    return Pose(X.p, matrix=X.R)


def euler_rotation(sequence: str, angles: Array) -> Array:
    """Return the rotation of three turns, shape (3, 3).

    Args:
        sequence: Their axes: a lower case letter is an axis that moves, an upper case one is fixed.
        angles: The angles [rad], shape (3,).
    """
    R = np.eye(3)
    for letter, angle in zip(sequence, angles.tolist(), strict=True):
        turn = euler_to_matrix(letter, [angle])
        R = R @ turn if letter.islower() else turn @ R
    return R


def _z_to(axis: Array) -> Array:
    """Return the shortest rotation that takes z to a unit vector, shape (3, 3)."""
    x, y, z = axis.tolist()
    sine = math.hypot(x, y)
    about = np.array([-y, x, 0.0]) / sine if sine >= _PARALLEL else np.array([1.0, 0.0, 0.0])
    return axis_angle(about, math.atan2(sine, z))


def _direction(numbers: list[float], element: Element, form: str, where: str) -> Array:
    vector = np.array(numbers)
    if not vector.any() or not np.isfinite(vector).all():
        element.refuse(f"{where}: {form} of <{element.tag}> gives no direction")
    return normalised(vector)
