"""Mechanisms as parts of larger ones: their ports are links of these, to any depth.

A part is a description of its own whose ``ports`` are links that it does not have.  In the larger
one each port is a link, or a place on one: {"base": "ground", "tip": ["rocker", [0.1, 0, 0]]}.
Links, joints, drivers and modes of the part get its name in front, "dyad.rod", so that the same
part can be used twice.  Units are found in the whole: nested and flat ones compute the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.circle_contacts import with_circle_links
from poinsot.model.planar.curve_pair import CURVE, TANGENT
from poinsot.model.planar.frame_names import FRAME_NAMES, check_new_link
from poinsot.model.planar.pair_description import PAIR_KEYS as PAIR_TYPES
from poinsot.model.planar.port_places import PortPlace, check_hosts, port_places
from poinsot.model.planar.profile_contacts import with_contact_links
from poinsot.model.planar.system_content import OF_SYSTEM, system_content

ON_CURVES = (CURVE, TANGENT)
SLOT = "slot"
SLOT_KEYS = ("id", "type", "a", "pa", "ua", "b", "pb", "mu")
"""Of a pin in a slot: pb of b slides along the line through pa of a, and b turns about it."""


def flattened(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description without parts, their links and joints among its own.

    Raises:
        ModelError: A part lacks a port, has one that there is not or links called like others.
    """
    flat = {key: value for key, value in block.items() if key != "parts"}
    flat = with_contact_links(with_circle_links(_with_blocks(flat)))
    placed: dict[str, dict[str, PortPlace]] = {}
    for name, entry in block.get("parts", {}).items():
        inner, owner = flattened(entry["mechanism"]), str(name)
        wanted = list(map(str, inner.get("ports", ())))
        placed[owner] = port_places(owner, entry.get("ports", {}), wanted)
        flat = _joined(flat, owner, inner, placed[owner])
    known = [str(link) for link in (*flat.get("bodies", {}), *flat.get("ports", ()))]
    for owner, places in placed.items():
        check_hosts(owner, places, known)
    return flat


def named_parts(block: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the parts of a description to any depth; those of parts are called "outer.inner"."""
    named: dict[str, Mapping[str, Any]] = {}
    for name, entry in block.get("parts", {}).items():
        named[str(name)] = entry
        inner = named_parts(entry["mechanism"])
        named |= {f"{name}.{key}": within for key, within in inner.items()}
    return named


def replaced_part(block: Mapping[str, Any], name: str, other: Mapping[str, Any]) -> dict[str, Any]:
    """Return a description with another mechanism as one of its parts, to any depth.

    Modes that were said of the part go with it.

    Args:
        block: The description.
        name: One of ``named_parts``.
        other: The description that takes its place.
    """
    parts = dict(block["parts"])
    owner = next(
        key for key, entry in parts.items()
        if name == str(key)
        or (name.startswith(f"{key}.")
            and name.removeprefix(f"{key}.") in named_parts(entry["mechanism"]))
    )  # fmt: skip
    inner = parts[owner]["mechanism"]
    if name == str(owner):
        inner = other
    else:
        inner = replaced_part(inner, name.removeprefix(f"{owner}."), other)
    parts[owner] = {**parts[owner], "mechanism": inner}
    modes = {k: v for k, v in block.get("modes", {}).items() if not k.startswith(f"{name}.")}
    return dict(block) | {"parts": parts, "modes": modes}


def _with_blocks(block: dict[str, Any]) -> dict[str, Any]:
    """Return a description whose pins in slots are blocks without mass, each on a slide."""
    listed = block.get("joints", ())
    slots = [x for x in listed if isinstance(x, Mapping) and x.get("type") == SLOT]
    if not slots:
        return block
    bodies, joints = dict(block.get("bodies", {})), []
    for joint in listed:
        if not isinstance(joint, Mapping) or joint.get("type") != SLOT:
            joints.append(joint)
            continue
        for key in joint:
            if key not in SLOT_KEYS:
                hint = suggestion(key, SLOT_KEYS)
                raise ModelError(f"slot {joint.get('id')!r}: there is no key {key!r}; {hint}")
        name = str(joint.get("id"))
        body = f"{name} block"
        check_new_link(f"slot {name!r}", body, block)
        bodies[body] = {"pose": _block_pose(joint, bodies)} if _drawn(joint, bodies) else {}
        guide = {key: joint[key] for key in ("pa", "ua", "mu") if key in joint}
        joints.append({"id": name, "type": "P", "a": joint.get("a"), "b": body, **guide})
        end = {"pb": joint["pb"]} if "pb" in joint else {}
        joints.append({"id": f"{name} pin", "type": "R", "a": body, "b": joint.get("b"), **end})
    return block | {"bodies": bodies, "joints": joints}


def _drawn(joint: Mapping[str, Any], bodies: Mapping[str, Any]) -> bool:
    ends = [joint.get("a"), joint.get("b")]
    return all(x in FRAME_NAMES or "pose" in bodies.get(str(x), {}) for x in ends)


def _block_pose(joint: Mapping[str, Any], bodies: Mapping[str, Any]) -> list[float]:
    """Return where the block of a slot is drawn: at its pin, turned as the guide's link."""
    poses = [
        (0.0, 0.0, 0.0) if joint[end] in FRAME_NAMES else bodies[joint[end]]["pose"]
        for end in ("a", "b")
    ]
    x, y, angle = poses[1]
    c, s = np.cos(angle), np.sin(angle)
    px, py = joint.get("pb", (0.0, 0.0))
    return [float(x + c * px - s * py), float(y + s * px + c * py), float(poses[0][2])]


def _joined(
    flat: Mapping[str, Any], name: str, inner: Mapping[str, Any], ports: Mapping[str, PortPlace]
) -> dict[str, Any]:
    for body in inner.get("bodies", {}):
        check_new_link(f"part {name!r}", f"{name}.{body}", flat)
    # Poses in the drawing of a part say nothing about the whole; its modes stay.
    bodies = {
        f"{name}.{body}": {key: value for key, value in entry.items() if key != "pose"}
        for body, entry in inner.get("bodies", {}).items()
    }
    joints = [_moved(joint, name, ports) for joint in inner.get("joints", ())]
    drivers = [
        f"{name}.{entry}"
        if isinstance(entry, str)
        else entry | {"joint": f"{name}.{entry['joint']}"}
        for entry in inner.get("drivers", ())
    ]
    springs = [_moved(spring, name, ports) for spring in inner.get("springs", ())]
    modes = {f"{name}.{joint}": mode for joint, mode in inner.get("modes", {}).items()}
    content = system_content(flat).joined(name, system_content(inner).moved(name, ports))
    return (
        dict(flat)
        | ({OF_SYSTEM: content} if content else {})
        | {
            "bodies": {**flat.get("bodies", {}), **bodies},
            "joints": [*flat.get("joints", ()), *joints],
            "drivers": [*flat.get("drivers", ()), *drivers],
            "springs": [*flat.get("springs", ()), *springs],
            "modes": {**modes, **flat.get("modes", {})},  # the larger one has the last word
        }
    )


def _moved_pair(moved: dict[str, Any], name: str, ports: Mapping[str, PortPlace]) -> dict[str, Any]:
    """Return a gear, rack or cam of a part between links of the whole."""
    for end in ("a", "b", "carrier"):
        link = moved.get(end, 0)
        moved[end], pose = _host(link, name, ports)
        if pose[2]:
            raise ModelError(
                f"part {name!r}: port {link!r} of {moved['id']!r} must not be turned on its link,"
                f" got {pose[2]:g} rad; turn the link"
            )
        if end == "b" and "point" in moved:  # of a cam's follower, in the frame of the port
            x, y = moved["point"]
            moved["point"] = (pose[0] + x, pose[1] + y)
    return moved


def _host(link: Any, name: str, ports: Mapping[str, PortPlace]) -> PortPlace:  # noqa: ANN401
    """Return the link of the whole that a link of a part is, or is on."""
    rest = (0.0, 0.0, 0.0)
    return ports.get(str(link), (link if link in FRAME_NAMES else f"{name}.{link}", rest))


def _moved(joint: Mapping[str, Any], name: str, ports: Mapping[str, PortPlace]) -> dict[str, Any]:
    """Return a joint of a part between links of the whole."""
    moved = dict(joint) | {"id": f"{name}.{joint['id']}"}
    if joint.get("type") in PAIR_TYPES and joint["type"] not in ON_CURVES:
        return _moved_pair(moved, name, ports)
    if "partner" in joint:
        moved["partner"] = _host(joint["partner"], name, ports)[0]
    for end in ("a", "b"):
        moved[end], pose = _host(joint[end], name, ports)
        if not any(pose):
            continue
        x, y = joint.get(f"p{end}", (0.0, 0.0))
        c, s = np.cos(pose[2]), np.sin(pose[2])
        moved[f"p{end}"] = (pose[0] + c * x - s * y, pose[1] + s * x + c * y)
        turn = pose[2] if end == "a" else -pose[2]
        if joint.get("type") == "P" and pose[2]:
            moved["beta"] = moved.get("beta", 0.0) + turn
            moved["ua"] = moved.get("ua", 0.0) + (pose[2] if end == "a" else 0.0)
        elif joint.get("type") in ON_CURVES and end == "a":
            moved["ua"] = moved.get("ua", 0.0) + pose[2]
    return moved
