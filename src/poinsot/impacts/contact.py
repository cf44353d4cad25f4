"""Contacts: unilateral constraints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, final

import numpy as np

from poinsot.errors import ArrayTypeError, ModelError
from poinsot.expr import Expr
from poinsot.expr.same_formula import comparable
from poinsot.expr.substitute import symbol_names
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.impacts.agreeing_laws import check_reversed_slip
from poinsot.impacts.flat_gap import check_slope
from poinsot.impacts.law_names import UNILATERAL, check_names
from poinsot.impacts.slip_velocity import slip_velocity
from poinsot.model import AbstractConstraint, Mechanism
from poinsot.model.checks import scalar_number
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.scalar_values import is_symbolic
from poinsot.simulation.laws.callback import Callback
from poinsot.simulation.laws.event import RESOLUTION, Event, checked_resolution
from poinsot.spatial import Array, Scalar

__all__ = ["Contact", "checked_contacts", "contact_events", "with_contacts"]

SLACK = 1e-14
"""Negative gap within rounding error of a closed contact without force [m or rad]."""


@final
@dataclass(frozen=True, eq=False)
class Contact:
    """A unilateral constraint of one row: its phi(q, t), the gap, is not negative.

    Where the gap closes there is an impact: it opens again with ``restitution`` times the rate with
    which it closed.  Any constraint of one row will do: a point against a surface
    (``PointOnSurface``), two balls (``Distance`` of their centres, the sum of the radii long), a
    joint against its end (``FormulaConstraint``).  Friction asks for one that tells which points
    touch: a ``PointOnSurface``, or a ``RollingBall``, ``RollingDisc`` or ``RollingEllipsoid`` with
    ``rolling=False``.

    Args:
        constraint: What would hold if the contact were to stay closed, with phi = gap.
        restitution: Coefficient e: 0 (plastic) to 1 (elastic), or a formula of the system's
            parameters, as friction and tangential restitution too: then runs are differentiated
            by these and fitted to data.
        friction: Coulomb's coefficient μ of the impulses; 0: smooth.
        law: What restitution means, by the names of ``collide``: "unilateral" or "printed" (of
            velocities, of contacts that only push, or that all obey it, even by pulling),
            "poisson" (of impulses) or "stronge" (of energies); all the same for one contact
            without friction.  Plastic is restitution 0.
        order: How contacts that touch at one instant act: "simultaneous", all by the same law, or
            "sequential": one after the other, the one that closes fastest first, each by its own
            law, until none closes.
        resolution: Time [s] for which a gap must be closed to be noticed for certain; see
            ``Event``.
        tangential_restitution: Part of the slip that comes back reversed where friction can hold
            it, from 0 to 1, as of rubber balls; for restitution of velocities.

    Attributes:
        name: That of the constraint.

    >>> import poinsot as ps
    >>> ball = ps.Body("ball", joint=ps.Prismatic("z"), mass=1.0)
    >>> floor = ps.Contact(ps.PointOnSurface("floor", ("ball", (0, 0, 0)), "z - 0.1"), 0.5)
    >>> run = ps.simulate(ps.System("ball", [ball]), [1.1], [0.0], 1.0, contacts=[floor])
    >>> [round(event.t, 6) for event in run.events]
    [0.451524, 0.903047]
    """

    constraint: AbstractConstraint
    restitution: Scalar
    friction: Scalar = 0.0
    law: str = UNILATERAL
    order: str = "simultaneous"
    resolution: float = RESOLUTION
    tangential_restitution: Scalar = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.constraint, AbstractConstraint):
            raise ArrayTypeError(
                "Contact: constraint must be a constraint of one row, e.g. PointOnSurface('floor', "
                f"('ball', (0, 0, 0)), 'z'), got {type(self.constraint).__name__}"
            )
        where = f"contact {self.name!r}"
        if self.constraint.velocity_rows:
            raise ModelError(
                f"{where}: {self.constraint.label} constrains velocities, and a contact closes a "
                "gap; give a constraint of positions, such as a RollingDisc with rolling=False"
            )
        for key in ("restitution", "tangential_restitution"):
            number = scalar_number(getattr(self, key), f"{where}: {key}")
            if not is_symbolic(number) and not 0.0 <= number <= 1.0:
                raise ModelError(f"{where}: {key} must be from 0 to 1, got {getattr(self, key)!r}")
            object.__setattr__(self, key, number)
        friction = scalar_number(self.friction, f"{where}: friction")
        if not is_symbolic(friction) and friction < 0.0:
            raise ModelError(f"{where}: friction must be at least 0, got {self.friction!r}")
        object.__setattr__(self, "friction", friction)
        check_names(where, self.law, self.order)
        check_reversed_slip(where, self.law, self.tangential_restitution)
        if self.is_rough:
            slip_velocity(self.constraint)
        object.__setattr__(self, "resolution", checked_resolution(self.resolution, where))

    def __eq__(self, other: object) -> bool:
        """Say whether another contact is the same, formulas by what they are."""
        return isinstance(other, Contact) and self._key == other._key

    def __hash__(self) -> int:
        """Return the hash of that."""
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return tuple(comparable(getattr(self, item.name)) for item in fields(self))

    @property
    def is_rough(self) -> bool:
        """Whether there is friction, or a formula of it."""
        return is_symbolic(self.friction) or self.friction > 0.0

    @property
    def name(self) -> str:
        """Its name in ``run.events``, in impacts and in messages."""
        return self.constraint.name


def checked_contacts(contacts: object, where: str) -> tuple[Contact, ...]:
    """Return contacts as a tuple.

    Args:
        contacts: What a user gave.
        where: Opens the message of an error.
    """
    if isinstance(contacts, Contact):
        raise ArrayTypeError(f"{where}: contacts must be a list; write contacts=[contact]")
    if not isinstance(contacts, Sequence):
        raise ArrayTypeError(f"{where}: contacts must be a list of Contact, got {contacts!r:.80}")
    for contact in contacts:
        if not isinstance(contact, Contact):
            given = f"got {type(contact).__name__}"
            if isinstance(contact, AbstractConstraint):
                given = f"got {contact.label}; write ps.Contact(constraint, restitution=...)"
            raise ArrayTypeError(f"{where}: contacts must be a list of Contact, {given}")
    return tuple(contacts)


def with_contacts(description: Mechanism, contacts: Sequence[Contact]) -> Mechanism:
    """Return a mechanism whose last constraints are those of contacts, in their order.

    Behind them are those of the velocities in contacts with friction.

    Raises:
        ModelError: If one does not fit: another number of rows than one, an unknown body, a name
            that is taken, or a formula with parameters that the mechanism does not have.
    """
    slips = [slip_velocity(contact.constraint) for contact in contacts if contact.is_rough]
    extended = description.with_constraints([*(c.constraint for c in contacts), *slips])
    first = len(description.constraints)
    for contact, held in zip(
        contacts, extended.constraints[first : first + len(contacts)], strict=True
    ):
        if len(held.locked) != 1:
            raise ModelError(
                f"contact {contact.name!r}: its constraint must have one row, the gap, got "
                f"{len(held.locked)}: {', '.join(held.locked)}"
            )
    formulas = [x for c in contacts for x in (c.restitution, c.friction, c.tangential_restitution)]
    named = [name for name, _ in extended.parameters]
    named += [name for x in formulas if isinstance(x, Expr) for name in symbol_names(x)]
    new = [name for name in named if name not in dict(description.parameters)]
    if new:
        raise ModelError(
            f"contacts of {description.name!r}: the system has no parameter {new[0]!r}; "
            "give it one, or write a number"
        )
    values = {name: value for name, value in extended.parameters if value is not None}
    for held in extended.constraints[first : first + len(contacts)]:
        if isinstance(held, AbstractRelation):
            check_slope(held.name, held, values)
    return extended


def contact_events(
    mechanism: Mechanism, contacts: Sequence[Contact], reset: Callback
) -> list[Event]:
    """Return the events at which gaps close.

    Args:
        mechanism: The mechanism ``with_contacts``, constants folded in.
        contacts: The contacts.
        reset: What gives the velocities after an impact, of all contacts that touch.
    """
    n_slips = sum(contact.is_rough for contact in contacts)
    last = len(mechanism.constraints) - n_slips
    constraints = mechanism.constraints[last - len(contacts) : last]
    return [
        Event(
            contact.name,
            Gap(mechanism, row),
            direction="down",
            barrier=True,
            reset=reset,
            resolution=contact.resolution,
        )
        for contact, row in zip(contacts, constraints, strict=True)
    ]


@final
@dataclass(frozen=True)
class Gap:
    """The gap of a contact and SLACK, as a function of t, q and v to be traced; equal by value.

    Attributes:
        mechanism: The mechanism.
        constraint: The constraint of the closed contact.
    """

    mechanism: Mechanism
    constraint: AbstractConstraint

    def __call__(self, t: Any, q: Array, v: Array) -> Any:  # noqa: ANN401 (symbols)
        """Return it; velocities do not matter."""
        view = MechanismView(self.mechanism, np.asarray(q), np.zeros(self.mechanism.nv), t)
        return self.constraint.rows(view).phi[0] + SLACK
