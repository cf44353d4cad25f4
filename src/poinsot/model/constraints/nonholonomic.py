"""User-defined constraints on velocities: a function of q, v and t, or formulas with rates."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Self, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols
from poinsot.model.body import WORLD
from poinsot.model.constraints.base import Frame, FramePair, View
from poinsot.model.constraints.holonomic import (
    Formulas,
    Function,
    Meanings,
    Where,
    refuse_to_move,
    variables,
)
from poinsot.model.constraints.point_relation import TIME, Formula, check_formulas, from_formulas
from poinsot.model.constraints.point_velocity import AbstractPointVelocity
from poinsot.model.constraints.smooth_function import TracedFunction, laid_out, traced_velocities
from poinsot.model.constraints.velocity_relation import AbstractVelocityRelation, VelocityMotion
from poinsot.model.fields import Stored, declared, derived, field
from poinsot.model.pose import Pose
from poinsot.spatial import Array, Scalar

__all__ = ["Nonholonomic", "VelocityConstraint"]

RATE: Final = "_dot"
"""Behind a name in formulas it stands for the rate of what the name stands for."""


def _numbered(m: int) -> tuple[str, ...]:
    return ("velocity",) if m == 1 else tuple(f"velocity {k}" for k in range(1, m + 1))


@final
@declared
class VelocityConstraint(AbstractPointVelocity):
    """Formulas that are 0, linear in rates: A(q, t) v - b(q, t) = 0.

    Names stand for world coordinates of points and coordinates of joints, and with ``_dot`` behind
    them for their rates.

    Examples:
        >>> pursuit = VelocityConstraint(
        ...     "dog", "x_dot*(y - 3*t) - y_dot*x",
        ...     where={"x": ("dog", (0, 0, 0), "x"), "y": ("dog", (0, 0, 0), "y")})
        >>> pursuit.locked, pursuit.velocity_rows
        (('velocity',), 1)
    """

    kind: ClassVar[str] = "velocity constraint"

    formula: Stored[tuple[Formula, ...], Formula | Sequence[Formula]] = field(
        Formulas(),
        "What is 0: one formula or several, in the names of where, their rates (x_dot), t [s] and "
        "parameters",
    )  # fmt: skip
    where: Stored[Where, Mapping[str, str | tuple[str, Any, str]]] = field(
        Meanings(),
        "For each name a body, a point in its coordinates [m] and an axis of the world, as in "
        '("sled", (0, 0, 0), "x"), or the name of a joint of one coordinate',
    )  # fmt: skip
    points: tuple[Frame, ...] = derived()
    used: tuple[str, ...] = derived()

    def _check_together(self, given: Mapping[str, Any]) -> None:
        named = variables(self.where)
        self._store(points=named.points, used=named.joints)
        values = from_formulas(self.formula, self._names, f"{self.label}: formula")
        rates = list(named.picks.values())

        def function(x: Array, u: Array, t: Scalar) -> tuple[Any, Any]:
            still = np.zeros(len(named.fixed))
            return (), values(np.concatenate([named.values(x), u[rates], still]), t)

        self._store_function(traced_velocities(function, named.size, named.size, self.label))

    @property
    def _names(self) -> tuple[str, ...]:
        names = variables(self.where).names
        return (*names, *(name + RATE for name in names))

    def check_parameters(self, known: Collection[str]) -> None:
        """Reject names in its formulas that are not parameters of the mechanism."""
        check_formulas(self.formula, (*self._names, TIME), known, self.label)

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Reject: its formulas are in the coordinates of one world."""
        refuse_to_move(self.label)

    @property
    def locked(self) -> tuple[str, ...]:
        """The rows, numbered where there are several."""
        return _numbered(self.program.outputs[1].size)

    @property
    def pairs(self) -> tuple[FramePair, ...]:
        """The points, seen from the world."""
        return tuple(((WORLD, Pose()), point) for point in self.points)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints in the formulas."""
        return self.used


@final
@declared
class Nonholonomic(AbstractVelocityRelation):
    """A function of all coordinates, velocities and the time that is 0, linear in v.

    Examples:
        >>> from poinsot.model import Body, Mechanism, Revolute
        >>> faster = Nonholonomic("faster", lambda q, v, t: v[1] - (2 + np.sin(q[0])) * v[0])
        >>> arm = Mechanism("arm", [Body("a", joint=Revolute()), Body("b", "a", Revolute())],
        ...                 constraints=[faster])
        >>> arm.row_names
        ('faster: velocity',)
    """

    kind: ClassVar[str] = "velocity constraint"
    file_type: ClassVar[None] = None

    function: Stored[TracedFunction | Callable[..., Any], Callable[[Any, Any, Any], Any]] = field(
        Function("(q, v, t)"),
        "(q of shape (nq,), v of shape (nv,), t) -> a number or several that are 0, linear in v, "
        "written over generic scalars; it is traced when the mechanism is made",
        compare=False, in_digest=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        self._store_function(
            self.function if isinstance(self.function, TracedFunction) else _NOTHING
        )

    def with_coordinates(self, nq: int, nv: int) -> "Nonholonomic":
        """Return the constraint traced for nq coordinates and nv velocities."""
        function: Any = self.function
        if isinstance(function, TracedFunction):
            return self

        def rows(q: Array, v: Array, t: Scalar) -> tuple[Any, Any]:
            return (), function(q, v, t)

        return replace(self, function=traced_velocities(rows, nq, nv, self.label))  # type: ignore[arg-type]

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Reject: its function counts the coordinates of one mechanism."""
        raise ModelError(
            f"{self.label} is a function of all coordinates of its own mechanism; "
            "add it to the whole instead"
        )

    @property
    def locked(self) -> tuple[str, ...]:
        """The rows, numbered where there are several."""
        return _numbered(self.program.outputs[1].size)

    def _motion(self, view: View) -> VelocityMotion:
        motion, (v, unit) = view.all_joints(), view.velocities()
        return VelocityMotion(motion.q, motion.rate, v, np.zeros(len(v)), unit)


_NOTHING = laid_out(
    {"x": fresh_symbols("x", 0), "t": fresh_symbols("t", 1), "u": fresh_symbols("u", 0)},
    {"phi": np.zeros(0), "r": np.zeros(0)},
)
