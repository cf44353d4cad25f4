"""A function of places of points, seen from frames, and of coordinates of joints, that is 0."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self, final

from poinsot.model.changed import changed
from poinsot.model.constraints.base import Frame, FramePair
from poinsot.model.constraints.holonomic import Function
from poinsot.model.constraints.point_relation import AbstractRelation
from poinsot.model.constraints.smooth_function import TracedFunction, traced
from poinsot.model.fields import AbstractKind, Stored, declared, field

__all__ = ["PlaceRelation"]


class Listed(AbstractKind):
    """A list of frames or of names, which the program that makes the constraint has checked."""

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Any, ...]:  # noqa: ANN401
        """Return it as a tuple."""
        return tuple(given)


@final
@declared
class PlaceRelation(AbstractRelation):
    """One equation g(x, t) = 0, x stacking places of points and coordinates of joints.

    Points are seen from frames that may move; joints may close loops, their angles then are in
    (-π, π].  It is what planar mechanisms make of equations that have no formula.
    """

    kind: ClassVar[str] = "relation"
    file_type: ClassVar[None] = None

    seen: Stored[tuple[FramePair, ...], Sequence[FramePair]] = field(
        Listed(), "Pairs of a frame and a point whose three coordinates in it x begins with"
    )
    used: Stored[tuple[str, ...], Sequence[str]] = field(
        Listed(), "Names of the joints whose coordinates follow"
    )
    function: Stored[TracedFunction | Callable[[Any, Any], Any], Callable[[Any, Any], Any]] = field(
        Function("(x, t)"), "(x, t) -> the number that is 0, over generic scalars",
        compare=False, in_digest=False,
    )  # fmt: skip

    def _check_together(self, given: Any) -> None:  # noqa: ANN401
        function: Any = self.function
        if not isinstance(function, TracedFunction):
            function = traced(function, 3 * len(self.seen) + len(self.used), self.label)
            self._store(function=function)
        self._store_function(function)

    @property
    def pairs(self) -> tuple[FramePair, ...]:
        """Frames and points."""
        return self.seen

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints in it."""
        return self.used

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Return the same equation of other bodies and joints."""
        seen = tuple((frame(first), frame(second)) for first, second in self.seen)
        return changed(self, name=name, seen=seen, used=tuple(map(joint, self.used)))
