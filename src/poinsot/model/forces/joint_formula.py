"""Base of joint forces that are given by formulas."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar, Self

from poinsot.expr.formula import variables
from poinsot.model.changed import changed
from poinsot.model.fields import Stored, declarations, declared, field
from poinsot.model.forces.joint_element import AbstractJointForce, JointMotion
from poinsot.model.forces.joint_formula_names import (
    OWN,
    Formula,
    JointFormula,
    JointReads,
    Where,
    check_reads,
    values,
)
from poinsot.model.formula_names import check_formula, parameters_in
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["AbstractJointFormula"]


@declared
class AbstractJointFormula(AbstractJointForce):
    """A force in a joint, by formulas in time, coordinates, velocities and parameters."""

    renamed: ClassVar[Mapping[str, str]] = {"names": "where"}

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

    @property
    def depends_on_time(self) -> bool:
        """Whether ``t`` is in one of the formulas."""
        return any("t" in variables(text) for text in self._texts().values())

    @property
    def parameters(self) -> frozenset[str]:
        """Names in the formulas that must be parameters of the system."""
        names = (parameters_in(text, self.own_names) for text in self._texts().values())
        return frozenset().union(*names)

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names that are not parameters, and parameters that mean something else here."""
        meaning = "has a meaning of its own in the formula of a force in a joint"
        for key, text in self._texts().items():
            check_formula(text, self.own_names, known, f"{self.label}: {key}", meaning)

    def check_joints(self, joints: Mapping[str, AbstractJoint]) -> None:
        """Reject joints that are unknown or do not fit."""
        super().check_joints(joints)
        check_reads(self.where, joints, self.label)

    @property
    def needs_coordinate(self) -> bool:
        """Whether ``q`` is in one of the formulas."""
        return any("q" in variables(text) for text in self._texts().values())

    def _value(self, formula: Formula, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        reserved: dict[str, Scalar] = {"t": t, "v": joints[0].v[self.index]}
        if self.needs_coordinate:
            reserved["q"] = joints[0].q[self.index]
        motions = dict(zip(self.joints, joints, strict=True))
        return values(formula, reserved, self.where, motions, self.parameters)

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names that mean something in its formulas besides parameters."""
        return (*OWN, *(key for key, _ in self.where))

    @property
    def formula_fields(self) -> tuple[str, ...]:
        """Names of the fields that hold formulas."""
        stated = declarations(type(self)).items()
        return tuple(
            name for name, declaration in stated if isinstance(declaration.kind, JointFormula)
        )

    def _texts(self) -> dict[str, str]:
        formulas = {key: getattr(self, key) for key in self.formula_fields}
        return {key: text for key, text in formulas.items() if isinstance(text, str)}
