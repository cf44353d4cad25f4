"""Derivatives of expressions, as expressions: exact, shared with the graph they come from.

``PARTIALS`` holds the chain rule; forward and reverse sweeps apply it to a whole graph without
recursion and visit only nodes that depend on the symbols.  Signs, comparisons and ``floor`` have
derivative 0, and at a kink (abs, min, max, select) the derivative is that of the side that is
taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.functions import select, sign
from poinsot.expr.node import ONE, ZERO, Expr, Scalar, as_expr, constant
from poinsot.expr.ops import Op

HALF: Final = constant(0.5)
MOST_MASKS: Final = 8
"""So many nested choices keep 0 * inf of an untaken branch out of a reverse derivative."""

PARTIALS: Final[Mapping[Op, tuple[Callable[[Expr], Scalar], ...]]] = {
    # operation: for each operand, the derivative of the node n by it; n.args are the operands
    Op.ADD: (lambda n: ONE, lambda n: ONE),
    Op.SUB: (lambda n: ONE, lambda n: -ONE),
    Op.MUL: (lambda n: n.args[1], lambda n: n.args[0]),
    Op.DIV: (lambda n: 1 / n.args[1], lambda n: -n * (1 / n.args[1])),
    Op.NEG: (lambda n: -ONE,),
    Op.SQRT: (lambda n: HALF / n,),
    Op.SIN: (lambda n: n.args[0].cos(),),
    Op.COS: (lambda n: -n.args[0].sin(),),
    Op.TAN: (lambda n: 1 + n * n,),
    Op.ASIN: (lambda n: 1 / (1 - n.args[0] ** 2).sqrt(),),
    Op.ACOS: (lambda n: -(1 / (1 - n.args[0] ** 2).sqrt()),),
    Op.ATAN2: (
        lambda n: n.args[1] * (1 / (n.args[0] ** 2 + n.args[1] ** 2)),
        lambda n: -n.args[0] * (1 / (n.args[0] ** 2 + n.args[1] ** 2)),
    ),
    Op.EXP: (lambda n: n,),
    Op.LOG: (lambda n: 1 / n.args[0],),
    Op.POW: (lambda n: n.args[1] * n.args[0] ** (n.args[1] - 1), lambda n: n.args[0].log() * n),
    Op.ABS: (lambda n: sign(n.args[0]),),
}

CHOICES: Final[Mapping[Op, Callable[[Expr], tuple[Expr, int, int]]]] = {
    # operation: the condition, the operand taken where it holds, the operand taken elsewhere
    Op.MIN: lambda n: (n.args[0] <= n.args[1], 0, 1),
    Op.MAX: lambda n: (n.args[1] <= n.args[0], 0, 1),
    Op.SELECT: lambda n: (n.args[0], 1, 2),
}
SMOOTH: Final = PARTIALS.keys() | CHOICES.keys()

Scalars: TypeAlias = NDArray[Any] | Sequence[Any] | Scalar
Sparse: TypeAlias = dict[int, Expr]
"""The nonzero entries of a vector, by their index."""
Mask: TypeAlias = tuple[tuple[int, bool], ...]
"""Conditions, by their serials, and whether they hold; outermost first."""
Masked: TypeAlias = dict[Mask, Expr]
"""The terms of a derivative, by the conditions under which they are not 0."""


def tangent(outputs: Scalars, symbols: Scalars, rates: Scalars) -> NDArray[Any]:
    """Return the derivative of the outputs along a direction, in their shape (forward mode).

        tangent_i = sum_j (d outputs_i / d symbol_j) rate_j

    Args:
        outputs: Expressions and numbers, any shape.
        symbols: The distinct symbols that change, any shape; all others stay.
        rates: How fast they do, in the same shape.

    >>> from poinsot.expr import symbol
    >>> q = symbol("q")
    >>> tangent([q.sin(), 3.0], q, 2.0)
    array([2 * cos(q), 0], dtype=object)
    """
    array, leaves, along = np.asarray(outputs), np.asarray(symbols), np.asarray(rates)
    if leaves.shape != along.shape:
        raise ValueError(f"symbols of shape {leaves.shape} have rates of shape {along.shape}")
    seeds = [{0: as_expr(rate)} for rate in along.flat]
    tangents = _forward(
        [as_expr(root) for root in array.flat], [_leaf(s) for s in leaves.flat], seeds
    )
    return _filled(array.shape, ((k, rate[0]) for k, rate in enumerate(tangents) if rate))


def gradient(output: Scalar, symbols: Scalars) -> NDArray[Any]:
    """Return the derivative of one expression by the symbols, in their shape (reverse mode).

        gradient_j = d output / d symbol_j

    It costs a small multiple of the expression itself, however many symbols there are.

    Args:
        output: An expression.
        symbols: Distinct symbols, any shape.

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> gradient(x * y, [x, y])
    array([y, x], dtype=object)
    """
    array = np.asarray(symbols)
    (row,) = _reverse([as_expr(output)], [_leaf(s) for s in array.flat])
    return _filled(array.shape, row.items())


def jacobian(outputs: Scalars, symbols: Scalars) -> NDArray[Any]:
    """Return the derivatives of the outputs by the symbols; shape that of both, outputs first.

        jacobian_ij = d outputs_i / d symbol_j

    Forward mode where there are no more symbols than outputs, otherwise reverse mode.

    Args:
        outputs: Expressions and numbers, any shape.
        symbols: Distinct symbols, any shape.

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> jacobian([x * y, y.exp()], [x, y])
    array([[y, x],
           [0, exp(y)]], dtype=object)
    """
    values, leaves = np.asarray(outputs), np.asarray(symbols)
    roots, by = [as_expr(root) for root in values.flat], [_leaf(s) for s in leaves.flat]
    if len(by) <= len(roots):
        rows = _forward(roots, by, [{j: ONE} for j in range(len(by))])
    else:
        rows = _reverse(roots, by)
    entries = ((i * len(by) + j, d) for i, row in enumerate(rows) for j, d in row.items())
    return _filled(values.shape + leaves.shape, entries)


def derivatives_along(outputs: Scalars, symbols: Scalars, directions: Scalars) -> NDArray[Any]:
    """Return the derivatives of the outputs along several directions; the directions last.

        derivatives_ik = sum_j (d outputs_i / d symbol_j) directions_jk

    Forward mode where there are no more directions than outputs, otherwise reverse mode.

    Args:
        outputs: Expressions and numbers, any shape.
        symbols: Distinct symbols, shape (n,).
        directions: Expressions and numbers, a direction in each column, shape (n, k).

    >>> from poinsot.expr import symbol
    >>> x, y = symbol("x"), symbol("y")
    >>> derivatives_along(x * y, [x, y], [[1.0, y], [0.0, 2.0]])
    array([y, y * y + 2 * x], dtype=object)
    """
    values, columns = np.asarray(outputs), np.asarray(directions)
    roots, by = [as_expr(root) for root in values.flat], [_leaf(s) for s in np.asarray(symbols)]
    k = columns.shape[1]
    seeds: list[Sparse] = [
        {c: entry for c, x in enumerate(row) if (entry := as_expr(x)) is not ZERO}
        for row in columns
    ]
    if k <= len(roots):
        rows = _forward(roots, by, seeds)
    else:
        rows = [_combined(row, seeds) for row in _reverse(roots, by)]
    entries = ((i * k + c, d) for i, row in enumerate(rows) for c, d in row.items())
    return _filled((*values.shape, k), entries)


def _combined(row: Sparse, seeds: Sequence[Sparse]) -> Sparse:
    """Return a row of a Jacobian times the directions."""
    total: Sparse = {}
    for j, slope in row.items():
        for c, along in seeds[j].items():
            total[c] = total.get(c, ZERO) + slope * along
    return total


def _forward(
    roots: Sequence[Expr], symbols: Sequence[Expr], seeds: Sequence[Sparse]
) -> list[Sparse]:
    """Return the tangents of the roots, all directions in one sweep."""
    tangents = {leaf.serial: seed for leaf, seed in zip(symbols, seeds, strict=True)}
    for node in _dependents(roots, symbols):
        inner = [tangents.get(a.serial, {}) for a in node.args]
        total: Sparse = {}
        if node.op in CHOICES:
            condition, i, j = CHOICES[node.op](node)
            for k in sorted(inner[i].keys() | inner[j].keys()):
                total[k] = _choose(condition, inner[i].get(k, ZERO), inner[j].get(k, ZERO))
        else:
            for partial, rates in zip(PARTIALS[node.op], inner, strict=True):
                if rates:
                    slope = partial(node)
                    for k, rate in rates.items():
                        total[k] = total.get(k, ZERO) + slope * rate
        tangents[node.serial] = {k: rate for k, rate in total.items() if rate is not ZERO}
    return [tangents.get(root.serial, {}) for root in roots]


def _reverse(roots: Sequence[Expr], symbols: Sequence[Expr]) -> list[Sparse]:
    """Return for each root its derivatives by the symbols, all roots in one sweep."""
    order = _dependents(roots, symbols)
    adjoints: dict[int, dict[int, Masked]] = {node.serial: {} for node in (*order, *symbols)}
    conditions: dict[int, Expr] = {}
    for i, root in enumerate(roots):
        if root.serial in adjoints:
            adjoints[root.serial][i] = {(): ONE}

    def pass_on(a: Expr, k: int, mask: Mask, value: Expr) -> None:
        if a.serial in adjoints:
            terms = adjoints[a.serial].setdefault(k, {})
            terms[mask] = terms.get(mask, ZERO) + value

    for node in reversed(order):
        here = adjoints.pop(node.serial)
        weights = {k: _gathered(terms, conditions) for k, terms in here.items()}
        if node.op in CHOICES:
            condition, i, j = CHOICES[node.op](node)
            conditions[condition.serial] = condition
            for k, (mask, value) in weights.items():
                if len(mask) == MOST_MASKS:
                    mask, value = _gathered({mask: value, (): ZERO}, conditions)  # noqa: PLW2901
                pass_on(node.args[i], k, (*mask, (condition.serial, True)), value)
                pass_on(node.args[j], k, (*mask, (condition.serial, False)), value)
            continue
        for partial, a in zip(PARTIALS[node.op], node.args, strict=True):
            if a.serial in adjoints:
                slope = partial(node)
                for k, (mask, value) in weights.items():
                    pass_on(a, k, mask, slope * value)
    rows: list[Sparse] = [{} for _ in roots]
    for j, leaf in enumerate(symbols):
        for i, terms in adjoints[leaf.serial].items():
            rows[i][j] = _gathered({(): ZERO, **terms}, conditions)[1]
    return rows


def _gathered(terms: Masked, conditions: Mapping[int, Expr]) -> tuple[Mask, Expr]:
    """Return the sum of the terms as one value, and the mask that all of them share."""
    for depth in range(max(map(len, terms)), 0, -1):
        for mask in [m for m in terms if len(m) == depth]:
            if len(terms) > 1 and mask in terms:
                outer, (condition, holds) = mask[:-1], mask[-1]
                value = terms.pop(mask)
                other = terms.pop((*outer, (condition, not holds)), ZERO)
                pair = (value, other) if holds else (other, value)
                chosen = _choose(conditions[condition], *pair)
                terms[outer] = terms.get(outer, ZERO) + chosen
    (gathered,) = terms.items()
    return gathered


def _choose(condition: Expr, a: Expr, b: Expr) -> Expr:
    return as_expr(select(condition, a, b))


def _dependents(roots: Sequence[Expr], symbols: Iterable[Expr]) -> list[Expr]:
    """Return the nodes below the roots that change with the symbols, operands before users."""
    depends = {leaf.serial: True for leaf in symbols}
    order: list[Expr] = []
    stack = list(reversed(roots))
    while stack:
        node = stack[-1]
        # The value has derivative 0 by the operands left out here.
        smooth = node.args[node.op is Op.SELECT :] if node.op in SMOOTH else ()
        waiting = [a for a in smooth if a.serial not in depends]
        if waiting:
            stack.extend(reversed(waiting))
            continue
        stack.pop()
        if node.serial not in depends:
            depends[node.serial] = any(depends[a.serial] for a in smooth)
            if depends[node.serial]:
                order.append(node)
    return order


def _leaf(leaf: Any) -> Expr:  # noqa: ANN401 (what the caller gave)
    if not isinstance(leaf, Expr) or leaf.op is not Op.SYMBOL:
        raise TypeError(
            f"derivatives are taken by symbols, got {leaf!r}; put a symbol in its place"
        )
    return leaf


def _filled(shape: tuple[int, ...], entries: Iterable[tuple[int, Expr]]) -> NDArray[Any]:
    array = np.full(shape, ZERO, dtype=object)
    for k, value in entries:
        array.flat[k] = value
    return array
