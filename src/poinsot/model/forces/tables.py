"""Checks of the tables that springs and dampers follow."""

from poinsot.errors import ModelError
from poinsot.model.table import Table

__all__ = ["checked_tables"]


def checked_tables(spring: object, damper: object, where: str) -> None:
    """Refuse what is no table, and none at all."""
    for key, table in (("spring", spring), ("damper", damper)):
        if table is not None and not isinstance(table, Table):
            raise ModelError(
                f"{where}: {key} must be a Table, e.g. Table([0, 0.1], [0, 50]), got {table!r}"
            )
    if spring is None and damper is None:
        raise ModelError(f"{where}: give a table for spring, damper or both")
