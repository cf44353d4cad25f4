"""Between ordinary arrays (one row a state) and lanes (one column a state).

``@poinsot.pack`` copies W rows of n doubles into n groups of W, ``@poinsot.unpack`` the other way.
Both transpose W x W tiles in registers: a row is loaded with a mask, so nothing beyond it is read,
and log2(W) rounds of shuffles turn rows into columns.  At the end of a batch there are fewer rows
than lanes: the last row then stands in for the missing ones, and is written again with the values
it has.
"""

from __future__ import annotations

from poinsot.kernels.llvm.types import Lanes


def padded(size: int, width: int) -> int:
    """Return how many entries a port of ``size`` takes in lanes: whole tiles."""
    return -(-size // width) * width


def layout_ir(width: int) -> str:
    """Return the definitions of ``@poinsot.pack`` and ``@poinsot.unpack`` for a number of lanes.

    Both are ``void (ptr rows, i64 n, i64 valid, ptr lanes)`` with 1 <= valid <= width.
    """
    return _function("pack", width) + _function("unpack", width)


def layout_declarations(width: int) -> set[str]:
    """Return the declarations they need."""
    real, bit, suffix = Lanes(width).real, Lanes(width).bit, Lanes(width).suffix
    return {
        f"declare {real} @llvm.masked.load.{suffix}.p0(ptr, i32, {bit}, {real})",
        f"declare void @llvm.masked.store.{suffix}.p0({real}, ptr, i32, {bit})",
    }


def _function(name: str, width: int) -> str:
    t = Lanes(width)
    lines = []
    for r in range(width):
        lines += [
            f"%has{r} = icmp ugt i64 %valid, {r}",
            f"%row{r} = select i1 %has{r}, i64 {r}, i64 %last",
            f"%skip{r} = mul i64 %row{r}, %n",
            f"%base{r} = getelementptr inbounds double, ptr %rows, i64 %skip{r}",
        ]
    start = "\n  ".join(lines)
    lines = []
    for r in range(width):
        lines.append(f"%place{r} = getelementptr inbounds double, ptr %base{r}, i64 %column")
    for k in range(width):
        lines.append(f"%lane{k} = getelementptr inbounds double, ptr %group, i64 {k * width}")
    if name == "pack":
        for r in range(width):
            lines.append(
                f"%m{r} = call {t.real} @llvm.masked.load.{t.suffix}.p0"
                f"(ptr %place{r}, i32 8, {t.bit} %mask, {t.real} zeroinitializer)"
            )
    else:
        lines += [f"%m{k} = load {t.real}, ptr %lane{k}" for k in range(width)]
    shuffles, columns = _transpose([f"%m{k}" for k in range(width)], width)
    lines += shuffles
    if name == "pack":
        lines += [f"store {t.real} {c}, ptr %lane{k}" for k, c in enumerate(columns)]
    else:
        lines += [
            f"call void @llvm.masked.store.{t.suffix}.p0({t.real} {c}, ptr %place{r}, i32 8, "
            f"{t.bit} %mask)"
            for r, c in enumerate(columns)
        ]
    tile = "\n  ".join(lines)
    index = ", ".join(f"i64 {k}" for k in range(width))
    return f"""
define internal fastcc void @poinsot.{name}(ptr %rows, i64 %n, i64 %valid, ptr %lanes) nounwind noinline {{
  %last = sub i64 %valid, 1
  {start}
  %any = icmp ugt i64 %n, 0
  br i1 %any, label %tile, label %done
tile:
  %column = phi i64 [ 0, %0 ], [ %next, %tile ]
  %left = sub i64 %n, %column
  %one = insertelement <{width} x i64> poison, i64 %left, i32 0
  %all = shufflevector <{width} x i64> %one, <{width} x i64> poison, <{width} x i32> zeroinitializer
  %mask = icmp ult <{width} x i64> <{index}>, %all
  %offset = mul i64 %column, {width}
  %group = getelementptr inbounds double, ptr %lanes, i64 %offset
  {tile}
  %next = add i64 %column, {width}
  %more = icmp ult i64 %next, %n
  br i1 %more, label %tile, label %done
done:
  ret void
}}
"""


def _transpose(rows: list[str], width: int) -> tuple[list[str], list[str]]:
    """Return shuffles that transpose a width x width tile, and the names of its columns.

    Each round exchanges half blocks of two rows ``half`` apart; all are two-operand shuffles.
    """
    real = Lanes(width).real
    lines: list[str] = []
    current = list(rows)
    half, level = 1, 0
    while half < width:
        following = list(current)
        for a in range(width):
            b = a ^ half
            if a & half:
                continue
            low = [k if not k & half else width + (k ^ half) for k in range(width)]
            high = [k ^ half if not k & half else width + k for k in range(width)]
            for row, picks in ((a, low), (b, high)):
                name = f"%s{level}_{row}"
                mask = ", ".join(f"i32 {p}" for p in picks)
                lines.append(
                    f"{name} = shufflevector {real} {current[a]}, {real} {current[b]}, "
                    f"<{width} x i32> <{mask}>"
                )
                following[row] = name
        current = following
        half, level = half * 2, level + 1
    return lines, current
