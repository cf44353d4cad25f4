"""Quantities of a mechanism by the names that formulas have for them.

=====================================  =======================================================
``energy``                             kinetic and potential energy [J]
``kinetic_energy, potential_energy``   [J]
``centre_of_mass.x, .y, .z``           of all bodies, world axes [m]
``pose.tool.x, .y, .z``                origin of the body "tool", world axes [m]
``velocity.tool.x, .y, .z``            velocity of that point, world axes [m/s]
``velocity.tool.wx, .wy, .wz``         angular velocity of the body, world axes [rad/s]
``speed.tool``                         length of the velocity of its origin [m/s]
=====================================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.inlining import inlined
from poinsot.evaluate.request import NO_LOADS, RECURSIVE, Request, request_for
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Scalar, sqrt
from poinsot.model import Mechanism, suggestion
from poinsot.spatial import Array

Symbols: TypeAlias = Mapping[str, Array]
"""Those of t, q, v, ... by name."""

_NO_WORD = re.compile(r"[^\w.]+")

AXES: Final = ("x", "y", "z")
TURNS: Final = ("wx", "wy", "wz")


_WHOLE: Final[Mapping[str, Mapping[str, int | tuple[()]]]] = {
    "energy": {"kinetic_energy": (), "potential_energy": ()},
    "kinetic_energy": {"kinetic_energy": ()},
    "potential_energy": {"potential_energy": ()},
    **{f"centre_of_mass.{axis}": {"centre_of_mass": k} for k, axis in enumerate(AXES)},
}
"""Names of what belongs to the whole system: a sum of quantities, or of an entry of each."""
_OF_BODIES: Final = ("pose", "velocity", "speed")


def formula_word(name: str) -> str:
    """Return the name of a joint or body as formulas write it without quotes.

    >>> formula_word("upper arm/1")
    'upper_arm_1'
    """
    return _NO_WORD.sub("_", name)


def is_quantity(name: str) -> bool:
    """Say whether a name in a formula stands for a quantity rather than for a coordinate."""
    kind, dot, _ = name.partition(".")
    return name in _WHOLE or (bool(dot) and kind in _OF_BODIES)


def quantity_value(mechanism: Mechanism, name: str, symbols: Symbols) -> Scalar:
    """Return a quantity in terms of symbols.

    Args:
        mechanism: The bodies; where it has free parameters, the quantity depends on them.
        name: As in the table above; names with blanks or dots in quotes.
        symbols: Those of t, q and v.

    Raises:
        FormulaError: If there is no such body or component.
    """
    if name in _WHOLE:
        entries = [
            _quantity(mechanism, request_for(quantity), symbols)[entry]
            for quantity, entry in _WHOLE[name].items()
        ]
        total: Scalar = np.sum(entries)
        return total
    kind, word, component = _parts(name)
    body = _body(mechanism, name, word)
    choices = {"pose": AXES, "velocity": (*AXES, *TURNS), "speed": ("",)}[kind]
    if component not in choices:
        listed = ", ".join(f"{kind}.{body}.{choice}".rstrip(".") for choice in choices)
        raise FormulaError(f"{name!r}: known are {listed}")
    index = mechanism.index(body)
    if kind == "pose":
        request = request_for("pose", RECURSIVE, NO_LOADS, index, "body")
        place: Scalar = _quantity(mechanism, request, symbols)[AXES.index(component), 3]
        return place
    request = request_for("velocity", RECURSIVE, NO_LOADS, index, "world")
    velocity = _quantity(mechanism, request, symbols)
    if kind == "speed":
        return sqrt(np.dot(velocity[:3], velocity[:3]))
    moving: Scalar = velocity[choices.index(component)]
    return moving


def _body(mechanism: Mechanism, name: str, word: str) -> str:
    """Return the body that is called so, or so with ``_`` for what names in formulas may not have.

    Args:
        mechanism: The bodies.
        name: The whole name, for the message of an error.
        word: Its part that stands for a body.
    """
    known = [body.name for body in mechanism.bodies]
    if word in known:
        return word
    meant = [body for body in known if formula_word(body) == word]
    if len(meant) > 1:
        listed = " or ".join(f'"{body}"' for body in meant)
        raise FormulaError(f"{name!r} may be one of several bodies; write {listed}, with quotes")
    if not meant:
        raise FormulaError(f"{name!r}: there is no body {word!r}; {suggestion(word, known)}")
    return meant[0]


def _quantity(mechanism: Mechanism, request: Request, symbols: Symbols) -> Array:
    kernel = evaluators_of(mechanism).find(request).kernel
    known = {**symbols, **parameter_symbols(mechanism), "point": np.zeros(3)}
    inputs = tuple(known[port.name] for port in kernel.signature.inputs)
    return np.asarray(inlined(request.quantity, mechanism.name, kernel, inputs), dtype=object)


def _parts(name: str) -> tuple[str, str, str]:
    """Return kind, body and component of ``pose.tool.z`` or ``pose."upper arm".z``."""
    kind, _, rest = name.partition(".")
    quote = rest[:1]
    if quote in ("'", '"') and quote:
        body, _, tail = rest[1:].partition(quote)
        return kind, body, tail.removeprefix(".")
    body, dot, component = rest.rpartition(".")
    return (kind, body, component) if dot else (kind, rest, "")
