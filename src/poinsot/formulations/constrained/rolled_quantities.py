"""Quantities of large systems with loops and constraints, rolled.

The quantities of ``closed_quantities.py`` and ``constraint_rows.py``, at a cost linear in the
number of loops where loops are local: by articulated bodies for the tree and
``rolled_multipliers.py`` for the constraints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Final

import numpy as np

from poinsot.expr.rolled import Rolled
from poinsot.formulations.constrained.rolled_multipliers import Response, RolledMultipliers
from poinsot.formulations.constrained.rolled_rows import (
    EVERY_ROW,
    LinkMotions,
    RowSlots,
    append_poses,
    append_rows,
)
from poinsot.formulations.constrained.vanishing_rows import remaining_rows
from poinsot.formulations.recursive.articulated import (
    accelerations,
    add_drifts,
    add_velocities,
)
from poinsot.formulations.recursive.links import links_of
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array

NOTHING_GIVEN: Final[Mapping[int, Sequence[int]]] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Constrained:
    """A tree in motion, and the constraints on it.

    Attributes:
        rows: The constraints.
        held: Their elimination.
    """

    rows: Sequence[RowSlots]
    held: RolledMultipliers

    def corrected(self, name: str) -> tuple[Response, Response]:
        """Append the response to a residual, and one step of iterative refinement."""
        residual = [row.values[name] for row in self.rows]
        first = self.held.response(residual)
        return first, self.held.response(self.held.residual_after(residual, first))


def append_constrained(
    tree: RolledTree, chosen: Mapping[int, tuple[int, ...]] = EVERY_ROW,
    given: Mapping[int, Sequence[int]] = NOTHING_GIVEN,
) -> Constrained:  # fmt: skip
    """Append a tree in motion, and the rows of its constraints, with phi and accelerations.

    Args:
        tree: The links.
        chosen: By number of the constraint, its rows, where not all are wanted.
        given: By link, the velocities of its joint whose acceleration is given: further rows, one
            constraint per joint, which count after all others.
    """
    accelerations(tree)
    moving = (tree.values(name) for name in ("velocity", "acceleration", "dv"))
    motions, wanted = LinkMotions(append_poses(tree), *moving), ("acceleration", "phi")
    rows = append_rows(tree, motions, wanted, chosen=chosen)
    rows += [_given_acceleration(tree, k, numbers) for k, numbers in given.items()]
    return Constrained(rows, RolledMultipliers(tree, rows, last=len(given)))


def append_total(tree: RolledTree, changes: Sequence[Response]) -> None:
    """Append the ``total`` acceleration of joints: ``dv`` and its changes."""
    for k, dv in tree.values("dv").items():
        tree.values("total")[k] = tree.apply(total_change, dv, *(x.change[k] for x in changes))


def rolled_forward_dynamics(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return the acceleration as a rolled program of q, v and tau."""
    name, nv = "forward_dynamics", mechanism.nv
    tree = tree_of(mechanism, ("q", "v", "tau"), (name, (nv,)), load_inputs)
    motion = append_constrained(tree, remaining_rows(mechanism))
    append_total(tree, motion.corrected("acceleration"))
    return tree.shown(name, tree.by_velocity("total"))


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


def _values(mechanism: Mechanism, name: str, load_inputs: LoadInputs, value: str) -> Rolled:
    inputs = ("q",) if value == "phi" else ("q", "v")
    m = len(mechanism.row_names)
    tree = tree_of(mechanism, inputs, (name, (m,)), load_inputs)
    tree.place()
    motions = LinkMotions(append_poses(tree))
    if value == "rate":
        add_velocities(tree)
        motions = replace(motions, velocity=tree.values("velocity"))
    if value == "acceleration":
        add_drifts(tree)
        motions = LinkMotions(motions.poses, tree.values("velocity"), tree.values("drift"))
    rows = append_rows(tree, motions, (value,), held=False)
    return tree.shown(name, np.concatenate([row.values[value].entries for row in rows]))


def total_change(start: Array, *changes: Array) -> Array:
    """Return a start and two changes of it."""
    total: Array = start + (changes[0] + changes[1])
    return total


def _given_acceleration(tree: RolledTree, k: int, numbers: Sequence[int]) -> RowSlots:
    """Append the rows of given accelerations of one joint.

    Args:
        tree: The links, with ``dv``; their ``a`` is an input.
        k: The link that the joint moves.
        numbers: Which of its velocities.
    """
    m, units = len(numbers), np.eye(tree.links[k].joint.nv)[list(numbers)]
    values = {
        "phi": tree.apply(partial(np.zeros, m)),
        "acceleration": tree.apply(
            partial(_missing, tuple(numbers)), tree.values("dv")[k], tree.values("a")[k]
        ),
    }
    return RowSlots(m, [], [], {k: tree.constant(units)}, values)


def _missing(numbers: tuple[int, ...], dv: Array, a: Array) -> Array:
    missing: Array = (dv - a)[list(numbers)]
    return missing
