"""Where the rows of a programme depend on each other: in words, at states and along runs.

The measure is the smallest remainder of a row of unit length after the rows before it, so that
metres and radians count alike.  Of as many rows as joints the sign of det Γ tells too: where it
changes, a run has gone through a singular configuration between two of its states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.rank_tolerances import NEARLY_SINGULAR, STOPPED_SINGULAR
from poinsot.front.dexterity import CONCERNED
from poinsot.front.system import System
from poinsot.model.followed_programmes import SingularPlace, StatesBetween
from poinsot.spatial import Array

__all__ = ["FollowedRows", "SingularRows", "conditioning", "singular_along", "singular_rows"]

PLACES: Final = 65
"""States between two of a run at which a change of sign is looked for, twice."""
ENOUGH: Final = 1000
"""States of a run that are looked at first; then those between the ones that are near singular."""
NEAR: Final = 0.2
"""Conditioning from which on a state is that."""
STATES: Final = 4096
"""States whose Jacobians are held at a time."""


class SingularRows(NamedTuple):
    """How rows of a programme depend on each other.

    Attributes:
        rank: Number of independent rows.
        rows: Names of the rows concerned.
        joints: Names of the joints that move together without moving any row; none where there are
            more joints than rows.
    """

    rank: int
    rows: tuple[str, ...]
    joints: tuple[str, ...]

    def told(self, least: int) -> str:
        """Return it in words; ``least`` is the rank that it should have."""
        joints = f"; joints {', '.join(self.joints)} move without moving them" * bool(self.joints)
        return f"rank {self.rank}, not {least}: rows {', '.join(self.rows)}{joints}"


@dataclass(frozen=True, eq=False)
class FollowedRows:
    """The programme of a law, as a run asks for it after its end.

    Attributes:
        programme: The bodies, with the rows of the programme as constraints.
    """

    programme: System

    def singular_along(
        self, t: Array, q: Array, stopped: NDArray[np.bool_], between: StatesBetween | None = None
    ) -> dict[int, SingularPlace]:
        """Return where rows depend on each other along runs; see ``singular_along``."""
        return singular_along(self.programme, t, q, stopped, between)


def conditioning(J: Array) -> Array:
    """Return the smallest remainder of a row of unit length after those before it, shape (n,).

    Args:
        J: Jacobians, shape (n, m, nv); where m > nv columns count in place of rows.
    """
    rest = _with_unit_rows(J if J.shape[1] <= J.shape[2] else np.swapaxes(J, 1, 2))
    least = np.ones(len(J))
    for k in range(rest.shape[1]):
        sizes = np.linalg.norm(rest[:, k], axis=1)
        least = np.minimum(least, sizes)
        unit = rest[:, k] / np.where(sizes > 0.0, sizes, 1.0)[:, None]
        along = np.einsum("njv,nv->nj", rest[:, k + 1 :], unit)
        rest[:, k + 1 :] -= along[:, :, None] * unit[:, None, :]
    return least


def singular_rows(rows: Sequence[str], joints: Sequence[str], J: Array) -> SingularRows:
    """Return how the rows of one Jacobian, shape (m, nv), depend on each other."""
    m, nv = J.shape
    U, sizes, V = np.linalg.svd(_with_unit_rows(J))
    rank = int((sizes > NEARLY_SINGULAR * max(sizes[0], NEARLY_SINGULAR)).sum())
    last = min(m, nv) - 1
    return SingularRows(
        rank, _concerned(rows, U[:, last]), _concerned(joints, V[last]) if m >= nv else ()
    )


def singular_along(
    programme: System, t: Array, q: Array, stopped: NDArray[np.bool_], between: StatesBetween | None
) -> dict[int, SingularPlace]:
    """Return where a programme was singular along runs, by their numbers.

    Args:
        programme: The bodies, with the rows of the programme as constraints.
        t: Times [s], shape (n,) or (r, n).
        q: Configurations of r runs, shape (r, n, nq); NaN after the end of a run.
        stopped: Whether each ended early, shape (r,): then a row that has become much shorter
            counts.
        between: Configurations of the one run at other times.
    """
    if not q.size:
        return {}
    t = np.broadcast_to(t, q.shape[:2])
    looked_at = _looked_at(programme, t, q)
    t, q = t[:, looked_at], q[:, looked_at]
    sizes, signs = _measured(programme, t, q)
    known = np.where(np.isnan(sizes), np.inf, sizes)
    limits = np.full(len(q), NEARLY_SINGULAR)
    for run in np.flatnonzero(stopped & np.isfinite(known).any(axis=1)).tolist():
        limits[run] = max(limits[run], STOPPED_SINGULAR * float(np.nanmedian(sizes[run])))
    near = known.min(axis=1) <= limits
    changes = signs[:, 1:] * signs[:, :-1] < 0.0
    places = {}
    for run in np.flatnonzero(near | changes.any(axis=1)).tolist():
        instant = int(np.argmin(known[run]) if near[run] else np.argmax(changes[run]))
        time, there = float(t[run, instant]), q[run, instant]
        if not near[run] and between is not None:
            time, there = _crossing(programme, (time, float(t[run, instant + 1])), between)
        places[run] = SingularPlace(time, _words(programme, time, there, crossed=not near[run]))
    return places


def _words(programme: System, t: float, q: Array, *, crossed: bool) -> str:
    """Return in words how rows depend on each other at or, ``crossed``, right after a state."""
    J = programme.constraint_jacobian(q, t=t)
    least = min(J.shape)
    dependent = singular_rows(programme.row_names, programme.velocity_names, J)
    if crossed or dependent.rank == least:
        dependent = dependent._replace(rank=min(dependent.rank, least - 1))
    return (
        f"q = {np.round(q, 4).tolist()}: {dependent.told(least)}; errors do not decay there as "
        "designed, joint forces near it grow without bound, and the goal may be out of reach: lead "
        "it past this configuration, start in another posture, or take rows away"
    )


def _looked_at(programme: System, t: Array, q: Array) -> NDArray[np.intp]:
    """Return the numbers of the states to look at: of many some, and all that are near others."""
    n = q.shape[1]
    stride = -(-n // ENOUGH)
    if stride == 1:
        return np.arange(n)
    some = np.append(np.arange(0, n - 1, stride), n - 1)
    sizes = _measured(programme, t[:, some], q[:, some])[0]
    near = some[(sizes < NEAR).any(axis=0)]
    around = (near[:, None] + np.arange(-stride, stride + 1)).ravel()
    return np.union1d(some, around[(around >= 0) & (around < n)])


def _measured(programme: System, t: Array, q: Array) -> tuple[Array, Array]:
    """Return the conditioning and the sign of the determinant at states, or NaN.

    Args:
        programme: The bodies, with rows.
        t: Times [s], shape (...).
        q: Configurations, shape (..., nq).
    """
    times, states = t.ravel(), q.reshape(-1, q.shape[-1])
    sizes, signs = np.full(len(times), np.nan), np.zeros(len(times))
    for start in range(0, len(times), STATES):
        some = slice(start, start + STATES)
        finite = np.flatnonzero(np.isfinite(states[some]).all(axis=1)) + start
        J = programme.constraint_jacobian(states[finite], t=times[finite])
        good = np.isfinite(J).all(axis=(1, 2))
        sizes[finite[good]] = conditioning(J[good])
        if J.shape[1] == J.shape[2]:
            signs[finite[good]] = np.linalg.slogdet(J[good])[0]
    return sizes.reshape(t.shape), signs.reshape(t.shape)


def _crossing(
    programme: System, interval: tuple[float, float], between: StatesBetween
) -> tuple[float, Array]:
    """Return the time within an interval at which the determinant changes its sign, and q there."""
    low, high = interval
    for _ in range(2):
        times = np.linspace(low, high, PLACES)
        q = between(times)
        signs = _measured(programme, times, q)[1]
        k = int(np.argmax(signs[1:] != signs[:-1]))
        low, high = times[k], times[k + 1]
    return float(times[k]), q[k]


def _with_unit_rows(J: Array) -> Array:
    lengths = np.linalg.norm(J, axis=-1, keepdims=True)
    return np.asarray(J / np.where(lengths > 0.0, lengths, 1.0))


def _concerned(names: Sequence[str], entries: Array) -> tuple[str, ...]:
    sizes = np.abs(entries)
    return tuple(np.array(names)[sizes > CONCERNED * sizes.max()].tolist())
