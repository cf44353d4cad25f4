"""Impacts of two systems at many states at once: ``ps.collide_many``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, final

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.expression import compiled_program
from poinsot.expr import fresh_symbols, traced
from poinsot.expr.staged_program import program_of, recorded_stages
from poinsot.front.collide import Collision, collide
from poinsot.front.collision_derivatives import CollisionDerivatives
from poinsot.front.moving_system import MovingSystem
from poinsot.front.opening_rows import opening_rows
from poinsot.front.system import System
from poinsot.impacts.impact_kernel import impact_of_trees
from poinsot.impacts.impact_point import ImpactPoint
from poinsot.kernels.llvm.machine_kernel import AbstractMachineKernel
from poinsot.spatial import Array

__all__ = ["Collisions", "collide_many"]

LAWS: Final = ("newton", "unilateral")
MOST: Final = 6
"""Points whose sets are all tried in machine code; more are left to floats."""
CLEAR: Final = 1e-10
"""Pivot of the impulse matrix above which machine code is as good as floats with ranks."""

AT_ONCE: Final = 2048
"""States that are computed together, so that what they share stays in the cache."""
STILL: Final = np.concatenate([np.eye(3).ravel(), np.zeros(9)])
"""Numbers of a base that does not move."""


@final
@dataclass(frozen=True, eq=False)
class Collisions:
    """What impacts of two systems at k states did; s points.

    ``collisions[3]`` is all about one of them, a ``Collision``.

    Attributes:
        names: Of the points.
        law: "newton" or "unilateral".
        rates_before: How fast the points open before it [m/s], shape (k, s); negative: they close.
        rates: How fast they open after it [m/s], shape (k, s).
        impulses: At the points [N s], + on the second body, - on the first, shape (k, s).
        changes: Of the velocities of the two systems, shapes (k, n₁) and (k, n₂).
        unique: Whether no other impulses do the same; if not, they are those of least norm.
        first: The first system before them.
        second: The second one.
        points: Where they touch.
    """

    names: tuple[str, ...]
    law: str
    rates_before: Array
    rates: Array
    impulses: Array
    changes: tuple[Array, Array]
    unique: Array
    first: MovingSystem
    second: MovingSystem
    points: tuple[ImpactPoint, ...]

    @property
    def v(self) -> tuple[Array, Array]:
        """Velocities after them, shapes (k, n₁) and (k, n₂)."""
        return self.first.v + self.changes[0], self.second.v + self.changes[1]

    @property
    def contact_work(self) -> Array:
        """Work of the impulses at the points, Σ P (u⁻ + u⁺) / 2 [J], shape (k,)."""
        return np.asarray(np.sum(self.impulses * (self.rates_before + self.rates), axis=1) / 2.0)

    def derivatives(self) -> list[CollisionDerivatives]:
        """Return the derivatives of each; see ``Collision.derivatives``."""
        return [self[k].derivatives() for k in range(len(self))]

    def __len__(self) -> int:
        return len(self.impulses)

    def __getitem__(self, k: int) -> Collision:
        """Return the collision of one state."""
        k = range(len(self))[k]
        points = [point.state(k) for point in self.points]
        return collide(self.first.state(k), self.second.state(k), points, law=self.law)

    def __repr__(self) -> str:
        return f"Collisions({len(self)} states; {', '.join(self.names)}; law={self.law!r})"


def collide_many(
    first: MovingSystem, second: MovingSystem, points: Sequence[ImpactPoint], *,
    law: str = "newton",
) -> Collisions:  # fmt: skip
    """Return what ``collide`` does at many states, by one call of machine code.

    Args:
        first: One system just before the impacts, with q of shape (k, nq) and v of shape (k, nv),
            or one state for all.
        second: The other one.
        points: Where they touch; a ``point`` and a ``normal`` may be of shape (k, 3).
        law: "newton" or "unilateral", as in ``collide``.

    Trees in up to six points are compiled.  States with redundant points, and systems with loops,
    are computed one by one.

    Raises:
        ModelError: What ``collide`` raises, with the number of the state; for points with friction.

    >>> import poinsot as ps
    >>> hit = ps.ImpactPoint("world", "bob", point=(0, 0, -1), normal=(1, 0, 0), restitution=0.5)
    >>> arms = ps.MovingSystem(ps.library.pendulum(), [[0.0], [0.0]], [[2.0], [3.0]])
    >>> print(ps.collide_many(ps.MovingSystem(), arms, [hit]).v[1])
    [[-1. ]
     [-1.5]]
    """
    if law not in LAWS:
        raise ModelError(
            f"collide_many: law must be 'newton' or 'unilateral', got {law!r}; other laws are "
            "those of ps.collide, state by state"
        )
    if not points:
        raise ModelError("collide_many: no points; give at least one ps.ImpactPoint")
    rough = next((point for point in points if point.friction), None)
    if rough is not None:
        raise ModelError(
            f"collide_many: point {rough.name!r} has friction {rough.friction:g}; set friction=0, "
            "or call ps.collide for each state"
        )
    count = _count(first, second, points)
    s, sizes = len(points), (first.v.shape[-1], second.v.shape[-1])
    results = {
        "impulses": np.empty((count, s)), "rates_before": np.empty((count, s)),
        "rates": np.empty((count, s)), "changes": np.empty((count, sum(sizes))),
        "pivot": np.zeros((count, 1)),
    }  # fmt: skip
    if s <= MOST and not any(party.system and party.system.row_names for party in (first, second)):
        _by_machine_code(first, second, points, law, results)
    doubtful = ~(results["pivot"][:, 0] >= CLEAR)
    if law == "newton":  # points that open are refused there
        doubtful |= (results["rates_before"] > 0.0).any(axis=1)
    unique = np.ones(count, dtype=bool)
    changes = np.split(results["changes"], [sizes[0]], axis=1)
    for k in np.flatnonzero(doubtful).tolist():
        try:
            hit = collide(
                first.state(k), second.state(k), [point.state(k) for point in points], law=law
            )
        except ModelError as error:
            raise ModelError(f"state {k}: {error}") from None
        for key in ("impulses", "rates_before", "rates"):
            results[key][k] = getattr(hit, key)
        changes[0][k], changes[1][k], unique[k] = *hit.changes, hit.unique
    return Collisions(
        tuple(point.name for point in points), law, results["rates_before"], results["rates"],
        results["impulses"], (changes[0], changes[1]), unique, first, second, tuple(points),
    )  # fmt: skip


def _count(first: MovingSystem, second: MovingSystem, points: Sequence[ImpactPoint]) -> int:
    """Return the number of states, which must be the same wherever there are several."""
    given = {f"{key} of the {which} system": getattr(party, key)
             for which, party in (("first", first), ("second", second))
             for key in ("q", "v")}  # fmt: skip
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


def _by_machine_code(
    first: MovingSystem, second: MovingSystem, points: Sequence[ImpactPoint], law: str,
    results: dict[str, Array],
) -> None:  # fmt: skip
    both = (first, second)
    pairs = tuple((point.first, point.second) for point in points)
    for point, pair in zip(points, pairs, strict=True):
        for party, body in zip(both, pair, strict=True):
            try:
                party.check_body(body)
            except ModelError as error:
                raise ModelError(f"impact point {point.name!r}: {error}") from None
    bases = [_base_numbers(party) for party in both]
    moves = (bool((bases[0] != STILL).any()), bool((bases[1] != STILL).any()))
    kernel = _kernel(first.system, second.system, pairs, law, moves)
    inputs = [array for party in both if party.system for array in (party.q, party.v)]
    inputs += [array for point in points for array in (point.point, point.normal)]
    inputs.append(np.array([point.restitution for point in points]))
    inputs += [base for base, moving in zip(bases, moves, strict=True) if moving]
    count = len(results["impulses"])
    wide = [
        np.ascontiguousarray(x) if x.ndim == 2 else np.tile(x, (min(count, AT_ONCE), 1))
        for x in inputs
    ]
    for start in range(0, count, AT_ONCE):
        states = slice(start, min(start + AT_ONCE, count))
        some = [
            x[states] if given.ndim == 2 else x[: states.stop - start]
            for x, given in zip(wide, inputs, strict=True)
        ]
        kernel.run(some, [array[states] for array in results.values()])


def _base_numbers(party: MovingSystem) -> Array:
    """Return rotation, place and velocity of a base, shape (18,)."""
    base = party.base
    return np.concatenate([base.R.ravel(), base.p, base.velocity])


@lru_cache(maxsize=16)
def _kernel(
    first: System | None, second: System | None, pairs: tuple[tuple[str, str], ...], law: str,
    moves: tuple[bool, bool],
) -> AbstractMachineKernel:  # fmt: skip
    """Return the kernel of impacts of two systems with pairs of bodies."""
    systems, s = (first, second), len(pairs)
    inputs: dict[str, Array] = {}
    for which, system in zip("12", systems, strict=True):
        if system is not None:
            inputs |= {f"q{which}": fresh_symbols(f"q{which}", system.nq)}
            inputs |= {f"v{which}": fresh_symbols(f"v{which}", system.nv)}
    for k in range(s):
        inputs |= {f"{key}{k}": fresh_symbols(f"{key}{k}", 3) for key in ("place", "normal")}
    inputs["e"] = fresh_symbols("e", s)
    for which, moving in zip("12", moves, strict=True):
        if moving:
            inputs[f"base{which}"] = fresh_symbols(f"base{which}", 18)
    symbols = {key: traced(array) for key, array in inputs.items()}
    places, normals = (
        np.array([symbols[f"{key}{k}"] for k in range(s)]) for key in ("place", "normal")
    )
    masses, rows, velocities, given = [], [], [], 0.0 * normals[:, 0]
    with recorded_stages() as stages:
        for j, (which, system) in enumerate(zip("12", systems, strict=True)):
            sign, own, n = (-1.0, 1.0)[j], places, normals
            if moves[j]:
                base = symbols[f"base{which}"]
                R, p, V = base[:9].reshape(3, 3), base[9:12], base[12:]
                own, n = (places - p) @ R, normals @ R
                given = given + sign * (n @ V[:3] + np.cross(own, n) @ V[3:])
            if system is not None:
                q = symbols[f"q{which}"]
                masses.append(system.mass_matrix(q))
                velocities.append(symbols[f"v{which}"])
                bodies = [pair[j] for pair in pairs]
                rows.append(sign * opening_rows(system, q, bodies, own, n))
        results = impact_of_trees(masses, rows, velocities, given, symbols["e"], law)
    return compiled_program(program_of(inputs, results, stages))
