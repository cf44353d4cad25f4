"""The mass matrix rolled: composite bodies inward, screws in the base frame outward, then products.

The steps are those of ``composite.py``.  An entry of M is a product of two screws; those of a
velocity with its ancestors are computed in blocks, and each is stored once, for both triangles.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from poinsot.expr.rolled import STATE, Rolled
from poinsot.formulations.recursive.composite import (
    Composite,
    base_frame,
    base_screws,
    composite_step,
    own_block,
    unit_force,
)
from poinsot.formulations.recursive.link_kinds import LinkKind, passive_coefficients
from poinsot.formulations.recursive.links import regrouped_links
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.model import Environment, Mechanism
from poinsot.spatial import Array

BLOCKS = (8, 4, 2, 1)
"""Ancestors per product."""

_COMPOSITE, _FRAME = 10, 12
_UPPER = np.triu_indices(3)


def rolled_mass_matrix(mechanism: Mechanism) -> Rolled:
    """Return M as a rolled program of q."""
    nv = mechanism.nv
    tree = RolledTree(mechanism, regrouped_links(mechanism), ("q",), ("mass_matrix", (nv, nv)))
    builder = tree.builder
    zero = builder.state(1)
    builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    frame = tree.world(_world_frame, _FRAME)
    composite = {-1: builder.state(_COMPOSITE)}
    placement: dict[int, int] = {}
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        composite[k], placement[k] = builder.state(_COMPOSITE), builder.state(kind.n_placement)
        tree.item(
            "place", k, partial(_place, kind), tree.joint_reads(link, "q"),
            {"place": placement[k], "composite": composite[k]},
        )  # fmt: skip
    for k in range(len(tree.links) - 1, -1, -1):
        link, kind = tree.links[k], tree.kinds[k]
        tree.item(
            "inward", k, partial(_inward, kind),
            {
                "place": (STATE, placement[k], kind.n_placement),
                "composite": (STATE, composite[k], _COMPOSITE),
                "parent": (STATE, composite[link.parent], _COMPOSITE),
            },
            {"parent": composite[link.parent]},
        )  # fmt: skip
    screws, forces, blocks = builder.state(6 * nv), builder.state(6 * nv), []
    first = 0
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        frame[k] = builder.state(_FRAME)
        blocks.append(builder.state(kind.joint.nv**2))
        tree.item(
            "outward", k, partial(_outward, kind),
            {
                **tree.joint_reads(link, "q"), **tree.passive_read(k),
                "place": (STATE, placement[k], kind.n_placement),
                "composite": (STATE, composite[k], _COMPOSITE),
                "parent": (STATE, frame[link.parent], _FRAME),
            },
            {
                "frame": frame[k], "block": blocks[k],
                "screws": screws + 6 * first, "forces": forces + 6 * first,
            },
        )  # fmt: skip
        first += kind.joint.nv
    builder.show("mass_matrix", _products(tree, screws, forces, blocks, zero, nv))
    return builder.finish()


def _products(
    tree: RolledTree, screws: int, forces: int, blocks: list[int], zero: int, nv: int
) -> Array:
    """Append the products with all ancestors; return the index of each entry of M, (nv, nv)."""
    shown = np.full((nv, nv), zero, np.int32)
    paths: list[Array] = []
    listed = np.array([i for link in tree.links for i in range(link.v.start, link.v.stop)], int)
    wanted: dict[int, list[tuple[int, int, int]]] = {size: [] for size in BLOCKS}
    first = 0
    for k, link in enumerate(tree.links):
        velocities = np.arange(first, first + tree.kinds[k].joint.nv)
        first += len(velocities)
        carriers = paths[link.parent] if link.parent >= 0 else velocities[:0]
        paths.append(np.concatenate([carriers, velocities]))
        entries = blocks[k] + np.arange(len(velocities) ** 2).reshape(
            len(velocities), len(velocities)
        )
        shown[np.ix_(listed[velocities], listed[velocities])] = entries
        for i in velocities.tolist():
            row = tree.builder.state(len(carriers))
            kept = row + np.arange(len(carriers))
            shown[listed[i], listed[carriers]] = kept
            shown[listed[carriers], listed[i]] = kept
            for size, start in _blocks(carriers):
                index = screws + 6 * int(carriers[start])
                wanted[size].append((index, forces + 6 * i, row + start))
    for size, triples in wanted.items():
        if triples:
            S, F, row = np.array(triples, np.int64).T
            tree.builder.item(
                ("products", size), _product, {"S": (STATE, S, 6 * size), "F": (STATE, F, 6)},
                {"row": row},
            )  # fmt: skip
    return shown


def _blocks(carriers: Array) -> list[tuple[int, int]]:
    """Return (size, first) of blocks that cover runs of consecutive indices."""
    result = []
    breaks = np.flatnonzero(np.diff(carriers) != 1) + 1
    for run in np.split(np.arange(len(carriers)), breaks):
        start, left = int(run[0]) if len(run) else 0, len(run)
        while left:
            size = next(size for size in BLOCKS if size <= left)
            result.append((size, start))
            start, left = start + size, left - size
    return result


def _world_frame(_environment: Environment) -> Array:
    return np.concatenate([np.eye(3).ravel(), np.zeros(3)])


def _place(kind: LinkKind, *, numbers: Array, q: Array) -> dict[str, Array]:
    link = kind.link(numbers)
    body = Composite(link.mass, link.h, link.sigma)
    return {"place": kind.placement_numbers(link.placed(q)), "composite": _packed(body)}


def _inward(
    kind: LinkKind, *, numbers: Array, place: Array, composite: Array, parent: Array
) -> dict[str, Array]:
    placement = kind.placement(kind.link(numbers), place)
    return {"parent": parent + _packed(composite_step(placement, _unpacked(composite)))}


def _outward(
    kind: LinkKind, *, numbers: Array, q: Array, passive: Array, place: Array, composite: Array,
    parent: Array,
) -> dict[str, Array]:  # fmt: skip
    link = kind.link(numbers)
    placement = kind.placement(link, place)
    S = link.joint.motion_subspace(q)
    f, n = unit_force(_unpacked(composite), S)
    R, p = base_frame(parent[:9].reshape(3, 3), parent[9:], placement)
    screws, forces = base_screws(R, p, S, f, n)
    block = own_block(S, f, n) + passive_coefficients(link.joint, passive)[2]
    return {
        "frame": np.concatenate([R.ravel(), p]),
        "block": block.ravel(),
        "screws": screws.T.ravel(),
        "forces": forces.T.ravel(),
    }


def _product(*, S: Array, F: Array) -> dict[str, Array]:
    return {"row": S.reshape(-1, 6) @ F}


def _packed(body: Composite) -> Array:
    return np.concatenate([np.array([body.mass]), body.h, body.sigma[_UPPER]])


def _unpacked(numbers: Array) -> Composite:
    sigma = np.zeros((3, 3), dtype=object)
    sigma[_UPPER] = numbers[4:]
    sigma.T[_UPPER] = numbers[4:]
    return Composite(numbers[0], numbers[1:4], np.array(sigma.tolist()))
