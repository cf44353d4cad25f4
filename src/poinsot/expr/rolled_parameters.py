"""Rolled programs of systems with free parameters: constants that are formulas become state.

Items read numbers of bodies, joints and elements from the constants.  Where some of these depend on
parameters, items that go first compute them, and the others read the state in their place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poinsot.expr.passes import optimise
from poinsot.expr.program import build
from poinsot.expr.rolled import Rolled, RolledBuilder
from poinsot.expr.rolled_code import CONSTANTS, STATE, Code, LoopedCode


def with_parameters(rolled: Rolled, name: str, parameters: NDArray[Any]) -> Rolled:
    """Return the program with the parameters as its last input, and no formula in its constants.

    Args:
        rolled: Constants of it may be formulas.
        name: Of the input.
        parameters: The symbols in the formulas.
    """
    first = RolledBuilder({name: len(parameters)}, {})
    numbers = _Numbers(rolled, first, name, parameters)
    codes: list[Code | LoopedCode] = []
    items = rolled.items.copy()
    for k, code in enumerate(rolled.codes):
        chosen = np.flatnonzero(items[:, 0] == k)
        memories = list(code.memories)
        for port, memory in enumerate(code.memories):
            offsets = items[chosen, port + 1]
            if memory == CONSTANTS and isinstance(code, Code):
                size = code.program.inputs[port].size
                if numbers.has_formula(offsets, size):
                    items[chosen, port + 1] = numbers.in_state(offsets, size)
                    memories[port] = STATE
        codes.append(replace(code, memories=tuple(memories)))
    sizes = {port.name: port.size for port in rolled.inputs} | {name: len(parameters)}
    outputs = {port.name: port.shape for port in rolled.outputs}
    builder = RolledBuilder(sizes, outputs)
    ahead = first.finish()
    builder.embed("parameters", ahead)
    for k, code in enumerate(codes):  # indices of the numbers are those of the whole state
        chosen = np.flatnonzero(items[:, 0] == k)
        for port, memory in enumerate(code.memories):
            if memory != rolled.codes[k].memories[port]:
                items[chosen, port + 1] -= ahead.n_state
    moved = replace(rolled, codes=tuple(codes), items=items, formulas={})
    for output, shown in zip(rolled.outputs, builder.embed("program", moved), strict=True):
        builder.show(output.name, shown)
    return builder.finish()


class _Numbers:
    """Numbers that items read, computed ahead of them."""

    def __init__(
        self, rolled: Rolled, builder: RolledBuilder, name: str, parameters: NDArray[Any]
    ) -> None:
        self._rolled, self._builder = rolled, builder
        self._name, self._parameters = name, parameters
        is_formula = np.zeros(len(rolled.constants), int)
        is_formula[list(rolled.formulas)] = 1
        self._counts = np.concatenate([[0], np.cumsum(is_formula)])
        self._starts: dict[tuple[int, int], int] = {}

    def has_formula(self, offsets: NDArray[np.int32], size: int) -> bool:
        """Say whether one of these pieces of the constants has a formula."""
        return bool(np.any(self._counts[offsets + size] > self._counts[offsets]))

    def in_state(self, offsets: NDArray[np.int32], size: int) -> NDArray[np.int64]:
        """Return where in the state pieces of the constants are; append the items that put them."""
        return np.array([self._start(offset, size) for offset in offsets.tolist()], np.int64)

    def _start(self, offset: int, size: int) -> int:
        first = self._starts.get((offset, size))
        if first is None:
            first = self._starts[offset, size] = self._builder.state(size)
            formulas, span = self._rolled.formulas, range(offset, offset + size)
            if self._counts[offset] == self._counts[offset + size]:
                numbers = self._rolled.constants[offset : offset + size].tolist()
                constants = self._builder.constants(numbers)
                reads = {"x": (CONSTANTS, constants, size)}
                self._builder.item(("copy", size), lambda x: {"y": x}, reads, {"y": first})
                return first
            values = [formulas.get(k, float(self._rolled.constants[k])) for k in span]
            program = optimise(build({self._name: self._parameters}, {"numbers": values}))
            code, start = self._builder.code_alike(Code(program, (self._name, STATE)))
            self._builder.append(code, [0, *([] if start is None else [start]), first])
        return first
