"""Least-norm solutions of closed systems rolled: inverse dynamics and multipliers.

The rows are made by items, as blocks; the rank is decided and the solution found by a routine that
loops over them (``expr/numeric_basis.py``), by the rules of the straight-line form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from poinsot.expr import RolledBuilder
from poinsot.expr.functions import maximum, minimum, select, sqrt
from poinsot.expr.linalg import solve_lower
from poinsot.expr.numeric_basis import memory_size
from poinsot.expr.rank_tolerances import DEPENDENT, LARGEST_ROW_ERROR, ROW_ERROR, ZERO_ROW
from poinsot.expr.rolled import CONSTANTS, LEAST_NORM, STATE, Rolled
from poinsot.formulations.constrained.rolled_jacobian import (
    Block,
    append_jacobian,
    append_masked,
    append_significant,
    show_blocks,
)
from poinsot.formulations.constrained.rolled_multipliers import RolledMultipliers
from poinsot.formulations.constrained.rolled_quantities import append_constrained, tree_of
from poinsot.formulations.constrained.rolled_rows import (
    LinkMotions,
    RowIndices,
    append_poses,
    append_rows,
)
from poinsot.formulations.recursive.articulated import free_joint_layout
from poinsot.formulations.recursive.link_kinds import LinkKind
from poinsot.formulations.recursive.link_tree import PLACE
from poinsot.formulations.recursive.rolled_dynamics import rolled_inverse_dynamics
from poinsot.formulations.recursive.rolled_tree import RolledTree
from poinsot.model import LoadInputs, Mechanism
from poinsot.spatial import Array


def rolled_constraint_jacobian(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return J as a rolled program of q."""
    name, m = "constraint_jacobian", len(mechanism.row_names)
    tree = tree_of(mechanism, ("q",), (name, (m, mechanism.nv)), load_inputs)
    rows, blocks = _jacobian(tree)
    append_masked(tree, blocks, append_significant(tree, rows, blocks))
    show_blocks(tree, name, blocks, m)
    return tree.builder.finish()


def rolled_driven_dynamics(
    mechanism: Mechanism,
    actuated: Sequence[int],
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return the actuator forces of least norm as a rolled program of q, v and a."""
    name, nv = "driven_dynamics", mechanism.nv
    tree = tree_of(mechanism, ("q", "v", "a"), (name, (nv,)), load_inputs)
    builder = tree.builder
    _, blocks = _jacobian(tree)
    needed = _needed(tree, load_inputs, {})
    units = () if len(actuated) == nv else actuated
    rows = [block for those in blocks for block in those]
    wanted, _ = _append(builder, rows, mechanism.row_slices, nv, needed, units=units)
    shown = wanted + np.arange(nv)
    if len(actuated) < nv:
        k = len(actuated)
        columns = [Block(wanted + nv, 0, 0, (k, nv))] if k else []
        _, tau = _append(
            builder, columns, [slice(0, k)] if k else [], nv, wanted, nothing=DEPENDENT, solves=True
        )
        shown = np.full(nv, _zero(builder))
        shown[list(actuated)] = tau + np.arange(k)
    builder.show(name, shown)
    return builder.finish()


def rolled_motion_multipliers(
    mechanism: Mechanism,
    load_inputs: LoadInputs = LoadInputs(),  # noqa: B008
) -> Rolled:
    """Return lam of least norm of a motion as a rolled program of q, v, a and tau."""
    name, nv, m = "motion_multipliers", mechanism.nv, len(mechanism.row_names)
    tree = tree_of(mechanism, ("q", "v", "a", "tau"), (name, (m,)), load_inputs)
    _, blocks = _jacobian(tree)
    needed = _needed(tree, load_inputs, {"tau": ("tau", np.arange(nv), 1)})
    rows = [block for those in blocks for block in those]
    _, lam = _append(tree.builder, rows, mechanism.row_slices, nv, needed, solves=True)
    tree.builder.show(name, lam + np.arange(m))
    return tree.builder.finish()


def rolled_multipliers(mechanism: Mechanism, load_inputs: LoadInputs = LoadInputs()) -> Rolled:  # noqa: B008
    """Return lam, and 1 where it is determined, else 0, as a rolled program of q, v and tau."""
    name, nv, m = "multipliers", mechanism.nv, len(mechanism.row_names)
    tree = tree_of(mechanism, ("q", "v", "tau"), (name, (2, m)), load_inputs)
    builder, wanted = tree.builder, ("acceleration", "phi")
    motion = append_constrained(tree, wanted)
    jacobian = append_jacobian(tree, motion.rows)
    lengths = append_significant(tree, motion.rows, jacobian)
    off = _row_error(builder, motion.rows, lengths)
    changes = motion.corrected("acceleration")
    blocks, target = _scaled(tree, motion.held, lengths, [x.push for x in changes])
    _, lam = _append(
        builder, blocks, mechanism.row_slices, nv, target, nothing=0.0, off=off, solves=True
    )
    builder.show(name, lam + np.arange(2 * m))
    return builder.finish()


def _jacobian(tree: RolledTree) -> tuple[list[RowIndices], list[list[Block]]]:
    """Append the rows and the blocks of J."""
    tree.outward([PLACE])
    rows = append_rows(tree, LinkMotions(append_poses(tree)), ())
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


def _append(
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
    entries = sum(block.size for block in rows) + len(units)
    builder.routine(LEAST_NORM, ports, sizes, (2 if solves else 1) * entries * (m + n))
    return rests, solution


def _zero(builder: RolledBuilder) -> int:
    zero = builder.state(1)
    builder.item("zero", lambda: {"zero": np.zeros(1)}, {}, {"zero": zero})
    return zero


def _row_error(builder: RolledBuilder, rows: Sequence[RowIndices], lengths: Sequence[int]) -> int:
    """Append the relative error of the rows at this distance from the constraints."""
    sums, off = builder.state(2), builder.state(1)
    builder.item("no sums", lambda: {"sums": np.zeros(2)}, {}, {"sums": sums})
    for constraint, squares in zip(rows, lengths, strict=True):
        reads = {
            "phi": (STATE, constraint.values["phi"], constraint.m),
            "squares": (STATE, squares, constraint.m),
            "sums": (STATE, sums, 2),
        }
        builder.item(("distance", constraint.m), _distance, reads, {"sums": sums})
    builder.item("row error", _error, {"sums": (STATE, sums, 2)}, {"off": off})
    return off


def _scaled(
    tree: RolledTree, held: RolledMultipliers, lengths: Sequence[int],
    pushes: Sequence[dict[int, int]],
) -> tuple[list[Block], int]:  # fmt: skip
    """Append the rows R D⁻¹ᐟ² and the constraint forces in the same scale.

    Returns:
        Blocks of the rows, and the index of the forces, (nv,).
    """
    builder, blocks, target = tree.builder, [], tree.builder.state(tree.nv)
    for k, link in enumerate(tree.links):
        kind = tree.kinds[k]
        nv = kind.joint.nv
        reads = {f"push{i}": (STATE, push[k], nv) for i, push in enumerate(pushes) if k in push}
        if reads:
            reads["joint"] = tree.equation_read(k)
        tree.item(
            f"scaled push {len(reads)}", k, partial(_scaled_push, kind), reads,
            {"target": target + link.v.start},
        )  # fmt: skip
    for c, k, u in held.forces_along_joints():
        kind, row_slice = tree.kinds[k], tree.mechanism.row_slices[c]
        row, m = row_slice.start, row_slice.stop - row_slice.start
        shape = (m, kind.joint.nv)
        block = Block(builder.state(m * kind.joint.nv), row, tree.links[k].v.start, shape)
        reads = {
            "u": (STATE, u, block.size), "joint": tree.equation_read(k),
            "squares": (STATE, lengths[c], m),
        }  # fmt: skip
        tree.item(f"scaled {m}", k, partial(_scaled_rows, kind), reads, {"block": block.index})
        blocks.append(block)
    return blocks, target


def _less(*, x: Array, tau: Array | None = None) -> dict[str, Array]:
    return {"y": x if tau is None else x - tau}


def _distance(*, phi: Array, squares: Array, sums: Array) -> dict[str, Array]:
    longest = sums[1]
    for squared in squares:
        longest = maximum(longest, squared)
    return {"sums": np.array([sums[0] + phi @ phi, longest])}


def _error(*, sums: Array) -> dict[str, Array]:
    some = sums[1] > 0.0
    away = sqrt(sums[0] / select(some, sums[1], 1.0))
    error = select(some, minimum(ROW_ERROR * away, LARGEST_ROW_ERROR), 0.0)
    return {"off": np.array([error])}


def _scaled_push(
    kind: LinkKind, *, numbers: Array, joint: Array | None = None, **pushes: Array
) -> dict[str, Array]:
    if joint is None:
        return {"target": np.zeros(kind.joint.nv)}
    return {"target": _root(kind, joint, np.sum(list(pushes.values()), axis=0))}


def _scaled_rows(
    kind: LinkKind, *, numbers: Array, u: Array, joint: Array, squares: Array
) -> dict[str, Array]:
    kept = np.array([select(x > 0.0, 1.0, 0.0) for x in squares])
    return {"block": (_root(kind, joint, u.reshape(-1, len(squares))) * kept).T}


def _root(kind: LinkKind, joint: Array, forces: Array) -> Array:
    """Return D⁻¹ᐟ² L⁻¹ of forces along a joint, shape (nv,) or (nv, m)."""
    free = free_joint_layout(kind.joint.nv).unpacked(joint)
    roots = np.array([sqrt(x) for x in free.d_inverse])
    scaled: Array = roots * solve_lower(free.L, forces).T
    return scaled.T
