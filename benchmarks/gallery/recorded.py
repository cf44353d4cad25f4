"""The simulations that the adapter of a case runs, recorded while the case is judged."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

import numpy as np

import poinsot as ps
from tests.cases.runner import outcome_of

LONGEST = 10.0
"""Seconds of a motion that are timed against peers."""


@dataclass(frozen=True)
class Simulation:
    """One call of ``ps.simulate``."""

    arguments: tuple[Any, ...]
    options: Mapping[str, Any]

    def __call__(self) -> ps.Run:
        """Run it as it was."""
        return ps.simulate(*self.arguments, **self.options)

    @property
    def system(self) -> ps.System:
        """What moves."""
        return self.arguments[0]

    @property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Where it starts, q and v."""
        q, v = self.arguments[1:3]
        return np.array(q, float), np.array(v, float)

    @property
    def duration(self) -> float:
        """How much of it is timed [s]."""
        return min(float(self.arguments[3]), LONGEST)

    @property
    def massive(self) -> list[int]:
        """Which bodies have mass; others may be none of their own elsewhere."""
        return [i for i, body in enumerate(self.system.bodies) if body.mass > 0.0]

    def poses_at_end(self, rtol: float) -> np.ndarray:
        """Return the poses of all bodies with mass at the end of that, shape (n, 4, 4)."""
        kept = {k: x for k, x in self.options.items() if k in ("tau", "base", "parameters")}
        run = ps.simulate(self.system, *self.start, self.duration, rtol=rtol, **kept)
        if not run.status.ok:
            raise RuntimeError(run.status.message)
        names = [self.system.bodies[i].name for i in self.massive]
        return np.array([self.system.pose(name, run.q[-1]) for name in names])


def judged(case: Mapping[str, Any]) -> tuple[str, str, list[Simulation]]:
    """Run a case through its adapter; return the verdict, its text, and the simulations in it."""
    calls: list[Simulation] = []
    simulate = ps.simulate

    def record(*arguments: Any, **options: Any) -> ps.Run:
        calls.append(Simulation(arguments, options))
        return simulate(*arguments, **options)

    with patch.object(ps, "simulate", record):
        verdict, text = outcome_of(case)
    return verdict, text, calls
