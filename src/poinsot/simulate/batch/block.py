"""The memory of as many runs as there are lanes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poinsot.kernels.llvm.target import Library, Target
from poinsot.simulate.batch.book import Book
from poinsot.simulate.batch.lanes_loop import compiled_lanes
from poinsot.simulate.control import Signal
from poinsot.simulate.equations import Use
from poinsot.simulate.explain import explain
from poinsot.simulate.status import Status
from poinsot.simulate.workspace import Workspace, aligned_zeros
from poinsot.spatial import Array


class Block(Workspace):
    """A workspace whose vectors hold W runs side by side, and the rows that they make.

    Args:
        book: The runs; their method is one of equal steps.
        room: Rows that one step may make.

    Attributes:
        first: Number of the run in the first lane.
    """

    def __init__(self, book: Book, room: int) -> None:
        equations, accuracy, times = book.equations, book.accuracy, book.plan.times
        self._book, self.first = book, 0
        self.runs = Target.host().width
        n = equations.nq + equations.nv
        lanes = aligned_zeros(4, self.runs)
        self._t_lanes, shifts, self._lost_t, causes = lanes
        self._lost_why: NDArray[np.int64] = causes.view(np.int64)
        super().__init__(equations, accuracy)
        assert self.width == n * self.runs
        self._kept = aligned_zeros(3, self.width)
        self._rows_t, self._rows = np.empty(room), aligned_zeros(room, self.width)
        self._witness = Workspace(equations.of(0), accuracy)
        control = self.control
        control.t_lanes, control.shifts = self._t_lanes.ctypes.data, shifts.ctypes.data
        control.lost_t, control.lost_why = self._lost_t.ctypes.data, causes.ctypes.data
        control.fresh, control.lost_y, control.lost_x = (row.ctypes.data for row in self._kept)
        control.stride_q, control.stride_v = book.q[0].size, book.v[0].size
        control.row_t, control.row_y = self._rows_t.ctypes.data, self._rows.ctypes.data
        if times is not None:
            control.times, control.n_times = times.ctypes.data, times.size

    def load(self, first: int) -> None:
        """Set which runs come next; lanes for which none is left repeat the last one.

        Args:
            first: Number of the first run.
        """
        control, equations, book = self.control, self.equations, self._book
        self.first, count = first, len(book.starts)
        which = np.minimum(np.arange(first, first + self.runs), count - 1)
        state = book.starts[which].T.ravel()
        self._kept[0] = state
        self._tau[: equations.nv * self.runs] = equations.tau[which].T.ravel()
        self._base[:] = equations.base[which].T.ravel()
        self._parameters[:] = equations.parameters[which].T.ravel()
        self._lost_why[:] = 0
        self.begin(0.0, book.plan.duration, state)
        control.n_runs = min(self.runs, count - first)
        control.out_row = control.next_time = book.known
        control.count = 0
        control.out_q, control.out_v = book.q[first].ctypes.data, book.v[first].ctypes.data

    def lost(self) -> NDArray[np.intp]:
        """Return the lanes whose runs are lost."""
        return np.flatnonzero(self._lost_why[: self.control.n_runs])

    def loss(self, lane: int) -> tuple[Status, Array]:
        """Return how a run was lost, and its last state [q, v]."""
        _, y, x = self._kept.reshape(3, -1, self.runs)[:, :, lane]
        work, n = self._witness, y.size
        work.begin(float(self._lost_t[lane]), self.control.t_end, y)
        work.x[:n], work.k[:], work.control.h = x, 0.0, self.control.h
        return explain(Signal(int(self._lost_why[lane])), work), y.copy()

    def state(self, lane: int) -> Array:
        """Return the state [q, v] of a run, shape (nq + nv,)."""
        return np.array(self.y.reshape(-1, self.runs)[:, lane])

    def _set_numbers(self) -> None:
        """Leave it to ``load``."""

    def _compiled(self, method: str) -> Library:
        return compiled_lanes(method)

    def _time(self) -> int:
        return int(self._t_lanes.ctypes.data)

    def _kernel(self, use: Use) -> int:
        return use.lanes_address
