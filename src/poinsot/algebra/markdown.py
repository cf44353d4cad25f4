"""Equations as Markdown, mathematics between dollars."""

from __future__ import annotations

from collections.abc import Mapping

from poinsot.algebra.latex import assignment_lines, motion_latex, quantity_lines, vectors_latex
from poinsot.algebra.table import symbols_used
from poinsot.algebra.traced import SHOWN, Traced
from poinsot.algebra.views import Block


def markdown(title: str, traced: Traced, block: Block, values: Mapping[str, float | None]) -> str:
    """Return equations as a page of Markdown.

    Args:
        title: Its title.
        traced: The system.
        block: Its equations.
        values: Numbers of the parameters by name, None where there is none.
    """
    lines = [
        f"# {title}",
        "",
        f"$$ {motion_latex(traced)} $$",
        "",
        *_aligned(vectors_latex(traced)),
    ]
    lines += ["", "| symbol | meaning | unit | value |", "|---|---|---|---|"]
    for letter in symbols_used(traced, block):
        value = values.get(letter.name)
        shown = "" if value is None else f"{value:.6g}"
        meaning = letter.meaning.replace("|", r"\|")
        lines.append(f"| ${letter.latex}$ | {meaning} | {letter.unit} | {shown} |")
    if block.assignments:
        lines += ["", "## Intermediate variables", "", *_aligned(assignment_lines(block))]
    for one, rows in block.parts:
        lines += [
            "",
            f"## {SHOWN[one.name].title}",
            "",
            *_aligned(quantity_lines(block, one, rows)),
        ]
    return "\n".join(lines) + "\n"


def _aligned(lines: list[str]) -> list[str]:
    ends = [r" \\"] * (len(lines) - 1) + [""]
    body = [line + end for line, end in zip(lines, ends, strict=True)]
    return ["$$", r"\begin{aligned}", *body, r"\end{aligned}", "$$"]
