"""Linear equations as LLVM IR text: A x = b by Gaussian elimination with partial pivoting.

Matrices are stored by rows of ``width`` entries, ``n`` of them in use and zeros up to whole
registers.  U takes the place of A; L, without its diagonal of ones, has its own memory; ``order``
holds the rows in the order of their pivots.  A pivot that is 0 or NaN makes the solution NaN, which
the stepper detects.
"""

from __future__ import annotations

from poinsot.simulation.stepping.ir_value import Value
from poinsot.simulation.stepping.ir_writer import IrWriter

BLOCK = "and i64 {}, {}"
"""The first entry of the register that an entry is in."""


def factor(lanes: int) -> str:
    """Return ``@factor(A, L, order, n, width)``."""
    w = IrWriter(lanes)
    with w.loop("fill", "0", "%n"):
        w.line(f"store i64 %fill, ptr {w.put('getelementptr i64, ptr %order, i64 %fill')}")
    with w.loop("clear", "0", w.put("mul i64 %n, %width"), lanes):
        w.store(w.lanes.number(0.0), "%L", "%clear")
    with w.loop("k", "0", "%n"):
        row_k = _row(w, "%A", "%k")
        below = w.put("add i64 %k, 1")
        best = _pivot(w, row_k, below)
        _exchange(w, best, row_k)
        pivot = w.read(row_k, "%k")
        first = w.put(BLOCK.format("%k", -lanes))
        with w.loop("i", below, "%n"):
            row_i, lower_i = _row(w, "%A", "%i"), _row(w, "%L", "%i")
            ratio = w.read(row_i, "%k") / pivot
            w.write(ratio, lower_i, "%k")
            times = w.splat(ratio)
            with w.loop("j", first, "%width", lanes):
                product = w.arithmetic("fmul", times, w.load(row_k, "%j"))
                w.store(w.arithmetic("fsub", w.load(row_i, "%j"), product), row_i, "%j")
    w.line("ret void")
    return w.function(
        "internal fastcc void @factor(ptr %A, ptr %L, ptr %order, i64 %n, i64 %width)"
    )


def _pivot(w: IrWriter, row_k: str, below: str) -> str:
    """Write the search for the largest entry of column k from row k on; return its row."""
    largest = abs(w.read(row_k, "%k"))
    carry = {"best": ("i64", "%k"), "size": ("double", largest)}
    with w.loop("r", below, "%n", carry=carry) as after:
        size = abs(w.read(_row(w, "%A", "%r"), "%k"))
        above = w.put(f"fcmp ogt double {size}, %size")
        after["size"] = w.put(f"select i1 {above}, double {size}, double %size")
        after["best"] = w.put(f"select i1 {above}, i64 %r, i64 %best")
    return "%best"


def _exchange(w: IrWriter, best: str, row_k: str) -> None:
    """Write the exchange of two rows, in A, in L and in the order."""
    pairs = [(row_k, _row(w, "%A", best)), (_row(w, "%L", "%k"), _row(w, "%L", best))]
    with w.loop("e", "0", "%width", w.lanes.width):
        for row, other in pairs:
            a, b = w.load(row, "%e"), w.load(other, "%e")
            w.store(b, row, "%e")
            w.store(a, other, "%e")
    addresses = [w.put(f"getelementptr i64, ptr %order, i64 {row}") for row in ("%k", best)]
    values = [w.put(f"load i64, ptr {address}") for address in addresses]
    for value, address in zip(reversed(values), addresses, strict=True):
        w.line(f"store i64 {value}, ptr {address}")


def solve(lanes: int) -> str:
    """Return ``@solve(A, L, order, b, z, x, n, width)``: z = L⁻¹ b, x = U⁻¹ z; b stays."""
    w = IrWriter(lanes)
    zero = w.lanes.number(0.0)
    with w.loop("clear", "0", "%width", lanes):
        w.store(zero, "%x", "%clear")
        w.store(zero, "%z", "%clear")
    with w.loop("i", "0", "%n"):
        source = w.put(f"load i64, ptr {w.put('getelementptr i64, ptr %order, i64 %i')}")
        eliminated = _product(w, "forward", _row(w, "%L", "%i"), "%z", "0", "%i")
        w.write(w.read("%b", source) - eliminated, "%z", "%i")
    with w.loop("back", "0", "%n"):
        row = w.put(f"sub i64 {w.put('sub i64 %n, 1')}, %back")
        entries = _row(w, "%A", row)
        first = w.put(BLOCK.format(row, -lanes))
        eliminated = _product(w, "backward", entries, "%x", first, "%width")
        rest = w.read("%z", row) - eliminated
        w.write(rest / w.read(entries, row), "%x", row)
    w.line("ret void")
    return w.function(
        "internal fastcc void @solve"
        "(ptr %A, ptr %L, ptr %order, ptr %b, ptr %z, ptr %x, i64 %n, i64 %width)"
    )


def _product(w: IrWriter, name: str, row: str, vector: str, first: str, stop: str) -> Value:
    """Write the product of a row and a vector; what is unknown of the vector must be 0."""
    carry = {f"{name}.sum": (w.lanes.real, "zeroinitializer")}
    with w.loop(name, first, stop, w.lanes.width, carry) as after:
        term = w.arithmetic("fmul", w.load(row, f"%{name}"), w.load(vector, f"%{name}"))
        after[f"{name}.sum"] = w.arithmetic("fadd", f"%{name}.sum", term)
    return w.reduced(f"%{name}.sum")


def _row(w: IrWriter, matrix: str, number: str) -> str:
    return w.address(matrix, w.put(f"mul i64 {number}, %width"))
