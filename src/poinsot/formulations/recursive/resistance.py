"""Whether every joint of a tree has inertia of its own to move."""

from __future__ import annotations

import numpy as np

from poinsot.formulations.recursive.links import links_of
from poinsot.model import Mechanism

LEAST = 1e-9
"""Eigenvalue of a joint's own inertia, scaled to ones on the diagonal, that still resists."""


def every_joint_resists(mechanism: Mechanism) -> bool:
    """Say whether no joint can move without moving the link right behind it.

    Then the mass matrix has an inverse: what a joint carries besides can only add to its inertia,

        D = Sᵀ I_a S + armature  ≥  Sᵀ I S + armature.

    It is judged at a random configuration, at a cost that grows with the number of links.
    """
    rng = np.random.default_rng(0)
    joints = {
        part.start: body.joint
        for body, part in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        if body.joint.nv
    }
    for link in links_of(mechanism):
        S = np.array(link.joint.motion_subspace(link.joint.random(rng)), float)
        own = S.T @ np.array(link.inertia().matrix(), float) @ S
        own = own + joints[link.v.start].armature_matrix()
        diagonal = np.diag(own)
        if (diagonal <= 0.0).any():
            return False
        scale = 1.0 / np.sqrt(diagonal)
        if np.linalg.eigvalsh(scale[:, None] * own * scale)[0] < LEAST:
            return False
    return True
