"""Functions of Python, traced, as formulas that read back to the same expressions."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from poinsot.errors import FormulaError, ModelError
from poinsot.expr import Expr, Op, Program, Scalar, formula_text, symbol
from poinsot.expr.formula import parse
from poinsot.expr.replay import replay
from poinsot.expr.serialization import operands_first

__all__ = ["function_texts"]

MOST_TERMS: Final = 10_000
"""Of a formula: what a program computes once and uses twice is written twice."""


def function_texts(
    program: Program, inputs: Sequence[Sequence[str]], terms: Sequence[Scalar], where: str
) -> list[float | str]:
    """Return the outputs of a traced function as formulas.

    Args:
        program: The function.
        inputs: Names for its inputs, port by port, but for the last.
        terms: The last input: parameters, or numbers where they are bound.
        where: Opens the message of an error.

    Raises:
        ModelError: If no formula of a reasonable length reads back to the same expression.
    """
    reserved = {name for names in inputs for name in names}
    arrays = [np.array([symbol(name) for name in names]) for names in inputs]
    for term in terms:
        if isinstance(term, Expr) and str(term.value) in reserved:
            raise ModelError(
                f"{where}: the parameter {term} would be taken for something else in its formula; "
                "rename it"
            )
    (values,) = replay(program, *arrays, np.array(terms))
    return [_text(value, where) for value in np.atleast_1d(values).tolist()]


def _text(value: Scalar, where: str) -> float | str:
    if not isinstance(value, Expr):
        return float(value)
    sizes: dict[int, int] = {}
    nodes = list(operands_first([value]))
    for node in nodes:
        sizes[node.serial] = 1 + sum(sizes[operand.serial] for operand in node.args)
    if sizes[value.serial] > MOST_TERMS:
        raise ModelError(f"{where}: its formula would have over {MOST_TERMS} terms; simplify it")
    text = formula_text(value)
    names = {str(node.value): node for node in nodes if node.op is Op.SYMBOL}
    try:
        again = parse(text, names)
    except FormulaError as error:
        raise ModelError(f"{where}: its formula cannot be read back: {error}") from error
    if again is not value:
        raise ModelError(
            f"{where}: a formula in a file would not give exactly this function; "
            "give it as a formula"
        )
    return text
