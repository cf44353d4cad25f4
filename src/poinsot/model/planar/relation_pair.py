"""One equation between points of links and coordinates of joints, such as systems have them.

    g(x) = 0,    x = (C R(-φ_a) (r_b + A_b s_b - r_a - A_a s_a) + c, ..., y, ...)

x stacks places of points, in three axes on another link, and coordinates y of pins and slides.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import (
    Program,
    Scalar,
    atan2,
    build,
    cos,
    fresh_symbols,
    jacobian,
    optimise,
    sin,
    tangent,
)
from poinsot.expr.replay import replay
from poinsot.model.constraints.holonomic import Holonomic
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.prescribed import PrescribedMotion
from poinsot.model.planar.joint import PlanarJoint
from poinsot.model.scalar_values import is_symbolic
from poinsot.spatial import Array

RELATION: Final = "relation"


@dataclass(frozen=True)
class RelationPoint:
    """A point of link b, seen from link a.

    Attributes:
        a: The link with the axes.
        b: The link with the point.
        origin: Of the axes in the frame of a [m].
        point: In the frame of b [m].
        axes: C, what x and y of a are along the three axes: three rows of two numbers.
        height: c, the part of the three coordinates that is across the plane [m].
    """

    a: str
    b: str
    origin: tuple[float, float]
    point: tuple[float, float]
    axes: tuple[tuple[float, float], ...]
    height: tuple[float, float, float]


@dataclass(frozen=True)
class RelationCoordinate:
    """A coordinate of a pin or slide, y = y_joint - shift.

    Attributes:
        joint: The joint.
        shift: What the joint's own coordinate has more than y [rad or m].
        wraps: Whether y is in (-π, π], as angles of pins are that close loops of systems.
    """

    joint: PlanarJoint
    shift: float = 0.0
    wraps: bool = False

    def shown(self, y: Any) -> Any:  # noqa: ANN401 (a generic scalar)
        """Return y as equations and force elements see it."""
        return _within_half_a_turn(y) if self.wraps else y


@dataclass(frozen=True)
class RelationPair:
    """One equation.

    Attributes:
        name: Its name.
        program: z -> g, its gradient by x, and its second rate less gradient times that of x,
            of z = (x, dx/dt).
        points: Whose places x begins with.
        coordinates: What follows.
    """

    name: str
    program: Program
    points: tuple[RelationPoint, ...] = ()
    coordinates: tuple[RelationCoordinate, ...] = ()

    @property
    def kind(self) -> str:
        """What messages call it."""
        return RELATION

    @cached_property
    def bodies(self) -> tuple[str, ...]:
        """The links that its equation touches."""
        names = [name for point in self.points for name in (point.b, point.a)]
        names += [name for y in self.coordinates for name in (y.joint.b, y.joint.a)]
        return tuple(dict.fromkeys(names))

    @property
    def a(self) -> str:
        """The last of its links."""
        return self.bodies[-1]

    @property
    def b(self) -> str:
        """The first of its links."""
        return self.bodies[0]

    @property
    def is_length(self) -> bool:
        """Whether whole turns mean nothing to it: they do, its coordinates are counted."""
        return True

    @property
    def path_a(self) -> tuple[tuple[str, str], ...]:
        """Joints whose coordinates it needs."""
        return tuple((y.joint.name, y.joint.b) for y in self.coordinates)

    @property
    def path_b(self) -> tuple[tuple[str, str], ...]:
        """No more."""
        return ()


def relation_pairs(
    relation: AbstractRelation,
    points: Sequence[RelationPoint],
    coordinate: Callable[[str | int], RelationCoordinate | float],
    where: str,
    time: RelationCoordinate | None = None,
) -> list[RelationPair]:
    """Return a constraint of a system as pairs, one for each of its equations.

    Args:
        relation: The constraint.
        points: The points of its pairs of frames.
        coordinate: Coordinates of joints by name, or of all by their places in q; numbers where
            nothing in the plane moves them.
        where: Opens the message of an error.
        time: The time as a coordinate, of constraints that change with it.

    Raises:
        ModelError: It changes with free parameters.
    """
    if any(map(is_symbolic, relation.terms)):
        raise ModelError(
            f"{where}: constraint {relation.name!r} has free parameters; give them numbers:"
            " system.with_parameters"
        )
    size, first = relation.program.inputs[0].size, 3 * len(points)
    used = {k for args in (relation.program.results, *(a for _, a in relation.program.steps))
            for k in args if k < size}  # fmt: skip
    keys: list[str | int] = list(relation.joints)
    if isinstance(relation, Holonomic):
        keys = list(range(size))
    moving = [k for k in range(first, size) if k in used]
    given = {k: coordinate(keys[k - first]) for k in moving}
    numbers = tuple((k, y) for k, y in given.items() if not isinstance(y, RelationCoordinate))
    counted = tuple(y for y in given.values() if isinstance(y, RelationCoordinate))
    # Whole turns of a joint that closes a loop mean nothing, here alone: angles of such joints are
    # in no other equation.
    turns = isinstance(relation, PrescribedMotion) and any(y.wraps for y in counted)
    is_timed = relation.depends_on_time
    counted += (time,) if is_timed and time is not None else ()
    terms = tuple(map(float, relation.terms))
    pairs = []
    for row, name in enumerate(relation_names(relation.name, relation.locked)):
        kept = (*range(first), *(k for k in moving if isinstance(given[k], RelationCoordinate)))
        layout = _Layout(kept, numbers, is_timed, turns)
        program = _with_rates(relation.program, row, terms, layout)
        pairs.append(RelationPair(name, program, tuple(points), counted))
    return pairs


def relation_names(name: str, rows: Sequence[str]) -> tuple[str, ...]:
    """Return the names of the pairs of a constraint with these rows."""
    return (name,) if len(rows) == 1 else tuple(f"{name}: {row}" for row in rows)


class _Layout(NamedTuple):
    """What the numbers of a pair are in the program of a constraint.

    Attributes:
        kept: Places of points and coordinates in its x.
        numbers: Places that nothing moves, and what is there.
        is_timed: Whether the last number of the pair is the time.
        turns: Whether whole turns of the equation do not matter.
    """

    kept: tuple[int, ...]
    numbers: tuple[tuple[int, float], ...]
    is_timed: bool
    turns: bool


@lru_cache(maxsize=256)
def _with_rates(program: Program, row: int, terms: tuple[float, ...], layout: _Layout) -> Program:
    """Return the program of ``RelationPair`` from that of a constraint, g(x, t, p)."""
    size = len(layout.kept) + layout.is_timed
    z = fresh_symbols("z", 2 * size)
    x, rate = z[:size], z[size:]
    entries = np.zeros(program.inputs[0].size, object)
    entries[list(layout.kept)] = x[: len(layout.kept)]
    for k, number in layout.numbers:
        entries[k] = number
    t = x[-1:] if layout.is_timed else np.zeros(1)
    (values,) = replay(program, entries, t, np.array(terms))
    g = np.atleast_1d(values).ravel()[row : row + 1]
    if layout.turns:
        g = np.array([_within_half_a_turn(g[0])], object)
    G = jacobian(g, x)
    second = tangent(G @ rate, x, rate)
    stacked = np.array([*g, *G.ravel(), *second], object)
    return optimise(build({"z": z}, {"values": stacked}))


def _within_half_a_turn(angle: Scalar) -> Scalar:
    return atan2(sin(angle), cos(angle))


def relation_point(
    links: Sequence[str], poses: Sequence[Array], frames: Sequence[Array], plane: Array
) -> RelationPoint:
    """Return the origin of a second frame, seen from a first one.

    Args:
        links: Names of the two links that carry them.
        poses: Of these links in the plane, (x, y, φ) each.
        frames: The frames in the world, shape (4, 4) each.
        plane: Two unit vectors of the plane and its normal in the world, shape (3, 3).
    """
    first, second = frames
    places = [plane[:2] @ frame[:3, 3] for frame in frames]
    origin, point = (
        _turned(-pose[2], place - pose[:2]) for pose, place in zip(poses, places, strict=True)
    )
    along = np.array([_turned(poses[0][2], e) for e in np.eye(2)]) @ plane[:2]
    axes = first[:3, :3].T @ along.T
    height = first[:3, :3].T @ plane[2] * float(plane[2] @ (second[:3, 3] - first[:3, 3]))
    a, b = links
    return RelationPoint(
        a, b, _numbers(origin), _numbers(point), tuple(map(_numbers, axes)), _numbers(height)
    )


def _turned(angle: float, vector: Array) -> Array:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * vector[0] - s * vector[1], s * vector[0] + c * vector[1]])


def _numbers(vector: Array) -> tuple[Any, ...]:
    return tuple(map(float, vector))
