"""The limits of all joints of a mechanism as arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from poinsot.model.joints import AbstractJoint
from poinsot.model.joints.limits import Limits
from poinsot.model.mechanism import Mechanism
from poinsot.spatial import Array, Scalar

__all__ = ["LimitArrays", "limit_arrays"]


class LimitArrays(NamedTuple):
    """Limits of coordinates, velocities and joint forces; infinite where there is none.

    Attributes:
        lower: Smallest coordinates [m or rad], shape (nq,).
        upper: Largest coordinates [m or rad], shape (nq,).
        velocity: Largest speeds [m/s or rad/s], shape (nv,).
        effort: Largest joint forces [N or N m], shape (nv,).
    """

    lower: Array
    upper: Array
    velocity: Array
    effort: Array


def limit_arrays(mechanism: Mechanism) -> LimitArrays:
    """Return the limits of all joints, in the order of q and of v."""

    def gathered(
        numbers: Callable[[Limits], tuple[Scalar, ...]],
        size: Callable[[AbstractJoint], int],
        free: float,
    ) -> Array:
        parts = []
        for body in mechanism.bodies:
            joint = body.joint
            given = () if joint.limits is None else numbers(joint.limits)
            parts.append(np.broadcast_to(given or (free,), size(joint)))
        return np.concatenate([np.zeros(0), *parts])

    return LimitArrays(
        gathered(lambda limits: limits.lower, lambda joint: joint.nq, -np.inf),
        gathered(lambda limits: limits.upper, lambda joint: joint.nq, np.inf),
        gathered(lambda limits: limits.velocity, lambda joint: joint.nv, np.inf),
        gathered(lambda limits: limits.effort, lambda joint: joint.nv, np.inf),
    )
