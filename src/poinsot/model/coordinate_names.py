"""Names and units of the entries of q and v, of accelerations and of joint forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from poinsot.model.mechanism import Mechanism

__all__ = ["CoordinateName", "coordinate_entries", "force_unit", "velocity_entries"]

_FORCES: Final = {"m/s": "N", "rad/s": "N m"}


@dataclass(frozen=True)
class CoordinateName:
    """One entry of q or v.

    Attributes:
        name: Its joint, and the part where the joint has several: ``"elbow"``, ``"base.qw"``.
        unit: Its unit; ``"1"`` for parts of quaternions.
    """

    name: str
    unit: str


def coordinate_entries(mechanism: Mechanism) -> tuple[CoordinateName, ...]:
    """Return a name and a unit for each entry of q.

    >>> from poinsot.model import Body, Cylindrical
    >>> arm = Mechanism("arm", [Body("hand", joint=Cylindrical("z"), mass=2)])
    >>> [(entry.name, entry.unit) for entry in coordinate_entries(arm)]
    [('hand.z', 'm'), ('hand.angle', 'rad')]
    """
    return tuple(
        entry
        for name, body in zip(mechanism.joint_names, mechanism.bodies, strict=True)
        for entry in _entries(name, body.joint.q_units, body.joint.q_parts)
    )


def velocity_entries(mechanism: Mechanism) -> tuple[CoordinateName, ...]:
    """Return a name and a unit for each entry of v; accelerations and joint forces share it."""
    return tuple(
        entry
        for name, body in zip(mechanism.joint_names, mechanism.bodies, strict=True)
        for entry in _entries(name, body.joint.v_units, body.joint.v_parts)
    )


def acceleration_unit(velocity_unit: str) -> str:
    """Return the unit of dv/dt."""
    return f"{velocity_unit}²"


def force_unit(velocity_unit: str) -> str:
    """Return the unit of the force that does work on a velocity."""
    return _FORCES.get(velocity_unit, f"W/({velocity_unit})")


def _entries(joint: str, units: Sequence[str], words: Sequence[str]) -> list[CoordinateName]:
    if len(units) == 1:
        return [CoordinateName(joint, units[0])]
    words = words or tuple(map(str, range(len(units))))
    return [
        CoordinateName(f"{joint}.{word}", unit) for word, unit in zip(words, units, strict=True)
    ]
