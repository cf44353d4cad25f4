"""Cache lines of large results called for before they are written.

Results of a large batch lie beyond the caches, and a store waits for its line: writing and
computing would take turns.  So lines are asked for ahead, into the second cache, in the order in
which ``@poinsot.unpack`` will write them: while it writes W rows, the first half of each of the
next W; while their results are computed, the second half.  Lines that come evenly over the whole
time are what a core can take (4096 mass matrices of 30 joints: 0.45 µs a state, 0.6 without).
"""

from __future__ import annotations

from typing import Final

LARGE: Final = 128
"""Doubles in a row from which on lines are asked for while results are computed."""
LINE: Final = 8
"""Doubles in a cache line."""
DECLARATION: Final = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"


def prefetch(place: str) -> str:
    """Return the instruction that asks for a line: to read, soon but not at once, data."""
    return f"call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 2, i32 1)"


def while_computing(size: int, width: int) -> list[int]:
    """Return which doubles of W rows to ask for while they are computed: their second halves.

    Args:
        size: Doubles in a row.
        width: Number of rows, W.
    """
    if size < LARGE:
        return []
    half = range(_half(size), size, LINE)
    return [row * size + column for column in half for row in range(width)]


def while_writing(column: str, width: int) -> list[str]:
    """Return the lines of IR that ask for a part of the next rows while four columns are written.

    Four columns of W rows are W/2 lines, so W/4 are asked for: that many rows in turn, a line
    further every 16 columns.  Uses ``%rows`` and ``%n`` of ``layout.py``.
    """
    n_rows = width // 4
    lines = [
        f"%ahead.turn = udiv i64 {column}, {4 // n_rows}",
        f"%ahead.first = and i64 %ahead.turn, {width - n_rows}",
        f"%ahead.line = udiv i64 {column}, {2 * LINE}",
        f"%ahead.column = mul i64 %ahead.line, {LINE}",
        f"%ahead.row0 = add i64 %ahead.first, {width}",
    ]
    for r in range(n_rows):
        if r:
            lines.append(f"%ahead.row{r} = add i64 %ahead.row{r - 1}, 1")
        lines += [
            f"%ahead.skip{r} = mul i64 %ahead.row{r}, %n",
            f"%ahead.entry{r} = add i64 %ahead.skip{r}, %ahead.column",
            f"%ahead.place{r} = getelementptr double, ptr %rows, i64 %ahead.entry{r}",
            prefetch(f"%ahead.place{r}"),
        ]
    return lines


def _half(size: int) -> int:
    """Return the column up to which ``while_writing`` asks."""
    return size // (2 * LINE) * LINE
