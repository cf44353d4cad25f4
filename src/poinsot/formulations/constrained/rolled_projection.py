"""The Newton step towards the constraints, rolled.

Elimination takes constraint after constraint.  Where it keeps a row for a small remainder, a later
row may determine the same direction to more digits.  So rows are chosen anew there, those that are
well conditioned before all others, as in straight-line code (``projected_state``).  That couples
every row to every other; it is a branch, taken near kinematic singularities only, and the rows
themselves are orthogonalised in it (``kernels/llvm/shortest_motion_ir.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from operator import neg

import numpy as np

from poinsot.expr.functions import select, sqrt
from poinsot.expr.rank_tolerances import WELL_CONDITIONED
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import CONSTANTS, SHORTEST_MOTION, STATE
from poinsot.expr.sparse_arithmetic import times, total
from poinsot.formulations.constrained.rolled_least_norm import append_scaled, row_groups
from poinsot.formulations.constrained.rolled_multipliers import Response, RolledMultipliers
from poinsot.formulations.constrained.rolled_quantities import total_change, tree_of
from poinsot.formulations.constrained.rolled_rows import (
    LinkMotions,
    RowSlots,
    append_poses,
    append_rows,
)
from poinsot.formulations.constrained.vanishing_rows import remaining_rows
from poinsot.formulations.recursive.articulated import (
    FreeJoint,
    add_velocities,
    free_bodies,
    resting_bodies,
)
from poinsot.formulations.recursive.links import Link
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import Slot
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array, Scalar

_RESIDUALS = ("phi", "rate")
"""What the two changes remove: of q, and of v."""


def rolled_projected_state(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return q and v after one Newton step towards the constraints as a rolled program of both.

    The last entry is the conditioning of the rows.
    """
    output = ("projected_state", (mechanism.nq + mechanism.nv + 1,))
    tree = tree_of(mechanism, ("q", "v"), output, load_inputs)
    resting_bodies(tree)
    free_bodies(tree)
    add_velocities(tree)
    motions = LinkMotions(append_poses(tree), tree.values("velocity"))
    rows = append_rows(tree, motions, _RESIDUALS, chosen=remaining_rows(mechanism))
    positions = None
    if mechanism.at_positions is not mechanism:
        held = append_rows(tree, motions, _RESIDUALS, chosen=_at_positions(mechanism))
        held = [row for row in held if row.m]
        positions = _Projection(tree, held).changes("phi") if held else ()
    projection = _Projection(tree, rows)
    positions = projection.changes("phi") if positions is None else positions
    rates = projection.changes("rate")
    q, v = [], []
    for k, link in enumerate(tree.links):
        step = (x.change[k] for x in positions)
        q.append((link.q, tree.apply(_stepped, *tree.link_slots(k, "q"), *step)))
        v.append(
            (link.v, tree.apply(total_change, tree.values("v")[k], *(x.change[k] for x in rates)))
        )
    shown = tree.gathered((mechanism.nq,), q), tree.gathered((mechanism.nv,), v)
    return tree.shown(output[0], np.concatenate([*shown, projection.conditioning.entries]))


class _Projection:
    """Constraints on a tree; where elimination leaves doubts, their rows are chosen anew.

    Args:
        tree: The links.
        rows: The constraints, with both residuals.

    Attributes:
        conditioning: Slot of the conditioning of the rows.
    """

    def __init__(self, tree: RolledTree, rows: Sequence[RowSlots]) -> None:
        self._tree, self._rows = tree, rows
        self._held = RolledMultipliers(tree, rows)
        self.conditioning = self._held.conditioning()
        self._is_doubtful: Slot = tree.apply(partial(_is_doubtful, len(rows)), self.conditioning)
        motions = tree.builder.state(2 * tree.nv)
        self._motions = dict(zip(_RESIDUALS, (motions, motions + tree.nv), strict=True))
        with tree.builder.where(self._is_doubtful.start):
            self._append_motions(motions)

    def changes(self, name: str) -> tuple[Response, Response]:
        """Append the response to a residual, and one step of iterative refinement.

        Motions of rows that were chosen anew need none: not their products were factored.
        """
        residual = [row.values[name] for row in self._rows]
        push = self._held.push(residual)
        with self._tree.builder.where(self._is_doubtful.start):
            self._tree.put_by_velocity(name, self._motions[name])
            for k, slot in push.items():
                joint, w = self._tree.values("joint")[k], self._tree.values(name)[k]
                self._tree.apply(_push_anew, slot, self._is_doubtful, joint, w, into=slot)
        first = self._held.response_to(push)
        push = self._held.push(self._held.residual_after(residual, first))
        with self._tree.builder.where(self._is_doubtful.start):
            for slot in push.values():
                self._tree.apply(_refined, slot, self._is_doubtful, into=slot)
        return first, self._held.response_to(push)

    def _append_motions(self, motions: int) -> None:
        """Append both motions of least norm, in the scale of the rows, and the conditioning."""
        tree, builder, held = self._tree, self._tree.builder, self._held
        groups = row_groups(self._rows)
        m, ends = groups[-1].stop, [float(g.stop) for g in groups for _ in range(g.start, g.stop)]
        blocks, demand = append_scaled(tree, held, groups), builder.state(2 * m)
        for start, name in zip((demand, demand + m), _RESIDUALS, strict=True):
            for row, group in zip(self._rows, groups, strict=True):
                slot = row.values[name]
                tree.apply(neg, slot, into=Slot(STATE, start + group.start, slot.layout))
        conditioning = tree.new(self.conditioning.layout)
        ports = [
            (STATE, 0),
            (CONSTANTS, builder.constants([x for block in blocks for x in block.numbers])),
            (CONSTANTS, builder.constants(ends)),
            (STATE, held.off.start),
            (STATE, demand),
            (STATE, motions),
            (STATE, conditioning.start),
        ]
        builder.routine(SHORTEST_MOTION, ports, [len(blocks), m, tree.nv], 0)
        slots = self._is_doubtful, conditioning, self.conditioning
        tree.apply(select, *slots, into=self.conditioning)


def _is_doubtful(n_blocks: int, conditioning: Scalar) -> Scalar:
    """Say whether a row was kept for little that another constraint may determine better."""
    return select(conditioning <= WELL_CONDITIONED, 1.0, 0.0) if n_blocks > 1 else 0.0


def _push_anew(push: Array, is_doubtful: Scalar, joint: FreeJoint, w: Array) -> Array:
    """Return the forces L D¹ᐟ² w of a motion in the scale of the rows, where it counts."""
    m = len(w)
    scaled = [x / sqrt(d_inverse) for x, d_inverse in zip(w, joint.d_inverse, strict=True)]
    forces = [
        total([scaled[i], *(times(joint.L[i, j], scaled[j]) for j in range(i))]) for i in range(m)
    ]
    return np.array([select(is_doubtful, *pair) for pair in zip(forces, push, strict=True)])


def _refined(push: Array, is_doubtful: Scalar) -> Array:
    return np.array([select(is_doubtful, 0.0, x) for x in push])


def _at_positions(mechanism: Mechanism) -> Mapping[int, tuple[int, ...]]:
    """Return, by number of the constraint, its rows that hold for positions too."""
    remaining = remaining_rows(mechanism)
    return {
        c: remaining.get(c, tuple(range(len(constraint.locked) - constraint.velocity_rows)))
        for c, constraint in enumerate(mechanism.closures)
    }


def _stepped(link: Link, q: Array, *changes: Array) -> Array:
    return q + link.joint.position_rate(q, changes[0] + changes[1]) if changes else q
