"""Measurements as text: Markdown that reads well in a terminal too."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.machine import describe

RESULTS = Path(__file__).resolve().parent / "results"


@dataclass(frozen=True)
class Row:
    """One quantity of one system; times in seconds, of a batch per state."""

    system: str
    quantity: str
    operations: int
    ours: float
    batch: float
    batch_out: float
    peer: float
    trace: float
    single_compile: float
    batch_compile: float
    error: float

    def gflops(self) -> float:
        """Return billions of operations a second in the faster of the two batches."""
        return self.operations / min(self.batch, self.batch_out) / 1e9


def report(rows: Sequence[Row], *, peak: float, how: str) -> str:
    """Return the page: machine, tables of times and of code, notes.

    Args:
        rows: What was measured.
        peak: Peak of the core [GFLOP/s].
        how: What was done, the docstring of the benchmark.
    """
    machine = describe() | {"FMA peak of the core": f"{peak:.1f} GFLOP/s (measured)"}
    return "\n".join(
        [
            f"# {how.splitlines()[0]}",
            "",
            f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
            "",
            *(f"- {name}: {value}" for name, value in machine.items()),
            "",
            "## Time per state [µs], and how many times faster than Pinocchio",
            "",
            *table(TIME_HEADS, [_time_cells(row) for row in rows]),
            "",
            "## Code: operations, seconds to make it, speed of the batch",
            "",
            *table(CODE_HEADS, [_code_cells(row, peak) for row in rows]),
            "",
            *how.splitlines()[2:],
            NOTES,
        ]
    )


def table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table with aligned columns, the first two to the left."""
    widths = [max(len(row[k]) for row in (heads, *rows)) for k in range(len(heads))]

    def line(cells: Sequence[str]) -> str:
        padded = [
            cell.ljust(width) if k < 2 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return f"| {' | '.join(padded)} |"

    rules = ["-" * width if k < 2 else "-" * (width - 1) + ":" for k, width in enumerate(widths)]
    return [line(heads), line(rules), *map(line, rows)]


def save(text: str, name: str) -> Path:
    """Write a page into benchmarks/results and return its path."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.md"
    path.write_text(text + "\n", encoding="utf-8")
    return path


TIME_HEADS = (
    "system", "quantity", "Pinocchio", "single", "ratio", "batch", "ratio", "batch, out=", "ratio",
    "error",
)  # fmt: skip
CODE_HEADS = (
    "system", "quantity", "operations", "trace s", "compile single s", "compile SIMD s",
    "GFLOP/s", "% of FMA peak",
)  # fmt: skip
NOTES = """
Error: the largest max|x - y| / max|y| of any of the states, y Pinocchio's result. Operations: steps
of the program, each sum, product, quotient, sine and cosine one. GFLOP/s: those operations in the
faster of the two batches, so a sine counts as one of the about 20 it takes; the peak counts a fused
multiply-add as two. Compile: from program to object code, once per quantity."""


def _time_cells(row: Row) -> list[str]:
    cells = [row.system, row.quantity, f"{row.peer * 1e6:.3f}"]
    for seconds in (row.ours, row.batch, row.batch_out):
        cells += [f"{seconds * 1e6:.3f}", f"{row.peer / seconds:.1f}"]
    return [*cells, f"{row.error:.0e}"]


def _code_cells(row: Row, peak: float) -> list[str]:
    return [
        row.system,
        row.quantity,
        str(row.operations),
        f"{row.trace:.3f}",
        f"{row.single_compile:.2f}",
        f"{row.batch_compile:.2f}",
        f"{row.gflops():.1f}",
        f"{100 * row.gflops() / peak:.0f}",
    ]
