"""Second derivatives of inverse dynamics of few hinges: the third joint of products in columns.

What ``second_derivatives.py`` has of each joint is computed by columns, and so are the vectors of
all joints b with a joint c.  The products of a pair b, c with all joints a are rows of matrices, of
which a matrix per joint force is put together: by q_j q_k of τ_i, say, the entries for which k
carries j are in the row of the pair i, j; the others in that of i, k, at j.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from poinsot.expr.column_program import COLUMNS, ColumnProgram, Combined, Mirrored, Moved
from poinsot.formulations.recursive.column_derivatives import (
    accelerate,
    body_of,
    change,
    move,
    sum_bodies,
)
from poinsot.formulations.recursive.fused_sums import plus_dot
from poinsot.formulations.recursive.hinge_columns import HingeColumns, are_hinges
from poinsot.formulations.recursive.second_derivatives import (
    Joint,
    JointPair,
    Products,
    mass_changes,
    moments_of_changes,
)
from poinsot.model import Mechanism
from poinsot.spatial import Array

_OUTERMOST: Final = {"left": 9, "G": 9, "up_q": 6, "up_v": 3, "E_changed": 9}
"""Numbers of the outer joint of a pair that its vectors are made of."""
_JOINT: Final = {"screw": 6, "right_q": 6, "x": 6, "right_v": 6}
"""Numbers of the third joint."""
_PAIR: Final = (6, 12, 15, 18, 21, 27)
"""Where the numbers of a pair end: n, z, κ, μ, ζ, r; then the three of μ - ζ follow."""
_KAPPA: Final = slice(12, 15)
_OWN: Final[tuple[str, ...]] = ("qq_c", "qv_c")
"""Rows of products of the pair of a joint with itself."""
_OTHER: Final = tuple(f"{name}_{joint}" for joint in "cb" for name in ("qq", "vv", "qv", "vq"))
_PRODUCTS: Final = (*_OTHER, "aq_b", "qa_b")
"""Rows of products of other pairs, of τ_c and τ_b; vq and qa are for the transposed halves."""


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
    for b in range(n):
        beyond = [float(not arm.carries(m, b)) for m in range(n)]
        arm.tabulate(f"sides of {b}", [beyond, [1.0 - side for side in beyond]])
    matrices = {key: np.full((n, n), -1) for key in ("qq", "vv", "qv", "vq", "aq", "qa")}
    for c in range(n):
        _append_pairs(arm, c)
        for b in range(n):
            if not arm.carries(b, c):
                continue
            places = {
                "pair": ("pairs", b), "carrier": ("screw", b), "sides": (f"sides of {b}", None),
            }  # fmt: skip
            reads = {"pair": _PAIR[-1] + 3} | _JOINT
            if b == c:
                keys = _OWN
                rows = arm.alike(_own_products, reads, {"products": len(keys)}, places)
            else:
                keys = _PRODUCTS
                reads |= {"pairs": _PAIR[-1] + 3, "carrier": 6, "sides": 2}
                rows = arm.alike(_products, reads, {"products": len(keys)}, places)
            for row, key in enumerate(keys, rows["products"]):
                i, j = (c, b) if key.endswith("c") else (b, c)
                matrices[key[:2]][i, j] = row
    _append_results(arm, matrices)
    return arm.program()


def _append_pairs(arm: HingeColumns, c: int) -> None:
    """Append the vectors of all joints with one; κ of the joint with itself is zero."""
    reads = {"screw": 6, "x": 6} | {f"outer_{key}": size for key, size in _OUTERMOST.items()}
    places = {f"outer_{key}": (key, c) for key in _OUTERMOST}
    sizes = {"pairs": _PAIR[-1] + 3}
    first = arm.alike(_vectors, reads, sizes, places, again=True)["pairs"]
    kappa = tuple(range(first + _KAPPA.start, first + _KAPPA.stop))
    others = tuple(-1 if k == c else k for k in range(COLUMNS))
    arm.append(Moved(kappa, kappa[0], others, (0.0,) * len(kappa)))


def _append_results(arm: HingeColumns, matrices: dict[str, Array]) -> None:
    """Append the four tensors, a matrix per joint force."""
    n, every = arm.n, range(arm.n)
    carriers = tuple(tuple(k for k in every if arm.carries(k, j)) for j in every)
    carried = tuple(tuple(k for k in every if k != j and arm.carries(j, k)) for j in every)
    for tensor, (rows, across) in enumerate((("qq", "qq"), ("vv", "vv"), ("qv", "vq"))):
        for i in every:
            first = n * n * (n * tensor + i)
            arm.append(
                Mirrored(
                    tuple(matrices[rows][i].tolist()), tuple(matrices[across][i].tolist()),
                    carriers, carried, tuple(first + n * j for j in every), is_output=True,
                )
            )  # fmt: skip
    changes = np.full((n, n), -1)  # rows of ∂M_ij/∂q: those of i, j are those of j, i
    for i in every:
        for j in (i, *carried[i]):
            changes[i, j] = arm.rows(1)
        arm.append(
            Mirrored(
                tuple(matrices["aq"][i].tolist()), tuple(matrices["qa"][i].tolist()), carriers,
                carried, tuple(changes[i].tolist()),
            )
        )  # fmt: skip
    for i in every:
        for j in every:
            row = max(int(changes[i, j]), int(changes[j, i]))
            groups = () if row < 0 else ((tuple(every), ((-1, row),)),)
            arm.append(Combined(n * (n * (n * 3 + i) + j), groups, is_output=True))


def _changes(*, screw: Array, right_v: Array, total: Array, body: Array) -> dict[str, Any]:
    x = 0.5 * right_v
    G, E_changed = moments_of_changes(screw, x, body_of(total, body))
    return {"x": x, "G": G.ravel(), "E_changed": E_changed.ravel()}


def _vectors(
    *, screw: Array, x: Array, outer_left: Array, outer_G: Array, outer_up_q: Array,
    outer_up_v: Array, outer_E_changed: Array,
) -> dict[str, Any]:  # fmt: skip
    outer = _joint(
        u=outer_up_q, force=outer_left[:6], rate=outer_left[6:], G=outer_G.reshape(3, 3),
        P_changed=outer_up_v, E_changed=outer_E_changed.reshape(3, 3),
    )  # fmt: skip
    pair = JointPair.of(_joint(S=screw, x=x), outer)
    difference = pair.mu - pair.zeta
    vectors = (pair.n, pair.z, pair.kappa, pair.mu, pair.zeta, pair.r, difference)
    return {"pairs": np.concatenate(vectors)}


def _own_products(
    *, pair: Array, screw: Array, right_q: Array, x: Array, right_v: Array
) -> dict[str, Any]:
    joint = _joint(S=screw, y=right_q, x=x, x_twice=right_v)
    products = Products.of(_pair(pair), joint)
    return {"products": [products.qq_c, products.qv_c]}


def _products(
    *, pair: Array, screw: Array, right_q: Array, x: Array, right_v: Array, pairs: Array,
    carrier: Array, sides: Array,
) -> dict[str, Any]:  # fmt: skip
    """Return products of a pair with all joints, of which some lie beyond b, towards c."""
    b_c, joint = _pair(pair), _joint(S=screw, y=right_q, x=x, x_twice=right_v)
    beyond, within = sides
    products, w = Products.of(b_c, joint), carrier[3:]
    by_middle, by_outer = mass_changes(pairs[_KAPPA] @ w, products.kappa_S)
    difference = pairs[_PAIR[-1] :] @ w
    rows = {
        "qq_c": products.qq_c,
        "qq_b": products.qq_b + beyond * plus_dot(0.0, (b_c.r, joint.S)),
        "vv_c": products.kappa_S,
        "vv_b": -products.kappa_S,
        "qv_c": products.qv_c,
        "qv_b": products.qv_b,
        "vq_c": products.kappa_x,
        "vq_b": beyond * (products.qv_b + difference) - within * products.kappa_x,
        "aq_b": beyond * by_middle,
        "qa_b": by_outer,
    }
    return {"products": [rows[key] for key in _PRODUCTS]}


def _pair(numbers: Array) -> JointPair:
    return JointPair(*np.split(numbers[: _PAIR[-1]], _PAIR[:-1]))


def _joint(**known: Array) -> Joint:
    """Return a joint of which only some is known, or needed."""
    nothing, none = np.zeros(6), np.zeros((3, 3))
    empty = dict.fromkeys(("S", "x", "x_twice", "y", "u", "force"), nothing)
    moments = {"rate": nothing[:3], "G": none, "P_changed": nothing[:3], "E_changed": none}
    return Joint(**(empty | moments | known))
