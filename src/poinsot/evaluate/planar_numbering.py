"""Where assemblies that are named by numbers change along a batch of states.

Modes of triads are counted at each state by itself, by the angle of the ternary link: between two
states near each other the same number may come to mean another assembly.  Each state is followed
from the one before it; where that does not lead to the pose of its number, the number has passed.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.evaluate.planar_following import PlanarFollower
from poinsot.formulations.composable.nearby_positions import linkage_size
from poinsot.formulations.composable.positions import is_closed
from poinsot.formulations.composable.unit_positions import Poses
from poinsot.model.planar.linkage import PlanarLinkage
from poinsot.spatial import Array

APART: Final = 1e-4
"""Difference of poses of two assemblies, relative to the size of the linkage [1 or rad]."""


def numbering_note(linkage: PlanarLinkage, follower: PlanarFollower, q: Array, poses: Poses) -> str:
    """Return where numbers came to mean other assemblies in a batch; empty where they did not.

    Args:
        linkage: The linkage.
        follower: Of its positions.
        q: Coordinates of the drivers, shape (n, nq).
        poses: By numbers, at each of them, shape (n, 3).
    """
    pairs = follower.neighbours(q)
    if not pairs.size:
        return ""
    followed, lost = follower.followed(q, poses, pairs)
    links = [str(body) for unit in linkage.units if not is_closed(unit, linkage)
             for body in unit.bodies]  # fmt: skip
    size = np.array([linkage_size(linkage)] * 2 + [1.0])
    apart = {}
    for link in links:
        step = (poses[link][pairs + 1] - followed[link]) / size
        step[:, 2] = np.angle(np.exp(1j * step[:, 2]))
        apart[link] = lost | (np.max(np.abs(step), axis=-1) > APART)
    passed = np.any(list(apart.values()), axis=0)
    if not passed.any():
        return ""
    first = int(np.argmax(passed))
    k = int(pairs[first])
    moved = [link for link in links if apart[link][first]]
    return (
        f"links {moved} are in another assembly at {follower.shown(q[k + 1])} than at"
        f" {follower.shown(q[k])}, as modes of triads are counted at each state by itself; so it is"
        f" between {int(passed.sum())} of {len(pairs)} neighbours. Give near=, poses nearby, draw"
        " the mechanism, or ask for a turn: they follow one assembly"
    )
