"""Programs over numbers that are no floats: fractions, complex, mpmath's, SymPy's, expressions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from numbers import Complex, Rational, Real
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import PoinsotError
from poinsot.expr.node import Expr
from poinsot.expr.ops import Op
from poinsot.expr.program import Program
from poinsot.expr.replay import replay
from poinsot.expr.scalar_operations import complex_operations, mpmath_operations
from poinsot.expr.to_sympy import sympy_number, sympy_operation

__all__ = [
    "as_scalars", "is_mpmath", "is_symbolic", "kind_of", "length", "real", "reals", "replay_over",
    "solve_over", "square_root",
]  # fmt: skip

EXACT: Final[Mapping[Op, Callable[..., Any]]] = {
    Op.ADD: operator.add, Op.SUB: operator.sub, Op.MUL: operator.mul, Op.DIV: operator.truediv,
    Op.NEG: operator.neg,
}  # fmt: skip
"""What fractions can do."""
AT_ZERO: Final = {Op.SIN: 0, Op.COS: 1, Op.TAN: 0, Op.SQRT: 0}
"""Values at 0, which are exact."""


def is_symbolic(x: object) -> bool:
    """Say whether a scalar is a formula, of which nobody knows whether it is positive."""
    return isinstance(x, Expr) or (hasattr(x, "free_symbols") and bool(x.free_symbols))


def kind_of(values: Iterable[Any]) -> type:
    """Return the most general kind of some scalars.

    Expressions, SymPy's (``object``), mpmath's (``mpc`` or ``mpf``), complex numbers, floats, and
    fractions among integers.

    >>> kind_of([Fraction(1, 3), 2])
    <class 'fractions.Fraction'>
    """
    listed = list(values)
    if any(isinstance(x, Expr) for x in listed):
        return Expr
    if any(_is_sympy(x) for x in listed):
        return object
    is_complex = any(isinstance(x, Complex) and not isinstance(x, Real) for x in listed)
    if any(is_mpmath(x) for x in listed):
        import mpmath

        number: type = mpmath.mpc if is_complex else mpmath.mpf
        return number
    if is_complex:
        return complex
    exact = all(isinstance(x, Rational) for x in listed)
    return Fraction if exact and any(isinstance(x, Fraction) for x in listed) else float


def as_scalars(kind: type, values: Iterable[Any]) -> NDArray[Any]:
    """Return scalars as those of a kind, shape (n,).

    >>> as_scalars(Fraction, [0.5, 2]).tolist()
    [Fraction(1, 2), Fraction(2, 1)]
    """
    listed = [_as(kind, x) for x in values]
    made = np.empty(len(listed), dtype=object)
    made[:] = listed
    return made


def replay_over(kind: type, program: Program, *inputs: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return the outputs of a program over scalars of a kind; its constants become such too.

    Args:
        kind: From ``kind_of``.
        program: What to compute.
        inputs: An array of such scalars in the shape of each of its input ports.

    Raises:
        PoinsotError: If an operation has no exact value, or no value at all.
    """
    if kind in (Expr, float):
        return replay(program, *inputs)
    values = [x for array in inputs for x in np.ravel(array).tolist()]
    values += [_as(kind, x) for x in program.constants]
    for op, arguments in program.steps:
        values.append(_applied(kind, op, [values[k] for k in arguments]))
    outputs, start = [], 0
    for port in program.outputs:
        made = np.empty(port.size, dtype=object)
        made[:] = [values[k] for k in program.results[start : start + port.size]]
        outputs.append(made.reshape(port.shape))
        start += port.size
    return tuple(outputs)


def real(x: Any) -> float:  # noqa: ANN401 (any number)
    """Return the real part of a number as a float; SymPy's numbers have no ``real``."""
    return complex(x).real


def reals(array: NDArray[Any]) -> NDArray[np.float64]:
    """Return the real parts of numbers as floats."""
    return np.array([real(x) for x in np.ravel(array).tolist()]).reshape(np.shape(array))


def square_root(kind: type, x: Any) -> Any:  # noqa: ANN401 (any scalar)
    """Return a square root.

    Raises:
        PoinsotError: If it has no exact value as a fraction.

    >>> square_root(Fraction, Fraction(4, 9))
    Fraction(2, 3)
    """
    if kind is Fraction:
        exact = Fraction(math.isqrt(x.numerator), math.isqrt(x.denominator))
        if exact * exact == x:
            return exact
    return math.sqrt(x) if kind is float else _applied(kind, Op.SQRT, [x])


def length(kind: type, x: Any, y: Any) -> Any:  # noqa: ANN401 (any scalar)
    """Return (x² + y²)^½, which is analytic: ± x where y is 0.

    >>> length(complex, -3.0 + 1e-20j, 0.0)
    (3-1e-20j)
    """
    for own, other in ((x, y), (y, x)):
        if other == 0:
            return -own if real(own) < 0.0 else own
    return square_root(kind, x * x + y * y)


def solve_over(A: NDArray[Any], b: NDArray[Any]) -> NDArray[Any]:
    """Return x with A x = b by elimination, over any numbers; pivots are the largest by real parts.

    Args:
        A: Regular matrix, shape (n, n).
        b: Shape (n,).

    >>> A = np.array([[Fraction(0), Fraction(2)], [Fraction(3), Fraction(1)]])
    >>> solve_over(A, np.array([Fraction(1), Fraction(1)])).tolist()
    [Fraction(1, 6), Fraction(1, 2)]
    """
    A, b, n = A.copy(), b.copy(), len(b)
    for k in range(n):
        pivot = k + int(np.argmax(np.abs(reals(A[k:, k]))))
        A[[k, pivot]], b[[k, pivot]] = A[[pivot, k]], b[[pivot, k]]
        for row in range(k + 1, n):
            factor = A[row, k] / A[k, k]
            A[row, k:] = A[row, k:] - factor * A[k, k:]
            b[row] = b[row] - factor * b[k]
    for k in reversed(range(n)):
        b[k] = (b[k] - A[k, k + 1 :] @ b[k + 1 :]) / A[k, k]
    return b


def is_mpmath(x: object) -> bool:
    """Say whether a scalar is one of mpmath's numbers."""
    return type(x).__module__.startswith("mpmath.")


def _is_sympy(x: object) -> bool:
    return hasattr(x, "free_symbols") and hasattr(x, "subs")


def _as(kind: type, x: Any) -> Any:  # noqa: ANN401 (any scalar)
    """Return a number as one of a kind."""
    if kind is Expr:
        return x if isinstance(x, Expr) else float(x)
    if kind is object:
        return x if _is_sympy(x) else sympy_number(float(x))
    return kind(x)


def _applied(kind: type, op: Op, operands: list[Any]) -> Any:  # noqa: ANN401 (any scalar)
    if kind is object:
        return sympy_operation(op, operands)
    if kind is Fraction:
        if op in EXACT:
            return EXACT[op](*operands)
        if op in AT_ZERO and operands[0] == 0:
            return Fraction(AT_ZERO[op])
        raise PoinsotError(
            f"{op.name.lower()}({operands[0]}) has no exact value as a fraction: give floats, or "
            "angles of 0"
        )
    operations = complex_operations() if kind is complex else mpmath_operations()
    return operations[op](*operands)
