"""Tables of springs and dampers in files."""

from typing import Any

from poinsot.expr import Expr
from poinsot.io.native.node import Node
from poinsot.io.native.plain import plain
from poinsot.model import Table

__all__ = ["read_table", "table_tree"]


def read_table(node: Node) -> Table:
    """Return the table that an object describes."""
    fields = node.fields(("x", "y", "kind"), ("x", "y"))
    x, y = ([_number(entry) for entry in fields[key].entries()] for key in ("x", "y"))
    with node.named():
        return Table(x, y, fields["kind"].text()) if "kind" in fields else Table(x, y)


def table_tree(table: Table) -> dict[str, Any]:
    """Return the object that describes a table."""
    return {"x": plain(table.x), "y": plain(table.y), "kind": table.kind}


def _number(node: Node) -> float:
    """Return a number that is no formula of parameters."""
    number = node.number()
    if isinstance(number, Expr):
        raise node.must_be("a number, no formula; scale the table with the key scale")
    return float(number)
