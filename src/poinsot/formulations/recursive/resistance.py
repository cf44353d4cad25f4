"""Which joints feel the inertia of their own link: where all do, the mass matrix is regular."""

from __future__ import annotations

import numpy as np

from poinsot.expr.singularity import singular_velocity
from poinsot.formulations.recursive.links import links_of
from poinsot.model import Mechanism


def every_joint_resists(mechanism: Mechanism) -> bool:
    """Return whether the inertia of every link is positive definite along its own joint.

    Then the mass matrix is regular: the rest of the subtree can only add to the joint's inertia,

        D = Sᵀ I_a S + armature  ≥  Sᵀ I S + armature.

    The converse does not hold: a massless link may carry another one.
    """
    return not joints_without_inertia(mechanism)


def joints_without_inertia(mechanism: Mechanism) -> tuple[str, ...]:
    """Return the joints along which their own link has no inertia, and which have no armature.

    Tested at a random configuration, at a cost linear in the number of links.
    """
    rng = np.random.default_rng(0)
    joints = {
        v_slice.start: (name, body.joint)
        for name, body, v_slice in zip(
            mechanism.joint_names, mechanism.bodies, mechanism.v_slices, strict=True
        )
        if body.joint.nv
    }
    names = []
    for link in links_of(mechanism):
        name, joint = joints[link.v.start]
        S = np.array(link.joint.motion_subspace(link.joint.random(rng)), float)
        inertia = S.T @ np.array(link.inertia().matrix(), float) @ S
        if singular_velocity(inertia + joint.armature_matrix()) is not None:
            names.append(name)
    return tuple(names)
