"""What is to vanish in multiple shooting, and its derivatives."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError, PoinsotError, ShapeError
from poinsot.front.run import Run
from poinsot.front.run_sensitivity import RunSensitivity, at_moved_end, depends_on_time
from poinsot.front.system import System
from poinsot.front.varied_run import free_numbers, start_names, varied_run
from poinsot.model.checks import finite_array, whole_number
from poinsot.simulation.laws.event import Event
from poinsot.spatial import Array

DURATION: Final = "duration"
"""Name of the unknown time."""

SHORT: Final = 1e-9
"""How much shorter than its duration a run may be, for rounding."""

State: TypeAlias = tuple[Array, Array]
"""q and v."""


class ShootingError(PoinsotError):
    """No motion near a guess meets the conditions; the message names the one least met."""


@dataclass(frozen=True)
class Conditions:
    """What is to hold, besides what is periodic.

    Attributes:
        end: Formulas that vanish at the end.
        start: Formulas that vanish at the start.
        section: Event that ends the motion.
        segments: Number of runs.
    """

    end: tuple[str, ...]
    start: tuple[str, ...]
    section: Event | None
    segments: int

    def __post_init__(self) -> None:
        for formula in (*self.end, *self.start):
            if not isinstance(formula, str):
                raise ModelError(f"shoot: a condition must be a formula, got {formula!r}")
            if re.search(r"(?<![\w.])t(?!\w)", formula):
                raise ModelError(
                    f"shoot: condition {formula!r} has the time t; write it with q, v, further "
                    "states and parameters"
                )
        whole_number(self.segments, 1, "shoot: segments")
        if self.section is not None and not isinstance(self.section, Event):
            raise ModelError(f"shoot: section must be a ps.Event, got {self.section!r}")
        if self.segments > 1 and self.section is not None:
            raise ModelError(
                "shoot: a section ends a motion of one segment; leave segments= out, or give "
                "'duration' as unknown and the section's function as one of end="
            )


class ShootingProblem:
    """Residuals of all conditions and their Jacobian at trial values.

    Attributes:
        names: Of all unknowns: those of the user, then the nodes.
        n_named: How many of them are those of the user.
        guess: First values.
        conditions: What each residual is of, in words.
        duration: That of the guess [s].
        count: How many times the motion was simulated.
    """

    def __init__(
        self, system: System, state: State, duration: float,
        names: tuple[tuple[str, ...], tuple[str, ...]], given: Conditions, options: dict[str, Any],
        nodes: tuple[ArrayLike, ArrayLike] | None,
    ) -> None:  # fmt: skip
        unknown, periodic = names
        if "save" in options:
            raise ModelError("shoot: save= is not for it; take result.runs[0].at(times)")
        self._system, self.duration, self._given = system, duration, given
        self._options, self.count = options, 0
        if given.section is not None:
            events = (*options.get("events", ()), replace(given.section, stop=True))
            self._options = {**options, "events": events}
            if DURATION in unknown:
                raise ModelError("shoot: the section ends the motion; 'duration' is no unknown")
        free = [name for name in unknown if name in system.free]
        self._values = free_numbers(system, free, "shoot")
        rest = [name for name in unknown if name not in free and name != DURATION]
        self._moved = start_names(system, rest, "shoot: unknown ")
        self._every = start_names(system, ("q", "v", "states"), "")
        self._periodic = start_names(system, periodic, "shoot: periodic ")
        self._has_duration = DURATION in unknown
        named = [*self._moved, *self._values, *([DURATION] if self._has_duration else [])]
        twice = next((name for name in named if named.count(name) > 1), None)
        if twice is not None:
            raise ModelError(f"shoot: {twice!r} is unknown twice")
        self.n_named = len(named)
        later = [(k, name) for k in range(2, given.segments + 1) for name in self._every]
        more = [f"{name} of segment {k}" for k, name in later]
        self.names = (*named, *more)
        numbers = {**system.parameters, **options["parameters"]}
        missing = next((name for name in self._values if numbers[name] is None), None)
        if missing is not None:
            raise ModelError(f"shoot: give a first guess: parameters={{{missing!r}: ...}}")
        first = [0.0] * len(self._moved) + [float(numbers[name]) for name in self._values]
        first += [duration] if self._has_duration else []
        self.guess = np.array([*first, *(0.0 for _ in more)])
        self._known: tuple[bytes, tuple[Run, ...]] = b"", ()
        self._starts = [state]
        self._starts += self._nodes(nodes, state)
        self.conditions = [
            *(f"{name} where segment {k} begins" for k, name in later),
            *(f"{name}, periodic," for name in self._periodic),
            *(f"{formula!r} at the end" for formula in given.end),
            *(f"{formula!r} at the start" for formula in given.start),
        ]  # fmt: skip
        self._check_time()

    def runs(self, x: Array) -> tuple[Run, ...]:
        """Return the runs with trial values; those of the last ones are kept."""
        key = x.tobytes()
        if self._known[0] != key:
            self.count += 1
            count = self._given.segments
            self._known = key, tuple(self._run(k, x, count) for k in range(count))
        return self._known[1]

    def residuals(self, x: Array) -> Array:
        """Return what should vanish."""
        runs, system = self.runs(x), self._system
        rows = [_gap(system, later, run) for run, later in pairwise(runs)]
        closing = _gap(system, runs[0], runs[-1])
        rows.append(closing[[self._every.index(name) for name in self._periodic]])
        at_end = [float(runs[-1].evaluate(formula)[-1]) for formula in self._given.end]
        at_start = [float(runs[0].evaluate(formula)[0]) for formula in self._given.start]
        return np.concatenate([*rows, np.array([*at_end, *at_start])])

    def jacobian(self, x: Array) -> Array:
        """Return the derivatives of the residuals; exact where they vanish."""
        runs, n = self.runs(x), len(self._every)
        J = np.zeros((len(self.conditions), x.size))
        columns, changes = self._columns(), [self._change(k, run) for k, run in enumerate(runs)]
        row = 0
        for k, change in enumerate(changes[:-1]):
            J[row : row + n, columns[k]] = _stacked(change, -1)
            J[row : row + n, columns[k + 1]] -= _stacked(changes[k + 1], 0)
            row += n
        chosen = [self._every.index(name) for name in self._periodic]
        J[row : row + len(chosen), columns[-1]] = _stacked(changes[-1], -1)[chosen]
        J[row : row + len(chosen), columns[0]] -= _stacked(changes[0], 0)[chosen]
        row += len(chosen)
        for formulas, k, moment in ((self._given.end, -1, -1), (self._given.start, 0, 0)):
            for formula in formulas:
                J[row, columns[k]] = changes[k].of(formula)[moment]
                row += 1
        return J

    def multipliers(self, x: Array) -> NDArray[np.complex128]:
        """Return the eigenvalues of the derivative of the end by the start."""
        total = np.eye(len(self._every))
        if not self._periodic:
            return np.zeros(0, np.complex128)
        for k, run in enumerate(self.runs(x)):
            total = _stacked(self._change(k, run, self._every), -1)[:, : len(self._every)] @ total
        chosen = [self._every.index(name) for name in self._periodic]
        values = np.linalg.eigvals(total[np.ix_(chosen, chosen)]).astype(np.complex128)
        return values[np.argsort(-np.abs(values), kind="stable")]

    def _columns(self) -> list[list[int]]:
        """Return where what each segment depends on is among the unknowns."""
        n, common = len(self._every), range(len(self._moved), self.n_named)
        result = [[*range(len(self._moved)), *common]]
        for k in range(self._given.segments - 1):
            first = self.n_named + k * n
            result.append([*range(first, first + n), *common])
        return result

    def _change(self, k: int, run: Run, start: Sequence[str] | None = None) -> RunSensitivity:
        """Return the derivatives at the ends of a segment by what it depends on."""
        moved = start if start is not None else self._every if k else self._moved
        change = run.sensitivity((*moved, *self._values), run.t[[0, -1]])
        ending = np.zeros(len(change.by))
        if self._given.section is not None:
            ending = change.event_times[-1]
        more = (DURATION,) if self._has_duration else ()
        return at_moved_end(change, ending, dict.fromkeys(more, 1.0 / self._given.segments))

    def _run(self, k: int, x: Array, segments: int) -> Run:
        """Return the run of a segment of so many."""
        given, system, n = self._given, self._system, len(self._every)
        names, values = (
            (self._moved, x) if k == 0 else (self._every, x[self.n_named + (k - 1) * n :])
        )
        first = len(self._moved)
        duration = float(x[self.n_named - 1]) if self._has_duration else self.duration
        piece = duration / segments
        options = dict(self._options)
        if k and system.mechanism.state_values:
            options["states"] = self._further[k - 1]
        run = varied_run(
            system, *self._starts[k], piece, start=k * piece, options=options, where="shoot",
            changes=dict(zip(names, values.tolist(), strict=False)),
            values=dict(zip(self._values, x[first:].tolist(), strict=False)),
        )  # fmt: skip
        if given.section is None and run.t[-1] < k * piece + piece * (1.0 - SHORT):
            raise ShootingError(
                f"shoot: event {run.events[-1].name!r} stops the motion at t = {run.t[-1]:g} s; "
                "give it as section=, or leave out stop="
            )
        if given.section is not None:
            reached = [event.name for event in run.events[-1:]]
            if reached != [given.section.name] or run.events[-1].t < run.t[-1]:
                raise ShootingError(
                    f"shoot: section {given.section.name!r} is not reached within {duration:g} s; "
                    "give a longer duration, or a nearer guess"
                )
        return run

    def _nodes(self, nodes: tuple[ArrayLike, ArrayLike] | None, state: State) -> list[State]:
        """Return guesses of the starts of later segments; those of further states are kept."""
        count, system = self._given.segments - 1, self._system
        self._further: list[dict[str, float]] = [dict(system.mechanism.state_values)] * count
        if count == 0:
            if nodes is not None:
                raise ModelError("shoot: nodes= are starts of later segments; give segments= too")
            return []
        if nodes is not None:
            q, v = (finite_array(x, "shoot: nodes") for x in nodes)
            if (q.shape, v.shape) != ((count, system.nq), (count, system.nv)):
                raise ShapeError(
                    f"shoot: nodes must have shapes ({count}, {system.nq}) and "
                    f"({count}, {system.nv}), got {q.shape} and {v.shape}"
                )
            return list(zip(q, v, strict=True))
        self._starts = [state]
        run = self._run(0, self.guess, 1)
        times = run.t[0] + (run.t[-1] - run.t[0]) * np.arange(1, count + 1) / (count + 1)
        q, v = run.at(times)
        self._further = [
            {name: float(np.interp(t, run.t, x)) for name, x in run.states.items()} for t in times
        ]
        return list(zip(q, v, strict=True))

    def _check_time(self) -> None:
        """Reject an unknown duration of segments whose laws depend on the time."""
        if not (self._has_duration and self._given.segments > 1):
            return
        run = self.runs(self.guess)[0]
        if depends_on_time(run.sensitivity("v")):
            raise ModelError(
                "shoot: forces depend on the time, and segments begin at other times as the "
                "duration changes; take segments=1, or let a parameter scale the time"
            )


def _gap(system: System, later: Run, run: Run) -> Array:
    """Return by how much the end of a run differs from the start of another, entry by entry."""
    further = [x[-1] - later.states[name][0] for name, x in run.states.items()]
    apart = system.difference(later.q[0], run.q[-1]), run.v[-1] - later.v[0]
    return np.concatenate([*apart, np.array(further)])


def _stacked(change: RunSensitivity, row: int) -> Array:
    """Return the derivatives of q, v and further states at one time, shape (n, m)."""
    further = [x[row : row + 1 or None] for x in change.states.values()]
    return np.concatenate([change.q[row], change.v[row], *further])
