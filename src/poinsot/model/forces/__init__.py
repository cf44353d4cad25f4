"""Force elements, one a file; ``base`` is their contract."""

from poinsot.model.forces.base import AbstractForce, End, PointMotion
from poinsot.model.forces.constant import ConstantForce
from poinsot.model.forces.formula import FormulaForce
from poinsot.model.forces.spring import Spring

__all__ = ["AbstractForce", "ConstantForce", "End", "FormulaForce", "PointMotion", "Spring"]
