"""Names in formulas of forces in joints, and what they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, formula_text, symbol
from poinsot.expr.formula import parse
from poinsot.model.checks import checked_name, finite_number
from poinsot.model.forces.on_joint import JointMotion
from poinsot.model.formula_names import parameters_in
from poinsot.model.joints import AbstractJoint
from poinsot.spatial import Scalar

__all__ = ["OWN", "Formula", "Where", "check_reads", "checked_formula", "checked_where", "values"]

OWN: Final = ("t", "q", "v")
"""Time, coordinate and velocity of the joint itself."""

Formula = float | str
"""A number or the text of a formula."""

Read = tuple[str, str, int]
"""A joint, ``"q"`` or ``"v"``, and which of its coordinates or velocities."""

Where = tuple[tuple[str, Read], ...]
"""Further names, and what each stands for."""


def checked_where(where: Any, opening: str) -> Where:  # noqa: ANN401 (whatever a user gives)
    """Return what names stand for, refusing what is no coordinate and no velocity.

    Args:
        where: By name ``"elbow"`` (its coordinate), ``("elbow", "v")`` or ``("elbow", "q", 1)``.
        opening: Opens the message of an error.
    """
    if not isinstance(where, Mapping | tuple):
        raise ModelError(
            f"{opening}: where must say what names stand for, e.g. {{'x': 'slide', "
            f"'w': ('crank', 'v')}}, got {where!r}"
        )
    found = []
    for key, meaning in dict(where).items():
        checked_name(key, f"{opening}: name")
        if key in OWN:
            raise ModelError(f"{opening}: {key!r} has a meaning already; choose another name")
        found.append((key, _read(meaning, f"{opening}: {key!r}")))
    return tuple(found)


def _read(meaning: Any, opening: str) -> Read:  # noqa: ANN401
    parts = (meaning,) if isinstance(meaning, str) else ()
    if isinstance(meaning, tuple | list):
        parts = tuple(meaning)
    joint, what, index = (*parts, *("", "q", 0)[len(parts) :])[:3]
    whole = isinstance(index, int) and not isinstance(index, bool) and index >= 0
    if not parts or len(parts) > 3 or what not in ("q", "v") or not whole:
        raise ModelError(
            f"{opening} must be a joint, e.g. 'elbow', or a joint, 'q' or 'v' and a number, e.g. "
            f"('elbow', 'v') or ('ball', 'v', 2), got {meaning!r}"
        )
    return checked_name(joint, f"{opening}: joint"), what, index


def check_reads(where: Where, joints: Mapping[str, AbstractJoint], opening: str) -> None:
    """Refuse numbers of coordinates and velocities that the joints do not have."""
    for key, (name, what, index) in where:
        size = joints[name].nq if what == "q" else joints[name].nv
        if index >= size:
            word = "coordinates" if what == "q" else "velocities"
            raise ModelError(
                f"{opening}: {key!r} asks for number {index} of the {word} of joint {name!r} "
                f"({joints[name].kind}), which has {size}, counted from 0"
            )


def checked_formula(formula: Any, names: Sequence[str], opening: str) -> Formula:  # noqa: ANN401
    """Return a number or a formula that can be read."""
    if isinstance(formula, Expr):
        return formula_text(formula)
    if callable(formula):
        raise ModelError(
            f"{opening} must be a number or a formula, as text, got {formula!r}; a function of "
            "Python goes to a run: ps.simulate(..., tau=...)"
        )
    if not isinstance(formula, str):
        return finite_number(formula, opening)
    try:
        known = (*names, *parameters_in(formula, names))
        parse(formula, {name: symbol(name) for name in known})
    except FormulaError as error:
        raise FormulaError(f"{opening}: {error}") from None
    return formula


def values(
    formula: Formula, own: Mapping[str, Scalar], where: Where, joints: Mapping[str, JointMotion],
    parameters: Iterable[str],
) -> Scalar:  # fmt: skip
    """Return the value of a formula.

    Args:
        formula: The formula.
        own: Values of names with a meaning of their own.
        where: The further names.
        joints: The motions of the joints, by name.
        parameters: Names of parameters in the formula.
    """
    if not isinstance(formula, str):
        return formula
    names: dict[str, Any] = {name: symbol(name) for name in parameters} | dict(own)
    for key, (joint, what, index) in where:
        names[key] = getattr(joints[joint], what)[index]
    return parse(formula, names)
