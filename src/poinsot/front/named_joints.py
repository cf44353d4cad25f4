"""Joints by name, those that close loops and single coordinates of joints among them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import Mechanism, suggestion
from poinsot.model.coordinate_names import velocity_entries


def split_joints(
    mechanism: Mechanism, asked: str, names: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Return the velocities of joints of the tree, and the coordinates of joints that close loops.

    Args:
        mechanism: The bodies, joints and loops.
        asked: What is asked for; opens the message of an error.
        names: Of joints, or of one of several coordinates: ``"base.x"``.
    """
    if isinstance(names, str):
        raise ModelError(f"{asked}: joints must be a list of names, e.g. [{names!r}]")
    velocities, coordinates = set[int](), list[str]()
    for name in names:
        if name in mechanism.cut_joints:
            coordinates += _coordinates(mechanism, asked, name)
        elif name in mechanism.joints or "." not in str(name):
            v_slice = mechanism.v_slice(name)
            velocities |= set(range(v_slice.start, v_slice.stop))
        elif name in (words := [entry.name for entry in velocity_entries(mechanism)]):
            velocities.add(words.index(name))
        elif name in mechanism.coordinate_sizes:
            coordinates.append(name)
        else:
            hint = suggestion(name, {**mechanism.coordinate_sizes, **dict.fromkeys(words)})
            raise ModelError(f"{asked}: mechanism {mechanism.name!r} has no joint {name!r}; {hint}")
    return sorted(velocities), list(dict.fromkeys(coordinates))


def tree_velocities(mechanism: Mechanism, asked: str, names: Sequence[str]) -> tuple[int, ...]:
    """Return the velocities of joints, rejecting those that close loops: they have none."""
    cut = [name for name in names if name in mechanism.cut_joints]
    if cut and not isinstance(names, str):
        raise ModelError(
            f"{asked}: {cut[0]!r} closes a loop and has no entries in v and tau; ask for "
            "actuator_forces, which knows such joints, or keep it in the tree: "
            f"System.from_graph(..., driven=[{cut[0]!r}])"
        )
    return tuple(split_joints(mechanism, asked, names)[0])


def actuated_velocities(
    mechanism: Mechanism, asked: str, joints: Sequence[str]
) -> dict[str, list[int]]:
    """Return the numbers of the velocities of joints, those of cut ones after all others."""
    places = dict[str, list[int]]()
    ends = np.cumsum([mechanism.nv, *(loop.nv for loop in mechanism.loops)])
    for joint in dict.fromkeys(joints):
        if joint in mechanism.cut_joints:
            k = mechanism.cut_joints[joint]
            places[joint] = list(range(ends[k], ends[k + 1]))
        else:
            places[joint] = list(tree_velocities(mechanism, asked, [joint]))
    return places


def _coordinates(mechanism: Mechanism, asked: str, name: str) -> list[str]:
    """Return the names of the coordinates of a joint that closes a loop."""
    if mechanism.coordinate_sizes[name] == 1:
        return [name]
    parts = [other for other in mechanism.coordinate_sizes if other.startswith(f"{name}.")]
    if not parts and mechanism.all_joints[name].nv:
        raise ModelError(
            f"{asked}: joint {name!r}, which closes a loop, has no coordinate for each velocity; "
            "hold another one"
        )
    return parts
