"""Least-norm solutions of closed systems rolled: inverse dynamics and multipliers.

The rows are made by items, as blocks; the rank is decided and the solution found by a routine that
loops over them (``expr/numeric_basis.py``), by the rules of the straight-line form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.functions import select, sqrt
from poinsot.expr.linalg import solve_lower
from poinsot.expr.numeric_basis import memory_size
from poinsot.expr.packing import ArrayLayout
from poinsot.expr.rank_tolerances import DEPENDENT, ZERO_ROW
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import CONSTANTS, LEAST_NORM, STATE
from poinsot.formulations.constrained.rolled_jacobian import (
    Block,
    append_jacobian,
    append_masked,
    append_significant,
)
from poinsot.formulations.constrained.rolled_multipliers import Response, RolledMultipliers
from poinsot.formulations.constrained.rolled_quantities import (
    Constrained,
    append_constrained,
    tree_of,
)
from poinsot.formulations.constrained.rolled_rows import (
    EVERY_ROW,
    LinkMotions,
    RowSlots,
    append_poses,
    append_rows,
)
from poinsot.formulations.constrained.vanishing_rows import remaining_rows
from poinsot.formulations.recursive.articulated import FreeJoint
from poinsot.formulations.recursive.rolled_dynamics import rolled_inverse_dynamics
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.formulations.rolled_sweep import Slot
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array

Append: TypeAlias = Callable[..., tuple[int, int]]
"""Appends a least-norm solution: :func:`append_looped` or ``append_written_out``."""


def rolled_constraint_jacobian(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return J as a rolled program of q."""
    tree, rows, blocks = _tree_with_jacobian(mechanism, load_inputs)
    append_masked(tree, blocks, append_significant(tree, rows, blocks))
    return _shown(mechanism, tree, blocks)


def rolled_unmasked_jacobian(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return J as a rolled program of q that is to be differentiated; see ``unmasked_rows``."""
    tree, _, blocks = _tree_with_jacobian(mechanism, load_inputs)
    return _shown(mechanism, tree, blocks)


def _tree_with_jacobian(
    mechanism: Mechanism, load_inputs: LoadInputs
) -> tuple[RolledTree, list[RowSlots], list[list[Block]]]:
    """Return a tree with the rows of its constraints, and their blocks of J."""
    shape = len(mechanism.row_names), mechanism.nv
    tree = tree_of(mechanism, ("q",), ("constraint_jacobian", shape), load_inputs)
    return tree, *_jacobian(tree, EVERY_ROW)


def _shown(mechanism: Mechanism, tree: RolledTree, blocks: Sequence[Sequence[Block]]) -> Rolled:
    """Return the program that shows the blocks of J in their places."""
    entries = [(block.entries, block.slot) for those in blocks for block in those]
    shape = len(mechanism.row_names), mechanism.nv
    return tree.shown("constraint_jacobian", tree.gathered(shape, entries))


def rolled_driven_dynamics(
    mechanism: Mechanism,
    actuated: Sequence[int],
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
    *,
    append: Append | None = None,
) -> Rolled:
    """Return the actuator forces of least norm as a rolled program of q, v and a.

    Args:
        mechanism: The bodies, loops and constraints.
        actuated: Indices of the actuated velocities.
        load_inputs: Which external loads are inputs.
        append: Appends least-norm solutions: as loops by default, or ``append_written_out``, which
            can be differentiated.
    """
    append = append or append_looped
    name, nv = "driven_dynamics", mechanism.nv
    tree = tree_of(mechanism, ("q", "v", "a"), (name, (nv,)), load_inputs)
    builder = tree.builder
    rows, blocks = _jacobian(tree, remaining_rows(mechanism))
    needed = _needed(tree, load_inputs, {})
    units = () if len(actuated) == nv else actuated
    every = [block for those in blocks for block in those]
    wanted, _ = append(builder, every, row_groups(rows), nv, needed, units=units)
    shown = wanted + np.arange(nv)
    if len(actuated) < nv:
        k = len(actuated)
        columns = [Block(tree.slot(STATE, wanted + nv, ArrayLayout((k, nv))), 0, 0)] if k else []
        _, tau = append(
            builder, columns, [slice(0, k)] if k else [], nv, wanted, nothing=DEPENDENT, solves=True
        )
        shown = np.full(nv, _zero(builder))
        shown[list(actuated)] = tau + np.arange(k)
    builder.show(name, shown)
    return builder.finish()


def rolled_motion_multipliers(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
    *,
    append: Append | None = None,
) -> Rolled:
    """Return lam of least norm of a motion as a rolled program of q, v, a and tau.

    For ``append`` see :func:`rolled_driven_dynamics`.
    """
    name, nv, m = "motion_multipliers", mechanism.nv, len(mechanism.row_names)
    tree = tree_of(mechanism, ("q", "v", "a", "tau"), (name, (m,)), load_inputs)
    rows, blocks = _jacobian(tree, remaining_rows(mechanism))
    needed = _needed(tree, load_inputs, {"tau": ("tau", np.arange(nv), 1)})
    every = [block for those in blocks for block in those]
    append = append or append_looped
    _, lam = append(tree.builder, every, row_groups(rows), nv, needed, solves=True)
    return tree.shown(name, _by_row(tree, lam)[0])


def rolled_multipliers(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
    *,
    append: Append | None = None,
) -> Rolled:
    """Return lam, and 1 where it is determined, else 0, as a rolled program of q, v and tau.

    For ``append`` see :func:`rolled_driven_dynamics`.
    """
    name, m = "multipliers", len(mechanism.row_names)
    tree = tree_of(mechanism, ("q", "v", "tau"), (name, (2, m)), load_inputs)
    motion = append_constrained(tree, remaining_rows(mechanism))
    lam = append_multipliers(tree, motion, motion.corrected("acceleration"), append)
    return tree.shown(name, _by_row(tree, lam))


def append_multipliers(
    tree: RolledTree, motion: Constrained, changes: Sequence[Response], append: Append | None
) -> int:
    """Append lam of least norm, and which entries are determined; return the index of both.

    Args:
        tree: The links.
        motion: Their constraints.
        changes: Their responses, of which the forces count.
        append: See :func:`rolled_driven_dynamics`.
    """
    groups = row_groups(motion.rows)
    blocks = append_scaled(tree, motion.held, groups)
    target = _append_forces(tree, [x.push for x in changes])
    _, lam = (append or append_looped)(
        tree.builder, blocks, groups, tree.nv, target, nothing=0.0, off=motion.held.off.start,
        solves=True,
    )  # fmt: skip
    return lam


def row_groups(rows: Sequence[RowSlots]) -> list[slice]:
    """Return the rows of each constraint among all that are not always zero."""
    ends = np.cumsum([constraint.m for constraint in rows]).tolist()
    return [slice(end - constraint.m, end) for end, constraint in zip(ends, rows, strict=True)]


def _by_row(tree: RolledTree, solution: int) -> Array:
    """Return where lam and the marks of determined entries are, by row, (2, m).

    Both are 0 in rows that are always zero.

    Args:
        tree: The links.
        solution: Index of both for all other rows.
    """
    mechanism, remaining = tree.mechanism, remaining_rows(tree.mechanism)
    numbers = [
        rows.start + k
        for c, rows in enumerate(mechanism.row_slices)
        for k in remaining.get(c, range(rows.stop - rows.start))
    ]
    shown = np.full((2, len(mechanism.row_names)), _zero(tree.builder))
    shown[:, numbers] = solution + np.arange(2 * len(numbers)).reshape(2, -1)
    return shown


def _jacobian(
    tree: RolledTree, chosen: Mapping[int, tuple[int, ...]]
) -> tuple[list[RowSlots], list[list[Block]]]:
    """Append the rows and the blocks of J; see ``append_rows``."""
    tree.place()
    rows = append_rows(tree, LinkMotions(append_poses(tree)), (), chosen=chosen)
    return rows, append_jacobian(tree, rows)


def _needed(
    tree: RolledTree, load_inputs: LoadInputs, given: dict[str, tuple[str, Array, int]]
) -> int:
    """Append M a + bias, less the forces that are given; return its index."""
    (shown,) = tree.builder.embed(
        "inverse dynamics", rolled_inverse_dynamics(tree.mechanism, load_inputs)
    )
    needed = tree.builder.state(tree.nv)
    tree.builder.item(
        ("needed", *given), _less, {"x": (STATE, shown, 1), **given},
        {"y": needed + np.arange(tree.nv)},
    )  # fmt: skip
    return needed


def append_looped(
    builder: RolledBuilder, rows: Sequence[Block], groups: Sequence[slice], n: int, target: int, *,
    nothing: float = ZERO_ROW, off: int | None = None, units: Sequence[int] = (),
    solves: bool = False,
) -> tuple[int, int]:  # fmt: skip
    """Append the least-norm solution of rows; return the indices of the rests and of the solution.

    Args:
        builder: Collects the items.
        rows: Their blocks.
        groups: Rows among which the largest remainder comes first.
        n: Number of columns.
        target: Index of what they are to combine to, (n,).
        nothing: Length up to which a row is zero.
        off: Index of the relative error of the rows; none by default.
        units: Indices of unit vectors that are projected besides the target.
        solves: Whether the solution is needed, else only the rests.
    """
    m = groups[-1].stop if groups else 0
    ends = [float(group.stop) for group in groups for _ in range(group.start, group.stop)]
    rests, solution = builder.state((1 + len(units)) * n), builder.state(2 * m)
    memory = builder.state(memory_size(m, n))
    ports = [
        (STATE, 0),
        (CONSTANTS, builder.constants([x for block in rows for x in block.numbers])),
        (CONSTANTS, builder.constants(ends)),
        (CONSTANTS, builder.constants([nothing])),
        (STATE, _zero(builder) if off is None else off),
        (STATE, target),
        (CONSTANTS, builder.constants([float(k) for k in units])),
        (STATE, rests),
        (STATE, solution),
        (STATE, memory),
    ]
    sizes = [len(rows), m, n, len(units), int(solves)]
    builder.routine(LEAST_NORM, ports, sizes, _length(rows, m, n, units, solves=solves))
    return rests, solution


def _length(
    rows: Sequence[Block], m: int, n: int, units: Sequence[int], *, solves: bool
) -> int:  # fmt: skip
    """Return about how many operations a least-norm solution takes in straight-line form."""
    entries = sum(block.slot.layout.size for block in rows) + len(units)
    return entries * (m + n) * (4 if solves else 1) // 2


def _zero(builder: RolledBuilder) -> int:
    zero = builder.state(1)
    builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    return zero


def append_scaled(
    tree: RolledTree, held: RolledMultipliers, groups: Sequence[slice]
) -> list[Block]:
    """Append the rows R D⁻¹ᐟ², which are as long as in the metric of M; return their blocks."""
    joints, blocks = tree.values("joint"), []
    for c, k, u in held.forces_along_joints():
        slot = tree.apply(_scaled_rows, u, joints[k], held.lengths[c])
        blocks.append(Block(slot, groups[c].start, tree.links[k].v.start))
    return blocks


def _append_forces(tree: RolledTree, pushes: Sequence[Mapping[int, Slot]]) -> int:
    """Append the constraint forces in the scale of the rows; return their index, (nv,)."""
    target, joints = tree.builder.state(tree.nv), tree.values("joint")
    tree.put_by_velocity("target", target)
    for k, slot in tree.values("target").items():
        terms = [push[k] for push in pushes if k in push]
        tree.apply(_scaled_push, joints[k], *terms, into=slot)
    return target


def _less(*, x: Array, tau: Array | None = None) -> dict[str, Array]:
    return {"y": x if tau is None else x - tau}


def _scaled_push(joint: FreeJoint, *pushes: Array) -> Array:
    if not pushes:
        return np.zeros(len(joint.d_inverse))
    return _root(joint, np.sum(pushes, axis=0))


def _scaled_rows(u: Array, joint: FreeJoint, squares: Array) -> Array:
    kept = np.array([select(x > 0.0, 1.0, 0.0) for x in squares])
    scaled: Array = (_root(joint, u) * kept).T
    return scaled


def _root(joint: FreeJoint, forces: Array) -> Array:
    """Return D⁻¹ᐟ² L⁻¹ of forces along a joint, shape (nv,) or (nv, m)."""
    roots = np.array([sqrt(x) for x in joint.d_inverse])
    scaled: Array = roots * solve_lower(joint.L, forces).T
    return scaled.T
