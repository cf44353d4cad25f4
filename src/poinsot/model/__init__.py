"""What the mechanism is: immutable descriptions, validated when made. No mechanics here.

Read ``mechanism`` first, then ``body``, ``pose`` and ``joints.base``, the contract of a joint.
"""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.axis import AxisLike, unit_axis
    from poinsot.model.base_motion import BaseMotion
    from poinsot.model.body import WORLD, Body
    from poinsot.model.connection import Connection
    from poinsot.model.constraints import (
        AbstractClosure,
        AbstractConstraint,
        Curve,
        Distance,
        FormulaConstraint,
        Frame,
        FrameMotion,
        FramePair,
        Gear,
        Holonomic,
        KnifeEdge,
        Loop,
        Nonholonomic,
        PointOnCurve,
        PointOnSurface,
        PointSpeed,
        PrescribedMotion,
        PrescribedSpeed,
        RackPinion,
        RollingBall,
        RollingDisc,
        RollingEllipsoid,
        Rows,
        VelocityConstraint,
    )
    from poinsot.model.environment import Environment, LoadInputs
    from poinsot.model.forces import (
        AbstractForce,
        AbstractForceBetween,
        AbstractJointForce,
        Actuator,
        Bushing,
        ConstantForce,
        FormulaForce,
        JointForce,
        JointFriction,
        JointMotion,
        JointSpring,
        JointStop,
        Motor,
        PointMotion,
        Spring,
        TabulatedSpring,
    )
    from poinsot.model.joints import (
        AbstractJoint,
        Cylindrical,
        Euler,
        Fixed,
        Free,
        Helical,
        Limits,
        Mimic,
        Planar,
        Prismatic,
        Revolute,
        Spherical,
        Translation,
        Universal,
    )
    from poinsot.model.mechanism import Mechanism
    from poinsot.model.name_suggestion import parameter_hint, suggestion
    from poinsot.model.parameters import symbols
    from poinsot.model.pose import Pose
    from poinsot.model.scalar_values import is_symbolic, nonzero
    from poinsot.model.shapes import AbstractShape, Box, Capsule, Cylinder, Mesh, Sphere
    from poinsot.model.signal import Signal
    from poinsot.model.states import SampledState, State
    from poinsot.model.tabulated_function import Table
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "axis": "AxisLike unit_axis",
            "base_motion": "BaseMotion",
            "body": "WORLD Body",
            "connection": "Connection",
            "constraints": (
                "AbstractClosure AbstractConstraint Curve Distance FormulaConstraint "
                "Frame FrameMotion FramePair Gear Holonomic KnifeEdge Loop Nonholonomic "
                "PointOnCurve PointOnSurface PointSpeed PrescribedMotion "
                "PrescribedSpeed RackPinion RollingBall RollingDisc RollingEllipsoid "
                "Rows VelocityConstraint"
            ),
            "forces": (
                "AbstractForce AbstractForceBetween AbstractJointForce Actuator Bushing "
                "ConstantForce FormulaForce JointForce JointFriction JointMotion JointSpring "
                "JointStop Motor PointMotion Spring TabulatedSpring"
            ),
            "joints": (
                "AbstractJoint Cylindrical Euler Fixed Free Helical Limits Mimic Planar "
                "Prismatic Revolute Spherical Translation Universal"
            ),
            "mechanism": "Mechanism",
            "scalar_values": "is_symbolic nonzero",
            "parameters": "symbols",
            "pose": "Pose",
            "shapes": "AbstractShape Box Capsule Cylinder Mesh Sphere",
            "signal": "Signal",
            "states": "SampledState State",
            "name_suggestion": "parameter_hint suggestion",
            "environment": "LoadInputs Environment",
            "tabulated_function": "Table",
        },
    )

__all__ = [
    "WORLD",
    "AbstractClosure",
    "AbstractConstraint",
    "AbstractForce",
    "AbstractForceBetween",
    "AbstractJoint",
    "AbstractJointForce",
    "AbstractShape",
    "Actuator",
    "AxisLike",
    "BaseMotion",
    "Body",
    "Box",
    "Bushing",
    "Capsule",
    "Connection",
    "ConstantForce",
    "Curve",
    "Cylinder",
    "Cylindrical",
    "Distance",
    "Environment",
    "Euler",
    "Fixed",
    "FormulaConstraint",
    "FormulaForce",
    "Frame",
    "FrameMotion",
    "FramePair",
    "Free",
    "Gear",
    "Helical",
    "Holonomic",
    "JointForce",
    "JointFriction",
    "JointMotion",
    "JointSpring",
    "JointStop",
    "KnifeEdge",
    "Limits",
    "LoadInputs",
    "Loop",
    "Mechanism",
    "Mesh",
    "Mimic",
    "Motor",
    "Nonholonomic",
    "Planar",
    "PointMotion",
    "PointOnCurve",
    "PointOnSurface",
    "PointSpeed",
    "Pose",
    "PrescribedMotion",
    "PrescribedSpeed",
    "Prismatic",
    "RackPinion",
    "Revolute",
    "RollingBall",
    "RollingDisc",
    "RollingEllipsoid",
    "Rows",
    "SampledState",
    "Signal",
    "Sphere",
    "Spherical",
    "Spring",
    "State",
    "Table",
    "TabulatedSpring",
    "Translation",
    "Universal",
    "VelocityConstraint",
    "is_symbolic",
    "nonzero",
    "parameter_hint",
    "suggestion",
    "symbols",
    "unit_axis",
]
