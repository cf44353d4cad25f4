"""What impacts at contacts consist of, as expressions: gaps, impulse matrix, velocities after.

    W = A M⁻¹ Aᵀ,      W P = -(1 + e) δ̇,      v⁺ = v + M⁻¹ Aᵀ P      [Zhang1996, (3.29), (3.30)]

with δ(q) the gaps and A = ∂δ/∂q̇; of contacts that all close and push, in a tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from poinsot.algebra.notation import Notation
from poinsot.errors import ModelError
from poinsot.expr.linalg import ldl, ldl_solve
from poinsot.formulations.constrained.mechanism_view import MechanismView
from poinsot.model import AbstractConstraint, Mechanism, Rows
from poinsot.spatial import Array, Scalar

OF_CONTACTS: Final = ("gap", "gap_rate", "gap_jacobian", "impulse_matrix", "impact_velocity")
"""Quantities of impacts."""
OF_ALL_CONTACTS: Final = ("gap", "gap_jacobian")
"""Those that are shown of closed systems and of contacts with friction too."""


@dataclass(frozen=True)
class ContactsOfSystem:
    """Contacts as constraints of a mechanism.

    Attributes:
        mechanism: The bodies, with the contacts among their constraints.
        constraints: What would hold if they were to stay closed.
        restitutions: Of each.
        are_rough: Whether one has friction.
    """

    mechanism: Mechanism
    constraints: tuple[AbstractConstraint, ...]
    restitutions: tuple[Scalar, ...]
    are_rough: bool

    def rows(self, q: Array, v: Array, t: Array) -> Rows:
        """Return the rows of all, over any scalar."""
        view = MechanismView(self.mechanism, q, v, t[0])
        blocks = [constraint.rows(view) for constraint in self.constraints]
        names = "phi", "J", "drift", "gamma"
        return Rows(*(np.concatenate([getattr(x, name) for x in blocks]) for name in names))


class Letters(Protocol):
    """How a quantity is shown."""

    @property
    def letter(self) -> str:
        """Its letter."""

    @property
    def latex(self) -> str:
        """Its letter in LaTeX."""


class Traced(Protocol):
    """The quantities of a mechanism (``traced_quantities.py``)."""

    mechanism: Mechanism
    contacts: ContactsOfSystem | None

    @property
    def symbols(self) -> Notation:
        """The symbols that they are written with."""

    @property
    def is_plain(self) -> bool:
        """Whether v is the rate of q."""

    def shown(self, name: str) -> Letters:
        """Return how a quantity is shown."""

    def __getitem__(self, name: str) -> Array:
        """Return a quantity as expressions."""


def contact_quantities(traced: Traced) -> tuple[str, ...]:
    """Return which quantities tell the impacts of a system."""
    if traced.contacts is None:
        return ()
    return OF_ALL_CONTACTS if _obstacle(traced) else (*OF_ALL_CONTACTS, "impulse_matrix")


def impact_text(traced: Traced) -> tuple[str, ...]:
    """Return the law of impact of the contacts, if there are any."""
    if traced.contacts is None:
        return ()
    rate, J = "q̇" if traced.is_plain else "v", traced.shown("constraint_jacobian").letter
    M, A = (traced.shown(name).letter for name in ("mass_matrix", "gap_jacobian"))
    held, free = f" + {J}(q)ᵀ·R,    {J}(q)·({rate}⁺ - {rate}) = 0", ""
    reactions = held if traced.mechanism.closures else free
    momentum = f"{M}(q)·({rate}⁺ - {rate}) = {A}(q)ᵀ·P{reactions}"
    friction = ",    |Pₜ| ≤ μ·P" if _contacts(traced).are_rough else ""
    return (f"{momentum},    0 ≤ P ⟂ δ̇⁺ + e·min(δ̇, 0) ≥ 0{friction}",)


def impact_latex(traced: Traced) -> tuple[str, ...]:
    """Return the same in LaTeX."""
    if traced.contacts is None:
        return ()
    rate, J = r"\dot{q}" if traced.is_plain else "v", traced.shown("constraint_jacobian").latex
    M, A = (traced.shown(name).latex for name in ("mass_matrix", "gap_jacobian"))
    held = rf" + {J}(q)^{{T}}\,R, \qquad {J}(q)\,({rate}^{{+}} - {rate}) = 0"
    reactions = held if traced.mechanism.closures else ""
    momentum = rf"{M}(q)\,({rate}^{{+}} - {rate}) = {A}(q)^{{T}}\,P{reactions}"
    law = r"0 \le P \perp \dot{\delta}^{+} + e\,\min(\dot{\delta}, 0) \ge 0"
    friction = r", \qquad |P_t| \le \mu P" if _contacts(traced).are_rough else ""
    return (rf"{momentum}, \qquad {law}{friction}",)


def gap(traced: Traced) -> Array:
    """Return δ(q), shape (s,)."""
    return _rows(traced).phi


def gap_jacobian(traced: Traced) -> Array:
    """Return A(q), shape (s, nv)."""
    return _rows(traced).J


def gap_rate(traced: Traced) -> Array:
    """Return δ̇ = A v + ∂δ/∂t, shape (s,)."""
    rows = _rows(traced)
    return np.asarray(rows.J @ traced.symbols.v + rows.drift)


def impulse_matrix(traced: Traced) -> Array:
    """Return W = A M⁻¹ Aᵀ, shape (s, s)."""
    _refuse(traced, "impulse_matrix")
    A = gap_jacobian(traced)
    return np.asarray(A @ _moved(traced, A))


def impact_velocity(traced: Traced) -> Array:
    """Return v⁺, shape (nv,)."""
    _refuse(traced, "impact_velocity")
    A = gap_jacobian(traced)
    moved, e = _moved(traced, A), np.array(_contacts(traced).restitutions)
    P = ldl_solve(*ldl(np.asarray(A @ moved)), -(1.0 + e) * gap_rate(traced))
    return np.asarray(traced.symbols.v + moved @ P)


def _moved(traced: Traced, A: Array) -> Array:
    """Return M⁻¹ Aᵀ, shape (nv, s)."""
    factors = ldl(traced["mass_matrix"])
    return np.column_stack([ldl_solve(*factors, row) for row in A])


def _rows(traced: Traced) -> Rows:
    symbols = traced.symbols
    return _contacts(traced).rows(symbols.q, symbols.v, symbols.t)


def _contacts(traced: Traced) -> ContactsOfSystem:
    assert traced.contacts is not None, "checked_quantity asks for them"
    return traced.contacts


def _obstacle(traced: Traced) -> str:
    """Return why velocities after an impact are no formula; nothing where they are one."""
    if traced.mechanism.closures:
        return "of a system with loops or constraints it depends on which rows are independent"
    return "friction decides by cases" if _contacts(traced).are_rough else ""


def _refuse(traced: Traced, name: str) -> None:
    if obstacle := _obstacle(traced):
        raise ModelError(
            f"derive: {name} of {traced.mechanism.name!r} is no formula: {obstacle}; "
            "take gap and gap_jacobian, or numbers by ps.impact"
        )
