"""The workspace pool: workspaces of finished runs, kept for the next one of the same kernels.

Creating one takes as long as some hundred evaluations.  A workspace in use is not in the pool, so
concurrent runs in threads never share one.
"""

from __future__ import annotations

from functools import lru_cache

from poinsot.model import Mechanism
from poinsot.simulation.laws.equations import MotionEquations, Use
from poinsot.simulation.running.workspace import Accuracy, Workspace

MOST = 4
"""Most workspaces of a kind in the pool."""


def workspace(equations: MotionEquations, accuracy: Accuracy) -> Workspace:
    """Return a fresh or reset workspace."""
    if equations.callbacks:  # of one run only
        return Workspace(equations, accuracy)
    try:
        work = _pool(equations.mechanism, equations.uses, accuracy.integrator).pop()
    except IndexError:
        return Workspace(equations, accuracy)
    work.renew(equations, accuracy)
    return work


def put_back(work: Workspace) -> None:
    """Return a workspace to the pool; the caller may not use it any more."""
    if work.equations.callbacks or not work.is_renewable:
        return
    pool = _pool(work.equations.mechanism, work.equations.uses, work.integrator.name)
    if len(pool) < MOST:
        pool.append(work)


@lru_cache(maxsize=64)
def _pool(mechanism: Mechanism, uses: tuple[Use, ...], integrator: str) -> list[Workspace]:
    return []
