"""Rolled programs in NumPy: item by item, each code step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import Rolled
from poinsot.expr.numeric_basis import numeric_basis, significant_rows
from poinsot.expr.ops import MEANING
from poinsot.expr.rolled import CONSTANTS, STATE, LoopedCode
from poinsot.kernels.kernel import AbstractKernel, Signature


@final
class RolledInterpreterKernel(AbstractKernel):
    """Evaluates the items sequentially on columns of the batch."""

    def __init__(self, rolled: Rolled) -> None:
        self._rolled = rolled

    @property
    def program(self) -> Rolled:
        """What this kernel computes."""
        return self._rolled

    @property
    def signature(self) -> Signature:
        """Its ports and its length."""
        return Signature.of(self._rolled)

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`."""
        rolled = self._rolled
        n_states = outputs[0].shape[0]
        memories: dict[str, NDArray[Any]] = {
            port.name: x.T for port, x in zip(rolled.inputs, inputs, strict=True)
        }
        memories[STATE] = state = np.full((rolled.n_state, n_states), np.nan)
        memories[CONSTANTS] = rolled.constants[:, None]
        with np.errstate(all="ignore"):
            for number, *offsets in rolled.items.tolist():
                code = rolled.codes[number]
                if isinstance(code, LoopedCode):
                    _least_norm(memories, code, offsets)
                    continue
                n_in = len(code.program.inputs)
                values: list[Any] = []
                for port, memory, offset in zip(
                    code.program.inputs, code.memories, offsets, strict=False
                ):
                    values += list(memories[memory][offset : offset + port.size])
                values += code.program.constants
                for op, args in code.program.steps:
                    values.append(MEANING[op](*[values[a] for a in args]))
                results = iter(code.program.results)
                for port, offset in zip(code.program.outputs, offsets[n_in:], strict=False):
                    for k in range(port.size):
                        state[offset + k] = values[next(results)]
        for y, shown in zip(outputs, rolled.shows, strict=True):
            y[...] = state[shown].T


def _least_norm(
    memories: Mapping[str, NDArray[Any]], routine: LoopedCode, offsets: Sequence[int]
) -> None:
    """Run ``numeric_basis`` on all states; the ports are those of ``least_norm_ir``."""
    n_ports = len(routine.memories)
    n_blocks, m, n, n_units, solves = offsets[n_ports : n_ports + 5]
    places = list(zip(routine.memories, offsets, strict=False))

    def entries(port: int, size: int) -> NDArray[Any]:
        memory, start = places[port]
        return memories[memory][start : start + size]

    values, start = places[0]
    state, off, target = memories[values][start:], entries(4, 1), entries(5, n)
    blocks = entries(1, 5 * n_blocks).reshape(-1, 5).astype(int)
    ends = entries(2, m)[:, 0].astype(int)
    units = np.eye(n)[entries(6, n_units)[:, 0].astype(int)]
    for k in range(state.shape[1]):
        rows = np.zeros((m, n))
        for index, row, column, n_rows, n_columns in blocks:
            block = state[index : index + n_rows * n_columns, k].reshape(n_rows, n_columns)
            rows[row : row + n_rows, column : column + n_columns] = block
        basis = numeric_basis(significant_rows(rows, entries(3, 1)[0, 0]), ends.tolist(), off[0, k])
        poison = np.sum(rows) - np.sum(rows)
        allowed = basis.allowed(np.concatenate([target[:, k][None], units]))
        entries(7, (1 + n_units) * n)[:, k] = allowed.ravel() + poison
        if solves:
            solution = basis.least_norm(target[:, k])
            entries(8, 2 * m)[:, k] = np.concatenate([solution.x + poison, solution.determined])
