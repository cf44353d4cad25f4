"""Equations as text with Unicode."""

from __future__ import annotations

from typing import Final

from poinsot.algebra.equation_views import EquationBlock
from poinsot.algebra.expression_writer import UNICODE, ExpressionWriter
from poinsot.algebra.traced_quantities import TracedQuantities

WIDTH: Final = 96
"""Longest line of a text, but for terms that are longer."""


def motion_text(traced: TracedQuantities) -> str:
    """Return the form of the equations of motion."""
    left = "M(q)·q̈ + h(q, q̇) = τ" if traced.is_plain else "M(q)·v̇ + h(q, v) = τ"
    return f"{left} + J(q)ᵀ·λ,    φ(q) = 0" if traced.mechanism.closures else left


def vectors_text(traced: TracedQuantities) -> str:
    """Return what q and the other vectors consist of, a line each."""
    symbols = traced.symbols
    write = ExpressionWriter(UNICODE, symbols.letters)
    rates = "q̇" if traced.is_plain else "v"
    lines: list[str] = []
    vectors = [("q", symbols.q), (rates, symbols.v), ("τ", symbols.tau)]
    vectors += [("λ", symbols.lam)] if len(symbols.lam) else []
    for letter, vector in vectors:
        names = [write.name(str(x.value)) for x in vector]
        parts = [f", {name}" if k else name for k, name in enumerate(names)]
        lines += wrapped(f"{letter} = (", [*parts, ")"])
    return "\n".join(lines)


def block_text(block: EquationBlock) -> str:
    """Return quantities as text, an equation a line; long ones go on indented."""
    write = ExpressionWriter(UNICODE, block.letters)
    lines: list[str] = []
    for name, expr in block.assignments:
        lines += wrapped(f"{write.name(name)} = ", write.parts(expr))
    for one, rows in block.parts:
        shown = one.shown
        lines += ["", f"{shown.title}:"]
        for place, expr in rows:
            index = f"[{','.join(map(str, place))}]" if place else ""
            lines += wrapped(f"  {shown.letter}{index} = ", write.parts(expr))
    return "\n".join(lines).strip("\n")


def wrapped(head: str, parts: list[str]) -> list[str]:
    """Return a line that is broken between its parts where it gets long.

    Args:
        head: What it begins with; what follows is indented as far.
        parts: What follows.
    """
    lines = [head]
    for part in parts:
        if len(lines[-1]) + len(part) > WIDTH and len(lines[-1]) > len(head):
            lines.append(" " * len(head) + part.lstrip())
        else:
            lines[-1] += part
    return lines
