"""The graph of a planar mechanism: which bodies its pairs join and which pairs are driven.

No geometry: what follows from the graph holds for all dimensions but special ones.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from poinsot.errors import ModelError
from poinsot.model.name_suggestion import suggestion
from poinsot.model.planar.frame_names import shown_link

BodyName: TypeAlias = Hashable
"""What names a body: a text or a number."""

ROWS = {"R": 2, "P": 2, "H": 1}
"""Equations of a pair: revolute, prismatic, higher (a gear mesh, a cam)."""


@dataclass(frozen=True)
class KinematicPair:
    """A kinematic pair.

    Attributes:
        name: Its name.
        kind: "R" (revolute, two equations), "P" (prismatic, two) or "H" (higher, one).
        bodies: The two bodies that it joins; of a higher pair also others that its equation
            touches, such as the carrier of two gears.
    """

    name: str
    kind: str
    bodies: tuple[BodyName, ...]


@dataclass(frozen=True)
class Equation:
    """One scalar equation of a pair or of its driver; ``bodies`` are those it touches."""

    pair: KinematicPair
    bodies: frozenset[BodyName]
    is_driver: bool = False


@dataclass(frozen=True)
class PlanarGraph:
    """Bodies, pairs and drivers of a planar mechanism.

    Attributes:
        bodies: The moving bodies.
        pairs: The pairs; a hinge of k bodies is k - 1 revolute pairs.
        drivers: Names of the driven pairs, each with one equation more.
        frame: The body that rests.
    """

    bodies: tuple[BodyName, ...]
    pairs: tuple[KinematicPair, ...]
    drivers: tuple[str, ...] = ()
    frame: BodyName = 0

    def __post_init__(self) -> None:
        known = {*self.bodies, self.frame}
        if len(known) <= len(self.bodies):
            raise ModelError(
                f"two of the bodies {list(self.bodies)} and the frame are called alike"
            )
        names = [pair.name for pair in self.pairs]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise ModelError(f"two pairs are called {twice!r}; give each its own name")
        for pair in self.pairs:
            _check_pair(pair, known)
        for driver in self.drivers:
            if driver not in names:
                raise ModelError(
                    f"there is no pair {driver!r} to drive; {suggestion(driver, names)}"
                )
        if len(set(self.drivers)) < len(self.drivers):
            raise ModelError(f"a pair is driven twice: drivers are {list(self.drivers)}")

    def equations(self) -> list[Equation]:
        """Return the scalar equations: those of the pairs in their order, then of the drivers.

        A slide that closes a loop of slides only has one equation: the others already keep the
        angle between its bodies constant.
        """
        parallel = {body: body for body in (self.frame, *self.bodies)}
        equations: list[Equation] = []
        for pair in self.pairs:
            members = frozenset(pair.bodies)
            rows = ROWS[pair.kind]
            if pair.kind == "P":
                first, second = (_root(parallel, body) for body in pair.bodies)
                rows -= first == second
                parallel[first] = second
            equations += [Equation(pair, members)] * rows
        by_name = {pair.name: pair for pair in self.pairs}
        for name in self.drivers:
            driven = by_name[name]
            equations.append(Equation(driven, frozenset(driven.bodies[:2]), is_driver=True))
        return equations


def _check_pair(pair: KinematicPair, known: set[BodyName]) -> None:
    if pair.kind not in ROWS:
        raise ModelError(f"pair {pair.name!r}: kind {pair.kind!r} is none of {', '.join(ROWS)}")
    for body in pair.bodies:
        if body not in known:
            hint = suggestion(str(body), map(str, known))
            raise ModelError(f"pair {pair.name!r}: there is no body {body!r}; {hint}")
    wanted = len(pair.bodies) >= 2 if pair.kind == "H" else len(pair.bodies) == 2
    if not wanted or len(set(pair.bodies)) < len(pair.bodies):
        ends = tuple(map(shown_link, pair.bodies))
        raise ModelError(f"pair {pair.name!r} needs two different bodies, not {ends}")


def _root(parents: dict[BodyName, BodyName], body: BodyName) -> BodyName:
    while parents[body] != body:
        body = parents[body]
    return body


def graph_of(
    bodies: Sequence[BodyName],
    joints: Sequence[Sequence[BodyName]],
    drivers: Sequence[str] = (),
) -> PlanarGraph:
    """Return the graph of joints written as (name, body a, body b, ..., kind); 0 is the frame.

    Examples:
        >>> four_bar = graph_of(
        ...     [1, 2, 3],
        ...     [("H1", 0, 1, "R"), ("H2", 1, 2, "R"), ("H3", 2, 3, "R"), ("H4", 0, 3, "R")],
        ...     ["H1"],
        ... )
        >>> len(four_bar.equations())
        9
    """
    pairs = tuple(
        KinematicPair(str(name), str(kind), tuple(touched)) for name, *touched, kind in joints
    )
    return PlanarGraph(tuple(bodies), pairs, tuple(drivers))
