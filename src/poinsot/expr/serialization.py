"""Expressions as lists of rows, the same in every process: for pickles and digests.

A row is a number, the name of a symbol, or an operation and the numbers of the rows it works on.
Nodes of another process are not ours: reading the rows makes them anew, each folded as if it were
written here.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from poinsot.expr.apply_operation import applied
from poinsot.expr.node import Expr, Scalar, as_expr, symbol
from poinsot.expr.ops import Op

Row: TypeAlias = float | str | tuple[int, ...]


def operands_first(roots: Sequence[Expr]) -> Iterator[Expr]:
    """Yield every node below the roots once, operands before users, without recursion."""
    seen: set[int] = set()
    stack = list(reversed(roots))
    while stack:
        node = stack[-1]
        waiting = [a for a in reversed(node.args) if a.serial not in seen]
        if waiting:
            stack.extend(waiting)
            continue
        stack.pop()
        if node.serial not in seen:
            seen.add(node.serial)
            yield node


def depends_on(roots: Sequence[Expr], symbols: Iterable[Expr]) -> bool:
    """Say whether one of the symbols occurs in the expressions.

    >>> depends_on([symbol("m") * symbol("g")], [symbol("g")])
    True
    """
    asked = {leaf.serial for leaf in symbols}
    return any(node.serial in asked for node in operands_first(roots))


def to_rows(expr: Expr) -> tuple[Row, ...]:
    """Return the rows of an expression; the last is the expression itself.

    >>> to_rows(symbol("first") * symbol("second"))  # names that nothing else has made before
    ('first', 'second', (4, 0, 1))
    """
    number: dict[int, int] = {}
    rows: list[Row] = []
    for node in operands_first([expr]):
        number[node.serial] = len(rows)
        operands = (number[a.serial] for a in node.args)
        rows.append((int(node.op), *operands) if node.args else node.value)
    return tuple(rows)


def from_rows(rows: Sequence[Row]) -> Expr:
    """Return the expression of these rows."""
    made: list[Scalar] = []
    for row in rows:
        if isinstance(row, tuple):
            op, *numbers = row
            made.append(applied(Op(op), [made[k] for k in numbers]))
        else:
            made.append(symbol(row) if isinstance(row, str) else as_expr(row))
    return as_expr(made[-1])


def _reduced(expr: Expr) -> tuple[Callable[..., Expr], tuple[tuple[Row, ...]]]:
    return from_rows, (to_rows(expr),)


copyreg.pickle(Expr, _reduced)
