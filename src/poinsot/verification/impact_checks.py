"""What ``verify`` checks of impacts: M, A and d by 4 × 4 matrices, of one system and of two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from poinsot.formulations.homogeneous import impulse_columns, mass_matrix
from poinsot.formulations.homogeneous_impact import (
    Touch,
    TreeOnBase,
    both_mass_matrices,
    generalised_impulses,
    rates_of_opening,
)
from poinsot.front.moving_system import MovingSystem
from poinsot.front.system import System
from poinsot.front.touching_systems import TouchingSystems, touching_systems
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.model import BaseMotion, Pose
from poinsot.spatial import Array
from poinsot.verification.comparison import Compare, relative
from poinsot.verification.on_floats import OnFloats

AGREEMENT: Final = 1e-11
POINT: Final = np.array([0.3, -0.2, 0.5])
"""A point of each body [m]."""
BODIES: Final = 5
"""Bodies on which contacts are tried."""
POINTS: Final = 3
"""Points in which two systems touch."""


class _TwoSystems(NamedTuple):
    """A system and its like on another base that touch, as ``collide`` sees it and as trees."""

    touching: TouchingSystems
    trees: tuple[TreeOnBase, TreeOnBase]
    touches: list[Touch]


def impact_comparisons() -> Iterator[tuple[str, float, Compare]]:
    """Yield the checks: name, tolerance and comparison."""
    yield "mass matrix: recursive, 4 by 4 matrices", AGREEMENT, _mass
    yield "rows of contacts: recursive, 4 by 4 matrices", AGREEMENT, _rows
    yield "two systems: impulses in joints, 4 by 4 matrices", AGREEMENT, _impulses_of_two
    yield "two systems: rates of opening, 4 by 4 matrices", AGREEMENT, _rates_of_two
    yield "two systems: mass matrix, 4 by 4 matrices", AGREEMENT, _mass_of_two


def _mass(system: System, q: Array, v: Array, tau: Array) -> float:
    return relative(mass_matrix(system.mechanism, q), system.mass_matrix(q))


def _rows(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare the impulses in the joints with Jacobians of points, along all axes."""
    n_bodies = len(system.bodies)
    chosen = list(range(0, n_bodies, -(-n_bodies // BODIES)))
    contacts = [(j, POINT, axis) for j in chosen for axis in np.eye(3)]
    names = [system.body_names[j] for j in chosen]
    expected = [system.jacobian(name, q, POINT, axes="world")[:3] for name in names]
    return relative(impulse_columns(system.mechanism, q, contacts).T, np.concatenate(expected))


def _impulses_of_two(system: System, q: Array, v: Array, tau: Array) -> float:
    """Compare d = [d'; d''] with the transpose of A, of which ``collide`` makes its own."""
    two = _two_systems(system, q, v, tau)
    d = np.concatenate(generalised_impulses(*two.trees, two.touches))
    return relative(d, two.touching.D[:, 0].T)


def _rates_of_two(system: System, q: Array, v: Array, tau: Array) -> float:
    two = _two_systems(system, q, v, tau)
    return relative(rates_of_opening(*two.trees, two.touches), two.touching.w[:, 0])


def _mass_of_two(system: System, q: Array, v: Array, tau: Array) -> float:
    two = _two_systems(system, q, v, tau)
    return relative(both_mass_matrices(*two.trees), two.touching.M)


def _two_systems(system: System, q: Array, v: Array, tau: Array) -> _TwoSystems:
    """Return the system and the same one with other velocities, on bases of their own.

    Points, bodies, normals and bases are random, the same at the same state.
    """
    mechanism = system.mechanism
    rng = np.random.default_rng(np.concatenate([q, v]).view(np.uint32))
    bases = [
        BaseMotion(Pose(rng.normal(size=3), rpy=rng.uniform(-2.0, 2.0, 3)), rng.normal(size=6))
        for _ in range(2)
    ]
    numeric = System.from_mechanism(mechanism)
    # Elsewhere loops would not close: then the second one is where the first one is.
    there = q if system.row_names else system.integrate(q, tau)
    parties = [
        MovingSystem(numeric, q, v, bases[0]), MovingSystem(numeric, there, tau, bases[1])
    ]  # fmt: skip
    for party in parties:  # nothing is compiled
        object.__setattr__(party, "system", OnFloats(numeric))
    trees = [TreeOnBase(mechanism, x.q, x.v, x.base) for x in parties]
    points, touches = [], []
    for _ in range(POINTS):
        bodies = rng.integers(mechanism.n_bodies, size=2).tolist()
        names = [system.body_names[j] for j in bodies]
        place, normal = rng.normal(size=3), rng.normal(size=3)
        point = ImpactPoint(*names, point=place, normal=normal, restitution=0.5)
        points.append(point)
        r = [_place(tree, j, place) for tree, j in zip(trees, bodies, strict=True)]
        touches.append(Touch((bodies[0], bodies[1]), (r[0], r[1]), point.normal))
    touching = touching_systems(parties[0], parties[1], points)
    return _TwoSystems(touching, (trees[0], trees[1]), touches)


def _place(tree: TreeOnBase, body: int, point: Array) -> Array:
    """Return a point of inertial space in coordinates of a body, by T alone."""
    T = tree.poses[body].T
    return np.asarray(T[:3, :3].T @ (tree.R @ (point - tree.base.p) - T[:3, 3]))
