"""Consistent initial states, and the residual of final ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.assemble.contradictory_rows import contradictory_rows, remedy
from poinsot.errors import ModelError
from poinsot.evaluate.evaluator import Evaluator, evaluators_of
from poinsot.evaluate.request import Request
from poinsot.model import Mechanism
from poinsot.simulation.running.checks import of_run
from poinsot.simulation.stepping.quaternions import quaternion_starts
from poinsot.spatial import Array

NEAR = 1e-4
"""Residual of a start [m, rad and their rates] up to which it is projected onto the constraints."""
CLOSED = 1e-12
"""Residual at which a start is consistent."""
ROUNDS = 8
"""Newton steps to get there."""
HELD = 1e-10
"""Residual that every run guarantees [m or rad]."""
KEPT = 1e-8
"""Residual of velocities above which a row is not held, relative to velocities above 1."""
UNITS: Final = ("m or rad", "m/s or rad/s")
"""Units of residuals of positions and velocities."""


def consistent_start(
    mechanism: Mechanism, states: Array, parameters: Array, t: float = 0.0
) -> Array:
    """Return [q, v] on the constraints: those given if consistent, else projected ones.

    Args:
        mechanism: The bodies, loops and constraints.
        states: [q, v], shape (..., nq + nv).
        parameters: Values of the free parameters, shape (..., number of them).
        t: Time [s].

    Raises:
        ModelError: If the residual is too large; the message names the worst row.
    """
    return _consistent(mechanism, states, parameters, t, check=True)


def projected_start(mechanism: Mechanism, states: Array, parameters: Array, t: float) -> Array:
    """Return [q, v] on the constraints, however far those given are from them.

    By the same Newton steps as ``consistent_start``, whose arguments these are.
    """
    return _consistent(mechanism, states, parameters, t, check=False)


def _consistent(
    mechanism: Mechanism, states: Array, parameters: Array, t: float, *, check: bool
) -> Array:
    if not mechanism.closures or states.size == 0:
        return states
    shape, nq = states.shape[:-1], mechanism.nq
    residual, rate = _functions(mechanism)
    time = (np.array([t]),) if mechanism.depends_on_time else ()
    if not shape:
        fixed = (*time, parameters) if mechanism.parameter_inputs else time
        if _is_closed(residual(states[:nq], *fixed), rate(states[:nq], states[nq:], *fixed)):
            return states
    rows = states.reshape(-1, states.shape[-1]).copy()
    values = np.broadcast_to(parameters, (*shape, parameters.shape[-1])).reshape(len(rows), -1)

    def arguments(which: NDArray[np.intp]) -> tuple[Array, Array, tuple[Array, ...]]:
        """Return q, v and what else the kernels read, of some of the rows."""
        fixed = (*time, values[which]) if mechanism.parameter_inputs else time
        return rows[which, :nq], rows[which, nq:], fixed

    def missed(which: NDArray[np.intp]) -> tuple[Array, Array]:
        q, v, fixed = arguments(which)
        return residual(q, *fixed), rate(q, v, *fixed)

    far = np.arange(len(rows))
    positions, velocities = missed(far)
    if check:
        _check(mechanism, shape, positions, "q", "its positions miss", UNITS[0])
        worst = int(np.argmax(np.abs(velocities).max(axis=1)))
        if np.isfinite(velocities).all() and np.abs(velocities[worst]).max() > NEAR:
            q, _, fixed = arguments(np.array([worst]))
            J = evaluators_of(mechanism).find(Request("constraint_jacobian")).function(q, *fixed)
            wrong = contradictory_rows(mechanism.row_names, J[0], velocities[worst])
            if wrong:
                where = of_run(np.unravel_index(worst, shape))
                raise ModelError(f"simulate: at the start{where} {remedy(wrong)}")
        _check(mechanism, shape, velocities, "v", "its velocities miss", UNITS[1])
    for _ in range(ROUNDS):
        off = np.maximum(np.abs(positions).max(axis=1), np.abs(velocities).max(axis=1)) > CLOSED
        if not off.any():
            break
        far = far[off]
        q, v, fixed = arguments(far)
        moved = _projection(mechanism)((q, v, *fixed))[:, :-1]
        for start in quaternion_starts(mechanism).tolist():
            quaternions = moved[:, start : start + 4]
            quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
        rows[far] = moved
        positions, velocities = missed(far)
    return rows.reshape(states.shape)


class Violation(NamedTuple):
    """A row of the constraints that the end of a run violates.

    Attributes:
        state: Which of several states it is.
        row: Name of the row.
        size: The residual.
        unit: Its unit: that of positions or of velocities.
        contradictory: Names of rows that no velocity obeys together then.
    """

    state: int
    row: str
    size: float
    unit: str
    contradictory: tuple[str, ...] = ()


def violated_row(
    mechanism: Mechanism, q: Array, v: Array, parameters: Array, t: Array
) -> Violation | None:
    """Return which of several states violates the constraints, and its worst row.

    None if no residual is above the guaranteed one.  A violated row differs from others by less
    than rounding error, so that it counts as redundant and is not enforced, or contradicts them.

    Args:
        mechanism: The bodies, loops and constraints.
        q: Configurations, shape (B, nq).
        v: Velocities, shape (B, nv).
        parameters: Values of the free parameters, shape (B, number of them) or (number of them,).
        t: Times [s], shape (B,).
    """
    if not mechanism.closures or q.size == 0:
        return None
    residual, rate = _functions(mechanism)
    time = (t[:, None],) if mechanism.depends_on_time else ()
    fixed = (*time, parameters) if mechanism.parameter_inputs else time
    positions, velocities = residual(q, *fixed), rate(q, v, *fixed)
    over = np.abs(positions) - HELD - 1e-14 * np.abs(q).max(axis=1, keepdims=True)
    if np.any(over > 0.0):
        state, row = np.unravel_index(np.nanargmax(over), over.shape)
        size = float(positions[state, row])
        return Violation(int(state), mechanism.row_names[row], size, UNITS[0])
    over = np.abs(velocities) - KEPT * (1.0 + np.abs(v).max(axis=1, keepdims=True))
    if not np.any(over > 0.0):
        return None
    state, row = np.unravel_index(np.nanargmax(over), over.shape)
    J = evaluators_of(mechanism).find(Request("constraint_jacobian")).function(q, *fixed)
    wrong = contradictory_rows(mechanism.row_names, J[state], velocities[state])
    size = float(velocities[state, row])
    return Violation(int(state), mechanism.row_names[row], size, UNITS[1], wrong)


def _is_closed(positions: Array, velocities: Array) -> bool:
    """Return whether one start is certainly consistent."""
    least = CLOSED**2
    return bool(positions @ positions <= least and velocities @ velocities <= least)


@lru_cache(maxsize=64)
def _functions(mechanism: Mechanism) -> tuple[Callable[..., Array], ...]:
    """Return residual and rate."""
    names = ("constraint_residual", "constraint_rate")
    return tuple(evaluators_of(mechanism).find(Request(name)).function for name in names)


@lru_cache(maxsize=64)
def _projection(mechanism: Mechanism) -> Evaluator:
    """Return the projection onto the constraints."""
    return evaluators_of(mechanism).find(Request("projected_state"))


REMEDY: Final = {
    "q": "q = system.assemble(q) closes the loops, constraint_residual shows how far they are open",
    "v": "v = system.consistent_velocity(q, v) fits it, constraint_rate shows how far it is off",
}
"""How to get a start that obeys the constraints."""


def _check(
    mechanism: Mechanism, shape: tuple[int, ...], missed: Array, what: str, how: str, unit: str
) -> None:
    size = np.where(np.isfinite(missed), np.abs(missed), np.inf)
    run, row = np.unravel_index(np.argmax(size), size.shape)
    worst = missed[run, row]
    if not abs(worst) <= NEAR:
        raise ModelError(
            f"simulate: the start{of_run(np.unravel_index(run, shape))} does not obey the "
            f"constraints: {how} {mechanism.row_names[row]!r} by {worst:.3g} {unit}; give a {what} "
            f"that fits to {NEAR:g}: {REMEDY[what]}"
        )
