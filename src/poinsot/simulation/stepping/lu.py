"""Linear equations as LLVM IR text: A x = b by Gaussian elimination with partial pivoting.

Matrices are stored by rows of ``width`` entries, ``n`` of them in use and zeros up to whole
registers.  U takes the place of A; L, without its diagonal of ones, has its own memory; ``order``
holds the rows in the order of their pivots.  A pivot that is 0 or NaN makes the solution NaN, which
the stepper detects.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout


def factor(layout: Layout) -> str:
    """Return ``@factor(A, L, order, n, width)``."""
    w = IrWriter(layout)
    n, width, k, i = (w.number(name) for name in ("%n", "%width", "%k", "%i"))
    with w.loop("fill", 0, n):
        w.write("%fill", "%order", "%fill", "i64")
    with w.loop("clear", 0, n * width, layout.width):
        w.store(w.constant(0.0), "%L", "%clear")
    with w.loop("k", 0, n):
        row_k = _row(w, "%A", k)
        below = k + 1
        _exchange(w, _pivot(w, row_k, below), row_k)
        pivot = w.read(row_k, k)
        first = _register(w, k)
        with w.loop("i", below, n):
            row_i, lower_i = _row(w, "%A", i), _row(w, "%L", i)
            ratio = w.read(row_i, k) / pivot
            w.write(ratio, lower_i, k)
            times = w.splat(ratio)
            with w.loop("j", first, width, layout.width):
                product = times * w.load(row_k, "%j")
                w.store(w.load(row_i, "%j") - product, row_i, "%j")
    return w.define("factor", "ptr %A", "ptr %L", "ptr %order", "i64 %n", "i64 %width")


def _pivot(w: IrWriter, row_k: Value, below: Value) -> Value:
    """Write the search for the largest entry of column k from row k on; return its row."""
    carry = {"best": ("i64", "%k"), "size": ("double", abs(w.read(row_k, "%k")))}
    best, r = w.number("%best"), w.number("%r")
    with w.loop("r", below, "%n", carry=carry) as after:
        size = abs(w.read(_row(w, "%A", r), "%k"))
        above = size > w.value("%size")
        after["size"] = above.choose(size, w.value("%size"))
        after["best"] = above.choose(r, best)
    return best


def _exchange(w: IrWriter, best: Value, row_k: Value) -> None:
    """Write the exchange of two rows, in A, in L and in the order."""
    k = w.number("%k")
    pairs = [(row_k, _row(w, "%A", best)), (_row(w, "%L", k), _row(w, "%L", best))]
    with w.loop("e", 0, "%width", w.lanes.width):
        for row, other in pairs:
            a, b = w.load(row, "%e"), w.load(other, "%e")
            w.store(b, row, "%e")
            w.store(a, other, "%e")
    numbers = [w.read("%order", row, "i64") for row in (k, best)]
    for number, row in zip(reversed(numbers), (k, best), strict=True):
        w.write(number, "%order", row, "i64")


def solve(layout: Layout) -> str:
    """Return ``@solve(A, L, order, b, z, x, n, width)``: z = L⁻¹ b, x = U⁻¹ z; b stays."""
    w = IrWriter(layout)
    n, i, zero = w.number("%n"), w.number("%i"), w.constant(0.0)
    with w.loop("clear", 0, "%width", layout.width):
        w.store(zero, "%x", "%clear")
        w.store(zero, "%z", "%clear")
    with w.loop("i", 0, n):
        source = w.read("%order", i, "i64")
        eliminated = _product(w, "forward", _row(w, "%L", i), "%z", 0, i)
        w.write(w.read("%b", source) - eliminated, "%z", i)
    with w.loop("back", 0, n):
        row = n - 1 - w.number("%back")
        entries = _row(w, "%A", row)
        eliminated = _product(w, "backward", entries, "%x", _register(w, row), "%width")
        rest = w.read("%z", row) - eliminated
        w.write(rest / w.read(entries, row), "%x", row)
    vectors = ("ptr %b", "ptr %z", "ptr %x")
    return w.define("solve", "ptr %A", "ptr %L", "ptr %order", *vectors, "i64 %n", "i64 %width")


def _product(
    w: IrWriter, name: str, row: Value, vector: str, first: Value | int, stop: str
) -> Value:
    """Write the product of a row and a vector; what is unknown of the vector must be 0."""
    total = w.value(f"%{name}.sum", w.lanes.real)
    carry = {f"{name}.sum": (w.lanes.real, "zeroinitializer")}
    with w.loop(name, first, stop, w.lanes.width, carry) as after:
        term = w.load(row, f"%{name}") * w.load(vector, f"%{name}")
        after[f"{name}.sum"] = total + term
    return w.reduced(total)


def _register(w: IrWriter, entry: Value) -> Value:
    """Return the first entry of the register that an entry is in."""
    return w.put(f"and i64 {entry}, {-w.lanes.width}")


def _row(w: IrWriter, matrix: str, number: Value) -> Value:
    return w.address(matrix, number * w.number("%width"))
