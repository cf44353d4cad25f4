"""Our joints as those that URDF has: one, or a few in a row with links without mass between.

Coordinates and velocities stay what they are, so a joint whose coordinates no such chain has, a
spherical or a helical one, is rejected.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.model import (
    AbstractJoint,
    Body,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Planar,
    Pose,
    Prismatic,
    Revolute,
    Translation,
    Universal,
)
from poinsot.model.axis import unit_axis
from poinsot.model.checks import Vec3

__all__ = ["ChainStep", "steps_of"]

_Z = (0.0, 0.0, 1.0)

_REMEDIES = {
    "spherical": "describe it as Euler('xyz'), which has angles for coordinates",
    "helical": "describe it as Revolute or Prismatic",
}


@dataclass(frozen=True)
class ChainStep:
    """One joint of URDF.

    Attributes:
        kind: ``"turn"``, ``"slide"``, ``"planar"``, ``"floating"`` or ``"fixed"``.
        pose: Where it sits in the link before.
        axis: Its axis.
        coordinate: Which coordinate of our joint a turn or slide is.
    """

    kind: str
    pose: Pose
    axis: Vec3 | None = None
    coordinate: int = 0


def steps_of(body: Body, name: str) -> list[ChainStep]:
    """Return the joints of URDF that carry a body, from its parent outwards.

    Args:
        body: The body.
        name: What its joint is called.

    Raises:
        ModelError: If URDF has none with the coordinates of the joint.
    """
    joint, pose = body.joint, body.pose
    if isinstance(joint, Fixed):
        return [ChainStep("fixed", pose)]
    if isinstance(joint, Free):
        return [ChainStep("floating", pose)]
    if isinstance(joint, Planar):
        return _planar(joint, pose)
    moves = _moves(joint, name)
    return [
        ChainStep(kind, pose if k == 0 else Pose(), axis, k) for k, (kind, axis) in enumerate(moves)
    ]


def _moves(joint: AbstractJoint, name: str) -> list[tuple[str, Vec3]]:
    """Return turns and slides along axes, one for each coordinate."""
    if isinstance(joint, Revolute):
        return [("turn", joint.axis)]
    if isinstance(joint, Prismatic):
        return [("slide", joint.axis)]
    if isinstance(joint, Cylindrical):
        return [("slide", joint.axis), ("turn", joint.axis)]
    if isinstance(joint, Universal):
        return [("turn", joint.axis), ("turn", joint.axis2)]
    if isinstance(joint, Euler):
        return [("turn", unit_axis(letter, name)) for letter in joint.sequence]
    if isinstance(joint, Translation):
        return [("slide", unit_axis(letter, name)) for letter in "xyz"]
    raise _refusal(joint, name)


def _planar(joint: Planar, pose: Pose) -> list[ChainStep]:
    """Return the plane of x and y, turning the frames if need be.

    URDF has planes with any normal, but Pinocchio, for one, reads z for all of them.
    """
    R = np.stack([joint.axis, joint.axis2, np.cross(joint.axis, joint.axis2)], axis=1)
    if np.array_equal(R, np.eye(3)):
        return [ChainStep("planar", pose, _Z)]
    turned = pose.transform().R @ R
    return [
        ChainStep("planar", Pose(pose.xyz, matrix=turned), _Z),
        ChainStep("fixed", Pose(matrix=R.T)),
    ]


def _refusal(joint: AbstractJoint, name: str) -> ModelError:
    remedy = _REMEDIES.get(joint.kind, "describe it by other joints")
    return ModelError(
        f"joint {name!r}: URDF has no {joint.kind} joint, and no chain of its joints has the same "
        f"coordinates; {remedy}, or save the system as .json or .toml"
    )
