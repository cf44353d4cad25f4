"""The coordinates and velocities of a run as named curves, sorted by what they measure."""

from collections.abc import Sequence
from dataclasses import dataclass

from poinsot.plots.run_like import SystemLike

__all__ = ["Curve", "Panel", "Row", "rows_of"]

_QUATERNION = "1"
"""Unit of a coordinate that is part of a quaternion."""


@dataclass(frozen=True)
class Curve:
    """One column of q or v and what to call it."""

    column: int
    label: str


@dataclass(frozen=True)
class Panel:
    """Curves of one unit, which share their axes."""

    title: str
    unit: str
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class Row:
    """Coordinates of one kind and the velocities that belong to them."""

    q: Panel
    v: Panel


_KINDS = (
    ("rad", "Angles", "rad", "Angular velocities", "rad/s", "123456"),
    ("m", "Positions", "m", "Velocities", "m/s", "xyz"),
    (
        _QUATERNION,
        "Orientations (quaternions)",
        "1",
        "Angular velocities in body axes",
        "rad/s",
        "xyz",
    ),
)
"""Kind of coordinate, title and unit of q, title and unit of v, names of the parts."""


def rows_of(system: SystemLike) -> list[Row]:
    """Return the curves of q and v, a row for each kind of coordinate that the system has."""
    rows = []
    for kind, q_title, q_unit, v_title, v_unit, parts in _KINDS:
        q_curves: list[Curve] = []
        v_curves: list[Curve] = []
        for name, body in zip(system.joint_names, system.bodies, strict=True):
            joint = body.joint
            q_kinds = joint.q_units
            v_kinds = [_kind_of_velocity(unit, q_kinds) for unit in joint.v_units]
            q_parts = "wxyz" if kind == _QUATERNION else parts
            q_curves += _curves(name, system.q_slice(name).start, q_kinds, kind, q_parts)
            v_curves += _curves(name, system.v_slice(name).start, v_kinds, kind, parts)
        if q_curves:
            note = " (free bodies: in body axes)" if kind == "m" and _has_free(system) else ""
            q_panel = Panel(q_title, q_unit, tuple(q_curves))
            rows.append(Row(q_panel, Panel(v_title + note, v_unit, tuple(v_curves))))
    return rows


def _has_free(system: SystemLike) -> bool:
    return any(body.joint.nv == 6 for body in system.bodies)


def _kind_of_velocity(unit: str, q_units: Sequence[str]) -> str:
    """Return the kind of coordinate that a velocity of this unit changes."""
    if unit == "m/s":
        return "m"
    return _QUATERNION if _QUATERNION in q_units else "rad"


def _curves(name: str, start: int, kinds: Sequence[str], kind: str, parts: str) -> list[Curve]:
    columns = [start + i for i, one in enumerate(kinds) if one == kind]
    if len(columns) == 1:
        return [Curve(columns[0], name)]
    return [Curve(c, f"{name} {part}") for c, part in zip(columns, parts, strict=False)]
