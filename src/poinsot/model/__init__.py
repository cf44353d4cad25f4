"""What the mechanism is: immutable descriptions, validated when made. No mechanics here.

Read ``mechanism`` first, then ``body``, ``pose`` and ``joints.base``, the contract of a joint.
"""

from poinsot.model.axis import AxisLike, unit_axis
from poinsot.model.base_motion import BaseMotion
from poinsot.model.body import WORLD, Body
from poinsot.model.joints import (
    AbstractJoint,
    Cylindrical,
    Euler,
    Fixed,
    Free,
    Helical,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Translation,
    Universal,
)
from poinsot.model.mechanism import Mechanism
from poinsot.model.pose import Pose
from poinsot.model.suggest import suggestion
from poinsot.model.surroundings import Outside, Surroundings

__all__ = [
    "WORLD",
    "AbstractJoint",
    "AxisLike",
    "BaseMotion",
    "Body",
    "Cylindrical",
    "Euler",
    "Fixed",
    "Free",
    "Helical",
    "Mechanism",
    "Outside",
    "Planar",
    "Pose",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Surroundings",
    "Translation",
    "Universal",
    "suggestion",
    "unit_axis",
]
