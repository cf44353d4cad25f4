"""Derivatives of the dynamics of large trees, rolled.

Rows of ∂τ/∂q and ∂τ/∂v are products of blocks; their columns lie in chunks of eight, all rows of a
chunk together, so that the product with M⁻¹ of one chunk after the other stays near.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from poinsot.errors import ProgramError
from poinsot.expr import Rolled, RolledBuilder
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.derivative_sweep import (
    accelerated_bodies,
    changed_forces,
    composite_bodies,
    moving_bodies,
)
from poinsot.formulations.recursive.links import rolled_links
from poinsot.formulations.recursive.paired_items import (
    append_own_blocks,
    append_products,
    append_zeros,
    lay_out,
    lay_out_own,
    with_zeros,
)
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
    return tree.shown(name, with_zeros(tree.builder, shown))


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
    starts = lay_out(tree, paths, _WIDTHS)
    chunk = CHUNK * tree.nv if filled else 0  # before a matrix, for products with it
    by_q, by_v = (
        ColumnChunks(builder.state(chunk) + chunk, ColumnChunks.new(builder, tree.nv).n_rows)
        for _ in range(2)
    )
    mass = ColumnChunks.new(builder, tree.nv)
    slots = DerivativeSlots(paths, by_q, by_v, mass)
    if filled:
        _append_zeros(builder, slots)
    own = {"own_q": by_q, "own_v": by_v, "own_M": mass}
    lay_out_own(tree, paths, own)
    moving_bodies(tree)
    accelerated_bodies(tree)
    composite_bodies(tree)
    changed_forces(tree)
    append_own_blocks(tree, paths, own)
    append_products(
        builder, paths, starts,
        {"right_q": by_q, "right_v": by_v, "screws": mass}, {"up_q": by_q, "up_v": by_v},
    )  # fmt: skip
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
                append_zeros(builder, size, int(matrix.index(int(rows[first]), chunk * CHUNK)))
