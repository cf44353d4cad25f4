"""The joints, one per file; ``base`` is their interface."""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.joints.base import AbstractJoint
    from poinsot.model.joints.cylindrical import Cylindrical
    from poinsot.model.joints.euler import Euler
    from poinsot.model.joints.fixed import Fixed
    from poinsot.model.joints.free import Free
    from poinsot.model.joints.helical import Helical
    from poinsot.model.joints.limits import Limits
    from poinsot.model.joints.mimic import Mimic
    from poinsot.model.joints.planar import Planar
    from poinsot.model.joints.prismatic import Prismatic
    from poinsot.model.joints.revolute import Revolute
    from poinsot.model.joints.spherical import Spherical
    from poinsot.model.joints.translation import Translation
    from poinsot.model.joints.universal import Universal
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "base": "AbstractJoint",
            "cylindrical": "Cylindrical",
            "euler": "Euler",
            "fixed": "Fixed",
            "free": "Free",
            "helical": "Helical",
            "limits": "Limits",
            "mimic": "Mimic",
            "planar": "Planar",
            "prismatic": "Prismatic",
            "revolute": "Revolute",
            "spherical": "Spherical",
            "translation": "Translation",
            "universal": "Universal",
        },
    )

__all__ = [
    "AbstractJoint",
    "Cylindrical",
    "Euler",
    "Fixed",
    "Free",
    "Helical",
    "Limits",
    "Mimic",
    "Planar",
    "Prismatic",
    "Revolute",
    "Spherical",
    "Translation",
    "Universal",
]
