"""A run as a sequence of matrices, one for every step and every event that changes the motion.

With S the derivative of the state by what is varied, and G that of the free parameters,

    S_after = Φ_y S + Φ_p G

for every step (``step_tangents.py``) and every event (``saltation.py``); the discrete adjoint is
the transposed recursion, from the last to the first.  All are derivatives at fixed times, step
sizes as the run took them.  The step that an event cuts short counts as one that ends there: its
dense output differs from that by no more than the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np

from poinsot.errors import ModelError
from poinsot.simulation.laws.callback import CallbackKernel, MissingLaw
from poinsot.simulation.laws.event import Occurrence
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.approaches import Approach, NearEvents, approaches
from poinsot.simulation.sensitivities.impact_reset import ImpactReset
from poinsot.simulation.sensitivities.projected import chained, projected
from poinsot.simulation.sensitivities.rosenbrock_tangents import RosenbrockTangents
from poinsot.simulation.sensitivities.saltation import Saltation
from poinsot.simulation.sensitivities.sampling_tangents import SamplingTangents
from poinsot.simulation.sensitivities.simultaneous import Instant, OrderChange
from poinsot.simulation.sensitivities.some_steps import AbstractSteps
from poinsot.simulation.sensitivities.step_states import step_states
from poinsot.simulation.sensitivities.step_tangents import StepTangents
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit
from poinsot.simulation.stepping.integrators.rosenbrock import Rosenbrock
from poinsot.spatial import Array

MEMORY = 32e6
"""Memory that stages and their tangents take at a time [bytes]: so many steps go side by side."""


class Transitions:
    """What takes the derivatives of a run from each of its steps to the next.

    Args:
        trajectory: The run.
        names: Free parameters to differentiate by.
        where: Opens the message of an error.
        impacts: In place of resets that are Python functions, by the names of events.

    Attributes:
        order_changes: Which columns of the derivatives that ``forward`` returned last change the
            order of events at the same time, and what is known of them.

    Raises:
        ModelError: If it cannot be differentiated: the message says why and what to do.
    """

    def __init__(
        self, trajectory: Trajectory, names: tuple[str, ...], where: str,
        impacts: Mapping[str, ImpactReset] | None = None,
    ) -> None:  # fmt: skip
        self._integrator = _checked_integrator(trajectory, where)
        self._names, self._where = names, where
        self._saltation: Saltation | None = None
        if trajectory.events is not None:
            self._saltation = Saltation(trajectory.events, names, impacts or {}, where)
            self._saltation.check()
        self._run, self.y = trajectory, step_states(trajectory)
        self.t = self.y.t
        self.order_changes: dict[int, OrderChange] = {}
        self._sampling: SamplingTangents | None = None
        if any("update" in state.laws for state in trajectory.equations.mechanism.states):
            span = float(self.t[0]), float(self.t[-1])
            self._sampling = SamplingTangents(self._run.laws, names, span, where)

    def forward(self, start: Array, times: Array, before: Array) -> Array:
        """Return the derivatives at times, shape (number of times, n, m + p).

        Args:
            start: Those of the state at the start by m variables, shape (n, m).
            times: Within the run [s].
            before: Whether at an event then the state before it is meant, not the one after it.
        """
        (n, m), self.order_changes = start.shape, {}
        first = self._start_projection()
        S = first[:, :n] @ np.pad(start, ((0, 0), (0, len(self._names))))
        S[:, m:] += first[:, n:]
        varied = np.eye(len(self._names), m + len(self._names), m)
        result = np.empty((len(times), *S.shape))
        row = np.searchsorted(self.t, times, side="right") - 1
        row = np.where(before, np.searchsorted(self.t, self.t[row]), row)
        row = np.where(before & (self.t[row] != times), np.searchsorted(self.t, times) - 1, row)
        result[row == 0] = S
        inner = self.t[row] != times
        for begin, end, law in self._blocks(S.shape[1], dense=bool(inner.any())):
            if law is None:
                behind, changes = self._instant(begin).forward(S, varied)
                vectors, self.order_changes = np.array([S, behind]), self.order_changes | changes
            else:
                inside = np.flatnonzero((row >= begin) & (row < end) & inner)
                steps = self._steps(begin, end, law, dense=inside.size > 0)
                needed = np.unique(row[inside] - begin)
                vectors, kept = steps.forward(S, varied, needed)
            S = vectors[-1]
            here = np.flatnonzero((row > begin - (begin == 0)) & (row <= end))
            result[here] = vectors[row[here] - begin]
            if law is not None and inside.size:
                given = (vectors, kept), varied, needed, row[inside] - begin, times[inside]
                result[inside] = steps.between(*given)
        return result

    def event_times(self, S: Array, order: Sequence[int]) -> list[Array]:
        """Return the derivatives of the times of all events that occurred, shapes (m + p,).

        Args:
            S: Those of the states just before them, shape (number of events, n, m + p).
            order: Which column of ``forward`` each of these is.
        """
        if self._saltation is None:
            return []
        result = list[Array]()
        for occurrence, by in zip(self._run.occurrences, S, strict=True):
            first = self._occurrences[occurrence.t][0]
            y = np.concatenate([first.q_before, first.v_before, [*first.states_before.values()]])
            row = max(int(np.searchsorted(self.t, occurrence.t)) - 1, 0)
            number = self._saltation.number(occurrence.name)
            by_y = self._saltation.time(number, int(self.y.law[row]), occurrence.t, y)
            result.append(self._along(by_y, by, order))
        return result

    def near_events(self) -> NearEvents:
        """Return the events that nearly happened."""
        return approaches(self._run, self.y, self._blocks(1))

    def approach_changes(
        self, nearby: Sequence[Approach], S: Array, order: Sequence[int]
    ) -> list[Array]:
        """Return the derivatives of functions of events that nearly happened, shapes (m + p,).

        Args:
            nearby: Some of them.
            S: Those of the states then, shape (number of them, n, m + p).
            order: Which column of ``forward`` each of these is.
        """
        saltation, result = self._saltation, list[Array]()
        for near, by in zip(nearby, S, strict=True):
            assert saltation is not None, "only events come near"
            row = saltation.value(near.number, near.law, near.t, near.y)
            result.append(self._along(row, by, order))
        return result

    def backward(self, weights: Array, start: Array) -> tuple[Array, Array]:
        """Return the gradient of a weighted sum of the last state, by the start and by parameters.

        Args:
            weights: Of the entries of the last state, shape (n,).
            start: Derivatives of the state at the start by m variables, shape (n, m).

        Returns:
            Shapes (m,) and (p,).
        """
        n, gradient, final = weights.size, np.zeros(len(self._names)), weights
        for begin, end, law in reversed(list(self._blocks(n))):
            if law is None:
                pair = self._instant(begin).backward(weights)
            else:
                pair = self._steps(begin, end, law).backward(weights)
            if pair is None:  # along directions then
                ((whole,),) = (self.forward(start, self.t[-1:], np.zeros(1, bool)),)
                by = final @ whole
                return by[: start.shape[1]], by[start.shape[1] :]
            weights, gradient = pair[0], gradient + pair[1]
        first = self._start_projection()
        return weights @ first[:, :n] @ start, gradient + weights @ first[:, n:]

    def _along(self, row: Array, by: Array, order: Sequence[int]) -> Array:
        """Return derivatives by y and p, shape (n + p,), along columns of y, shape (n, m + p)."""
        n, p = by.shape[0], len(self._names)
        varied = np.eye(p, by.shape[1], by.shape[1] - p)[:, order]
        return np.asarray(row[:n] @ by + row[n:] @ varied)

    def _blocks(
        self, columns: int, *, dense: bool = False
    ) -> Iterator[tuple[int, int, int | None]]:
        """Yield the first row of some steps, the last, and their law; None: an event.

        Args:
            columns: Of the tangents.
            dense: Whether stages are kept.
        """
        n, p = self.y.shape[1], len(self._names)
        stages = self._integrator.n_derivatives
        if isinstance(self._integrator, Rosenbrock):  # a column for each entry and parameter
            columns, dense = 4 * (n + p), True
        numbers = 4 * stages * n + 3 * n * (n + p + 1) + 2 * n * columns
        numbers += 2 * stages * n * columns if dense else 0
        size = max(1, int(MEMORY / (8 * numbers)))
        jumps = np.flatnonzero(np.diff(self.t) == 0.0).tolist()
        begin = 0
        for jump in (*jumps, self.t.size - 1):
            for first in range(begin, jump, size):
                yield first, min(first + size, jump), int(self.y.law[first])
            if jump < self.t.size - 1:
                yield jump, jump + 1, None
            begin = jump + 1

    def _instant(self, row: int) -> Instant:
        """Return what happens between a row and the next, at the same time."""
        assert self._saltation is not None, "only events leave two rows at a time"
        t = float(self.t[row])
        again = np.count_nonzero(self.t[row : row + 3] == t) > 2 or (row and self.t[row - 1] == t)
        laws = int(self.y.law[row]), int(self.y.law[row + 1])
        return Instant.of(self._saltation, self._occurrences[t], laws, again=bool(again))

    @cached_property
    def _occurrences(self) -> dict[float, list[Occurrence]]:
        """The events at each time [s] at which there are any."""
        listed = dict[float, list[Occurrence]]()
        for occurrence in self._run.occurrences:
            listed.setdefault(occurrence.t, []).append(occurrence)
        return listed

    def _steps(self, begin: int, end: int, law: int, *, dense: bool = False) -> AbstractSteps:
        rows, equations = slice(begin, end), self._run.laws[law]
        h = np.diff(self.t[begin : end + 1])
        given = {"t": self.t[rows], "h": h, "y": self.y[rows]}
        if self._sampling is not None:
            after = slice(begin + 1, end + 1)
            ends = self.t[after], self.y[after], self.y[rows]
            given["updates"] = self._sampling.matrices(*ends, law)
        integrator = self._integrator
        if isinstance(integrator, Rosenbrock):
            return RosenbrockTangents(equations, integrator, self._names, **given)
        return StepTangents(equations, integrator.tableau, self._names, **given, dense=dense)

    def _start_projection(self) -> Array:
        """Return what takes variations of the start onto the constraints, shape (n, n + p)."""
        first = self.t[:1], self.y[:1]
        matrix: Array = projected(self._run.equations, self._names, *first)[1][:, :, :-1]
        if self._sampling is not None:
            begin = self._run.start[None, : self.y.shape[1]]
            matrix = chained(self._sampling.matrices(*first, begin), matrix, len(self._names))
        return np.asarray(matrix[0])


def _checked_integrator(run: Trajectory, where: str) -> Explicit | Rosenbrock:
    """Return the integrator; reject what cannot be differentiated."""
    integrator = INTEGRATORS[run.accuracy.integrator]
    if not isinstance(integrator, Explicit | Rosenbrock):
        raise ModelError(
            f"{where}: steps of integrator {run.accuracy.integrator!r} are not differentiated; "
            "simulate with 'dp8', 'dp5', 'rk4' or 'stiff'"
        )
    for use in (use for law in run.laws for use in law.uses):
        if isinstance(use.kernel, CallbackKernel | MissingLaw):
            raise ModelError(
                f"{where}: the function of {use.writes} is called by Python at every step and has "
                "no derivative; give a function that is traced (no Callback), or a formula"
            )
    return integrator
