"""Force elements, one per file; ``base`` is their contract."""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.forces.actuator import Actuator
    from poinsot.model.forces.base import AbstractForce, End, PointMotion
    from poinsot.model.forces.bushing import Bushing
    from poinsot.model.forces.constant import ConstantForce
    from poinsot.model.forces.formula import FormulaForce
    from poinsot.model.forces.friction import JointFriction
    from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
    from poinsot.model.forces.joint_force import JointForce
    from poinsot.model.forces.joint_spring import JointSpring
    from poinsot.model.forces.motor import Motor
    from poinsot.model.forces.spring import Spring
    from poinsot.model.forces.stop import JointStop
    from poinsot.model.forces.tabulated_spring import TabulatedSpring
    from poinsot.model.forces.two_point_element import AbstractForceBetween
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "actuator": "Actuator",
            "base": "AbstractForce End PointMotion",
            "two_point_element": "AbstractForceBetween",
            "bushing": "Bushing",
            "constant": "ConstantForce",
            "formula": "FormulaForce",
            "friction": "JointFriction",
            "joint_force": "JointForce",
            "joint_spring": "JointSpring",
            "motor": "Motor",
            "joint_element": "AbstractJointForce JointMotion",
            "spring": "Spring",
            "stop": "JointStop",
            "tabulated_spring": "TabulatedSpring",
        },
    )

__all__ = [
    "AbstractForce",
    "AbstractForceBetween",
    "AbstractJointForce",
    "Actuator",
    "Bushing",
    "ConstantForce",
    "End",
    "FormulaForce",
    "JointForce",
    "JointFriction",
    "JointMotion",
    "JointSpring",
    "JointStop",
    "Motor",
    "PointMotion",
    "Spring",
    "TabulatedSpring",
]
