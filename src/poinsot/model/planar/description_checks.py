"""What a short description must look like before it is read: dictionaries, lists, names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME_NAMES

JOINT: Final = '[{"id": "A", "a": "ground", "b": "crank", "pa": (0, 0)}]'
DRIVERS: Final = '["A"] or [{"joint": "A", "kind": "angle"}]'
PART_KEYS: Final = ("mechanism", "ports")
PARTS: Final = '{"dyad": {"mechanism": ..., "ports": {"in": "crank"}}}'


def check_block(block: Mapping[str, Any]) -> None:
    """Reject descriptions whose entries are not of the kind that their readers expect.

    Raises:
        ModelError: It names the key, what stands there and what should.
    """
    if not isinstance(block, Mapping):
        raise ModelError(
            f"a description must be a dictionary with bodies and joints, got {block!r}"
        )
    bodies = block.get("bodies", {})
    if not isinstance(bodies, Mapping):
        raise ModelError(f"bodies must be a dictionary with names, got {bodies!r}")
    ports = _names("ports", block.get("ports", ()), '["base", "tip"]')
    for kind, names in (("body", bodies), ("port", ports)):
        for name in names:
            if name in FRAME_NAMES:
                raise ModelError(
                    f"{kind} {name!r}: this is what the link that rests is called, which needs no"
                    " entry; choose another name"
                )
    links = list(map(str, bodies))
    for kind, names in (("link", links), ("port", ports)):
        for name in names:
            if names.count(name) > 1:
                raise ModelError(f"{kind} {name!r} is there twice; give each its own name")
    for port in ports:
        if port in links:
            raise ModelError(
                f"port {port!r} is a body too; a port is a link of a larger mechanism: take it"
                " away from the bodies, or from the ports"
            )
    for entry in entries_of("joints", block):
        _check_joint(entry)
    entries_of("springs", block)
    for driver in driver_entries(block):
        if not isinstance(driver, str) and not (isinstance(driver, Mapping) and "joint" in driver):
            raise ModelError(f"drivers must be joints, e.g. {DRIVERS}, got {driver!r}")
    parts = block.get("parts", {})
    check_parts(parts)
    for entry in parts.values():
        check_block(entry["mechanism"])
    _check_modes(block.get("modes", {}))
    if not bodies and not parts:
        raise ModelError('there are no links: bodies={"crank": {"m": 1.0}}, or parts')


def entries_of(what: str, block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the descriptions of joints or springs."""
    given = block.get(what, ())
    if not isinstance(given, list | tuple) or not all(isinstance(x, Mapping) for x in given):
        raise ModelError(f"{what} must be a list of dictionaries, e.g. {JOINT}, got {given!r}")
    return list(given)


def driver_entries(block: Mapping[str, Any]) -> list[Any]:
    """Return names or descriptions of drivers."""
    driven = block.get("drivers") or ()
    driven = [driven] if isinstance(driven, str) else driven
    if not isinstance(driven, list | tuple):
        raise ModelError(f"drivers must be a list, e.g. {DRIVERS}, got {driven!r}")
    return list(driven)


def check_parts(parts: object) -> None:
    """Reject parts that are not descriptions with places of their ports, by name."""
    if not isinstance(parts, Mapping):
        raise ModelError(f"parts must be a dictionary, e.g. {PARTS}, got {parts!r}")
    for name, entry in parts.items():
        if not str(name).strip():
            raise ModelError(f"a part must have a name, e.g. {PARTS}, got {name!r}")
        if not isinstance(entry, Mapping) or not isinstance(entry.get("mechanism"), Mapping):
            raise ModelError(f"part {name!r} must be as in {PARTS}, got {entry!r}")
        for key in entry:
            if key not in PART_KEYS:
                hint = suggestion(str(key), PART_KEYS)
                raise ModelError(f"part {name!r}: there is no key {key!r}; {hint}")


def _names(what: str, given: object, example: str) -> list[str]:
    if not isinstance(given, list | tuple):
        raise ModelError(f"{what} must be a list of names, e.g. {example}, got {given!r}")
    for name in given:
        if name is None or not str(name).strip():
            raise ModelError(f"{what} must be names, e.g. {example}, got {name!r} among them")
    return [str(name) for name in given]


def _check_joint(entry: Mapping[str, Any]) -> None:
    if entry.get("id") is None:
        raise ModelError(f'a joint has no name: write "id": "A" in {dict(entry)!r}')
    for end in ("a", "b"):
        if entry.get(end) is None:
            raise ModelError(f'joint {entry["id"]!r} needs the link "{end}"; it joins two links')
    if not isinstance(entry.get("type", "R"), str):
        raise ModelError(
            f'joint {entry["id"]!r}: type must be a word such as "R" or "P", got {entry["type"]!r}'
        )


def _check_modes(modes: object) -> None:
    if not isinstance(modes, Mapping):
        raise ModelError(f'modes must be numbers by inner joints, e.g. {{"C": -1}}, got {modes!r}')
    for name, mode in modes.items():
        check_mode(str(name), mode)


def check_mode(name: str, mode: object) -> None:
    """Reject assembly modes that are no whole numbers: 1 and -1, of triads 1, 2, ..."""
    try:
        number = index(mode)  # type: ignore[arg-type]
    except TypeError:
        number = 0
    if number == 0 or number < -1:
        raise ModelError(f"modes: {name!r} must be 1 or -1, of triads 1, 2, ..., got {mode!r}")


def check_names(what: str, names: Sequence[str]) -> None:
    """Reject two springs of one name."""
    for name in names:
        if names.count(name) > 1:
            raise ModelError(f"two {what} are called {name!r}; give each its own name")
