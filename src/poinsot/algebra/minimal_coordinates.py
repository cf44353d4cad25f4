"""Equations of rheonomic systems in minimal coordinates.

Where every row of the constraints prescribes one coordinate over time, q_p = p(t), the others are
minimal coordinates, with the equations

    M_rr a_r + (h_r + M_rp p̈) = tau_r,      tau_p = h_p + M_pr a_r + M_pp p̈

at q_p = p(t), v_p = ṗ(t): functions of q_r, v_r and the time, without multipliers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import Expr, jacobian
from poinsot.expr.replay import with_values
from poinsot.expr.sparse_arithmetic import is_zero
from poinsot.model import Mechanism, Rows
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class Prescribed:
    """The coordinates that are functions of time, and the others.

    Attributes:
        p: Numbers of the velocities that are prescribed.
        r: Numbers of the other velocities.
        symbols: Symbols of the prescribed q and v.
        values: What they are, expressions of the time; in the same order.
        second: The second time derivatives of the coordinates.
    """

    p: list[int]
    r: list[int]
    symbols: Array
    values: Array
    second: Array

    def mass_matrix(self, M: Array) -> Array:
        """Return M_rr."""
        return self._at(M[np.ix_(self.r, self.r)])

    def bias(self, M: Array, h: Array) -> Array:
        """Return h_r + M_rp p̈."""
        return self._at(h[self.r] + M[np.ix_(self.r, self.p)] @ self.second)

    def forces(self, M: Array, h: Array, a: Array) -> Array:
        """Return tau_p, the forces that enforce the motion."""
        inertial = M[np.ix_(self.p, self.r)] @ a[self.r] + M[np.ix_(self.p, self.p)] @ self.second
        return self._at(h[self.p] + inertial)

    def _at(self, values: Array) -> Array:
        return with_values(np.asarray(values, dtype=object), self.symbols, self.values)


def prescribed(
    mechanism: Mechanism, rows: Rows, names: Sequence[str], state: tuple[Array, Array, Array]
) -> Prescribed:
    """Return the prescribed coordinates.

    Args:
        mechanism: The bodies and constraints.
        rows: Their rows, expressions of q, v and t.
        names: A name for each row.
        state: The symbols q, v and t.

    Raises:
        ModelError: If a row is more than one coordinate as a function of time.
    """
    q, v, t = state
    velocities, coordinates = [], []
    for k, name in enumerate(names):
        moved = [j for j, entry in enumerate(rows.J[k].tolist()) if not is_zero(entry)]
        position = _coordinate(mechanism, moved[0]) if len(moved) == 1 else None
        if position is None or not _is_one(rows.J[k, moved[0]]) or moved[0] in velocities:
            raise ModelError(
                f"derive: row {name!r} of {mechanism.name!r} does not prescribe a coordinate of "
                "its own, so there are no minimal coordinates; ask for mass_matrix, bias, "
                "constraint_jacobian and constraint_bias"
            )
        velocities.append(moved[0])
        coordinates.append(position)
    motion = -with_values(rows.phi, q[coordinates], np.zeros(len(coordinates)))
    first = jacobian(motion, t)[:, 0]
    return Prescribed(
        velocities, [k for k in range(mechanism.nv) if k not in velocities],
        np.concatenate([q[coordinates], v[velocities]]), np.concatenate([motion, first]),
        jacobian(first, t)[:, 0],
    )  # fmt: skip


def _coordinate(mechanism: Mechanism, velocity: int) -> int | None:
    """Return the number of the coordinate whose rate a velocity is; None: of a quaternion."""
    for body, in_q, in_v in zip(
        mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True
    ):
        if in_v.start <= velocity < in_v.stop:
            return in_q.start + velocity - in_v.start if body.joint.nq == body.joint.nv else None
    return None


def _is_one(entry: Expr | float) -> bool:
    return is_zero(entry - 1.0)
