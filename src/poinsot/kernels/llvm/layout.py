"""Conversion between ordinary arrays (one row per state) and lanes (one column per state).

``@poinsot.pack.vW`` copies W rows of n doubles into n groups of W; ``@poinsot.unpack.vW`` copies
groups, chosen by a table of n numbers, into W rows of n doubles.  Where there are fewer rows than
lanes, ``@poinsot.fill.vW`` copies them to W rows, the last one again and again, and
``@poinsot.return.vW`` copies back as many as there are.  ``@poinsot.stream.vW`` copies W rows past
the caches, a line at a time: results that no cache holds would else be read before they are
written.
Columns are taken four, two or one at a time, so nothing outside the rows is touched.  A pair of
columns is loaded from each row, the pairs of the even rows and of the odd rows are laid side
by side, and one shuffle for each column interleaves them; four columns take one round more.
"""

from __future__ import annotations

from poinsot.kernels.llvm.prefetch import LINE
from poinsot.kernels.llvm.types import Lanes


def layout_declarations(width: int) -> str:
    """Return the declarations of what ``layout_ir`` defines, for modules that call it."""
    return (
        f"declare fastcc void @poinsot.pack.v{width}(ptr noalias, i64, ptr noalias) nounwind\n"
        f"declare fastcc void @poinsot.unpack.v{width}"
        "(ptr noalias, i64, ptr noalias, ptr noalias readonly) nounwind\n"
        f"declare fastcc void @poinsot.fill.v{width}(ptr, i64, i64, ptr) nounwind\n"
        f"declare fastcc void @poinsot.return.v{width}(ptr, i64, i64, ptr) nounwind\n"
        f"declare fastcc void @poinsot.stream.v{width}(ptr, ptr, i64, i1) nounwind"
    )


def layout_ir(width: int) -> str:
    """Return the definitions of ``@poinsot.pack.vW`` and ``@poinsot.unpack.vW`` for W lanes.

    They are ``void (ptr rows, i64 n, ptr lanes)`` and ``void (ptr rows, i64 n, ptr lanes,
    ptr slots)``, the slots being i32.
    """
    return _function("pack", width) + _function("unpack", width) + _fill(width) + _stream(width)


def _fill(width: int) -> str:
    parameters = "ptr %rows, i64 %n, i64 %count, ptr %whole"
    return f"""
define fastcc void @poinsot.return.v{width}({parameters}) nounwind noinline {{
  %row = mul i64 %n, 8
  %bytes = mul i64 %row, %count
  call void @llvm.memcpy.p0.p0.i64(ptr %rows, ptr %whole, i64 %bytes, i1 0)
  ret void
}}

define fastcc void @poinsot.fill.v{width}({parameters}) nounwind noinline {{
  %row = mul i64 %n, 8
  %bytes = mul i64 %row, %count
  call void @llvm.memcpy.p0.p0.i64(ptr %whole, ptr %rows, i64 %bytes, i1 0)
  %before = sub i64 %bytes, %row
  %last = getelementptr i8, ptr %rows, i64 %before
  br label %head
head:
  %k = phi i64 [ %count, %0 ], [ %next, %copy ]
  %more = icmp ult i64 %k, {width}
  br i1 %more, label %copy, label %done
copy:
  %skip = mul i64 %row, %k
  %place = getelementptr i8, ptr %whole, i64 %skip
  call void @llvm.memcpy.p0.p0.i64(ptr %place, ptr %last, i64 %row, i1 0)
  %next = add i64 %k, 1
  br label %head
done:
  ret void
}}
"""


def _stream(width: int) -> str:
    """Return the function that copies W rows past the caches: lines as a whole, ends as usual."""
    line = f"<{LINE} x double>"
    return f"""
define fastcc void @poinsot.stream.v{width}(ptr %to, ptr %from, i64 %n, i1 %really) nounwind
    noinline {{
  br i1 %really, label %start, label %done
start:
  %whole = mul i64 %n, {width}
  %address = ptrtoint ptr %to to i64
  %astray = and i64 %address, 7
  %is.astray = icmp ne i64 %astray, 0
  br i1 %is.astray, label %anyhow, label %choose
anyhow:
  %bytes = mul i64 %whole, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 0)
  ret void
choose:
  %negative = sub i64 0, %address
  %before = and i64 %negative, {8 * LINE - 1}
  %until.line = lshr i64 %before, 3
  %reaches = icmp ult i64 %until.line, %whole
  %first = select i1 %reaches, i64 %until.line, i64 %whole
  %some = icmp ne i64 %first, 0
  br i1 %some, label %head, label %middle
head:
  %h = phi i64 [ 0, %choose ], [ %h.next, %head ]
  %h.from = getelementptr double, ptr %from, i64 %h
  %h.value = load double, ptr %h.from
  %h.to = getelementptr double, ptr %to, i64 %h
  store double %h.value, ptr %h.to
  %h.next = add i64 %h, 1
  %h.more = icmp ult i64 %h.next, %first
  br i1 %h.more, label %head, label %middle
middle:
  %rest = sub i64 %whole, %first
  %lines = and i64 %rest, {-LINE}
  %last = add i64 %first, %lines
  %any.line = icmp ne i64 %lines, 0
  br i1 %any.line, label %line, label %tail
line:
  %k = phi i64 [ %first, %middle ], [ %k.next, %line ]
  %k.from = getelementptr double, ptr %from, i64 %k
  %k.value = load {line}, ptr %k.from, align 8
  %k.to = getelementptr double, ptr %to, i64 %k
  store {line} %k.value, ptr %k.to, align {8 * LINE}, !nontemporal !0
  %k.next = add i64 %k, {LINE}
  %k.more = icmp ult i64 %k.next, %last
  br i1 %k.more, label %line, label %tail
tail:
  %t = phi i64 [ %last, %line ], [ %last, %middle ], [ %t.next, %copy ]
  %t.more = icmp ult i64 %t, %whole
  br i1 %t.more, label %copy, label %done
copy:
  %t.from = getelementptr double, ptr %from, i64 %t
  %t.value = load double, ptr %t.from
  %t.to = getelementptr double, ptr %to, i64 %t
  store double %t.value, ptr %t.to
  %t.next = add i64 %t, 1
  br label %tail
done:
  ret void
}}
!0 = !{{i32 1}}
"""


def _function(name: str, width: int) -> str:
    """Return a loop over pieces of the widest kind, and the rest of the columns after it."""
    widest = min(width, 4) if name == "pack" else width
    parameters = "ptr noalias %rows, i64 %n, ptr noalias %lanes"
    parameters += ", ptr noalias readonly %slots" if name == "unpack" else ""
    rows = "\n  ".join(
        f"%row{r} = getelementptr inbounds double, ptr %rows, i64 %skip{r}" for r in range(width)
    )
    skips = "\n  ".join(f"%skip{r} = mul i64 %n, {r}" for r in range(width))
    bodies = {
        size: "\n  ".join(_piece(name, width, size)) for size in (8, 4, 2, 1) if size <= widest
    }
    rest = ""
    for size in [size for size in (4, 2, 1) if size < widest]:
        rest += f"""
  %has{size} = and i64 %n, {size}
  %some{size} = icmp ne i64 %has{size}, 0
  br i1 %some{size}, label %piece{size}, label %after{size}
piece{size}:
  %column{size} = and i64 %n, {-2 * size}
  {bodies[size]}
  br label %after{size}
after{size}:"""
    return f"""
define fastcc void @poinsot.{name}.v{width}({parameters}) nounwind noinline {{
  {skips}
  {rows}
  %whole = and i64 %n, {-widest}
  %any = icmp ne i64 %whole, 0
  br i1 %any, label %piece{widest}, label %after{widest}
piece{widest}:
  %column{widest} = phi i64 [ 0, %0 ], [ %next, %piece{widest} ]
  {bodies[widest]}
  %next = add i64 %column{widest}, {widest}
  %more = icmp ult i64 %next, %whole
  br i1 %more, label %piece{widest}, label %after{widest}
after{widest}:{rest}
  ret void
}}
"""


def _piece(name: str, width: int, size: int) -> list[str]:
    """Return the lines that move ``size`` columns of all rows."""
    t = Lanes(width)
    vector = f"<{size} x double>"
    lines = [
        f"%place{size}_{r} = getelementptr inbounds double, ptr %row{r}, i64 %column{size}"
        for r in range(width)
    ]
    shuffles = _Shuffles(f"%s{size}")
    if name == "pack":
        lines += [
            f"%offset{size} = mul i64 %column{size}, {width}",
            f"%group{size} = getelementptr inbounds double, ptr %lanes, i64 %offset{size}",
        ]
        lines += [
            f"%lane{size}_{k} = getelementptr inbounds double, ptr %group{size}, i64 {k * width}"
            for k in range(size)
        ]
        lines += [
            f"%p{size}_{r} = load {vector}, ptr %place{size}_{r}, align 8" for r in range(width)
        ]
        columns = shuffles.columns([f"%p{size}_{r}" for r in range(width)], size)
        lines += shuffles.lines
        lines += [f"store {t.real} {c}, ptr %lane{size}_{k}" for k, c in enumerate(columns)]
    else:
        lines.append(f"%table{size} = getelementptr inbounds i32, ptr %slots, i64 %column{size}")
        for k in range(size):
            tag = f"{size}_{k}"
            lines += [
                f"%which{tag} = getelementptr inbounds i32, ptr %table{size}, i64 {k}",
                f"%slot{tag} = load i32, ptr %which{tag}",
                f"%wide{tag} = zext i32 %slot{tag} to i64",
                f"%offset{tag} = mul i64 %wide{tag}, {width}",
                f"%lane{tag} = getelementptr inbounds double, ptr %lanes, i64 %offset{tag}",
            ]
        lines += [f"%p{size}_{k} = load {t.real}, ptr %lane{size}_{k}" for k in range(size)]
        pieces = shuffles.pieces([f"%p{size}_{k}" for k in range(size)], width)
        lines += shuffles.lines
        lines += [
            f"store {vector} {piece}, ptr %place{size}_{r}, align 8"
            for r, piece in enumerate(pieces)
        ]
    return lines


class _Shuffles:
    """Collects two-operand shuffles under fresh names."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self.lines: list[str] = []

    def shuffle(self, a: str, b: str, lanes: int, picks: list[int]) -> str:
        """Return the name of the vector of these entries of ``a`` and ``b`` (of ``lanes`` each)."""
        name = f"{self._prefix}_{len(self.lines)}"
        mask = ", ".join(f"i32 {k}" for k in picks)
        kind = f"<{lanes} x double>"
        self.lines.append(
            f"{name} = shufflevector {kind} {a}, {kind} {b}, <{len(picks)} x i32> <{mask}>"
        )
        return name

    def joined(self, vectors: list[str], lanes: int) -> str:
        """Return vectors laid end to end."""
        while len(vectors) > 1:
            picks = list(range(2 * lanes))
            vectors = [
                self.shuffle(a, b, lanes, picks)
                for a, b in zip(vectors[::2], vectors[1::2], strict=True)
            ]
            lanes *= 2
        return vectors[0]

    def columns(self, rows: list[str], size: int) -> list[str]:
        """Return the columns, one lane per row, of rows that hold ``size`` columns each."""
        width = len(rows)
        if size == 1:
            return [self.joined(rows, 1)]
        if size == 2:
            even, odd = self.joined(rows[::2], 2), self.joined(rows[1::2], 2)
            return self._interleaved(even, odd, width)
        # Rows r and r + 2 side by side are [c0 c1 c2 c3 | c0 c1 c2 c3]; picking halves of two such
        # vectors gives the pairs (c0 c1) or (c2 c3) of rows r, r + 2, ... that size 2 starts from.
        fours = {r: self.joined([rows[k] for k in range(r, width, 4)], 4) for r in range(4)}
        results = []
        for half in (0, 2):
            picks = [
                block + half + k + side * width
                for block in range(0, width, 4)
                for side in (0, 1)
                for k in (0, 1)
            ]
            even = self.shuffle(fours[0], fours[2], width, picks)
            odd = self.shuffle(fours[1], fours[3], width, picks)
            results += self._interleaved(even, odd, width)
        return results

    def pieces(self, columns: list[str], width: int) -> list[str]:
        """Return the pieces of all rows from ``columns``, one lane per row."""
        size = len(columns)
        if size == 1:
            return [self.shuffle(columns[0], "poison", width, [r]) for r in range(width)]
        if size == width:
            return self._transposed(columns)
        pairs = [
            self._interleaved(a, b, width) for a, b in zip(columns[::2], columns[1::2], strict=True)
        ]
        result = [""] * width
        if size == 2:
            for r in range(width):
                start = r - r % 2
                result[r] = self.shuffle(pairs[0][r % 2], "poison", width, [start, start + 1])
            return result
        # Two registers of pairs give two registers of whole pieces, of which halves are stored.
        for odd in (0, 1):
            for first in range(0, width, 4):
                picks = [k + side for k in (first, first + 2) for side in (0, 1, width, width + 1)]
                both = self.shuffle(pairs[0][odd], pairs[1][odd], width, picks)
                for half in (0, 1):
                    start = 4 * half
                    result[first + 2 * half + odd] = self.shuffle(
                        both, "poison", 8, list(range(start, start + 4))
                    )
        return result

    def _transposed(self, columns: list[str]) -> list[str]:
        """Return the rows of as many columns as there are lanes.

        Pairs of columns are interleaved, [a0 b0 a2 b2 ...]; then even and odd pairs of entries of
        two vectors are laid end to end until one vector has all entries of a row.
        """
        width = len(columns)
        pairs = [
            self._interleaved(a, b, width) for a, b in zip(columns[::2], columns[1::2], strict=True)
        ]
        groups = [([pair[r] for pair in pairs], [*range(r, width, 2)]) for r in (0, 1)]
        while len(groups[0][0]) > 1:
            groups = [
                (
                    [
                        self.shuffle(a, b, width, [k + s for k in firsts for s in (0, 1)])
                        for a, b in zip(vectors[::2], vectors[1::2], strict=True)
                    ],
                    rows[odd::2],
                )
                for vectors, rows in groups
                for odd in (0, 1)
                for firsts in [range(2 * odd, 2 * width, 4)]
            ]
        vector = {rows[0]: vectors[0] for vectors, rows in groups}
        return [vector[r] for r in range(width)]

    def _interleaved(self, a: str, b: str, width: int) -> list[str]:
        """Return [a0 b0 a2 b2 ...] and [a1 b1 a3 b3 ...]; done twice it gives a and b again."""
        return [
            self.shuffle(
                a, b, width, [pick for k in range(odd, width, 2) for pick in (k, width + k)]
            )
            for odd in (0, 1)
        ]
