"""Equations in LaTeX: lines for an ``align`` or ``aligned`` environment."""

from __future__ import annotations

import re
from typing import Final

from poinsot.algebra.equation_views import EquationBlock, Views
from poinsot.algebra.expression_writer import LATEX, ExpressionWriter
from poinsot.algebra.traced_quantities import TracedQuantities
from poinsot.expr import Expr

WIDTH: Final = 80
"""Letters of a line, as printed, after which it is broken."""

_COMMAND: Final = re.compile(r"\\(left|right|mathrm|dot|ddot|,|\\)|[{}^_]|\\frac")


def motion_latex(traced: TracedQuantities) -> str:
    """Return the form of the equations of motion, without dollars."""
    rate, acceleration = (r"\dot{q}", r"\ddot{q}") if traced.is_plain else ("v", r"\dot{v}")
    form = rf"M(q)\,{acceleration} + h(q, {rate}) = \tau"
    if not traced.mechanism.closures:
        return form
    return rf"{form} + J(q)^{{T}}\,\lambda, \qquad \varphi(q) = 0"


def vectors_latex(traced: TracedQuantities) -> list[str]:
    """Return what q and the other vectors consist of, a line each."""
    symbols = traced.symbols
    write = ExpressionWriter(LATEX, symbols.letters)
    rates = r"\dot{q}" if traced.is_plain else "v"
    vectors = [("q", symbols.q), (rates, symbols.v), (r"\tau", symbols.tau)]
    vectors += [(r"\lambda", symbols.lam)] if len(symbols.lam) else []
    lines = []
    for letter, vector in vectors:
        names = [write.name(str(x.value)) for x in vector]
        parts = [f", {name}" if k else name for k, name in enumerate(names)]
        lines += broken(f"{letter} &= ", ["(", *parts, ")"])
    return lines


def assignment_lines(block: EquationBlock) -> list[str]:
    """Return the intermediate variables, a line each."""
    write = ExpressionWriter(LATEX, block.letters)
    lines: list[str] = []
    for name, expr in block.assignments:
        lines += broken(f"{write.name(name)} &= ", write.parts(expr))
    return lines


def quantity_lines(
    block: EquationBlock, one: Views, rows: list[tuple[tuple[int, ...], Expr]]
) -> list[str]:
    """Return the entries of a quantity, a line each."""
    write = ExpressionWriter(LATEX, block.letters)
    shown = one.shown
    lines: list[str] = []
    for place, expr in rows:
        index = f"_{{{','.join(map(str, place))}}}" if place else ""
        lines += broken(f"{shown.latex}{index} &= ", write.parts(expr))
    return lines


def aligned(lines: list[str], environment: str) -> list[str]:
    """Return lines inside ``align*`` or ``aligned``, nothing where there are none."""
    if not lines:
        return []
    ends = [r" \\"] * (len(lines) - 1) + [""]
    body = [line + end for line, end in zip(lines, ends, strict=True)]
    return [rf"\begin{{{environment}}}", *body, rf"\end{{{environment}}}"]


def broken(head: str, parts: list[str]) -> list[str]:
    """Return an equation as lines that are not much longer than a page is wide.

    Args:
        head: What it begins with, up to the sign at which lines are aligned.
        parts: The terms, in writing.
    """
    lines = [head]
    printed = _printed(head)
    for k, part in enumerate(parts):
        if k and printed + _printed(part) > WIDTH:
            lines.append(r"&\quad " + part.lstrip())
            printed = 2
        else:
            lines[-1] += part
        printed += _printed(part)
    return lines


def _printed(text: str) -> int:
    """Return about how many letters a formula takes on paper."""
    return len(_COMMAND.sub("", text).replace(" ", ""))
