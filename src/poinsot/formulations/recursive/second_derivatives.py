"""Second derivatives of inverse dynamics in closed form, of joints with one velocity each.

In the frame and with the motions of ``derivative_sweep``, let a carry b and b carry c, or be the
same.  What a subtree c does in second derivatives are the changes along its own joint

    Θ' = D_c Θ,    B' = D_c B,    κ(u) = 2 ∫ u(r) × S_c(r) dm

for a motion u of its points.  With the vectors of pairs

    n_bc = S_b ×* Θ S_c,   κ_bc = κ(S_b),   μ_bc = 2 ω_b × (Bᵀ S_c) + κ(x_b),
    z_bc = Θ' S_b = n_bc - [0; κ_bc],       ζ_bc = 2 B'ᵀ S_b

of which κ, μ and ζ have an angular half only, and u_c = Θ y_c + 2 B x_c + S_c ×* f_c,

    q_a q_b of τ_c:  n_bc·y_a + μ_bc·x_a             v_a v_b of τ_c:  κ_bc·S_a
    q_a q_c of τ_b:  z_bc·y_a + ζ_bc·x_a             v_a v_c of τ_b: -κ_bc·S_a
    q_b q_c of τ_a:  z_ac·y_b + ζ_ac·x_b + (S_a × S_b)·u_c
                                                     v_b v_c of τ_a: -κ_ac·S_b
    q_a v_b of τ_c:  κ_bc·x_a                        q_a v_c of τ_b: -κ_bc·x_a
    q_b v_a of τ_c:  2 n_bc·x_a + μ_bc·S_a           q_c v_a of τ_b:  2 z_bc·x_a + ζ_bc·S_a
    q_c v_b of τ_a:  2 z_ac·x_b + ζ_ac·S_b           q_b v_c of τ_a:  the same + (μ - ζ)_bc·S_a
    ∂M_ac/∂q_b = (κ_bc·S_a - κ_ac·S_b) / 2           ∂M_ab/∂q_c = -(κ_bc·S_a + κ_ac·S_b) / 2

All others are zero.  Equivalent to [SinghRussellWensing2023].  Differs from it: the symmetries of
the Christoffel symbols leave products of three numbers where it has products of six.
"""

from __future__ import annotations

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
from poinsot.formulations.recursive.link_tree import StraightTree
from poinsot.spatial import Array, Scalar, cross, cross_columns, cross_force, cross_motion


@dataclass(frozen=True, eq=False)
class _Joint:
    """What second derivatives are products of, of the one velocity of a joint.

    Attributes:
        S, x, y: Its screw and the changes x and y of motions, shape (6,) each.
        u: Change of the subtree's force, shape (6,).
        force: Θ S, shape (6,).
        rate: Bᵀ S, the angular half, shape (3,).
        G: -2 tr G + 2 G of the velocities S of the subtree, shape (3, 3).
        P_changed, E_changed: 2 P and 2 E of B', shapes (3,) and (3, 3).
    """

    S: Array
    x: Array
    y: Array
    u: Array
    force: Array
    rate: Array
    G: Array
    P_changed: Array
    E_changed: Array

    def kappa(self, u: Array) -> Array:
        """Return twice the integral of u × S over the subtree, shape (3,)."""
        product: Array = cross(u[:3], 2.0 * self.force[:3]) + self.G.T @ u[3:]
        return product


@dataclass(frozen=True, eq=False)
class _Pair:
    """The vectors of a joint c and one, b, that carries it, or c itself."""

    n: Array
    z: Array
    kappa: Array
    mu: Array
    zeta: Array

    @staticmethod
    def of(b: _Joint, c: _Joint) -> _Pair:
        """Return those of two joints."""
        n, kappa = cross_force(b.S, c.force), np.zeros(3) if b is c else c.kappa(b.S)
        mu = cross(b.S[3:], 2.0 * c.rate) + c.kappa(b.x)
        zeta = cross(c.P_changed, b.S[:3]) + c.E_changed.T @ b.S[3:]
        return _Pair(n, np.concatenate([n[:3], n[3:] - kappa]), kappa, mu, zeta)


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
    result = np.zeros((4, *(tree.mechanism.nv,) * 3), dtype=object)
    for c in range(len(joints)):
        path = _path(tree, c)
        pairs = {b: _Pair.of(joints[b], joints[c]) for b in path}
        for k, b in enumerate(path):
            for a in path[k:]:
                _enter(result, [tree.links[i].v.start for i in (a, b, c)],
                       [joints[i] for i in (a, b, c)], pairs[a], pairs[b])  # fmt: skip
    return np.array(result.tolist()).reshape(result.shape)


def _joint(tree: StraightTree, k: int) -> _Joint:
    value = {
        name: tree.values(name)[k][0]
        for name in ("screws", "left", "right_q", "right_v", "up_q", "up_v")
    }
    body: MovingBody = tree.values("body")[k]
    S, x = value["screws"], 0.5 * value["right_v"][:6]
    s, w = S[:3], S[3:]
    G = less_trace(np.outer(s, body.h) + cross_columns(w, body.sigma))
    turned = cross_columns(w, body.E) + cross_columns(w, body.E.T).T
    moved = np.outer(x[:3], body.h) + cross_columns(x[3:], body.sigma) + np.outer(body.P, s)
    left = value["left"]
    return _Joint(
        S, x, value["right_q"][:6], value["up_q"], left[:6], left[6:], -2.0 * G,
        value["up_v"][:3], 2.0 * (turned + less_trace(moved)),
    )  # fmt: skip


def _path(tree: StraightTree, k: int) -> list[int]:
    """Return a link and those that carry it, the nearest first."""
    path = []
    while k >= 0:
        path.append(k)
        k = tree.links[k].parent
    return path


def _enter(
    result: Array, numbers: list[int], joints: list[_Joint], pair_ac: _Pair, pair_bc: _Pair
) -> None:
    """Enter all second derivatives of three joints, the first carries the others."""
    (a, b, c), (ja, jb, jc) = numbers, joints
    by_qq, by_vv, by_qv, by_aq = result
    w_a = ja.S[3:]
    n_y, n_x, kappa_x = (
        pair_bc.n @ ja.y,
        pair_bc.n @ (2.0 * ja.x),
        pair_bc.kappa @ ja.x[3:],
    )
    mu_S, zeta_S, kappa_S = (vector @ w_a for vector in (pair_bc.mu, pair_bc.zeta, pair_bc.kappa))
    _set_both(by_qq[c], a, b, n_y + pair_bc.mu @ ja.x[3:])
    _set_both(by_vv[c], a, b, kappa_S)
    by_qv[c, a, b] = kappa_x
    kappa_ac: Scalar = pair_ac.kappa @ jb.S[3:]
    if a != b:
        by_qv[c, b, a] = n_x + mu_S
        _set_both(by_vv[a], b, c, -kappa_ac)
        by_aq[a, c, b] = by_aq[c, a, b] = 0.5 * (kappa_S - kappa_ac)
        bracket = cross_motion(ja.S, jb.S)
        turned = pair_ac.z @ jb.y + pair_ac.zeta @ jb.x[3:] + bracket @ jc.u
        _set_both(by_qq[a], b, c, turned)
        both = pair_ac.z @ (2.0 * jb.x) + pair_ac.zeta @ jb.S[3:]
        by_qv[a, b, c] = both + mu_S - zeta_S
        by_qv[a, c, b] = both if b != c else by_qv[a, b, c]
    if b != c:
        _set_both(by_qq[b], a, c, n_y - pair_bc.kappa @ ja.y[3:] + pair_bc.zeta @ ja.x[3:])
        _set_both(by_vv[b], a, c, -kappa_S)
        by_qv[b, a, c] = -kappa_x
        by_qv[b, c, a] = n_x - 2.0 * kappa_x + zeta_S
        by_aq[a, b, c] = by_aq[b, a, c] = -0.5 * (kappa_S + kappa_ac)


def _set_both(matrix: Array, i: int, j: int, value: Scalar) -> None:
    matrix[i, j] = matrix[j, i] = value
