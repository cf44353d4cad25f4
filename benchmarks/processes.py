"""Measurements in several processes, of which the median counts.

Machine code and data lie elsewhere in memory in each process, and now and then a call is a quarter
slower in one of them from beginning to end; rounds within a process do not see that.
"""

from collections.abc import Callable
from dataclasses import fields
from multiprocessing import get_context
from statistics import median
from typing import Any

PROCESSES = 5
"""How many processes measure everything; fixed, so that no lucky one decides."""


def in_processes(measure: Callable[..., Any], *arguments: Any, count: int = PROCESSES) -> list[Any]:
    """Return what a function returns in each of several new processes, one after the other.

    Args:
        measure: A function of a module.
        arguments: Its arguments.
        count: How many processes.
    """
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return [pool.apply(measure, arguments) for _ in range(count)]


def median_row(rows: list[Any]) -> Any:
    """Return a row (a dataclass) whose numbers are medians, those in dictionaries too.

    Texts are those of the first row, and of errors the largest counts.
    """
    merged = {field.name: [getattr(row, field.name) for row in rows] for field in fields(rows[0])}
    return type(rows[0])(**{name: _merged(name, values) for name, values in merged.items()})


def _merged(name: str, values: list[Any]) -> Any:
    """Return one value for those of all processes."""
    if isinstance(values[0], dict):
        return {key: median(value[key] for value in values) for key in values[0]}
    if isinstance(values[0], str):
        return values[0]
    return max(values) if name == "error" else median(values)
