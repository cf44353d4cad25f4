"""Loops and gears in URDF: the element ``<poinsot>``, an extension of ours that others ignore.

    <poinsot>
      <loop name="pin" type="revolute">
        <first link="rod" xyz="0.4 0 0" rpy="0 0 0"/>
        <second link="world" xyz="1 0 0"/>
        <axis xyz="0 0 1"/>
        <dynamics damping="0.1"/>
      </loop>
      <gear name="pair" first="input" second="output" ratio="-2" offset="0"/>
    </poinsot>

A loop has a type of our joints, with ``axis`` and ``axis2`` as elements, ``pitch`` and ``sequence``
as attributes; ``link="world"`` is the world, unless a link is called so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING
from typing import Any, NoReturn

from poinsot.io.native.elements import keys_of, known_types
from poinsot.io.urdf.names import apart
from poinsot.io.xml import Element
from poinsot.model import (
    WORLD,
    AbstractConstraint,
    AbstractJoint,
    Body,
    Frame,
    Gear,
    Loop,
    Pose,
    suggestion,
)

__all__ = ["DYNAMICS", "EXTENSION", "closures_of", "gears_of_mimics"]

EXTENSION = "poinsot"
"""The element in ``<robot>``."""

DYNAMICS = ("damping", "stiffness", "rest", "friction")
"""What ``<dynamics>`` of a loop may give, one number for each coordinate or one for all."""

_ZERO = (0.0, 0.0, 0.0)
_KNOWN = ("loop", "gear")


def closures_of(
    robot: Element, links: Mapping[str, str], *, passive: bool
) -> tuple[list[Loop], list[AbstractConstraint]]:
    """Return the loops and gears of a ``<robot>``.

    Args:
        robot: The ``<robot>``.
        links: Names of the bodies by those of their links.
        passive: Whether to take damping, springs and friction.
    """
    loops: list[Loop] = []
    gears: list[AbstractConstraint] = []
    for section in robot.all(EXTENSION):
        for element in section.children:
            if element.tag not in _KNOWN:
                hint = suggestion(element.tag[:60], _KNOWN)
                _refuse_unknown(element, f"<{EXTENSION}>", f"element <{element.tag[:60]}>", hint)
            name = element.text("name", element.tag)
            with element.named(f"{element.tag} {name!r}"):
                if element.tag == "loop":
                    loops.append(_loop(element, name, links, passive=passive))
                else:
                    gears.append(_gear(element, name))
    return loops, gears


def gears_of_mimics(
    bodies: Sequence[Body], gears: Sequence[AbstractConstraint]
) -> list[AbstractConstraint]:
    """Return a gear for each joint that mimics another, unless the file has that gear already.

    Args:
        bodies: The bodies, whose joints say what they mimic.
        gears: The gears of the file.
    """
    there = {
        (gear.first, gear.second, gear.ratio, gear.offset)
        for gear in gears
        if isinstance(gear, Gear)
    }
    taken = {body.joint.name or body.name for body in bodies} | {gear.name for gear in gears}
    made: list[AbstractConstraint] = []
    for body in bodies:
        mimic, joint = body.joint.mimic, body.joint.name or body.name
        if mimic is None or (mimic.joint, joint, mimic.multiplier, mimic.offset) in there:
            continue
        name = apart(f"{joint} mimics {mimic.joint}", taken)
        taken.add(name)
        made.append(Gear(name, mimic.joint, joint, mimic.multiplier, mimic.offset))
    return made


def _loop(element: Element, name: str, links: Mapping[str, str], *, passive: bool) -> Loop:
    where = f"loop {name!r}"
    _check(element, where, ("name", "type", "pitch", "sequence"))
    for child in element.children:
        if child.tag not in ("first", "second", "axis", "axis2", "dynamics"):
            hint = suggestion(child.tag[:60], ("first", "second", "axis", "axis2", "dynamics"))
            _refuse_unknown(child, where, f"element <{child.tag[:60]}>", hint)
    first, second = (_end(element.the(end, where), where, links) for end in ("first", "second"))
    return Loop(name, first, second, _joint(element, where, passive=passive))


def _end(element: Element, where: str, links: Mapping[str, str]) -> Frame:
    _check(element, where, ("link", "xyz", "rpy"))
    link = element.text("link", where)
    if link not in links and link != WORLD:
        names = (*links, WORLD)
        element.refuse(f"{where}: unknown link {link[:60]!r}; {suggestion(link[:60], names)}")
    pose = Pose(element.vector("xyz", where, _ZERO), rpy=element.vector("rpy", where, _ZERO))
    return links.get(link, WORLD), pose


def _joint(element: Element, where: str, *, passive: bool) -> AbstractJoint:
    kind = element.text("type", where)
    types = known_types("joint")
    if kind not in types:
        element.refuse(f"{where}: unknown type {kind[:60]!r}; {suggestion(kind[:60], types)}")
    make, keys = types[kind], keys_of(types[kind])
    given: dict[str, Any] = {}
    for key in ("axis", "axis2"):
        child = element.first(key)
        if child is not None:
            _check(child, where, ("xyz",))
            given[key] = tuple(child.numbers("xyz", where, 3))
    if "pitch" in element.attributes:
        given["pitch"] = element.number("pitch", where)
    if "sequence" in element.attributes:
        given["sequence"] = element.text("sequence", where)
    for key in given:
        if key not in keys:
            _refuse_unknown(element, where, f"{key!r}", f"a {kind} joint has none")
    for key, declaration in keys.items():
        if declaration.default is MISSING and key not in given:
            element.refuse(f"{where}: a {kind} joint must have {key!r}")
    dynamics = element.first("dynamics")
    if dynamics is not None:
        _check(dynamics, where, DYNAMICS)
        size = make(**given).nv
        for key in DYNAMICS if passive else ():
            if key in dynamics.attributes:
                numbers = dynamics.numbers(key, where, 1, max(size, 1))
                given[key] = numbers[0] if len(numbers) == 1 else tuple(numbers)
    joint: AbstractJoint = make(**given)
    return joint


def _gear(element: Element, name: str) -> Gear:
    where = f"gear {name!r}"
    _check(element, where, ("name", "first", "second", "ratio", "offset"))
    first, second = (element.text(key, where) for key in ("first", "second"))
    offset = element.number("offset", where, 0.0)
    return Gear(name, first, second, element.number("ratio", where), offset)


def _check(element: Element, where: str, keys: Sequence[str]) -> None:
    """Reject attributes that our extension does not have."""
    for key in element.attributes:
        if key not in keys:
            hint = suggestion(key[:60], keys)
            _refuse_unknown(element, where, f"attribute {key[:60]!r} of <{element.tag}>", hint)


def _refuse_unknown(element: Element, where: str, what: str, hint: str) -> NoReturn:
    element.refuse(f"{where} has the unknown {what}; {hint}")
