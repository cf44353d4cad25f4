"""Equations in LaTeX: lines for an ``align`` or ``aligned`` environment."""

from __future__ import annotations

import re
from typing import Final

from poinsot.algebra.equation_views import EquationBlock, Views, WrittenQuantities
from poinsot.algebra.expression_writer import LATEX, ExpressionWriter
from poinsot.algebra.traced_quantities import IN_MOTION, TracedQuantities, constraint_quantities
from poinsot.expr import Expr

WIDTH: Final = 80
"""Printed length of a line after which it is broken."""

TALLEST: Final = 8
"""Rows of a matrix that is shown whole."""

_COMMAND: Final = re.compile(r"\\(left|right|mathrm|dot|ddot|,|\\)|[{}^_]|\\frac")


def motion_latex(traced: TracedQuantities) -> str:
    """Return the form of the equations of motion, without dollars."""
    rate, acceleration = (r"\dot{q}", r"\ddot{q}") if traced.is_plain else ("v", r"\dot{v}")
    M, h, J, phi, gamma = (traced.shown(name).latex for name in IN_MOTION)
    form = rf"{M}(q)\,{acceleration} + {h}(q, {rate}) = \tau"
    if not traced.mechanism.closures:
        return form
    second = rf"{J}(q)\,{acceleration} + {gamma}(q, {rate}) = 0"
    letters = {
        "constraint_residual": f"{phi}(q)",
        "constraint_rate": rf"\dot{{{phi}}}(q, {rate})",
    }
    told = [letters[x] for x in constraint_quantities(traced.mechanism) if x in letters]
    zeros = [f"{letter} = 0" for letter in told]
    return r", \qquad ".join([rf"{form} + {J}(q)^{{T}}\,\lambda", *zeros, second])


def vectors_latex(traced: WrittenQuantities) -> list[str]:
    """Return the entries of q and the other vectors, one line per vector."""
    symbols = traced.symbols
    write = ExpressionWriter(LATEX, symbols.letters)
    rates = r"\dot{q}" if traced.is_plain else "v"
    vectors = [("q", symbols.q), (rates, symbols.v)]
    vectors += [(r"\tau", symbols.tau)] if len(symbols.tau) else []
    vectors += [(r"\lambda", symbols.lam)] if len(symbols.lam) else []
    lines = []
    for letter, vector in vectors:
        names = [write.name(str(x.value)) for x in vector]
        terms = [f", {name}" if k else name for k, name in enumerate(names)]
        lines += broken(f"{letter} &= ", ["(", *terms, ")"])
    return lines


def assignment_lines(block: EquationBlock) -> list[str]:
    """Return the intermediate variables, one line per variable."""
    write = ExpressionWriter(LATEX, block.letters)
    lines: list[str] = []
    for name, expr in block.assignments:
        lines += broken(f"{write.name(name)} &= ", write.terms(expr))
    return lines


def quantity_lines(
    block: EquationBlock, quantity: Views, rows: list[tuple[tuple[int, ...], Expr]]
) -> list[str]:
    """Return the entries of a quantity, one line per entry."""
    write = ExpressionWriter(LATEX, block.letters)
    shown = quantity.shown
    lines: list[str] = []
    for entry, expr in rows:
        index = f"_{{{','.join(map(str, entry))}}}" if entry else ""
        own = quantity.letter(entry)
        head = f"{shown.latex}{index}" if own is None else write.name(own)
        lines += broken(f"{head} &= ", write.terms(expr))
    return lines


def matrix_line(
    block: EquationBlock, quantity: Views, rows: list[tuple[tuple[int, ...], Expr]]
) -> str | None:
    """Return a matrix or vector as one equation, as blackboards have it; None if it is too wide."""
    shape = quantity.shape
    if not shape or not rows or quantity.letter(rows[0][0]) is not None:
        return None
    write = ExpressionWriter(LATEX, block.letters)
    texts = {entry: write(expr) for entry, expr in rows}
    columns = shape[1] if len(shape) == 2 else 1
    grid = [
        [texts.get(index) or texts[index[::-1]] for index in line]
        for line in (
            [(i, j) if len(shape) == 2 else (i,) for j in range(1, columns + 1)]
            for i in range(1, shape[0] + 1)
        )
    ]
    widths = [max(_printed(line[j]) for line in grid) for j in range(columns)]
    if sum(widths) > WIDTH or shape[0] > TALLEST:
        return None
    body = r" \\ ".join(" & ".join(line) for line in grid)
    return rf"{quantity.shown.latex} &= \begin{{pmatrix}} {body} \end{{pmatrix}}"


def piece(block: EquationBlock) -> list[str]:
    """Return equations as lines for one ``aligned``: small matrices whole, others by entries."""
    lines = assignment_lines(block)
    for quantity, rows in block.quantities:
        whole = matrix_line(block, quantity, rows)
        lines += quantity_lines(block, quantity, rows) if whole is None else [whole]
    return lines


def aligned(lines: list[str], environment: str) -> list[str]:
    """Return lines inside ``align*`` or ``aligned``; an empty list if there are none."""
    if not lines:
        return []
    ends = [r" \\"] * (len(lines) - 1) + [""]
    body = [line + end for line, end in zip(lines, ends, strict=True)]
    return [rf"\begin{{{environment}}}", *body, rf"\end{{{environment}}}"]


def broken(head: str, terms: list[str]) -> list[str]:
    """Return an equation broken into lines of about the width of a page.

    Args:
        head: What it begins with, up to the sign at which lines are aligned.
        terms: The terms, in writing.
    """
    lines = [head]
    printed = _printed(head)
    for k, term in enumerate(terms):
        if k and printed + _printed(term) > WIDTH:
            lines.append(r"&\quad " + term.lstrip())
            printed = 2
        else:
            lines[-1] += term
        printed += _printed(term)
    return lines


def _printed(text: str) -> int:
    """Return the approximate printed length of a formula."""
    return len(_COMMAND.sub("", text).replace(" ", ""))
