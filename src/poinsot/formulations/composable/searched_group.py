"""Assemblies of a group from poses nearby, and poses near some of them from random ones.

Random poses are led to assemblies by Levenberg's and Marquardt's method, all of them side by side,

    (Kᵀ K + |φ|² I) δ = -Kᵀ φ,

with lengths over that of the group and turns of half a radian at most.  Which assemblies are
found depends on the starts, which are the same in every call: a list may be incomplete.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

import numpy as np

from poinsot.errors import AssemblyError
from poinsot.formulations.composable.numerical_group import (
    group_equations,
    group_residual,
    numerical_poses,
)
from poinsot.formulations.composable.plane import point_at
from poinsot.model.planar.decomposition import Unit
from poinsot.model.planar.frame_names import FRAME
from poinsot.model.planar.linkage import PlanarJoint, PlanarLink, PlanarLinkage
from poinsot.spatial import Array

Poses: TypeAlias = dict[str, Array]
EXACT: Final = 1e-12
"""Largest equation, relative to the size of the group, of a root where K is singular."""
STEPS: Final = 80
LARGEST_TURN: Final = 0.5
"""Of a step [rad], or of lengths over that of the group."""
NEAR: Final = 1e-6
"""Largest equation of what counts as near an assembly."""


class SearchedGroup:
    """A group whose assemblies are sought.

    Attributes:
        unit: The group.
        joints: Its joints by name.
        known: Poses of the links that it hangs on.
        linkage: The group alone.
        outer_places: Where its outer joints are on known links [m], shape (n, 2).
        size: A length of it [m].
    """

    def __init__(
        self, unit: Unit, joints: Mapping[str, PlanarJoint], known: Mapping[str, Array]
    ) -> None:
        self.unit, self.known = unit, dict(known)
        self.joints = {pair.name: joints[pair.name] for pair in (*unit.outer, *unit.inner)}
        bodies = tuple(map(str, unit.bodies))
        others = {end for joint in self.joints.values() for end in (joint.a, joint.b)}
        self.linkage = PlanarLinkage(
            dict.fromkeys(bodies, PlanarLink()),
            tuple(self.joints.values()),
            ports=tuple(sorted(others - {*bodies, FRAME})),
        )
        ends = [(joint, body) for joint in self.joints.values() for body in (joint.a, joint.b)]
        self.outer_places = np.array(
            [point_at(self.known[body], j.point(body)) for j, body in ends if body not in bodies]
        )
        # Its largest lever, or distance of outer joints.
        levers = [float(np.hypot(*j.point(body))) for j, body in ends if body in bodies]
        self.size = max(*levers, float(np.max(np.ptp(self.outer_places, axis=0)))) or 1.0

    def refined(self, poses: Poses) -> Poses | None:
        """Return the assembly at poses nearby by Newton's method; None where there is none."""
        if not all(np.all(np.isfinite(pose)) for pose in poses.values()):
            return None
        try:
            exact = numerical_poses(self.unit, self.linkage, self.known, {}, poses)
            # Turns that far steps have added take digits, which come back.
            exact = _within_a_turn(exact)
            exact = numerical_poses(self.unit, self.linkage, self.known, {}, exact)
        except AssemblyError:
            # Where two assemblies meet K is singular, and bisection is as good.
            gaps = group_residual(self.unit, self.linkage, self.known | poses)
            if not np.max(np.abs(gaps)) <= EXACT * max(self.size, 1.0):
                return None
            exact = poses
        return _within_a_turn(exact)

    def distance(self, poses: Poses, others: Poses) -> float:
        """Return how far apart two assemblies are, angles on the circle."""
        return max(
            float(np.hypot(*(pose[:2] - others[name][:2]))) / self.size
            + float(abs(np.exp(1j * pose[2]) - np.exp(1j * others[name][2])))
            for name, pose in poses.items()
        )


def random_candidates(group: SearchedGroup, count: int) -> Iterator[Poses]:
    """Yield poses near assemblies, each once, from ``count`` random starts."""
    bodies = [str(body) for body in group.unit.bodies]
    rng = np.random.default_rng(0)
    scales = np.tile([group.size, group.size, 1.0], len(bodies))
    middle = np.tile([*np.mean(group.outer_places, axis=0), 0.0], len(bodies))
    x = middle + scales * rng.uniform(-1.0, 1.0, (count, len(scales))) * np.tile(
        [2.0, 2.0, np.pi], len(bodies)
    )
    for _ in range(STEPS):
        K, phi = _scaled(group, x, scales)
        square = np.sum(phi**2, axis=-1)[:, None, None]
        right = np.swapaxes(K, -1, -2) @ phi[..., None]
        damped = np.swapaxes(K, -1, -2) @ K + (square + EXACT**2) * np.eye(len(scales))
        step = np.linalg.solve(damped, right)[..., 0]
        largest = np.max(np.abs(step), axis=-1, keepdims=True)
        x = x - scales * step * np.minimum(1.0, LARGEST_TURN / np.maximum(largest, LARGEST_TURN))
    x = x[np.max(np.abs(_scaled(group, x, scales)[1]), axis=-1) < NEAR]
    turns = np.exp(1j * x[:, 2::3])
    shown = np.hstack([(x / scales)[:, 0::3], (x / scales)[:, 1::3], turns.real, turns.imag])
    _, first = np.unique(shown.round(4) + 0.0, axis=0, return_index=True)
    for row in x[np.sort(first)]:
        yield {body: row[3 * i : 3 * i + 3] for i, body in enumerate(bodies)}


def _scaled(group: SearchedGroup, x: Array, scales: Array) -> tuple[Array, Array]:
    """Return K and the equations, lengths over that of the group."""
    poses = {str(body): x[:, 3 * i : 3 * i + 3] for i, body in enumerate(group.unit.bodies)}
    K, phi = group_equations(group.unit, group.linkage, group.known | poses)
    is_length = np.any(K[..., 0::3] != 0.0, axis=(0, -1)) | np.any(
        K[..., 1::3] != 0.0, axis=(0, -1)
    )
    rows = np.where(is_length, group.size, 1.0)
    return K * scales / rows[:, None], phi / rows


def _within_a_turn(poses: Poses) -> Poses:
    """Return poses with angles in (-π, π]."""
    return {
        name: np.array([x, y, np.pi - (np.pi - angle) % (2.0 * np.pi)])
        for name, (x, y, angle) in poses.items()
    }
