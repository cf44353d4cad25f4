"""From a start to a trajectory: the Python side of the compiled integrator."""

from __future__ import annotations

import math
import time

import numpy as np

from poinsot.simulate.control import Signal
from poinsot.simulate.equations import Equations
from poinsot.simulate.explain import explain
from poinsot.simulate.plan import Plan
from poinsot.simulate.status import Statistics
from poinsot.simulate.trajectory import Trajectory
from poinsot.simulate.workspace import Accuracy, Workspace
from poinsot.spatial import Array


def integrate(equations: Equations, state: Array, accuracy: Accuracy, plan: Plan) -> Trajectory:
    """Return the motion from the state [q, v] at t = 0."""
    begun = time.perf_counter()
    work = Workspace(equations, accuracy)
    work.begin(0.0, plan.duration, state)
    if not work.method.is_fixed:
        work.control.h = plan.first_step or initial_step(work)
    rows = _Rows(work, plan)
    signal = Signal.PAUSED
    while (
        signal is Signal.PAUSED and work.control.accepted + work.control.rejected < plan.max_steps
    ):
        rows.make_room()
        signal = work.run()
    status = explain(signal, work)
    t, y = rows.finished(ended=status.ok)
    control = work.control
    spent = time.perf_counter() - begun
    statistics = Statistics(control.accepted, control.rejected, control.evaluations, spent)
    nq, n = equations.nq, equations.nq + equations.nv
    q, v = y[:, :nq].copy(), y[:, nq:n].copy()
    return Trajectory(t, q, v, status, statistics, equations, accuracy, plan, state)


def initial_step(work: Workspace) -> float:
    """Return a first step whose error will be small [HNW, section II.4, starting step size]."""
    control, order = work.control, work.method.order
    y, x, k = work.y, work.x, work.k
    with np.errstate(all="ignore"):
        root_n, scale = math.sqrt(control.n), control.atol + control.rtol * np.abs(y)
        x[:] = y
        work.derivative(control.t, 0)
        d0, d1 = _length(y / scale) / root_n, _length(k[0] / scale) / root_n
        h0 = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
        h0 = min(h0, control.t_end - control.t)
        x += h0 * k[0]
        work.derivative(control.t + h0, 1)
        d2 = _length((k[1] - k[0]) / scale) / root_n / h0
    control.started = 1
    if not math.isfinite(d1 + d2):  # the integrator will find out where
        return h0 if math.isfinite(d1) else control.t_end - control.t
    if max(d1, d2) <= 1e-15:
        return max(1e-6, 1e-3 * h0)
    return min(100.0 * h0, float((0.01 / max(d1, d2)) ** (1.0 / order)))


def _length(vector: Array) -> float:
    return math.sqrt(vector @ vector)


class _Rows:
    """The stored rows; grows when asked."""

    def __init__(self, work: Workspace, plan: Plan) -> None:
        self._work, self._plan = work, plan
        control = work.control
        capacity = plan.chunk + 1
        if plan.times is not None:
            capacity = plan.times.size + 1  # and the state where a run fails
            control.times, control.n_times = plan.times.ctypes.data, plan.times.size
        self._t, self._y = np.empty(capacity), np.empty((capacity, work.width))
        if plan.times is None or plan.times[0] == 0.0:
            self._t[0], self._y[0] = 0.0, work.y
            control.count = 1
            control.next_time = int(plan.times is not None)

    def make_room(self) -> None:
        """Let the integrator try as many steps as there is room for, and a chunk at least."""
        control, plan = self._work.control, self._plan
        if plan.times is None and self._t.size < control.count + plan.chunk:
            capacity = 2 * self._t.size + plan.chunk
            t, y = np.empty(capacity), np.empty((capacity, self._work.width))
            t[: control.count], y[: control.count] = (
                self._t[: control.count],
                self._y[: control.count],
            )
            self._t, self._y = t, y
        tried = control.accepted + control.rejected
        control.pause = min(tried + plan.chunk, plan.max_steps)
        control.row_t, control.row_y = self._t.ctypes.data, self._y.ctypes.data

    def finished(self, *, ended: bool) -> tuple[Array, Array]:
        """Return times and states; a run that failed keeps the last state it reached."""
        control, count = self._work.control, self._work.control.count
        if not ended and (count == 0 or self._t[count - 1] < control.t):
            self._t[count], self._y[count] = control.t, self._work.y
            count += 1
        return self._t[:count].copy(), self._y[:count]
