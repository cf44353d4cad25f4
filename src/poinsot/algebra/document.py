"""Equations as a stand-alone LaTeX document.

It takes nothing but ``article`` and packages that every distribution has; text is ASCII.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from poinsot.algebra.equation_views import EquationBlock, WrittenQuantities
from poinsot.algebra.latex import (
    aligned,
    assignment_lines,
    piece,
    quantity_lines,
    vectors_latex,
)
from poinsot.algebra.letter_styles import latex_text
from poinsot.algebra.symbol_table import symbols_used

MOST_LINES = 120
"""Lines that a notebook shows."""

HEAD = r"""\documentclass[11pt]{article}
\usepackage[T1]{fontenc}
\usepackage{amsmath}
\usepackage{longtable}
\usepackage{tikz}
\usepackage[margin=22mm]{geometry}
\allowdisplaybreaks
\begin{document}"""


def document(
    title: str,
    laws: Sequence[str],
    traced: WrittenQuantities,
    block: EquationBlock,
    values: Mapping[str, float | None],
    figure: str | None = None,
) -> str:
    """Return equations as a complete document.

    Args:
        title: Its title, what the equations are and of what: "Equations of motion: pendulum".
        laws: The form of the equations, in LaTeX.
        traced: The system.
        block: Its equations.
        values: Numbers of the parameters by name, None where there is none.
        figure: A picture of the system, as a ``tikzpicture``, if there is one.
    """
    lines = [
        HEAD,
        rf"\section*{{{latex_text(title)}}}",
        *([] if figure is None else _picture(traced, figure)),
        rf"\subsection*{{{latex_text(title.split(':', maxsplit=1)[0])}}}",
        *(rf"\[ {law} \]" for law in laws),
        *aligned(vectors_latex(traced), "align*"),
        r"\subsection*{Symbols}",
        *_table(traced, block, values),
    ]
    if block.assignments:
        lines += [r"\subsection*{Intermediate variables, in order of computation}"]
        lines += aligned(assignment_lines(block), "align*")
    for quantity, rows in block.quantities:
        lines += [rf"\subsection*{{{latex_text(quantity.shown.title)}}}"]
        lines += aligned(quantity_lines(block, quantity, rows), "align*")
    return "\n".join([*lines, r"\end{document}", ""])


def fragment(block: EquationBlock) -> str:
    """Return equations between dollars, for notebooks; of long ones the beginning."""
    lines = piece(block)
    left = len(lines) - MOST_LINES
    if left > 0:
        lines[MOST_LINES:] = [rf"&\quad \ldots\ \text{{and {left} more lines}}"]
    body = r" \\ ".join(lines)
    return rf"$\displaystyle \begin{{aligned}} {body} \end{{aligned}}$"


def _picture(traced: WrittenQuantities, figure: str) -> list[str]:
    name = latex_text(traced.whose)
    about = rf"\emph{{The system {name}, with the coordinates at its joints.}}"
    return [r"\begin{center}", figure, "", about, r"\end{center}"]


def _table(
    traced: WrittenQuantities, block: EquationBlock, values: Mapping[str, float | None]
) -> list[str]:
    """Return the table of symbols, quantities first."""
    rows = [
        (quantity.shown.latex, quantity.shown.meaning, "", "") for quantity, _ in block.quantities
    ]
    for letter in symbols_used(traced, block):
        value = values.get(letter.name)
        number = "" if value is None else f"{value:.6g}"
        rows.append((letter.latex, letter.meaning, letter.unit, number))
    lines = [r"\begin{longtable}{llll}", r"symbol & meaning & unit & value \\ \hline \endhead"]
    lines += [
        rf"${latex}$ & {latex_text(meaning)} & {latex_text(unit)} & {number} \\"
        for latex, meaning, unit, number in rows
    ]
    return [*lines, r"\end{longtable}"]
