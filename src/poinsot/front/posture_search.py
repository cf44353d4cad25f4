"""The search for configurations in which tools have wanted poses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.least_squares_solver import Bounds, SearchLimits, minimised
from poinsot.assemble.numeric_rows import shortest
from poinsot.assemble.restarts import MOST_ROUNDS, Solutions, solved_by_restarts
from poinsot.front.posture import TOLERANCE
from poinsot.front.system import System
from poinsot.front.tool_rows import ToolRows
from poinsot.spatial import Array

EXACT: Final = 1e-12
"""Residual [m, rad] at which no step can do better."""
REACH: Final = 1.0
"""Longest step [rad, m]."""
NEAR: Final = 1e-3
"""Residual from which on Gauss and Newton's step may be good."""
LITTLE: Final = 1e-2
"""Part of the sum of squares below which a gain, far from the end, leads nowhere."""
LIMITS: Final = SearchLimits(MOST_ROUNDS, EXACT, TOLERANCE, NEAR, REACH, LITTLE)

CANDIDATES: Final = 6
"""Random configurations of which a start is the best."""
NEAREST_STARTS: Final = 8
"""Solutions of each pose of which the nearest is taken."""
WALKS: Final = 60
"""Steps of a walk at most."""
WALK_REACH: Final = 0.5
"""Longest of them [rad, m]."""
STAYS: Final = 1e-9
"""Step [rad, m] below which a walk is at its end."""
WALK_ROUNDS: Final = 20
"""Steps back to the wanted pose after each of a walk."""
VALLEY: Final = 1e-4
"""Residual [m, rad] below which a start that failed is in a valley that is nearly a self-motion."""

Merit: TypeAlias = Callable[[Array, Array, NDArray[np.intp]], Array]
Direction: TypeAlias = Callable[[Array, NDArray[np.intp]], Array]


class PostureSearch:
    """Configurations of n wanted poses.

    Args:
        rows: What is missing from the poses.
        further: Inputs of the rows behind q, shape (n, size) or (size,).
        given: Guesses, which say where held joints stay, shape (n, nq).
        held: Numbers of the velocities that stay.
        rng: Source of the starts.
    """

    def __init__(
        self, rows: ToolRows, further: list[Array], given: Array | None, held: Array,
        rng: np.random.Generator,
    ) -> None:  # fmt: skip
        self._rows, self._further, self._given, self._rng = rows, further, given, rng
        self._free = np.setdiff1d(np.arange(rows.system.nv), held)
        self._held_q = rows.bounds.coordinates[held]

    def solutions(self, n: int, starts: int) -> Solutions:
        """Return the first solutions, from the guesses and then from random starts."""
        middle = self._middle
        first = np.tile(middle, (n, 1)) if self._given is None else self._given
        best = self._solved(first, starts)
        missed = np.nonzero(~(best.residual <= TOLERANCE))[0]
        if missed.size:  # to where the sum of squares is least
            q, limits = best.q[missed], replace(LIMITS, little=0.0)
            best.residual[missed] = minimised(
                self._rows.problem, q, self._some(missed), self._free, limits, self._bounds
            )
            best.q[missed] = q
        return best

    def nearest(self, first: Solutions, wanted: Array, starts: int) -> Solutions:
        """Return the solutions nearest to postures, shape (n, nq).

        Of several starts, the posture itself first, each is moved along the self-motion,

            x = d - J⁺ (J d),      d = the difference from q to the posture

        and back to the pose, as long as the distance falls.
        """
        everyone = np.arange(len(wanted))
        best, least = first, np.full(len(wanted), np.inf)

        def distance(residual: Array, q: Array, numbers: NDArray[np.intp]) -> Array:
            lengths = self._rows.system.distance(q, wanted[numbers])
            return np.where(residual <= TOLERANCE, lengths, np.inf)

        def along(q: Array, numbers: NDArray[np.intp]) -> Array:
            return self._step_along(q, wanted[numbers], numbers)

        for start in range(min(starts, NEAREST_STARTS)):
            guesses = self._with_held(wanted if start == 0 else self._random(everyone), everyone)
            other = first if start == 1 else self._solved(guesses, 1)
            other = self._walked(other, everyone, distance, along)
            lengths = distance(other.residual, other.q, everyone)
            nearer = lengths < least
            least = np.minimum(lengths, least)
            best = Solutions(
                np.where(nearer[:, None], other.q, best.q),
                np.where(nearer, other.residual, best.residual),
                best.starts + 1,
            )
        return best

    def held_back(self, best: Solutions) -> Array:
        """Return which velocities are at limits that keep poses from being reached, (n, nv)."""
        result = np.zeros((len(best.q), self._rows.system.nv), bool)
        missed = np.nonzero(~(best.residual <= TOLERANCE))[0]
        if missed.size:
            phi, J = self._values(best.q[missed], missed)
            slopes = np.einsum("nmv,nm->nv", J, phi)
            low, high = self._at_limits(best.q[missed])
            result[missed] = (low & (slopes > 0.0)) | (high & (slopes < 0.0))
        return result

    # How it works

    @cached_property
    def _bounds(self) -> Bounds:
        """The limits, with the coordinates of the free velocities."""
        bounds = self._rows.bounds
        lower, upper = bounds.lower.copy(), bounds.upper.copy()
        lower[self._held_q], upper[self._held_q] = -np.inf, np.inf
        return Bounds(lower, upper, np.ascontiguousarray(bounds.coordinates[self._free]))

    @cached_property
    def _box(self) -> tuple[Array, Array]:
        return random_box(self._rows.system)

    @cached_property
    def _middle(self) -> Array:
        """The middle of the box, quaternions without rotation."""
        system = self._rows.system
        low, high = self._box
        unit = np.array(system.coordinate_units) == "1"
        return np.where(unit, system.neutral(), 0.5 * (low + high))

    def _random(self, numbers: NDArray[np.intp]) -> Array:
        """Return random configurations, those of held joints as given, shape (k, nq).

        Of several for each pose the one with the smallest sum of squares.
        """
        many = np.repeat(numbers, CANDIDATES)
        q = random_configurations(self._rows.system, len(many), self._rng, self._box)
        q = self._with_held(q, many)
        phi = self._rows.value(self._rows.residual, q, self._some(many))
        squares = np.einsum("nm,nm->n", phi, phi).reshape(-1, CANDIDATES)
        best = np.argmin(np.where(np.isnan(squares), np.inf, squares), axis=1)
        return np.asarray(q.reshape(len(numbers), CANDIDATES, -1)[np.arange(len(numbers)), best])

    def _with_held(self, q: Array, numbers: NDArray[np.intp]) -> Array:
        if self._given is not None and self._held_q.size:
            q = np.array(q)
            q[:, self._held_q] = self._given[np.ix_(numbers, self._held_q)]
        return q

    def _solved(self, guesses: Array, starts: int) -> Solutions:
        return solved_by_restarts(
            self._rows.problem, guesses, self._further, self._free, LIMITS, self._bounds,
            self._random, starts, self._polished,
        )  # fmt: skip

    def _polished(self, start: Solutions) -> Solutions:
        """Return solutions of which those in long valleys have been walked to their ends.

        Near a singular posture φ hardly changes along a curve, on which only short steps decrease
        it; those of Gauss and Newton are long enough, once the rest of φ is put right after each.
        """
        missed = np.nonzero((start.residual > TOLERANCE) & (start.residual < VALLEY))[0]
        return self._walked(start, missed, lambda residual, *_: residual, self._newton_step)

    def _values(self, q: Array, numbers: NDArray[np.intp]) -> tuple[Array, Array]:
        """Return φ and J of some of the poses, shapes (k, m) and (k, m, nv)."""
        rows, given = self._rows, self._some(numbers)
        return rows.value(rows.residual, q, given), rows.value(rows.jacobian, q, given)

    def _some(self, numbers: NDArray[np.intp]) -> list[Array]:
        return [x if x.ndim == 1 else np.ascontiguousarray(x[numbers]) for x in self._further]

    def _walked(
        self, start: Solutions, numbers: NDArray[np.intp], merit: Merit, direction: Direction
    ) -> Solutions:
        """Return solutions after steps, each followed by some back to the pose, as merits fall.

        Args:
            start: Where they are.
            numbers: Which are to move.
            merit: What is to fall: residuals, configurations and numbers of k problems -> shape
                (k,); infinite: do not move.
            direction: Configurations and numbers of k problems -> steps, shape (k, nv).
        """
        system, limits = self._rows.system, replace(LIMITS, rounds=WALK_ROUNDS)
        q, residual = start.q.copy(), start.residual.copy()
        merits, reach = np.full(len(q), np.inf), np.full(len(q), WALK_REACH)
        merits[numbers] = merit(residual[numbers], q[numbers], numbers)
        moving = np.nonzero(np.isfinite(merits))[0]
        for _ in range(WALKS):
            if not moving.size:
                break
            x = direction(q[moving], moving)
            sizes = np.abs(x).max(axis=1, initial=0.0)
            x *= np.minimum(1.0, reach[moving] / np.maximum(sizes, STAYS))[:, None]
            trial = np.clip(system.integrate(q[moving], x), self._bounds.lower, self._bounds.upper)
            further = self._some(moving)
            trial_residual = minimised(
                self._rows.problem, trial, further, self._free, limits, self._bounds
            )
            trial_merits = merit(trial_residual, trial, moving)
            better = trial_merits < merits[moving]
            taken, stuck = moving[better], moving[~better]
            q[taken], merits[taken] = trial[better], trial_merits[better]
            residual[taken] = trial_residual[better]
            reach[stuck] = np.minimum(reach[stuck], sizes[~better]) / 4.0
            moving = moving[(sizes > STAYS) & (reach[moving] > STAYS)]
        return Solutions(q, residual, start.starts)

    def _newton_step(self, q: Array, numbers: NDArray[np.intp]) -> Array:
        """Return the shortest steps of Gauss and Newton, shape (k, nv)."""
        phi, J = self._values(q, numbers)
        step = np.zeros((len(q), self._rows.system.nv))
        step[:, self._free] = shortest(J[..., self._free], -phi)
        return step

    def _step_along(self, q: Array, wanted: Array, numbers: NDArray[np.intp]) -> Array:
        """Return the steps along self-motions that lead nearest to postures, shape (k, nv)."""
        _, J = self._values(q, numbers)
        d = self._rows.system.difference(q, wanted)
        locked = np.ones(d.shape, bool)
        locked[:, self._free] = False
        low, high = self._at_limits(q)
        x = d
        for _ in range(2):  # those that would leave their limits stay
            J_free = np.where(locked[:, None, :], 0.0, J)
            x = np.where(locked, 0.0, d)
            x = x + shortest(J_free, -np.einsum("nmv,nv->nm", J_free, x))
            locked = locked | (low & (x < 0.0)) | (high & (x > 0.0))
        return np.where(locked, 0.0, x)

    def _at_limits(self, q: Array) -> tuple[Array, Array]:
        """Return which velocities are at their lower, and at their upper limits, (k, nv)."""
        bounds = self._rows.bounds
        places = q[:, bounds.coordinates]  # of those without a coordinate any
        limited = bounds.coordinates >= 0
        low = limited & (places <= bounds.lower[bounds.coordinates] + STAYS)
        return low, limited & (places >= bounds.upper[bounds.coordinates] - STAYS)


def random_configurations(
    system: System, n: int, rng: np.random.Generator, box: tuple[Array, Array] | None = None
) -> Array:
    """Return n random configurations within the limits of the joints, shape (n, nq).

    Args:
        system: The system.
        n: How many.
        rng: Their source.
        box: Smallest and largest coordinates; those of ``random_box`` by default.
    """
    q = rng.uniform(*(random_box(system) if box is None else box), (n, system.nq))
    if system.nq > system.nv:  # unit quaternions
        odd = np.array(system.coordinate_units) == "1"
        q[:, odd] = np.array([system.random(rng) for _ in range(n)])[:, odd]
    return q


def random_box(system: System) -> tuple[Array, Array]:
    """Return where random configurations are: between the limits, else a turn or two metres."""
    lower, upper, turns = system.limits.lower, system.limits.upper, _turning(system)
    half = np.where(turns, np.pi, 1.0)
    low = np.where(np.isfinite(lower), lower, np.minimum(-half, upper - 2.0 * half))
    high = np.where(np.isfinite(upper), upper, np.maximum(half, lower + 2.0 * half))
    more = turns & (low < -np.pi) & (high > np.pi)  # than a turn
    return np.where(more, -np.pi, low), np.where(more, np.pi, high)


def _turning(system: System) -> NDArray[np.bool_]:
    return np.array([unit == "rad" for unit in system.coordinate_units], bool)
