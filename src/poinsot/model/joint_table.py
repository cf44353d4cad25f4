"""Serial arms from Zaremba's table: one row (n, O, theta) per joint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.body import WORLD, Body
from poinsot.model.checks import scalar_vector
from poinsot.model.dh_table_rows import Links, checked_links
from poinsot.model.joints import Prismatic, Revolute
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Transform

__all__ = ["JointRow", "joint_table_bodies"]

JointRow = Sequence[int | ArrayLike]
"""(n, O, theta): number of the joint's kind, offset [m], angles [rad]."""


def joint_table_bodies(rows: Sequence[JointRow], **links: Unpack[Links]) -> list[Body]:
    """Return the bodies of a serial arm [Zaremba1990, (1.1)].

    ``n`` = 4, 5, 6: the joint turns about axis 1, 2, 3; shift by O in the axes of the link before,
    then C = C1(theta1) C2(theta2) C3(theta3).  ``n`` = 1, 2, 3: it slides along this axis; turn by
    C, then shift by O in the link's own axes.  q is added to the entry of O or theta that the joint
    changes.  What the joint turns must come last, so that the joint's motion is about an axis of
    its link: angles behind it must be zero.

    Args:
        rows: (n, O [m], theta [rad]) for each joint, from the base outwards.
        **links: Masses and so on, see ``Links``.

    >>> [body.joint.kind for body in joint_table_bodies([(6, (0, 0, 0.3), (0, 0, 0)),
    ...                                                  (1, (0.2, 0, 0), (0, 0, 0))])]
    ['revolute', 'prismatic']
    """
    if not isinstance(rows, Iterable) or isinstance(rows, str | Mapping) or not len(rows):
        raise ModelError(f"joint table: give one row (n, O, theta) for each joint, got {rows!r}")
    bodies: list[Body] = []
    parent = WORLD
    entries = checked_links(links, len(rows), "joint table")
    for i, (row, entry) in enumerate(zip(rows, entries, strict=True), start=1):
        n, offset, angles = _checked(row, f"joint table: row {i}")
        turn = Transform(np.eye(3), np.zeros(3))
        for axis, angle in zip("xyz", angles, strict=True):
            turn = turn @ Pose(axis=axis, angle=angle).transform()
        shift = Pose(offset).transform()
        X = shift @ turn if n > 3 else turn @ shift
        kind = Revolute if n > 3 else Prismatic
        joint = kind("xyz"[(n - 1) % 3], limits=None, mimic=None, **entry.settings)
        bodies.append(entry.body(parent, joint, Pose(X.p, matrix=X.R)))
        parent = entry.name
    return bodies


def _checked(row: JointRow, where: str) -> tuple[int, Array, Array]:
    try:
        n, offset, angles = row
    except (TypeError, ValueError):
        raise ModelError(
            f"{where} must be (n, O, theta), e.g. (6, (0, 0, 0.3), (0, 0, 0)), got {row!r}"
        ) from None
    if n not in range(1, 7):
        raise ModelError(
            f"{where}: n must be 1, 2, 3 (slides along x, y, z) or 4, 5, 6 (turns about them), got "
            f"{n!r}"
        )
    theta = scalar_vector(angles, 3, f"{where}: theta")
    number = int(n)  # type: ignore[arg-type]
    behind = [k for k in range(number - 3, 3) if number > 3 and theta[k] != 0.0]
    if behind:
        named = f"theta{behind[0] + 1} = {theta[behind[0]]:g}"
        raise ModelError(
            f"{where}: {named} comes after the joint's own angle theta{number - 3} and would turn "
            "its axis in the link: put it into theta of the next row, or choose the link's axes so "
            "that the joint turns about a later one"
        )
    return number, scalar_vector(offset, 3, f"{where}: O"), theta
