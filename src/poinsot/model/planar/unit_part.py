"""A unit of a mechanism as a part: the links that it hangs on are its ports."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.higher_pair import HigherPair, PlanarPair
from poinsot.model.planar.linkage import PlanarLinkage, body_named
from poinsot.model.planar.parts import flattened
from poinsot.model.planar.system_content import OF_SYSTEM, system_content

MESHES: Final = ("gear", "rack")
"""Pairs whose offset follows from the drawing."""


def unit_block(block: Mapping[str, Any], linkage: PlanarLinkage, unit: Unit) -> dict[str, Any]:
    """Return the description of one unit of a mechanism.

    Springs between its links and those that it hangs on are its own.

    Args:
        block: Description of the mechanism.
        linkage: The linkage that it describes, with all offsets of gears.
        unit: The unit.
    """
    flat = flattened(block)
    own = [str(body) for body in unit.bodies]
    known = {linkage.frame}
    for other in linkage.units[: linkage.units.index(unit)]:
        known |= set(map(str, other.bodies))
    names = {pair.name for pair in (*unit.outer, *unit.inner)}
    for pair in linkage.pairs:
        if pair.name in names and isinstance(pair, HigherPair):
            _check_counted(pair, own, names, linkage)
    joints = [_with_offset(x, linkage) for x in flat["joints"] if str(x.get("id")) in names]
    springs = []
    for spring in flat.get("springs", ()):
        ends = {body_named(spring["a"]), body_named(spring["b"])}
        if ends & set(own) and ends <= known | set(own):
            springs.append(spring)
    content = system_content(flat).of_unit(own, known, names)
    touched = [x.get(end) for x in (*joints, *springs) for end in ("a", "b", "carrier", "partner")]
    given = [body_named(name) for name in touched if name is not None] + content.touched
    ports = [name for name in dict.fromkeys(given) if name not in (*own, linkage.frame)]
    return {
        "bodies": {name: entry for name, entry in flat["bodies"].items() if str(name) in own},
        "joints": joints,
        "drivers": list(unit.drivers),
        "gravity": flat.get("gravity", (0.0, 0.0)),
        "springs": springs,
        "ports": ports,
        **({OF_SYSTEM: content} if content else {}),
    }


def _check_counted(
    pair: PlanarPair, own: Sequence[str], names: Collection[str], linkage: PlanarLinkage
) -> None:
    """Reject units without the joints in which a gear or a cam counts turns of its links."""
    for joint in linkage.joints:
        ends = {joint.a, joint.b}
        if ends & {pair.a, pair.b} and not ends & set(own) and joint.name not in names:
            raise ModelError(
                f"unit: {pair.kind} {pair.name!r} counts in {joint.name!r}, which is no joint of"
                f" the unit {list(own)}; write a part that has both, ps.planar(..., ports=...)"
            )


def _with_offset(entry: Mapping[str, Any], linkage: PlanarLinkage) -> dict[str, Any]:
    pair = linkage.pair_by_name.get(str(entry.get("id")))
    if entry.get("type") not in MESHES or pair is None or not isinstance(pair, HigherPair):
        return dict(entry)
    return dict(entry) | {"offset": pair.offset}
