"""Prescribed motion: a joint coordinate as a function of time."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, final

from poinsot.model.constraints.base import JointName, Rows, View
from poinsot.model.constraints.point_relation import (
    TURN,
    AbstractRelation,
    Formula,
    FunctionOrFormula,
    from_formulas,
    is_function,
    less_turns,
)
from poinsot.model.constraints.smooth_function import TracedFunction, traced
from poinsot.model.fields import Stored, declared, field

__all__ = ["MotionLaw", "PrescribedMotion"]


class MotionLaw(FunctionOrFormula):
    """A coordinate over time; a traced function is the program of q - motion(t)."""


@final
@declared
class PrescribedMotion(AbstractRelation):
    """Moves one coordinate of a joint as a function of time: phi = q - motion(t).

    Its multiplier is the force that enforces it [N or N m].  The joint may close a loop.

    Examples:
        >>> drive = PrescribedMotion("motor", "crank", "0.2 + 3*t")
        >>> drive.joints, drive.depends_on_time
        (('crank',), True)
    """

    kind: ClassVar[str] = "prescribed motion"
    file_type: ClassVar[str] = "prescribed"

    joint: str = field(JointName(), "Name of a joint of one coordinate, or of a coordinate: base.x")
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

    def rows(self, view: View) -> Rows:
        """Return q - motion(t), less whole turns where the angle is that of a cut joint."""
        rows = super().rows(view)
        return less_turns(rows, TURN) if any(view.joint(self.joint).turns) else rows

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The motion."""
        return () if isinstance(self.motion, TracedFunction) else (self.motion,), ()

    @property
    def locked(self) -> tuple[str]:
        """The coordinate."""
        return ("motion",)
