"""Quantities of a mechanism by the names that formulas have for them.

=====================================  =======================================================
``energy``                             kinetic and potential energy [J]
``kinetic_energy, potential_energy``   [J]
``centre_of_mass.x, .y, .z``           of all bodies, world axes [m]
``pose.tool.x, .y, .z``                origin of the body "tool", world axes [m]
``velocity.tool.x, .y, .z``            velocity of that point, world axes [m/s]
``velocity.tool.wx, .wy, .wz``         angular velocity of the body, world axes [rad/s]
``angle.tool.x, .y, .z``               turn of the body about an axis of the world [rad]
``speed.tool``                         length of the velocity of its origin [m/s]
``force.strut, power.strut``           of the force element "strut" [N or N m, W]
``length.strut, rate.strut``           its length or coordinate, and its rate [m or rad, per s]
``rate.pressure``                      rate of the further state "pressure"
=====================================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError
from poinsot.evaluate.evaluator import evaluators_of
from poinsot.evaluate.inlining import inlined
from poinsot.evaluate.request import NO_LOADS, RECURSIVE, Request, request_for
from poinsot.evaluate.trace import parameter_symbols
from poinsot.expr import Scalar, sqrt
from poinsot.model import Mechanism, suggestion
from poinsot.spatial import Array, angle_about

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
_OF_BODIES: Final = ("pose", "velocity", "speed", "angle")
_OF_ELEMENTS: Final = ("force", "power", "length", "rate")


def formula_word(name: str) -> str:
    """Return the name of a joint or body as formulas write it without quotes.

    >>> formula_word("upper arm/1")
    'upper_arm_1'
    """
    return _NO_WORD.sub("_", name)


def is_quantity(name: str) -> bool:
    """Say whether a name in a formula stands for a quantity rather than for a coordinate."""
    kind, dot, _ = name.partition(".")
    return name in _WHOLE or (bool(dot) and kind in (*_OF_BODIES, *_OF_ELEMENTS))


def is_formula(mechanism: Mechanism, text: str) -> bool:
    """Say whether a text is meant as a formula, and not as the name of a registered quantity."""
    return not text.isidentifier() or is_quantity(text) or text in mechanism.all_joints


def quantity_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the names of all quantities in formulas, as they are written without quotes."""
    bodies = [formula_word(body.name) for body in mechanism.bodies]
    elements = [formula_word(force.name) for force in mechanism.forces if force.name is not None]
    return (
        *_WHOLE,
        *(f"{kind}.{body}.{axis}" for kind in ("pose", "velocity", "angle")
          for body in bodies for axis in AXES),
        *(f"velocity.{body}.{axis}" for body in bodies for axis in TURNS),
        *(f"speed.{body}" for body in bodies),
        *(f"{kind}.{element}" for kind in _OF_ELEMENTS for element in elements),
        *(word.removeprefix("q.") for word in loop_coordinates(mechanism)),
    )  # fmt: skip


def loop_coordinates(mechanism: Mechanism) -> dict[str, str]:
    """Return coordinates of joints that close loops, by the names of them and of their velocities.

    ``q.pin`` is between -π and π where the joint turns, ``v.pin`` its velocity.
    """
    coordinates = [
        name
        for name, size in mechanism.coordinate_sizes.items()
        if size == 1 and mechanism.joint_and_entry(name)[0] in mechanism.cut_joints
    ]
    return {f"{key}.{formula_word(name)}": name for key in "qv" for name in coordinates}


def loop_coordinate(mechanism: Mechanism, word: str, symbols: Symbols) -> Scalar:
    """Return a coordinate or velocity of a joint that closes a loop in terms of symbols.

    Args:
        mechanism: The bodies and loops.
        word: One of ``loop_coordinates``, whose ``q.`` may be left out.
        symbols: Those of t, q and v.
    """
    from poinsot.formulations.constrained.mechanism_view import MechanismView

    names = loop_coordinates(mechanism)
    word = word if word in names else f"q.{word}"
    joint, entry = mechanism.joint_and_entry(names[word])
    view = MechanismView(mechanism, symbols["q"], symbols["v"], symbols["t"][0])
    motion = view.joint_motion(joint)
    value: Scalar = (motion.q if word.startswith("q.") else motion.v)[entry or 0]
    return value


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
    if name.partition(".")[0] in _OF_ELEMENTS:
        return _of_element(mechanism, name, symbols)
    kind, word, component = _parts(name)
    body = _body(mechanism, name, word)
    choices = {"velocity": (*AXES, *TURNS), "speed": ("",)}.get(kind, AXES)
    if component not in choices:
        known = f"{kind}.{formula_word(body)}"
        listed = ", ".join(f"{known}.{choice}".rstrip(".") for choice in choices)
        raise FormulaError(f"{name!r}: known are {listed}")
    index = mechanism.index(body)
    if kind in ("pose", "angle"):
        request = request_for("pose", RECURSIVE, NO_LOADS, index, "body")
        pose = _quantity(mechanism, request, symbols)
        axis = AXES.index(component)
        if kind == "angle":
            turned: Scalar = angle_about(np.eye(3)[axis], pose[:3, :3])
            return turned
        place: Scalar = pose[axis, 3]
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
    return _meant(name, word, [body.name for body in mechanism.bodies], ("body", "bodies"))


def _meant(name: str, word: str, known: Sequence[str], kinds: tuple[str, str]) -> str:
    """Return which of the known names is meant.

    Args:
        name: The whole name, for the message of an error.
        word: Its part that stands for one of them.
        known: The names.
        kinds: What has them: one, and several.
    """
    if word in known:
        return word
    meant = [other for other in known if formula_word(other) == word]
    if len(meant) > 1:
        listed = " or ".join(f'"{other}"' for other in meant)
        raise FormulaError(
            f"{name!r} may be one of several {kinds[1]}; write {listed}, with quotes"
        )
    if not meant:
        hint = suggestion(word, known) if known else "the system has none with a name"
        raise FormulaError(f"{name!r}: there is no {kinds[0]} {word!r}; {hint}")
    return meant[0]


def _of_element(mechanism: Mechanism, name: str, symbols: Symbols) -> Scalar:
    """Return what a force element does (``formulations/element_state.py``)."""
    from poinsot.formulations.element_state import element_state

    kind, _, word = name.partition(".")
    named = {force.name: force for force in mechanism.forces if force.name is not None}
    meant = _meant(name, word.strip("'\""), list(named), ("force element", "force elements"))
    state = element_state(mechanism, named[meant], symbols["q"], symbols["v"], symbols["t"][0])
    value: Scalar | None = getattr(state, kind)
    if value is None:
        raise FormulaError(f"{name!r}: force element {meant!r} has no {kind}")
    return value


def _quantity(mechanism: Mechanism, request: Request, symbols: Symbols) -> Array:
    kernel = evaluators_of(mechanism).find(request).kernel
    known = {**symbols, **parameter_symbols(mechanism), "point": np.zeros(3)}
    inputs = tuple(known[port.name] for port in kernel.signature.inputs)
    return np.asarray(inlined(mechanism, request, kernel, inputs), dtype=object)


def _parts(name: str) -> tuple[str, str, str]:
    """Return kind, body and component of ``pose.tool.z`` or ``pose."upper arm".z``."""
    kind, _, rest = name.partition(".")
    quote = rest[:1]
    if quote in ("'", '"') and quote:
        body, _, tail = rest[1:].partition(quote)
        return kind, body, tail.removeprefix(".")
    body, dot, component = rest.rpartition(".")
    return (kind, body, component) if dot else (kind, rest, "")
