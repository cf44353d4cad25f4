"""Where the file places things: the configuration that MuJoCo calls ``qpos0``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poinsot.io.mjcf.compiler import Compiler
from poinsot.io.mjcf.placement import as_pose, site_place
from poinsot.io.mjcf.worldbody import WORLD_INDEX, Branch
from poinsot.model import WORLD, Body, Frame
from poinsot.spatial import Transform

__all__ = ["Reference", "reference_of"]


@dataclass(frozen=True)
class Reference:
    """The named things of a file.

    Attributes:
        bodies: Poses in the world by name, the world's own among them.
        sites: Body and pose in it by name.
        joints: Coordinates of the joints that have one, by name.
    """

    bodies: Mapping[str, Transform]
    sites: Mapping[str, Frame]
    joints: Mapping[str, float]


def reference_of(
    branches: Sequence[Branch], bodies: Sequence[Body], q: Sequence[float], compiler: Compiler
) -> Reference:
    """Return where things are.

    Args:
        branches: The world and the bodies of the file.
        bodies: Our bodies.
        q: The coordinates at which they are where the file places them.
        compiler: The settings.
    """
    poses: list[Transform] = []
    named: dict[str, Transform] = {}
    sites: dict[str, Frame] = {}
    for i, branch in enumerate(branches):
        poses.append(branch.X if i == WORLD_INDEX else poses[branch.parent] @ branch.X)
        name = WORLD if i == WORLD_INDEX else branch.element.attributes.get("name", "")
        if not name:
            continue
        named[name] = poses[i]
        for site, frame in branch.sites:
            called = site.attributes.get("name", "")
            X = frame @ site_place(site, f"site {called[:60]!r}", compiler)
            sites[called] = (name, as_pose(X))
    joints: dict[str, float] = {}
    start = 0
    for body in bodies:
        if body.joint.nq == 1:
            joints[body.joint.name or body.name] = q[start]
        start += body.joint.nq
    return Reference(named, sites, joints)
