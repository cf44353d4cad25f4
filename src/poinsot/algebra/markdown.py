"""Equations as Markdown, mathematics between dollars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from poinsot.algebra.equation_views import EquationBlock, WrittenQuantities
from poinsot.algebra.latex import (
    aligned,
    assignment_lines,
    quantity_lines,
    vectors_latex,
)
from poinsot.algebra.symbol_table import symbols_used


def markdown(
    title: str, laws: Sequence[str], traced: WrittenQuantities, block: EquationBlock,
    values: Mapping[str, float | None],
) -> str:  # fmt: skip
    """Return equations as a page of Markdown.

    Args:
        title: Its title.
        laws: The form of the equations, in LaTeX.
        traced: The system.
        block: Its equations.
        values: Numbers of the parameters by name, None where there is none.
    """
    lines = [
        f"# {title}",
        "",
        *(line for law in laws for line in (f"$$ {law} $$", "")),
        *_displayed(vectors_latex(traced)),
    ]
    lines += ["", "| symbol | meaning | unit | value |", "|---|---|---|---|"]
    for quantity, _ in block.quantities:
        lines.append(f"| ${quantity.shown.latex}$ | {quantity.shown.meaning} |  |  |")
    for letter in symbols_used(traced, block):
        value = values.get(letter.name)
        shown = "" if value is None else f"{value:.6g}"
        meaning = letter.meaning.replace("|", r"\|")
        lines.append(f"| ${letter.latex}$ | {meaning} | {letter.unit} | {shown} |")
    if block.assignments:
        lines += ["", "## Intermediate variables", "", *_displayed(assignment_lines(block))]
    for quantity, rows in block.quantities:
        lines += [
            "",
            f"## {quantity.shown.title}",
            "",
            *_displayed(quantity_lines(block, quantity, rows)),
        ]
    return "\n".join(lines) + "\n"


def _displayed(lines: list[str]) -> list[str]:
    return ["$$", *aligned(lines, "aligned"), "$$"] if lines else []
