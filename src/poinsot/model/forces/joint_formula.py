"""Base of joint forces that are given by formulas."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

from poinsot.expr.formula import variables
from poinsot.model.changed import changed
from poinsot.model.fields import Stored, declared, field
from poinsot.model.forces.formula_fields import Formula, FormulaFields
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.forces.joint_formula_names import (
    OWN,
    JointReads,
    Where,
    check_reads,
    read_values,
)
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["AbstractJointFormula"]


@declared
class AbstractJointFormula(FormulaFields, AbstractJointForce):
    """A force in a joint, by formulas in time, coordinates, velocities and parameters."""

    renamed: ClassVar[Mapping[str, str]] = {"names": "where"}
    meaning_of_names: ClassVar[str] = (
        "has a meaning of its own in the formula of a force in a joint"
    )

    where: Stored[Where, Mapping[str, Any] | tuple[Any, ...]] = field(
        JointReads(),
        'For each further name in formulas a coordinate, "slide" or ("ball", "q", 2), or a '
        'velocity, ("slide", "v"), of a joint',
        default=(), kw_only=True, omit=True,
    )  # fmt: skip

    @property
    def joints(self) -> tuple[str, ...]:
        """The joint on which it acts, then those that its formulas name."""
        return tuple(dict.fromkeys((self.joint, *(read[0] for _, read in self.where))))

    def with_joints(self, joints: Sequence[str]) -> Self:
        """Return the same element between other joints."""
        new = dict(zip(self.joints, joints, strict=True))
        where = tuple((key, (new[read[0]], *read[1:])) for key, read in self.where)
        return changed(self, joint=new[self.joint], where=where)

    def check_joints(self, joints: Mapping[str, AbstractJoint]) -> None:
        """Reject joints that are unknown or do not fit."""
        super().check_joints(joints)
        check_reads(self.where, joints, self.label)

    @property
    def needs_coordinate(self) -> bool:
        """Whether ``q`` is in one of the formulas."""
        return any("q" in variables(text) for text in self._texts().values())

    def _value(self, formula: Formula, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        names: dict[str, Scalar] = {"t": t, "v": joints[0].v[self.index]}
        if self.needs_coordinate:
            names["q"] = joints[0].q[self.index]
        motions = dict(zip(self.joints, joints, strict=True))
        return self._formula_value(formula, names | read_values(self.where, motions))

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names that mean something in its formulas besides parameters."""
        return (*OWN, *(key for key, _ in self.where))
