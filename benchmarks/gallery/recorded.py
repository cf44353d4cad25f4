"""The simulations that the adapter of a case runs, recorded while the case is judged."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

import numpy as np

import poinsot as ps
from poinsot.front import walker
from tests.cases.runner import outcome_of

KEPT = ("tau", "base", "parameters", "events", "contacts")
"""Keywords of a simulation that say what is simulated, not how."""
LONGEST = 10.0
"""Seconds of a motion that are timed against peers."""


@dataclass(frozen=True)
class Simulation:
    """One call of ``ps.simulate``, and the call of ``ps.impact`` at its end if there was one.

    Attributes:
        arguments: Of ``ps.simulate``.
        options: Its keywords.
        struck: The system whose constraints appear at the end, and the keywords of ``ps.impact``.
    """

    arguments: tuple[Any, ...]
    options: Mapping[str, Any]
    struck: tuple[ps.System, Mapping[str, Any]] | None = None

    def __call__(self) -> ps.Run:
        """Run it as it was."""
        run = ps.simulate(*self.arguments, **self.options)
        self._velocity(run)
        return run

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

    @property
    def has_impacts(self) -> bool:
        """Whether contacts or events are part of it."""
        return bool(self.options.get("contacts") or self.options.get("events"))

    def at_end(self, rtol: float) -> np.ndarray:
        """Return what is compared of the end of that, with this accuracy."""
        kept = {k: x for k, x in self.options.items() if k in KEPT}
        run = ps.simulate(self.system, *self.start, self.duration, rtol=rtol, **kept)
        if not run.status.ok:
            raise RuntimeError(run.status.message)
        return self.end_of(run.q[-1], self._velocity(run))

    def end_of(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Return the poses of all bodies with mass, shape (n, 4, 4); with impacts, and v, flat."""
        names = [self.system.bodies[i].name for i in self.massive]
        poses = np.array([self.system.pose(name, q) for name in names])
        return np.append(poses, v) if self.has_impacts else poses

    def _velocity(self, run: ps.Run) -> np.ndarray:
        """Return the velocity at the end of a run, after the impact there."""
        if self.struck is None:
            return run.v[-1]
        system, options = self.struck
        return ps.impact(system, run.q[-1], run.v[-1], **options).v


def judged(case: Mapping[str, Any]) -> tuple[str, str, list[Simulation]]:
    """Run a case through its adapter; return the verdict, its text, and the simulations in it."""
    calls: list[Simulation] = []
    simulate, impact = ps.simulate, ps.impact

    def record(*arguments: Any, **options: Any) -> ps.Run:
        calls.append(Simulation(arguments, options))
        return simulate(*arguments, **options)

    def strike(system: ps.System, *state: Any, **options: Any) -> ps.Impact:
        if len(state) == 2 and calls:  # no contacts: constraints that appear at the end of a run
            calls[-1] = replace(calls[-1], struck=(system, options))
        return impact(system, *state, **options)

    with ExitStack() as patched:
        for home in (ps, walker):
            patched.enter_context(patch.object(home, "simulate", record))
            patched.enter_context(patch.object(home, "impact", strike))
        verdict, text = outcome_of(case)
    return verdict, text, calls
