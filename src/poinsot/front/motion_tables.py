"""Motions as tables: columns by name, CSV, Excel and pandas."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from poinsot.errors import ModelError, ShapeError
from poinsot.evaluate.expression import Expression
from poinsot.front.motion import AbstractMotion
from poinsot.io.optional_packages import imported
from poinsot.spatial import Array

__all__ = ["TableColumn", "columns_of", "further_columns", "pandas_of_many", "pandas_of_one",
           "save_table", "write_table"]  # fmt: skip

EXCEL_ROWS: Final = 1_048_575
"""Rows of a sheet of Excel, without the heading."""
ENDINGS: Final = (".csv", ".txt", ".xlsx")


class TableColumn(NamedTuple):
    """Values of shape (rows,), and their unit."""

    values: Array
    unit: str


def columns_of(motion: AbstractMotion, more: Mapping[str, Expression]) -> dict[str, TableColumn]:
    """Return the time, states, accelerations, joint forces and further columns, by name.

    Args:
        motion: One motion, or many, which come one after the other with their number, ``run``, and
            their parameters.
        more: Further columns: expressions by name.
    """
    lead, n = motion.q.shape[:-2], motion.t.size
    count = math.prod(lead)
    columns: dict[str, TableColumn] = {}
    if lead:
        columns["run"] = TableColumn(np.repeat(np.arange(count), n), "")
        for name, values in motion.parameters.items():
            columns[name] = TableColumn(np.repeat(np.ravel(values), n), "")
    columns["t"] = TableColumn(np.tile(motion.t, count), "s")
    vectors = {"q": motion.q, "v": motion.v, "a": motion.acceleration(), "tau": motion.tau()}
    for key, array in vectors.items():
        names = motion.names["q" if key == "q" else "v"]
        flat = array.reshape(-1, array.shape[-1])
        for k, (name, unit) in enumerate(zip(names, motion.units[key], strict=True)):
            columns[f"{key}.{name}"] = TableColumn(flat[:, k], unit)
    further = zip(motion.states.items(), motion.units.get("states", ()), strict=True)
    columns |= {name: TableColumn(values.ravel(), unit) for (name, values), unit in further}
    return columns | further_columns(motion, more, columns)


def further_columns(
    motion: AbstractMotion, more: Mapping[str, Expression], taken: Mapping[str, Any]
) -> dict[str, TableColumn]:
    """Return columns of expressions, by name.

    Args:
        motion: One motion, or many.
        more: Expressions by name.
        taken: Columns that there are already.
    """
    if not isinstance(more, Mapping):
        raise ModelError(
            f"more must be expressions by name, e.g. {{'height': '-cos(rod)'}}, got {more!r}"
        )
    columns = {}
    for name, expression in more.items():
        if name in taken or name == "t":
            raise ModelError(f"there is a column {name!r} already; choose another name")
        values = motion.evaluate(expression)
        if values.shape != motion.q.shape[:-1]:
            raise ShapeError(
                f"the expression of column {name!r} must be one number, got shape "
                f"{values.shape[motion.q.ndim - 1 :]}; give each entry a column"
            )
        columns[name] = TableColumn(values.ravel(), "")
    return columns


def save_table(motion: AbstractMotion, path: str | Path, more: Mapping[str, Expression]) -> Path:
    """Write a table; see ``AbstractMotion.save_table``."""
    return write_table(_checked_file(path), motion.system.name, columns_of(motion, more))


def write_table(path: str | Path, title: str, columns: Mapping[str, TableColumn]) -> Path:
    """Write columns by name; return the file.

    Args:
        path: The file: .csv, .txt or .xlsx.
        title: Name of the sheet in .xlsx.
        columns: The columns.
    """
    file = _checked_file(path)
    heads = [f"{name} [{unit}]" if unit else name for name, (_, unit) in columns.items()]
    table = np.column_stack([values for values, _ in columns.values()])
    if file.suffix.lower() == ".xlsx":
        _write_excel(file, title, heads, table)
    else:
        head = ",".join('"' + name.replace('"', '""') + '"' for name in heads)
        np.savetxt(file, table, "%.17g", ",", header=head, comments="")
    return file


def _checked_file(path: str | Path) -> Path:
    file = Path(path)
    if file.suffix.lower() not in ENDINGS:
        endings = ", ".join(ENDINGS)
        raise ModelError(f"save_table: the file must end in {endings}, got {file.name!r}")
    file.parent.mkdir(parents=True, exist_ok=True)  # as pictures do
    return file


def _write_excel(file: Path, title: str, heads: list[str], table: Array) -> None:
    """Write one sheet with a heading that stays in sight."""
    if len(table) > EXCEL_ROWS:
        raise ModelError(
            f"save_table: {len(table)} rows are more than the {EXCEL_ROWS} that a sheet of Excel "
            "has; store fewer states (save=...), or write .csv"
        )
    openpyxl = imported("openpyxl", "data", "save_table to .xlsx")
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("".join(c for c in title if c not in r"[]:*?/\\")[:31] or "motion")
    sheet.freeze_panes = "B2"
    for k, head in enumerate(heads, start=1):
        letter = openpyxl.utils.get_column_letter(k)
        sheet.column_dimensions[letter].width = max(12, len(head) + 2)
    bold = openpyxl.styles.Font(bold=True)
    cells = [openpyxl.cell.WriteOnlyCell(sheet, value=head) for head in heads]
    for cell in cells:
        cell.font = bold
    sheet.append(cells)
    for row in table.tolist():
        sheet.append([value if math.isfinite(value) else None for value in row])
    book.save(file)


def pandas_of_one(motion: AbstractMotion, more: Mapping[str, Expression]) -> Any:  # noqa: ANN401
    """Return the states of a motion as a DataFrame, indexed by ``t``."""
    return _frame(motion, more).set_index("t")


def pandas_of_many(motion: AbstractMotion, more: Mapping[str, Expression]) -> Any:  # noqa: ANN401
    """Return the states of many motions as a DataFrame, indexed by ``run`` and ``t``."""
    return _frame(motion, more).set_index(["run", "t"])


def _frame(motion: AbstractMotion, more: Mapping[str, Expression]) -> Any:  # noqa: ANN401
    pd = imported("pandas", "data", "to_pandas")
    columns = columns_of(motion, more)
    table = pd.DataFrame({name: values for name, (values, _) in columns.items()})
    table.attrs["units"] = {name: unit for name, (_, unit) in columns.items() if unit}
    return table
