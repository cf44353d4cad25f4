"""Products and sums that skip zeros, so that arithmetic exploits sparsity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from poinsot.expr.node import ZERO, Expr, Scalar


def is_zero(x: Scalar) -> bool:
    """Say whether x is the number 0 or the expression 0."""
    return x is ZERO or (x.__class__ is not Expr and bool(x == 0))


def times(a: Scalar, b: Scalar) -> Scalar:
    """Return a b, which is 0 where a factor is, even if the other one is not finite."""
    return 0.0 if is_zero(a) or is_zero(b) else a * b


def total(terms: Iterable[Scalar]) -> Scalar:
    """Return the sum of the terms that are not 0.

    >>> total([0.0, 1.0, 2.0])
    3.0
    """
    result: Scalar = 0.0
    for term in terms:
        if not is_zero(term):
            result = term if is_zero(result) else result + term
    return result


def dot(a: Sequence[Any], b: Sequence[Any]) -> Scalar:
    """Return the sum of the products of two vectors.

    Two sums that alternate are ready in half the time of one, and each product still fuses.
    """
    terms = []
    for x, y in zip(a, b, strict=True):
        if x.__class__ is float and x == 0.0:  # most entries of sparse rows; calls would cost more
            continue
        if y.__class__ is float and y == 0.0:
            continue
        product = times(x, y)
        if not is_zero(product):
            terms.append(product)
    return total((total(terms[0::2]), total(terms[1::2])))


def minus(x: Sequence[Any], factor: Scalar, y: Sequence[Any]) -> list[Any]:
    """Return x - factor y."""
    result = []
    for a, entry in zip(x, y, strict=True):
        product = 0.0 if entry.__class__ is float and entry == 0.0 else times(factor, entry)
        result.append(a if is_zero(product) else a - product)
    return result
