"""The force in a joint that is given by a formula: a control law that travels with the model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

from poinsot.model.forces.formula_on_joint import AbstractJointFormula
from poinsot.model.forces.joint_names import Formula
from poinsot.model.forces.on_joint import JointMotion
from poinsot.spatial import Scalar

__all__ = ["JointForce"]


@final
@dataclass(frozen=True, init=False)
class JointForce(AbstractJointFormula):
    """A force in a joint as a formula: a drive, a control law, a spring of any kind.

    The formula may contain the time ``t`` [s], the coordinate ``q`` [m or rad] and the velocity
    ``v`` of the joint itself, names of ``where``, parameters of the system, and what formulas of
    :class:`FormulaForce` may.  It counts as an applied force: no energy is stored in it.

    Attributes:
        joint: Name of the joint it acts on.
        formula: The force [N] or moment [N m] along its velocity: a number or a formula.
        names: Further names, and what each stands for.
        index: Along which of the joint's velocities, counted from 0.

    Examples:
        >>> law = JointForce("elbow", "kp*(sin(2*t) - q) - kd*v + 0.1*w",
        ...                  where={"w": ("shoulder", "v")})
        >>> law.joints, sorted(law.parameters), law.depends_on_time
        (('elbow', 'shoulder'), ['kd', 'kp'], True)
    """

    formula: Formula

    kind: ClassVar[str] = "joint force"
    formula_fields: ClassVar[tuple[str, ...]] = ("formula",)

    def __init__(
        self,
        joint: str,
        formula: Formula,
        *,
        where: Mapping[str, Any] | tuple[Any, ...] = (),
        index: int = 0,
        name: str | None = None,
    ) -> None:
        """Check and store the force.

        Args:
            joint: Name of the joint it acts on.
            formula: The force [N] or moment [N m]: a number or a formula.
            where: For each further name a coordinate, ``"slide"`` or ``("ball", "q", 2)``, or a
                velocity, ``("slide", "v")``, of a joint.
            index: Along which of the joint's velocities, counted from 0; ``q`` and ``v`` are its.
            name: Name of the force, for messages.

        Raises:
            FormulaError: If the formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(joint, index, where, {"formula": formula}, name)

    def force_along(self, joints: Sequence[JointMotion], t: Scalar) -> Scalar:
        """Return the value of the formula."""
        return self._value(self.formula, joints, t)
