"""Mass matrix and forces that MuJoCo computes, in our coordinates.

MuJoCo's velocity u of a free joint is in the axes of the joint frame J, ours v in those of the body
B: u = T v with R_JB in T, so u̇ = T v̇ + Ṫ v, where Ṫ v = R (ω × v_linear).  From M u̇ + h = τ follows

    Tᵀ M T v̇ + Tᵀ (h + M Ṫ v) = Tᵀ τ.
"""

from dataclasses import dataclass

import mujoco
import numpy as np

from poinsot.model import Free
from poinsot.spatial import quaternion_to_matrix


@dataclass(frozen=True)
class Terms:
    """What the oracle has: in our coordinates, stacked as our mechanism lists its bodies."""

    mass_matrix: np.ndarray
    bias: np.ndarray
    passive: np.ndarray
    data: mujoco.MjData


def mujoco_terms(model, mechanism, q, v):
    """Return MuJoCo's terms for our q and v.

    Args:
        model: MuJoCo's model of the mechanism, whose bodies are in the order ``mechanism.order``.
        mechanism: The mechanism.
        q: Our coordinates.
        v: Our velocities.
    """
    assert (model.nq, model.nv) == (mechanism.nq, mechanism.nv)
    T, drift = np.eye(mechanism.nv), np.zeros(mechanism.nv)
    for body, own_q, own_v in zip(
        mechanism.bodies, mechanism.q_slices, mechanism.v_slices, strict=True
    ):
        if isinstance(body.joint, Free):
            R, (linear, angular) = quaternion_to_matrix(q[own_q][3:]), np.split(v[own_v], 2)
            slides = slice(own_v.start, own_v.start + 3)
            T[slides, slides] = R
            drift[slides] = R @ np.cross(angular, linear)
    order_q, order_v = (
        np.concatenate([np.r_[slices[i]] for i in mechanism.order]).astype(int)
        for slices in (mechanism.q_slices, mechanism.v_slices)
    )
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = q[order_q], (T @ v)[order_v]
    M, h, passive = _terms(model, data)
    back = np.argsort(order_v)
    M = M[np.ix_(back, back)]
    return Terms(T.T @ M @ T, T.T @ (h[back] + M @ drift), T.T @ passive[back], data)


def _terms(model, data):
    """Return M, h and the passive forces; not by mj_forward, which warns into a file."""
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    mujoco.mj_tendon(model, data)
    getattr(mujoco, "mj_makeM", mujoco.mj_crb)(model, data)
    mujoco.mj_comVel(model, data)
    mujoco.mj_passive(model, data)
    h, M, column = np.zeros(model.nv), np.zeros((model.nv, model.nv)), np.zeros(model.nv)
    mujoco.mj_rne(model, data, 0, h)
    for i, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, column, unit)
        M[:, i] = column
    return M, h, data.qfrc_passive.copy()
