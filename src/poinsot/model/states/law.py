"""Rates and updates of further states: formulas, functions that are traced, or numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, TypeAlias

from poinsot.errors import FormulaError
from poinsot.expr import Expr, formula_text
from poinsot.expr.formula import variables
from poinsot.model.checks import finite_number
from poinsot.model.constraints.smooth_function import TracedFunction
from poinsot.model.fields import AbstractKind
from poinsot.model.formula_names import with_numbers

__all__ = [
    "Law",
    "StateLaw",
    "reads_time",
]

Law: TypeAlias = float | str | TracedFunction
"""A number, a formula, or a function of t, q and v as a program."""


class StateLaw(AbstractKind):
    """A number, a formula, or a function of t, q and v."""

    file_form: ClassVar[str] = "formula"

    def stored(self, given: Any, where: str, owner: Any) -> Any:  # noqa: ANN401
        """Return a number, a text, or the function, which is traced once the system is known."""
        if isinstance(given, Expr):
            return formula_text(given)
        if isinstance(given, str):
            try:
                variables(given)
            except FormulaError as error:
                raise FormulaError(f"{where}: {error}") from None
            return given
        if isinstance(given, TracedFunction) or callable(given):
            return given
        return finite_number(given, where)

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return a formula with numbers in place of some names."""
        return with_numbers(value, values) if isinstance(value, str) else value


def reads_time(law: Law) -> bool:
    """Say whether a rate or an update depends on the time itself."""
    if isinstance(law, TracedFunction):
        return 0 in law.program.results or any(0 in operands for _, operands in law.program.steps)
    return isinstance(law, str) and "t" in variables(law)
