"""Rows of a joint table with the data of each link: read and checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError
from poinsot.model.body import Body
from poinsot.model.checks import checked_name, scalar_number
from poinsot.model.joints import AbstractJoint
from poinsot.model.name_suggestion import suggestion
from poinsot.model.pose import Pose
from poinsot.spatial import Scalar

__all__ = [
    "Links",
    "Row",
    "TableEntry",
    "TableRow",
    "checked_links",
    "checked_rows",
    "dh_row",
    "low_pair_row",
]

Row = Mapping[str, Scalar | str] | Sequence[Scalar]
"""Numbers by name, e.g. ``{"a": 0.4, "alpha": 0.0}``; low pairs also as (a, b, alpha, nu)."""


class Links(TypedDict, total=False):
    """Link data beyond the geometry, one entry per row; missing entries are zero.

    Attributes:
        names: Names of the bodies; "link 1", "link 2", ... by default.
        masses: Masses [kg].
        coms: Centres of mass in the frames of the table [m], shape (n, 3).
        inertias: About the centres of mass in these frames [kg·m²], as ``Body`` takes them.
        damping: Of the joints [N·m·s/rad or N·s/m].
        stiffness: Of the joints [N·m/rad or N/m].
        rest: Where the springs are relaxed [rad or m].
        armature: Inertias of the drives [kg·m² or kg].
    """

    names: Sequence[str]
    masses: Sequence[Scalar]
    coms: Sequence[ArrayLike]
    inertias: Sequence[ArrayLike]
    damping: Sequence[Scalar]
    stiffness: Sequence[Scalar]
    rest: Sequence[Scalar]
    armature: Sequence[Scalar]


@dataclass(frozen=True)
class TableRow:
    """One joint of any of the tables: where its frame sits at q = 0, and what q is added to.

    Attributes:
        a: Length along x [m].
        alpha: Angle about x [rad].
        d: Length along z [m].
        theta: Angle about z [rad].
        slides: Whether q is added to d (prismatic) instead of theta (revolute).
    """

    a: Scalar
    alpha: Scalar
    d: Scalar
    theta: Scalar
    slides: bool


@dataclass(frozen=True)
class TableEntry:
    """Data of one row besides its geometry."""

    name: str
    mass: Scalar
    com: ArrayLike
    inertia: ArrayLike
    settings: dict[str, Scalar]

    def body(self, parent: str, joint: AbstractJoint, pose: Pose) -> Body:
        """Return the body on this parent, joint and pose."""
        return Body(self.name, parent, joint, pose, self.mass, self.com, self.inertia)


_JOINT_SETTINGS = ("damping", "stiffness", "rest", "armature")
_DH_NAMES = ("a", "alpha", "d", "theta", "joint")
_LOW_PAIR_NAMES = ("a", "b", "alpha", "nu")


def checked_rows(
    rows: object, read: Callable[[object, str], TableRow], where: str
) -> list[TableRow]:
    """Return the rows of a table as ``read`` understands them, rejecting an empty one.

    Args:
        rows: What the user gave.
        read: ``low_pair_row`` or ``dh_row``.
        where: Opens the message of an error.
    """
    if isinstance(rows, str | Mapping) or not isinstance(rows, Sequence | np.ndarray):
        raise ModelError(f"{where}: rows must be a list, one row for each joint, got {rows!r}")
    if not len(rows):
        raise ModelError(f"{where}: there must be at least one row")
    return [read(row, f"{where}: row {i}") for i, row in enumerate(rows, start=1)]


def low_pair_row(row: object, where: str) -> TableRow:
    """Return a row (a, b, alpha, nu) or a mapping with these names, checked."""
    if isinstance(row, Sequence | np.ndarray) and not isinstance(row, str):
        if len(row) != len(_LOW_PAIR_NAMES):
            raise ModelError(f"{where} must be the four numbers a, b, alpha, nu, got {row!r}")
        row = dict(zip(_LOW_PAIR_NAMES, row, strict=True))
    numbers = _numbers(row, _LOW_PAIR_NAMES, where)
    if numbers["nu"] not in (0.0, 1.0):
        raise ModelError(f"{where}: nu must be 0 (revolute) or 1 (prismatic), got {numbers['nu']}")
    return TableRow(numbers["a"], numbers["alpha"], numbers["b"], 0.0, numbers["nu"] == 1.0)


def dh_row(row: object, where: str) -> TableRow:
    """Return a row of a Denavit-Hartenberg table of either kind, checked."""
    kind = row.get("joint", "revolute") if isinstance(row, Mapping) else "revolute"
    if kind not in ("revolute", "prismatic"):
        raise ModelError(f"{where}: joint must be 'revolute' or 'prismatic', got {kind!r}")
    numbers = _numbers(row, _DH_NAMES, where)
    return TableRow(
        numbers["a"], numbers["alpha"], numbers["d"], numbers["theta"], kind == "prismatic"
    )


def _numbers(row: object, names: Sequence[str], where: str) -> dict[str, Scalar]:
    """Return the numbers of a row by name; those that are missing are zero."""
    if not isinstance(row, Mapping):
        raise ModelError(f"{where} must be a mapping with the keys {', '.join(names)}, got {row!r}")
    for key in row:
        if key not in names:
            raise ModelError(f"{where} has the unknown key {key!r}; {suggestion(str(key), names)}")
    return {
        name: scalar_number(row.get(name, 0.0), f"{where}: {name}")
        for name in names
        if name != "joint"
    }


def checked_links(links: Links, n: int, where: str) -> list[TableEntry]:
    """Return the data of each of ``n`` rows, rejecting lists of another length."""
    given: dict[str, list[object]] = {}
    for key, values in links.items():
        if key not in Links.__annotations__:
            raise ModelError(
                f"{where}: unknown argument {key!r}; {suggestion(key, Links.__annotations__)}"
            )
        if isinstance(values, str) or not isinstance(values, Sequence | np.ndarray):
            raise ModelError(f"{where}: {key} must be a list, one entry for each row")
        if len(values) != n:
            raise ModelError(
                f"{where}: {key} must have one entry for each of the {n} rows, got {len(values)}"
            )
        given[key] = list(values)
    return [_entry(given, i, where) for i in range(n)]


def _entry(given: Mapping[str, list[object]], i: int, where: str) -> TableEntry:
    def get(key: str, default: object) -> object:
        return given[key][i] if key in given else default

    name = checked_name(get("names", f"link {i + 1}"), f"{where}: names[{i}]")
    mass = get("masses", 0.0)
    com, inertia = get("coms", (0.0, 0.0, 0.0)), get("inertias", (0.0, 0.0, 0.0))
    settings = {key: get(key, 0.0) for key in _JOINT_SETTINGS}
    return TableEntry(name, mass, com, inertia, settings)  # type: ignore[arg-type]  # Body checks
