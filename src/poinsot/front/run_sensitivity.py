"""Derivatives of runs: ``Run.sensitivity`` and ``Run.gradient``."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poinsot.errors import ModelError, ModelWarning
from poinsot.evaluate.expression import Expression
from poinsot.evaluate.inputs import PARAMETERS
from poinsot.front.event_margins import (
    NONE,
    event_margins,
    margin_notes,
    near_notes,
    order_notes,
)
from poinsot.front.impact import impact_resets
from poinsot.front.measure_derivatives import measure_rows, position_basis, rate_terms
from poinsot.front.refined import refined, relative_deviation, same_moments
from poinsot.front.system import System
from poinsot.model import parameter_hint, suggestion
from poinsot.model.checks import real_array
from poinsot.simulation.running.trajectory import Trajectory
from poinsot.simulation.sensitivities.program_jacobian import rates
from poinsot.simulation.sensitivities.transitions import Transitions
from poinsot.spatial import Array

GROUPS: Final = ("q", "v", "states", PARAMETERS)
"""What stands for several columns: the start, and all free parameters."""


@final
@dataclass(frozen=True, eq=False)
class RunSensitivity:
    """Derivatives of the states of a run by its start and by free parameters.

    The last axis of all arrays is that of ``by``.  Deviations of a configuration, at the start
    and later, are those along ``integrate`` (docs/derivatives.md): nv of them.

    Attributes:
        t: Times [s], shape (n,); derivatives are those at fixed times.
        by: What is varied, m names: "q.elbow" and "v.elbow" at the start, further states at the
            start and free parameters by their names.
        q: Derivatives of the configurations, shape (n, nv, m).
        v: Those of the velocities, shape (n, nv, m).
        states: Those of further states, by name, shapes (n, m).
        event_times: Those of the times of ``run.events`` [s], one after the other, shapes (m,).
        event_margins: By how much each may be varied, to first order, until an event leaves the
            run, comes into it or changes places with another, by name; infinite where none does.
        error: Estimated error, relative to the largest derivative of its kind and column, where
            an accuracy was asked for; else None.
    """

    t: Array
    by: tuple[str, ...]
    q: Array
    v: Array
    states: Mapping[str, Array]
    event_times: tuple[Array, ...]
    event_margins: Mapping[str, float]
    _system: System
    _trajectory: Trajectory
    _y: Array
    _law: NDArray[np.int64]
    _notes: tuple[str, ...] = ()
    error: float | None = None

    def __repr__(self) -> str:
        n, several = len(self.t), "" if len(self.t) == 1 else "s"
        return f"RunSensitivity({self._system.name!r}, {n} time{several}, by {', '.join(self.by)})"

    def of(self, expression: Expression) -> Array:
        """Return the derivatives of any number along the run, shape (n, m).

        Args:
            expression: A formula, or a function of t, q and v, as ``run.evaluate`` takes it.

        >>> import poinsot as ps
        >>> run = ps.simulate(ps.library.pendulum(), q=[0.3], v=[0.0], duration=1.0)
        >>> run.sensitivity(t=[0.5, 1.0])
        RunSensitivity('pendulum', 2 times, by q.bob, v.bob)
        >>> height = run.sensitivity().of("-cos(bob)")
        >>> bool(abs(height[0, 0] - np.sin(0.3)) < 1e-12)
        True
        """
        place = self._system, self._trajectory, self.t, self._y
        rows = measure_rows(*place, self._law, expression, "sensitivity")
        mechanism, m = self._system.mechanism, len(self.by)
        result: Array = np.einsum("nk,nkm->nm", rows.by_q, self.q)
        result += np.einsum("nk,nkm->nm", rows.by_v, self.v)
        for column, name in zip(rows.by_parameters.T, mechanism.parameter_inputs, strict=True):
            if name in self.states:
                result += column[:, None] * self.states[name]
            elif name in self.by:
                result[:, self.by.index(name)] += column
        names = _parameters(self._system, self.by)
        varied = np.zeros((len(self.t), len(names), m))
        for k, name in enumerate(names):
            varied[:, k, self.by.index(name)] = 1.0
        states = [self.states[name][:, None] for name in mechanism.state_values]
        moved = position_basis(self._trajectory, self.t, self._y) @ self.q
        along = np.concatenate([moved, self.v, *states, varied], axis=1)
        return result + rate_terms(*place, self._law, rows, names, along)

    def __getitem__(self, name: str) -> tuple[Array, Array]:
        """Return the derivatives of q and v by one of ``by``, shapes (n, nv)."""
        if name not in self.by:
            raise KeyError(f"{name!r} is not varied; {suggestion(name, self.by)}")
        k = self.by.index(name)
        return self.q[:, :, k], self.v[:, :, k]


def at_moved_end(
    change: RunSensitivity, ending: Array, more: Mapping[str, float]
) -> RunSensitivity:
    """Return derivatives at the end of a run where its time is varied too.

        d y(T) = S + f(T, y(T)) dT

    Args:
        change: Those at fixed times, the last row that of the end.
        ending: Derivatives of the time of the end by the same, shape (m,).
        more: Those by what else moves the end and nothing else, by name.
    """
    trajectory, nv, y = change._trajectory, change._system.nv, change._y[-1:]  # noqa: SLF001
    f = rates(trajectory.last_law, change.t[-1:], y)[0][trajectory.equations.nq :]
    velocity = y[0, trajectory.equations.nq :][:nv]
    moved = np.append(ending, list(more.values()))

    def widened(by: Array, rate: Array) -> Array:
        wide = np.concatenate([by, np.zeros((*by.shape[:-1], len(more)))], axis=-1)
        wide[-1] += np.multiply.outer(rate, moved)
        return wide

    states = zip(change.states.items(), f[nv:], strict=True)
    return replace(
        change, by=(*change.by, *more), q=widened(change.q, velocity), v=widened(change.v, f[:nv]),
        states={name: widened(by, rate) for (name, by), rate in states},
    )  # fmt: skip


def depends_on_time(change: RunSensitivity) -> bool:
    """Say whether the rates of a run at its stored states are others at other times."""
    run, y = change._trajectory, change._y  # noqa: SLF001
    later = change.t + 0.37 * (run.t[-1] - run.t[0])
    return not np.array_equal(rates(run.last_law, change.t, y), rates(run.last_law, later, y))


def sensitivity(
    system: System, trajectory: Trajectory, by: Sequence[str] | str | None, t: ArrayLike | None,
    rtol: float | None = None,
) -> RunSensitivity:  # fmt: skip
    """Return the derivatives of a run; see ``Run.sensitivity``."""
    columns = _columns(system, by, "sensitivity")
    if t is None:
        times = trajectory.t
        before = np.append(np.diff(times) == 0.0, False)
    else:
        times = np.atleast_1d(real_array(t, "sensitivity: t"))
        _check_times(trajectory, times)
        before = np.zeros(times.size, bool)

    def derivatives(run: Trajectory) -> RunSensitivity:
        change = _derivatives(system, run, columns, same_moments(trajectory, run, times), before)
        return replace(change, t=times)

    if rtol is None:
        result = derivatives(trajectory)
    else:
        result, error = refined(trajectory, rtol, derivatives, _deviation, "sensitivity")
        result = replace(result, error=error)
    _warn(result._notes, "sensitivity")  # noqa: SLF001
    return result


def gradient(
    system: System, trajectory: Trajectory, expression: Expression,
    by: Sequence[str] | str | None, rtol: float | None = None,
) -> dict[str, float]:  # fmt: skip
    """Return the gradient of a number at the end of a run; see ``Run.gradient``."""
    columns = _columns(system, by, "gradient")

    def deviation(coarse: Mapping[str, float], fine: Mapping[str, float]) -> float:
        return relative_deviation(*(np.array([*given.values()])[None] for given in (coarse, fine)))

    notes: list[str] = []

    def slopes(run: Trajectory) -> dict[str, float]:
        result, notes[:] = _gradient(system, run, expression, columns)
        return result

    if rtol is None:
        result = slopes(trajectory)
    else:
        result, _ = refined(trajectory, rtol, slopes, deviation, "gradient")
    _warn(notes, "gradient")
    return result


def _warn(notes: Sequence[str], where: str) -> None:
    for note in notes:
        warnings.warn(f"{where}: {note}", ModelWarning, stacklevel=5)


def _derivatives(
    system: System, trajectory: Trajectory, columns: Sequence[str], times: Array, before: Array
) -> RunSensitivity:
    """Return derivatives at times, just before events where ``before`` says so."""
    y = np.concatenate(trajectory.at(times), axis=1)
    rows = np.searchsorted(trajectory.t, times[before])
    y[before] = np.concatenate([trajectory.q[rows], trajectory.v[rows]], axis=1)
    names = _parameters(system, columns)
    transitions = _transitions(system, trajectory, names, "sensitivity")
    start = _start(system, trajectory, columns)
    kept = [name for name in columns if name not in names]
    order = [(*kept, *names).index(name) for name in columns]
    nearby, occurrences = transitions.near_events().approaches, trajectory.occurrences
    every = np.concatenate([times, [x.t for x in occurrences], [x.t for x in nearby]])
    flags = np.concatenate([before, np.ones(len(occurrences), bool), np.zeros(len(nearby), bool)])
    whole = transitions.forward(start, every, flags)[:, :, order]
    order_changes = {columns[order.index(k)]: x for k, x in transitions.order_changes.items()}
    S, at_events, at_near = np.split(whole, np.cumsum([len(times), len(occurrences)]))
    moments = tuple(transitions.event_times(at_events, order))
    changes = transitions.approach_changes(nearby, at_near, order)
    by_q, by_v, further = np.split(S, trajectory.equations.ends, axis=1)
    by_q = np.linalg.pinv(position_basis(trajectory, times, y)) @ by_q
    states = dict(zip(system.mechanism.state_values, np.moveaxis(further, 1, 0), strict=True))
    near = list(zip(nearby, changes, strict=True))
    listed = event_margins(trajectory, float(transitions.t[-1]), moments, near)
    margins = dict(zip(columns, listed or [NONE] * len(columns), strict=True))
    sizes = {name: abs(float(x)) for name, x in _values(trajectory).items() if x}
    notes = margin_notes(margins, order_changes, {name: sizes.get(name, 1.0) for name in columns})
    margin_sizes = {name: margin.size for name, margin in margins.items()}
    given = times, tuple(columns), by_q, by_v, states, moments, margin_sizes
    number = np.searchsorted(transitions.t, times, side="right") - 1
    number[before] = np.searchsorted(transitions.t, times[before])
    return RunSensitivity(*given, system, trajectory, y, transitions.y.law[number], notes)


def _gradient(
    system: System, trajectory: Trajectory, expression: Expression, columns: Sequence[str]
) -> tuple[dict[str, float], list[str]]:
    """Return the gradient, and what to say about it."""
    names = _parameters(system, columns)
    transitions = _transitions(system, trajectory, names, "gradient")
    place = system, trajectory, transitions.t[-1:], transitions.y[slice(-1, None)]
    law, n = transitions.y.law[-1:], transitions.y.shape[1]
    rows = measure_rows(*place, law, expression, "gradient")
    (by_free,), count = rows.by_parameters, len(system.mechanism.state_values)
    free, further = np.split(by_free, [by_free.size - count])
    (basis,) = np.linalg.pinv(position_basis(trajectory, *place[2:]))
    along = np.eye(n + len(names))[None]
    by_state, by_names = np.split(rate_terms(*place, law, rows, names, along)[0], [n])
    weights = by_state + np.concatenate([rows.by_q[0] @ basis, rows.by_v[0], further])
    start = _start(system, trajectory, columns)
    by_start, by_parameters = transitions.backward(weights, start)
    kept = [name for name in columns if name not in names]
    result = dict(zip(kept, by_start.tolist(), strict=True))
    direct = dict(zip(system.mechanism.free_parameters, free.tolist(), strict=True))
    for name, value in zip(names, (by_parameters + by_names).tolist(), strict=True):
        result[name] = value + direct[name]
    listed = [*kept, *names]
    notes = order_notes({listed[k]: x for k, x in transitions.order_changes.items()})
    notes += near_notes(trajectory, float(transitions.t[-1]), transitions.near_events())
    return {name: result[name] for name in columns}, notes


def _values(trajectory: Trajectory) -> dict[str, float]:
    """Return the values of the parameters in a run, by name."""
    equations = trajectory.equations
    return dict(zip(equations.mechanism.parameter_inputs, equations.parameters, strict=True))


def _deviation(coarse: RunSensitivity, fine: RunSensitivity) -> float:
    """Return the largest difference, relative to the largest derivative of its kind and column."""
    kinds = [(coarse.q, fine.q), (coarse.v, fine.v)]
    kinds += [(coarse.states[name][:, None], fine.states[name][:, None]) for name in fine.states]
    return max(relative_deviation(*pair) for pair in kinds)


def _transitions(
    system: System, trajectory: Trajectory, names: tuple[str, ...], where: str
) -> Transitions:
    events = trajectory.events
    resets = {} if events is None else impact_resets(system, events, where)
    return Transitions(trajectory, names, where, resets)


def _columns(system: System, by: Sequence[str] | str | None, where: str) -> list[str]:
    """Return the names of what is varied."""
    free = [name for name in system.free if name not in system.signals]
    groups = {
        "q": [f"q.{name}" for name in system.velocity_names],
        "v": [f"v.{name}" for name in system.velocity_names],
        "states": list(system.mechanism.state_values),
        PARAMETERS: free,
    }
    single = dict.fromkeys(name for names in groups.values() for name in names)
    columns: list[str] = []
    chosen = GROUPS if by is None else (by,) if isinstance(by, str) else by
    is_listed = isinstance(chosen, Collection) and not isinstance(chosen, Mapping)
    if not is_listed or not all(isinstance(name, str) for name in chosen):
        known = ", ".join(map(repr, (*GROUPS, *single)))
        raise ModelError(
            f"{where}: by must be a name or a list of names of what to vary, of {known}, "
            f"got {by!r:.80}"
        )
    for name in chosen:
        if name not in single and name not in groups:
            if name in system.signals:
                raise ModelError(f"{where}: {name!r} is samples over time, not a number to vary")
            hint = parameter_hint(name, system.description, (*GROUPS, *single))
            raise ModelError(f"{where}: nothing to vary is called {name!r}; {hint}")
        columns += [name] if name in single else groups[name]
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise ModelError(f"{where}: {twice!r} is in by= twice")
    return columns


def _parameters(system: System, columns: Sequence[str]) -> tuple[str, ...]:
    """Return the free parameters among the columns."""
    return tuple(name for name in columns if name in system.mechanism.free_parameters)


def _start(system: System, trajectory: Trajectory, columns: Sequence[str]) -> Array:
    """Return the derivatives of the state at the start by those of the columns that vary it."""
    velocities, mechanism = system.velocity_names, system.mechanism
    t, y = np.array([trajectory.plan.start]), trajectory.start[None]
    nq, nv = trajectory.equations.nq, trajectory.equations.nv
    every = np.eye(mechanism.n_state)
    directions = dict(zip(mechanism.state_values, every[nq + nv :], strict=True))
    moved = np.zeros((nv, mechanism.n_state))
    if any(name.startswith("q.") for name in columns):
        moved[:, :nq] = position_basis(trajectory, t, y)[0].T
    directions |= {f"q.{name}": row for name, row in zip(velocities, moved, strict=True)}
    directions |= {f"v.{name}": row for name, row in zip(velocities, every[nq:], strict=False)}
    kept = [directions[name] for name in columns if name in directions]
    return np.array(kept).reshape(-1, mechanism.n_state).T


def _check_times(trajectory: Trajectory, times: Array) -> None:
    first, last = trajectory.t[0], trajectory.t[-1]
    outside = ~((times >= first) & (times <= last))
    if outside.any():
        raise ModelError(
            f"sensitivity: the run goes from t = {first:g} s to {last:g} s, got "
            f"{times[outside][0]:g}"
        )
