"""Dimensions of a planar linkage by name: "B.pa", a place of joint B, "rod.m", a mass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.higher_pair import HigherPair
from poinsot.model.planar.linkage import PlanarLinkage

OF_JOINTS: Final = {"pa": 2, "pb": 2, "ua": 0, "beta": 0}
"""Lengths of what joints have; 0: a number."""
OF_LINKS: Final = {"m": 0, "J": 0, "c": 2}
FIELDS: Final = {"m": "mass", "J": "inertia", "c": "com"}
"""Attributes of links by their keys in files."""


def dimension_names(linkage: PlanarLinkage) -> tuple[str, ...]:
    """Return the names of all dimensions."""
    of_joints = [f"{joint.name}.{key}" for joint in linkage.joints for key in OF_JOINTS]
    return (*of_joints, *(f"{link}.{key}" for link in linkage.links for key in OF_LINKS))


def dimension_size(linkage: PlanarLinkage, name: str) -> int:
    """Return the length of a dimension, 0 for a number.

    Raises:
        ModelError: There is no such dimension.
    """
    owner, _, key = name.rpartition(".")
    if owner in linkage.by_name and key in OF_JOINTS:
        return OF_JOINTS[key]
    if owner in linkage.links and key in OF_LINKS:
        return OF_LINKS[key]
    hint = suggestion(name, dimension_names(linkage))
    raise ModelError(f"dimensions: there is no {name!r}; {hint}")


def dimension_value(linkage: PlanarLinkage, name: str) -> Any:  # noqa: ANN401 (a number or two)
    """Return a dimension of the linkage."""
    dimension_size(linkage, name)
    owner, _, key = name.rpartition(".")
    if owner in linkage.by_name and key in OF_JOINTS:
        return getattr(linkage.by_name[owner], key)
    return getattr(linkage.links[owner], FIELDS[key])


def held_by_pair(linkage: PlanarLinkage, name: str) -> str:
    """Return the gear, rack or cam that a joint's dimension belongs to; empty where it is free.

    Centres, pitch circles and paths of followers follow from the places of such joints.
    """
    owner, _, key = name.rpartition(".")
    if owner not in linkage.by_name or key not in OF_JOINTS:
        return ""
    for pair in linkage.pairs:
        if isinstance(pair, HigherPair):
            paths = {joint for joint, _ in (*pair.path_a, *pair.path_b)}
            if owner in {pair.joint_a.name, pair.joint_b.name, *paths}:
                return pair.name
    return ""


def with_dimensions(linkage: PlanarLinkage, values: Mapping[str, Any]) -> PlanarLinkage:
    """Return the linkage with other values of some dimensions: numbers, batches, expressions."""
    joints, links = dict(linkage.by_name), dict(linkage.links)
    for name, value in values.items():
        dimension_size(linkage, name)
        pair = held_by_pair(linkage, name)
        if pair:
            raise ModelError(
                f"dimensions: {name!r} is of a joint of {pair!r}, whose own places and radii follow"
                " from it; describe a mechanism for each of its values"
            )
        owner, _, key = name.rpartition(".")
        if owner in joints and key in OF_JOINTS:
            joints[owner] = replace(joints[owner], **{key: value})
        else:
            links[owner] = replace(links[owner], **{FIELDS[key]: value})
    return replace(linkage, joints=tuple(joints.values()), links=links) if values else linkage
