"""Restitution and friction of contacts that are formulas of parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, symbol
from poinsot.expr.derivative import jacobian
from poinsot.expr.substitute import substitute, symbol_names
from poinsot.impacts.contact import Contact
from poinsot.spatial import Array, Scalar

__all__ = ["COEFFICIENTS", "coefficient_slopes", "with_coefficients"]

COEFFICIENTS: Final = ("restitution", "friction", "tangential_restitution")


def with_coefficients(
    where: str, contacts: Sequence[Contact], values: Mapping[str, float]
) -> tuple[Contact, ...]:
    """Return contacts with numbers in place of formulas.

    Args:
        where: Opens the message of an error.
        contacts: The contacts.
        values: Of parameters, by name.

    Raises:
        ModelError: If a parameter has no number, or a coefficient is outside its range.
    """
    return tuple(_with_numbers(where, contact, values) for contact in contacts)


def _with_numbers(where: str, contact: Contact, values: Mapping[str, float]) -> Contact:
    formulas = {key: x for key in COEFFICIENTS if isinstance(x := getattr(contact, key), Expr)}
    for key, formula in formulas.items():
        for name in symbol_names(formula):
            if name not in values:
                raise ModelError(
                    f"{where}: contact {contact.name!r}: {key} depends on {name!r}, which is no "
                    "parameter of the system with a number; give it one, or write a number"
                )
    if not formulas:
        return contact
    numbers: dict[str, Any] = {key: substitute(x, values) for key, x in formulas.items()}
    return replace(contact, **numbers)


def coefficient_slopes(
    key: str, contacts: Sequence[Contact], values: Mapping[str, float], names: Sequence[str]
) -> Array:
    """Return how a coefficient of contacts changes with parameters, shape (s, p).

    Args:
        key: Which coefficient.
        contacts: The contacts, with formulas, s of them.
        values: Of parameters, by name.
        names: Those to differentiate by, p of them.

    Raises:
        ModelError: If friction that is 0 changes, which it does to one side only.
    """
    slopes = np.zeros((len(contacts), len(names)))
    by = np.array([symbol(name) for name in names], object)
    for row, contact in zip(slopes, contacts, strict=True):
        formula: Scalar = getattr(contact, key)
        if not isinstance(formula, Expr) or not names:
            continue
        slope = jacobian(np.array([formula], object), by)[0]
        row[:] = [substitute(x, values) if isinstance(x, Expr) else float(x) for x in slope]
        if key == "friction" and row.any() and substitute(formula, values) == 0.0:
            raise ModelError(
                f"contact {contact.name!r}: its friction is 0 and has a derivative to one side "
                f"only; differentiate by others than {', '.join(map(repr, names))}, or start "
                "from more friction"
            )
    return slopes
