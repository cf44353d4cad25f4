"""Constraints on articulated bodies, rolled: multipliers at a cost linear in their number.

Wrenches of unit multipliers are propagated inward like the bias forces of articulated bodies.
Their components along a joint, u, are a block of a factor of J M⁻¹ Jᵀ [RodriguezJainKreutz1992]:

    u = Sᵀ K,       K_parent = K - U D⁻¹ u,       G = J M⁻¹ Jᵀ = sum of uᵀ D⁻¹ u over joints.

Two constraints interact in G only if a joint carries both, so G is sparse where loops are local.
It is eliminated by blocks in an order with little fill-in, and dependent rows are dropped at run
time (``rolled_elimination.py``).  As pivots are squares, rows count as dependent below a sine of
3e-6, and digits are lost near singularities; one step of iterative refinement recovers them.
Contradictory constraints have no solution; those that are eliminated first are then satisfied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.functions import select
from poinsot.expr.linalg import ldl_solve
from poinsot.expr.rank_tolerances import ZERO_ROW
from poinsot.expr.rolled import STATE
from poinsot.formulations.constrained.elimination_order import elimination
from poinsot.formulations.constrained.rolled_elimination import RolledFactor
from poinsot.formulations.constrained.rolled_rows import RowIndices
from poinsot.formulations.recursive.articulated import (
    acceleration_step,
    force_to_parent,
    free_joint_layout,
)
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.spatial import Array

MOST_UPDATES = 3_000_000
"""Block updates above which a system is rejected: its constraints all interact."""


@dataclass(frozen=True, eq=False)
class Response:
    """Indices of the results of a correction in the state.

    Attributes:
        change: The change of dv/dt in the order of v.
        motion: The change of the acceleration of links (6), by link.
        multipliers: The multipliers (m,), by constraint.
        push: Their forces along joints (nv,), by link; before those of other links act.
    """

    change: int
    motion: Mapping[int, int]
    multipliers: Sequence[int]
    push: dict[int, int]


class RolledMultipliers:
    """Constraints on a tree, to be solved for any residual.

    Args:
        tree: The links.
        rows: The constraints.
    """

    def __init__(self, tree: RolledTree, rows: Sequence[RowIndices]) -> None:
        self._tree, self._rows = tree, rows
        self._builder = tree.builder
        self._felt: dict[tuple[int, int], tuple[int, int]] = {}
        self._through: dict[int, list[int]] = {}
        diagonal = [self._carry(c) for c in range(len(rows))]
        order = elimination(self._neighbours())
        _check_updates(tree, order)
        sizes = [constraint.m for constraint in rows]
        blocks = self._products({c: k for k, (c, _) in enumerate(order)})
        self._factor = RolledFactor(tree.builder, sizes, order, diagonal, blocks)

    def response(self, residual: Sequence[int]) -> Response:
        """Append the change of dv/dt of least norm, in the metric of M, that removes a residual.

            J change = -residual

        Args:
            residual: Index of the residual of each constraint, (m,).
        """
        multipliers = self._factor.solve(residual)
        builder, tree = self._builder, self._tree
        push: dict[int, int] = {}
        for (c, k), (u, _) in self._felt.items():
            m, nv = self._rows[c].m, tree.kinds[k].joint.nv
            reads = {"u": (STATE, u, nv * m), "lam": (STATE, multipliers[c], m)}
            if k in push:
                reads["push"] = (STATE, push[k], nv)
            else:
                push[k] = builder.state(nv)
            builder.item(("push", m, nv, "push" in reads), _push, reads, {"push": push[k]})
        change, motion = builder.state(tree.nv), {}
        for k, link in enumerate(tree.links):
            kind, motion[k] = tree.kinds[k], builder.state(6)
            reads = {
                **tree.joint_reads(link, "q"),
                "place": tree.values("placement")[k].read,
                "joint": tree.equation_read(k),
            }
            if link.parent >= 0:
                reads["parent"] = (STATE, motion[link.parent], 6)
            if k in push:
                reads["push"] = (STATE, push[k], kind.joint.nv)
            tree.item(
                f"respond {'parent' in reads} {'push' in reads}", k, partial(_respond, kind),
                reads, {"motion": motion[k], "change": change + link.v.start},
            )  # fmt: skip
        return Response(change, motion, multipliers, push)

    def residual_after(self, before: Sequence[int], response: Response) -> list[int]:
        """Append the residual after a response; return its indices by constraint."""
        builder, tree, residuals = self._builder, self._tree, []
        for rows, index in zip(self._rows, before, strict=True):
            left = builder.state(rows.m)
            reads = {"missed": (STATE, index, rows.m)}
            for k, (link, wrench) in enumerate(rows.wrenches):
                reads[f"K{k}"] = (STATE, wrench, 6 * rows.m)
                reads[f"A{k}"] = (STATE, response.motion[link], 6)
            for k, (link, force) in enumerate(rows.forces.items()):
                nv = tree.kinds[link].joint.nv
                reads[f"f{k}"] = (STATE, force, nv * rows.m)
                reads[f"a{k}"] = (STATE, response.change + tree.links[link].v.start, nv)
            sizes = tuple((name, size) for name, (_, _, size) in reads.items())
            builder.item(("missed", sizes), _missed, reads, {"left": left})
            residuals.append(left)
        return residuals

    def conditioning(self) -> int:
        """Append the conditioning of the rows; return its index."""
        return self._factor.conditioning()

    def forces_along_joints(self) -> list[tuple[int, int, int]]:
        """Return constraint, link and index of the forces of unit multipliers there, (nv, m)."""
        return [(c, k, u) for (c, k), (u, _) in self._felt.items()]

    # Constraint forces along joints

    def _carry(self, c: int) -> int:
        """Append the inward propagation of a constraint's wrenches; return its block's index."""
        tree, rows, builder = self._tree, self._rows[c], self._builder
        m = rows.m
        block, squares = builder.state(m * (m + 1) // 2), builder.state(m)
        arrived: dict[int, list[int]] = {}
        for k, index in rows.wrenches:
            arrived.setdefault(k, []).append(index)
        for k in rows.forces:
            arrived.setdefault(k, [])
        first = True
        while arrived:
            k = max(arrived)
            link, kind, nv = tree.links[k], tree.kinds[k], tree.kinds[k].joint.nv
            reads = {
                **tree.joint_reads(link, "q"),
                "joint": tree.equation_read(k),
                "place": tree.values("placement")[k].read,
            }
            wrenches = arrived.pop(k)
            if wrenches:
                reads["K"] = (STATE, self._sum(wrenches, 6 * m), 6 * m)
            if k in rows.forces:
                reads["force"] = (STATE, rows.forces[k], m * nv)
            if not first:
                reads["block"] = (STATE, block, m * (m + 1) // 2)
                reads["squares"] = (STATE, squares, m)
            u, shares = builder.state(nv * m), builder.state(nv * m)
            writes = {"u": u, "shares": shares, "block": block, "squares": squares}
            if link.parent >= 0:
                writes["parent"] = builder.state(6 * m)
                arrived.setdefault(link.parent, []).append(writes["parent"])
            given = [name for name in ("K", "force", "block") if name in reads]
            tree.item(
                f"carry {m} {given} {link.parent >= 0}", k,
                partial(_carry, kind, m, link.parent >= 0), reads, writes,
            )  # fmt: skip
            self._felt[c, k] = (u, shares)
            self._through.setdefault(k, []).append(c)
            first = False
        if first:
            builder.item(("nothing", m), partial(_nothing, m), {}, {"block": block})
        else:
            reads = {"block": (STATE, block, m * (m + 1) // 2), "squares": (STATE, squares, m)}
            builder.item(("significant", m), _significant, reads, {"block": block})
        return block

    def _sum(self, terms: Sequence[int], size: int) -> int:
        """Append the sum of these vectors; return its index."""
        total = terms[0]
        for term in terms[1:]:
            result = self._builder.state(size)
            reads = {"x": (STATE, total, size), "y": (STATE, term, size)}
            self._builder.item(("sum", size), _sum, reads, {"sum": result})
            total = result
        return total

    def _neighbours(self) -> list[set[int]]:
        neighbours: list[set[int]] = [set() for _ in self._rows]
        for together in self._through.values():
            for c in together:
                neighbours[c].update(together)
        for c, others in enumerate(neighbours):
            others.discard(c)
        return neighbours

    def _products(self, position: Mapping[int, int]) -> dict[tuple[int, int], int]:
        """Append the blocks of G off the diagonal; return them by (later, earlier)."""
        blocks: dict[tuple[int, int], int] = {}
        for k, together in self._through.items():
            nv, ordered = self._tree.kinds[k].joint.nv, sorted(together, key=position.__getitem__)
            for i, early in enumerate(ordered):
                for late in ordered[i + 1 :]:
                    n, m = self._rows[late].m, self._rows[early].m
                    reads = {
                        "u": (STATE, self._felt[late, k][0], nv * n),
                        "shares": (STATE, self._felt[early, k][1], nv * m),
                    }
                    if (late, early) in blocks:
                        reads["block"] = (STATE, blocks[late, early], n * m)
                    else:
                        blocks[late, early] = self._builder.state(n * m)
                    self._builder.item(
                        ("product", n, m, nv, "block" in reads), partial(_product, nv),
                        reads, {"block": blocks[late, early]},
                    )  # fmt: skip
        return blocks


def _check_updates(tree: RolledTree, order: Sequence[tuple[int, Sequence[int]]]) -> None:
    updates = sum(len(later) * (len(later) + 1) // 2 for _, later in order)
    if updates > MOST_UPDATES:
        raise PoinsotError(
            f"mechanism {tree.mechanism.name!r}: its {len(order)} loops and constraints interact "
            f"so much that eliminating them takes {updates} steps; let joints that many of them "
            "share be the closing ones instead"
        )


def _carry(
    kind: LinkKind, m: int, carried: bool, *, numbers: Array, q: Array, joint: Array, place: Array,
    K: Array | None = None, force: Array | None = None, block: Array | None = None,
    squares: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    link, nv = kind.link(numbers), kind.joint.nv
    free = free_joint_layout(kind.joint.nv).unpacked(joint)
    u = np.zeros((nv, m))
    if K is not None:
        u = u + link.joint.motion_subspace(q).T @ K.reshape(m, 6).T
    if force is not None:
        u = u + force.reshape(m, nv).T
    shares = ldl_solve(free.L, free.d_inverse, u)
    term = (u.T @ shares)[np.tril_indices(m)]
    result = {"u": u, "shares": shares, "block": term if block is None else block + term}
    lengths = (u * u).sum(axis=0)
    result["squares"] = lengths if squares is None else squares + lengths
    if carried:
        left = -free.U @ shares
        left = left if K is None else K.reshape(m, 6).T + left
        placement = kind.placement(link, place)
        result["parent"] = np.array([force_to_parent(placement, wrench) for wrench in left.T])
    return result


def _significant(*, block: Array, squares: Array) -> dict[str, Array]:
    """Set the pivots of numerically zero rows to 0: with all rows zero, no scale tells."""
    diagonal = np.cumsum(np.arange(1, len(squares) + 1)) - 1
    block = block.copy()
    for k, squared in zip(diagonal, squares, strict=True):
        block[k] = select(squared > ZERO_ROW**2, block[k], 0.0)
    return {"block": block}


def _nothing(m: int) -> dict[str, Array]:
    return {"block": np.zeros(m * (m + 1) // 2)}


def _sum(*, x: Array, y: Array) -> dict[str, Array]:
    return {"sum": x + y}


def _product(nv: int, *, u: Array, shares: Array, block: Array | None = None) -> dict[str, Array]:
    term = (u.reshape(nv, -1).T @ shares.reshape(nv, -1)).ravel()
    return {"block": term if block is None else block + term}


def _push(*, u: Array, lam: Array, push: Array | None = None) -> dict[str, Array]:
    term = u.reshape(-1, len(lam)) @ lam
    return {"push": term if push is None else push + term}


def _respond(
    kind: LinkKind, *, numbers: Array, q: Array, place: Array, joint: Array,
    push: Array | None = None, parent: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    link, still = kind.link(numbers), np.zeros(6)
    free = free_joint_layout(kind.joint.nv).unpacked(joint)
    u = np.zeros(kind.joint.nv) if push is None else push
    pushed = replace(free, u=u)
    S = link.joint.motion_subspace(q)
    carrier = still if parent is None else parent
    a, A = acceleration_step(kind.placement(link, place), carrier, still, pushed, S)
    return {"motion": A, "change": a}


def _missed(*, missed: Array, **given: Array) -> dict[str, Array]:
    left = missed
    for name, x in given.items():
        if name[0] in "Kf":
            motion = given[("A" if name[0] == "K" else "a") + name[1:]]
            left = left + x.reshape(len(missed), -1) @ motion
    return {"left": left}
