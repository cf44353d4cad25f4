"""The law of impact of a system with its contacts."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NoReturn, final

import numpy as np

from poinsot.errors import ModelError, ModelWarning
from poinsot.expr import Expr, symbol
from poinsot.expr.linalg import cholesky, cholesky_solve
from poinsot.expr.rank import independent_rows, row_space
from poinsot.expr.substitute import substitute
from poinsot.front.contact_impact import Impact
from poinsot.front.description import Values
from poinsot.front.struck_system import StruckSystem
from poinsot.front.system import System
from poinsot.impacts.contact import Contact, with_contacts
from poinsot.impacts.contact_numbers import COEFFICIENTS, with_coefficients
from poinsot.impacts.created_energy import creates_none
from poinsot.impacts.impact_law import ROUNDING, HeldError
from poinsot.impacts.law_names import PRINTED
from poinsot.impacts.touching_contacts import jump_of_contacts
from poinsot.lazy import when_called
from poinsot.model import AbstractConstraint, Mechanism
from poinsot.model.scalar_values import is_symbolic
from poinsot.simulation.laws.bounces import Bounces
from poinsot.simulation.sensitivities.impact_reset import Acting
from poinsot.simulation.stepping.contact_bounce import DEEP, GROWN, TOUCH
from poinsot.spatial import Array, Scalar

__all__ = ["ImpactLaw"]

_contacts_tree = when_called("poinsot.front.contact_files:contacts_tree")


@final
class ImpactLaw:
    """The law of impact of a system with its contacts."""

    def __init__(
        self,
        system: System,
        contacts: tuple[Contact, ...],
        parameters: Values,
    ) -> None:
        self.formulas, self.parameters = contacts, parameters
        self.description = system.description
        self.contacts = contacts
        if is_symbolic(*[getattr(x, key) for x in contacts for key in COEFFICIENTS]):
            self.contacts = with_coefficients(f"impact of {system.name!r}", contacts, self.values)
        contacts = self.contacts
        self.system = _with_contacts(system.description, contacts) if contacts else system
        # without keywords these methods are machine code
        self._given: dict[str, Any] = {"parameters": parameters} if parameters else {}
        self._rows = len(system.row_names)

    @property
    def values(self) -> dict[str, float]:
        """Numbers of parameters by name, those given in place of the system's own."""
        own = {name: x for name, x in self.description.parameters if x is not None}
        return own | {name: np.asarray(x).item() for name, x in (self.parameters or {}).items()}

    @cached_property
    def bounces(self) -> Bounces:
        """What lets the compiled loop compute impacts."""
        listed = self.contacts
        return Bounces(
            self.system.mechanism, self._rows, tuple(x.name for x in listed),
            tuple(x.restitution for x in listed), tuple(x.friction for x in listed),
            tuple(x.tangential_restitution for x in listed), tuple(x.law for x in listed),
            tuple(x.order for x in listed),
            tuple(
                self._slip_rows(x).start if x.is_rough else self._rows + k
                for k, x in enumerate(listed)
            ),
        )  # fmt: skip

    def touching(self, where: str, t: float, q: Array) -> Array:
        """Return the indices of the contacts whose gap is closed."""
        if not self.contacts:
            return np.zeros(0, np.intp)
        last = self._rows + len(self.contacts)
        gaps = self.system.constraint_residual(q, **self._options(t))[self._rows : last]
        for contact, gap in zip(self.contacts, gaps.tolist(), strict=True):
            if not gap >= -DEEP:
                raise ModelError(
                    f"{where}: contact {contact.name!r} overlaps, its gap is {gap:.3g}; move the "
                    "bodies apart, or turn the sign of the constraint's function round if the "
                    "other side is free"
                )
        return np.flatnonzero(gaps <= TOUCH)

    def __call__(self, t: float, q: Array, v: Array) -> Impact:
        """Return the impact at a state."""
        touching = self.touching("impact", t, q).tolist()
        touch = [self.contacts[k] for k in touching]
        moving, D, w, _ = self.matrices(t, q, v, touching)
        M = moving[0]
        try:
            solution, P, sticks = jump_of_contacts(touch, moving, D, w)
        except HeldError as error:
            self._refuse(error, touch)
        after, opening = v + solution.change, w + D @ solution.change
        works = 0.5 * np.sum(P * (w + opening), axis=1)
        energy, names = 0.5 * float(v @ M @ v), [contact.name for contact in touch]
        self._warn_of_work(float(works.sum()), energy, touch)
        return Impact(
            v,
            after,
            dict(zip(names, P[:, 0].tolist(), strict=True)),
            dict(zip(names, w[:, 0].tolist(), strict=True)),
            dict(zip(names, opening[:, 0].tolist(), strict=True)),
            dict(zip(self.system.row_names[: self._rows], solution.held.tolist(), strict=True)),
            {c.name: row for c, row in zip(touch, P[:, 1:], strict=True) if c.is_rough},
            tuple(name for name, sticking in zip(names, sticks, strict=True) if sticking),
            dict(zip(names, works.tolist(), strict=True)),
            energy - 0.5 * float(after @ M @ after),
            solution.unique,
            (M, moving[2], D[:, 0]),
            self._struck((t, q, v, after), solution.held, touching, P),
        )

    def matrices(
        self, t: float, q: Array, v: Array, touching: Sequence[int]
    ) -> tuple[tuple[Array, Array, Array, Array], Array, Array, Array]:
        """Return what moves, as ``jump_of_contacts`` asks for it, D and w of contacts, and rows.

        The latter are the numbers of the rows of D, shape (s, 3), -1 where there is none.
        """
        J = self.system.constraint_jacobian(q, **self._options(t))
        rates = self.system.constraint_rate(q, v, **self._options(t))
        M, m = self.system.mass_matrix(q, **self._given), self._rows
        rows = np.full((len(touching), 3), -1)
        for k, number in enumerate(touching):
            if self.contacts[number].is_rough:
                slips = self._slip_rows(self.contacts[number])
                rows[k] = range(slips.start, slips.stop)
            else:
                rows[k, 0] = m + number
        used = rows >= 0
        D, w = np.where(used[..., None], J[rows], 0.0), np.where(used, rates[rows], 0.0)
        return (M, v, J[:m], rates[:m]), D, w, rows

    def _struck(
        self, moved: tuple[float, Array, Array, Array], held: Array, touching: list[int], P: Array
    ) -> StruckSystem:
        """Return the system with impulses of its rows and of the contacts that touch on it."""
        t, q, v, after = moved
        lam = np.zeros(len(self.system.row_names))
        lam[: self._rows] = held
        for k, impulse in zip(touching, P, strict=True):
            if self.contacts[k].is_rough:
                lam[self._slip_rows(self.contacts[k])] = impulse
            else:
                lam[self._rows + k] = impulse[0]
        own = len(self.description.constraints)
        return StruckSystem(self.system, own, t, q, v, after, self.parameters, lam)

    @staticmethod
    def _warn_of_work(work: float, energy: float, touch: Sequence[Contact]) -> None:
        """Warn where contacts do work."""
        if work <= GROWN * energy:
            return
        shown = ", ".join(repr(contact.name) for contact in touch)
        is_rough = any(contact.is_rough for contact in touch)
        remedy = creates_none(len(touch), touch[0].order, is_rough=is_rough)
        warnings.warn(
            f"impact: the contacts {shown} do work of {work:.3g} J: Newton's law of "
            "restitution allows it where one opens while another closes, or with friction; give "
            f"the contacts less restitution, or another law: {remedy}",
            ModelWarning,
            stacklevel=4,
        )

    def _slip_rows(self, contact: Contact) -> slice:
        """Return the rows of velocities in a contact with friction."""
        rough = [each.name for each in self.contacts if each.is_rough]
        first = self._rows + len(self.contacts) + 3 * rough.index(contact.name)
        return slice(first, first + 3)

    def _options(self, t: float) -> dict[str, Any]:
        timed = self.system.mechanism.depends_on_time
        return self._given | {"t": t} if timed else self._given

    def file_tree(self) -> dict[str, Any]:
        """Return what files hold of it, a tree of plain values."""
        tree: dict[str, Any] = _contacts_tree(self)
        return tree

    def velocities(self, t: float, q: Array, v: Array) -> Array:
        """Return the velocities after the impact at a state."""
        touching = self.touching("impact", t, q)
        if len(touching) == 1 and not self._rows and not self.contacts[touching[0]].is_rough:
            after = self._after_alone(int(touching[0]), t, q, v)
            if after is not None:
                return after
        return self(t, q, v).v

    def _after_alone(self, number: int, t: float, q: Array, v: Array) -> Array | None:
        """Return the velocities after the impact of one smooth contact of a tree.

        None where the motion along the gap has no inertia, or none at all.
        """
        options = self._options(t)
        A = self.system.constraint_jacobian(q, **options)[number]
        rate = self.system.constraint_rate(q, v, **options)[number]
        try:
            change = np.linalg.solve(self.system.mass_matrix(q, **self._given), A)
        except np.linalg.LinAlgError:
            return None
        size = float(A @ change)
        if not (rate < 0.0 < size and size < np.inf):
            return None
        return np.asarray(v - ((1.0 + self.contacts[number].restitution) * rate / size) * change)

    def acting(self, t: float, q: Array, v: Array) -> Acting:
        """Return the contacts that push in the impact at a state, and whether each was closing.

        Of contacts that depend on each other so many that determine the velocities.  By the
        printed law all that touch take part.
        """
        impact, names = self(t, q, v), [contact.name for contact in self.contacts]
        printed = {contact.name for contact in self.contacts if contact.law == PRINTED}
        pushing = [name for name, x in impact.impulses.items() if x or name in printed]
        numbers = [names.index(name) for name in pushing]
        if not impact.unique:
            J = self.system.constraint_jacobian(q, **self._options(t))
            held, rows = row_space(J[: self._rows]), J[[self._rows + k for k in numbers]]
            independent = independent_rows(rows - (rows @ held) @ held.T)
            numbers = [numbers[k] for k in independent.tolist()]
        rates = impact.rates_before
        closing = ROUNDING * (1.0 + float(np.abs(v).max(initial=0.0)))
        return tuple((names[number], rates[names[number]] < -closing) for number in numbers)

    def after(self, acting: Acting, system: System, t: Scalar, q: Array, v: Array) -> Array:
        """Return the velocities after the impact of some contacts, over symbols.

        Args:
            acting: Those that push.
            system: What moves, without contacts.
            t: Time [s].
            q: Configuration, shape (nq,).
            v: Velocity before, shape (nv,).
        """
        names = [contact.name for contact in self.contacts]
        numbers = [names.index(name) for name, _ in acting]
        symbols = {name: symbol(name) for name in self.system.free}
        free: dict[str, Any] = {"parameters": symbols} if symbols else {}
        timed = free | {"t": t} if self.system.mechanism.depends_on_time else free
        rows = [self._rows + number for number in numbers]
        J = np.asarray(self.system.constraint_jacobian(q, **timed))[rows]
        rates = np.asarray(self.system.constraint_rate(q, v, **timed))[rows]
        if system.row_names:
            alone = np.asarray(system.forward_dynamics(q, v, 0 * J[0], **timed))
            changes = [np.asarray(system.forward_dynamics(q, v, x, **timed)) - alone for x in J]
        else:
            factor = cholesky(np.asarray(self.system.mass_matrix(q, **free)))
            changes = [cholesky_solve(factor, x) for x in J]
        fixed = {name: x for name, x in self.values.items() if name not in symbols}
        factors = [
            1.0 + self._restitution(number, fixed) if closes else 1.0
            for number, (_, closes) in zip(numbers, acting, strict=True)
        ]
        inverse = np.array([[np.dot(x, change) for change in changes] for x in J], dtype=object)
        impulses = cholesky_solve(cholesky(inverse), np.array(factors) * rates)
        return np.asarray(v - np.dot(impulses, np.array(changes)))

    def _restitution(self, number: int, fixed: dict[str, float]) -> Scalar:
        """Return the restitution of a contact, a formula of free parameters."""
        formula = self.formulas[number].restitution
        return substitute(formula, fixed) if isinstance(formula, Expr) else formula

    def _refuse(self, error: HeldError, touch: Sequence[Contact]) -> NoReturn:
        where = f"impact of {self.system.name!r}"
        if not error.contacts:
            raise ModelError(
                f"{where}: {error}; see system.constraint_report and system.mobility"
            ) from None
        shown = ", ".join(
            f"{touch[k].name!r} (restitution {touch[k].restitution:g})" for k in error.contacts
        )
        if len(error.contacts) == 1:
            raise ModelError(f"{where}: {error}: contact {shown}") from None
        raise ModelError(
            f"{where}: {error}: contacts {shown}; contacts that depend on each other need the same "
            "restitution"
        ) from None


def _with_contacts(description: Mechanism, contacts: tuple[Contact, ...]) -> System:
    """Return a system with contacts as constraints, which do not depend on their coefficients."""
    return _with_rows(description, tuple([(x.constraint, x.is_rough) for x in contacts]))


@lru_cache(maxsize=32)
def _with_rows(description: Mechanism, gaps: tuple[tuple[AbstractConstraint, bool], ...]) -> System:
    """Return a system with gaps as constraints, rough ones too; cached, as methods are compiled."""
    contacts = [Contact(gap, 0.0, float(is_rough)) for gap, is_rough in gaps]
    return System.from_mechanism(with_contacts(description, contacts))
