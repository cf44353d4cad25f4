"""The interpreter: a program step by step in NumPy.  It is the definition of every operation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from poinsot.expr import Program
from poinsot.expr.ops import MEANING
from poinsot.kernels.kernel import AbstractKernel, Signature


@final
class InterpreterKernel(AbstractKernel):
    """Evaluates the steps sequentially on columns of the batch."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @property
    def program(self) -> Program:
        """What this kernel computes."""
        return self._program

    @property
    def signature(self) -> Signature:
        """Its ports and its length."""
        return Signature.of(self._program)

    def run(self, inputs: Sequence[NDArray[Any]], outputs: Sequence[NDArray[Any]]) -> None:
        """Evaluate a batch; see :meth:`AbstractKernel.run`."""
        program = self._program
        n_states = outputs[0].shape[0]
        values: list[Any] = [x[:, k] for x in inputs for k in range(x.shape[1])]
        values += program.constants
        with np.errstate(all="ignore"):
            for op, args in program.steps:
                values.append(MEANING[op](*[values[a] for a in args]))
        results = iter(program.results)
        for y in outputs:
            for k in range(y.shape[1]):
                y[:, k] = np.broadcast_to(values[next(results)], (n_states,))
