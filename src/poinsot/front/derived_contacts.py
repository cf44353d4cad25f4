"""Contacts whose equations ``ps.derive`` writes."""

from __future__ import annotations

from collections.abc import Sequence

from poinsot.algebra.impact_equations import ContactsOfSystem
from poinsot.impacts.contact import Contact, with_contacts
from poinsot.model import Mechanism


def contacts_of_system(free: Mechanism, contacts: Sequence[Contact]) -> ContactsOfSystem | None:
    """Return contacts as constraints of a mechanism whose parameters are free."""
    if not contacts:
        return None
    whole = with_contacts(free, contacts).bound
    last = len(whole.constraints) - sum(contact.is_rough for contact in contacts)
    return ContactsOfSystem(
        whole, whole.constraints[last - len(contacts) : last],
        tuple(contact.restitution for contact in contacts),
        any(contact.is_rough for contact in contacts),
    )  # fmt: skip
