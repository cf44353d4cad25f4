"""Prescribed motion: a joint coordinate as a function of time."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, final

from poinsot.model.constraints.base import JointName
from poinsot.model.constraints.point_relation import (
    AbstractRelation,
    Formula,
    FunctionOrFormula,
    from_formulas,
    is_function,
)
from poinsot.model.constraints.smooth_function import TracedFunction, traced
from poinsot.model.fields import Stored, declared, field

__all__ = ["MotionLaw", "PrescribedMotion"]


class MotionLaw(FunctionOrFormula):
    """A coordinate over time; a traced function is the program of q - motion(t)."""


@final
@declared
class PrescribedMotion(AbstractRelation):
    """Moves a joint of one coordinate as a function of time: phi = q - motion(t).

    Its multiplier is the force that enforces it [N or N m].

    Examples:
        >>> drive = PrescribedMotion("motor", "crank", "0.2 + 3*t")
        >>> drive.joints, drive.depends_on_time
        (('crank',), True)
    """

    kind: ClassVar[str] = "prescribed motion"
    file_type: ClassVar[str] = "prescribed"

    joint: str = field(JointName(), "Name of the joint, which has one coordinate")
    motion: Stored[Formula | TracedFunction, Formula | Callable[[Any], Any]] = field(
        MotionLaw(),
        "Its coordinate [rad or m]: a formula in t [s] and parameters, a function of a generic "
        "scalar, which is traced, or a number to hold it there",
        compare=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        motion: Any = self.motion
        where = f"{self.label}: motion"
        if isinstance(motion, TracedFunction):
            function = motion
        elif is_function(motion):
            function = traced(lambda x, t: x[0] - motion(t), 1, where)
        else:
            values = from_formulas([motion], (), where)
            function = traced(lambda x, t: x[0] - values(x[:0], t)[0], 1, where)
        self._store_equation("motion", function)

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The motion."""
        return () if isinstance(self.motion, TracedFunction) else (self.motion,), ()

    @property
    def locked(self) -> tuple[str]:
        """The coordinate."""
        return ("motion",)
