"""Times at which steps must end: breaks of signals, and clocks of sampled states."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, final

import numpy as np

from poinsot.simulation.laws.equations import MotionEquations
from poinsot.simulation.laws.signals import GAP
from poinsot.simulation.stepping.control import Control
from poinsot.simulation.stepping.fixed_steps import FixedSteps
from poinsot.spatial import Array

if TYPE_CHECKING:
    from poinsot.simulation.laws.sampling import Clock

FLOOR = 1e-31
"""Part of the duration below which a first step is meaningless."""


@final
class StepGoals:
    """The goals of one run, in the control block.

    Args:
        equations: What is integrated.
        control: The control block.

    Attributes:
        clocks: Those of the sampled states.
    """

    def __init__(self, equations: MotionEquations, control: Control) -> None:
        self._control, self._start = control, 0.0
        self.clocks: tuple[Clock, ...] = ()
        if equations.mechanism.states:
            from poinsot.simulation.laws.sampling import clocks_of

            self.clocks = clocks_of(equations.mechanism)
        self._signals = self._breaks = equations.breaks
        self._due_rows = np.zeros((0, 0))
        self._due, self._sampled = np.zeros(len(self.clocks)), np.zeros(equations.n)
        control.n_clocks, control.due = len(self.clocks), self._due.ctypes.data
        control.sampled = self._sampled.ctypes.data

    def begin(self, equations: MotionEquations, start: float) -> None:
        """List the goals of a run that starts at a time [s]; its end is in the control block."""
        self._start = start
        self._list(equations.breaks)

    def prolong(self, start: float, t_end: float, longest: float | None) -> bool:
        """Set a later end of the run; say whether sampled states are due now.

        Fixed steps are counted on where those of the longer run are the same, else anew from here.

        Args:
            start: When the run started [s].
            t_end: When it ends [s].
            longest: How long a fixed step may be [s]; None: steps have error control.
        """
        control = self._control
        control.t_end, control.t_before = t_end, math.nextafter(t_end, -math.inf)
        control.h_floor, control.last = FLOOR * (t_end - start), 0
        if longest is None:
            control.h = max(control.h, control.h_last)
        else:
            equal = FixedSteps(start, t_end, longest).step
            if control.t_first != start or equal != control.h_equal:
                equal = FixedSteps(control.t, t_end, longest).step
                control.t_first, control.fixed_steps = control.t, 0
            control.h = control.h_equal = equal
        passed = control.next_break
        if self.clocks:
            self._list(self._signals)
        control.next_break = passed
        return self.find()

    def switch(self, equations: MotionEquations) -> None:
        """Take the goals of other equations; what has passed has passed."""
        if not self.clocks:
            self._breaks = equations.breaks
        elif not np.array_equal(equations.breaks[0], self._signals[0]):
            passed = self._breaks[0][: self._control.next_break]
            last = float(passed[-1]) if passed.size else -math.inf
            self._list(equations.breaks)
            number = np.searchsorted(self._breaks[0], last, side="right")
            self._control.next_break = int(number)

    def find(self) -> bool:
        """Set where the step from the time t must end; say whether sampled states are due at t."""
        control, (breaks, edges) = self._control, self._breaks
        passed = control.next_break
        control.n_breaks = control.next_break = n = k = 0
        if breaks.size:
            t = control.t + GAP * (1.0 + abs(control.t))
            end = control.t_end - GAP * (1.0 + abs(control.t_end))
            control.breaks, control.edges = breaks.ctypes.data, edges.ctypes.data
            control.n_breaks = n = int(np.searchsorted(breaks, end, side="left"))
            control.next_break = k = int(np.searchsorted(breaks, t, side="right"))
        control.t_goal = float(breaks[k]) if k < n else control.t_end
        control.t_edge = float(edges[k]) if k < n else control.t_before
        return bool(self.clocks) and passed < k <= n

    def _list(self, signals: tuple[Array, Array]) -> None:
        self._signals = self._breaks = signals
        if self.clocks:
            from poinsot.simulation.laws.sampling import with_clocks

            end = self._control.t_end
            times, edges, self._due_rows = with_clocks(self.clocks, signals, self._start, end)
            self._breaks = times, edges
            self._control.due_rows = self._due_rows.ctypes.data
