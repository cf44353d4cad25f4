"""Rolled programs in NumPy: item by item, each code step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import Rolled
from poinsot.expr.ops import MEANING
from poinsot.expr.rolled import CONSTANTS, STATE
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
