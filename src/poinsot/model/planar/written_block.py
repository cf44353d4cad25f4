"""The short description of a planar linkage, as files hold it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.model.planar.system_content import OF_SYSTEM, SystemContent

WRITTEN: Final = ("k", "c", "rest", "armature", "mu", "radius", "length", "slip")
"""Keys of joints that are written where they are not zero."""


def written_block(linkage: PlanarLinkage) -> dict[str, Any]:
    """Return the short description that ``read_linkage`` reads.

    What comes from a System stands under a key of its own and is none that files can hold.
    """
    bodies = {}
    for name, link in linkage.links.items():
        bodies[name] = {"m": link.mass, "J": link.inertia, "c": np.array(link.com).tolist()}
        if link.pose is not None:
            bodies[name]["pose"] = np.array(link.pose).tolist()
        if link.points:
            points = link.points.items()
            bodies[name]["points"] = {point: np.array(p).tolist() for point, p in points}
    joints = []
    for joint in linkage.joints:
        ends = {"pa": np.array(joint.pa).tolist(), "pb": np.array(joint.pb).tolist()}
        entry = {"id": joint.name, "type": joint.kind, "a": joint.a, "b": joint.b, **ends}
        entry |= {"ua": joint.ua, "beta": joint.beta} if joint.kind == "P" else {}
        entry |= {key: x for key in WRITTEN if (x := getattr(joint, key))}
        joints.append(entry)
    joints += [dict(entry) for entry in linkage.pair_entries]
    block: dict[str, Any] = {"bodies": bodies, "joints": joints, "drivers": list(linkage.drivers)}
    block["springs"] = [
        {"id": s.name, "a": s.a, "b": s.b, "pa": list(s.pa), "pb": list(s.pb), "k": s.stiffness,
         "c": s.damping, "length": s.length} for s in linkage.springs
    ]  # fmt: skip
    block |= {"gravity": list(linkage.gravity), "ports": list(linkage.open_ports)}
    content = content_of(linkage)
    return block | ({OF_SYSTEM: content} if content else {})


def content_of(linkage: PlanarLinkage) -> SystemContent:
    """Return what a linkage has of a System."""
    described = {str(entry.get("id")) for entry in linkage.pair_entries}
    pairs = tuple(pair for pair in linkage.pairs if pair.name not in described)
    return SystemContent(
        pairs, linkage.elements, linkage.velocity_rows, linkage.coupled_rotors,
        linkage.state_rates, linkage.drawn_at, linkage.is_timed,
    )  # fmt: skip
