"""Software prefetch: cache lines of large results, requested before they are written.

Results of a large batch lie beyond the caches, and a store waits for its line: writing and
computing would take turns.  So lines are prefetched into the second-level cache, in the order in
which ``@poinsot.unpack`` will write them: while it writes W rows, the first half of each of the
next W; while their results are computed, the second half.  Requests that are spread evenly over the
whole time are what a core can take.  From there lines are prefetched to the first-level cache one
line before they are written.  4096 mass matrices of 30 joints take 0.42 µs per state, 0.6 without.
"""

from __future__ import annotations

from typing import Final

LARGE: Final = 128
"""Doubles in a row from which on lines are prefetched while results are computed."""
LINE: Final = 8
"""Doubles in a cache line."""
DECLARATION: Final = "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)"


def prefetch(address: str, cache: int = 2) -> str:
    """Return the prefetch of the line of an address, to the first- or second-level cache."""
    return f"call void @llvm.prefetch.p0(ptr {address}, i32 0, i32 {4 - cache}, i32 1)"


def while_computing(size: int, width: int) -> list[int]:
    """Return which doubles of W rows to prefetch while they are computed: their second halves.

    Args:
        size: Doubles in a row.
        width: Number of rows, W.
    """
    if size < LARGE:
        return []
    half = range(_half(size), size, LINE)
    return [row * size + column for column in half for row in range(width)]


def while_writing(column: str, width: int) -> list[str]:
    """Return the IR of the prefetches while four columns of W rows are written.

    Those are W/2 lines, so as many are prefetched in these rows, one line on: half of the rows in
    turn.  Of the next rows W/4 are prefetched: that many rows in turn, a line further every 16
    columns.  Uses ``%rows`` and ``%n`` of ``layout.py``.
    """
    soon, later = width // 2, width // 4
    return [
        f"%soon.group = udiv i64 {column}, 4",
        "%soon.turn = and i64 %soon.group, 1",
        f"%soon.row = mul i64 %soon.turn, {soon}",
        f"%soon.line = and i64 {column}, {-LINE}",
        f"%soon.column = add i64 %soon.line, {LINE}",
        *_prefetches("soon", soon, 1),
        f"%later.turn = udiv i64 {column}, {4 // later}",
        f"%later.place = and i64 %later.turn, {width - later}",
        f"%later.row = add i64 %later.place, {width}",
        f"%later.line = udiv i64 {column}, {2 * LINE}",
        f"%later.column = mul i64 %later.line, {LINE}",
        *_prefetches("later", later, 2),
    ]


def _prefetches(name: str, n_rows: int, cache: int) -> list[str]:
    """Return the prefetches of ``%name.column`` of some rows from ``%name.row`` on."""
    lines = [
        f"%{name}.skip = mul i64 %{name}.row, %n",
        f"%{name}.entry0 = add i64 %{name}.skip, %{name}.column",
    ]
    for r in range(n_rows):
        if r:
            lines.append(f"%{name}.entry{r} = add i64 %{name}.entry{r - 1}, %n")
        lines += [
            f"%{name}.at{r} = getelementptr double, ptr %rows, i64 %{name}.entry{r}",
            prefetch(f"%{name}.at{r}", cache),
        ]
    return lines


def _half(size: int) -> int:
    """Return the column up to which ``while_writing`` prefetches."""
    return size // (2 * LINE) * LINE
