"""The joint that moves as time says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, final

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name
from poinsot.model.constraints.relation import (
    AbstractRelation,
    Formula,
    checked_formula,
    from_formulas,
    is_function,
)
from poinsot.model.constraints.smooth import traced
from poinsot.model.formula_names import with_numbers

__all__ = ["PrescribedMotion"]


@final
@dataclass(frozen=True, init=False)
class PrescribedMotion(AbstractRelation):
    """Moves a joint of one coordinate as a function of time: phi = q - motion(t).

    Its multiplier is the force that does it [N or N m].

    Attributes:
        joint: Name of the joint.
        motion: Its coordinate [rad or m]: a formula in ``t``, or a number; None for a function.

    Examples:
        >>> drive = PrescribedMotion("motor", "crank", "0.2 + 3*t")
        >>> drive.joints, drive.depends_on_time
        (('crank',), True)
    """

    joint: str
    motion: Formula | None = field(compare=False)

    kind: ClassVar[str] = "prescribed motion"
    joint_fields: ClassVar[tuple[str, ...]] = ("joint",)

    def __init__(self, name: str, joint: str, motion: Formula | Callable[[Any], Any]) -> None:
        """Check and store the drive.

        Args:
            name: Name, unique among loops and constraints.
            joint: Name of the joint, which has one coordinate.
            motion: Its coordinate [rad or m] as a formula in ``t`` [s] and parameters, as a
                function of a generic scalar, or a number to hold it there.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(name)
        object.__setattr__(self, "joint", checked_name(joint, f"{self.where}: joint"))
        where = f"{self.where}: motion"
        text: Formula | None = None
        if is_function(motion):
            found = traced(lambda x, t: x[0] - motion(t), 1, where)
        else:
            text = checked_formula(motion, where)
            values = from_formulas([text], (), where)
            found = traced(lambda x, t: x[0] - values(x[:0], t)[0], 1, where)
        size = found.program.outputs[0].size
        if size != 1:
            raise ModelError(f"{where} must be one number, got {size}")
        object.__setattr__(self, "motion", text)
        self._keep(found)

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The motion."""
        return () if self.motion is None else (self.motion,), ()

    def remade(self, fields: Mapping[str, Any], values: Mapping[str, float]) -> Self:
        """Return the drive with numbers in place of some parameters."""
        if self.motion is None:
            return super().remade(fields, values)
        return type(self)(self.name, self.joint, with_numbers(self.motion, values))

    @property
    def joints(self) -> tuple[str]:
        """The joint."""
        return (self.joint,)

    @property
    def locked(self) -> tuple[str]:
        """The coordinate."""
        return ("motion",)
