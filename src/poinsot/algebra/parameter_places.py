"""The occurrences of a system's parameters, in words for the table of symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from poinsot.model import Mechanism
from poinsot.model.parameters import names_in

MOST: Final = 3
"""Occurrences of a parameter that are listed."""

_OF_BODIES: Final = {"pose": "pose", "mass": "mass", "com": "mass centre", "inertia": "inertia"}


def parameter_owners(mechanism: Mechanism) -> dict[str, str]:
    """Return the occurrences of each parameter, e.g. "parameter in mass of upper, com of upper"."""
    owners: dict[str, dict[str, None]] = {}
    for owner, names in _owners(mechanism):
        for name in names:
            owners.setdefault(name, {})[owner] = None
    return {name: _told(list(those)) for name, those in owners.items()}


def _told(those: list[str]) -> str:
    return "parameter in " + ", ".join(those[:MOST]) + (", ..." if len(those) > MOST else "")


def _owners(mechanism: Mechanism) -> Iterator[tuple[str, list[str]]]:
    """Return the elements of the description and the names of the parameters in them."""
    yield "gravity", names_in(mechanism.gravity)
    for body, joint in zip(mechanism.bodies, mechanism.joint_names, strict=True):
        for field, word in _OF_BODIES.items():
            yield f"{word} of {body.name}", names_in(getattr(body, field))
        yield from _fields(body.joint, f"joint {joint}")
    for force in mechanism.forces:
        whose = force.kind if force.name is None else f"{force.kind} {force.name}"
        yield from _fields(force, whose)
        yield whose, sorted(force.parameters)  # of formulas, which are text
    for closure in mechanism.closures:
        yield closure.name, names_in(closure)


def _fields(thing: Any, whose: str) -> Iterator[tuple[str, list[str]]]:  # noqa: ANN401
    for field in fields(thing):
        yield f"{field.name} of {whose}", names_in(getattr(thing, field.name))
