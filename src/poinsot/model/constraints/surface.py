"""The point that stays on a surface."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Self, final

from poinsot.errors import ModelError
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import Frame, FramePair, checked_frame
from poinsot.model.constraints.relation import (
    AbstractRelation,
    Formula,
    checked_formula,
    from_formulas,
    is_function,
)
from poinsot.model.constraints.smooth import traced
from poinsot.model.formula_names import with_numbers
from poinsot.model.pose import Pose

__all__ = ["PointOnSurface"]

_NAMES: Final = ("x", "y", "z")


@final
@dataclass(frozen=True, init=False)
class PointOnSurface(AbstractRelation):
    """Keeps a point of a body on a surface g(x, y, z) = 0 that another body carries.

    The multiplier times the gradient of g is the force on the point [N].

    Attributes:
        point: Body and pose whose origin is the point.
        on: Body and pose of the frame in which the surface is given.
        surface: The formula of g as given; None for a function.

    Examples:
        >>> ball = PointOnSurface("ball", ("tip", (0, 0, 0.2)), "x**2 + y**2 + z**2 - 1")
        >>> ball.on[0], ball.locked
        ('world', ('surface',))
    """

    point: Frame
    on: Frame
    surface: Formula | None = field(compare=False)

    kind: ClassVar[str] = "point on surface"
    frame_fields: ClassVar[tuple[str, ...]] = ("point", "on")

    def __init__(
        self,
        name: str,
        point: tuple[str, Any],
        surface: Formula | Callable[[Any, Any, Any], Any],
        on: str | tuple[str, Any] = (WORLD, Pose()),
    ) -> None:
        """Check and store the constraint.

        Args:
            name: Name, unique among loops and constraints.
            point: A body's name and a point in its coordinates [m].
            surface: g as a formula in ``x``, ``y``, ``z`` [m], ``t`` [s] and parameters, or as a
                function of three generic scalars.
            on: A body's name, or ``"world"``, and the pose of the frame of x, y, z on it.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(name)
        object.__setattr__(self, "point", checked_frame(point, f"{self.where}: point"))
        object.__setattr__(self, "on", checked_frame(on, f"{self.where}: on"))
        where = f"{self.where}: surface"
        text: Formula | None = None
        if is_function(surface):
            found = traced(lambda x, t: surface(*x), 3, where)
        else:
            text = checked_formula(surface, where)
            found = traced(from_formulas([text], _NAMES, where), 3, where)
        size = found.program.outputs[0].size
        if size != 1:
            raise ModelError(f"{where} must be one number, got {size}")
        object.__setattr__(self, "surface", text)
        self._keep(found)
        if self.point[0] == self.on[0]:
            raise ModelError(
                f"{self.where}: point and surface are both on {self.on[0]!r}; "
                "let another body carry one of them"
            )

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The surface."""
        return () if self.surface is None else (self.surface,), _NAMES

    def remade(self, fields: Mapping[str, Any], values: Mapping[str, float]) -> Self:
        """Return the constraint with numbers in place of some parameters."""
        if self.surface is None:
            return super().remade(fields, values)
        surface = with_numbers(self.surface, values)
        return type(self)(self.name, fields["point"], surface, fields["on"])

    @property
    def pairs(self) -> tuple[FramePair]:
        """The frame of the surface and the point."""
        return ((self.on, self.point),)

    @property
    def locked(self) -> tuple[str]:
        """The normal of the surface."""
        return ("surface",)
