"""The tables that springs and dampers follow."""

from typing import Final

from poinsot.errors import ModelError
from poinsot.model.fields import Instance
from poinsot.model.tabulated_function import Table

__all__ = ["TABLE", "check_tables"]

TABLE: Final = Instance(Table, "Table([0, 0.1], [0, 50])")


def check_tables(spring: Table | None, damper: Table | None, where: str) -> None:
    """Reject an element without any table."""
    if spring is None and damper is None:
        raise ModelError(f"{where}: give a table for spring, damper or both")
