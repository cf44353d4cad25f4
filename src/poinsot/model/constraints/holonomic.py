"""User-defined holonomic constraints: a function of q and t, or formulas of positions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NoReturn, Self, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols
from poinsot.model.body import WORLD
from poinsot.model.checks import Vec3, checked_name
from poinsot.model.constraints.base import Frame, FrameOnBody, FramePair, Rows, View
from poinsot.model.constraints.point_relation import (
    AbstractRelation,
    Formula,
    checked_formula,
    from_formulas,
)
from poinsot.model.constraints.smooth_function import TracedFunction, laid_out, rates, traced
from poinsot.model.fields import AbstractKind, Stored, declared, derived, field
from poinsot.model.formula_names import all_with_numbers
from poinsot.model.pose import Pose
from poinsot.spatial import Array

__all__ = [
    "FormulaConstraint",
    "Formulas",
    "Function",
    "Holonomic",
    "Meanings",
    "Variables",
    "Where",
    "variables",
]

_AXES = ("x", "y", "z")


Meaning = tuple[str] | tuple[str, Vec3, str]
"""A joint, or a body, a point in its coordinates and an axis of the world."""

Where = tuple[tuple[str, Meaning], ...]
"""Names, and what each stands for."""


class Formulas(AbstractKind):
    """One formula or several."""

    def stored(self, given: Any, where: str, owner: Any) -> tuple[Formula, ...]:  # noqa: ANN401
        """Return the texts or numbers."""
        listed = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
        return tuple(checked_formula(formula, where) for formula in listed)

    def with_values(
        self, value: tuple[Formula, ...], values: Mapping[str, float]
    ) -> tuple[Formula, ...]:
        """Return formulas with numbers in place of some names."""
        return all_with_numbers(value, values)


class Meanings(AbstractKind):
    """What the names in formulas stand for."""

    def stored(self, given: Any, where: str, owner: Any) -> Where:  # noqa: ANN401
        """Return names with joints, or with bodies, points and axes."""
        if not isinstance(given, Mapping | tuple):
            raise ModelError(
                f"{where} must say what names stand for, e.g. "
                f"{{'x': ('arm', (0, 0, 1), 'x'), 'u': 'elbow'}}, got {given!r}"
            )
        return tuple((key, _meaning(key, what, owner.label)) for key, what in dict(given).items())


@dataclass(frozen=True, eq=False)
class Variables:
    """What the names in formulas stand for, among stacked positions and coordinates.

    Attributes:
        points: The points, whose positions come first.
        joints: The joints, whose coordinates follow.
        picks: By name, the number of a coordinate that moves.
        fixed: By name, a coordinate of a point of the world.
    """

    points: tuple[Frame, ...]
    joints: tuple[str, ...]
    picks: dict[str, int]
    fixed: dict[str, float]

    @property
    def names(self) -> tuple[str, ...]:
        """All names, those that move first."""
        return (*self.picks, *self.fixed)

    @property
    def size(self) -> int:
        """How many positions and coordinates are stacked."""
        return 3 * len(self.points) + len(self.joints)

    def values(self, x: Array) -> Array:
        """Return the values of all names."""
        return np.array([*x[list(self.picks.values())], *self.fixed.values()])


def variables(where: Where) -> Variables:
    """Return which coordinates of which points and joints names stand for."""
    points: list[Frame] = []
    joints: list[str] = []
    coordinates: dict[str, tuple[str, int]] = {}
    fixed: dict[str, float] = {}
    for key, what in where:
        if len(what) == 1:
            if what[0] not in joints:
                joints.append(what[0])
            coordinates[key] = ("joint", joints.index(what[0]))
            continue
        body, xyz, axis = what
        number = xyz[_AXES.index(axis)]
        if body == WORLD and isinstance(number, float):  # no formula of parameters
            fixed[key] = number
            continue
        frame = body, Pose(xyz)
        if frame not in points:
            points.append(frame)
        coordinates[key] = ("point", 3 * points.index(frame) + _AXES.index(axis))
    n = 3 * len(points)
    picks = {key: k if what == "point" else n + k for key, (what, k) in coordinates.items()}
    return Variables(tuple(points), tuple(joints), picks, fixed)


@final
@declared
class FormulaConstraint(AbstractRelation):
    """Formulas that are 0, between world coordinates of points and coordinates of joints.

    Examples:
        >>> rail = FormulaConstraint(
        ...     "rail", "x**2 + y**2 - 1",
        ...     where={"x": ("slider", (0, 0, 0.3), "x"), "y": ("slider", (0, 0, 0.3), "y")})
        >>> rail.locked
        ('relation',)
    """

    kind: ClassVar[str] = "constraint"
    file_type: ClassVar[None] = None
    renamed: ClassVar[Mapping[str, str]] = {"formulas": "formula", "names": "where"}

    formula: Stored[tuple[Formula, ...], Formula | Sequence[Formula]] = field(
        Formulas(),
        "What is 0: one formula or several, in the names of where, t [s] and parameters",
    )  # fmt: skip
    where: Stored[Where, Mapping[str, str | tuple[str, Any, str]]] = field(
        Meanings(),
        "For each name a body, a point in its coordinates [m] and an axis of the world, as in "
        '("slider", (0, 0, 0.3), "x"), or the name of a joint of one coordinate',
    )  # fmt: skip
    points: tuple[Frame, ...] = derived()
    used: tuple[str, ...] = derived()

    def _check_together(self, given: Mapping[str, Any]) -> None:
        named = variables(self.where)
        self._store(points=named.points, used=named.joints)
        values = from_formulas(self.formula, named.names, f"{self.label}: formula")
        self._store_function(
            traced(lambda x, t: values(named.values(x), t), named.size, self.label)
        )

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The formulas."""
        return self.formula, tuple(name for name, _ in self.where)

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Reject: its formulas are in the coordinates of one world."""
        refuse_to_move(self.label)

    @property
    def pairs(self) -> tuple[FramePair, ...]:
        """The points, seen from the world."""
        return tuple(((WORLD, Pose()), point) for point in self.points)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints in the formulas."""
        return self.used


def refuse_to_move(label: str) -> NoReturn:
    """Raise an error: formulas are in the coordinates of one world."""
    raise ModelError(
        f"{label} is in world coordinates of its own mechanism and cannot be carried by "
        "another; add it to the whole instead"
    )


@dataclass(frozen=True)
class Function(AbstractKind):
    """A function of Python, which is traced when the number of coordinates is known.

    Attributes:
        arguments: Of what, for the message.
    """

    arguments: str = "(q, t)"

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return the function."""
        if not callable(given) and not isinstance(given, TracedFunction):
            raise ModelError(f"{where} must be a function {self.arguments}, got {given!r}")
        return given


@final
@declared
class Holonomic(AbstractRelation):
    """A function of all coordinates and the time that is 0: f(q, t) = 0 [Zaremba1990, (2.16)].

    Examples:
        >>> from poinsot.model import Body, Mechanism, Revolute
        >>> in_step = Holonomic("in step", lambda q, t: q[1] - q[0])
        >>> arm = Mechanism("arm", [Body("a", joint=Revolute()), Body("b", "a", Revolute())],
        ...                 constraints=[in_step])
        >>> arm.row_names
        ('in step: relation',)
    """

    kind: ClassVar[str] = "constraint"
    file_type: ClassVar[None] = None

    function: Stored[TracedFunction | Callable[[Any, Any], Any], Callable[[Any, Any], Any]] = field(
        Function(),
        "(q of shape (nq,), t) -> a number or several that are 0, written over generic scalars; "
        "it is traced when the mechanism is made",
        compare=False, in_digest=False,
    )  # fmt: skip

    def _check_together(self, given: Mapping[str, Any]) -> None:
        self._store_function(
            self.function if isinstance(self.function, TracedFunction) else _NOTHING
        )

    def with_coordinates(self, nq: int, nv: int) -> "Holonomic":
        """Return the constraint traced for nq coordinates."""
        if isinstance(self.function, TracedFunction):
            return self
        return replace(self, function=traced(self.function, nq, self.label))  # type: ignore[arg-type]

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Reject: its function counts the coordinates of one mechanism."""
        raise ModelError(
            f"{self.label} is a function of all coordinates of its own mechanism; "
            "add it to the whole instead"
        )

    def rows(self, view: View) -> Rows:
        """Return f, its Jacobian, drift and the velocity terms of its second derivative."""
        motion = view.all_joints()
        relation = rates(self.program, motion.q, motion.rate, view.t, self.terms)
        return Rows(
            relation.g,
            relation.G @ motion.N,
            relation.drift,
            relation.G @ motion.bias + relation.second,
        )


_NOTHING = laid_out({"x": fresh_symbols("x", 0), "t": fresh_symbols("t", 1)}, {"g": np.zeros(0)})


def _meaning(key: str, what: Any, label: str) -> Meaning:  # noqa: ANN401 (whatever a user gives)
    """Return what a name stands for, rejecting what is no joint and no coordinate of a point."""
    checked_name(key, f"{label}: name")
    if key == "t":
        raise ModelError(f"{label}: 't' is the time; choose another name for {what}")
    if isinstance(what, str):
        return (what,)
    if isinstance(what, tuple) and len(what) == 1:  # as it is stored
        return (checked_name(what[0], f"{label}: {key!r}"),)
    if not isinstance(what, Sequence) or len(what) != 3 or what[2] not in _AXES:
        raise ModelError(
            f"{label}: {key!r} must be a body, a point and 'x', 'y' or 'z', or the "
            f"name of a joint, got {what!r}"
        )
    body, pose = FrameOnBody().stored(what[:2], f"{label}: {key!r}", None)
    return body, pose.xyz, what[2]
