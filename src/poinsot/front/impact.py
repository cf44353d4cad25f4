"""Velocities after an impact: ``ps.impact``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import ModelError, ShapeError
from poinsot.expr import Program
from poinsot.front.contact_changes import contact_changes
from poinsot.front.contact_impact import Impact
from poinsot.front.contact_law import ImpactLaw
from poinsot.front.description import Values
from poinsot.front.impact_numbers import impact_numbers
from poinsot.front.system import System
from poinsot.impacts.contact import Contact, checked_contacts, contact_events
from poinsot.model import BaseMotion
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.event import Event, Occurrence
from poinsot.simulation.laws.resets import motion_reset
from poinsot.simulation.laws.traced_events import Action, Events
from poinsot.simulation.sensitivities.impact_reset import Acting, ImpactReset
from poinsot.spatial import Array

__all__ = [
    "Impact",
    "contact_parameters",
    "events_of_contacts",
    "impact",
    "impact_of_event",
    "impact_resets",
]


def impact(
    system: System,
    q: ArrayLike,
    v: ArrayLike,
    contacts: Sequence[Contact] = (),
    *,
    t: float = 0.0,
    parameters: Values = None,
    base: BaseMotion | None = None,
) -> Impact:
    """Return the jump of the velocities under impulses at contacts and in constraints.

        M(q) (v⁺ - v⁻) = Aᵀ P + Jᵀ R,      J v⁺ + dphi/dt = 0

    Loops and constraints of the system hold after it, whether v⁻ obeyed them or not: with those of
    another system that has the same bodies, this is their sudden imposition (a foot that sticks, a
    coupling that engages), and those that this system does not have carry no impulse.

    Contacts that touch (gap up to 1e-9) and close open again with restitution times the rate with
    which they closed; no contact pulls, and none closes afterwards.  Several act at once.  Of all
    velocities that obey this, v⁺ is the nearest to v⁻ in the metric of M.  Contacts may have
    friction, and other laws of restitution; see ``Contact`` and ``impacts/collision_law.py``.

    Args:
        system: The bodies; its loops and constraints hold after the impact.
        q: Configuration [m or rad], shape (nq,).
        v: Velocity before [m/s or rad/s], shape (nv,).
        contacts: What may touch.
        t: Time [s].
        parameters: Values of free parameters by name.
        base: Motion of the world body, which no impulse changes: v and what touches are relative to
            it, and ``energy_lost`` is then that in inertial space.

    Raises:
        ModelError: If a contact overlaps by more than 1e-6, or no velocity obeys all.

    Warns:
        ModelWarning: If the contacts do work, which contacts with different restitution may when
            one of them was opening: Newton's law does not exclude it.

    >>> import poinsot as ps
    >>> balls = [ps.Body(name, joint=ps.Prismatic("x"), mass=1.0) for name in ("left", "right")]
    >>> system = ps.System("balls", balls)
    >>> hit = ps.Contact(ps.Distance("hit", ("left", (0, 0, 0)), ("right", (0, 0, 0)), 0.2), 1.0)
    >>> after = ps.impact(system, [0.0, 0.2], [3.0, 0.0], [hit])
    >>> after.v.round(12).tolist(), round(after.impulses["hit"], 12)
    ([0.0, 3.0], 3.0)
    """
    listed = checked_contacts(contacts, "impact")
    states = [_vector("q", q, system.nq), _vector("v", v, system.nv)]
    result = ImpactLaw(system, listed, parameters)(float(t), *states)
    if base is None:
        return result
    given: dict[str, Any] = {"parameters": parameters, "base": base}
    before, after = (
        float(system.kinetic_energy(states[0], x, **given)) for x in (result.v_before, result.v)
    )
    return replace(result, energy_lost=before - after)


def events_of_contacts(
    system: System,
    contacts: Sequence[Contact],
    q: Array,
    parameters: Values,
    t: float,
    where: str = "simulate",
) -> list[Event]:
    """Return the events of a run in which contacts close.

    Args:
        system: What moves.
        contacts: The contacts.
        q: Configuration at the start, shape (nq,).
        parameters: Values of free parameters by name.
        t: Time at the start [s].
        where: Opens the message of an error.

    Raises:
        ModelError: If a contact overlaps at the start.
    """
    law = ImpactLaw(system, checked_contacts(contacts, where), parameters)
    law.touching(where, t, q)
    return contact_events(law.system.mechanism, law.contacts, Callback(law.velocities))


def contact_parameters(system: System, law: MotionEquations) -> dict[str, float] | None:
    """Return the values of the free parameters of a run by name, for its contacts."""
    values = dict(zip(law.mechanism.parameter_inputs, law.parameters.tolist(), strict=True))
    names = [name for name in law.mechanism.free_parameters if name not in system.signals]
    return {name: values[name] for name in names} or None


def impact_resets(system: System, events: Events, where: str) -> dict[str, ImpactReset]:
    """Return the velocities after impacts and their derivatives, by the names of their events.

    Without friction, by Newton's law, they are programs:

        v⁺ = v - M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ ((1 + e) rates of the gaps)

    of the contacts that push, with, in closed systems, the inverse on motions that the constraints
    allow in place of M⁻¹: what joint forces add to the accelerations.  Other laws, and friction,
    are differentiated as those of ``collide`` are.

    Args:
        system: What moves, without contacts.
        events: Those of its run.
        where: Opens the message of an error.
    """
    resets: dict[str, ImpactReset] = {}
    for action in events.actions:
        law = _law_of(action)
        if law is not None:
            resets[action.name] = ImpactReset(
                law.acting, partial(_impact_program, system, law, where),
                partial(contact_changes, law),
            )  # fmt: skip
    return resets


def impact_of_event(
    events: Events | None, occurrences: Sequence[Occurrence], event: Occurrence
) -> Impact:
    """Return the impact that an event of a run was.

    Contacts that close at the same instant are one impact, that of all of them; each has its event.

    Args:
        events: Those of the run.
        occurrences: What happened in it, in order.
        event: Which of them.

    Raises:
        ModelError: If it is no event of a contact.
    """
    actions = () if events is None else events.actions
    laws = {action.name: law for action in actions if (law := _law_of(action)) is not None}
    name = getattr(event, "name", event)
    if not isinstance(event, Occurrence) or name not in laws:
        listed = ", ".join(map(repr, laws)) or "none"
        raise ModelError(
            f"impact: give one of run.events at which a contact closed (contacts: {listed}), got "
            f"{name!r:.80}"
        )
    own = hit = laws[name](event.t, event.q_before, event.v_before)
    number = next((k for k, x in enumerate(occurrences) if x is event), 0)
    for other in reversed(occurrences[:number]):
        if hit.acted or other.t != event.t or other.name not in laws:
            break
        if (other.v != hit.v_before).any():  # something else has changed velocities in between
            break
        hit = laws[other.name](other.t, other.q_before, other.v_before)
    return hit if name in hit.impulses else own


def _law_of(action: Action) -> ImpactLaw | None:
    """Return the law of impact by which an event resets velocities, if it does."""
    law = getattr(getattr(action.reset, "function", None), "__self__", None)
    return law if isinstance(law, ImpactLaw) else None


def _impact_program(system: System, law: ImpactLaw, where: str, acting: Acting) -> Program:
    """Return the velocities after the impact of some contacts."""
    label = " and ".join(name for name, _ in acting)
    program = motion_reset(system.mechanism, (label, partial(law.after, acting, system), False))
    if not isinstance(program, Program):
        raise ModelError(
            f"{where}: the impact at {label!r} asks for quantities that are computed by loops, "
            "which is not differentiated"
        )
    return program


def _vector(name: str, given: ArrayLike, size: int) -> Array:
    array = impact_numbers(f"impact: {name}", given).astype(np.float64)
    if array.shape != (size,):
        raise ShapeError(f"impact: {name} must have shape ({size},), got {array.shape}")
    if not np.isfinite(array).all():
        raise ModelError(f"impact: {name} must be finite, got {array.tolist()}")
    return array
