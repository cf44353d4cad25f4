"""The point that stays on a surface."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, final

from poinsot.errors import ModelError
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import FrameField, FrameOnBody, FramePair, PointOnBody
from poinsot.model.constraints.point_relation import (
    AbstractRelation,
    Formula,
    FunctionOrFormula,
    from_formulas,
    is_function,
)
from poinsot.model.constraints.smooth_function import TracedFunction, traced
from poinsot.model.fields import Stored, declared, field
from poinsot.model.pose import Pose

__all__ = ["SURFACE_NAMES", "PointOnSurface", "Surface"]

SURFACE_NAMES: Final = ("x", "y", "z")


class Surface(FunctionOrFormula):
    """What is 0 on a surface; a traced function is the program of it."""


@final
@declared
class PointOnSurface(AbstractRelation):
    """Keeps a point of a body on a surface g(x, y, z) = 0 that another body carries.

    The multiplier times the gradient of g is the force on the point [N].

    Examples:
        >>> ball = PointOnSurface("ball", ("tip", (0, 0, 0.2)), "x**2 + y**2 + z**2 - 1")
        >>> ball.on[0], ball.locked
        ('world', ('surface',))
    """

    kind: ClassVar[str] = "point on surface"

    point: FrameField = field(PointOnBody(), "A body's name and a point in its coordinates [m]")
    surface: Stored[Formula | TracedFunction, Formula | Callable[[Any, Any, Any], Any]] = field(
        Surface(),
        "g: a formula in x, y, z [m], t [s] and parameters, or a function of three generic "
        "scalars, which is traced",
        compare=False,
    )  # fmt: skip
    on: FrameField = field(
        FrameOnBody(), 'A body\'s name, or "world", and the pose of the frame of x, y, z on it',
        default=(WORLD, Pose()),
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        surface: Any = self.surface
        where = f"{self.label}: surface"
        if isinstance(surface, TracedFunction):
            function = surface
        elif is_function(surface):
            function = traced(lambda x, t: surface(*x), 3, where)
        else:
            function = traced(from_formulas([surface], SURFACE_NAMES, where), 3, where)
        self._store_equation("surface", function)
        if self.point[0] == self.on[0]:
            raise ModelError(
                f"{self.label}: point and surface are both on {self.on[0]!r}; "
                "let another body carry one of them"
            )

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The surface."""
        return () if isinstance(self.surface, TracedFunction) else (self.surface,), SURFACE_NAMES

    @property
    def pairs(self) -> tuple[FramePair]:
        """The frame of the surface and the point."""
        return ((self.on, self.point),)

    @property
    def locked(self) -> tuple[str]:
        """The normal of the surface."""
        return ("surface",)
