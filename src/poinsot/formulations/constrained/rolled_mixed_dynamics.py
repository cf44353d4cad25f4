"""Mixed dynamics rolled: given accelerations are further constraints, of one joint each.

They are eliminated after loops and constraints, which come first where they contradict; of open
trees they are the only ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from poinsot.expr.rolled import Rolled
from poinsot.formulations.constrained.rolled_least_norm import Append, append_multipliers
from poinsot.formulations.constrained.rolled_quantities import (
    append_constrained,
    append_total,
    tree_of,
)
from poinsot.formulations.constrained.vanishing_rows import remaining_rows
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array


def rolled_mixed_dynamics(
    mechanism: Mechanism,
    given: Sequence[int],
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
    *,
    append: Append | None = None,
) -> Rolled:
    """Return all accelerations and joint forces as a rolled program of q, v, a and tau.

    Args:
        mechanism: The bodies, loops and constraints.
        given: Indices of the velocities whose acceleration is given.
        load_inputs: Which external loads are inputs.
        append: Appends least-norm solutions; see ``rolled_driven_dynamics``.
    """
    name, nv = "mixed_dynamics", mechanism.nv
    tree = tree_of(mechanism, ("q", "v", "a", "tau"), (name, (2, nv)), load_inputs)
    by_link = {
        k: [i - link.v.start for i in range(nv)[link.v] if i in given]
        for k, link in enumerate(tree.links)
    }
    by_link = {k: numbers for k, numbers in by_link.items() if numbers}
    forces = _append_known_forces(tree, given)
    motion = append_constrained(tree, remaining_rows(mechanism), by_link)
    changes = motion.corrected("acceleration")
    append_total(tree, changes)
    lam = append_multipliers(tree, motion, changes, append)
    wanted = [tree.links[k].v.start + i for k, numbers in by_link.items() for i in numbers]
    m = sum(rows.m for rows in motion.rows)
    forces[wanted] = lam + m - len(wanted) + np.arange(len(wanted))
    return tree.shown(name, np.stack([tree.by_velocity("total"), forces]))


def _append_known_forces(tree: RolledTree, given: Sequence[int]) -> Array:
    """Append the ``tau`` of joints, 0 where accelerations are given; return its indices, (nv,)."""
    start = tree.builder.state(tree.nv)
    known = np.array([k for k in range(tree.nv) if k not in given], dtype=int)
    tree.builder.item("known force", lambda x: {"y": x}, {"x": ("tau", known, 1)},
                      {"y": start + known})  # fmt: skip
    tree.builder.item("unknown force", lambda: {"y": np.zeros(1)}, {},
                      {"y": start + np.array(given, dtype=int)})  # fmt: skip
    tree.put_by_velocity("tau", start)
    return start + np.arange(tree.nv)
