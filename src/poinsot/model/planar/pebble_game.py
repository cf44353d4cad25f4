"""Which equations of a planar graph are independent for almost all dimensions: the pebble game.

A set of equations on bodies with three coordinates each is independent if, for every set S of two
or more bodies, the frame among them if one likes, at most 3 |S| - 3 equations lie inside S.
Each body has three pebbles; an equation is paid by one of a body that it touches, its owner, and is
independent of those before if its bodies can get 3 + 1 pebbles together, by letting others pay
[Lee2008].
"""

from __future__ import annotations

from collections.abc import Iterable

from poinsot.model.planar.graph import BodyName, Equation

COORDINATES = 3
"""Of a body in the plane; so many pebbles every body has."""


class PebbleGame:
    """Equations that were found independent, each with the body that owns it.

    Attributes:
        owners: The independent equations and their owners, in the order in which they were added.
    """

    def __init__(self, bodies: Iterable[BodyName]) -> None:
        self.owners: list[tuple[Equation, BodyName]] = []
        self._free = dict.fromkeys(bodies, COORDINATES)

    def add(self, equation: Equation) -> frozenset[BodyName]:
        """Add an equation if it is independent of those before.

        Returns:
            The smallest set of bodies that is rigid already and holds all bodies of the equation,
            which over-constrains it; empty if the equation is independent.
        """
        reached = self._gather(equation.bodies, COORDINATES + 1)
        if reached:
            return reached
        payer = max(equation.bodies, key=lambda body: self._free[body])
        self._free[payer] -= 1
        self.owners.append((equation, payer))
        return frozenset()

    def is_rigid(self, bodies: Iterable[BodyName]) -> bool:
        """Whether bodies cannot move against each other."""
        return bool(self._gather(frozenset(bodies), COORDINATES + 1))

    def release(self, body: BodyName) -> None:
        """Let other bodies own the equations of a body, as far as they can."""
        self._gather(frozenset((body,)), COORDINATES)

    def _gather(self, bodies: frozenset[BodyName], count: int) -> frozenset[BodyName]:
        """Bring free pebbles to bodies until there are ``count``, or return what was searched."""
        while sum(self._free[body] for body in bodies) < count:
            reached = self._bring_one(bodies)
            if reached:
                return reached
        return frozenset()

    def _bring_one(self, bodies: frozenset[BodyName]) -> frozenset[BodyName]:
        """Search breadth first for a free pebble elsewhere and move it here along the way."""
        came_by: dict[BodyName, int] = {}
        reached = list(bodies)
        for body in reached:
            for index, (equation, owner) in enumerate(self.owners):
                if owner != body:
                    continue
                for other in equation.bodies.difference(reached):
                    reached.append(other)
                    came_by[other] = index
                    if self._free[other]:
                        self._move(other, came_by)
                        return frozenset()
        return frozenset(reached)

    def _move(self, body: BodyName, came_by: dict[BodyName, int]) -> None:
        self._free[body] -= 1
        while body in came_by:
            index = came_by[body]
            equation, previous = self.owners[index]
            self.owners[index] = equation, body
            body = previous
        self._free[body] += 1
