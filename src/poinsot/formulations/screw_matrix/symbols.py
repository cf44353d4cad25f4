"""The matrices of the screw-matrix method, each named after its symbol in [Liu1988].

Sign convention P: q_j moves body j against its parent, forces of joints act on the outer body, and
the path matrix is +1.  Differs from [Liu1988], whose equations (25) to (33) are true as printed
only with -1 on the path, although the text calls the diagonal blocks unit matrices.

    symbol   name         what it is
    Â(ji)    A_hat        screw transform from e(i) to e(j); forces: Â(ji), motions: its transpose
    Ŝ, T̂     S_hat, T_hat incidence and path matrix; Ŝ T̂ = 1
    Û        U_hat        loop matrix; Ûᵀ V̂ = V̂ᶜ
    k̂        k_hat        axes of the joints, in the outer body; no rows for a joint that is fixed
    Φ̂        Phi_hat      generalised inertia about the bodies' origins
    v̂        v_hat        velocities [v; w] of the bodies, each in its own axes (11)
    ṽ        v_tilde      velocity screw matrices, on the diagonal

Joint j carries body j; both have the number under which the body is listed.  Taken in the order
``mechanism.order``, a regular labelling, Ŝ and T̂ are block upper triangular.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np

from poinsot.formulations.screw_matrix.blocks import Blocks
from poinsot.model import Environment, Mechanism
from poinsot.model.graph_matrices import loop_ends
from poinsot.model.topology import where_paths_part
from poinsot.spatial import Array, Transform, cross_force_matrix

BASE = -1
"""The number of B_0, the body whose motion is given."""

Frames: TypeAlias = Mapping[tuple[int, int], Transform]
"""The pose of e(i) in e(j), by (j, i), for i = j, every j on the path to i, and the base."""


def frames(mechanism: Mechanism, q: Array) -> Frames:
    """Return the pose of every body relative to each body on its path and to the base.

    Along a path transforms multiply, A(ji) = A(jp) A(pi) [Liu1988, eq. (7) and (8)].
    """
    poses: dict[tuple[int, int], Transform] = {}
    for i in mechanism.order:
        body, parent = mechanism.bodies[i], mechanism.parents[i]
        X_PB = body.pose.transform() @ body.joint.transform(q[mechanism.q_slices[i]])
        for j in (BASE, *mechanism.path(parent)):
            poses[j, i] = X_PB if j == parent else poses[j, parent] @ X_PB
        poses[i, i] = Transform.identity()
    return poses


def A_hat(poses: Frames, j: int, i: int) -> Array:
    """Return Â(ji), shape (6, 6) [Liu1988, eq. (3) and (4)]."""
    return np.eye(6) if i == j else poses[j, i].force_matrix()


def S_hat(mechanism: Mechanism, poses: Frames) -> Blocks:
    """Return the incidence matrix: blocks 1 at (j, j), -Â(ij) at (i, j), i the parent of j (17)."""
    blocks = {(j, j): np.eye(6) for j in mechanism.order}
    for j, i in enumerate(mechanism.parents):
        if i != BASE:
            blocks[i, j] = -A_hat(poses, i, j)
    return Blocks(blocks)


def T_hat(poses: Frames) -> Blocks:
    """Return the path matrix: blocks Â(ji) at (j, i) for every joint j on the path to i (18)."""
    return Blocks({(j, i): A_hat(poses, j, i) for j, i in poses if j != BASE})


def U_hat(mechanism: Mechanism, poses: Frames) -> Blocks:
    """Return the loop matrix: blocks U_jr Â(j, n+r) at (j, r) for every joint j of loop r (37).

    e(n+r) is the frame of the loop's second body.  Seen from the body where the two paths of the
    loop part, it is known through the second path alone; the loop need not be closed.
    """
    blocks: dict[tuple[int, int], Array] = {}
    for r, (first, second) in enumerate(loop_ends(mechanism)):
        top = where_paths_part(mechanism.parents, first, second)
        X_tc = mechanism.loops[r].second[1].transform()
        if second != top:
            X_tc = poses[top, second] @ X_tc
        for sign, end in ((-1, first), (1, second)):
            for j in mechanism.path(end)[len(mechanism.path(top)) :]:
                blocks[j, r] = sign * (poses[top, j].inverse() @ X_tc).force_matrix()
    return Blocks(blocks)


def k_hat(mechanism: Mechanism, q: Array) -> Blocks:
    """Return the axes of the joints, blocks (nv of the joint, 6) on the diagonal (20).

    V̂_j = k̂_jᵀ q'_j (22) is the relative velocity (19) of body j, its origin included.

    Differs from [Liu1988, eq. (20)]: a row may both turn and slide, as a screw joint needs.
    """
    return Blocks.diagonal(
        (j, body.joint.motion_subspace(q[mechanism.q_slices[j]]).T)
        for j, body in enumerate(mechanism.bodies)
        if body.joint.nv > 0
    )


def k_hat_rate(mechanism: Mechanism, q: Array, v: Array) -> Blocks:
    """Return dk̂/dt: not zero where an axis is not fixed in the outer body, as in a planar joint."""
    return Blocks.diagonal(
        (j, body.joint.motion_subspace_rate(q[mechanism.q_slices[j]], v[mechanism.v_slices[j]]).T)
        for j, body in enumerate(mechanism.bodies)
        if body.joint.nv > 0
    )


def Phi_hat(mechanism: Mechanism) -> Blocks:
    """Return Φ̂ of Q̂ = Φ̂ v̂ (23), with the moments about the bodies' origins (16)."""
    return Blocks.diagonal(
        (i, body.spatial_inertia().matrix()) for i, body in enumerate(mechanism.bodies)
    )


def X_hat(poses: Frames) -> Blocks:
    """Return X: blocks Â(0i)ᵀ at (i, 0), the motion of each body that moves with the base (10)."""
    return Blocks({(i, BASE): A_hat(poses, BASE, i).T for j, i in poses if j == BASE})


def q_dot(mechanism: Mechanism, v: Array) -> Blocks:
    """Return the velocities of the joints as a column (21); none for a joint that is fixed."""
    return Blocks.column({j: v[v_slice] for j, v_slice in enumerate(mechanism.v_slices)})


def v_tilde(v_hat: Blocks) -> Blocks:
    """Return the velocity screw matrices on the diagonal (12)."""
    return Blocks.diagonal((i, cross_force_matrix(V)) for (i, _), V in v_hat.blocks.items())


def kT_rate(
    mechanism: Mechanism, q: Array, v: Array, poses: Frames, k: Blocks, v_hat: Blocks
) -> Blocks:
    """Return d/dt (k̂ T̂)ᵀ, which (33) needs.

    Block (i, j), for j on the path to i:  ṽ(i/j)ᵀ Â(ji)ᵀ k̂_jᵀ + Â(ji)ᵀ dk̂_jᵀ/dt, from (13).
    """
    turning = {
        (i, j): _relative(v_hat, poses, i, j).T @ A_hat(poses, j, i).T @ k.blocks[j, j].T
        for j, i in poses
        if i != j and (j, j) in k.blocks
    }
    return Blocks(turning) + (k_hat_rate(mechanism, q, v) @ T_hat(poses)).T


def X_hat_rate(poses: Frames, v_hat: Blocks, v_0: Array) -> Blocks:
    """Return dX/dt, blocks ṽ(i/0)ᵀ X_i, for a base that moves with ``v_0``."""
    seen = v_hat + Blocks.column({BASE: v_0})
    return Blocks(
        {
            (i, BASE): _relative(seen, poses, i, BASE).T @ A_hat(poses, BASE, i).T
            for j, i in poses
            if j == BASE
        }
    )


def F_hat(mechanism: Mechanism, poses: Frames, environment: Environment) -> Blocks:
    """Return gravity and external wrenches: F̂g_i = Φ̂_i [A(i0) g; 0], and the loads on i.

    Differs from [Liu1988, eq. (26)]: in the paper gravity is the only external force.
    """
    falling = Blocks.column(
        {
            i: np.concatenate([poses[j, i].R.T @ environment.gravity, np.zeros(3)])
            for j, i in poses
            if j == BASE
        }
    )
    return Phi_hat(mechanism) @ falling + Blocks.column(environment.wrenches)


def _relative(v_hat: Blocks, poses: Frames, i: int, j: int) -> Array:
    """Return ṽ(i/j) of (13), of the velocity v̂_i - Â(ji)ᵀ v̂_j of body i relative to j, in e(i)."""
    return cross_force_matrix(v_hat[i] - A_hat(poses, j, i).T @ v_hat[j])
