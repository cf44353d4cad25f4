"""Programs step by step on the values of another library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from poinsot.errors import PoinsotError
from poinsot.expr import Op, Program


def follow(
    program: Program,
    inputs: Sequence[Any],
    operations: Mapping[Op, Callable[..., Any]],
    number: Callable[[float], Any] = float,
) -> list[Any]:
    """Return the value of each output entry.

    Args:
        program: The program.
        inputs: One value for each input entry.
        operations: What does each operation.
        number: What makes a constant.
    """
    values = [*inputs, *map(number, program.constants)]
    for op, args in program.steps:
        values.append(operations[op](*[values[a] for a in args]))
    return [values[r] for r in program.results]


def needed(library: str) -> None:
    """Require a library, naming the extra that installs it.

    Raises:
        PoinsotError: It is not installed.
    """
    if find_spec(library) is None:
        raise PoinsotError(
            f"to_{library} needs {library}, which is not installed; "
            f"pip install 'poinsot[{library}]'"
        )
