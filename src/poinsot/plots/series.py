"""The coordinates and velocities of a run as named curves, grouped by physical quantity."""

from collections.abc import Sequence
from dataclasses import dataclass

from poinsot.model.coordinate_names import coordinate_entries, velocity_entries
from poinsot.plots.run_like import SystemLike

__all__ = ["Column", "CurveGroup", "Row", "rows_of"]

_QUATERNION = "1"
"""Unit of a component of a quaternion."""


@dataclass(frozen=True)
class Column:
    """One column of q or v and its label."""

    column: int
    label: str


@dataclass(frozen=True)
class CurveGroup:
    """Curves of one unit, which share their axes."""

    title: str
    unit: str
    curves: tuple[Column, ...]


@dataclass(frozen=True)
class Row:
    """Coordinates of one kind and the velocities that belong to them."""

    q: CurveGroup
    v: CurveGroup


_KINDS = (
    ("rad", "Angles", "rad", "Angular velocities", "rad/s"),
    ("m", "Positions", "m", "Velocities", "m/s"),
    (_QUATERNION, "Orientations (quaternions)", "1", "Angular velocities in body axes", "rad/s"),
)
"""Kind of coordinate, title and unit of q, title and unit of v."""


def rows_of(system: SystemLike) -> list[Row]:
    """Return the curves of q and v, a row for each kind of coordinate that the system has."""
    q_names = [entry.name for entry in coordinate_entries(system.mechanism)]
    v_names = [entry.name for entry in velocity_entries(system.mechanism)]
    rows = []
    for kind, q_title, q_unit, v_title, v_unit in _KINDS:
        q_curves: list[Column] = []
        v_curves: list[Column] = []
        for name, body in zip(system.joint_names, system.bodies, strict=True):
            joint = body.joint
            v_kinds = [_kind_of_velocity(unit, joint.q_units) for unit in joint.v_units]
            q_curves += _curves(q_names, system.q_slice(name).start, joint.q_units, kind)
            v_curves += _curves(v_names, system.v_slice(name).start, v_kinds, kind)
        if q_curves:
            note = " (free bodies: in body axes)" if kind == "m" and _has_free(system) else ""
            q_panel = CurveGroup(q_title, q_unit, tuple(q_curves))
            rows.append(Row(q_panel, CurveGroup(v_title + note, v_unit, tuple(v_curves))))
    return rows


def _has_free(system: SystemLike) -> bool:
    return any(body.joint.nv == 6 for body in system.bodies)


def _kind_of_velocity(unit: str, q_units: Sequence[str]) -> str:
    """Return the kind of coordinate that a velocity of this unit changes."""
    if unit == "m/s":
        return "m"
    return _QUATERNION if _QUATERNION in q_units else "rad"


def _curves(names: Sequence[str], start: int, kinds: Sequence[str], kind: str) -> list[Column]:
    columns = [start + i for i, other in enumerate(kinds) if other == kind]
    return [Column(column, names[column]) for column in columns]
