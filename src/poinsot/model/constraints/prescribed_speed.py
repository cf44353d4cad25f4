"""Prescribed speeds: of a joint coordinate, or of a point along a direction of its body."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, ClassVar, final

import numpy as np

from poinsot.model.axis import Axis, AxisField
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import (
    AbstractConstraint,
    FrameField,
    FrameOnBody,
    FramePair,
    JointName,
    PointOnBody,
)
from poinsot.model.constraints.frame_velocity import AbstractFrameVelocity, Equations
from poinsot.model.constraints.point_relation import (
    TIME,
    Formula,
    FunctionOrFormula,
    check_formulas,
    from_formulas,
    is_function,
)
from poinsot.model.constraints.point_velocity import AbstractPointVelocity
from poinsot.model.constraints.smooth_function import TracedFunction, traced_velocities
from poinsot.model.fields import Stored, declared, field
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Scalar, Transform

__all__ = ["PointSpeed", "PrescribedSpeed", "Speed"]

SpeedLaw = Stored[Formula | TracedFunction, Formula | Callable[[Any], Any]]
"""The type of a field that holds a speed over time."""


class Speed(FunctionOrFormula):
    """A speed over time; a traced function is the program of velocity - speed(t)."""


@final
@declared
class PrescribedSpeed(AbstractPointVelocity):
    """Moves one coordinate of a joint at a given speed: dq/dt = speed(t).

    Where the coordinate begins is left open; ``PrescribedMotion`` says that, too.  The multiplier
    is the force that enforces it [N or N m].

    Examples:
        >>> PrescribedSpeed("motor", "wheel", "3 + sin(t)").joints
        ('wheel',)
    """

    kind: ClassVar[str] = "prescribed speed"

    joint: str = field(JointName(), "Name of a joint of one coordinate, or of a coordinate: base.x")
    speed: SpeedLaw = field(
        Speed(),
        "Its rate [rad/s or m/s]: a number, a formula in t [s] and parameters, or a function of a "
        "generic scalar, which is traced",
        compare=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if isinstance(self.speed, TracedFunction):
            self._store_function(self.speed)
            return
        speed = _law(self, self.speed)
        function = traced_velocities(lambda x, u, t: ((), [u[0] - speed(t)]), 1, 1, self.label)
        self._store_function(function)
        if is_function(self.speed):
            self._store(speed=function)

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the speed that are not parameters of the mechanism."""
        _check_law(self, self.speed, known)

    @property
    def locked(self) -> tuple[str]:
        """The rate of the coordinate."""
        return ("speed",)


@final
@declared
class PointSpeed(AbstractFrameVelocity):
    """Moves a point of a body at a given speed along a direction of the body: d·v = speed(t).

    v is the velocity of the point relative to ``on``.  The multiplier is the force along d [N].

    Examples:
        >>> PointSpeed("cruise", "car", "x", speed=3.0).locked
        ('speed',)
    """

    kind: ClassVar[str] = "point speed"

    point: FrameField = field(PointOnBody(), "A body's name and a point, or a frame, on it [m]")
    direction: AxisField = field(Axis(), "Direction of the speed in that frame", default="x")
    speed: SpeedLaw = field(
        Speed(),
        "Speed [m/s]: a number, a formula in t [s] and parameters, or a function of a generic "
        "scalar, which is traced",
        compare=False, kw_only=True,
    )  # fmt: skip
    on: FrameField = field(
        FrameOnBody(), 'Relative to what: a body\'s name, or "world"', default=(WORLD, Pose()),
        kw_only=True,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        if isinstance(self.speed, TracedFunction):
            self._store_function(self.speed)
            return
        super()._check_together(given)
        if is_function(self.speed):
            self._store(speed=TracedFunction(self.program, self.terms))

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in the speed that are not parameters of the mechanism."""
        _check_law(self, self.speed, known)

    @property
    def pair(self) -> FramePair:
        """Relative to what, and the point."""
        return self.on, self.point

    @property
    def locked(self) -> tuple[str]:
        """The velocity along the direction."""
        return ("speed",)

    def _equations(self, X: Transform, V: Array, t: Scalar) -> Equations:
        return (), [np.array(self.direction) @ V[:3] - _law(self, self.speed)(t)]


def _law(constraint: AbstractConstraint, speed: Any) -> Callable[[Scalar], Any]:  # noqa: ANN401
    """Return a speed as a function of time."""
    if is_function(speed):
        return speed
    values = from_formulas([speed], (), f"{constraint.label}: speed")
    return lambda t: values(np.zeros(0), t)[0]


def _check_law(constraint: AbstractConstraint, speed: Any, known: Collection[str]) -> None:  # noqa: ANN401
    if not isinstance(speed, TracedFunction):
        check_formulas([speed], (TIME,), known, constraint.label)
