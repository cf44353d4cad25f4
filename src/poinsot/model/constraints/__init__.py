"""Constraints: joints that close loops, and other equations that motions obey; one per file.

Read ``base`` first, the contract of a constraint.
"""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.constraints.base import (
        AbstractConstraint,
        CoordinateMotion,
        Frame,
        FrameMotion,
        FramePair,
        Rows,
        View,
    )
    from poinsot.model.constraints.curve import Curve
    from poinsot.model.constraints.distance import Distance
    from poinsot.model.constraints.gear import Gear
    from poinsot.model.constraints.holonomic import FormulaConstraint, Holonomic
    from poinsot.model.constraints.knife_edge import KnifeEdge
    from poinsot.model.constraints.loop import Loop
    from poinsot.model.constraints.moving_constraint import AbstractClosure
    from poinsot.model.constraints.nonholonomic import Nonholonomic, VelocityConstraint
    from poinsot.model.constraints.point_on_curve import PointOnCurve
    from poinsot.model.constraints.prescribed import PrescribedMotion
    from poinsot.model.constraints.prescribed_speed import PointSpeed, PrescribedSpeed
    from poinsot.model.constraints.rack_pinion import RackPinion
    from poinsot.model.constraints.rolling_ball import RollingBall
    from poinsot.model.constraints.rolling_disc import RollingDisc
    from poinsot.model.constraints.rolling_ellipsoid import RollingEllipsoid
    from poinsot.model.constraints.surface import PointOnSurface
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "base": ("AbstractConstraint CoordinateMotion Frame FrameMotion FramePair Rows View"),
            "moving_constraint": "AbstractClosure",
            "curve": "Curve",
            "distance": "Distance",
            "gear": "Gear",
            "holonomic": "FormulaConstraint Holonomic",
            "knife_edge": "KnifeEdge",
            "loop": "Loop",
            "nonholonomic": "Nonholonomic VelocityConstraint",
            "point_on_curve": "PointOnCurve",
            "prescribed": "PrescribedMotion",
            "prescribed_speed": "PointSpeed PrescribedSpeed",
            "rack_pinion": "RackPinion",
            "rolling_ball": "RollingBall",
            "rolling_disc": "RollingDisc",
            "rolling_ellipsoid": "RollingEllipsoid",
            "surface": "PointOnSurface",
        },
    )

__all__ = [
    "AbstractClosure",
    "AbstractConstraint",
    "CoordinateMotion",
    "Curve",
    "Distance",
    "FormulaConstraint",
    "Frame",
    "FrameMotion",
    "FramePair",
    "Gear",
    "Holonomic",
    "KnifeEdge",
    "Loop",
    "Nonholonomic",
    "PointOnCurve",
    "PointOnSurface",
    "PointSpeed",
    "PrescribedMotion",
    "PrescribedSpeed",
    "RackPinion",
    "RollingBall",
    "RollingDisc",
    "RollingEllipsoid",
    "Rows",
    "VelocityConstraint",
    "View",
]
