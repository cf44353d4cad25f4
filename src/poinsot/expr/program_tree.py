"""Programs as trees of plain values, for files; what is read is checked like any other program."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

from poinsot.errors import ProgramError
from poinsot.expr.ops import Op
from poinsot.expr.program import Port, Program, Step
from poinsot.expr.program_rules import verify

__all__ = [
    "count_from_tree",
    "list_from_tree",
    "number_from_tree",
    "number_tree",
    "ports_from_tree",
    "ports_tree",
    "program_from_tree",
    "program_tree",
]

_KEYS: Final = ("inputs", "outputs", "constants", "steps", "results")
_WORDS: Final = ("inf", "-inf", "nan")
"""Numbers that JSON has no notation for."""


def program_tree(program: Program) -> dict[str, Any]:
    """Return a program as dicts, lists, texts and numbers; operations by their names.

    >>> from poinsot.expr import build, symbol_array
    >>> x = symbol_array("x", 2)
    >>> program_tree(build({"x": x}, {"y": x[0] * x[1] + 1}))["steps"]
    [['MUL', 0, 1], ['ADD', 2, 3]]
    """
    return {
        "inputs": ports_tree(program.inputs),
        "outputs": ports_tree(program.outputs),
        "constants": [number_tree(value) for value in program.constants],
        "steps": [[op.name, *args] for op, args in program.steps],
        "results": list(program.results),
    }


def program_from_tree(tree: object, where: str) -> Program:
    """Return the program of a tree.

    Args:
        tree: What ``program_tree`` returned, or anything else.
        where: Opens the message of an error.

    Raises:
        ProgramError: If it is none.
    """
    if not isinstance(tree, Mapping) or set(tree) != set(_KEYS):
        raise ProgramError(f"{where}: a program must have the keys {', '.join(_KEYS)}")
    try:
        return verify(
            Program(
                ports_from_tree(tree["inputs"]),
                ports_from_tree(tree["outputs"]),
                tuple(number_from_tree(value) for value in list_from_tree(tree["constants"])),
                tuple(_step(step) for step in list_from_tree(tree["steps"])),
                tuple(count_from_tree(number) for number in list_from_tree(tree["results"])),
            )
        )
    except ProgramError as error:
        raise ProgramError(f"{where}: {error}") from None


def ports_tree(ports: Sequence[Port]) -> dict[str, list[int]]:
    """Return the shapes of ports by name."""
    return {port.name: list(port.shape) for port in ports}


def number_tree(value: float) -> float | str:
    """Return a number, as text where it is infinite or NaN.

    >>> number_tree(0.5), number_tree(-math.inf)
    (0.5, '-inf')
    """
    return float(value) if math.isfinite(value) else str(float(value))


def number_from_tree(value: object) -> float:
    """Return the number that ``number_tree`` wrote.

    Raises:
        ProgramError: If it is none.
    """
    if isinstance(value, str) and value in _WORDS:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ProgramError(f"must be a number, got {str(value)[:40]!r}")
    try:
        return float(value)
    except OverflowError:
        raise ProgramError("must be a number that a double can hold") from None


def ports_from_tree(tree: object) -> tuple[Port, ...]:
    """Return the ports that ``ports_tree`` wrote, or raise :class:`ProgramError`."""
    if not isinstance(tree, Mapping):
        raise ProgramError("inputs and outputs must be shapes by name")
    return tuple(
        Port(str(name), tuple(count_from_tree(size) for size in list_from_tree(shape)))
        for name, shape in tree.items()
    )


def _step(tree: object) -> Step:
    name, *args = list_from_tree(tree) or [""]
    if name not in Op.__members__:
        raise ProgramError(f"unknown operation {str(name)[:40]!r}")
    return Op[name], tuple(count_from_tree(number) for number in args)


def list_from_tree(tree: object) -> list[Any]:
    """Return a list, or raise :class:`ProgramError`."""
    if not isinstance(tree, list | tuple):
        raise ProgramError(f"must be a list, got {str(tree)[:40]!r}")
    return list(tree)


def count_from_tree(tree: object) -> int:
    """Return a whole number from 0 on, or raise :class:`ProgramError`."""
    if isinstance(tree, bool) or not isinstance(tree, int) or tree < 0:
        raise ProgramError(f"must be a whole number from 0 on, got {str(tree)[:40]!r}")
    return tree
