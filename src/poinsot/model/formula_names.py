"""Names in formulas of a description: those with a meaning of their own, and parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from poinsot.errors import FormulaError
from poinsot.expr import symbol
from poinsot.expr.formula import CONSTANTS, FUNCTIONS, parse, variables
from poinsot.expr.formula_tokens import NAME, tokens

__all__ = ["all_with_numbers", "check_formula", "parameters_in", "with_numbers"]


def parameters_in(formula: str, own: Iterable[str]) -> frozenset[str]:
    """Return the names in a formula that must be parameters.

    Args:
        formula: The formula.
        own: Names with a meaning of their own in it.

    >>> sorted(parameters_in("x**2 - l**2 + pi", ("x", "t")))
    ['l']
    """
    return variables(formula).difference(own, CONSTANTS, FUNCTIONS)


def check_formula(
    formula: str, own: Collection[str], known: Collection[str], where: str, meaning: str
) -> None:
    """Refuse names that are no parameters, and parameters that mean something else here.

    Args:
        formula: The formula.
        own: Names with a meaning of their own in it.
        known: Names of the parameters.
        where: Opens the message.
        meaning: What the own names mean, e.g. ``"time, place or velocity in a force"``.

    Raises:
        FormulaError: It points at the character.
    """
    both = sorted(variables(formula).intersection(own, known))
    if both:
        raise FormulaError(
            f"{where}: {both[0]!r} is a parameter, and {meaning}; rename the parameter"
        )
    try:
        parse(formula, {name: symbol(name) for name in (*own, *known)})
    except FormulaError as error:
        raise FormulaError(f"{where}: {error}") from None


def with_numbers(formula: float | str, values: Mapping[str, float]) -> float | str:
    """Return a formula with numbers in place of some of its names; a number as it is.

    >>> with_numbers("x**2 - l**2", {"l": 0.5})
    'x**2 - (0.5)**2'
    """
    if not isinstance(formula, str):
        return formula
    parts, done = [], 0
    for token in tokens(formula):
        if token.kind is NAME and token.text in values:
            parts += [formula[done : token.place], f"({float(values[token.text])!r})"]
            done = token.place + len(token.text)
    return "".join([*parts, formula[done:]]) if parts else formula


def all_with_numbers(
    formulas: tuple[float | str, ...], values: Mapping[str, float]
) -> tuple[float | str, ...]:
    """Return formulas with numbers in place of some names; as they are, if they have none."""
    found = tuple(with_numbers(formula, values) for formula in formulas)
    return formulas if found == formulas else found
