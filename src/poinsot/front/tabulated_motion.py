"""Motions that can be written as tables."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from poinsot.evaluate.expression import Expression
from poinsot.front.motion import AbstractMotion

__all__ = ["TabulatedMotion"]


class TabulatedMotion(AbstractMotion):
    """States at times, and tables of them."""

    def save_table(self, path: str | Path, more: Mapping[str, Expression] | None = None) -> Path:
        """Write states, accelerations and joint forces as a table; return the file.

        A row for each stored time, of many motions one after the other; columns are called as in
        formulas, with their units.

        Args:
            path: The file: .csv, .txt (comma-separated values, no digit lost) or .xlsx (Excel).
            more: Further columns: expressions by name, as ``evaluate`` takes them.

        Raises:
            ModelError: If it ends otherwise, or is too long for Excel.
            MissingPackageError: If .xlsx needs a package that is not installed: extra ``data``.
        """
        from poinsot.front.motion_tables import save_table

        return save_table(self, path, more or {})
