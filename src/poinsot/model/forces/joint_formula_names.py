"""Names in formulas of forces in joints, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name
from poinsot.model.fields import AbstractKind
from poinsot.model.forces.joint_element import JointMotion
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["OWN", "JointReads", "Where", "check_reads", "read_values"]

OWN: Final = ("t", "q", "v")
"""Time, coordinate and velocity of the joint itself."""

Read = tuple[str, str, int]
"""A joint, ``"q"`` or ``"v"``, and which of its coordinates or velocities."""

Where = tuple[tuple[str, Read], ...]
"""Further names, and what each stands for."""


class JointReads(AbstractKind):
    """What names in formulas stand for: coordinates and velocities of joints."""

    def stored(self, given: Any, where: str, owner: Any) -> Where:  # noqa: ANN401
        """Return the names with what they stand for.

        They are given by name as ``"elbow"`` (its coordinate), ``("elbow", "v")`` or
        ``("elbow", "q", 1)``.
        """
        opening = owner.label
        if not isinstance(given, Mapping | tuple):
            raise ModelError(
                f"{where} must say what names stand for, e.g. {{'x': 'slide', "
                f"'w': ('crank', 'v')}}, got {given!r}"
            )
        checked = []
        for key, meaning in dict(given).items():
            checked_name(key, f"{opening}: name")
            if key in OWN:
                raise ModelError(f"{opening}: {key!r} has a meaning already; choose another name")
            checked.append((key, _read(meaning, f"{opening}: {key!r}")))
        return tuple(checked)


def _read(meaning: Any, opening: str) -> Read:  # noqa: ANN401
    items = (meaning,) if isinstance(meaning, str) else ()
    if isinstance(meaning, tuple | list):
        items = tuple(meaning)
    joint, what, index = (*items, *("", "q", 0)[len(items) :])[:3]
    is_index = isinstance(index, int) and not isinstance(index, bool) and index >= 0
    if not items or len(items) > 3 or what not in ("q", "v") or not is_index:
        raise ModelError(
            f"{opening} must be a joint, e.g. 'elbow', or a joint, 'q' or 'v' and a number, e.g. "
            f"('elbow', 'v') or ('ball', 'v', 2), got {meaning!r}"
        )
    return checked_name(joint, f"{opening}: joint"), what, index


def check_reads(where: Where, joints: Mapping[str, AbstractJoint], opening: str) -> None:
    """Reject numbers of coordinates and velocities that the joints do not have."""
    for key, (name, what, index) in where:
        size = joints[name].nq if what == "q" else joints[name].nv
        if index >= size:
            word = "coordinates" if what == "q" else "velocities"
            raise ModelError(
                f"{opening}: {key!r} asks for number {index} of the {word} of joint {name!r} "
                f"({joints[name].kind}), which has {size}, counted from 0"
            )


def read_values(where: Where, joints: Mapping[str, JointMotion]) -> dict[str, Scalar]:
    """Return what each of the further names is.

    Args:
        where: The further names.
        joints: The motions of the joints, by name.
    """
    return {key: getattr(joints[joint], what)[index] for key, (joint, what, index) in where}
