"""Force elements, one a file; ``base`` is their contract."""

from typing import TYPE_CHECKING

from poinsot.lazy import lazy_names

if TYPE_CHECKING:
    from poinsot.model.forces.base import AbstractForce, End, PointMotion
    from poinsot.model.forces.between import AbstractForceBetween
    from poinsot.model.forces.constant import ConstantForce
    from poinsot.model.forces.formula import FormulaForce
    from poinsot.model.forces.friction import JointFriction
    from poinsot.model.forces.joint import JointForce
    from poinsot.model.forces.joint_spring import JointSpring
    from poinsot.model.forces.motor import Motor
    from poinsot.model.forces.on_joint import AbstractJointForce, JointMotion
    from poinsot.model.forces.spring import Spring
    from poinsot.model.forces.stop import JointStop
    from poinsot.model.forces.tabulated_spring import TabulatedSpring
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "base": "AbstractForce End PointMotion",
            "between": "AbstractForceBetween",
            "constant": "ConstantForce",
            "formula": "FormulaForce",
            "friction": "JointFriction",
            "joint": "JointForce",
            "joint_spring": "JointSpring",
            "motor": "Motor",
            "on_joint": "AbstractJointForce JointMotion",
            "spring": "Spring",
            "stop": "JointStop",
            "tabulated_spring": "TabulatedSpring",
        },
    )

__all__ = [
    "AbstractForce",
    "AbstractForceBetween",
    "AbstractJointForce",
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
