"""A planar mechanism taken apart into driver units and Assur groups, from its graph alone.

Every equation gets an owner, one of the bodies that it touches, so that each moving body owns
three; an arc leads from the other bodies of an equation to its owner.  Strongly connected
components are the units, and any order in which arcs lead forwards is one in which they can be
assembled [Wang2007, sec. 2].  Which owners were found does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from poinsot.errors import DriverCountError, OverconstrainedError
from poinsot.model.planar.frame_names import shown_link
from poinsot.model.planar.graph import BodyName, Equation, KinematicPair, PlanarGraph
from poinsot.model.planar.overfull_set import smallest_overfull
from poinsot.model.planar.pebble_game import COORDINATES, PebbleGame
from poinsot.model.planar.unit_class import unit_class


@dataclass(frozen=True)
class Unit:
    """A part of a mechanism whose bodies are determined together, once those before it are known.

    Attributes:
        bodies: Its bodies, as they are listed in the graph.
        outer: Pairs with bodies of earlier units or the frame, sorted by their bodies here.
        inner: Pairs between its own bodies.
        drivers: Names of its driven pairs; a unit without any is an Assur group.
    """

    bodies: tuple[BodyName, ...]
    outer: tuple[KinematicPair, ...]
    inner: tuple[KinematicPair, ...]
    drivers: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Either "driver unit" or "zero unit" (an Assur group, which adds no freedom)."""
        return "driver unit" if self.drivers else "zero unit"

    @property
    def form(self) -> str:
        """Kinds of the pairs: outer of the first body, inner, outer of the others: "RRP"."""
        if len(self.bodies) != 2 or len(self.inner) != 1 or len(self.outer) != 2:
            return "".join(pair.kind for pair in (*self.outer, *self.inner))
        first, last = self.outer
        return first.kind + self.inner[0].kind + last.kind

    @property
    def assur_class(self) -> str | None:
        """Class "II", "III", ... ; "single" for one body; None for driver units."""
        if self.drivers:
            return None
        return unit_class(self.bodies, [(pair.bodies[0], pair.bodies[1]) for pair in self.inner])

    @property
    def order(self) -> int | None:
        """Number of outer pairs; None for driver units."""
        return None if self.drivers else len(self.outer)


@dataclass(frozen=True)
class PlanarMobility:
    """How a planar graph can move, for almost all dimensions.

    Attributes:
        bodies: Number of moving bodies.
        equations: Number of equations of the pairs, without drivers.
        redundant: How many of them follow from others.
        drivers: Number of drivers.
        overconstrained: The smallest set of bodies with an equation too many; empty without
            redundant equations.
    """

    bodies: int
    equations: int
    redundant: int
    drivers: int
    overconstrained: tuple[BodyName, ...] = ()

    @property
    def degrees(self) -> int:
        """Degrees of freedom of the mechanism without its drivers."""
        return COORDINATES * self.bodies - self.equations + self.redundant

    def __str__(self) -> str:
        text = (
            f"{self.bodies} bodies, {self.equations} equations of pairs: {self.degrees} degrees of"
            f" freedom, {self.drivers} drivers"
        )
        if self.redundant:
            text += (
                f"; {self.redundant} redundant equations, among bodies {list(self.overconstrained)}"
            )
        return text


def planar_mobility(graph: PlanarGraph) -> PlanarMobility:
    """Return the mobility of a graph: 3 · bodies - independent equations (Grübler, generic).

    Examples:
        >>> from poinsot.model.planar.graph import graph_of
        >>> pinned_twice = [("A", 0, 1, "R"), ("B", 1, 2, "R"), ("C", 1, 2, "R")]
        >>> print(planar_mobility(graph_of([1, 2], pinned_twice)))
        2 bodies, 6 equations of pairs: 1 degrees of freedom, 0 drivers; 1 redundant equations, \
among bodies [1, 2]
    """
    equations = [equation for equation in graph.equations() if not equation.is_driver]
    game, smallest = _played(graph, equations)
    redundant = len(equations) - len(game.owners)
    return PlanarMobility(
        len(graph.bodies), len(equations), redundant, len(graph.drivers), smallest
    )


def decompose(graph: PlanarGraph) -> tuple[Unit, ...]:
    """Return the units of a mechanism in an order in which they can be assembled.

    Raises:
        OverconstrainedError: Some bodies have more equations than freedom; it names them.
        DriverCountError: There are more or fewer drivers than degrees of freedom.

    Examples:
        >>> from poinsot.model.planar.graph import graph_of
        >>> slider_crank = graph_of(
        ...     [1, 2, 3],
        ...     [("A", 0, 1, "R"), ("B", 1, 2, "R"), ("C", 2, 3, "R"), ("D", 0, 3, "P")],
        ...     ["A"],
        ... )
        >>> [(unit.bodies, unit.form, unit.assur_class) for unit in decompose(slider_crank)]
        [((1,), 'R', None), ((2, 3), 'RRP', 'II')]
    """
    mobility = planar_mobility(graph)
    if mobility.redundant:
        shown = [shown_link(body) for body in mobility.overconstrained]
        raise OverconstrainedError(
            f"bodies {shown} are over-constrained: their pairs hold more equations than the bodies"
            " can have; remove a pair among them, or replace it by one with fewer equations",
            mobility.overconstrained,
        )
    equations = graph.equations()
    if len(equations) != COORDINATES * len(graph.bodies):
        raise DriverCountError(
            f"{len(graph.drivers)} drivers for {mobility.degrees} degrees of freedom:"
            f" {len(equations)} equations, drivers included, for 3 * {len(graph.bodies)} ="
            f" {COORDINATES * len(graph.bodies)} coordinates; {_too_many_or_few(graph, equations)}",
            equations=len(equations),
            coordinates=COORDINATES * len(graph.bodies),
        )
    game, smallest = _played(graph, equations)
    if smallest:
        shown = [shown_link(body) for body in smallest]
        raise OverconstrainedError(
            f"bodies {shown} have a driver too many, and others one too few; drive another pair",
            smallest,
        )
    game.release(graph.frame)
    return _units(graph, game.owners)


def _too_many_or_few(graph: PlanarGraph, equations: Sequence[Equation]) -> str:
    """Return which bodies have drivers too many, or still move, and what to do about it."""
    game, smallest = _played(graph, equations)
    if smallest:
        held = [body for body in smallest if body != graph.frame]
        if planar_mobility(graph).degrees == 0:
            return f"bodies {held} are a structure; take away a link or a pair among them"
        return (
            f"bodies {held} have a driver too many; drive as many pairs as there are degrees of"
            " freedom"
        )
    loose = [body for body in graph.bodies if not game.is_rigid((body, graph.frame))]
    return (
        f"bodies {loose} still move; drive as many pairs as there are degrees of freedom, or join"
        " them to others"
    )


def _played(
    graph: PlanarGraph, equations: Sequence[Equation]
) -> tuple[PebbleGame, tuple[BodyName, ...]]:
    """Return the game after all equations, and the smallest set of bodies with one too many."""
    order = (graph.frame, *graph.bodies)
    game = PebbleGame(order)
    rigid = [game.add(equation) for equation in equations]
    return game, smallest_overfull(equations, order) if any(rigid) else ()


def _units(graph: PlanarGraph, owners: Sequence[tuple[Equation, BodyName]]) -> tuple[Unit, ...]:
    before: dict[BodyName, set[BodyName]] = {body: set() for body in graph.bodies}
    for equation, owner in owners:
        before[owner] |= equation.bodies - {owner, graph.frame}
    needed = {body: _needed(body, before) for body in graph.bodies}
    waiting = list(graph.bodies)
    units = []
    known: set[BodyName] = {graph.frame}
    while waiting:
        # The bodies needed for a body, itself among them, are one unit if all others are known.
        first = next(body for body in waiting if _is_next(body, needed, known))
        bodies = tuple(body for body in waiting if body in needed[first])
        units.append(_unit(bodies, owners, graph))
        known |= set(bodies)
        waiting = [body for body in waiting if body not in known]
    return tuple(units)


def _needed(body: BodyName, before: Mapping[BodyName, set[BodyName]]) -> set[BodyName]:
    reached = [body]
    for other in reached:
        reached += before[other].difference(reached)
    return set(reached)


def _is_next(
    body: BodyName, needed: Mapping[BodyName, set[BodyName]], known: set[BodyName]
) -> bool:
    return all(body in needed[other] for other in needed[body] - known)


def _unit(
    bodies: tuple[BodyName, ...],
    owners: Sequence[tuple[Equation, BodyName]],
    graph: PlanarGraph,
) -> Unit:
    own = [equation for equation, owner in owners if owner in bodies]
    names = {equation.pair.name for equation in own}
    pairs = [pair for pair in graph.pairs if pair.name in names]
    outer = [pair for pair in pairs if not set(pair.bodies) <= set(bodies)]
    outer.sort(key=lambda pair: min(bodies.index(body) for body in pair.bodies if body in bodies))
    driven = {equation.pair.name for equation in own if equation.is_driver}
    drivers = tuple(name for name in graph.drivers if name in driven)
    return Unit(bodies, tuple(outer), tuple(p for p in pairs if p not in outer), drivers)
