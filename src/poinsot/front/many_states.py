"""Systems that touch, at many states, as arrays for kernels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.front.moving_system import MovingSystem
from poinsot.front.system import System
from poinsot.front.touching_systems import TouchingSystems, touching_systems
from poinsot.front.traced_impact import STILL, TouchingBodies, base_numbers, rows_kernel
from poinsot.impacts.impact_law import Jump
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.spatial import Array

__all__ = ["ManyStates", "number_of_states"]

AT_ONCE: Final = 2048
"""States that are computed together, so that what they share stays in the cache."""


@final
@dataclass(frozen=True, eq=False)
class ManyStates:
    """One or two systems that touch in s points, at k states, n velocities.

    Attributes:
        both: The systems; a single one if its bodies hit each other.
        points: Where they touch.
        laws: Of the points.
        order: At once, or one after the other.
        states: Their numbers, for messages, k of them.
    """

    both: tuple[MovingSystem, ...]
    points: tuple[ImpactPoint, ...]
    laws: tuple[str, ...]
    order: str
    states: Sequence[int]

    @property
    def count(self) -> int:
        """How many states there are, k."""
        return len(self.states)

    @property
    def acts_at_once(self) -> bool:
        """Whether there are several points, which act simultaneously."""
        return len(self.points) > 1 and self.order == "simultaneous"

    @property
    def is_rough(self) -> bool:
        """Whether a point has friction."""
        return any(point.friction for point in self.points)

    @property
    def size(self) -> int:
        """How many velocities all systems have."""
        return sum(party.v.shape[-1] for party in self.both)

    @property
    def movable(self) -> tuple[System | None, ...]:
        """The systems; None for a base alone, and what has no freedom is part of its base."""
        systems = (party.system for party in self.both)
        return tuple(system if system is not None and system.nv else None for system in systems)

    @property
    def bodies(self) -> TouchingBodies:
        """What touches, without numbers."""
        moves = tuple(bool((base_numbers(party) != STILL).any()) for party in self.both)
        return TouchingBodies(
            self.movable,
            tuple((point.first, point.second) for point in self.points),
            tuple(point.friction > 0.0 for point in self.points), moves,
            tuple(bool(party.numbers.size) for party in self.both),
        )  # fmt: skip

    @property
    def constraints(self) -> int:
        """How many rows of loops and constraints there are."""
        return sum(len(system.row_names) for system in self.movable if system is not None)

    def check_bodies(self) -> None:
        """Reject points on bodies that are not there."""
        sides = self.both if len(self.both) == 2 else self.both * 2
        for point in self.points:
            for party, body in zip(sides, (point.first, point.second), strict=True):
                try:
                    party.check_body(body)
                except ModelError as error:
                    raise ModelError(f"impact point {point.name!r}: {error}") from None

    def some(self, *further: Array) -> Iterator[tuple[slice, list[Array]]]:
        """Yield states that are computed together, and the inputs of kernels there.

        Args:
            further: Inputs behind the others.
        """
        moves = self.bodies.moves
        moving_ones = zip(self.both, self.movable, strict=True)
        given = [array for party, system in moving_ones if system for array in _inputs(party)]
        given += [array for point in self.points for array in (point.point, point.normal)]
        pairs = zip(self.both, moves, strict=True)
        given += [base_numbers(party) for party, moving in pairs if moving]
        given += further
        most = min(self.count, AT_ONCE)
        wide = [np.ascontiguousarray(x) if x.ndim == 2 else np.tile(x, (most, 1)) for x in given]
        for start in range(0, self.count, AT_ONCE):
            states = slice(start, min(start + AT_ONCE, self.count))
            length = states.stop - start
            yield (
                states,
                [
                    array[states] if x.ndim == 2 else array[:length]
                    for array, x in zip(wide, given, strict=True)
                ],
            )

    def matrices(self) -> Iterator[tuple[slice, Array, Array, Array]]:
        """Yield states, and there rows of constraints, rows of points, and mass matrices."""
        if not self.size:
            return
        kernel, m, n = rows_kernel(self.bodies), self.constraints, self.size
        for states, inputs in self.some():
            length = states.stop - states.start
            made = {port.name: np.empty((length, port.size)) for port in kernel.signature.outputs}
            kernel.run(inputs, list(made.values()))
            rows = made["rows"].reshape(length, -1, n)
            yield states, rows[:, :m], rows[:, m:], made["masses"].reshape(length, n, n)

    def velocities(self, states: slice) -> Array:
        """Return those of all systems at some states, shape (states, n)."""
        length = states.stop - states.start
        own = [
            party.v[states] if party.v.ndim == 2 else np.tile(party.v, (length, 1))
            for party in self.both
        ]
        return np.ascontiguousarray(np.hstack(own), np.float64)

    def solved_alone(self, k: int) -> tuple[TouchingSystems, Jump, Array]:
        """Return the systems at one state, their jump by floats, and impulses (s, 3)."""
        second = self.both[1].state(k) if len(self.both) == 2 else None
        points = [point.state(k) for point in self.points]
        try:
            touching = touching_systems(self.both[0].state(k), second, points)
            done, P, _ = touching.law(self.laws, self.order).jump()
        except ModelError as error:
            raise ModelError(f"state {self.states[k]}: {error}") from None
        return touching, done, P

    def chosen(self, states: Array) -> ManyStates:
        """Return some of the states, by their numbers here."""
        both = tuple(party.state(states) for party in self.both)
        points = tuple(point.state(states) for point in self.points)
        own = [self.states[k] for k in states.tolist()]
        return ManyStates(both, points, self.laws, self.order, own)


def _inputs(party: MovingSystem) -> tuple[Array, ...]:
    """Return what kernels are given of a system, without its base."""
    return (party.q, party.v, party.numbers) if party.numbers.size else (party.q, party.v)


def number_of_states(both: Sequence[MovingSystem], points: Sequence[ImpactPoint]) -> int:
    """Return the number of states, which must be the same wherever there are several."""
    given = {f"{key} of the {which} system": getattr(party, key)
             for which, party in zip(("first", "second"), both, strict=False)
             for key in ("q", "v")}  # fmt: skip
    given |= {f"parameters of the {which} system": party.numbers
              for which, party in zip(("first", "second"), both, strict=False)}  # fmt: skip
    given |= {
        f"{key} of {p.name!r}": getattr(p, key) for p in points for key in ("point", "normal")
    }
    counts = {what: len(array) for what, array in given.items() if array.ndim == 2}
    if not counts:
        raise ShapeError(
            "collide_many: there is one state only; give q and v of shape (k, nq) and (k, nv), or "
            "call ps.collide"
        )
    if len(set(counts.values())) > 1:
        listed = ", ".join(f"{what}: {n}" for what, n in counts.items())
        raise ShapeError(f"collide_many: numbers of states differ: {listed}")
    return next(iter(counts.values()))
