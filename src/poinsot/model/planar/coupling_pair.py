"""Couplings of two joints of a system as pairs of one equation of a planar linkage."""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.errors import ModelError
from poinsot.model.constraints.coupling import AbstractCoupling
from poinsot.model.planar.higher_pair import HigherPair
from poinsot.model.planar.joint import PlanarJoint


def coupling_pair(coupling: AbstractCoupling, joints: Mapping[str, PlanarJoint]) -> HigherPair:
    """Return q_second = ratio q_first + offset as a pair; nothing is said of what touches.

    Args:
        coupling: The coupling.
        joints: Joints of the linkage by name, with the coordinates of the system's.
    """
    for name in coupling.joints:
        if name not in joints:
            raise ModelError(
                f"{coupling.kind} {coupling.name!r}: joint {name!r} is no hinge or slide in the"
                " plane, which planar units couple; choose another method"
            )
    first, second = (joints[name] for name in coupling.joints)
    return HigherPair(
        coupling.name, "coupling", first.b, second.b, second.a, first, second,
        ((first.name, first.b),), ((second.name, second.b),), ratio=coupling.law[0],
    )  # fmt: skip
