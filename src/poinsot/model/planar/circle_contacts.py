"""Circular profiles that stay in touch: a link without mass between their centres.

Two circles of radii r_a and r_b that touch from outside have centres r_a + r_b apart, one inside
the other |r_a - r_b|; their contact force is along the line of centres.  A bar with a pin in each
centre has the same one equation at all positions, 4 equations less its 3 coordinates
[Norton2012, ch. 8].
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from poinsot.errors import ModelError
from poinsot.model.checks import finite_vector
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import FRAME_NAMES, check_new_link

CIRCLES: Final = "circles"
KEYS: Final = ("id", "type", "a", "pa", "b", "pb", "radii", "internal")


def with_circle_links(block: dict[str, Any]) -> dict[str, Any]:
    """Return a description in which pairs of circles are bars without mass on two pins.

    That of ``"k"`` is called ``"k link"``; its pins are ``"k"``, on a, and ``"k pin"``, on b.
    """
    listed = block.get("joints", ())
    if not any(_is_pair(entry) for entry in listed):
        return block
    bodies, joints = dict(block.get("bodies", {})), []
    for entry in listed:
        if not _is_pair(entry):
            joints.append(entry)
            continue
        name = str(entry.get("id"))
        link, length = f"{name} link", _distance(entry)
        check_new_link(f"circles {name!r}", link, block)
        pose = _drawn_pose(entry, bodies)
        bodies[link] = {} if pose is None else {"pose": pose}
        centres = [{key: entry[key]} if key in entry else {} for key in ("pa", "pb")]
        joints.append({"id": name, "a": entry.get("a"), "b": link, **centres[0]})
        pin = {"id": f"{name} pin", "a": link, "pa": (length, 0.0), "b": entry.get("b")}
        joints.append(pin | centres[1])
    return block | {"bodies": bodies, "joints": joints}


def _is_pair(entry: object) -> bool:
    return isinstance(entry, Mapping) and entry.get("type") == CIRCLES


def _distance(entry: Mapping[str, Any]) -> float:
    """Return the distance of the centres [m]."""
    where = f"circles {entry.get('id')!r}"
    for key in entry:
        if key not in KEYS:
            raise ModelError(f"{where}: there is no key {key!r}; {suggestion(str(key), KEYS)}")
    if "radii" not in entry:
        raise ModelError(f'{where}: give the radii of both profiles [m]: "radii": (0.1, 0.02)')
    first, second = finite_vector(entry["radii"], 2, f"{where}: radii").tolist()
    if min(first, second) < 0.0:
        raise ModelError(f"{where}: radii must not be negative, got {entry['radii']!r}")
    is_internal = entry.get("internal", False)
    if not isinstance(is_internal, bool):
        raise ModelError(f"{where}: internal must be True or False, got {is_internal!r}")
    length = abs(first - second) if is_internal else first + second
    if length == 0.0:
        raise ModelError(
            f"{where}: circles of the radii {entry['radii']!r} have one centre; use a pin, or"
            " change a radius"
        )
    return float(length)


def _drawn_pose(
    entry: Mapping[str, Any], bodies: Mapping[str, Mapping[str, Any]]
) -> list[float] | None:
    """Return the pose of the bar in a drawing, from the centre on a towards that on b."""
    centres = []
    for end in ("a", "b"):
        link = entry.get(end)
        pose = (0.0, 0.0, 0.0) if link in FRAME_NAMES else bodies.get(str(link), {}).get("pose")
        if pose is None:
            return None
        x, y, angle = map(float, pose)
        c, s = np.cos(angle), np.sin(angle)
        px, py = map(float, entry.get(f"p{end}", (0.0, 0.0)))
        centres.append((x + c * px - s * py, y + s * px + c * py))
    (x, y), (to_x, to_y) = centres
    return [x, y, float(np.arctan2(to_y - y, to_x - x))]
