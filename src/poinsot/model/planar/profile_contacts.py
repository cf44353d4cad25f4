"""Two profiles that stay in touch: a link without mass where they do.

It has the point of contact as its origin and the common tangent as its x axis.  Its point is on
both curves, its axis is along both of them: four equations for its three coordinates leave one
between the two links, as it must be, and the derivatives of the place of contact come out with
those of all other places [Norton2012, ch. 8].  The force on it is that of the contact.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.curve_pair import CURVE, TANGENT
from poinsot.model.planar.frame_names import check_new_link

PROFILES: Final = "profiles"
KEYS: Final = (
    "id", "type", "a", "pa", "ua", "profile_a", "curve_a", "b", "pb", "ub", "profile_b", "curve_b",
    "at",
)  # fmt: skip


def with_contact_links(block: dict[str, Any]) -> dict[str, Any]:
    """Return a description in which profiles that touch are four pairs with a link of their own.

    That of ``"k"`` is called ``"k contact"``; its pairs are ``"k"``, on the curve of a, ``"k on
    b"``, ``"k along a"`` and ``"k along b"``.
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
        _check(entry, f"profiles {name!r}")
        check_new_link(f"profiles {name!r}", f"{name} contact", block)
        bodies[f"{name} contact"] = {}
        for end, shown, axis in (("a", name, f"{name} along a"), ("b", f"{name} on b",
                                                                   f"{name} along b")):  # fmt: skip
            side = {"a": entry[end], "b": f"{name} contact"} | {
                key: entry[given]
                for key, given in (("pa", f"p{end}"), ("ua", f"u{end}"),
                                   ("profile", f"profile_{end}"), ("curve", f"curve_{end}"))
                if given in entry
            }  # fmt: skip
            start = {"at": entry["at"]} if "at" in entry else {}
            helper = {"partner": entry["b"]} if end == "a" else {"helper": True}
            joints.append({"id": shown, "type": CURVE, **side, **start, **helper})
            joints.append({"id": axis, "type": TANGENT, **side, "helper": True})
    return block | {"bodies": bodies, "joints": joints}


def profile_formula(profile: str) -> str:
    """Return the formula of x and y that is zero on a profile, r = R(φ)."""
    radius = re.sub(r"\bphi\b", "atan2(y, x)", profile)
    return f"sqrt(x**2 + y**2) - ({radius})"


def _is_pair(entry: object) -> bool:
    return isinstance(entry, Mapping) and entry.get("type") == PROFILES


def _check(entry: Mapping[str, Any], where: str) -> None:
    for key in entry:
        if key not in KEYS:
            raise ModelError(f"{where}: there is no key {key!r}; {suggestion(str(key), KEYS)}")
    for end in ("a", "b"):
        if end not in entry:
            raise ModelError(f"{where}: name the link {end!r} with one of the profiles")
        given = [key for key in (f"profile_{end}", f"curve_{end}") if key in entry]
        if len(given) != 1:
            raise ModelError(
                f"{where}: give profile_{end}, the radius over phi, or curve_{end}, a formula of x"
                f" and y, one of them, got {given or 'none'}"
            )
    if entry["a"] == entry["b"]:
        raise ModelError(f"{where}: both profiles are on {entry['a']!r}; name another link")
