"""Rates and updates of further states: formulas, functions that are traced, or numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np

from poinsot.errors import FormulaError
from poinsot.expr import Expr, Rolled, formula_text
from poinsot.expr.formula import variables
from poinsot.expr.staged_program import (
    QuantityStage,
    needed_stages,
    rolled_program_of,
    stage_roots,
)
from poinsot.model.by_structure import ByStructure
from poinsot.model.checks import finite_number
from poinsot.model.constraints.smooth_function import TracedFunction, laid_out, other_symbols
from poinsot.model.fields import AbstractKind
from poinsot.model.followed_programmes import FollowedProgramme
from poinsot.model.formula_names import with_numbers
from poinsot.spatial import Array, Scalar

__all__ = [
    "FUNCTIONS",
    "Function",
    "Law",
    "StagedFunction",
    "StateLaw",
    "function_of",
    "programmes_in",
    "reads_time",
]


@dataclass(frozen=True)
class StagedFunction(ByStructure):
    """A function that asks for quantities of large systems, as a program with loops.

    Attributes:
        program: The function.
        terms: The parameters and states that are its last input: symbols, or numbers.
        programmes: Laws in it that follow a programme; not kept in files.
    """

    program: Rolled
    terms: tuple[Scalar, ...]
    programmes: tuple[FollowedProgramme, ...] = field(
        default=(), compare=False, repr=False, metadata={"in_digest": False}
    )


Function: TypeAlias = TracedFunction | StagedFunction
"""A function of t, q and v as a program."""
Law: TypeAlias = float | str | Function
"""A number, a formula, or a function of t, q and v as a program."""
FUNCTIONS: Final = (TracedFunction, StagedFunction)
"""What functions become when they are traced."""


def function_of(
    inputs: dict[str, Array], value: Array, stages: Sequence[QuantityStage]
) -> Function:
    """Return the program of a rate or an update.

    Args:
        inputs: Symbols of t, q and v, by name.
        value: An expression of them, and of parameters and states, shape (1,).
        stages: Rolled quantities that were recorded when it was traced.
    """
    needed = needed_stages(value, stages)
    if not needed:
        return laid_out(inputs, {"law": value})
    known = (*inputs.values(), *(stage.results for stage in needed))
    terms = other_symbols(stage_roots(value, needed), known)
    every = {**inputs, "p": np.array(terms, dtype=object)}
    return StagedFunction(rolled_program_of(every, {"law": value}, needed), terms)


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
        if isinstance(given, FUNCTIONS) or callable(given):
            return given
        return finite_number(given, where)

    def with_values(self, value: Any, values: Mapping[str, float]) -> Any:  # noqa: ANN401
        """Return a formula with numbers in place of some names."""
        return with_numbers(value, values) if isinstance(value, str) else value


def programmes_in(laws: Iterable[Law]) -> tuple[FollowedProgramme, ...]:
    """Return the programmes that rates and updates follow, each once."""
    functions = (law for law in laws if isinstance(law, FUNCTIONS))
    return tuple(dict.fromkeys(each for law in functions for each in law.programmes))


def reads_time(law: Law) -> bool:
    """Say whether a rate or an update depends on the time itself."""
    if isinstance(law, StagedFunction):
        return any("t" in code.memories for code in law.program.codes)
    if isinstance(law, TracedFunction):
        return 0 in law.program.results or any(0 in operands for _, operands in law.program.steps)
    return isinstance(law, str) and "t" in variables(law)
