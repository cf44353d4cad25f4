"""Where the parameters of a system stand, in words for the table of symbols."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final

from poinsot.model import Mechanism
from poinsot.model.parameters import names_in

MOST: Final = 3
"""Places that are told of a parameter."""

_OF_BODIES: Final = {"pose": "pose", "mass": "mass", "com": "mass centre", "inertia": "inertia"}


def places(mechanism: Mechanism) -> dict[str, str]:
    """Return what each parameter is in, e.g. "parameter in mass of upper, inertia of upper"."""
    found: dict[str, dict[str, None]] = {}
    for place, names in _places(mechanism):
        for name in names:
            found.setdefault(name, {})[place] = None
    return {name: _told(list(those)) for name, those in found.items()}


def _told(those: list[str]) -> str:
    return "parameter in " + ", ".join(those[:MOST]) + (", ..." if len(those) > MOST else "")


def _places(mechanism: Mechanism) -> Iterator[tuple[str, list[str]]]:
    """Return parts of the description and the names of the parameters in them."""
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
    for part in fields(thing):
        yield f"{part.name} of {whose}", names_in(getattr(thing, part.name))
