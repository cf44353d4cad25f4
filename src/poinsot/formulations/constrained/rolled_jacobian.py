"""The Jacobian of constraints rolled: a block per constraint and joint that it depends on.

The wrenches of unit multipliers are propagated inward from the two links of a pair to their last
common ancestor; their components along a joint are the block of the Jacobian there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from poinsot.expr.functions import maximum, minimum, select, sqrt
from poinsot.expr.rank_tolerances import LARGEST_ROW_ERROR, ROW_ERROR, ZERO_ROW
from poinsot.formulations.constrained.rolled_rows import RowSlots
from poinsot.formulations.recursive.articulated import force_to_parent
from poinsot.formulations.recursive.links import Link, Placement
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import Slot
from poinsot.spatial import Array, Scalar


@dataclass(frozen=True)
class Block:
    """A block of a matrix.

    Attributes:
        slot: Where it is in the state.
        row, column: Its first row and column in the matrix.
    """

    slot: Slot
    row: int
    column: int

    @property
    def shape(self) -> tuple[int, int]:
        """Number of its rows and columns."""
        shape: tuple[int, int] = self.slot.layout.shape  # type: ignore[attr-defined]
        return shape

    @property
    def numbers(self) -> list[float]:
        """Index, row, column and shape, as ``least_norm_ir`` reads them."""
        return [float(x) for x in (self.slot.start, self.row, self.column, *self.shape)]

    @property
    def entries(self) -> tuple[slice, slice]:
        """Its rows and columns in the matrix."""
        n_rows, n_columns = self.shape
        return slice(self.row, self.row + n_rows), slice(self.column, self.column + n_columns)


def append_jacobian(tree: RolledTree, rows: Sequence[RowSlots]) -> list[list[Block]]:
    """Append the Jacobian; return its blocks by constraint, the rows of rounding error included.

    Args:
        tree: The links.
        rows: The constraints.
    """
    starts = np.cumsum([0, *(constraint.m for constraint in rows)]).tolist()
    return [
        _append(tree, constraint, start) for constraint, start in zip(rows, starts, strict=False)
    ]


def append_significant(
    tree: RolledTree, rows: Sequence[RowSlots], blocks: Sequence[Sequence[Block]]
) -> list[Slot]:
    """Append which rows of the Jacobian are longer than rounding error.

    Returns:
        For each constraint the squares of the lengths of its rows, zeros for those that are not,
        (m,).
    """
    lengths = []
    for constraint, those in zip(rows, blocks, strict=True):
        squares = tree.apply(partial(np.zeros, constraint.m))
        for block in those:
            tree.apply(_lengthened, block.slot, squares, into=squares)
        lengths.append(tree.apply(_counted, squares, into=squares))
    return lengths


def append_row_error(tree: RolledTree, rows: Sequence[RowSlots], lengths: Sequence[Slot]) -> Slot:
    """Append the relative error of the rows at this distance from the constraints."""
    sums = tree.apply(partial(np.zeros, 2))
    for constraint, squares in zip(rows, lengths, strict=True):
        tree.apply(_distance, constraint.values["phi"], squares, sums, into=sums)
    error: Slot = tree.apply(_error, sums)
    return error


def append_masked(
    tree: RolledTree, blocks: Sequence[Sequence[Block]], lengths: Sequence[Slot]
) -> None:
    """Append zeros in the place of rows whose length counts as 0; see ``append_significant``."""
    for those, squares in zip(blocks, lengths, strict=True):
        for block in those:
            tree.apply(_masked, block.slot, squares, into=block.slot)


def _append(tree: RolledTree, constraint: RowSlots, start: int) -> list[Block]:
    blocks, nothing = dict[int, Slot](), tree.constant(None)
    for (end, wrenches), ancestor in zip(constraint.wrenches, constraint.ancestors, strict=True):
        k, K = end, wrenches
        while k != ancestor:
            known, parent = blocks.get(k), tree.links[k].parent
            blocks[k], K = tree.apply(
                partial(_along, parent != ancestor), *tree.link_slots(k, "q", "placement"), K,
                known or nothing, into=(known, None),
            )  # fmt: skip
            k = parent
    for k, force in constraint.forces.items():
        known = blocks.get(k)
        blocks[k] = tree.apply(_added, force, known or nothing, into=known)
    return [Block(slot, start, tree.links[k].v.start) for k, slot in blocks.items()]


def _along(
    is_passed_on: bool, link: Link, q: Array, placement: Placement, K: Array, block: Array | None
) -> tuple[Array, Array | None]:
    term = K @ link.joint.motion_subspace(q)
    passed_on = np.array([force_to_parent(placement, x) for x in K]) if is_passed_on else None
    return term if block is None else block + term, passed_on


def _added(force: Array, block: Array | None) -> Array:
    return force if block is None else block + force


def _lengthened(block: Array, squares: Array) -> Array:
    longer: Array = squares + (block * block).sum(axis=1)
    return longer


def _counted(squares: Array) -> Array:
    return np.array([select(x > ZERO_ROW**2, x, 0.0) for x in squares])


def _masked(block: Array, squares: Array) -> Array:
    kept = np.array([select(x > 0.0, 1.0, 0.0) for x in squares])
    masked: Array = block * kept[:, None]
    return masked


def _distance(phi: Array, squares: Array, sums: Array) -> Array:
    longest = sums[1]
    for squared in squares:
        longest = maximum(longest, squared)
    return np.array([sums[0] + phi @ phi, longest])


def _error(sums: Array) -> Scalar:
    some = sums[1] > 0.0
    away = sqrt(sums[0] / select(some, sums[1], 1.0))
    return select(some, minimum(ROW_ERROR * away, LARGEST_ROW_ERROR), 0.0)
