"""Serial arms from a table: one row per joint, as robot handbooks print them.

Three kinds of tables, all with the joint axes along z:

- low pairs (a, b, alpha, nu) of [Liu1988, eq. (34)-(36)]: nu = 0 turns, nu = 1 slides;
- modified Denavit-Hartenberg, Rx(alpha) Tx(a) Rz(theta) Tz(d): body frames at the near joint;
- standard Denavit-Hartenberg, Rz(theta) Tz(d) Tx(a) Rx(alpha): body frames at the far end.

The joint's variable q is added to ``theta`` where it turns and to ``d`` (low pairs: ``b``) where it
slides; what the table says of this entry is its value at q = 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from poinsot.model.body import WORLD, Body
from poinsot.model.dh_table_rows import (
    Links,
    Row,
    TableEntry,
    TableRow,
    checked_links,
    checked_rows,
    dh_row,
    low_pair_row,
)
from poinsot.model.joints import AbstractJoint, Fixed, Prismatic, Revolute
from poinsot.model.pose import Pose
from poinsot.spatial import Transform

__all__ = ["Links", "Row", "dh_bodies", "low_pair_bodies", "mdh_bodies"]


def low_pair_bodies(rows: Sequence[Row], **links: Unpack[Links]) -> list[Body]:
    """Return the bodies of a serial arm of low pairs [Liu1988, eq. (34)-(36)].

        A(j-1, j) = Rx(alpha) Rz((1 - nu) q),   r = (a, -d sin(alpha), d cos(alpha)),   d = b + nu q

    The frame of body j sits at joint j with z along its axis.

    Args:
        rows: (a [m], b [m], alpha [rad], nu) or a mapping with these names (0 where missing) for
            each joint, from the base outwards.
        **links: Masses and so on, see ``Links``.

    >>> from math import pi
    >>> [body.joint.kind for body in low_pair_bodies([(0, 0.3, 0, 0), (0.25, 0.1, pi / 2, 1)])]
    ['revolute', 'prismatic']
    """
    return _near(checked_rows(rows, low_pair_row, "low pairs"), links, "low pairs")


def mdh_bodies(rows: Sequence[Row], **links: Unpack[Links]) -> list[Body]:
    """Return the bodies of a serial arm from its modified Denavit-Hartenberg table.

        X(i-1, i) = Rx(alpha) Tx(a) Rz(theta) Tz(d)

    [Craig, Introduction to Robotics, 1989, section 3.4].  The frame of body i sits at joint i with
    z along its axis; a and alpha are those that the book gives the index i - 1.

    Args:
        rows: A mapping with some of the names a [m], alpha [rad], d [m], theta [rad] (0 where
            missing) and joint ("revolute" or "prismatic", default the former) for each joint.
        **links: Masses and so on, see ``Links``.

    >>> mdh_bodies([{"d": 0.3}, {"a": 0.25, "joint": "prismatic"}])[1].pose
    Pose((0.25, 0.0, 0.0))
    """
    return _near(checked_rows(rows, dh_row, "mdh"), links, "mdh")


def dh_bodies(rows: Sequence[Row], **links: Unpack[Links]) -> list[Body]:
    """Return the bodies of a serial arm from its standard Denavit-Hartenberg table.

        X(i-1, i) = Rz(theta) Tz(d) Tx(a) Rx(alpha)

    [Spong, Hutchinson, Vidyasagar, Robot Modeling and Control, 2006, section 3.2].  Joint i moves
    body i about the z axis of frame i - 1, and frame i sits at the far end of the link.  Since a
    body turns about an axis through its own origin, each row gives two bodies: a massless one at
    the joint, called "... axis", and the link, fixed to it, whose frame is that of the table.  The
    joint bears the name of the link.

    Args:
        rows: As those of ``mdh_bodies``.
        **links: Masses and so on, see ``Links``.

    >>> [body.name for body in dh_bodies([{"a": 0.5}, {"a": 0.4}])]
    ['link 1 axis', 'link 1', 'link 2 axis', 'link 2']
    """
    table = checked_rows(rows, dh_row, "dh")
    entries = checked_links(links, len(table), "dh")
    bodies: list[Body] = []
    parent = WORLD
    for row, entry in zip(table, entries, strict=True):
        axis = f"{entry.name} axis"
        joint = _joint(row, entry, entry.name)
        bodies.append(Body(axis, parent, joint, _pose(_along_z(row))))
        held = Fixed(name=f"{entry.name} frame")
        bodies.append(entry.body(axis, held, _pose(_along_x(row))))
        parent = entry.name
    return bodies


def _near(table: Sequence[TableRow], links: Links, where: str) -> list[Body]:
    """Return bodies whose frames sit at their own joints: Rx(alpha) Tx(a) Rz(theta) Tz(d)."""
    bodies: list[Body] = []
    parent = WORLD
    for row, entry in zip(table, checked_links(links, len(table), where), strict=True):
        pose = _pose(_along_x(row) @ _along_z(row))
        bodies.append(entry.body(parent, _joint(row, entry, None), pose))
        parent = entry.name
    return bodies


def _along_x(row: TableRow) -> Transform:
    # Through a Pose, which rounds cos(pi / 2) to 0: constants of the arm then fold.
    return Pose((row.a, 0.0, 0.0), axis="x", angle=row.alpha).transform()


def _along_z(row: TableRow) -> Transform:
    return Pose((0.0, 0.0, row.d), axis="z", angle=row.theta).transform()


def _pose(X: Transform) -> Pose:
    return Pose(X.p, matrix=X.R)


def _joint(row: TableRow, entry: TableEntry, name: str | None) -> AbstractJoint:
    kind = Prismatic if row.slides else Revolute
    return kind("z", name=name, limits=None, mimic=None, **entry.settings)
