"""Named parameters: valid names, occurrences and substitution of values.

A description may have formulas for numbers.  ``with_values`` rebuilds it with numbers in place of
parameters, so that the constructors check the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final

from poinsot.errors import ModelError
from poinsot.expr import Expr, Program, substitute, symbol, symbol_names
from poinsot.expr.formula import CONSTANTS, FUNCTIONS
from poinsot.model.body import Body
from poinsot.model.checks import finite_number
from poinsot.model.fields import Declared, declarations
from poinsot.model.name_suggestion import suggestion
from poinsot.model.pose import Pose

__all__ = ["Parameters", "checked_free", "checked_parameters", "names_in", "symbols", "with_values"]

Parameters = tuple[tuple[str, float | None], ...]
"""Names with their numbers, None where there is none, in the order of the kernels' input."""

TIME: Final = "t"
_NAME = re.compile(r"[^\W\d]\w*")
_PLAIN = frozenset({float, str, type(None), int, bool, Program})


def symbols(names: str) -> Any:  # noqa: ANN401 (one expression, or a tuple of them)
    """Return the parameters of these names as symbols, for formulas in descriptions.

    Any number of a body, pose, joint or force may be a formula of symbols; the same name is the
    same parameter everywhere.

    Args:
        names: Names with spaces or commas between them.

    Returns:
        A symbol for one name, a tuple of symbols for several.

    >>> m, l = symbols("m l")
    >>> m * l**2 / 3
    m * l * l / 3
    """
    listed = names.replace(",", " ").split() if isinstance(names, str) else []
    if not listed:
        raise ModelError(f"symbols: give names, e.g. symbols('m l'), got {names!r}")
    made = tuple(symbol(checked_parameter_name(name, "symbols")) for name in listed)
    return made[0] if len(made) == 1 else made


def checked_parameter_name(name: object, where: str) -> str:
    """Return the name of a parameter, rejecting what no formula can contain."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ModelError(f"{where} has the name {name!r}; write letters, digits and _, as in 'm_1'")
    if name in FUNCTIONS or name in CONSTANTS or name == TIME:
        what = "the time" if name == TIME else f"{name!r}"
        raise ModelError(
            f"{where} has the name {name!r}, which formulas have already ({what}); rename it"
        )
    return name


def checked_parameters(
    parameters: Mapping[str, float | None], used: Iterable[str], where: str
) -> Parameters:
    """Return parameters with their numbers: those declared, then those that are only used.

    Args:
        parameters: Numbers by name, None where there is none.
        used: Names of the symbols in the description.
        where: Opens the message of an error.
    """
    checked: dict[str, float | None] = {}
    for name, value in parameters.items():
        checked_parameter_name(name, f"{where}: parameters")
        number = None if value is None else finite_number(value, f"{where}: parameter {name!r}")
        checked[name] = number
    for name in used:
        checked.setdefault(checked_parameter_name(name, f"{where}: a formula"), None)
    return tuple(checked.items())


def checked_free(free: Iterable[str], parameters: Parameters, where: str) -> tuple[str, ...]:
    """Return the names of the free parameters in the order of the parameters."""
    names = (free,) if isinstance(free, str) else tuple(free)
    values = dict(parameters)
    for name in names:
        if name not in values:
            raise ModelError(
                f"{where}: free names the unknown parameter {name!r}; "
                + (suggestion(str(name), values) if values else "there are no parameters")
            )
    return tuple(name for name in values if name in names)


def names_in(thing: Any) -> list[str]:  # noqa: ANN401 (a description or a part of one)
    """Return the names of the symbols in a description, in the order in which they occur."""
    formulas: list[Expr] = []
    _collect_formulas(thing, formulas)
    names: dict[str, None] = {}
    for expr in formulas:
        names.update(dict.fromkeys(symbol_names(expr)))
    return list(names)


def with_values(thing: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
    """Return a description with numbers in place of some of its symbols.

    What has none of them is returned as it is; everything else is rebuilt and checked.

    Args:
        thing: A body, joint, force, pose, or tuples of them.
        values: Numbers by name.
    """
    kind = thing.__class__
    if kind in _PLAIN:
        return thing
    if kind is Expr:
        return substitute(thing, values)
    if kind is tuple:
        items = tuple(with_values(item, values) for item in thing)
        return items if any(a is not b for a, b in zip(items, thing, strict=True)) else thing
    if not is_dataclass(thing):
        return thing
    try:
        old = {name: getattr(thing, name) for name in _field_names(kind)}
        new = {name: with_values(value, values) for name, value in old.items()}
        if isinstance(thing, Declared):
            new = {
                name: declaration.kind.with_values(new[name], values)
                for name, declaration in declarations(kind).items()
            }
        if all(new[name] is old[name] for name in new):
            return thing
        return kind(**_ARGUMENTS.get(kind, dict)(new))
    except ModelError as error:
        where = f"body {thing.name!r}: " if isinstance(thing, Body) else ""
        raise ModelError(f"{where}{str(error).removeprefix(where)}") from error


def _collect_formulas(thing: Any, formulas: list[Expr]) -> None:  # noqa: ANN401
    """Append the formulas in a description, in the order in which they occur."""
    kind = thing.__class__
    if kind is Expr:
        formulas.append(thing)
        return
    for item in thing if kind is tuple else [getattr(thing, name) for name in _field_names(kind)]:
        if item.__class__ not in _PLAIN:
            _collect_formulas(item, formulas)


@cache
def _field_names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass; of other classes none."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def _pose_arguments(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a pose, without the matrix where that follows from formulas."""
    follows = any(given[key] is not None for key in ("rpy", "quat", "angle"))
    return given | ({"matrix": None} if follows else {})


_ARGUMENTS: Final[Mapping[type, Any]] = {
    Pose: _pose_arguments,
}
"""Maps from fields to constructor arguments, where some follow from others."""
