"""Matrices of pairs of velocities, one of which carries the other, as items of rolled programs.

Every entry below the diagonal is a product of what the carried velocity has (``left``) with what
the carrier has (a row of nine or six numbers), every entry above it one of the carrier's screw with
what the carried one has.  Columns lie in chunks of eight.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.packing import ArrayLayout
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.recursive.velocity_paths import VelocityPaths, blocks
from poinsot.spatial import Array

__all__ = [
    "append_own_blocks",
    "append_products",
    "append_zeros",
    "lay_out",
    "lay_out_own",
    "with_zeros",
]

BESIDE = 4
"""Columns whose sums are in registers together, where each column is one."""


def lay_out(tree: RolledTree, paths: VelocityPaths, widths: Mapping[str, int]) -> dict[str, int]:
    """Let values of links lie one velocity after the other, so that products take blocks of them.

    Args:
        tree: The links.
        paths: Their velocities.
        widths: Numbers per velocity of each of the values.

    Returns:
        Where those of the first velocity begin.
    """
    starts = {}
    for name, width in widths.items():
        starts[name] = tree.builder.state(width * tree.nv)
        for k, own in enumerate(paths.own):
            layout = ArrayLayout((len(own), width))
            start = starts[name] + width * int(own[0])
            tree.values(name)[k] = tree.slot(STATE, start, layout)
    return starts


def lay_out_own(
    tree: RolledTree, paths: VelocityPaths, matrices: Mapping[str, ColumnChunks]
) -> None:
    """Let the only entry of a joint's block, by the name of the blocks, lie where it belongs."""
    for k, own in enumerate(paths.own):
        if len(own) == 1:
            i = int(own[0])
            for name, matrix in matrices.items():
                where = int(matrix.index(i, i))
                tree.values(name)[k] = tree.slot(STATE, where, ArrayLayout((1, 1)))


def append_own_blocks(
    tree: RolledTree, paths: VelocityPaths, matrices: Mapping[str, ColumnChunks]
) -> None:
    """Append copies of the blocks of joints with several velocities to their rows."""
    copies: dict[int, list[tuple[int, int]]] = {}
    for k, own in enumerate(paths.own):
        if len(own) == 1:
            continue
        for name, matrix in matrices.items():
            entries = tree.values(name)[k].entries.reshape(len(own), len(own))
            for size, start in blocks(own, within=CHUNK):
                for row, i in enumerate(own.tolist()):
                    to = int(matrix.index(i, own[start]))
                    copies.setdefault(size, []).append((int(entries[row, start]), to))
    for size, pairs in copies.items():
        source, to = np.array(pairs).T
        tree.builder.item(
            ("copy", size), lambda *, block: {"row": block}, {"block": (STATE, source, size)},
            {"row": to},
        )  # fmt: skip


def append_products(
    builder: RolledBuilder, paths: VelocityPaths, starts: Mapping[str, int],
    carriers: Mapping[str, ColumnChunks], carried: Mapping[str, ColumnChunks],
) -> None:  # fmt: skip
    """Append the products of each velocity with those that carry it, and that it carries.

    Args:
        builder: Of the program.
        paths: The velocities.
        starts: Where the values lie, ``left`` and ``screws`` among them (``lay_out``).
        carriers: By the name of what carriers have the matrix below whose diagonal products go.
        carried: By the name of what carried velocities have that above whose diagonal they go.
    """
    n = len(paths.listed)
    widths = {name: 6 if name == "screws" else 9 for name in carriers}
    widths |= dict.fromkeys(carried, 6)
    chunks = _append_chunks(builder, starts, widths, n)
    for size, i, j in _pairs(paths.carriers):
        reads = {
            name: (STATE, chunks[name] + _in_chunk(j, widths[name]), widths[name])
            for name in carriers
        }
        to = {f"by {name}": matrix.index(i, j) for name, matrix in carriers.items()}
        left = {"left": (STATE, starts["left"] + 9 * i, 9)}
        builder.column_item(
            "carriers", partial(_products, beside="left"), reads, to, left,
            width=size, pitch=CHUNK, beside=BESIDE,
        )  # fmt: skip
    for size, j, i in _pairs(paths.carried()):
        reads = {name: (STATE, chunks[name] + _in_chunk(i, 6), 6) for name in carried}
        to = {f"by {name}": matrix.index(j, i) for name, matrix in carried.items()}
        screw = {"screw": (STATE, starts["screws"] + 6 * j, 6)}
        builder.column_item(
            "carried", partial(_products, beside="screw"), reads, to, screw,
            width=size, pitch=CHUNK, beside=BESIDE,
        )  # fmt: skip


def append_zeros(builder: RolledBuilder, n_rows: int, start: int) -> None:
    """Append zeros in rows of eight from an entry of the state on."""
    zeros = partial(_zeros, n_rows=n_rows)
    builder.column_item(("zeros", n_rows), zeros, {}, {"row": start}, width=CHUNK)


def with_zeros(builder: RolledBuilder, shown: Array) -> Array:
    """Return where entries of matrices lie, (..., n, n); those that are negative: at zeros."""
    if (shown >= 0).all():
        return shown
    start = builder.state(CHUNK)
    append_zeros(builder, 1, start)
    # As rows of eight, which are copied at once.
    return np.where(shown < 0, start + np.arange(shown.shape[-1]) % CHUNK, shown)


def _append_chunks(
    builder: RolledBuilder, starts: Mapping[str, int], widths: Mapping[str, int], n: int
) -> dict[str, int]:
    """Append copies of what lies velocity by velocity to chunks of eight, a row per number."""
    chunks = {name: builder.state(CHUNK * -(-n // CHUNK) * k) for name, k in widths.items()}
    for first in range(0, n, CHUNK):
        size = min(CHUNK, n - first)
        for name, k in widths.items():
            builder.item(
                ("chunk", k, size), partial(_in_rows, width=k),
                {"block": (STATE, starts[name] + k * first, k * size)},
                {"rows": chunks[name] + k * first},
            )  # fmt: skip
    return chunks


def _in_chunk(velocity: Array | int, width: int) -> Array:
    """Return where the first of the numbers of a velocity lies in chunks."""
    chunk, rest = np.divmod(velocity, CHUNK)
    return chunk * (CHUNK * width) + rest


def _in_rows(*, block: Array, width: int) -> dict[str, Array]:
    rows = np.zeros((width, CHUNK), object)
    columns = block.reshape(-1, width).T
    rows[:, : columns.shape[1]] = columns
    return {"rows": rows}


def _pairs(lists: Sequence[Array]) -> Iterator[tuple[int, Array, Array]]:
    """Return blocks of listed velocities by their size, chunk by chunk, so that these stay near.

    Returns:
        The size, and for each block the velocity whose list it is from and the first velocity in
        the block.
    """
    grouped: dict[int, list[tuple[int, int]]] = {}
    for i, listed in enumerate(lists):
        for size, start in blocks(listed, within=CHUNK):
            grouped.setdefault(size, []).append((i, start))
    for size, entries in grouped.items():
        entries.sort(key=lambda entry: int(lists[entry[0]][entry[1]]) // CHUNK)
        owners = np.array([i for i, _ in entries])
        yield size, owners, np.array([lists[i][place] for i, place in entries])


def _zeros(*, n_rows: int) -> dict[str, Array]:
    return {"row": np.zeros(n_rows)}


def _products(*, beside: str, **given: Array) -> dict[str, Array]:
    """Return the product of one vector with the columns of all other values."""
    vector = given.pop(beside)
    return {f"by {name}": _product(vector, rows) for name, rows in given.items()}


def _product(vector: Array, rows: Array) -> Array:
    """Return the product of a vector with each column, as the only row."""
    total = vector[0] * rows[0]
    for k in range(1, len(rows)):
        total = total + vector[k] * rows[k]
    return np.array([total])
