"""The impact of contacts that touch at one instant, by the law that they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.impacts.agreeing_laws import check_same_law
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.contact import Contact
from poinsot.impacts.impact_law import Contacts, Jump, jump
from poinsot.impacts.law_names import PRINTED, UNILATERAL
from poinsot.spatial import Array

__all__ = ["jump_of_contacts", "law_of_contacts"]


def jump_of_contacts(
    touch: Sequence[Contact], moving: tuple[Array, Array, Array, Array], D: Array, w: Array
) -> tuple[Jump, Array, Array]:
    """Return the jump, impulses (s, 3), and which contacts with friction stick afterwards (s,).

    Args:
        touch: The contacts, s of them.
        moving: Mass matrix, velocities before, rows of constraints and what velocities miss of
            them, as in ``impact_law.jump``.
        D: Velocities in the contacts along normal and tangents by v, shape (s, 3, nv); without
            friction the rate of the gap alone.
        w: These velocities before, shape (s, 3).

    Raises:
        HeldError: If no velocity satisfies all.
        ModelError: If contacts have different laws, or one that does not hold for several.
    """
    M, v, J, missed = moving
    order = _common_order(touch)
    laws = tuple(contact.law for contact in touch)
    is_smooth = not any(contact.is_rough for contact in touch)
    if set(laws) <= {UNILATERAL} and order == "simultaneous" and is_smooth:
        e = np.array([contact.restitution for contact in touch], np.float64)
        solution = jump(M, v, J, missed, Contacts(D[:, 0], w[:, 0], e))
        impulses = np.zeros(w.shape)
        impulses[:, 0] = solution.impulses
        return solution, impulses, np.zeros(len(touch), bool)
    held, hit = law_of_contacts(touch, moving, D, w)
    done, impulses, sticks = hit.jump()
    change, rows = held.change + done.change, held.held + done.held
    return Jump(change, done.impulses, rows, done.unique), impulses, sticks


def law_of_contacts(
    touch: Sequence[Contact], moving: tuple[Array, Array, Array, Array], D: Array, w: Array
) -> tuple[Jump, CollisionLaw]:
    """Return how velocities come to obey the constraints, and the law of the contacts from there.

    Args:
        touch: The contacts, s of them.
        moving: As in ``jump_of_contacts``; D and w too.
        D: Velocities in the contacts by v, shape (s, 3, nv).
        w: These velocities before, shape (s, 3).
    """
    M, v, J, missed = moving
    order = _common_order(touch)
    names, laws = (tuple(getattr(x, key) for x in touch) for key in ("name", "law"))
    if order == "simultaneous":
        check_same_law("impact: contacts", names, laws)
    e, friction, reversed_slip = (
        np.array([getattr(contact, key) for contact in touch], np.float64)
        for key in ("restitution", "friction", "tangential_restitution")
    )
    none = Contacts(np.zeros((0, v.size)), np.zeros(0), np.zeros(0))
    held = jump(M, v, J, missed, none)
    hit = CollisionLaw(
        "impact", laws, order, names, e, friction, reversed_slip, M, J, v + held.change, D,
        w + D @ held.change,
    )  # fmt: skip
    if set(laws) == {PRINTED} and not (hit.u < -hit.rounding).any():
        hit = replace(hit, laws=(UNILATERAL,) * len(laws))  # touching is no impact: all may open
    return held, hit


def _common_order(touch: Sequence[Contact]) -> str:
    """Return the order in which all contacts act."""
    orders = dict.fromkeys(contact.order for contact in touch)
    if len(orders) > 1:
        listed = ", ".join(f"{contact.name!r} ({contact.order})" for contact in touch)
        raise ModelError(
            f"impact: contacts that touch at one instant must have the same order, got {listed}"
        )
    return next(iter(orders), "simultaneous")
