"""Ends of joints as contacts: ``ps.contacts_from_limits``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.impacts.law_names import ORDERS, UNILATERAL
from poinsot.model import FormulaConstraint, suggestion
from poinsot.spatial import Scalar

__all__ = ["contacts_from_limits"]

GAPS: Final = {"lower": "angle - ({!r})", "upper": "({!r}) - angle"}


def contacts_from_limits(
    system: System,
    restitution: Scalar | Mapping[str, Scalar],
    *,
    joints: Sequence[str] | None = None,
    law: str | Mapping[str, str] = UNILATERAL,
    order: str = ORDERS[0],
) -> list[Contact]:
    """Return a contact for each end of the range of each joint, for ``simulate(contacts=)``.

        gap = q - lower >= 0,      gap = upper - q >= 0      [m or rad]

    Args:
        system: Its joints have ``Limits``; files bring theirs, such as <limit> of URDF.
        restitution: Coefficient e of all ends, from 0 to 1, or of each joint by name.
        joints: Names of those that are to have stops; all with limits of positions by default.
        law: What restitution means, as in ``Contact``, at all ends or of each joint by name.
        order: How ends that are met at one instant act, as in ``Contact``.

    Returns:
        Contacts "elbow.lower" and "elbow.upper" of a joint "elbow", in the order of joints; ends at
        infinity have none.

    Raises:
        ModelError: If a joint is not there, has no limits or several coordinates, or if there is no
            limit at all.

    >>> import poinsot as ps
    >>> hinge = ps.Revolute("y", limits=ps.Limits(position=(-1, np.inf)))
    >>> arm = ps.System("arm", [ps.Body("arm", joint=hinge, mass=1, com=(0, 0, -1))])
    >>> [contact.name for contact in ps.contacts_from_limits(arm, restitution=0.5)]
    ['arm.lower']
    """
    mechanism = system.mechanism
    ranges = _ranges(system)
    chosen = list(ranges) if joints is None else list(joints)
    where = f"contacts_from_limits of {system.name!r}"
    if not chosen:
        raise ModelError(f"{where}: no joint has limits; give Limits(position=(low, high))")
    named = restitution if isinstance(restitution, Mapping) else dict.fromkeys(chosen, restitution)
    laws = law if isinstance(law, Mapping) else dict.fromkeys(chosen, law)
    contacts = []
    for joint in dict.fromkeys([*chosen, *named, *laws]):
        if joint not in mechanism.joint_names:
            raise ModelError(f"{where}: {suggestion(joint, mechanism.joint_names)}")
        if joint not in ranges:
            raise ModelError(
                f"{where}: joint {joint!r} has no limits of positions; leave it out, or give it "
                "Limits(position=(low, high))"
            )
        given = {"joints": chosen, "restitution": named, "law": laws}
        listed = [which for which, names in given.items() if joint in names]
        lacking = [which for which in given if which not in listed]
        if lacking:
            raise ModelError(
                f"{where}: joint {joint!r} is in {listed[0]}, and {lacking[0]} lacks it"
            )
        lower, upper = ranges[joint]
        if len(lower) != 1:
            raise ModelError(
                f"{where}: joint {joint!r} has {len(lower)} coordinates, and stops are for joints "
                "of one; name the others with joints=[...]"
            )
        for end, number in (("lower", lower.item()), ("upper", upper.item())):
            if np.isfinite(number):
                gap = FormulaConstraint(
                    f"{joint}.{end}", GAPS[end].format(number), {"angle": joint}
                )
                contacts.append(Contact(gap, named[joint], law=laws[joint], order=order))
    return contacts


def _ranges(system: System) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return smallest and largest coordinates of joints that have some, by name."""
    mechanism, limits = system.mechanism, system.limits
    ranges = {
        name: (limits.lower[own], limits.upper[own])
        for name, own in zip(mechanism.joint_names, mechanism.q_slices, strict=True)
    }
    return {name: both for name, both in ranges.items() if np.isfinite(both).any()}
