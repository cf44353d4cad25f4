"""Constraints on articulated bodies, rolled: multipliers at a cost linear in their number.

Wrenches of unit multipliers are propagated inward like the bias forces of articulated bodies.
Their components along a joint, u, are a block of a factor of J M⁻¹ Jᵀ [RodriguezJainKreutz1992]:

    u = Sᵀ K,       K_parent = K - U D⁻¹ u,       G = J M⁻¹ Jᵀ = sum of uᵀ D⁻¹ u over joints.

Two constraints interact in G only if a joint carries both, so G is sparse where loops are local.
It is eliminated by blocks in an order with little fill-in, and dependent rows are dropped at run
time (``rolled_elimination.py``).  As pivots are squares, rows count as dependent below a sine of
3e-6, or of their error where the constraints do not hold, and digits are lost near singularities;
one step of iterative refinement recovers them.
Contradictory constraints have no solution; those that are eliminated first are then satisfied.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import add

import numpy as np

from poinsot.errors import PoinsotError
from poinsot.expr.functions import select
from poinsot.expr.linalg import ldl_solve
from poinsot.expr.packing import ArrayLayout
from poinsot.formulations.constrained.elimination_order import elimination
from poinsot.formulations.constrained.rolled_elimination import RolledFactor
from poinsot.formulations.constrained.rolled_jacobian import (
    append_jacobian,
    append_row_error,
    append_significant,
)
from poinsot.formulations.constrained.rolled_rows import RowSlots
from poinsot.formulations.recursive.articulated import (
    FreeJoint,
    acceleration_step,
    force_to_parent,
)
from poinsot.formulations.recursive.links import Link, Placement
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import Slot
from poinsot.spatial import Array

MOST_UPDATES = 3_000_000
"""Block updates above which a system is rejected: its constraints all interact."""


_JOINT = ("q", "placement", "joint")
"""What steps read of a link."""


@dataclass(frozen=True, eq=False)
class Response:
    """Slots of the results of a correction.

    Attributes:
        change: The change of dv/dt of joints, by link.
        motion: The change of the acceleration of links (6), by link.
        push: Forces of multipliers along joints (nv,), by link; before those of other links act.
    """

    change: Mapping[int, Slot]
    motion: Mapping[int, Slot]
    push: Mapping[int, Slot]


class RolledMultipliers:
    """Constraints on a tree, to be solved for any residual.

    Args:
        tree: The links.
        rows: The constraints, with their ``phi``.
        last: How many of them, those listed last, are met after all others.

    Attributes:
        lengths: Squared lengths of the rows of J, zeros for those of rounding error, (m,).
        off: Relative error of the rows at this distance from the constraints.
    """

    def __init__(self, tree: RolledTree, rows: Sequence[RowSlots], last: int = 0) -> None:
        self._tree, self._rows = tree, rows
        self._nothing = tree.constant(None)
        self._felt: dict[tuple[int, int], tuple[Slot, Slot]] = {}
        self._through: dict[int, list[int]] = {}
        jacobian = append_jacobian(tree, rows)
        self.lengths = append_significant(tree, rows, jacobian)
        self.off = append_row_error(tree, rows, self.lengths)
        diagonal = [self._carry(c) for c in range(len(rows))]
        order = elimination(self._neighbours(), last)
        _check_updates(tree, order)
        blocks = self._products({c: k for k, (c, _) in enumerate(order)})
        self._factor = RolledFactor(tree, order, diagonal, blocks, self.off)

    def response(self, residual: Sequence[Slot]) -> Response:
        """Append the change of dv/dt of least norm, in the metric of M, that removes a residual.

            J change = -residual

        Args:
            residual: The residual of each constraint, (m,).
        """
        return self.response_to(self.push(residual))

    def push(self, residual: Sequence[Slot]) -> dict[int, Slot]:
        """Append the forces along joints of the multipliers that remove a residual, by link."""
        multipliers, push = self._factor.solve(residual), dict[int, Slot]()
        for (c, k), (u, _) in self._felt.items():
            known = push.get(k)
            push[k] = self._tree.apply(_push, u, multipliers[c], known or self._nothing, into=known)
        return push

    def response_to(self, push: Mapping[int, Slot]) -> Response:
        """Append the response to forces along joints, by link."""
        tree, nothing = self._tree, self._nothing
        motion, change = dict[int, Slot](), dict[int, Slot]()
        for k, link in enumerate(tree.links):
            carried = (push.get(k, nothing), motion.get(link.parent, nothing))
            motion[k], change[k] = tree.apply(_respond, *tree.link_slots(k, *_JOINT), *carried)
        return Response(change, motion, push)

    def residual_after(self, before: Sequence[Slot], response: Response) -> list[Slot]:
        """Append the residual after a response, by constraint."""
        residuals = []
        for rows, residual in zip(self._rows, before, strict=True):
            pairs = [slot for k, K in rows.wrenches for slot in (K, response.motion[k])]
            pairs += [
                slot for k, force in rows.forces.items() for slot in (force, response.change[k])
            ]
            residuals.append(self._tree.apply(_with_motion, residual, *pairs))
        return residuals

    def conditioning(self) -> Slot:
        """Append the conditioning of the rows."""
        return self._factor.conditioning()

    def forces_along_joints(self) -> list[tuple[int, int, Slot]]:
        """Return constraint, link and the forces of unit multipliers there, (nv, m)."""
        return [(c, k, u) for (c, k), (u, _) in self._felt.items()]

    # Constraint forces along joints

    def _carry(self, c: int) -> Slot:
        """Append the inward propagation of a constraint's wrenches; return its block of G."""
        tree, rows, nothing = self._tree, self._rows[c], self._nothing
        block = tree.new(ArrayLayout((rows.m, rows.m), "symmetric"))
        arrived: dict[int, list[Slot]] = {}
        for k, wrench in rows.wrenches:
            arrived.setdefault(k, []).append(wrench)
        for k in rows.forces:
            arrived.setdefault(k, [])
        known = nothing
        while arrived:
            k = max(arrived)
            parent, wrenches = tree.links[k].parent, arrived.pop(k)
            K = wrenches[0] if wrenches else nothing
            for other in wrenches[1:]:
                K = tree.apply(add, K, other)
            force = rows.forces.get(k, nothing)
            u, shares, known, left = tree.apply(
                partial(_carry, rows.m, parent >= 0), *tree.link_slots(k, *_JOINT), K, force, known,
                into=(None, None, block, None),
            )  # fmt: skip
            if parent >= 0:
                arrived.setdefault(parent, []).append(left)
            self._felt[c, k] = (u, shares)
            self._through.setdefault(k, []).append(c)
        if known is not nothing:
            tree.apply(_significant, block, self.lengths[c], into=block)
        else:
            tree.apply(partial(np.zeros, (rows.m, rows.m)), into=block)
        return block

    def _neighbours(self) -> list[set[int]]:
        neighbours: list[set[int]] = [set() for _ in self._rows]
        for together in self._through.values():
            for c in together:
                neighbours[c].update(together)
        for c, others in enumerate(neighbours):
            others.discard(c)
        return neighbours

    def _products(self, position: Mapping[int, int]) -> dict[tuple[int, int], Slot]:
        """Append the blocks of G off the diagonal; return them by (later, earlier)."""
        blocks: dict[tuple[int, int], Slot] = {}
        for k, together in self._through.items():
            ordered = sorted(together, key=position.__getitem__)
            for i, early in enumerate(ordered):
                for late in ordered[i + 1 :]:
                    u, shares, known = (
                        self._felt[late, k][0], self._felt[early, k][1], blocks.get((late, early)),
                    )  # fmt: skip
                    blocks[late, early] = self._tree.apply(
                        _product, u, shares, known or self._nothing, into=known
                    )
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
    m: int, is_carried: bool, link: Link, q: Array, placement: Placement, joint: FreeJoint,
    K: Array | None, force: Array | None, block: Array | None,
) -> tuple[Array | None, ...]:  # fmt: skip
    """Return u, D⁻¹ u, the sum of their products, and the wrenches on the parent."""
    u = np.zeros((link.joint.nv, m))
    if K is not None:
        u = u + link.joint.motion_subspace(q).T @ K.T
    if force is not None:
        u = u + force.T
    shares = ldl_solve(joint.L, joint.d_inverse, u)
    term = u.T @ shares
    total = term if block is None else block + term
    if not is_carried:
        return u, shares, total, None
    left = -joint.U @ shares
    left = left if K is None else K.T + left
    return u, shares, total, np.array([force_to_parent(placement, wrench) for wrench in left.T])


def _significant(block: Array, squares: Array) -> Array:
    """Set the pivots of numerically zero rows to 0: with all rows zero, no scale tells."""
    block = block.copy()
    for k, squared in enumerate(squares):
        block[k, k] = select(squared > 0.0, block[k, k], 0.0)
    return block


def _product(u: Array, shares: Array, block: Array | None) -> Array:
    term: Array = u.T @ shares
    return term if block is None else block + term


def _push(u: Array, lam: Array, push: Array | None) -> Array:
    term: Array = u @ lam
    return term if push is None else push + term


def _respond(
    link: Link, q: Array, placement: Placement, joint: FreeJoint, push: Array | None,
    parent: Array | None,
) -> tuple[Array, Array]:  # fmt: skip
    """Return the changes of the acceleration of a link and of its joint."""
    still, S = np.zeros(6), link.joint.motion_subspace(q)
    pushed = replace(joint, u=np.zeros(link.joint.nv) if push is None else push)
    a, A = acceleration_step(placement, still if parent is None else parent, still, pushed, S)
    return A, a


def _with_motion(residual: Array, *pairs: Array) -> Array:
    for x, motion in zip(pairs[::2], pairs[1::2], strict=True):
        residual = residual + x @ motion
    return residual
