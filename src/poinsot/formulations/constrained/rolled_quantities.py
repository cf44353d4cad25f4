"""Quantities of large systems with loops and constraints, rolled.

The quantities of ``closed_quantities.py`` and ``constraint_rows.py``, at a cost linear in the
number of loops where loops are local: by articulated bodies for the tree and
``rolled_multipliers.py`` for the constraints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from poinsot.expr.rolled import STATE, Rolled
from poinsot.formulations.constrained.rolled_multipliers import Response, RolledMultipliers
from poinsot.formulations.constrained.rolled_rows import (
    LinkMotions,
    RowIndices,
    append_poses,
    append_rows,
)
from poinsot.formulations.recursive.articulated import (
    accelerations,
    add_drifts,
    add_velocities,
    free_bodies,
    resting_bodies,
)
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.link_tree import PLACE
from poinsot.formulations.recursive.links import links_of
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import starts
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array


@dataclass(frozen=True, eq=False)
class Constrained:
    """A tree in motion, and the constraints on it.

    Attributes:
        a: Index of dv/dt without constraints.
        rows: The constraints.
        held: Their elimination.
    """

    a: int
    rows: Sequence[RowIndices]
    held: RolledMultipliers

    def corrected(self, name: str) -> tuple[Response, Response]:
        """Append the response to a residual, and one step of iterative refinement."""
        return _corrected(self.held, self.rows, name)


def append_constrained(tree: RolledTree, wanted: tuple[str, ...]) -> Constrained:
    """Append a tree in motion, and the rows of its constraints with the values that are wanted."""
    a = tree.builder.state(tree.nv)
    tree.put_by_velocity("dv", a)
    accelerations(tree)
    velocity, acceleration = (starts(tree.values(name)) for name in ("velocity", "acceleration"))
    motions = LinkMotions(append_poses(tree), velocity, acceleration, a)
    rows = append_rows(tree, motions, wanted)
    return Constrained(a, rows, RolledMultipliers(tree, rows))


def rolled_forward_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau."""
    name, nv = "forward_dynamics", mechanism.nv
    tree = tree_of(mechanism, ("q", "v", "tau"), (name, (nv,)), load_inputs)
    motion = append_constrained(tree, ("acceleration",))
    a, changes = motion.a, motion.corrected("acceleration")
    result = tree.builder.state(nv)
    for link in tree.links:
        size = link.v.stop - link.v.start
        terms = {"start": a, **{f"change{k}": x.change for k, x in enumerate(changes)}}
        reads = {key: (STATE, index + link.v.start, size) for key, index in terms.items()}
        tree.builder.item(("total", size), _total, reads, {"total": result + link.v.start})
    tree.builder.show(name, result + np.arange(nv))
    return tree.builder.finish()


def rolled_projected_state(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return q and v after one Newton step towards the constraints as a rolled program of both.

    The last entry is the conditioning of the rows.
    """
    sizes = {"phi": mechanism.nq, "rate": mechanism.nv}
    output = ("projected_state", (sum(sizes.values()) + 1,))
    tree = tree_of(mechanism, ("q", "v"), output, load_inputs)
    resting_bodies(tree)
    free_bodies(tree)
    add_velocities(tree)
    motions = LinkMotions(append_poses(tree), starts(tree.values("velocity")))
    rows = append_rows(tree, motions, tuple(sizes))
    held, shown = RolledMultipliers(tree, rows), []
    for key, size in sizes.items():
        changes = _corrected(held, rows, key)
        result = tree.builder.state(size)
        shown.append(result + np.arange(size))
        for k, link in enumerate(tree.links):
            kind, (start, name) = tree.kinds[k], _moved(key, link.q, link.v)
            reads = {**tree.joint_reads(link, name)}
            for i, change in enumerate(changes):
                reads[f"change{i}"] = (STATE, change.change + link.v.start, kind.joint.nv)
            trace: Any = partial(_stepped, kind) if name == "q" else partial(_faster, kind)
            tree.item(f"moved {name}", k, trace, reads, {"total": result + start})
    tree.builder.show("projected_state", np.concatenate([*shown, [held.conditioning()]]))
    return tree.builder.finish()


def rolled_residual(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return phi as a rolled program of q."""
    return _values(mechanism, "constraint_residual", load_inputs, "phi")


def rolled_rate(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return J v + drift as a rolled program of q and v."""
    return _values(mechanism, "constraint_rate", load_inputs, "rate")


def rolled_bias(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return gamma as a rolled program of q and v."""
    return _values(mechanism, "constraint_bias", load_inputs, "acceleration")


def tree_of(
    mechanism: Mechanism, inputs: tuple[str, ...], output: tuple[str, tuple[int, ...]],
    load_inputs: LoadInputs,
) -> RolledTree:  # fmt: skip
    """Return the builder of a program on the tree of a mechanism; see ``RolledTree``."""
    return RolledTree(mechanism, links_of(mechanism), inputs, output, load_inputs)


def _corrected(
    held: RolledMultipliers, rows: Sequence[RowIndices], name: str
) -> tuple[Response, Response]:
    """Append the response to the residual, and one step of iterative refinement."""
    residual = [row.values[name] for row in rows]
    first = held.response(residual)
    return first, held.response(held.residual_after(residual, first))


def _moved(key: str, q: slice, v: slice) -> tuple[int, str]:
    """Return the index of a joint's entries in a result, and the input that it changes."""
    return (q.start, "q") if key == "phi" else (v.start, "v")


def _values(mechanism: Mechanism, name: str, load_inputs: LoadInputs, value: str) -> Rolled:
    inputs = ("q",) if value == "phi" else ("q", "v")
    m = len(mechanism.row_names)
    tree = tree_of(mechanism, inputs, (name, (m,)), load_inputs)
    tree.outward([PLACE])
    motions = LinkMotions(append_poses(tree))
    if value == "rate":
        add_velocities(tree)
        motions = replace(motions, velocity=starts(tree.values("velocity")))
    if value == "acceleration":
        add_drifts(tree)
        velocity, drift = (starts(tree.values(name)) for name in ("velocity", "drift"))
        motions = replace(motions, velocity=velocity, acceleration=drift)
    rows = append_rows(tree, motions, (value,), held=False)
    shown = [row.values[value] + np.arange(row.m) for row in rows]
    tree.builder.show(name, np.concatenate(shown))
    return tree.builder.finish()


def _total(*, start: Array, change0: Array, change1: Array) -> dict[str, Array]:
    return {"total": start + (change0 + change1)}


def _faster(
    kind: LinkKind, *, numbers: Array, v: Array, change0: Array, change1: Array
) -> dict[str, Array]:
    return {"total": v + (change0 + change1)}


def _stepped(
    kind: LinkKind, *, numbers: Array, q: Array, change0: Array, change1: Array
) -> dict[str, Array]:
    joint = kind.link(numbers).joint
    return {"total": q + joint.position_rate(q, change0 + change1)}
