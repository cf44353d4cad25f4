"""A start that obeys the constraints."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from poinsot.errors import ModelError
from poinsot.evaluate.evaluator import Evaluator
from poinsot.model import Mechanism
from poinsot.simulate.workspace import quaternion_starts
from poinsot.spatial import Array

NEAR = 1e-4
"""Residual of a start [m, rad and their rates] up to which it is taken for rounding and mended."""
CLOSED = 1e-12
"""Residual at which a start is as good as it can be."""
ROUNDS = 8
"""Newton steps to get there."""


def closed_start(mechanism: Mechanism, state: Array, parameters: Array, t: float = 0.0) -> Array:
    """Return [q, v] on the constraints, near the one given.

    Args:
        mechanism: The bodies, loops and constraints.
        state: [q, v], shape (nq + nv,).
        parameters: Values of the free parameters, shape (number of them,).
        t: Time [s].

    Raises:
        ModelError: If it is too far from the constraints; the message names the worst row.
    """
    if not mechanism.closures:
        return state
    fixed = (np.array([t]),) if mechanism.depends_on_time else ()
    if mechanism.parameter_inputs:
        fixed = (*fixed, parameters)
    residual, rate, project = _evaluators(mechanism)

    def parts() -> tuple[Array, Array]:
        return state[: mechanism.nq], state[mechanism.nq :]

    q, v = parts()
    _check(mechanism, residual((q, *fixed)), "q", "its positions miss", "m or rad")
    _check(mechanism, rate((q, v, *fixed)), "v", "its velocities miss", "m/s or rad/s")
    for _ in range(ROUNDS):
        q, v = parts()
        missed = np.abs(np.concatenate([residual((q, *fixed)), rate((q, v, *fixed))]))
        if missed.max() <= CLOSED:
            break
        state = project((q, v, *fixed))
        for start in quaternion_starts(mechanism).tolist():
            state[start : start + 4] /= np.linalg.norm(state[start : start + 4])
    return state


@lru_cache(maxsize=64)
def _evaluators(mechanism: Mechanism) -> tuple[Evaluator, Evaluator, Evaluator]:
    """Return residual, rate and projection; kept, as another run would make or load them again."""
    names = ("constraint_residual", "constraint_rate", "projected_state")
    residual, rate, project = (Evaluator(mechanism, name, (), "auto") for name in names)
    return residual, rate, project


def _check(mechanism: Mechanism, missed: Array, what: str, how: str, unit: str) -> None:
    worst = int(np.argmax(np.where(np.isfinite(missed), np.abs(missed), np.inf)))
    if not abs(missed[worst]) <= NEAR:
        raise ModelError(
            f"simulate: the start does not obey the constraints: {how} "
            f"{mechanism.row_names[worst]!r} by {missed[worst]:.3g} {unit}; give a {what} that "
            f"fits to {NEAR:g} (constraint_{'residual' if what == 'q' else 'rate'} shows how far "
            "it is)"
        )
