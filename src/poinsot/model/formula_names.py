"""Names in formulas of a description: reserved ones and parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from poinsot.errors import FormulaError
from poinsot.expr import symbol
from poinsot.expr.formula import CONSTANTS, FUNCTIONS, parse, variables
from poinsot.expr.formula_tokens import NAME, tokens

__all__ = ["all_with_numbers", "check_formula", "parameters_in", "with_numbers"]


def parameters_in(formula: str, reserved: Iterable[str]) -> frozenset[str]:
    """Return the names in a formula that must be parameters.

    Args:
        formula: The formula.
        reserved: Names with a meaning of their own in it.

    >>> sorted(parameters_in("x**2 - l**2 + pi", ("x", "t")))
    ['l']
    """
    return variables(formula).difference(reserved, CONSTANTS, FUNCTIONS)


def check_formula(
    formula: str, reserved: Collection[str], parameters: Collection[str], where: str, meaning: str
) -> None:
    """Reject names that are not parameters, and parameters that mean something else here.

    Args:
        formula: The formula.
        reserved: Names with a meaning of their own in it.
        parameters: Names of the parameters.
        where: Opens the message.
        meaning: What the reserved names mean, e.g. ``"time, position or velocity in a force"``.

    Raises:
        FormulaError: It points at the character.
    """
    both = sorted(variables(formula).intersection(reserved, parameters))
    if both:
        raise FormulaError(
            f"{where}: {both[0]!r} is a parameter, and {meaning}; rename the parameter"
        )
    try:
        parse(formula, {name: symbol(name) for name in (*reserved, *parameters)})
    except FormulaError as error:
        raise FormulaError(f"{where}: {error}") from None


def with_numbers(formula: float | str, values: Mapping[str, float]) -> float | str:
    """Return a formula with numbers in place of some of its names; a number as it is.

    >>> with_numbers("x**2 - l**2", {"l": 0.5})
    'x**2 - (0.5)**2'
    """
    if not isinstance(formula, str):
        return formula
    pieces, done = [], 0
    for token in tokens(formula):
        if token.kind is NAME and token.text in values:
            pieces += [formula[done : token.offset], f"({float(values[token.text])!r})"]
            done = token.offset + len(token.text)
    return "".join([*pieces, formula[done:]]) if pieces else formula


def all_with_numbers(
    formulas: tuple[float | str, ...], values: Mapping[str, float]
) -> tuple[float | str, ...]:
    """Return formulas with numbers in place of some names; as they are, if they have none."""
    replaced = tuple(with_numbers(formula, values) for formula in formulas)
    return formulas if replaced == formulas else replaced
