"""The force that is given by formulas in time, place and velocity."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, final

import numpy as np
from numpy.typing import ArrayLike

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Op, formula_text, symbol
from poinsot.expr.formula import parse, variables
from poinsot.model.checks import scalar_number
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.on_body import AbstractBodyForce
from poinsot.model.formula_names import check_formula, parameters_in, with_numbers
from poinsot.spatial import Array, Scalar, components, vector

__all__ = ["FormulaForce"]

NAMES: Final = ("t", "x", "y", "z", "vx", "vy", "vz")
"""What formulas may contain besides parameters: time, place and velocity of the point."""

Component = float | str
"""A number or the text of a formula."""

Components = tuple[Component, Component, Component]


@final
@dataclass(frozen=True, init=False)
class FormulaForce(AbstractBodyForce):
    """A force and a moment on a body, as formulas in time, place and velocity.

    Formulas may contain the time ``t`` [s], the place ``x``, ``y``, ``z`` [m] of the point at which
    the force acts and its velocity ``vx``, ``vy``, ``vz`` [m/s], both in world axes; parameters of
    the system; numbers, ``pi``, ``+ - * / **``, parentheses, ``sqrt sin cos tan asin acos atan2 exp
    log min max abs sign`` and ``select(x < 1, a, b)``, which is a where x < 1 and b elsewhere.

    Attributes:
        body: Name of the body it acts on.
        force: Components of the force [N], each a number or a formula.
        moment: Components of the moment [N m], alike.
        point: Where the force acts [m], in body coordinates.
        axes: Whose axes the components refer to: ``"world"`` or ``"body"``.

    Examples:
        >>> drag = FormulaForce("ball", force=("-0.1*vx*abs(vx)", 0, "2*sin(3*t)"))
        >>> drag.force, drag.depends_on_time
        (('-0.1*vx*abs(vx)', 0.0, '2*sin(3*t)'), True)
    """

    force: Components
    moment: Components

    kind: ClassVar[str] = "formula force"

    def __init__(
        self,
        body: str,
        force: Sequence[Component] = (0.0, 0.0, 0.0),
        moment: Sequence[Component] = (0.0, 0.0, 0.0),
        *,
        point: ArrayLike = (0.0, 0.0, 0.0),
        axes: str = "world",
        name: str | None = None,
    ) -> None:
        """Check and store the force.

        Args:
            body: Name of the body it acts on.
            force: Components of the force [N]: three numbers or formulas.
            moment: Components of the moment [N m], alike.
            point: Where the force acts [m], in body coordinates, shape (3,).
            axes: Whose axes the components refer to: ``"world"`` or ``"body"``.
            name: Name of the force, for messages.

        Raises:
            FormulaError: If a formula cannot be read.
            ModelError: If something else is wrong.
        """
        super().__init__(body, point, axes, name)
        where = self.where(name)
        object.__setattr__(self, "force", _checked(force, f"{where}: force"))
        object.__setattr__(self, "moment", _checked(moment, f"{where}: moment"))

    @property
    def depends_on_time(self) -> bool:
        """Whether ``t`` is in one of the formulas."""
        parts = (*self.force, *self.moment)
        return any("t" in variables(part) for part in parts if isinstance(part, str))

    @property
    def parameters(self) -> frozenset[str]:
        """Names in the formulas that must be parameters of the system."""
        names = (parameters_in(part, NAMES) for part in self._texts().values())
        return frozenset().union(*names)

    def check_parameters(self, known: Collection[str]) -> None:
        """Refuse names that are no parameters, and parameters that mean something else here.

        Args:
            known: Names of the parameters.

        Raises:
            FormulaError: It points at the character.
        """
        meaning = "time, place or velocity in the formula of a force"
        for part, text in self._texts().items():
            check_formula(text, NAMES, known, f"{self.where(self.name)}: {part}", meaning)

    def with_values(self, values: Mapping[str, float]) -> "FormulaForce":
        """Return the force with numbers in place of some of its parameters.

        Args:
            values: The numbers by name.
        """
        force, moment = (
            [with_numbers(part, values) for part in parts] for parts in (self.force, self.moment)
        )
        return FormulaForce(
            self.body, force, moment, point=self.point, axes=self.axes, name=self.name
        )

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array]:
        """Return force and moment in body axes."""
        (end,) = ends
        names = dict(zip(NAMES, (t, *components(end.p), *components(end.v)), strict=True))
        names |= {name: symbol(name) for name in self.parameters}
        return self._in_body(end, _values(self.force, names), _values(self.moment, names))

    def _texts(self) -> dict[str, str]:
        parts = (("force", self.force), ("moment", self.moment))
        named = {f"{key}[{k}]": part for key, three in parts for k, part in enumerate(three)}
        return {key: part for key, part in named.items() if isinstance(part, str)}


def _values(formulas: Components, names: dict[str, Scalar]) -> Array:
    return vector(*(parse(one, names) if isinstance(one, str) else one for one in formulas))


def _checked(formulas: Sequence[Component], where: str) -> Components:
    """Return three components, each a float or a formula that can be read."""
    if isinstance(formulas, str) or len(np.shape(np.asarray(formulas, dtype=object))) != 1:
        raise ModelError(f"{where} must be three numbers or formulas, got {formulas!r}")
    checked = [_component(one, f"{where}[{k}]") for k, one in enumerate(formulas)]
    if len(checked) != 3:
        raise ModelError(f"{where} must have 3 numbers or formulas, got {formulas!r}")
    return checked[0], checked[1], checked[2]


def _component(formula: Component, where: str) -> Component:
    if not isinstance(formula, str):
        value = scalar_number(formula, where)
        return formula_text(value) if isinstance(value, Expr) else value
    try:
        value = parse(
            formula, {name: symbol(name) for name in (*NAMES, *parameters_in(formula, NAMES))}
        )
    except FormulaError as error:
        raise FormulaError(f"{where}: {error}") from None
    if isinstance(value, Expr) and value.op is Op.CONSTANT:
        value = float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ModelError(f"{where}: {formula!r} is {value} always; forces must be finite")
    return str(formula)
