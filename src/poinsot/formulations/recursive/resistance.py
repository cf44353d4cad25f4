"""Whether every joint of a tree has inertia of its own to move."""

from __future__ import annotations

import numpy as np

from poinsot.expr.singularity import singular_velocity
from poinsot.formulations.recursive.links import links_of
from poinsot.model import Mechanism


def every_joint_resists(mechanism: Mechanism) -> bool:
    """Say whether no joint can move without moving the link right behind it.

    Then the mass matrix has an inverse: what a joint carries besides can only add to its inertia,

        D = Sᵀ I_a S + armature  ≥  Sᵀ I S + armature.

    The converse does not hold: a massless link may carry another one.  It is judged at a random
    configuration, at a cost that grows with the number of links.
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
        if singular_velocity(own) is not None:
            return False
    return True
