"""A mode as a motion that pictures can show."""

from __future__ import annotations

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.front.system import System
from poinsot.spatial import Array

__all__ = ["ModeMotion"]


class ModeMotion:
    """Two periods of a mode, as large as at first; loops stay closed.

    Args:
        system: The system, with numbers for all parameters; its name is the title of pictures.
        q: Configuration about which it moves, shape (nq,).
        shape: Complex deviations, shape (nv,).
        time: Of constraints that depend on it [s].
        period: How long one takes [s].
    """

    def __init__(self, system: System, q: Array, shape: Array, time: float, period: float) -> None:
        self.system, self.period = system, period
        self.t = period * np.linspace(0.0, 2.0, 101)
        self._q, self._shape, self._time = q, shape, time

    def at(self, t: float) -> tuple[Array, Array]:
        """Return q and v at a time."""
        turned = self._shape * np.exp(2j * np.pi * t / self.period)
        q = self.system.integrate(self._q, turned.real)
        if self.system.mechanism.closures:
            try:
                q = self.system.assemble(q, t=self._time)
            except PoinsotError:
                q = np.full_like(q, np.nan)  # too far: the picture leaves it out
        return q, np.zeros(self.system.nv)
