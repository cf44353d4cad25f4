"""The joint that moves as time says."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

from poinsot.errors import ModelError
from poinsot.model.checks import checked_name
from poinsot.model.constraints.relation import AbstractRelation, Formula, from_formulas
from poinsot.model.constraints.smooth import traced

__all__ = ["PrescribedMotion"]


@final
@dataclass(frozen=True, init=False)
class PrescribedMotion(AbstractRelation):
    """Moves a joint of one coordinate as a function of time: phi = q - motion(t).

    Its multiplier is the force that does it [N or N m].

    Attributes:
        joint: Name of the joint.
        motion: Its coordinate [rad or m]: a formula in ``t``, or a number.

    Examples:
        >>> drive = PrescribedMotion("motor", "crank", "0.2 + 3*t")
        >>> drive.joints, drive.depends_on_time
        (('crank',), True)
    """

    joint: str
    motion: Formula

    kind: ClassVar[str] = "prescribed motion"
    joint_fields: ClassVar[tuple[str, ...]] = ("joint",)

    def __init__(self, name: str, joint: str, motion: Formula | Callable[[Any], Any]) -> None:
        """Check and store the drive.

        Args:
            name: Name, unique among loops and constraints.
            joint: Name of the joint, which has one coordinate.
            motion: Its coordinate [rad or m] as a formula in ``t`` [s], as a function of a generic
                scalar, or a number to hold it there.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(name)
        object.__setattr__(self, "joint", checked_name(joint, f"{self.where}: joint"))
        where = f"{self.where}: motion"
        if callable(motion):
            program = traced(lambda x, t: x[0] - motion(t), 1, where)
        else:
            values = from_formulas([motion], (), where)
            program = traced(lambda x, t: x[0] - values(x[:0], t)[0], 1, where)
        if program.outputs[0].size != 1:
            raise ModelError(f"{where} must be one number, got {program.outputs[0].size}")
        self._keep(program)

    @property
    def joints(self) -> tuple[str]:
        """The joint."""
        return (self.joint,)

    @property
    def locked(self) -> tuple[str]:
        """The coordinate."""
        return ("motion",)
