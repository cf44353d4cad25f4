"""The joints, one file each; ``base`` holds what all of them answer."""

from poinsot.model.joints.base import AbstractJoint
from poinsot.model.joints.fixed import Fixed
from poinsot.model.joints.free import Free
from poinsot.model.joints.prismatic import Prismatic
from poinsot.model.joints.revolute import Revolute
from poinsot.model.joints.spherical import Spherical

__all__ = ["AbstractJoint", "Fixed", "Free", "Prismatic", "Revolute", "Spherical"]
