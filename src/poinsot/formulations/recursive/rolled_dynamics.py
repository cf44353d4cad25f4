"""Dynamics of large trees: the sweeps of this folder as rolled programs.

An entry of M is a product of two screws; those of a velocity with its ancestors are computed in
blocks, and each is stored once, for both triangles.  Only these products are written twice: on
values they are taken one by one, where zeros of screws fold; an item for each would be a call for
11 operations, in place of one for 88.
"""

from __future__ import annotations

import numpy as np

from poinsot.expr import Rolled
from poinsot.expr.packing import ArrayLayout
from poinsot.expr.rolled_code import STATE
from poinsot.formulations.recursive.articulated import accelerations
from poinsot.formulations.recursive.composite import composite_bodies, screws_in_base
from poinsot.formulations.recursive.inverse import newton_euler
from poinsot.formulations.recursive.links import links_of, rolled_links
from poinsot.formulations.recursive.rolled_tree import GRAVITY, RolledTree
from poinsot.formulations.recursive.velocity_paths import BLOCKS, VelocityPaths, blocks
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array


def rolled_inverse_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return tau = M a + bias as a rolled program of q, v, a and the load inputs."""
    return _newton_euler(mechanism, ("q", "v", "a"), "inverse_dynamics", load_inputs)


def rolled_bias(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the bias as a rolled program of q, v and the load inputs."""
    return _newton_euler(mechanism, ("q", "v"), "bias", load_inputs)


def rolled_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q."""
    return _newton_euler(mechanism, ("q",), "gravity_force", None)


def rolled_tilted_gravity_force(mechanism: Mechanism) -> Rolled:
    """Return the gravity part of the bias as a rolled program of q and gravity in base axes."""
    return _newton_euler(mechanism, ("q", GRAVITY), "tilted_gravity_force", None)


def rolled_forward_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau: articulated bodies."""
    name, inputs = "forward_dynamics", ("q", "v", "tau")
    tree = RolledTree(mechanism, links_of(mechanism), inputs, (name, (mechanism.nv,)), load_inputs)
    return tree.shown(name, accelerations(tree))


def rolled_mass_matrix(mechanism: Mechanism) -> Rolled:
    """Return M as a rolled program of q."""
    nv = mechanism.nv
    tree = RolledTree(mechanism, rolled_links(mechanism), ("q",), ("mass_matrix", (nv, nv)))
    composite_bodies(tree)
    for name in ("screws", "forces"):  # consecutive, so that products can be taken in blocks
        sizes = [kind.joint.nv for kind in tree.kinds]
        tree.values(name).update(
            (k, tree.new(ArrayLayout((size, 6)))) for k, size in enumerate(sizes)
        )
    screws_in_base(tree)
    return tree.shown("mass_matrix", _products(tree))


def _newton_euler(
    mechanism: Mechanism, inputs: tuple[str, ...], name: str, load_inputs: LoadInputs | None
) -> Rolled:
    links = rolled_links(mechanism)
    tree = RolledTree(mechanism, links, inputs, (name, (mechanism.nv,)), load_inputs)
    return tree.shown(name, newton_euler(tree, passive=load_inputs is not None))


def _products(tree: RolledTree) -> Array:
    """Append the products with all ancestors; return the index of each entry of M, (nv, nv)."""
    zero = tree.builder.state(1)
    tree.builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    screws, forces = (
        tree.values(name)[0].start if tree.links else 0 for name in ("screws", "forces")
    )
    shown = np.full((tree.nv, tree.nv), zero, np.int32)
    paths = VelocityPaths.of(tree.links)
    listed = paths.listed
    for k, own in enumerate(paths.own):
        entries = tree.values("block")[k].entries
        shown[np.ix_(listed[own], listed[own])] = entries.reshape(2 * own.shape)
    wanted: dict[int, list[tuple[int, int, int]]] = {size: [] for size in BLOCKS}
    for i, carriers in enumerate(paths.carriers):
        row = tree.builder.state(len(carriers))
        kept = row + np.arange(len(carriers))
        shown[listed[i], listed[carriers]] = kept
        shown[listed[carriers], listed[i]] = kept
        for size, start in blocks(carriers):
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


def _product(*, S: Array, F: Array) -> dict[str, Array]:
    return {"row": S.reshape(-1, 6) @ F}
