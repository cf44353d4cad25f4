"""Where loops and constraints are in a picture."""

from collections.abc import Sequence

import numpy as np

from poinsot.model import WORLD, AbstractClosure, Distance, FramePair, Loop, Mechanism
from poinsot.model.constraints import Frame
from poinsot.spatial import Array

__all__ = ["closure_points", "held_points", "place"]


def held_points(mechanism: Mechanism) -> dict[int, list[Array]]:
    """Return the points of each body at which loops and constraints hold it, in its own axes."""
    points: dict[int, list[Array]] = {}
    for pair in _pairs(mechanism):
        for body, pose in pair:
            if body != WORLD:
                points.setdefault(mechanism.index(body), []).append(np.array(pose.xyz))
    return points


def closure_points(mechanism: Mechanism, origins: Array, rotations: Array) -> dict[str, Array]:
    """Return pins, grounds and ties for n configurations; see ``Skeleton``.

    Args:
        mechanism: The bodies, loops and constraints.
        origins: Of the bodies [m], shape (n, bodies, 3).
        rotations: Of the bodies, shape (n, bodies, 3, 3).
    """
    n = len(origins)

    def at(frame: Frame) -> Array:
        body, pose = frame
        return place(mechanism, origins, rotations, body, pose.xyz)

    turning = [one.second for one in mechanism.loops if "m" not in one.joint.q_units]
    rods = [one for one in mechanism.constraints if isinstance(one, Distance)]
    fixed = [
        frame
        for pair in (*(one.pair for one in mechanism.loops), *(one.pairs[0] for one in rods))
        for frame in pair
        if frame[0] == WORLD
    ]
    ties = [np.stack([at(one.first), at(one.second)], axis=1) for one in rods]
    return {
        "pins": _stacked([at(frame) for frame in turning], n),
        "grounds": _stacked([at(frame) for frame in fixed], n),
        "ties": np.stack(ties, axis=1) if ties else np.empty((n, 0, 2, 3)),
    }


def place(
    mechanism: Mechanism, origins: Array, rotations: Array, body: str, xyz: Sequence[float]
) -> Array:
    """Return where a point of a body or of the world is in n configurations [m], shape (n, 3)."""
    if body == WORLD:
        return np.broadcast_to(np.array(xyz, dtype=float), (len(origins), 3))
    i = mechanism.index(body)
    point: Array = origins[:, i] + rotations[:, i] @ np.array(xyz)
    return point


def _pairs(mechanism: Mechanism) -> list[FramePair]:
    kinds = (Loop, AbstractClosure, Distance)
    return [pair for one in mechanism.closures if isinstance(one, kinds) for pair in one.pairs]


def _stacked(points: list[Array], n: int) -> Array:
    return np.stack(points, axis=1) if points else np.empty((n, 0, 3))
