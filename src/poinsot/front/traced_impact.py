"""Matrices of systems that touch, over symbols, and kernels of them for many states."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

import numpy as np

from poinsot.evaluate.expression import compiled_program
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.staged_program import program_of, recorded_stages
from poinsot.front.moving_system import MovingSystem
from poinsot.front.opening_rows import opening_rows
from poinsot.front.system import System
from poinsot.impacts.block_diagonal import block_diagonal
from poinsot.impacts.impact_kernel import impact_of_trees
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.spatial import Array
from poinsot.spatial.tangents import tangents

__all__ = ["STILL", "TouchingBodies", "base_numbers", "jump_kernel", "rows_kernel"]

STILL: Final = np.concatenate([np.eye(3).ravel(), np.zeros(9)])
"""Numbers of a base that does not move."""


@final
@dataclass(frozen=True)
class TouchingBodies:
    """Which bodies touch.

    Attributes:
        systems: The two systems, None for a base alone; or the only one, of two bodies of which.
        pairs: First and second body of each point.
        rough: Whether each point has friction.
        moves: Whether the base of each system moves, or stands elsewhere.
        has_numbers: Whether each system is given numbers for its free parameters.
    """

    systems: tuple[System | None, ...]
    pairs: tuple[tuple[str, str], ...]
    rough: tuple[bool, ...]
    moves: tuple[bool, ...]
    has_numbers: tuple[bool, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Number of the row along the normal of each point."""
        sizes = [3 if is_rough else 1 for is_rough in self.rough]
        return tuple(sum(sizes[:k]) for k in range(len(sizes)))


@final
@dataclass(frozen=True, eq=False)
class _Traced:
    """Symbols of two systems and their points, and what is computed of them.

    Attributes:
        inputs: The symbols of a kernel.
        masses: Mass matrices of the systems.
        rows: Velocities with which points part, by the velocities of each system.
        held: Rows of loops and constraints of each.
        velocities: Of each.
        given: Velocities with which the bases let points part.
        across: Two tangents of each point with friction.
    """

    inputs: dict[str, Array]
    masses: list[Array]
    rows: list[Array]
    held: list[Array]
    velocities: list[Array]
    given: Array
    across: list[Array]


def base_numbers(party: MovingSystem) -> Array:
    """Return rotation, place and velocity of a base, shape (18,)."""
    base = party.base
    return np.concatenate([base.R.ravel(), base.p, base.velocity])


@lru_cache(maxsize=16)
def jump_kernel(touching: TouchingBodies, law: str) -> AbstractMachineKernel:
    """Return the kernel of whole impacts of two trees in smooth points, by velocities."""
    with recorded_stages() as stages:
        given = _traced(touching)
        e = fresh_symbols("e", len(touching.pairs))
        results = impact_of_trees(
            given.masses, given.rows, given.velocities, given.given, traced(e), law
        )
    return compiled_program(program_of(given.inputs | {"e": e}, results, stages))


@lru_cache(maxsize=16)
def rows_kernel(touching: TouchingBodies) -> AbstractMachineKernel:
    """Return the kernel of M and, of loops and constraints, then of points, the rows and rates.

    And, if there is friction, two tangents of each point that has it.
    """
    with recorded_stages() as stages:
        given = _traced(touching)
        held = block_diagonal(given.held)
        rows = np.concatenate([held, np.hstack(given.rows)])
        v = np.concatenate(given.velocities)
        rates = np.concatenate([held @ v, np.hstack(given.rows) @ v + given.given])
        results = {
            "rows": rows.ravel(), "rates": rates, "masses": block_diagonal(given.masses).ravel(),
        }  # fmt: skip
        if given.across:
            results["tangents"] = np.concatenate(given.across)
    return compiled_program(program_of(given.inputs, results, stages))


def _traced(touching: TouchingBodies) -> _Traced:
    """Return what kernels are made of."""
    systems, s = touching.systems, len(touching.pairs)
    inputs: dict[str, Array] = {}
    for which, system, has_numbers in zip("12", systems, touching.has_numbers, strict=False):
        if system is not None:
            inputs |= {f"q{which}": fresh_symbols(f"q{which}", system.nq)}
            inputs |= {f"v{which}": fresh_symbols(f"v{which}", system.nv)}
            if has_numbers:
                inputs |= {f"numbers{which}": fresh_symbols(f"numbers{which}", len(system.free))}
    for k in range(s):
        inputs |= {f"{key}{k}": fresh_symbols(f"{key}{k}", 3) for key in ("place", "normal")}
    for which, moving in zip("12", touching.moves, strict=False):
        if moving:
            inputs[f"base{which}"] = fresh_symbols(f"base{which}", 18)
    symbols = {key: traced(array) for key, array in inputs.items()}
    places, directions, numbers, crossing = [], [], [], list[Array]()
    for k, is_rough in enumerate(touching.rough):
        normal = symbols[f"normal{k}"]
        across = tangents(normal) if is_rough else ()
        crossing += across
        for direction in (normal, *across):
            places.append(symbols[f"place{k}"])
            directions.append(direction)
            numbers.append(k)
    whole = _Traced(inputs, [], [], [], [], 0.0 * np.array(directions)[:, 0], crossing)
    given, is_alone = whole.given, len(systems) == 1
    for j, (which, system) in enumerate(zip("12", systems, strict=False)):
        sign, own, n = (-1.0, 1.0)[j], np.array(places), np.array(directions)
        if touching.moves[j]:
            base = symbols[f"base{which}"]
            R, p, V = base[:9].reshape(3, 3), base[9:12], base[12:]
            own, n = (own - p) @ R, n @ R
            if not is_alone:  # else both bodies move with it
                given = given + sign * (n @ V[:3] + np.cross(own, n) @ V[3:])
        if system is None:
            continue
        q, nv, values = symbols[f"q{which}"], system.nv, None
        if touching.has_numbers[j]:
            values = dict(zip(system.free, symbols[f"numbers{which}"], strict=True))
        bodies = [[touching.pairs[k][side] for k in numbers] for side in (0, 1)]
        if is_alone:
            first, second = (opening_rows(system, q, x, own, n, values) for x in bodies)
            rows = second - first
        else:
            rows = sign * opening_rows(system, q, bodies[j], own, n, values)
        whole.rows.append(rows)
        whole.masses.append(system.mass_matrix(q, parameters=values))
        whole.velocities.append(symbols[f"v{which}"])
        held = np.zeros((0, nv))
        if system.row_names:
            held = system.constraint_jacobian(q, parameters=values)
        whole.held.append(held)
    return _Traced(inputs, whole.masses, whole.rows, whole.held, whole.velocities, given, crossing)
