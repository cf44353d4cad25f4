"""The workspace pool: workspaces of finished runs, kept for the next one of the same kernels.

To make one takes as long as some hundred evaluations do.  One that is taken is off the list, so
runs at the same time, in threads, never share one.
"""

from __future__ import annotations

from functools import lru_cache

from poinsot.model import Mechanism
from poinsot.simulation.equations import MotionEquations, Use
from poinsot.simulation.workspace import Accuracy, Workspace

__all__ = ["put_back", "workspace"]

MOST = 4
"""How many of a kind may wait."""


def workspace(equations: MotionEquations, accuracy: Accuracy) -> Workspace:
    """Return a workspace that is as if just made."""
    if equations.is_driven:  # by laws that hardly come again
        return Workspace(equations, accuracy)
    try:
        work = _pool(equations.mechanism, equations.uses, accuracy.integrator).pop()
    except IndexError:
        return Workspace(equations, accuracy)
    work.renew(equations, accuracy)
    return work


def put_back(work: Workspace) -> None:
    """Let a workspace wait for the next run; nobody may use it any more."""
    if work.equations.is_driven or not work.is_renewable:
        return
    pool = _pool(work.equations.mechanism, work.equations.uses, work.integrator.name)
    if len(pool) < MOST:
        pool.append(work)


@lru_cache(maxsize=64)
def _pool(mechanism: Mechanism, uses: tuple[Use, ...], integrator: str) -> list[Workspace]:
    return []
