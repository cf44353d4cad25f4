"""Linear least squares as LLVM IR: Householder reflections of columns [Golub2013, 5.1, 5.4].

A matrix lies in memory column after column, ``stride`` doubles each, with zeros below its last row
for a register more.  Reflection k takes a column a to its diagonal entry of R,

    (1 - β u uᵀ) a = -sign(a_k) |a| e_k,   u = a + sign(a_k) |a| e_k,   β = 1 / (|a|² + |a_k| |a|),

of the entries from k on.  u stays in the place of the column, below the rest of R; the diagonal of
R and the factors β have arrays of their own.
"""

from __future__ import annotations

from poinsot.kernels.llvm.ir_value import Value
from poinsot.kernels.llvm.ir_writer import IrWriter, Layout
from poinsot.kernels.llvm.ranged_vectors import ADD, PRODUCT, ranged_functions

ELIMINATE, SHORTEST = "householder.eliminate", "householder.shortest"


def householder_functions(layout: Layout) -> str:
    """Return ``@householder.shortest`` and what it calls."""
    return "\n".join([ranged_functions(layout), _eliminate(layout), _shortest(layout)])


def _eliminate(layout: Layout) -> str:
    """Return ``i64 @householder.eliminate(A, stride, n, columns, rows, first, tolerance, ...)``.

    Takes the first n columns to R, the others along, and returns the rank.  Of column k no entry
    from ``first`` + k on but below its diagonal is other than zero.  With a tolerance above 0 the
    longest remaining column is next, and a diagonal entry of R up to this fraction of the first one
    is zero; ``order`` tells which column is where.
    """
    w = IrWriter(layout)
    stride, n, columns, rows, first = (
        w.number(f"%{name}") for name in ("stride", "n", "columns", "rows", "first")
    )
    tolerance, limit, rank = w.value("%tolerance"), w.variable(w.value("0.0")), w.variable(0)
    with w.count_up(0, n) as j:
        w.write(j, "%order", j, "i64")
    with w.loop("k", 0, n.at_most(rows)):
        k = w.number("%k")
        column, stop = w.address("%A", k * stride), rows.at_most(first + k)
        with w.when(tolerance > 0.0):
            _exchange(w, k, column)
        squared = _product(w, column, column, k, stop)
        entry, length = w.read(column, k), squared.sqrt()
        with w.when(k.equals(0)):
            limit.value = tolerance * length
        w.leave_if(~(length > limit.value), "done", otherwise="reflects")
        diagonal = (entry > 0.0).choose(-length, length)
        w.write(diagonal, "%diagonal", k)
        w.write(entry - diagonal, column, k)
        factor = 1.0 / (squared + abs(entry) * length)
        w.write(factor, "%factors", k)
        with w.count_up(k + 1, columns) as j:
            _reflect(w, w.address("%A", j * stride), column, -factor, (k, stop))
        rank.value = k + 1
    w.label("done")
    arguments = ["ptr %A", *(f"i64 %{x}" for x in ("stride", "n", "columns", "rows", "first"))]
    vectors = ["ptr %order", "ptr %diagonal", "ptr %factors"]
    return w.returning(rank.value, ELIMINATE, *arguments, "double %tolerance", *vectors)


def _exchange(w: IrWriter, k: Value, column: Value) -> None:
    """Write the exchange of column k with the longest one, of the entries from k on."""
    stride, n, rows = (w.number(f"%{name}") for name in ("stride", "n", "rows"))
    best, most = w.variable(k), w.variable(w.value("-1.0"))
    with w.count_up(k, n) as j:
        other = w.address("%A", j * stride)
        squared = _product(w, other, other, k, rows)
        with w.when(squared > most.value):
            most.value = squared
            best.value = j
    longest = w.address("%A", best.value * stride)
    with w.count_up(0, rows) as i:
        pair = w.read(column, i), w.read(longest, i)
        w.write(pair[1], column, i)
        w.write(pair[0], longest, i)
    numbers = w.read("%order", k, "i64"), w.read("%order", best.value, "i64")
    w.write(numbers[1], "%order", k, "i64")
    w.write(numbers[0], "%order", best.value, "i64")


def _shortest(layout: Layout) -> str:
    """Return ``@householder.shortest(A, B, stride, n, rows, first, tolerance, x, y, ...)``.

    The shortest x, with n entries, for which the first n columns of A combine to the next one as
    nearly as possible.  Where the rank r is less than n, the first r rows of R are columns of B,

        B = Q T,    Tᵀ y = c,    x = Q y.

    ``first`` and ``tolerance`` are those of ``@householder.eliminate``.  A and B are overwritten.
    """
    w = IrWriter(layout)
    stride, n, rows, first = (w.number(f"%{name}") for name in ("stride", "n", "rows", "first"))
    A, B, tolerance = w.value("%A", "ptr"), w.value("%B", "ptr"), w.value("%tolerance")
    x, y = "%x", w.value("%y", "ptr")
    order, diagonal, factors = (w.value(f"%{v}", "ptr") for v in ("order", "diagonal", "factors"))
    right = w.address(A, n * stride)
    shape = stride, n, n + 1, rows, first
    rank = w.ask("i64", ELIMINATE, A, *shape, tolerance, order, diagonal, factors)
    w.leave_if(rank < n, "deficient", otherwise="full")
    with w.count_up(0, n) as step:
        k = n - 1 - step
        column = w.address(A, k * stride)
        entry = w.read(right, k) / w.read(diagonal, k)
        w.write(entry, x, w.read(order, k, "i64"))
        w.do(ADD, right, -entry, column, 0, k)  # what it adds from k on is not read any more
    w.line("ret void")
    w.block("deficient")
    with w.count_up(0, stride) as i:
        w.write(0.0, y, i)
    with w.count_up(0, rank) as i:
        row = w.address(B, i * stride)
        with w.count_up(0, stride) as j:
            w.write(0.0, row, j)
        w.write(w.read(diagonal, i), row, i)
        with w.count_up(i + 1, n) as j:
            w.write(w.read(w.address(A, j * stride), i), row, j)
    unused = w.address(order, n, "i64")
    w.ask("i64", ELIMINATE, B, stride, rank, rank, n, n, w.value("0.0"), unused, diagonal, factors)
    with w.count_up(0, rank) as k:
        known = _product(w, w.address(B, k * stride), y, 0, k)
        w.write((w.read(right, k) - known) / w.read(diagonal, k), y, k)
    with w.count_up(0, rank) as step:
        k = rank - 1 - step
        _reflect(w, y, w.address(B, k * stride), -w.read(factors, k), (k, n))
    with w.count_up(0, n) as j:
        w.write(w.read(y, j), x, w.read(order, j, "i64"))
    numbers = ["ptr %A", "ptr %B", *(f"i64 %{name}" for name in ("stride", "n", "rows", "first"))]
    vectors = [f"ptr %{name}" for name in ("x", "y", "order", "diagonal", "factors")]
    return w.define(SHORTEST, *numbers, "double %tolerance", *vectors)


def _reflect(
    w: IrWriter, vector: Value, u: Value, factor: Value, ends: tuple[Value, Value]
) -> None:
    """Write: factor (u · vector) u is added to a vector."""
    product = _product(w, u, vector, *ends)
    w.do(ADD, vector, factor * product, u, *ends)


def _product(w: IrWriter, a: Value, b: Value, start: Value | int, stop: Value) -> Value:
    return w.ask("double", PRODUCT, a, b, start, stop)
