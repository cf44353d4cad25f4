"""Rolled programs as trees of plain values, for files; what is read is checked.

Routines (``LoopedCode``) have no tree: what they read is data, which nothing here can check.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from poinsot.errors import ProgramError
from poinsot.expr.program import Program
from poinsot.expr.program_tree import (
    count_from_tree,
    list_from_tree,
    ports_from_tree,
    ports_tree,
    program_from_tree,
    program_tree,
)
from poinsot.expr.rolled import Rolled
from poinsot.expr.rolled_code import CONSTANTS, STATE, Code, ColumnCode

__all__ = ["has_tree", "rolled_from_tree", "rolled_tree"]

_KEYS: Final = ("inputs", "outputs", "codes", "items", "shows", "n_state", "constants")


def has_tree(rolled: Rolled) -> bool:
    """Say whether a program can be written to files."""
    return all(isinstance(code, Code) for code in rolled.codes) and not rolled.formulas


def rolled_tree(rolled: Rolled) -> dict[str, Any]:
    """Return a rolled program as dicts, lists, texts, numbers and arrays; ``has_tree`` holds."""
    codes = [code for code in rolled.codes if isinstance(code, Code)]
    return {
        "inputs": ports_tree(rolled.inputs),
        "outputs": ports_tree(rolled.outputs),
        "codes": [_code_tree(code) for code in codes],
        "items": rolled.items.astype(np.float64),
        "shows": [shown.astype(np.float64) for shown in rolled.shows],
        "n_state": rolled.n_state,
        "constants": rolled.constants,
    }


def rolled_from_tree(tree: object, where: str) -> Rolled:
    """Return the rolled program of a tree.

    Args:
        tree: What ``rolled_tree`` returned, or anything else.
        where: Opens the message of an error.

    Raises:
        ProgramError: If it is none, or an item reads or writes beyond its memories.
    """
    if not isinstance(tree, Mapping) or set(tree) != set(_KEYS):
        raise ProgramError(f"{where}: a rolled program must have the keys {', '.join(_KEYS)}")
    try:
        return _checked(
            Rolled(
                ports_from_tree(tree["inputs"]),
                ports_from_tree(tree["outputs"]),
                tuple(_code(code, where) for code in list_from_tree(tree["codes"])),
                _whole(tree["items"], 2),
                tuple(_whole(shown, 1) for shown in list_from_tree(tree["shows"])),
                count_from_tree(tree["n_state"]),
                _array(tree["constants"], 1),
            )
        )
    except ProgramError as error:
        raise ProgramError(f"{where}: {error}") from None


def _checked(rolled: Rolled) -> Rolled:
    """Return the program, or raise an error where it leaves a memory."""
    sizes = {port.name: port.size for port in rolled.inputs}
    sizes |= {STATE: rolled.n_state, CONSTANTS: rolled.constants.size}
    shown = [port.size for port in rolled.outputs]
    if [places.size for places in rolled.shows] != shown:
        raise ProgramError("outputs must show as many entries as they have")
    _within(rolled.shows, sizes[STATE], "an output")
    numbers = rolled.items[:, 0]
    _within([numbers], len(rolled.codes), "an item")
    for k, code in enumerate(rolled.codes):
        assert isinstance(code, Code)
        ports = (*code.program.inputs, *code.program.outputs)
        if len(ports) != len(code.memories) or len(ports) >= rolled.items.shape[1]:
            raise ProgramError(f"code {k} has {len(ports)} ports, and not as many memories")
        n_inputs = len(code.program.inputs)
        for number, (port, memory) in enumerate(zip(ports, code.memories, strict=True), start=1):
            if memory not in sizes or (number > n_inputs and memory != STATE):
                raise ProgramError(f"code {k} cannot use the memory {memory!r} for {port.name!r}")
            places = rolled.items[numbers == k, number]
            _within([places], sizes[memory] - port.size + 1, f"an item of code {k}")
    return rolled


def _within(places: Any, size: int, what: str) -> None:  # noqa: ANN401 (arrays of whole numbers)
    for array in places:
        if array.size and (array.min() < 0 or array.max() >= size):
            raise ProgramError(f"{what} is out of range")


def _code_tree(code: Code) -> dict[str, Any]:
    tree = {"memories": list(code.memories), "program": program_tree(code.program), "columns": None}
    columns = code.columns
    if columns is not None:
        uniform = sorted(columns.uniform)
        program = program_tree(columns.program)
        tree["columns"] = {
            "program": program, "uniform": uniform, "width": columns.width, "pitch": columns.pitch,
        }  # fmt: skip
    return tree


def _code(tree: object, where: str) -> Code:
    if not isinstance(tree, Mapping) or set(tree) != {"memories", "program", "columns"}:
        raise ProgramError("a code must have the keys memories, program, columns")
    program = program_from_tree(tree["program"], where)
    memories = tuple(str(name) for name in list_from_tree(tree["memories"]))
    columns = None if tree["columns"] is None else _columns(tree["columns"], program, where)
    return Code(program, memories, columns)


def _columns(tree: object, program: Program, where: str) -> ColumnCode:
    """Return the columns of a code, rejecting those whose ports are not those of its program."""
    if not isinstance(tree, Mapping) or {*tree, "pitch"} != {
        "program",
        "uniform",
        "width",
        "pitch",
    }:
        raise ProgramError("columns of a code must have the keys program, uniform, width, pitch")
    single, width = program_from_tree(tree["program"], where), count_from_tree(tree["width"])
    uniform = frozenset(str(name) for name in list_from_tree(tree["uniform"]))
    pitch = count_from_tree(tree.get("pitch", tree["width"]))  # files of before have no pitch
    inputs = [
        (x.name, x.size if x.name in uniform else (x.size - 1) * pitch + width)
        for x in single.inputs
    ]
    outputs = [(x.name, x.size * width) for x in single.outputs]
    ports = (*program.inputs, *program.outputs)
    if [*inputs, *outputs] != [(port.name, port.size) for port in ports]:
        raise ProgramError("columns of a code must have its ports")
    if pitch != width and any(x.size != 1 for x in single.outputs):
        raise ProgramError("columns of a code whose inputs lie apart must write one row")
    return ColumnCode(single, uniform, width, pitch)


def _array(tree: object, n_dimensions: int) -> NDArray[np.float64]:
    if not isinstance(tree, np.ndarray) or tree.dtype != np.float64 or tree.ndim != n_dimensions:
        raise ProgramError(f"must be an array of {n_dimensions} dimensions")
    return np.ascontiguousarray(tree)


def _whole(tree: object, n_dimensions: int) -> NDArray[np.int32]:
    array = _array(tree, n_dimensions)
    if not (np.abs(array) < 2**31).all() or (array != np.floor(array)).any():
        raise ProgramError("must be an array of whole numbers")
    return array.astype(np.int32)
