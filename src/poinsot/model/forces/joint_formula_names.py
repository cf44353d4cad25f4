"""Names in formulas of forces in joints, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, Final

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, formula_text, symbol
from poinsot.expr.formula import parse
from poinsot.model.checks import checked_name, finite_number
from poinsot.model.fields import AbstractKind
from poinsot.model.forces.joint_element import JointMotion
from poinsot.model.formula_names import parameters_in, with_numbers
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["OWN", "Formula", "JointFormula", "JointReads", "Where", "check_reads", "values"]

OWN: Final = ("t", "q", "v")
"""Time, coordinate and velocity of the joint itself."""

Formula = float | str
"""A number or the text of a formula."""

Read = tuple[str, str, int]
"""A joint, ``"q"`` or ``"v"``, and which of its coordinates or velocities."""

Where = tuple[tuple[str, Read], ...]
"""Further names, and what each stands for."""


class JointReads(AbstractKind):
    """What names in formulas stand for: coordinates and velocities of joints."""

    def stored(self, given: Any, where: str, owner: Any) -> Where:  # noqa: ANN401
        """Return the names with what they stand for.

        They are given by name as ``"elbow"`` (its coordinate), ``("elbow", "v")`` or
        ``("elbow", "q", 1)``.
        """
        opening = owner.label
        if not isinstance(given, Mapping | tuple):
            raise ModelError(
                f"{where} must say what names stand for, e.g. {{'x': 'slide', "
                f"'w': ('crank', 'v')}}, got {given!r}"
            )
        checked = []
        for key, meaning in dict(given).items():
            checked_name(key, f"{opening}: name")
            if key in OWN:
                raise ModelError(f"{opening}: {key!r} has a meaning already; choose another name")
            checked.append((key, _read(meaning, f"{opening}: {key!r}")))
        return tuple(checked)


class JointFormula(AbstractKind):
    """A number, or a formula in time, coordinates and velocities of joints and parameters."""

    file_form: ClassVar[str] = "formula"

    def stored(self, given: Any, where: str, owner: Any) -> Formula:  # noqa: ANN401
        """Return a number or a formula that can be read."""
        if isinstance(given, Expr):
            return formula_text(given)
        if callable(given):
            raise ModelError(
                f"{where} must be a number or a formula, as text, got {given!r}; a function of "
                "Python goes to a run: ps.simulate(..., tau=...)"
            )
        if not isinstance(given, str):
            return finite_number(given, where)
        names = owner.own_names
        try:
            symbols = (*names, *parameters_in(given, names))
            parse(given, {name: symbol(name) for name in symbols})
        except FormulaError as error:
            raise FormulaError(f"{where}: {error}") from None
        return given

    def with_values(self, value: Formula, values: Mapping[str, float]) -> Formula:
        """Return the formula with numbers in place of some names."""
        return with_numbers(value, values)


def _read(meaning: Any, opening: str) -> Read:  # noqa: ANN401
    items = (meaning,) if isinstance(meaning, str) else ()
    if isinstance(meaning, tuple | list):
        items = tuple(meaning)
    joint, what, index = (*items, *("", "q", 0)[len(items) :])[:3]
    is_index = isinstance(index, int) and not isinstance(index, bool) and index >= 0
    if not items or len(items) > 3 or what not in ("q", "v") or not is_index:
        raise ModelError(
            f"{opening} must be a joint, e.g. 'elbow', or a joint, 'q' or 'v' and a number, e.g. "
            f"('elbow', 'v') or ('ball', 'v', 2), got {meaning!r}"
        )
    return checked_name(joint, f"{opening}: joint"), what, index


def check_reads(where: Where, joints: Mapping[str, AbstractJoint], opening: str) -> None:
    """Reject numbers of coordinates and velocities that the joints do not have."""
    for key, (name, what, index) in where:
        size = joints[name].nq if what == "q" else joints[name].nv
        if index >= size:
            word = "coordinates" if what == "q" else "velocities"
            raise ModelError(
                f"{opening}: {key!r} asks for number {index} of the {word} of joint {name!r} "
                f"({joints[name].kind}), which has {size}, counted from 0"
            )


def values(
    formula: Formula, reserved: Mapping[str, Scalar], where: Where,
    joints: Mapping[str, JointMotion], parameters: Iterable[str],
) -> Scalar:  # fmt: skip
    """Return the value of a formula.

    Args:
        formula: The formula.
        reserved: Values of names with a meaning of their own.
        where: The further names.
        joints: The motions of the joints, by name.
        parameters: Names of parameters in the formula.
    """
    if not isinstance(formula, str):
        return formula
    names: dict[str, Any] = {name: symbol(name) for name in parameters} | dict(reserved)
    for key, (joint, what, index) in where:
        names[key] = getattr(joints[joint], what)[index]
    return parse(formula, names)
