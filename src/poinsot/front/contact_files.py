"""Contacts of runs in files: trees of plain values, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr import Expr, formula_text
from poinsot.front.contact_law import ImpactLaw
from poinsot.front.system import System
from poinsot.impacts.contact import Contact
from poinsot.io import native
from poinsot.io.native.node import Node
from poinsot.model import Mechanism
from poinsot.simulation.files.saved_simulation import mechanism_from_tree
from poinsot.simulation.laws.callback import Callback

__all__ = ["contacts_from_tree", "contacts_tree"]

NUMBERS: Final = ("restitution", "resolution", "friction")
LATER: Final = ("tangential_restitution",)
"""Numbers that files of earlier versions do not have."""
TEXTS: Final = ("law", "order")
OLD_LAWS: Final = {"newton": "unilateral"}
"""Names of laws in files of earlier versions."""
KEYS: Final = ("kind", "system", "contacts", "parameters")


def contacts_tree(law: ImpactLaw) -> dict[str, Any]:
    """Return the contacts of a law of impact, and what they act on, as a tree.

    Raises:
        PoinsotError: If one is a Python function, which no file holds.
    """
    gaps = [contact.constraint for contact in law.formulas]
    return {
        "kind": "contacts",
        "system": native.native_from_mechanism(law.description.with_constraints(gaps)),
        "contacts": [
            {key: _written(getattr(contact, key)) for key in (*NUMBERS, *LATER, *TEXTS)}
            for contact in law.formulas
        ],
        "parameters": {name: np.asarray(x).item() for name, x in (law.parameters or {}).items()},
    }


def _written(number: Any) -> Any:  # noqa: ANN401 (numbers, formulas, texts)
    return formula_text(number) if isinstance(number, Expr) else number


def contacts_from_tree(mechanism: Mechanism, node: Node) -> Callback:
    """Return the law of impact that ``contacts_tree`` wrote, as a reset."""
    given = node.fields(KEYS, KEYS)
    whole = mechanism_from_tree(given["system"])
    listed = replace(given["contacts"], parameters=dict(whole.parameters)).entries()
    first = len(whole.constraints) - len(listed)
    if first < 0 or not listed:
        raise given["contacts"].must_be("a list with an entry for each contact of the system")
    contacts = []
    for constraint, entry in zip(whole.constraints[first:], listed, strict=True):
        fields = entry.fields((*NUMBERS, *LATER, *TEXTS), (*NUMBERS, *TEXTS))
        values: dict[str, Any] = {key: fields[key].text() for key in TEXTS}
        values |= {key: x.number() for key, x in fields.items() if key not in TEXTS}
        values["law"] = OLD_LAWS.get(values["law"], values["law"])
        try:
            contacts.append(Contact(constraint, **values))
        except PoinsotError as error:
            raise entry.error(str(error)) from None
    system = System.from_mechanism(whole.rebuilt(constraints=whole.constraints[:first]))
    if (system.nq, system.nv) != (mechanism.nq, mechanism.nv):
        raise given["system"].error("must be the system of the run")
    parameters = given["parameters"]
    names = list(parameters.value) if isinstance(parameters.value, dict) else []
    values = {name: float(x.number()) for name, x in parameters.fields(names, ()).items()}
    return Callback(ImpactLaw(system, tuple(contacts), values or None).velocities)
