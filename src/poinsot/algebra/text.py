"""Equations as text with Unicode."""

from __future__ import annotations

from typing import Final

from poinsot.algebra.equation_views import EquationBlock, WrittenQuantities
from poinsot.algebra.expression_writer import UNICODE, ExpressionWriter
from poinsot.algebra.traced_quantities import IN_MOTION, TracedQuantities, constraint_quantities

WIDTH: Final = 96
"""Longest line of a text, but for terms that are longer."""


def motion_text(traced: TracedQuantities) -> str:
    """Return the form of the equations of motion."""
    M, h, J, phi, gamma = (traced.shown(name).letter for name in IN_MOTION)
    rate, acceleration = ("q̇", "q̈") if traced.is_plain else ("v", "v̇")
    left = f"{M}(q)·{acceleration} + {h}(q, {rate}) = τ"
    if not traced.mechanism.closures:
        return left
    second = f"{J}(q)·{acceleration} + {gamma}(q, {rate}) = 0"
    letters = {"constraint_residual": f"{phi}(q)", "constraint_rate": f"φ̇(q, {rate})"}
    told = [letters[x] for x in constraint_quantities(traced.mechanism) if x in letters]
    return ",    ".join([f"{left} + {J}(q)ᵀ·λ", *(f"{letter} = 0" for letter in told), second])


def vectors_text(traced: WrittenQuantities) -> str:
    """Return the entries of q and the other vectors, one line per vector."""
    symbols = traced.symbols
    write = ExpressionWriter(UNICODE, symbols.letters)
    rates = "q̇" if traced.is_plain else "v"
    lines: list[str] = []
    vectors = [("q", symbols.q), (rates, symbols.v)]
    vectors += [("τ", symbols.tau)] if len(symbols.tau) else []
    vectors += [("λ", symbols.lam)] if len(symbols.lam) else []
    for letter, vector in vectors:
        names = [write.name(str(x.value)) for x in vector]
        terms = [f", {name}" if k else name for k, name in enumerate(names)]
        lines += wrapped(f"{letter} = (", [*terms, ")"])
    return "\n".join(lines)


def block_text(block: EquationBlock) -> str:
    """Return quantities as text, one equation per line; long ones continue indented."""
    write = ExpressionWriter(UNICODE, block.letters)
    lines: list[str] = []
    for name, expr in block.assignments:
        lines += wrapped(f"{write.name(name)} = ", write.terms(expr))
    for quantity, rows in block.quantities:
        shown = quantity.shown
        lines += ["", f"{shown.title}:"]
        for entry, expr in rows:
            index = f"[{','.join(map(str, entry))}]" if entry else ""
            own = quantity.letter(entry)
            head = f"{shown.letter}{index}" if own is None else write.name(own)
            lines += wrapped(f"  {head} = ", write.terms(expr))
    return "\n".join(lines).strip("\n")


def wrapped(head: str, terms: list[str]) -> list[str]:
    """Return an equation broken into lines between its terms.

    Args:
        head: What it begins with; what follows is indented as far.
        terms: What follows.
    """
    lines = [head]
    for term in terms:
        if len(lines[-1]) + len(term) > WIDTH and len(lines[-1]) > len(head):
            lines.append(" " * len(head) + term.lstrip())
        else:
            lines[-1] += term
    return lines
