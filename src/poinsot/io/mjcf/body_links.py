"""Which of our bodies are bodies of MuJoCo.

MuJoCo takes several joints in one body, and no moving body without mass.  So a massless body that
carries one other is not written: its joint becomes the first of the body that it carries.
"""

from __future__ import annotations

from dataclasses import dataclass

from poinsot.io.mjcf.joint_pieces import MjcfJoint, mjcf_joints
from poinsot.model import Body, Fixed, Mechanism
from poinsot.spatial import Transform

__all__ = ["BodyLink", "links_of"]

_MOST_VELOCITIES = 6
"""Of the joints of one body, in MuJoCo."""


@dataclass(frozen=True, eq=False)
class BodyLink:
    """A body to write.

    Attributes:
        body: Our body.
        parent: The listed index of the body that carries it in the file; -1 for the world.
        X: Its pose in that one.
        joints: Its joints.
    """

    body: Body
    parent: int
    X: Transform
    joints: tuple[MjcfJoint, ...]


def links_of(mechanism: Mechanism) -> dict[int, BodyLink]:
    """Return the bodies to write by listed index, depth first as the mechanism orders them."""
    links: dict[int, BodyLink] = {}
    held = {frame[0] for loop in mechanism.loops for frame in loop.pair}
    for i in mechanism.order:
        body, parent = mechanism.bodies[i], mechanism.parents[i]
        link = BodyLink(
            body, parent, body.pose.transform(), tuple(mjcf_joints(body, mechanism.joint_names[i]))
        )
        if parent in links and _is_massless_and_moves(links[parent].body) and link.joints:
            named = links[parent].body.name in held
            single = len(mechanism.children[parent]) == 1 and not named
            merged = _merged(links[parent], link) if single else None
            if merged is not None:
                del links[parent]
                link = merged
        links[i] = link
    return links


def _is_massless_and_moves(body: Body) -> bool:
    return not body.mass and not any(body.inertia) and not isinstance(body.joint, Fixed)


def _merged(first: BodyLink, second: BodyLink) -> BodyLink | None:
    """Return two bodies as one with the joints of both, or None if MuJoCo does not take that."""
    moved = [joint.seen_from(second.X) for joint in first.joints]
    joints = [joint for joint in moved if joint is not None] + list(second.joints)
    ball = any(joint.axis is None for joint in first.joints)
    if (
        None in moved
        or any(joint.kind == "free" for joint in joints)
        or (ball and any(joint.turns for joint in second.joints))
        or sum(len(joint.v) for joint in joints) > _MOST_VELOCITIES
    ):
        return None
    return BodyLink(second.body, first.parent, first.X @ second.X, tuple(joints))
