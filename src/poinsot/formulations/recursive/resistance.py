"""A sufficient condition for a regular mass matrix: every link gives its joint inertia."""

from __future__ import annotations

import numpy as np

from poinsot.expr.singularity import singular_velocity
from poinsot.formulations.recursive.links import links_of
from poinsot.model import Mechanism


def every_joint_resists(mechanism: Mechanism) -> bool:
    """Return whether the inertia of every link is positive definite along its own joint.

    Then the mass matrix is regular: the rest of the subtree can only add to the joint's inertia,

        D = Sᵀ I_a S + armature  ≥  Sᵀ I S + armature.

    The converse does not hold: a massless link may carry another one.  Tested at a random
    configuration, at a cost linear in the number of links.
    """
    rng = np.random.default_rng(0)
    joints = {
        v_slice.start: body.joint
        for body, v_slice in zip(mechanism.bodies, mechanism.v_slices, strict=True)
        if body.joint.nv
    }
    for link in links_of(mechanism):
        S = np.array(link.joint.motion_subspace(link.joint.random(rng)), float)
        inertia = S.T @ np.array(link.inertia().matrix(), float) @ S
        inertia = inertia + joints[link.v.start].armature_matrix()
        if singular_velocity(inertia) is not None:
            return False
    return True
