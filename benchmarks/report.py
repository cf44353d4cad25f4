"""Measurements as text: Markdown that reads well in a terminal too."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import describe

RESULTS = Path(__file__).resolve().parent / "results"


def page(how: str, sections: Sequence[str], *, facts: dict[str, str] | None = None) -> str:
    """Return a page: title, machine, sections, and how it was done.

    Args:
        how: What was done, the docstring of the benchmark; its first line is the title.
        sections: What was found.
        facts: Lines to add to the description of the machine.
    """
    machine = describe() | (facts or {})
    return "\n".join(
        [
            f"# {how.splitlines()[0]}",
            "",
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "",
            *(f"- {name}: {value}" for name, value in machine.items()),
            "",
            *(f"{section}\n" for section in sections),
            "## How",
            *how.splitlines()[1:],
        ]
    )


def section(title: str, lines: Sequence[str]) -> str:
    """Return a section of a page."""
    return "\n".join([f"## {title}", "", *lines])


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 2) -> list[str]:
    """Return the lines of a Markdown table with aligned columns, the first few to the left."""
    widths = [max(len(row[k]) for row in (heads, *rows)) for k in range(len(heads))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if k < left else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rules = ["-" * width if k < left else "-" * (width - 1) + ":" for k, width in enumerate(widths)]
    return [line(heads), line(rules), *map(line, rows)]


@dataclass(frozen=True)
class Verdict:
    """A target and what was measured; a figure that is missing has failed."""

    what: str
    target: float
    measured: float
    at_least: bool = True
    unit: str = "x"
    note: str = ""

    @property
    def passed(self) -> bool:
        """Whether the target was met."""
        if self.at_least:
            return self.measured >= self.target
        return self.measured <= self.target

    def line(self) -> str:
        """Return the verdict as a line of a list."""
        sign = "≥" if self.at_least else "≤"
        note = f" ({self.note})" if self.note else ""
        return (
            f"- {'PASS' if self.passed else 'FAIL'}: {self.what}: {self.measured:.3g} {self.unit}, "
            f"target {sign} {self.target:g} {self.unit}{note}"
        )


def verdict_section(verdicts: Sequence[Verdict]) -> str:
    """Return the section of all targets."""
    met = sum(verdict.passed for verdict in verdicts)
    return section(
        f"Targets: {met} of {len(verdicts)} met", [verdict.line() for verdict in verdicts]
    )


def save(text: str, name: str) -> Path:
    """Write a page into benchmarks/results and return its path."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.md"
    path.write_text(text + "\n", encoding="utf-8")
    return path
