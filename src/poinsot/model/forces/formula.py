"""The force that is given by formulas in time, position and velocity."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final, final

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Op, formula_text, symbol
from poinsot.expr.formula import parse
from poinsot.model.checks import scalar_number
from poinsot.model.fields import AbstractKind, Stored, declared, field
from poinsot.model.forces.base import PointMotion
from poinsot.model.forces.formula_fields import FormulaFields
from poinsot.model.forces.one_point_element import AbstractBodyForce
from poinsot.model.formula_names import all_with_numbers, parameters_in
from poinsot.spatial import Array, Scalar, components, vector

__all__ = ["ComponentFormulas", "FormulaForce"]

NAMES: Final = ("t", "x", "y", "z", "vx", "vy", "vz")
"""What formulas may contain besides parameters: time, position and velocity of the point."""

Component = float | str
"""A number or the text of a formula."""

Components = tuple[Component, Component, Component]


class ComponentFormulas(AbstractKind):
    """Three components, each a number or a formula."""

    file_form: ClassVar[str] = "formulas"

    def stored(self, given: Any, where: str, owner: Any) -> Components:  # noqa: ANN401
        """Return floats, and formulas that can be read."""
        if isinstance(given, str) or len(np.shape(np.asarray(given, dtype=object))) != 1:
            raise ModelError(f"{where} must be three numbers or formulas, got {given!r}")
        checked = [_component(component, f"{where}[{k}]") for k, component in enumerate(given)]
        if len(checked) != 3:
            raise ModelError(f"{where} must have 3 numbers or formulas, got {given!r}")
        return checked[0], checked[1], checked[2]

    def with_values(self, value: Components, values: Mapping[str, float]) -> tuple[Component, ...]:
        """Return the components with numbers in place of some names."""
        return all_with_numbers(value, values)


@final
@declared
class FormulaForce(FormulaFields, AbstractBodyForce):
    """A force and a moment on a body, as formulas in time, position and velocity.

    Formulas may contain the time ``t`` [s], the position ``x``, ``y``, ``z`` [m] of the point at
    which the force acts and its velocity ``vx``, ``vy``, ``vz`` [m/s], both in world axes;
    parameters of the system; numbers, ``pi``, ``+ - * / **``, parentheses, ``sqrt sin cos tan asin
    acos atan2 exp log min max abs sign`` and ``select(x < 1, a, b)``, which is a where x < 1 and b
    elsewhere.

    Examples:
        >>> drag = FormulaForce("ball", force=("-0.1*vx*abs(vx)", 0, "2*sin(3*t)"))
        >>> drag.force, drag.depends_on_time
        (('-0.1*vx*abs(vx)', 0.0, '2*sin(3*t)'), True)
    """

    kind: ClassVar[str] = "formula force"
    file_type: ClassVar[str] = "formula"

    force: Stored[Components, Sequence[Component]] = field(
        ComponentFormulas(), "Components of the force: three numbers or formulas", unit="N",
        default=(0.0, 0.0, 0.0),
    )  # fmt: skip
    moment: Stored[Components, Sequence[Component]] = field(
        ComponentFormulas(), "Components of the moment, alike", unit="N m", default=(0.0, 0.0, 0.0)
    )

    meaning_of_names: ClassVar[str] = "time, place or velocity in the formula of a force"

    @property
    def own_names(self) -> tuple[str, ...]:
        """Time, position and velocity of the point."""
        return NAMES

    def wrenches(self, ends: Sequence[PointMotion], t: Scalar) -> tuple[Array]:
        """Return force and moment in body axes."""
        (end,) = ends
        names = dict(zip(NAMES, (t, *components(end.p), *components(end.v)), strict=True))
        f, n = (
            vector(*(self._formula_value(formula, names) for formula in formulas))
            for formulas in (self.force, self.moment)
        )
        return self._in_body(end, f, n)

    def _texts(self) -> dict[str, str]:
        vectors = (("force", self.force), ("moment", self.moment))
        named = {
            f"{key}[{k}]": component
            for key, triple in vectors
            for k, component in enumerate(triple)
        }
        return {key: component for key, component in named.items() if isinstance(component, str)}


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
