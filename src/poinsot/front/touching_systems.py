"""Two systems that touch in several points at an instant, each on a base that moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from poinsot.errors import ModelError
from poinsot.front.moving_system import MovingSystem, Push
from poinsot.impacts.block_diagonal import block_diagonal
from poinsot.impacts.collision_law import CollisionLaw
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.spatial import Array
from poinsot.spatial.tangents import tangents

__all__ = ["TouchingSystems", "check_apart", "check_points", "touching_systems"]


@final
@dataclass(frozen=True, eq=False)
class TouchingSystems:
    """Two systems and where they touch; s points, n velocities of both.

    Attributes:
        both: The systems; a base alone stands for a second one that is not there.
        is_alone: Whether bodies of the first system hit each other.
        points: Where they touch.
        frames: Normals and two tangents in inertial axes, by rows, shape (s, 3, 3).
        D: Velocities with which the points part, in these frames, by all velocities, (s, 3, n)
            [Zhang1996, (3.15)].
        w: These velocities, shape (s, 3) [m/s].
        M: Mass matrix of both [Zhang1996, (3.14)], shape (n, n).
        J: Rows of loops and constraints of both, shape (m, n).
        places: The points in coordinates of the bodies [m], shapes (s, 3).
    """

    both: tuple[MovingSystem, MovingSystem]
    is_alone: bool
    points: tuple[ImpactPoint, ...]
    frames: Array
    D: Array
    w: Array
    M: Array
    J: Array
    places: tuple[Array, Array]

    @property
    def sizes(self) -> tuple[int, int]:
        """How many velocities, and rows of loops and constraints, the first system has."""
        party = self.both[0]
        return party.v.size, 0 if party.system is None else len(party.system.row_names)

    def law(self, laws: tuple[str, ...], order: str) -> CollisionLaw:
        """Return the law by which they leave each other.

        Args:
            laws: Of the points.
            order: At once, or one after the other.
        """
        numbers = [(p.restitution, p.friction, p.tangential_restitution) for p in self.points]
        e, friction, reversed_slip = np.array(numbers).T
        v = np.concatenate([party.v for party in self.both])
        return CollisionLaw(
            "collide", laws, order,
            tuple(p.name for p in self.points), e, friction, reversed_slip, self.M, self.J, v,
            self.D, self.w,
        )  # fmt: skip

    def pushes(self, forces: Array) -> tuple[list[Push], list[Push]]:
        """Return the impulses on bodies of the first system and of the second.

        Args:
            forces: On the second bodies, in inertial axes, shape (s, 3).
        """
        both = list(zip(self.points, forces, strict=True))
        first = [(point.first, point.point, -force) for point, force in both]
        second = [(point.second, point.point, force) for point, force in both]
        return (first + second, []) if self.is_alone else (first, second)


def touching_systems(
    first: MovingSystem, second: MovingSystem | None, points: Sequence[ImpactPoint]
) -> TouchingSystems:
    """Return two systems with the points in which they touch.

    Args:
        first: One of them, or a base alone.
        second: The other one; None: bodies of the first one hit each other.
        points: Where they touch.

    Raises:
        ModelError: If a point names a body that is not there.
    """
    is_alone = second is None
    both = (first, MovingSystem() if second is None else second)
    D, w, places = _opening((first, first) if is_alone else both, points, is_alone=is_alone)
    frames = np.array([[point.normal, *tangents(point.normal)] for point in points])
    return TouchingSystems(
        both, is_alone, tuple(points), frames, frames @ D, np.einsum("sij,sj->si", frames, w),
        block_diagonal([party.mass_matrix() for party in both]),
        block_diagonal([party.constraint_rows() for party in both]), places,
    )  # fmt: skip


def check_points(points: object, where: str) -> tuple[ImpactPoint, ...]:
    """Return points as a tuple, names told apart; raise :class:`ModelError` unless there are some.

    The second of the same name is "arm-wall 2", the next one "arm-wall 3".
    """
    listed = [points] if isinstance(points, ImpactPoint) else points
    if isinstance(listed, Sequence) and listed:
        known = tuple(point for point in listed if isinstance(point, ImpactPoint))
        if len(known) == len(listed):
            return _told_apart(known)
        other = next(point for point in listed if not isinstance(point, ImpactPoint))
        given = f"a list with {type(other).__name__}"
    else:
        given = f"{points!r:.80}"
    raise ModelError(f"{where}: points: give a list of at least one ps.ImpactPoint, got {given}")


def _told_apart(points: tuple[ImpactPoint, ...]) -> tuple[ImpactPoint, ...]:
    """Return points with numbers behind names that have been before."""
    taken, apart = {point.name for point in points}, list[ImpactPoint]()
    for point in points:
        number, name = 1, point.name
        while any(name == other.name for other in apart) or (number > 1 and name in taken):
            number += 1
            name = f"{point.name} {number}"
        apart.append(point if number == 1 else replace(point, name=name))
    return tuple(apart)


def check_apart(points: Sequence[ImpactPoint], where: str) -> None:
    """Reject points in which a body of a system alone hits itself."""
    for point in points:
        if point.first == point.second:
            raise ModelError(
                f"{where}: impact point {point.name!r}: body {point.first!r} cannot hit itself; "
                "name two bodies of the system, or give the second system in place of None"
            )


def _opening(
    both: tuple[MovingSystem, MovingSystem], points: Sequence[ImpactPoint], *, is_alone: bool
) -> tuple[Array, Array, tuple[Array, Array]]:
    """Return the velocity of second bodies relative to first ones, (3.15), and the points in them.

    Its derivatives by the velocities of both systems, shape (s, 3, n), its values, shape (s, 3),
    and the points in coordinates of the bodies, shapes (s, 3).
    """
    jacobians, velocities = [], []
    places: tuple[list[Array], list[Array]] = ([], [])
    for point in points:
        bodies = (point.first, point.second)
        try:
            seen = [
                party.point_jacobian(name, point.point)
                for party, name in zip(both, bodies, strict=True)
            ]
        except ModelError as error:
            raise ModelError(f"impact point {point.name!r}: {error}") from None
        first, second = (
            party.point_velocity(name, point.point)
            for party, name in zip(both, bodies, strict=True)
        )
        jacobians.append(seen[1] - seen[0] if is_alone else np.hstack([-seen[0], seen[1]]))
        velocities.append(second - first)
        for party, name, listed in zip(both, bodies, places, strict=True):
            listed.append(party.place(name, point.point))
    return np.array(jacobians), np.array(velocities), (np.array(places[0]), np.array(places[1]))
