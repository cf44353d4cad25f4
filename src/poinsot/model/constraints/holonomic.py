"""Constraints of the user's own: a function of q and t, or a formula between places."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self, final

import numpy as np

from poinsot.errors import ModelError
from poinsot.expr import fresh_symbols
from poinsot.model.body import WORLD
from poinsot.model.changed import changed
from poinsot.model.checks import checked_name
from poinsot.model.constraints.base import Frame, FramePair, Rows, View, checked_frame
from poinsot.model.constraints.relation import (
    AbstractRelation,
    Formula,
    checked_formula,
    from_formulas,
)
from poinsot.model.constraints.smooth import laid_out, rates, traced
from poinsot.model.formula_names import with_numbers
from poinsot.model.pose import Pose

__all__ = ["FormulaConstraint", "Holonomic"]

_AXES = ("x", "y", "z")


@final
@dataclass(frozen=True, init=False)
class FormulaConstraint(AbstractRelation):
    """Formulas that are 0, between world coordinates of points and coordinates of joints.

    Attributes:
        formulas: The formulas, as given.
        names: The names in them, and what each stands for.

    Examples:
        >>> rail = FormulaConstraint(
        ...     "rail", "x**2 + y**2 - 1",
        ...     where={"x": ("slider", (0, 0, 0.3), "x"), "y": ("slider", (0, 0, 0.3), "y")})
        >>> rail.locked
        ('relation',)
    """

    formulas: tuple[Formula, ...]
    names: tuple[tuple[str, tuple[Any, ...]], ...]
    points: tuple[Frame, ...]
    used: tuple[str, ...]

    kind: ClassVar[str] = "constraint"

    def __init__(
        self,
        name: str,
        formula: Formula | Sequence[Formula],
        where: Mapping[str, tuple[str, Any, str] | str],
    ) -> None:
        """Check and store the constraint.

        Args:
            name: Name, unique among loops and constraints.
            formula: What is 0, one formula or several, in the names of ``where``, ``t`` [s] and
                parameters.
            where: For each name a body, a point in its coordinates and an axis of the world, as in
                ``("slider", (0, 0, 0.3), "x")`` [m], or the name of a joint of one coordinate.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(name)
        if isinstance(formula, str) or not isinstance(formula, Iterable):
            formula = [formula]
        formulas = tuple(checked_formula(one, f"{self.where}: formula") for one in formula)
        if not isinstance(where, Mapping):
            raise ModelError(
                f"{self.where}: where must say what names stand for, e.g. "
                f"{{'x': ('arm', (0, 0, 1), 'x'), 'u': 'elbow'}}, got {where!r}"
            )
        points: list[Frame] = []
        joints: list[str] = []
        places: dict[str, tuple[str, int]] = {}
        fixed: dict[str, float] = {}
        names: list[tuple[str, tuple[Any, ...]]] = []
        for key, meaning in where.items():
            checked_name(key, f"{self.where}: name")
            if key == "t":
                raise ModelError(
                    f"{self.where}: 't' is the time; choose another name for {meaning}"
                )
            if isinstance(meaning, str):
                if meaning not in joints:
                    joints.append(meaning)
                places[key] = ("joint", joints.index(meaning))
                names.append((key, (meaning,)))
                continue
            if not isinstance(meaning, Sequence) or len(meaning) != 3 or meaning[2] not in _AXES:
                raise ModelError(
                    f"{self.where}: {key!r} must be a body, a point and 'x', 'y' or 'z', or the "
                    f"name of a joint, got {meaning!r}"
                )
            body, place = checked_frame(meaning[:2], f"{self.where}: {key!r}")
            names.append((key, (body, place.xyz, meaning[2])))
            number = place.xyz[_AXES.index(meaning[2])]
            if body == WORLD and isinstance(number, float):  # no formula of parameters
                fixed[key] = number
                continue
            frame = body, Pose(place.xyz)
            if frame not in points:
                points.append(frame)
            places[key] = ("point", 3 * points.index(frame) + _AXES.index(meaning[2]))
        object.__setattr__(self, "formulas", formulas)
        object.__setattr__(self, "names", tuple(names))
        object.__setattr__(self, "points", tuple(points))
        object.__setattr__(self, "used", tuple(joints))
        values = from_formulas(formulas, (*places, *fixed), f"{self.where}: formula")
        n, size = 3 * len(points), 3 * len(points) + len(joints)
        picks = [k if what == "point" else n + k for what, k in places.values()]
        rest = list(fixed.values())
        self._keep(traced(lambda x, t: values(np.array([*x[picks], *rest]), t), size, self.where))

    @property
    def formulas_in(self) -> tuple[tuple[Formula, ...], tuple[str, ...]]:
        """The formulas."""
        return self.formulas, tuple(name for name, _ in self.names)

    def remade(self, fields: Mapping[str, Any], values: Mapping[str, float]) -> Self:
        """Return the constraint with numbers in place of some parameters."""
        formulas = [with_numbers(formula, values) for formula in self.formulas]
        where = {key: what[0] if len(what) == 1 else what for key, what in fields["names"]}
        return type(self)(self.name, formulas, where)

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Refuse: its formulas are in the coordinates of one world."""
        raise ModelError(
            f"{self.where} is in world coordinates of its own mechanism and cannot be carried by "
            "another; add it to the whole instead"
        )

    @property
    def pairs(self) -> tuple[FramePair, ...]:
        """The points, seen from the world."""
        return tuple(((WORLD, Pose()), point) for point in self.points)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints in the formulas."""
        return self.used


@final
@dataclass(frozen=True, init=False)
class Holonomic(AbstractRelation):
    """A function of all coordinates and the time that is 0: f(q, t) = 0.

    Examples:
        >>> from poinsot.model import Body, Mechanism, Revolute
        >>> in_step = Holonomic("in step", lambda q, t: q[1] - q[0])
        >>> arm = Mechanism("arm", [Body("a", joint=Revolute()), Body("b", "a", Revolute())],
        ...                 constraints=[in_step])
        >>> arm.row_names
        ('in step: relation',)
    """

    kind: ClassVar[str] = "constraint"

    def __init__(self, name: str, function: Callable[[Any, Any], Any]) -> None:
        """Check and store the constraint.

        Args:
            name: Name, unique among loops and constraints.
            function: (q of shape (nq,), t) -> a number or several that are 0, written over generic
                scalars; it is traced when the mechanism is made.
        """
        super().__init__(name)
        if not callable(function):
            raise ModelError(f"{self.where}: function must be a function (q, t), got {function!r}")
        self._keep(_NOTHING)
        self.__dict__["_function"] = function

    def with_coordinates(self, nq: int) -> Holonomic:
        """Return the constraint traced for nq coordinates."""
        function = self.__dict__.get("_function")
        if function is None:
            return self
        found = traced(function, nq, self.where)
        return changed(self, program=found.program, terms=found.terms)

    def moved(
        self, name: str, frame: Callable[[Frame], Frame], joint: Callable[[str], str]
    ) -> Self:
        """Refuse: its function counts the coordinates of one mechanism."""
        raise ModelError(
            f"{self.where} is a function of all coordinates of its own mechanism; "
            "add it to the whole instead"
        )

    def rows(self, view: View) -> Rows:
        """Return f, its derivative by v, and what else its second rate holds."""
        motion = view.all_joints()
        at = rates(self.program, motion.q, motion.rate, view.t, self.terms)
        return Rows(at.g, at.G @ motion.N, at.drift, at.G @ motion.bias + at.second)


_NOTHING = laid_out({"x": fresh_symbols("x", 0), "t": fresh_symbols("t", 1)}, {"g": np.zeros(0)})
