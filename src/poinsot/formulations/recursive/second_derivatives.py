"""Second derivatives of inverse dynamics in closed form, of joints with one velocity each.

In the frame and with the motions of ``derivative_sweep``, let a carry b and b carry c, or be the
same.  What a subtree c does in second derivatives are the changes along its own joint

    Θ' = D_c Θ,    B' = D_c B,    κ(u) = 2 ∫ u(r) × S_c(r) dm

for a motion u of its points.  With the vectors of pairs

    n_bc = S_b ×* Θ S_c,   κ_bc = κ(S_b),   μ_bc = 2 ω_b × (Bᵀ S_c) + κ(x_b),
    z_bc = Θ' S_b = n_bc - [0; κ_bc],       ζ_bc = 2 B'ᵀ S_b,      r_ac = -S_a ×* u_c

of which κ, μ and ζ have an angular half only, and u_c = Θ y_c + 2 B x_c + S_c ×* f_c,

    q_a q_b of τ_c:  n_bc·y_a + μ_bc·x_a             v_a v_b of τ_c:  κ_bc·S_a
    q_a q_c of τ_b:  z_bc·y_a + ζ_bc·x_a             v_a v_c of τ_b: -κ_bc·S_a
    q_b q_c of τ_a:  z_ac·y_b + ζ_ac·x_b + r_ac·S_b
                                                     v_b v_c of τ_a: -κ_ac·S_b
    q_a v_b of τ_c:  κ_bc·x_a                        q_a v_c of τ_b: -κ_bc·x_a
    q_b v_a of τ_c:  2 n_bc·x_a + μ_bc·S_a           q_c v_a of τ_b:  2 z_bc·x_a + ζ_bc·S_a
    q_c v_b of τ_a:  2 z_ac·x_b + ζ_ac·S_b           q_b v_c of τ_a:  the same + (μ - ζ)_bc·S_a
    ∂M_ac/∂q_b = (κ_bc·S_a - κ_ac·S_b) / 2           ∂M_ab/∂q_c = -(κ_bc·S_a + κ_ac·S_b) / 2

All others are zero.  Equivalent to [SinghRussellWensing2023].  Differs from it: the symmetries of
the Christoffel symbols leave products of three numbers where it has products of six.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from poinsot.formulations.recursive.derivative_sweep import (
    MovingBody,
    accelerated_bodies,
    changed_forces,
    composite_bodies,
    less_trace,
    moving_bodies,
)
from poinsot.formulations.recursive.fused_sums import (
    NOTHING,
    plus_cross,
    plus_cross_force,
    plus_dot,
    plus_matrix,
)
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.spatial import Array, Scalar, cross, cross_columns


@dataclass(frozen=True, eq=False)
class Joint:
    """What second derivatives are products of, of the one velocity of a joint.

    Attributes:
        S, x, x_twice, y: Its screw and the changes x, 2 x and y of motions, shape (6,) each.
        u: Change of the subtree's force, shape (6,).
        force: Θ S, shape (6,).
        rate: Bᵀ S, the angular half, shape (3,).
        G: 2 G - 2 tr G of the velocities S of the subtree, shape (3, 3).
        P_changed, E_changed: 2 P and 2 E of B', shapes (3,) and (3, 3).
    """

    S: Array
    x: Array
    x_twice: Array
    y: Array
    u: Array
    force: Array
    rate: Array
    G: Array
    P_changed: Array
    E_changed: Array

    def kappa(self, u: Array, onto: Array = NOTHING[:3]) -> Array:
        """Return twice the integral of u × S over the subtree, added onto a vector; shape (3,)."""
        return plus_matrix(plus_cross(onto, u[:3], 2.0 * self.force[:3]), self.G.T, u[3:])


@dataclass(frozen=True, eq=False)
class JointPair:
    """The vectors of a joint c and of one, b, that carries it, or is c itself."""

    n: Array
    z: Array
    kappa: Array
    mu: Array
    zeta: Array
    r: Array

    @staticmethod
    def of(b: Joint, c: Joint) -> JointPair:
        """Return those of two joints."""
        s, w = b.S[:3], b.S[3:]
        n = plus_cross_force(NOTHING, b.S, c.force)
        kappa = NOTHING[:3] if b is c else c.kappa(b.S)
        return JointPair(
            n,
            np.concatenate([n[:3], n[3:] - kappa]),
            kappa,
            c.kappa(b.x, cross(w, 2.0 * c.rate)),
            plus_matrix(cross(c.P_changed, s), c.E_changed.T, w),
            plus_cross_force(NOTHING, b.S, -c.u),
        )


@dataclass(frozen=True, eq=False)
class Products:
    """Products of the vectors of a pair b, c with those of a joint a that carries b, or is b.

    Attributes:
        qq_c, qq_b: By q_a q_b of τ_c, and by q_a q_c of τ_b.
        qv_c, qv_b: By v_a q_b of τ_c, and by v_a q_c of τ_b.
        kappa_x: By q_a v_b of τ_c.
        kappa_S: By v_a v_b of τ_c.
        mu_S, zeta_S: μ·S_a and ζ·S_a.
    """

    qq_c: Scalar
    qq_b: Scalar
    qv_c: Scalar
    qv_b: Scalar
    kappa_x: Scalar
    kappa_S: Scalar
    mu_S: Scalar
    zeta_S: Scalar

    @staticmethod
    def of(pair: JointPair, a: Joint) -> Products:
        """Return those of a pair and a joint."""
        x, w = a.x[3:], a.S[3:]
        linear, n_x, kappa_x = pair.n[:3] @ a.y[:3], pair.n @ a.x_twice, pair.kappa @ x
        mu_S, zeta_S = pair.mu @ w, pair.zeta @ w
        return Products(
            plus_dot(linear, (pair.n[3:], a.y[3:]), (pair.mu, x)),
            plus_dot(linear, (pair.z[3:], a.y[3:]), (pair.zeta, x)),
            n_x + mu_S,
            n_x - 2.0 * kappa_x + zeta_S,
            kappa_x,
            pair.kappa @ w,
            mu_S,
            zeta_S,
        )


def mass_changes(kappa_bc: Scalar, kappa_ac: Scalar) -> tuple[Scalar, Scalar]:
    """Return ∂M_ac/∂q_b and ∂M_ab/∂q_c of κ_bc·S_a and κ_ac·S_b."""
    return 0.5 * (kappa_bc - kappa_ac), -0.5 * (kappa_bc + kappa_ac)


def moments_of_changes(S: Array, x: Array, body: MovingBody) -> tuple[Array, Array]:
    """Return ``G`` and ``E_changed`` of a joint with the screw S, the change x and a subtree."""
    s, w = S[:3], S[3:]
    G = np.outer(s, body.h) + cross_columns(w, body.sigma)
    turned = cross_columns(w, body.E) + cross_columns(w, body.E.T).T
    moved = np.outer(x[:3], body.h) + cross_columns(x[3:], body.sigma) + np.outer(body.P, s)
    return -2.0 * less_trace(G), 2.0 * (turned + less_trace(moved))


def second_derivatives(tree: StraightTree) -> Array:
    """Return D of the joint forces by q q, v v, q v and a q, shape (4, nv, nv, nv).

    Args:
        tree: The links with q, v and a, each with a joint of one velocity and a fixed screw.
    """
    moving_bodies(tree)
    accelerated_bodies(tree)
    composite_bodies(tree)
    changed_forces(tree)
    joints = [_joint(tree, k) for k in range(len(tree.links))]
    parents = [link.parent for link in tree.links]
    return products_of(joints, parents, [link.v.start for link in tree.links])


def _joint(tree: StraightTree, k: int) -> Joint:
    """Return what there is of a link of a tree with the sums of first derivatives."""
    S, left, right_q, right_v, up_q, up_v = (
        tree.values(name)[k][0] for name in ("screws", "left", "right_q", "right_v", "up_q", "up_v")
    )
    x = 0.5 * right_v[:6]
    G, E_changed = moments_of_changes(S, x, tree.values("body")[k])
    return Joint(S, x, right_v[:6], right_q[:6], up_q, left[:6], left[6:], G, up_v[:3], E_changed)


def products_of(joints: Sequence[Joint], parents: Sequence[int], numbers: Sequence[int]) -> Array:
    """Return the second derivatives, shape (4, n, n, n).

    Args:
        joints: The joints.
        parents: Which carries each, or -1.
        numbers: Their velocities.
    """
    result = np.zeros((4, *(len(joints),) * 3), dtype=object)
    for c in range(len(joints)):
        path = [c]
        while parents[path[-1]] >= 0:
            path.append(parents[path[-1]])
        _enter(result, [numbers[k] for k in path], [joints[k] for k in path])
    return np.array(result.tolist()).reshape(result.shape)


def _enter(result: Array, numbers: list[int], path: list[Joint]) -> None:
    """Enter the second derivatives in which the first joint of a path is the outermost.

    All products of a pair are taken together, so that it stays in registers.

    Args:
        result: All second derivatives.
        numbers: The velocities along the path.
        path: The joints, the outermost first, the root last.
    """
    by_qq, by_vv, by_qv, by_aq = result
    c, known = numbers[0], dict[tuple[int, int], Products]()
    for k, joint in enumerate(path):
        pair = JointPair.of(joint, path[0])
        for m, other in enumerate(path):
            if m < k:  # the other lies between this joint and the outermost
                a, b = numbers[k], numbers[m]
                x, w, outer = other.x[3:], other.S[3:], known[m, k]
                _set(by_qq[a], b, c, plus_dot(pair.z @ other.y, (pair.zeta, x), (pair.r, other.S)))
                by_qv[a, c, b] = plus_dot(pair.z @ other.x_twice, (pair.zeta, w))
                by_qv[a, b, c] = by_qv[a, c, b] + (outer.mu_S - outer.zeta_S)
                kappa_S = pair.kappa @ w
                _set(by_vv[a], b, c, -kappa_S)
                by_b, by_c = mass_changes(outer.kappa_S, kappa_S)
                _set(by_aq[:, :, b], a, c, by_b)
                if b != c:
                    _set(by_aq[:, :, c], a, b, by_c)
                continue
            a, b = numbers[m], numbers[k]
            known[k, m] = products = Products.of(pair, other)
            _set(by_qq[c], a, b, products.qq_c)
            _set(by_vv[c], a, b, products.kappa_S)
            by_qv[c, b, a] = products.qv_c
            by_qv[c, a, b] = products.kappa_x
            if b != c:
                _set(by_qq[b], a, c, products.qq_b)
                _set(by_vv[b], a, c, -products.kappa_S)
                by_qv[b, a, c] = -products.kappa_x
                by_qv[b, c, a] = products.qv_b
                if a == b:
                    by_aq[b, b, c] = -products.kappa_S


def _set(matrix: Array, i: int, j: int, value: Scalar) -> None:
    """Set an entry of a symmetric matrix."""
    matrix[i, j] = matrix[j, i] = value
