"""A run as a sequence of matrices, one for every step and every event that changes the motion.

With S the derivative of the state by what is varied, and G that of the free parameters,

    S_after = Φ_y S + Φ_p G

for every step (``step_tangents.py``) and every event (``saltation.py``); the discrete adjoint is
the transposed recursion, from the last to the first.  All are derivatives at fixed times, step
sizes as the run took them.  The step that an event cuts short counts as one that ends there: its
dense output differs from that by no more than the tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Program
from poinsot.simulation.integrate import integrate
from poinsot.simulation.laws.callback import CallbackKernel, MissingLaw
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.projected import chained, projected
from poinsot.simulation.sensitivities.recomputed_states import RecomputedStates
from poinsot.simulation.sensitivities.rosenbrock_tangents import RosenbrockTangents
from poinsot.simulation.sensitivities.saltation import Saltation
from poinsot.simulation.sensitivities.sampling_tangents import SamplingTangents
from poinsot.simulation.sensitivities.some_steps import AbstractSteps
from poinsot.simulation.sensitivities.step_tangents import StepTangents
from poinsot.simulation.stepping.integrators import INTEGRATORS
from poinsot.simulation.stepping.integrators.explicit import Explicit
from poinsot.simulation.stepping.integrators.rosenbrock import Rosenbrock
from poinsot.spatial import Array

MEMORY = 32e6
"""Memory that stages and their tangents take at a time [bytes]: so many steps go side by side."""

MOST_STATES = 256e6
"""Memory of the states of all steps [bytes] above which they are simulated again as needed, where
the run has not stored them."""


class Transitions:
    """What takes the derivatives of a run from each of its steps to the next.

    Args:
        trajectory: The run.
        names: Free parameters to differentiate by.
        where: Opens the message of an error.
        resets: In place of resets that are Python functions (impacts), programs of the velocities
            after them, by the names of events.

    Raises:
        ModelError: If it cannot be differentiated: the message says why and what to do.
    """

    def __init__(
        self, trajectory: Trajectory, names: tuple[str, ...], where: str,
        resets: Mapping[str, Program] | None = None,
    ) -> None:  # fmt: skip
        self._integrator = _checked_integrator(trajectory, where)
        self._names, self._where = names, where
        self._saltation: Saltation | None = None
        if trajectory.events is not None:
            self._saltation = Saltation(trajectory.events, names, resets or {}, where)
            self._saltation.check()
        self.y: Array | RecomputedStates
        self._run = trajectory
        if _is_sparse(trajectory) and _fits(trajectory):
            again = replace(trajectory.plan, times=None, every=None)
            given = trajectory.equations, trajectory.start, trajectory.accuracy, again
            self._run = integrate(*given, trajectory.events)
        if _is_sparse(self._run):
            self.y = RecomputedStates(trajectory)
            self.t = self.y.t
        else:
            self.y, self.t = np.concatenate([self._run.q, self._run.v], axis=1), self._run.t
        self._sampling: SamplingTangents | None = None
        if any("update" in state.laws for state in trajectory.equations.mechanism.states):
            span = float(self.t[0]), float(self.t[-1])
            self._sampling = SamplingTangents(trajectory.equations, names, span, where)

    def forward(self, start: Array, times: Array, before: Array) -> Array:
        """Return the derivatives at times, shape (number of times, n, m + p).

        Args:
            start: Those of the state at the start by m variables, shape (n, m).
            times: Within the run [s].
            before: Whether at an event then the state before it is meant, not the one after it.
        """
        n, m = start.shape
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
                matrix = self._jump(begin)
                vectors = np.array([S, matrix[:, :n] @ S + matrix[:, n:] @ varied])
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

    def event_times(self, start: Array) -> list[Array]:
        """Return the derivatives of the times of all events that occurred, shapes (m + p,).

        Args:
            start: As of ``forward``.
        """
        occurrences = self._run.occurrences
        times = np.array([occurrence.t for occurrence in occurrences])
        if self._saltation is None or not occurrences:
            return []
        n, m, result = len(start), start.shape[1], list[Array]()
        S = self.forward(start, times, np.ones(len(times), bool))
        for occurrence, by in zip(occurrences, S, strict=True):
            further = np.array(list(occurrence.states_before.values()))
            y = np.concatenate([occurrence.q_before, occurrence.v_before, further])
            row = max(int(np.searchsorted(self.t, occurrence.t)) - 1, 0)
            number = self._number(occurrence.name)
            by_y = self._saltation.time(number, self._law(row), occurrence.t, y)
            change = by_y[:n] @ by
            change[m:] += by_y[n:]
            result.append(change)
        return result

    def backward(self, weights: Array) -> tuple[Array, Array]:
        """Return the gradient of a weighted sum of the last state, by the start and by parameters.

        Args:
            weights: Of the entries of the last state, shape (n,).

        Returns:
            Shapes (n,) and (p,).
        """
        n, gradient, final = weights.size, np.zeros(len(self._names)), weights
        for begin, end, law in reversed(list(self._blocks(n))):
            if law is None:
                matrix = self._jump(begin)
                gradient, weights = gradient + weights @ matrix[:, n:], weights @ matrix[:, :n]
                continue
            pair = self._steps(begin, end, law).backward(weights)
            if pair is None:  # along directions then
                ((whole,),) = (self.forward(np.eye(n), self.t[-1:], np.zeros(1, bool)),)
                return final @ whole[:, :n], final @ whole[:, n:]
            weights, gradient = pair[0], gradient + pair[1]
        first = self._start_projection()
        return weights @ first[:, :n], gradient + weights @ first[:, n:]

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
                yield first, min(first + size, jump), self._law(first)
            if jump < self.t.size - 1:
                yield jump, jump + 1, None
            begin = jump + 1

    def _law(self, row: int) -> int:
        return 0 if self._run.law is None else int(self._run.law[row])

    def _number(self, name: str) -> int:
        assert self._saltation is not None
        return [action.name for action in self._saltation.events.actions].index(name)

    def _jump(self, row: int) -> Array:
        """Return the matrix of the event between a row and the next, shape (n, n + p)."""
        t, saltation = float(self.t[row]), self._saltation
        assert saltation is not None, "only events leave two rows at a time"
        actions = {action.name: action for action in saltation.events.actions}
        numbers = [
            self._number(occurrence.name)
            for occurrence in self._run.occurrences
            if occurrence.t == t
            and (actions[occurrence.name].resets or actions[occurrence.name].law >= 0)
        ]
        if len(numbers) != 1:
            names = ", ".join(repr(saltation.events.actions[number].name) for number in numbers)
            raise ModelError(
                f"{self._where}: events {names} happen at the same time, t = {t:g} s, and in "
                "another order when something is varied: there is no derivative; start elsewhere"
            )
        laws = self._law(row), self._law(row + 1)
        return saltation.jump(numbers[0], laws, t, self.y[row : row + 2])

    def _steps(self, begin: int, end: int, law: int, *, dense: bool = False) -> AbstractSteps:
        rows, events = slice(begin, end), self._run.events
        equations = self._run.equations if events is None else events.laws[law]
        h = np.diff(self.t[begin : end + 1])
        given = {"t": self.t[rows], "h": h, "y": self.y[rows]}
        if self._sampling is not None:
            after = slice(begin + 1, end + 1)
            given["updates"] = self._sampling.matrices(self.t[after], self.y[after], self.y[rows])
        integrator = self._integrator
        if isinstance(integrator, Rosenbrock):
            return RosenbrockTangents(equations, integrator, self._names, self._where, **given)
        return StepTangents(equations, integrator.tableau, self._names, **given, dense=dense)

    def _start_projection(self) -> Array:
        """Return what takes variations of the start onto the constraints, shape (n, n + p)."""
        first = self.t[:1], self.y[:1]
        matrix: Array = projected(self._run.equations, self._names, *first)[1][:, :, :-1]
        if self._sampling is not None:
            begin = self._run.start[None, : self.y.shape[1]]
            matrix = chained(self._sampling.matrices(*first, begin), matrix, len(self._names))
        return np.asarray(matrix[0])


def _is_sparse(run: Trajectory) -> bool:
    """Say whether a run has stored other states than those of its steps."""
    return run.plan.times is not None


def _fits(run: Trajectory) -> bool:
    """Say whether the states of all steps are to be in memory; of runs with events always."""
    size = 8.0 * run.statistics.steps * run.equations.n
    return size <= MOST_STATES or run.events is not None or not run.status.ok


def _checked_integrator(run: Trajectory, where: str) -> Explicit | Rosenbrock:
    """Return the integrator; reject what cannot be differentiated."""
    equations = run.equations
    integrator = INTEGRATORS[run.accuracy.integrator]
    if not isinstance(integrator, Explicit | Rosenbrock):
        raise ModelError(
            f"{where}: steps of integrator {run.accuracy.integrator!r} are not differentiated; "
            "simulate with 'dp8', 'dp5', 'rk4' or 'stiff'"
        )
    laws = (equations,) if run.events is None else run.events.laws
    for use in (use for law in laws for use in law.uses):
        if isinstance(use.kernel, CallbackKernel | MissingLaw):
            raise ModelError(
                f"{where}: the function of {use.writes} is called by Python at every step and has "
                "no derivative; give a function that is traced (no Callback), or a formula"
            )
    return integrator
