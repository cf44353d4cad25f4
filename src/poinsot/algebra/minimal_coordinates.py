"""Equations of constrained and rheonomic systems in minimal coordinates.

Rows that prescribe a coordinate each, q_p = p(t), make it a function of time.  All others,
J v + drift = 0 and J a + gamma = 0, are solved for as many dependent velocities v_d:

    v = T v_r + b,      a = T a_r + c,      T = [1; -J_d⁻¹ J_r; 0],
    b = [0; -J_d⁻¹ (drift + J_p ṗ); ṗ],      c = [0; -J_d⁻¹ (gamma + J_p p̈); p̈]

(rows r, d, p).  What is left are equations without multipliers,

    Tᵀ M T a_r + Tᵀ (h + M c) = Tᵀ tau,

functions of q, v_r and the time.  c holds the rate of T and b, as gamma holds that of J and drift.
The forces that prescribed motions take are Sᵀ (h + M a), S = [0; -J_d⁻¹ J_p; 1]: T and S together
are all motions that the loops allow.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.algebra.square_solution import square_solution
from poinsot.errors import ModelError
from poinsot.expr import Expr, jacobian
from poinsot.expr.rank import independent_columns, independent_rows, rank, row_rank, unit_rows
from poinsot.expr.replay import with_values
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model import Mechanism, Rows, suggestion
from poinsot.model.coordinate_names import velocity_entries
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class ChosenVelocities:
    """Which velocities are the minimal ones.

    Attributes:
        p: Numbers of the velocities of coordinates that are prescribed, each by a row of its own.
        coordinates: Numbers of these coordinates in q.
        p_rows: Those rows.
        d: Numbers of the dependent velocities.
        d_rows: Independent rows that they follow from, as many.
        r: Numbers of the others, the minimal ones.
    """

    p: list[int]
    coordinates: list[int]
    p_rows: list[int]
    d: list[int]
    d_rows: list[int]
    r: list[int]


class MinimalCoordinates:
    """The motions that constraints allow, by the minimal velocities and the time.

    Args:
        mechanism: The bodies and constraints.
        rows: Their rows, expressions of q, v and t.
        state: The symbols q, v and t.
        chosen: Which velocities are the minimal ones.
    """

    def __init__(
        self, mechanism: Mechanism, rows: Rows, state: tuple[Array, Array, Array],
        chosen: ChosenVelocities,
    ) -> None:  # fmt: skip
        q, v, t = state
        self.chosen, self._whose, self._names = chosen, mechanism.name, _names(mechanism)
        p, d, r = chosen.p, chosen.d, chosen.r
        coordinates = chosen.coordinates
        motion = -with_values(rows.phi[chosen.p_rows], q[coordinates], np.zeros(len(p)))
        rate = jacobian(motion, t)[:, 0]
        second = jacobian(rate, t)[:, 0]
        J, drift, gamma = (x[chosen.d_rows] for x in (rows.J, rows.drift, rows.gamma))
        known = np.hstack([-J[:, [*r, *p]], -(drift + J[:, p] @ rate)[:, None]])
        solved = square_solution(J[:, d], known)
        self._symbols = np.concatenate([q[coordinates], v[p], v[d]])
        velocities = solved[:, : len(r)] @ v[r] + solved[:, -1]
        timed = np.concatenate([q[coordinates], v[p]])
        by_time = np.concatenate([motion, rate])
        self._values = np.concatenate([by_time, with_values(velocities, timed, by_time)])
        nothing, unit = np.zeros((len(p), len(r))), np.eye(len(p))
        self._map = self._placed(np.eye(len(r)), solved[:, : len(r)], nothing)
        self._driven = self._placed(nothing.T, solved[:, len(r) : -1], unit)
        offset = square_solution(J[:, d], -(gamma + J[:, p] @ second)[:, None])
        self._left = self._placed(np.zeros((len(r), 1)), offset, second[:, None])[:, 0]
        self._all = self._placed(v[r][:, None], velocities[:, None], rate[:, None])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the minimal velocities."""
        return tuple(self._names[k] for k in self.chosen.r)

    @property
    def transformation(self) -> Array:
        """T, shape (nv, n)."""
        return self._told(self._map)

    @property
    def velocity(self) -> Array:
        """T v_r + b, all velocities, shape (nv,)."""
        return self._told(self._all[:, 0])

    def mass_matrix(self, M: Array) -> Array:
        """Return Tᵀ M T."""
        self._check_free()
        return self._told(self._map.T @ M @ self._map)

    def bias(self, M: Array, h: Array) -> Array:
        """Return Tᵀ (h + M c)."""
        self._check_free()
        return self._told(self._map.T @ (h + M @ self._left))

    def forces(self, M: Array, h: Array, a: Array) -> Array:
        """Return Sᵀ (h + M a), the forces that enforce the motion."""
        if not self.chosen.p:
            raise ModelError(
                f"derive: no row of {self._whose!r} prescribes a coordinate of its own over time, "
                "so there are no prescribed_forces; forces of constraints are "
                "system.multipliers(q, v, tau, t=t) and system.reactions(...)"
            )
        return self._told(self._driven.T @ (h + M @ (self._map @ a[self.chosen.r] + self._left)))

    def _check_free(self) -> None:
        if not self.chosen.r:
            raise ModelError(
                f"derive: constraints prescribe every motion of {self._whose!r} over time, so that "
                "no equation of motion is left; prescribed_forces are the forces that this takes "
                "(kinetostatics), minimal_velocity the motion"
            )

    def _placed(self, free: Array, dependent: Array, prescribed: Array) -> Array:
        """Return rows in the order of the velocities, shape (nv, n)."""
        chosen = self.chosen
        order = np.argsort([*chosen.r, *chosen.d, *chosen.p])
        return np.vstack([free, dependent, prescribed]).astype(object)[order]

    def _told(self, values: Array) -> Array:
        """Return expressions of the minimal velocities, the time and coordinates that are free."""
        return with_values(np.asarray(values, dtype=object), self._symbols, self._values)


def chosen_velocities(
    mechanism: Mechanism, rows: Rows, somewhere: Callable[[], Array | None], wanted: Sequence[str]
) -> ChosenVelocities:
    """Return which velocities are the minimal ones: the first that can be, or those wanted.

    Args:
        mechanism: The bodies and constraints.
        rows: Their rows, expressions of q, v and t.
        somewhere: Returns numbers of J where the constraints hold, shape (rows, nv); None where no
            such configuration is known.
        wanted: Names of the minimal velocities; none leaves the choice.

    Raises:
        ModelError: Some cannot be minimal velocities, or the prescribed motions contradict loops.
    """
    p, coordinates, p_rows = _prescribed(mechanism, rows)
    others = [k for k in range(mechanism.nv) if k not in p]
    rest = [k for k in range(len(rows.J)) if k not in p_rows]
    if all(is_zero(x) for x in rows.J[rest].ravel().tolist()):
        _check_wanted(mechanism, wanted, others, np.zeros((0, len(others))))
        return ChosenVelocities(p, coordinates, p_rows, [], [], others)
    whole = somewhere()
    if whole is None:
        raise ModelError(
            f"derive: which velocities of {mechanism.name!r} are independent shows in a "
            "configuration that its constraints allow, and none is found; give one, "
            "derive(system, q=...), or numbers for its parameters"
        )
    J = whole[rest][:, others]
    if row_rank(J) < row_rank(whole[rest]):
        raise ModelError(
            f"derive: loops of {mechanism.name!r} do not let each prescribed coordinate move as "
            "its row says, so there are no minimal coordinates; remove one of the prescribed "
            "motions, or take another configuration, derive(system, q=...), where this is not so"
        )
    _check_wanted(mechanism, wanted, others, J)
    names = _names(mechanism)
    free = [names.index(name) for name in wanted]
    columns = [k for k, number in enumerate(others) if number not in free]
    kept = independent_columns(unit_rows(J[:, columns].T)[0].T, range(len(columns))[::-1])
    d = [others[columns[k]] for k in sorted(kept)]
    d_rows = [rest[k] for k in independent_rows(whole[rest][:, d])]
    r = [k for k in others if k not in d]
    return ChosenVelocities(p, coordinates, p_rows, d, d_rows, r)


def _check_wanted(mechanism: Mechanism, wanted: Sequence[str], others: list[int], J: Array) -> None:
    """Reject names that are no set of minimal velocities.

    Args:
        mechanism: The bodies and constraints.
        wanted: Names of velocities.
        others: Numbers of the velocities that are not prescribed.
        J: Rows for these where the constraints hold.
    """
    named = _names(mechanism)
    names = [named[k] for k in others]
    for name in wanted:
        if name not in names:
            raise ModelError(
                f"derive: {name!r} among coordinates is no velocity that is free to choose; "
                f"{suggestion(str(name), names)}"
            )
    count = len(names) - row_rank(J)
    dependent = [k for k, name in enumerate(names) if name not in wanted]
    if wanted and (len(set(wanted)) != count or rank(J[:, dependent]) < len(dependent)):
        raise ModelError(
            f"derive: coordinates={list(wanted)} do not determine the motion of "
            f"{mechanism.name!r}, which has {count} minimal velocities of {', '.join(names)}"
        )


def _prescribed(mechanism: Mechanism, rows: Rows) -> tuple[list[int], list[int], list[int]]:
    """Return the velocities that rows prescribe one by one, their coordinates and the rows."""
    velocities: list[int] = []
    coordinates: list[int] = []
    numbers: list[int] = []
    for k in mechanism.position_rows:
        moved = [j for j, entry in enumerate(rows.J[k].tolist()) if not is_zero(entry)]
        if len(moved) != 1 or moved[0] in velocities or not _is_one(rows.J[k, moved[0]]):
            continue
        coordinate = _coordinate(mechanism, moved[0])
        if coordinate is not None:
            velocities.append(moved[0])
            coordinates.append(coordinate)
            numbers.append(k)
    return velocities, coordinates, numbers


def _coordinate(mechanism: Mechanism, velocity: int) -> int | None:
    """Return the number of the coordinate whose rate a velocity is; None: of a quaternion."""
    for body, in_q, in_v in zip(
        mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True
    ):
        if in_v.start <= velocity < in_v.stop:
            return in_q.start + velocity - in_v.start if body.joint.nq == body.joint.nv else None
    return None


def _names(mechanism: Mechanism) -> list[str]:
    return [entry.name for entry in velocity_entries(mechanism)]


def _is_one(entry: Expr | float) -> bool:
    return is_zero(entry - 1.0)
