"""First derivatives of the dynamics of few hinges, joints side by side: a program on columns.

The closed forms of ``derivative_sweep.py`` in the frame of the base, where motions of links are
sums over their carriers, and forces sums over the links that they carry.  All else is the same for
every joint, apart from the frames, which follow from each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from poinsot.expr.column_program import (
    COLUMNS,
    ColumnProgram,
    Combined,
    Inverted,
)
from poinsot.formulations.recursive.composite import Composite, base_motions
from poinsot.formulations.recursive.derivative_sweep import (
    MovingBody,
    body_in_base,
    changes,
    force_of,
    left_of,
)
from poinsot.formulations.recursive.fused_sums import plus_cross_motion
from poinsot.formulations.recursive.hinge_columns import HingeColumns, are_hinges, symmetric
from poinsot.formulations.recursive.links import Link
from poinsot.formulations.recursive.planar_rotation import PlanarTurn
from poinsot.model import Mechanism, Revolute
from poinsot.spatial import Array

_UPPER = np.triu_indices(3)


def column_inverse_dynamics_derivatives(mechanism: Mechanism) -> ColumnProgram | None:
    """Return ∂τ/∂q, ∂τ/∂v and M of q, v and a as a program on columns; None if there is none."""
    if not are_hinges(mechanism):
        return None
    arm = HingeColumns(mechanism, ("q", "v", "a"), _output("inverse", mechanism))
    move(arm)
    accelerate(arm, arm.row["a"])
    sum_bodies(arm)
    change(arm)
    entries = arm.n * np.arange(3 * arm.n)
    for k, name in enumerate(("q", "v", "M")):
        for i in range(arm.n):
            arm.append(_product(arm, name, i, int(entries[k * arm.n + i]), is_output=True))
    return arm.program()


def column_forward_dynamics_derivatives(mechanism: Mechanism) -> ColumnProgram | None:
    """Return ∂a/∂q, ∂a/∂v and M⁻¹ of q, v and tau as a program on columns, or None."""
    if not are_hinges(mechanism):
        return None
    arm = HingeColumns(mechanism, ("q", "v", "tau"), _output("forward", mechanism))
    n, every = arm.n, tuple(range(arm.n))
    move(arm)
    accelerate(arm, None)
    sum_bodies(arm)
    inverse = arm.rows(n)
    for i in every:
        arm.append(_product(arm, "M", i, inverse + i))
    arm.append(Inverted(tuple(range(inverse, inverse + n))))
    rest = _unbalanced(arm)
    a = arm.rows(1)
    terms = tuple((COLUMNS * rest + j, inverse + j) for j in every)
    arm.append(Combined(a, ((every, terms),)))
    accelerate(arm, a)
    _sum_forces(arm)
    change(arm)
    start = {name: arm.rows(n) for name in ("q", "v")}
    for name, first in start.items():
        for i in every:
            arm.append(_product(arm, name, i, first + i))
    for k, first in enumerate(start.values()):
        for i in every:
            terms = tuple((COLUMNS * (inverse + j) + i, first + j) for j in every)
            to = n * (n * k + i)
            arm.append(Combined(to, ((every, terms),), is_negative=True, is_output=True))
    arm.append(
        *(
            Combined(n * (2 * n + i), ((every, ((-1, inverse + i),)),), is_output=True)
            for i in every
        )
    )
    return arm.program()


def _output(name: str, mechanism: Mechanism) -> tuple[str, tuple[int, ...]]:
    return f"{name}_dynamics_derivatives", (3, mechanism.nv, mechanism.nv)


def move(arm: HingeColumns) -> None:
    """Append frames, screws, velocities, and the moments of bodies alone."""
    arm.alike(_turn, {"q": 1, "turns": 4, "offset": 1, "place": 3}, {"frame": 12})
    arm.frames()
    arm.alike(_screws, {"R": 9, "p": 3, "v": 1}, {"screw": 6, "velocity": 6})
    arm.sums("velocity", 6, outward=True)
    arm.moved("velocity", "carrier_velocity", [0.0] * 6)
    reads = {"mass": 1, "h": 3, "sigma": 6, "R": 9, "p": 3, "velocity": 6}
    arm.alike(_moments, reads, {"alone": 21})


def accelerate(arm: HingeColumns, a: int | None) -> None:
    """Append accelerations and forces of links alone, of the accelerations in a row.

    Without a row they are 0; what they add may follow then.
    """
    if a is not None:
        arm.row["a"] = a
    if "acceleration" in arm.row:
        arm.row["before"] = arm.row["acceleration"]
        arm.alike(_by_acceleration, {"screw": 6, "a": 1}, {"acceleration": 6})
        arm.sums("acceleration", 6, outward=True)
        arm.alike(_added, {"acceleration": 6, "before": 6}, {"acceleration": 6})
    else:
        reads = {"screw": 6, "velocity": 6, "v": 1} | ({} if a is None else {"a": 1})
        arm.alike(_increment, reads, {"acceleration": 6})
        arm.sums("acceleration", 6, outward=True, first=arm.base)
    arm.moved("acceleration", "carrier_acceleration", arm.base)
    reads = {"mass": 1, "alone": 21, "velocity": 6, "acceleration": 6}
    arm.alike(_force, reads, {"force": 6})


def sum_bodies(arm: HingeColumns) -> None:
    """Append the sums of bodies and forces over subtrees, and left."""
    arm.row["body"] = arm.rows(21)
    arm.sums("alone", 21, outward=False, to="body")
    _sum_forces(arm)
    arm.alike(_left, {"screw": 6, "total": 1, "body": 21}, {"left": 9})


def _sum_forces(arm: HingeColumns) -> None:
    """Append the sums of forces over subtrees."""
    arm.sums("force", 6, outward=False)


def change(arm: HingeColumns) -> None:
    """Append right and up by q and v."""
    reads = {
        "screw": 6, "total": 1, "body": 21, "velocity": 6, "force": 6, "left": 9,
        "carrier_velocity": 6, "carrier_acceleration": 6,
    }  # fmt: skip
    arm.alike(_changed, reads, {"right_q": 9, "right_v": 9, "up_q": 6, "up_v": 6})


def _unbalanced(arm: HingeColumns) -> int:
    """Append tau less the forces without acceleration; return its row."""
    reads = {"screw": 6, "force": 6, "tau": 1}
    if any(arm.passive):
        reads |= {"passive": 3, "q": 1, "v": 1}
    return arm.alike(_rest, reads, {"rest": 1})["rest"]


def _product(arm: HingeColumns, name: str, i: int, to: int, *, is_output: bool = False) -> Combined:
    """Return the row i of ∂τ/∂q, ∂τ/∂v or M."""
    right, up = {"q": ("right_q", "up_q"), "v": ("right_v", "up_v"), "M": ("screw", "left")}[name]
    size = 6 if name == "M" else 9
    lower = [i]
    while arm.parent[lower[-1]] >= 0:
        lower.append(arm.parent[lower[-1]])
    upper = [k for k in range(arm.n) if k != i and arm.carries(i, k)]
    groups = [(lower, "left", right, size)] + ([(upper, "screw", up, 6)] if upper else [])
    added = [0.0] * COLUMNS
    passive = arm.passive[i]
    if passive is not None:
        matrix = {"q": passive.stiffness, "v": passive.damping, "M": passive.armature}[name]
        added[i] = 0.0 if matrix is None else float(matrix[0, 0])
    return Combined(
        to,
        tuple(
            (
                tuple(sorted(columns)),
                tuple(
                    (COLUMNS * (arm.row[single] + e) + i, arm.row[rows] + e) for e in range(count)
                ),
            )
            for columns, single, rows, count in groups
        ),
        tuple(added),
        is_output=is_output,
    )


def _turn(*, q: Array, turns: Array, offset: Array, place: Array) -> dict[str, Any]:
    nothing, axes = np.zeros(3), (PlanarTurn(2, *turns[:2]), PlanarTurn(0, *turns[2:]))
    link = Link(
        -1,
        Revolute("z"),
        axes,
        nothing,
        offset[0],
        0.0,
        nothing,
        np.zeros((3, 3)),
        slice(0),
        slice(0),
    )
    return {"frame": [*link.placed(q).to_parent(np.eye(3)).ravel(), *place]}


def _screws(*, R: Array, p: Array, v: Array) -> dict[str, Any]:
    along = np.array([[0.0], [0.0], [0.0], [0.0], [0.0], [1.0]])
    screw = base_motions((R.reshape(3, 3), p), along)[0]
    return {"screw": screw, "velocity": v[0] * screw}


def _moments(
    *, mass: Array, h: Array, sigma: Array, R: Array, p: Array, velocity: Array
) -> dict[str, Any]:
    alone = Composite(mass[0], h, symmetric(sigma))
    body = body_in_base(alone, (R.reshape(3, 3), p), velocity)
    return {"alone": [*body.h, *body.sigma[_UPPER], *body.P, *body.E.ravel()]}


def _increment(
    *, screw: Array, velocity: Array, v: Array, a: Array | None = None
) -> dict[str, Any]:
    start = np.zeros(6) if a is None else a[0] * screw
    return {"acceleration": plus_cross_motion(start, velocity, v[0] * screw)}


def _by_acceleration(*, screw: Array, a: Array) -> dict[str, Any]:
    return {"acceleration": a[0] * screw}


def _added(*, acceleration: Array, before: Array) -> dict[str, Any]:
    return {"acceleration": acceleration + before}


def _force(*, mass: Array, alone: Array, velocity: Array, acceleration: Array) -> dict[str, Any]:
    return {"force": force_of(body_of(mass, alone), velocity, acceleration)}


def _left(*, screw: Array, total: Array, body: Array) -> dict[str, Any]:
    return {"left": left_of(screw[None], body_of(total, body))[0]}


def _changed(
    *, screw: Array, total: Array, body: Array, velocity: Array, force: Array, left: Array,
    carrier_velocity: Array, carrier_acceleration: Array,
) -> dict[str, Any]:  # fmt: skip
    right_q, right_v, up_q, up_v, *_ = changes(
        screw[None], body_of(total, body), velocity, force, left[None], carrier_velocity,
        carrier_acceleration,
    )  # fmt: skip
    return {"right_q": right_q[0], "right_v": right_v[0], "up_q": up_q[0], "up_v": up_v[0]}


def _rest(
    *, screw: Array, force: Array, tau: Array, passive: Array | None = None,
    q: Array | None = None, v: Array | None = None,
) -> dict[str, Any]:  # fmt: skip
    rest = tau[0] - screw @ force
    if passive is not None and q is not None and v is not None:
        rest = rest - passive[0] * v[0] - passive[1] * (q[0] - passive[2])
    return {"rest": [rest]}


def body_of(mass: Array, moments: Array) -> MovingBody:
    """Return a body from its mass and its 21 moments."""
    return MovingBody(
        mass[0], moments[:3], symmetric(moments[3:9]), moments[9:12], moments[12:].reshape(3, 3)
    )
