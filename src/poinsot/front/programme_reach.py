"""Programmes that no configuration obeys: rows that contradict each other, goals out of reach."""

from __future__ import annotations

from typing import Final

import numpy as np

from poinsot.assemble.loop_closing import settled
from poinsot.assemble.numeric_rows import NumericRows
from poinsot.errors import ModelError
from poinsot.expr.rank import left_null_space
from poinsot.front.posture_search import random_configurations
from poinsot.front.system import System
from poinsot.spatial import Array

__all__ = ["check_consistent", "check_independent", "check_reach"]

SAMPLES: Final = 4
"""Random configurations at which rows are looked at."""
CONTRADICTS: Final = 1e-7
"""Value [m, rad, or their rates] of a combination of rows that no joint changes."""
STARTS: Final = 200
"""Of the search for a configuration that obeys a programme."""
REACHED: Final = 1e-4
"""Residual [m or rad] below which the end of the reach is meant, where the search is slow."""


def check_consistent(programme: System, t: float) -> None:
    """Reject rows that contradict each other whatever the joints do.

    A combination z of rows with zᵀ Γ(q) = 0 at all q has a value zᵀ f(t) that no joint changes; it
    and its rate must be zero.

    Args:
        programme: The bodies, with the rows of the programme as constraints.
        t: Time [s].
    """
    q, still = _samples(programme), np.zeros(programme.nv)
    free = _dependent(programme, t)
    if not len(free):
        return
    for values, word in (
        (programme.constraint_residual(q, t=t, backend="interpreter"), "m or rad"),
        (programme.constraint_rate(q, still, t=t, backend="interpreter"), "m/s or rad/s"),
    ):
        open_ = values @ free.T @ free
        size = np.abs(open_).max()
        if not size > CONTRADICTS or np.ptp(open_, axis=0).max() > CONTRADICTS * size:
            continue
        rows = np.array(programme.row_names)[np.abs(open_[0]) > CONTRADICTS * size].tolist()
        raise ModelError(_contradiction(rows, open_[0], word))


def check_independent(programme: System) -> None:
    """Reject rows that depend on each other whatever the joints do.

    Args:
        programme: The bodies, with the rows of the programme as constraints.
    """
    free = _dependent(programme, 0.0)
    if len(free):
        rows = np.array(programme.row_names)[np.abs(free).max(axis=0) > CONTRADICTS].tolist()
        raise ModelError(
            f"impedance: rows {', '.join(map(repr, rows))} of the programme depend on each other, "
            "or no joint moves them; leave some of them out"
        )


def _samples(programme: System) -> Array:
    return random_configurations(programme, SAMPLES, np.random.default_rng(1))


def _dependent(programme: System, t: float) -> Array:
    """Return combinations of rows that no joint changes anywhere, shape (k, rows)."""
    J = programme.constraint_jacobian(_samples(programme), t=t, backend="interpreter")
    J = J[np.isfinite(J).all(axis=(1, 2))]
    m = len(programme.row_names)
    return left_null_space(np.concatenate(list(J), axis=1)) if len(J) else np.zeros((0, m))


def _contradiction(rows: list[str], open_: Array, unit: str) -> str:
    if len(rows) == 1:
        return (
            f"control: no joint moves the row {rows[0]!r} of the programme, and it is "
            f"{np.abs(open_).max():.4g} {unit} from zero; leave it out, or give it a goal that the "
            "bodies can have"
        )
    return (
        f"control: rows of the programme contradict each other: whatever the joints do, "
        f"{', '.join(map(repr, rows))} are never zero together ({np.abs(open_).max():.4g} {unit} "
        "remain); leave one of these constraints out, or give them goals that agree"
    )


def check_reach(programme: System, t: float) -> None:
    """Reject a programme that no configuration obeys, by a search from many starts.

    Args:
        programme: The bodies, with the rows of the programme as constraints.
        t: Time [s].
    """
    rows, rng = NumericRows(programme.mechanism), np.random.default_rng(2)
    best: tuple[float, Array] = np.inf, programme.neutral()
    for starts in (1, STARTS):
        guesses = random_configurations(programme, starts, rng)
        ends, sizes = settled(rows, guesses, np.arange(programme.nv), t)
        if np.isnan(sizes).all():
            return  # formulas without a value: not at this time
        least = int(np.nanargmin(sizes))
        if sizes[least] <= REACHED:
            return
        if sizes[least] < best[0]:
            best = float(sizes[least]), ends[least]
    raise ModelError(
        f"control: the programme is out of reach at t = {t:g} s: of {STARTS} starts the best "
        f"leaves {rows.violations(best[1], t)}; give goals within reach (ps.workspace, "
        "ps.inverse_kinematics show it), or fewer rows"
    )
