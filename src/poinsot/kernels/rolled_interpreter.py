"""Rolled programs in NumPy: item by item, each code step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import Rolled
from poinsot.expr.numeric_basis import numeric_basis, significant_rows
from poinsot.expr.ops import MEANING
from poinsot.expr.rank_tolerances import WELL_CONDITIONED
from poinsot.expr.rolled_code import CONSTANTS, SHORTEST_MOTION, STATE, WHERE, LoopedCode
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
            skipped = 0
            for number, *offsets in rolled.items.tolist():
                code = rolled.codes[number]
                if skipped:
                    skipped -= 1
                    continue
                if isinstance(code, LoopedCode):
                    if code.name == WHERE:
                        skipped = 0 if state[offsets[0]].any() else offsets[1]
                    else:
                        _Routine(memories, code, offsets).run()
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


class _Routine:
    """A routine on all states: ``numeric_basis`` with the ports that its machine code has.

    Args:
        memories: The memories by name, each with a column per state.
        routine: Which one, and in which memory each of its ports is.
        offsets: Offsets of the ports, then sizes.
    """

    def __init__(
        self, memories: Mapping[str, NDArray[Any]], routine: LoopedCode, offsets: Sequence[int]
    ) -> None:
        self._memories, self._name = memories, routine.name
        self._ports = list(zip(routine.memories, offsets, strict=False))
        self._n_blocks, self._m, self._n, *self._sizes = offsets[len(self._ports) :]

    def run(self) -> None:
        """Evaluate all states."""
        is_motion = self._name == SHORTEST_MOTION
        n_states = self._memories[STATE].shape[1]
        for k in range(n_states):
            (self._shortest_motion if is_motion else self._least_norm)(k)

    def _least_norm(self, k: int) -> None:
        """See ``least_norm_ir``."""
        m, n, (n_units, solves) = self._m, self._n, self._sizes[:2]
        rows, ends, off = self._rows(k), self._ends(), self._entries(4, 1)[0, k]
        target = self._entries(5, n)[:, k]
        units = np.eye(n)[self._entries(6, n_units)[:, 0].astype(int)]
        basis = numeric_basis(significant_rows(rows, self._entries(3, 1)[0, 0]), ends, off)
        poison = np.sum(rows) - np.sum(rows)
        allowed = basis.allowed(np.concatenate([target[None], units]))
        self._entries(7, (1 + n_units) * n)[:, k] = allowed.ravel() + poison
        if solves:
            solution = basis.least_norm(target)
            entries = np.concatenate([solution.x + poison, solution.determined])
            self._entries(8, 2 * m)[:, k] = entries

    def _shortest_motion(self, k: int) -> None:
        """See ``shortest_motion_ir``."""
        off, demand = self._entries(3, 1)[0, k], self._entries(4, 2 * self._m)[:, k]
        basis = numeric_basis(self._rows(k), self._ends(), off, clear=WELL_CONDITIONED)
        motions = [basis.shortest(wanted) for wanted in demand.reshape(2, -1)]
        self._entries(5, 2 * self._n)[:, k] = np.concatenate(motions)
        self._entries(6, 1)[:, k] = basis.conditioning

    def _entries(self, port: int, size: int) -> NDArray[Any]:
        memory, start = self._ports[port]
        return self._memories[memory][start : start + size]

    def _ends(self) -> list[int]:
        ends: list[int] = self._entries(2, self._m)[:, 0].astype(int).tolist()
        return ends

    def _rows(self, k: int) -> NDArray[Any]:
        memory, start = self._ports[0]
        values, rows = self._memories[memory][start:, k], np.zeros((self._m, self._n))
        blocks = self._entries(1, 5 * self._n_blocks).reshape(-1, 5).astype(int)
        for index, row, column, n_rows, n_columns in blocks:
            block = values[index : index + n_rows * n_columns].reshape(n_rows, n_columns)
            rows[row : row + n_rows, column : column + n_columns] = block
        return rows
