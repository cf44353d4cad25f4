"""What forces in joints that are given by formulas have in common."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from poinsot.expr.formula import variables
from poinsot.model.changed import changed
from poinsot.model.forces.joint_names import (
    OWN,
    Formula,
    Where,
    check_reads,
    checked_formula,
    checked_where,
    values,
)
from poinsot.model.forces.on_joint import AbstractJointForce, JointMotion
from poinsot.model.formula_names import check_formula, parameters_in, with_numbers
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["AbstractJointFormula"]


@dataclass(frozen=True, init=False)
class AbstractJointFormula(AbstractJointForce):
    """A force in a joint, by formulas in time, coordinates, velocities and parameters.

    Attributes:
        names: Further names in its formulas, and what each stands for.
        formula_fields: The fields that hold formulas.
    """

    names: Where

    formula_fields: ClassVar[tuple[str, ...]]

    def __init__(
        self, joint: str, index: int, where: Any, formulas: Mapping[str, Any],  # noqa: ANN401
        name: str | None,
    ) -> None:  # fmt: skip
        """Check and store the formulas."""
        super().__init__(joint, index, name)
        opening = self.where(name)
        object.__setattr__(self, "names", checked_where(where, opening))
        for key, formula in formulas.items():
            found = checked_formula(formula, self._names, f"{opening}: {key}")
            object.__setattr__(self, key, found)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joint on which it acts, then those that its formulas name."""
        return tuple(dict.fromkeys((self.joint, *(read[0] for _, read in self.names))))

    def with_joints(self, joints: Sequence[str]) -> Self:
        """Return the same element between other joints."""
        new = dict(zip(self.joints, joints, strict=True))
        where = tuple((key, (new[read[0]], *read[1:])) for key, read in self.names)
        return changed(self, joint=new[self.joint], names=where)

    @property
    def depends_on_time(self) -> bool:
        """Whether ``t`` is in one of the formulas."""
        return any("t" in variables(text) for text in self._texts().values())

    @property
    def parameters(self) -> frozenset[str]:
        """Names in the formulas that must be parameters of the system."""
        found = (parameters_in(text, self._names) for text in self._texts().values())
        return frozenset().union(*found)

    def check_parameters(self, known: Collection[str]) -> None:
        """Refuse names that are no parameters, and parameters that mean something else here."""
        meaning = "has a meaning of its own in the formula of a force in a joint"
        for key, text in self._texts().items():
            check_formula(text, self._names, known, f"{self.where(self.name)}: {key}", meaning)

    def with_values(self, values: Mapping[str, float]) -> Self:
        """Return the force with numbers in place of some of its parameters."""
        new = {key: with_numbers(text, values) for key, text in self._texts().items()}
        return changed(self, **new)

    def check_joints(self, joints: Mapping[str, AbstractJoint]) -> None:
        """Refuse joints that are unknown or do not fit."""
        super().check_joints(joints)
        check_reads(self.names, joints, self.where(self.name))

    @property
    def needs_coordinate(self) -> bool:
        """Whether ``q`` is in one of the formulas."""
        return any("q" in variables(text) for text in self._texts().values())

    def _value(self, formula: Formula, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        own: dict[str, Scalar] = {"t": t, "v": joints[0].v[self.index]}
        if self.needs_coordinate:
            own["q"] = joints[0].q[self.index]
        motions = dict(zip(self.joints, joints, strict=True))
        return values(formula, own, self.names, motions, self.parameters)

    @property
    def _names(self) -> tuple[str, ...]:
        return (*OWN, *(key for key, _ in self.names))

    def _texts(self) -> dict[str, str]:
        found = {key: getattr(self, key) for key in self.formula_fields}
        return {key: text for key, text in found.items() if isinstance(text, str)}
