"""The rows that a simulation stores: times and states, in memory that grows as needed.

Short runs begin in memory that waits in the pool with their workspace, as making it and asking for
its address takes as long as some evaluations.
"""

from __future__ import annotations

from typing import Final, final

import numpy as np

from poinsot.simulation.running.memory import RowMemory
from poinsot.simulation.running.run_plan import FIRST_STEPS, Plan
from poinsot.simulation.running.workspace import Workspace
from poinsot.spatial import Array

ROOM = FIRST_STEPS + 1
"""Rows to begin with, where every step is stored."""
NONE: Final = np.empty(0)
MOST_IN_POOL: Final = 8192
"""Numbers of the longest memory that waits for the next run."""


@final
class StoredStates:
    """Rows that the compiled integrator writes; how many there are is in its control block.

    Args:
        work: Where the integrator works; its state is the first row, unless others are requested.
        plan: What to store.
    """

    def __init__(self, work: Workspace, plan: Plan) -> None:
        self._work, self._times = work, plan.times
        self._t: Array = NONE
        self._y: Array = np.empty((0, work.width))
        self._memory: RowMemory | None = None
        control = work.control
        if self._times is not None:
            control.times, control.n_times = plan.times_address, self._times.size
        if self._times is None or self._times[0] == plan.start:
            self.append(plan.start)
            control.next_time = int(self._times is not None)

    def make_room(self, steps: int, further: int = 0) -> None:
        """Allocate memory for the rows of so many steps, and for some more."""
        self._reserve(further + (steps if self._times is None else self._n_due))

    def append(self, t: float) -> None:
        """Store the state y of the integrator as the row of a time."""
        control = self._work.control
        self._reserve(1 + self._n_due)
        self._t[control.count], self._y[control.count] = t, self._work.y
        control.count += 1

    def stored(self) -> tuple[Array, Array]:
        """Return times and states, shapes (n,) and (n, width)."""
        count = self._work.control.count
        return self._t[:count], self._y[:count]

    def keep_last(self) -> None:
        """Store the state that was reached last, unless it is there already."""
        control = self._work.control
        if control.count == 0 or self._t[control.count - 1] < control.t:
            self.append(control.t)

    def drop_not_finite(self) -> None:
        """Drop rows between steps where a force is not finite."""
        t, y = self.stored()
        good = np.isfinite(y).all(axis=1)
        if not good.all():
            self.restore(t[good], y[good])

    def restore(self, t: Array, y: Array) -> None:
        """Set all rows, shapes (n,) and (n, width)."""
        self._work.control.count = t.size
        self._hold(t.size, t, y)

    def give_back(self) -> None:
        """Let the next run of the workspace have the memory; the rows are lost."""
        memory = self._memory
        if memory is not None and memory.t.size * (1 + self._work.width) <= MOST_IN_POOL:
            self._work.row_memory = memory

    def prolong(self, times: Array | None) -> None:
        """Store the states at these times, which begin with those before; None: every step."""
        control, self._times = self._work.control, times
        if times is not None:
            control.times, control.n_times = times.ctypes.data, times.size

    @property
    def _n_due(self) -> int:
        """How many of the requested rows are still to come."""
        control = self._work.control
        return 0 if self._times is None else control.n_times - control.next_time

    def _reserve(self, rows: int) -> None:
        """Allocate memory for so many more rows, unless it is there."""
        count = self._work.control.count
        if self._t.size < count + rows:
            capacity = 2 * count + rows
            if self._times is None:
                capacity = max(capacity, ROOM)
            self._hold(capacity, self._t[:count], self._y[:count])

    def _hold(self, capacity: int, t: Array, y: Array) -> None:
        """Allocate memory for so many rows, and copy the first of them."""
        work, self._memory = self._work, self._work.row_memory
        work.row_memory = None
        if self._memory is None or self._memory.t.size < capacity:
            self._memory = RowMemory.of(capacity, work.width)
        self._t, self._y, address = self._memory
        if t.size:
            self._t[: t.size], self._y[: t.size] = t, y
        control = work.control
        control.capacity = self._t.size
        control.row_t, control.row_y = address, address + 8 * self._t.size
