"""Where loops and constraints are in a picture."""

from collections.abc import Sequence

import numpy as np

from poinsot.model import (
    WORLD,
    AbstractClosure,
    Distance,
    FramePair,
    Loop,
    Mechanism,
    Prismatic,
)
from poinsot.model.constraints import Frame
from poinsot.spatial import Array

__all__ = ["closure_points", "held_points", "point_of", "slide_directions"]


def held_points(mechanism: Mechanism) -> dict[int, list[Array]]:
    """Return the attachment points of loops and constraints on each body, in body axes."""
    points: dict[int, list[Array]] = {}
    for pair in _pairs(mechanism):
        for body, pose in pair:
            if body != WORLD:
                points.setdefault(mechanism.index(body), []).append(np.array(pose.xyz))
    return points


def slide_directions(mechanism: Mechanism) -> dict[int, Array]:
    """Return the directions of guides in the axes of the bodies that they guide."""
    directions: dict[int, Array] = {}
    for loop in mechanism.loops:
        if not isinstance(loop.joint, Prismatic):
            continue
        for name, pose in loop.pair:
            if name != WORLD:
                direction = np.array(pose.matrix) @ np.array(loop.joint.axis)
                directions.setdefault(mechanism.index(name), direction)
    for i, body in enumerate(mechanism.bodies):
        if isinstance(body.joint, Prismatic):
            directions[i] = np.array(body.joint.axis)
    return directions


def closure_points(mechanism: Mechanism, origins: Array, rotations: Array) -> dict[str, Array]:
    """Return pins, grounds and ties for n configurations; see ``Skeleton``.

    Args:
        mechanism: The bodies, loops and constraints.
        origins: Of the bodies [m], shape (n, bodies, 3).
        rotations: Of the bodies, shape (n, bodies, 3, 3).
    """
    n = len(origins)

    def position(frame: Frame) -> Array:
        body, pose = frame
        return point_of(mechanism, origins, rotations, body, pose.xyz)

    turning = [loop.second for loop in mechanism.loops if "m" not in loop.joint.q_units]
    rods = [constraint for constraint in mechanism.constraints if isinstance(constraint, Distance)]
    fixed = [
        frame
        for pair in (
            *(joined.pair for joined in mechanism.loops),
            *(joined.pairs[0] for joined in rods),
        )
        for frame in pair
        if frame[0] == WORLD
    ]
    ties = [np.stack([position(rod.first), position(rod.second)], axis=1) for rod in rods]
    return {
        "pins": _stacked([position(frame) for frame in turning], n),
        "grounds": _stacked([position(frame) for frame in fixed], n),
        "ties": np.stack(ties, axis=1) if ties else np.empty((n, 0, 2, 3)),
    }


def point_of(
    mechanism: Mechanism, origins: Array, rotations: Array, body: str, xyz: Sequence[float]
) -> Array:
    """Return a point of a body or the world in n configurations [m], shape (n, 3)."""
    if body == WORLD:
        return np.broadcast_to(np.array(xyz, dtype=float), (len(origins), 3))
    i = mechanism.index(body)
    point: Array = origins[:, i] + rotations[:, i] @ np.array(xyz)
    return point


def _pairs(mechanism: Mechanism) -> list[FramePair]:
    kinds = (Loop, AbstractClosure, Distance)
    return [
        pair
        for constraint in mechanism.closures
        if isinstance(constraint, kinds)
        for pair in constraint.pairs
    ]


def _stacked(points: list[Array], n: int) -> Array:
    return np.stack(points, axis=1) if points else np.empty((n, 0, 3))
