"""The Jacobian of constraints rolled: a block per constraint and joint that it depends on.

The wrenches of unit multipliers are propagated inward from the two links of a pair to their last
common ancestor; their components along a joint are the block of the Jacobian there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from poinsot.expr.functions import select
from poinsot.expr.rank_tolerances import ZERO_ROW
from poinsot.expr.rolled import STATE
from poinsot.formulations.constrained.rolled_rows import RowIndices
from poinsot.formulations.recursive.articulated import force_to_parent
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.spatial import Array


@dataclass(frozen=True)
class Block:
    """A block of a matrix in the state, by rows.

    Attributes:
        index: Of its first entry in the state.
        row, column: Its first row and column.
        shape: Number of its rows and columns.
    """

    index: int
    row: int
    column: int
    shape: tuple[int, int]

    @property
    def size(self) -> int:
        """Number of its entries."""
        return self.shape[0] * self.shape[1]

    @property
    def numbers(self) -> list[float]:
        """Index, row, column and shape, as ``least_norm_ir`` reads them."""
        return [float(x) for x in (self.index, self.row, self.column, *self.shape)]


def append_jacobian(tree: RolledTree, rows: Sequence[RowIndices]) -> list[list[Block]]:
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
    tree: RolledTree, rows: Sequence[RowIndices], blocks: Sequence[Sequence[Block]]
) -> list[int]:
    """Append which rows of the Jacobian are longer than rounding error.

    Returns:
        For each constraint the index of the squares of the lengths of its rows, zeros for those
        that are not, (m,).
    """
    builder, lengths = tree.builder, []
    for constraint, those in zip(rows, blocks, strict=True):
        m, squares = constraint.m, builder.state(constraint.m)
        builder.item(("no length", m), partial(_no_length, m), {}, {"squares": squares})
        for block in those:
            reads = {
                "block": (STATE, block.index, block.size), "squares": (STATE, squares, m)
            }  # fmt: skip
            builder.item(("length", block.shape), _lengthened, reads, {"squares": squares})
        builder.item(
            ("counted", m), _counted, {"squares": (STATE, squares, m)}, {"squares": squares}
        )
        lengths.append(squares)
    return lengths


def append_masked(
    tree: RolledTree, blocks: Sequence[Sequence[Block]], lengths: Sequence[int]
) -> None:
    """Append zeros in the place of rows whose length counts as 0; see ``append_significant``."""
    for those, squares in zip(blocks, lengths, strict=True):
        for block in those:
            reads = {
                "block": (STATE, block.index, block.size),
                "squares": (STATE, squares, block.shape[0]),
            }
            tree.builder.item(("masked", block.shape), _masked, reads, {"block": block.index})


def show_blocks(tree: RolledTree, name: str, blocks: Sequence[Sequence[Block]], m: int) -> None:
    """Show a matrix of m rows and nv columns as an output, zeros between its blocks."""
    zero = tree.builder.state(1)
    tree.builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    shown = np.full((m, tree.nv), zero, np.int32)
    for block in (block for those in blocks for block in those):
        n_rows, n_columns = block.shape
        entries = block.index + np.arange(block.size).reshape(block.shape)
        shown[block.row : block.row + n_rows, block.column : block.column + n_columns] = entries
    tree.builder.show(name, shown)


def _append(tree: RolledTree, constraint: RowIndices, start: int) -> list[Block]:
    builder, m = tree.builder, constraint.m
    blocks: dict[int, Block] = {}

    def block_of(k: int) -> tuple[Block, bool]:
        link = tree.links[k]
        is_new = k not in blocks
        if is_new:
            shape = (m, link.v.stop - link.v.start)
            index = builder.state(shape[0] * shape[1])
            blocks[k] = Block(index, start, link.v.start, shape)
        return blocks[k], is_new

    for (end, index), ancestor in zip(constraint.wrenches, constraint.ancestors, strict=True):
        k, wrenches = end, index
        while k != ancestor:
            link, kind = tree.links[k], tree.kinds[k]
            block, is_new = block_of(k)
            reads = {
                **tree.joint_reads(link, "q"),
                "place": tree.values("placement")[k].read,
                "K": (STATE, wrenches, 6 * m),
            }
            if not is_new:
                reads["block"] = (STATE, block.index, block.size)
            writes = {"block": block.index}
            if link.parent != ancestor:
                wrenches = writes["parent"] = builder.state(6 * m)
            step = f"jacobian {m} {is_new} {'parent' in writes}"
            tree.item(step, k, partial(_along, kind, "parent" in writes), reads, writes)
            k = link.parent
    for k, index in constraint.forces.items():
        block, is_new = block_of(k)
        reads = {"force": (STATE, index, block.size)}
        if not is_new:
            reads["block"] = (STATE, block.index, block.size)
        builder.item(("force", block.size, is_new), _added, reads, {"block": block.index})
    return list(blocks.values())


def _along(
    kind: LinkKind, passed_on: bool, *, numbers: Array, q: Array, place: Array, K: Array,
    block: Array | None = None,
) -> dict[str, Array]:  # fmt: skip
    link, wrenches = kind.link(numbers), K.reshape(-1, 6)
    term = (wrenches @ link.joint.motion_subspace(q)).ravel()
    result = {"block": term if block is None else block + term}
    if passed_on:
        placement = kind.placement(link, place)
        result["parent"] = np.array([force_to_parent(placement, wrench) for wrench in wrenches])
    return result


def _added(*, force: Array, block: Array | None = None) -> dict[str, Array]:
    return {"block": force if block is None else block + force}


def _no_length(m: int) -> dict[str, Array]:
    return {"squares": np.zeros(m)}


def _lengthened(*, block: Array, squares: Array) -> dict[str, Array]:
    entries = block.reshape(len(squares), -1)
    return {"squares": squares + (entries * entries).sum(axis=1)}


def _counted(*, squares: Array) -> dict[str, Array]:
    return {"squares": np.array([select(x > ZERO_ROW**2, x, 0.0) for x in squares])}


def _masked(*, block: Array, squares: Array) -> dict[str, Array]:
    kept = np.array([select(x > 0.0, 1.0, 0.0) for x in squares])
    return {"block": block.reshape(len(squares), -1) * kept[:, None]}
