"""Derivatives of the dynamics of large trees, rolled.

Rows of ∂τ/∂q and ∂τ/∂v are products of blocks; their columns lie in chunks of eight, all rows of a
chunk together, so that the product with M⁻¹ of one chunk after the other stays near.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.packing import ArrayLayout
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.derivative_sweep import (
    accelerated_bodies,
    changed_forces,
    composite_bodies,
    moving_bodies,
)
from poinsot.formulations.recursive.links import rolled_links
from poinsot.formulations.recursive.rolled_columns import CHUNK, ColumnChunks
from poinsot.formulations.recursive.rolled_dynamics import rolled_forward_dynamics
from poinsot.formulations.recursive.rolled_inverse import append_inverse
from poinsot.formulations.recursive.rolled_product import append_negative_product
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.recursive.velocity_paths import VelocityPaths, blocks
from poinsot.formulations.rolled_sweep import Slot
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array

_WIDTHS = {"screws": 6, "left": 9, "right_q": 9, "right_v": 9, "up_q": 6, "up_v": 6}
"""Numbers per velocity of what derivatives are products of."""
LARGEST: Final = {"inverse_dynamics_derivatives": 1000, "forward_dynamics_derivatives": 150}
"""Velocities up to which there is a program: the items of M⁻¹ grow as their cube."""
_CARRIERS = {"right_q": 9, "right_v": 9, "screws": 6}
_CARRIED = {"up_q": 6, "up_v": 6}
"""What products with velocities that carry a link, or that it carries, read in chunks of eight."""
BESIDE = 4
"""Columns whose sums are in registers together, where each column is one."""
_OWN = ("own_q", "own_v", "own_M")
"""Blocks of one joint."""


@dataclass(frozen=True, eq=False)
class DerivativeSlots:
    """Where ∂τ/∂q, ∂τ/∂v and the rows of M lie.

    Attributes:
        paths: The velocities.
        by_q, by_v: Matrices in the order of the links; zero, or undefined, where neither of two
            velocities carries the other.
        mass: M, on and below the diagonal; zero, or undefined, likewise.
    """

    paths: VelocityPaths
    by_q: ColumnChunks
    by_v: ColumnChunks
    mass: ColumnChunks


def rolled_inverse_dynamics_derivatives(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return ∂τ/∂q, ∂τ/∂v and M as a rolled program of q, v, a and the load inputs."""
    name = "inverse_dynamics_derivatives"
    tree = _tree(mechanism, name, ("q", "v", "a"), load_inputs)
    slots = _derivatives(tree)
    shown = np.full((3, tree.nv, tree.nv), -1)
    for i, path in enumerate(slots.paths.to_itself()):
        for k, matrix in enumerate((slots.by_q, slots.by_v)):
            shown[k, i, path], shown[k, path, i] = matrix.index(i, path), matrix.index(path, i)
        shown[2, i, path] = shown[2, path, i] = slots.mass.index(i, path)
    shown = _by_velocity(shown, slots.paths)
    if (shown < 0).any():
        zeros = tree.builder.state(CHUNK)
        row = {"row": zeros}
        tree.builder.column_item(("zeros", 1), partial(_zeros, n_rows=1), {}, row, width=CHUNK)
        # As rows of eight, which are copied at once.
        shown = np.where(shown < 0, zeros + np.arange(tree.nv) % CHUNK, shown)
    return tree.shown(name, shown)


def rolled_forward_dynamics_derivatives(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return -M⁻¹ ∂τ/∂q, -M⁻¹ ∂τ/∂v and M⁻¹ as a rolled program of q, v, tau and the loads."""
    name = "forward_dynamics_derivatives"
    tree = _tree(mechanism, name, ("q", "v", "tau"), load_inputs)
    builder = tree.builder
    start = builder.state(mechanism.nv)
    with builder.temporary():
        (a,) = builder.embed("a", rolled_forward_dynamics(mechanism, load_inputs))
        builder.gathered(a, start)
    for k, link in enumerate(tree.links):
        size = link.v.stop - link.v.start
        tree.values("a")[k] = Slot(STATE, start + link.v.start, tree.vector(size))
    slots = _derivatives(tree, filled=True)
    related = slots.paths.related()
    inverse = append_inverse(builder, slots.mass, related)
    # The product with a chunk takes the place of the chunk before it, which is read no more.
    products = [ColumnChunks(x.start - CHUNK * tree.nv, tree.nv) for x in (slots.by_q, slots.by_v)]
    for matrix, to in zip((slots.by_q, slots.by_v), products, strict=True):
        append_negative_product(builder, inverse, matrix, related, to)
    matrices = (*products, inverse)
    every = np.arange(tree.nv)
    shown = np.stack([matrix.index(every[:, None], every) for matrix in matrices])
    return tree.shown(name, _by_velocity(shown, slots.paths))


def _tree(
    mechanism: Mechanism, name: str, inputs: tuple[str, ...], load_inputs: LoadInputs
) -> RolledTree:
    if mechanism.nv > LARGEST[name]:
        raise ProgramError(f"{name}: {mechanism.nv} velocities, over {LARGEST[name]}, are too many")
    if mechanism.forces or mechanism.closures:
        raise ProgramError(f"{name}: loads that depend on the state have no rolled derivatives")
    shape = (3, mechanism.nv, mechanism.nv)
    return RolledTree(mechanism, rolled_links(mechanism), inputs, (name, shape), load_inputs)


def _by_velocity(shown: Array, paths: VelocityPaths) -> Array:
    """Return entries of matrices in the order of v from those in the order of the links."""
    result = np.empty_like(shown)
    result[:, paths.listed[:, None], paths.listed] = shown
    return result


def _derivatives(tree: RolledTree, *, filled: bool = False) -> DerivativeSlots:
    """Append the sweeps and the products; with zeros where products read no product, if filled."""
    paths, builder = VelocityPaths.of(tree.links), tree.builder
    starts = {}
    for name, width in _WIDTHS.items():  # consecutive, so that products can be taken in blocks
        starts[name] = builder.state(width * tree.nv)
        for k, own in enumerate(paths.own):
            layout = ArrayLayout((len(own), width))
            start = starts[name] + width * int(own[0])
            tree.values(name)[k] = tree.slot(STATE, start, layout)
    chunk = CHUNK * tree.nv if filled else 0  # before a matrix, for products with it
    by_q, by_v = (
        ColumnChunks(builder.state(chunk) + chunk, ColumnChunks.new(builder, tree.nv).n_rows)
        for _ in range(2)
    )
    mass = ColumnChunks.new(builder, tree.nv)
    slots = DerivativeSlots(paths, by_q, by_v, mass)
    if filled:
        _append_zeros(builder, slots)
    for k, own in enumerate(paths.own):
        if len(own) == 1:  # the only entry of its block goes where it belongs
            i = int(own[0])
            for name, matrix in zip(_OWN, (by_q, by_v, mass), strict=True):
                where = int(matrix.index(i, i))
                tree.values(name)[k] = tree.slot(STATE, where, ArrayLayout((1, 1)))
    moving_bodies(tree)
    accelerated_bodies(tree)
    composite_bodies(tree)
    changed_forces(tree)
    _append_own_blocks(tree, slots)
    _append_products(builder, starts, slots)
    return slots


def _append_zeros(builder: RolledBuilder, slots: DerivativeSlots) -> None:
    """Append zeros where the product and the inverse read rows of chunks that are not all there."""
    n = len(slots.paths.listed)
    related = np.pad(slots.paths.related(), ((0, 0), (0, -n % CHUNK))).reshape(n, -1, CHUNK)
    holes = ~related.all(axis=2)
    lower = np.arange(n)[:, None] // CHUNK >= np.arange(holes.shape[1])
    read = related.any(axis=2)
    for matrix, which in ((slots.by_q, read), (slots.by_v, read), (slots.mass, lower)):
        missing = np.logical_and(holes, which)
        for chunk in range(missing.shape[1]):
            rows = np.flatnonzero(missing[:, chunk])
            for size, first in blocks(rows):
                to = {"row": int(matrix.index(int(rows[first]), chunk * CHUNK))}
                zeros = partial(_zeros, n_rows=size)
                builder.column_item(("zeros", size), zeros, {}, to, width=CHUNK)


def _append_own_blocks(tree: RolledTree, slots: DerivativeSlots) -> None:
    """Append copies of the blocks of joints with several velocities to their rows."""
    copies: dict[int, list[tuple[int, int]]] = {}
    for k, own in enumerate(slots.paths.own):
        if len(own) == 1:
            continue
        for name, matrix in zip(_OWN, (slots.by_q, slots.by_v, slots.mass), strict=True):
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


def _append_products(
    builder: RolledBuilder, starts: dict[str, int], slots: DerivativeSlots
) -> None:
    """Append the products of each velocity with those that carry it, and that it carries."""
    by_q, by_v, n = slots.by_q, slots.by_v, len(slots.paths.listed)
    chunks = _append_chunks(builder, starts, n)
    for size, i, j in _pairs(slots.paths.carriers):
        reads = {name: (STATE, chunks[name] + _in_chunk(j, k), k) for name, k in _CARRIERS.items()}
        to = {"q": by_q.index(i, j), "v": by_v.index(i, j), "M": slots.mass.index(i, j)}
        left = {"left": (STATE, starts["left"] + 9 * i, 9)}
        builder.column_item(
            "carriers", _with_carriers, reads, to, left, width=size, pitch=CHUNK, beside=BESIDE
        )
    for size, j, i in _pairs(slots.paths.carried()):
        reads = {name: (STATE, chunks[name] + _in_chunk(i, k), k) for name, k in _CARRIED.items()}
        to = {"q": by_q.index(j, i), "v": by_v.index(j, i)}
        screw = {"screw": (STATE, starts["screws"] + 6 * j, 6)}
        builder.column_item(
            "carried", _with_carried, reads, to, screw, width=size, pitch=CHUNK, beside=BESIDE
        )


def _append_chunks(builder: RolledBuilder, starts: dict[str, int], n: int) -> dict[str, int]:
    """Append copies of what lies velocity by velocity to chunks of eight, a row per number."""
    widths = _CARRIERS | _CARRIED
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


def _with_carriers(
    *, left: Array, right_q: Array, right_v: Array, screws: Array
) -> dict[str, Array]:
    return {
        "q": _product(left, right_q), "v": _product(left, right_v), "M": _product(left, screws),
    }  # fmt: skip


def _with_carried(*, screw: Array, up_q: Array, up_v: Array) -> dict[str, Array]:
    return {"q": _product(screw, up_q), "v": _product(screw, up_v)}


def _product(vector: Array, rows: Array) -> Array:
    """Return the product of a vector with each column, as the only row."""
    total = vector[0] * rows[0]
    for k in range(1, len(rows)):
        total = total + vector[k] * rows[k]
    return np.array([total])
