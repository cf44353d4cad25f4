"""Second derivatives of inverse dynamics of few hinges: joints side by side, then products.

What ``second_derivatives.py`` has of each joint is computed by columns, the vectors of pairs and
their products one by one.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.expr.column_program import COLUMNS, OUTPUT, ROWS, Apart, ColumnProgram, Moved
from poinsot.expr.program import fresh_symbols
from poinsot.formulations.recursive.column_derivatives import (
    accelerate,
    body_of,
    change,
    move,
    sum_bodies,
)
from poinsot.formulations.recursive.hinge_columns import HingeColumns, are_hinges, program_of
from poinsot.formulations.recursive.second_derivatives import (
    Joint,
    JointPair,
    moments_of_changes,
    products_of,
)
from poinsot.model import Mechanism
from poinsot.spatial import Array

_READS: Final = {"screw": 6, "x": 6, "right_q": 6, "up_q": 6}
"""Numbers of a joint that products are made of."""
_PAIR: Final = {"n": 6, "kappa": 3, "mu": 3, "zeta": 3}
"""Numbers of a pair."""
_OUTERMOST: Final = {"left": 9, "G": 9, "up_v": 3, "E_changed": 9}
"""Numbers of the outer joint of a pair that its vectors are made of."""


def column_second_derivatives(mechanism: Mechanism) -> ColumnProgram | None:
    """Return D of the joint forces by q q, v v, q v and a q as a program on columns, or None."""
    if not are_hinges(mechanism):
        return None
    n = mechanism.nv
    name = "inverse_dynamics_second_derivatives"
    arm = HingeColumns(mechanism, ("q", "v", "a"), (name, (4, n, n, n)))
    move(arm)
    accelerate(arm, arm.row["a"])
    sum_bodies(arm)
    change(arm)
    reads = {"screw": 6, "right_v": 6, "total": 1, "body": 21}
    arm.alike(_changes, reads, {"x": 6, "G": 9, "E_changed": 9})
    pairs = [_append_pairs(arm, c) for c in range(n)]
    symbols = {key: fresh_symbols(key, COLUMNS * size) for key, size in _READS.items()}
    screw, x, y, up = (entries.reshape(-1, COLUMNS) for entries in symbols.values())
    nothing, none = np.zeros(9), np.zeros((3, 3))
    joints = [
        Joint(
            screw[:, k], x[:, k], y[:, k], up[:, k], nothing[:6], nothing[:3], none,
            nothing[:3], none,
        )
        for k in range(n)
    ]  # fmt: skip
    vectors = [fresh_symbols(f"pair{c}", COLUMNS * sum(_PAIR.values())) for c in range(n)]

    def pair_of(b: int, c: int) -> JointPair:
        n_bc, kappa, mu, zeta = np.split(vectors[c].reshape(-1, COLUMNS)[:, b], (6, 9, 12))
        kappa = nothing[:3] if b == c else kappa
        return JointPair(n_bc, np.concatenate([n_bc[:3], n_bc[3:] - kappa]), kappa, mu, zeta)

    every = symbols | {f"pair{c}": pair for c, pair in enumerate(vectors)}
    program = program_of(
        every, {name: products_of(joints, arm.parent[:n], range(n), pair_of).ravel()}
    )
    ports = [*((ROWS, arm.row[key]) for key in _READS), *((ROWS, start) for start in pairs)]
    arm.append(Apart(program, (*ports, (OUTPUT, 0))))
    return arm.program()


def _append_pairs(arm: HingeColumns, c: int) -> int:
    """Append the vectors of all joints with one; return the first of their rows."""
    for name, size in _OUTERMOST.items():
        rows = tuple(range(arm.row[name], arm.row[name] + size))
        to = arm.row.setdefault(f"outer_{name}", arm.rows(size) if c == 0 else 0)
        arm.append(Moved(rows, to, (c,) * COLUMNS, (0.0,) * size))
    reads = {"screw": 6, "x": 6} | {f"outer_{name}": size for name, size in _OUTERMOST.items()}
    return arm.alike(_vectors, reads, {"pair": sum(_PAIR.values())})["pair"]


def _vectors(
    *, screw: Array, x: Array, outer_left: Array, outer_G: Array, outer_up_v: Array,
    outer_E_changed: Array,
) -> dict[str, Any]:  # fmt: skip
    nothing = np.zeros(6)
    matrices = [entries.reshape(3, 3) for entries in (outer_G, outer_E_changed)]
    outer = Joint(
        nothing, nothing, nothing, nothing, outer_left[:6], outer_left[6:], matrices[0],
        outer_up_v, matrices[1],
    )  # fmt: skip
    pair = JointPair.of(
        Joint(screw, x, *(nothing,) * 4, matrices[0], nothing[:3], matrices[1]), outer
    )
    return {"pair": [*pair.n, *pair.kappa, *pair.mu, *pair.zeta]}


def _changes(*, screw: Array, right_v: Array, total: Array, body: Array) -> dict[str, Any]:
    x = 0.5 * right_v
    G, E_changed = moments_of_changes(screw, x, body_of(total, body))
    return {"x": x, "G": G.ravel(), "E_changed": E_changed.ravel()}
