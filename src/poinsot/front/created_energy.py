"""The warning that impacts of a run have created energy."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from poinsot.errors import ModelWarning
from poinsot.front.contact_law import ImpactLaw
from poinsot.impacts.contact import Contact
from poinsot.impacts.created_energy import creates_none
from poinsot.simulation.running.trajectory import Trajectory

__all__ = ["warn_of_created_energy"]


def warn_of_created_energy(name: str, runs: Sequence[Trajectory], stacklevel: int) -> None:
    """Warn where impacts created energy that the compiled loop has noted.

    Args:
        name: Of the system.
        runs: The runs, one or many.
        stacklevel: How many callers up the warning belongs.
    """
    noted = [(impact, run) for run in runs for impact in run.created]
    if not noted:
        return
    first, run = noted[0]
    actions = () if run.events is None else run.events.actions
    law = next(action.reset for action in actions if action.name == first.name)
    contacts = _contacts(law)
    names = ", ".join(map(repr, dict.fromkeys(impact.name for impact, _ in noted)))
    is_rough = any(contact.is_rough for contact in contacts)
    remedy = creates_none(len(contacts), contacts[0].order, is_rough=is_rough)
    many = f"{len(noted)} impacts" if len(noted) > 1 else "an impact"
    total = sum(impact.energy for impact, _ in noted)
    warnings.warn(
        f"{name!r}: in {many} at {names} the contacts do work of {total:.3g} J, first at "
        f"t = {first.t:.6g} s: Newton's law of restitution allows it where one opens while another "
        f"closes, or with friction; give the contacts less restitution, or another law: {remedy}",
        ModelWarning,
        stacklevel=stacklevel,
    )


def _contacts(reset: object) -> Sequence[Contact]:
    """Return the contacts whose impact a reset is."""
    law = getattr(getattr(reset, "function", None), "__self__", None)
    assert isinstance(law, ImpactLaw), "only impacts create energy"
    return law.contacts
